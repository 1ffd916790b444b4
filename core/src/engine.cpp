#include "inarow/engine.hpp"

#include <algorithm>
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

// However a search ends, nobody waits for its reports in vain.
struct MailboxCloser {
    ReportMailbox* mailbox;
    ~MailboxCloser() {
        if (mailbox) mailbox->close();
    }
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
          model_(geometry_, tables_) {
        for (int i = 0; i < options_.threads; ++i) histories_.emplace_back(geometry_->cells());
    }

    EngineResult search(const Request& request, const Limits& limits, const StopFlag& stop, ReportMailbox* mailbox) override {
        const MailboxCloser closer{mailbox};
        set_moves(request.moves);
        table_.grow_older();
        SearchTeam team{table_};
        Limits all = limits;
        all.gap = gap_;
        all.nodes = std::max<std::int64_t>(1, limits.nodes / options_.threads);
        RootOptions options;
        options.lines = request.lines;
        options.heuristics = options_.heuristics;
        options.win_plies = win_plies(request.moves);
        options.lost = request.lost;

        StopFlag stop_helpers;
        EngineResult result;
        {
            std::vector<Model> models(static_cast<std::size_t>(options_.threads - 1), model_);
            std::vector<std::jthread> helpers;
            for (int i = 1; i < options_.threads; ++i) {
                helpers.emplace_back([&, i] { help(models[static_cast<std::size_t>(i - 1)], team, i, options, stop_helpers); });
            }
            RootSearch<Model> search(model_, team, histories_.front(), all, stop, options);
            result = search.search(mailbox);
            stop_helpers.set();
        }
        result.nodes += team.helper_nodes.load();
        gap_ = remembered_gap(gap_, result.longest_gap);
        if (request.is_told) remember_win(request.moves, result);
        return result;
    }

    Score value(std::span<const Cell> moves) override {
        set_moves(moves);
        return model_.value();
    }

    void clear() override {
        table_.clear();
        for (MoveHistory& history : histories_) history.clear();
        gap_ = 0;
        won_moves_.clear();
    }

    const EngineWeights& weights() const override { return tables_->weights(); }

private:
    // Another thread's search of the same root: all it leaves is in the table.
    void help(Model& model, SearchTeam& team, int number, RootOptions options, const StopFlag& stop) {
        options.first_depth = 1 + number % 2;
        try {
            RootSearch<Model> search(model, team, histories_[static_cast<std::size_t>(number)], {}, stop, options);
            search.search(nullptr);
            team.helper_nodes.fetch_add(search.nodes(), std::memory_order_relaxed);
        } catch (const std::bad_alloc&) {
            // No memory for another search: the other threads do the work.
        }
    }

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
        if (position_.is_over()) throw std::invalid_argument("the game is over");
    }

    std::shared_ptr<const Geometry> geometry_;
    Options options_;
    std::shared_ptr<const typename Model::Tables> tables_;
    EngineTable table_;
    Position position_;  // the game as it stands, twice: by the rules, and as the search sees it
    Model model_;
    std::vector<MoveHistory> histories_;
    double gap_ = 0;
    std::vector<Cell> won_moves_;  // the game after a move that was said to win, and in how many plies
    int won_plies_ = 0;
};

}  // namespace

std::unique_ptr<Engine> Engine::make(std::shared_ptr<const Geometry> geometry, const Options& options, const EngineWeights& weights) {
    if (options.threads < 1) throw std::invalid_argument("threads must be 1 or more");
    if (geometry->game().gravity) return std::make_unique<EngineOnModel<DropModel>>(std::move(geometry), options, weights);
    return std::make_unique<EngineOnModel<FreeModel>>(std::move(geometry), options, weights);
}

}  // namespace inarow
