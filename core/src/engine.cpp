#include "inarow/engine.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "inarow/drop_model.hpp"
#include "inarow/engine_root.hpp"
#include "inarow/free_model.hpp"
#include "inarow/position.hpp"

namespace inarow {

namespace {

constexpr int helper_niceness = 10, most_niceness = 19;  // so that on a busy machine helpers do not take the processor from the thread that must be in time

// However a search ends, nobody waits for its reports in vain.
struct MailboxCloser {
    ReportMailbox* mailbox;
    ~MailboxCloser() {
        if (mailbox) mailbox->close();
    }
};

// Another thread that searches the same root: what it finds is in the table, and a depth that it finishes first is finished for all. When
// the search is over it is told to stop, but nobody waits until it does: on a busy machine it may get no processor for longer than a move
// has. If it has not ended when the next search begins, that one goes on without it.
template <EngineModel Model>
class Helper {
public:
    Helper(const Model& model, int number) : model_(model), history_(model.cells()), number_(number) {}
    ~Helper() { stop(); }

    void start(const Model& model, SearchTeam& team, RootOptions options) {
        if (is_busy_.load(std::memory_order_acquire)) return;
        stop_.clear();
        options.ahead = number_ % 2;
        options.threes = nullptr;  // one of them looks for wins by threats
        is_busy_.store(true, std::memory_order_relaxed);
        try {
            model_ = model;
            thread_ = std::jthread([this, &team, options] {
                setpriority(PRIO_PROCESS, 0, std::min(most_niceness, getpriority(PRIO_PROCESS, 0) + helper_niceness));  // on Linux, of this thread
                search(team, options);
                is_busy_.store(false, std::memory_order_release);
            });
        } catch (const std::exception&) {
            is_busy_.store(false, std::memory_order_relaxed);  // no memory or no thread for it: the others do the work
        }
    }

    void stop() { stop_.set(); }

    // Ends it, and waits for that.
    void clear() {
        stop();
        if (thread_.joinable()) thread_.join();
        history_.clear();
    }

private:
    void search(SearchTeam& team, const RootOptions& options) {
        try {
            RootSearch<Model>(model_, team, history_, {}, stop_, options, &team.helper_nodes).search(nullptr);
        } catch (const std::bad_alloc&) {
            // No memory for another search: the other threads do the work.
        }
    }

    Model model_;
    MoveHistory history_;
    int number_;
    StopFlag stop_;
    std::atomic<bool> is_busy_ = false;
    std::jthread thread_;  // the last, so that it ends before what it uses
};

template <EngineModel Model>
class EngineOnModel final : public Engine {
public:
    EngineOnModel(std::shared_ptr<const Geometry> geometry, const Options& options, const EngineWeights& weights)
        : geometry_(std::move(geometry)),
          options_(options),
          tables_(std::make_shared<const typename Model::Tables>(geometry_->game().k, weights)),
          table_(options.memory_bytes),
          position_(geometry_),
          model_(geometry_, tables_),
          history_(geometry_->cells()) {
        team_.is_alone = options_.threads == 1;
        for (int i = 1; i < options_.threads; ++i) helpers_.push_back(std::make_unique<Helper<Model>>(model_, i));
    }

    EngineResult search(const Request& request, const Limits& limits, const StopFlag& stop, ReportMailbox* mailbox) override {
        const auto begin = Watch::Clock::now();
        const MailboxCloser closer{mailbox};
        set_moves(request.moves);
        model_.set_contempt(request.contempt);
        table_.grow_older();
        team_.helper_nodes = 0;
        Limits all = limits;
        all.gap = gap_;
        all.nodes = std::max<std::int64_t>(1, limits.nodes / options_.threads);
        RootOptions options;
        options.lines = request.lines;
        options.heuristics = options_.heuristics;
        options.win_plies = win_plies(request.moves);
        options.threes = &threes_;
        options.lost.assign(request.lost.begin(), request.lost.end());
        options.search = ++searches_;
        options.max_depth = std::min(limits.depth, max_nominal_depth);

        const HelpersAtWork at_work(*this, options);
        all.seconds -= std::chrono::duration<double>(Watch::Clock::now() - begin).count();
        is_torn_ = true;
        EngineResult result = RootSearch<Model>(model_, team_, history_, all, stop, options).search(mailbox);
        is_torn_ = false;
        result.nodes += team_.helper_nodes.load(std::memory_order_relaxed);
        if (request.is_told) {  // else nobody waits for it: it may even have been suspended
            gap_ = remembered_gap(gap_, result.longest_gap);
            remember_win(request.moves, result);
        }
        return result;
    }

    Score value(std::span<const Cell> moves, int contempt) override {
        set_moves(moves);
        model_.set_contempt(contempt);
        return model_.value();
    }

    void clear() override {
        for (const auto& helper : helpers_) helper->clear();
        history_.clear();
        table_.clear();
        threes_.clear();
        gap_ = 0;
        won_moves_.clear();
    }

    bool take_memory(double seconds) override { return table_.take_memory(seconds); }

    const EngineWeights& weights() const override { return tables_->weights(); }

private:
    // While it lives, the helpers search.
    struct HelpersAtWork {
        EngineOnModel& engine;
        HelpersAtWork(EngineOnModel& engine_, const RootOptions& options) : engine(engine_) {
            for (const auto& helper : engine.helpers_) helper->start(engine.model_, engine.team_, options);
        }
        ~HelpersAtWork() {
            for (const auto& helper : engine.helpers_) helper->stop();
        }
    };

    // A win that was reported must not recede: after the move and any reply it is at least two plies nearer.
    void remember_win(std::span<const Cell> moves, const EngineResult& result) {
        won_moves_.clear();
        const Score score = result.lines.front().score;
        if (!is_won(score)) return;
        won_moves_.assign(moves.begin(), moves.end());
        won_moves_.push_back(result.move);
        won_plies_ = won - score;
    }
    int win_plies(std::span<const Cell> moves) const {
        const bool goes_on = !won_moves_.empty() && moves.size() == won_moves_.size() + 1 &&
                             std::equal(won_moves_.begin(), won_moves_.end(), moves.begin());
        return goes_on ? won_plies_ - 2 : max_cells;
    }

    // Plays what differs from the last time; on a large board all moves of a game would take too long.
    void set_moves(std::span<const Cell> moves) {
        if (is_torn_) {
            position_ = Position(geometry_);
            model_ = Model(geometry_, tables_);
        }
        is_torn_ = true;
        const std::span<const Cell> played = position_.moves();
        const auto same = std::mismatch(played.begin(), played.end(), moves.begin(), moves.end()).first - played.begin();
        while (position_.ply() > same) {
            position_.unmake();
            model_.unmake();
        }
        for (const Cell cell : moves.subspan(static_cast<std::size_t>(same))) {
            if (!position_.is_legal(cell)) throw std::invalid_argument("cell " + std::to_string(cell) + " cannot be played now");
            position_.make(cell);
            model_.make(cell);
        }
        is_torn_ = false;
        if (position_.is_over()) throw std::invalid_argument("the game is over");
    }

    std::shared_ptr<const Geometry> geometry_;
    Options options_;
    std::shared_ptr<const typename Model::Tables> tables_;
    EngineTable table_;
    Position position_;  // the game as it stands, twice: by the rules, and as the search sees it
    Model model_;
    bool is_torn_ = false;  // an exception came in between: the two may not agree
    ThreesTable threes_;
    MoveHistory history_;
    double gap_ = 0;
    std::vector<Cell> won_moves_;  // the game after a move that was said to win, and in how many plies
    int won_plies_ = 0;
    std::uint32_t searches_ = 0;
    SearchTeam team_{table_};
    std::vector<std::unique_ptr<Helper<Model>>> helpers_;  // the last, so that they end before what they use
};

}  // namespace

std::unique_ptr<Engine> Engine::make(std::shared_ptr<const Geometry> geometry, const Options& options, const EngineWeights& weights) {
    if (options.threads < 1) throw std::invalid_argument("threads must be 1 or more");
    if (geometry->game().gravity) return std::make_unique<EngineOnModel<DropModel>>(std::move(geometry), options, weights);
    return std::make_unique<EngineOnModel<FreeModel>>(std::move(geometry), options, weights);
}

}  // namespace inarow
