#include "inarow/searcher.hpp"

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "inarow/chains.hpp"

namespace inarow {

namespace {

template <class Evaluation, class Order, class Memory>
class ComposedSearcher final : public Searcher {
public:
    ComposedSearcher(Position position, Evaluation evaluation, Order order, Memory memory)
        : model_(std::move(position), std::move(evaluation), std::move(order)), memory_(std::move(memory)) {}

    void set_moves(std::span<const Cell> moves) override {
        const std::span<const Cell> played = position().moves();
        const auto same = static_cast<int>(std::mismatch(played.begin(), played.end(), moves.begin(), moves.end()).first - played.begin());
        while (position().ply() > same) model_.unmake();
        for (const Cell cell : moves.subspan(static_cast<std::size_t>(same))) {
            if (!position().is_legal(cell)) throw std::invalid_argument("cell " + std::to_string(cell) + " cannot be played now");
            model_.make(cell);
        }
    }

    const Position& position() const override { return model_.position(); }
    Score value() const override { return model_.value(); }
    Cells ordered_moves(bool is_root) override {
        Cells cells;
        const StopFlag never;
        Watch watch({}, never, 1);
        model_.append_moves(is_root, cells, watch);
        return cells;
    }

    SearchResult fixed(int depth, const Limits& limits, const StopFlag& stop) override {
        return remembering_gaps(limits, [&](const Limits& all) { return AlphaBeta(model_, memory_, all, stop).fixed(depth); });
    }
    SearchResult deepen(DeepeningStyle style, const Limits& limits, const StopFlag& stop) override {
        return remembering_gaps(limits, [&](const Limits& all) { return AlphaBeta(model_, memory_, all, stop).deepen(style); });
    }
    SearchResult shares(int depth, std::int64_t budget, int threads, const Limits& limits, const StopFlag& stop) override {
        return remembering_gaps(limits, [&](const Limits& all) {
            AlphaBeta search(model_, memory_, all, stop);
            if constexpr (std::is_same_v<Memory, NoMemory>) {
                if (threads > 1) return search.shares(depth, budget, threads, all, stop);
            }
            return search.shares(depth, budget);
        });
    }

private:
    template <class Search>
    SearchResult remembering_gaps(Limits limits, Search&& search) {
        limits.gap = gap_;
        const SearchResult result = search(limits);
        gap_ = remembered_gap(gap_, result.longest_gap);
        return result;
    }

    Model<Evaluation, Order> model_;
    Memory memory_;
    double gap_ = 0;
};

// The parts of a recipe are chosen one after the other, each call adding one.
class Composer {
public:
    Composer(std::shared_ptr<const Geometry> geometry, const Recipe& recipe) : position_(std::move(geometry)), recipe_(recipe) {}

    std::unique_ptr<Searcher> compose() const {
        if (recipe_.evaluation == "windows") return with_window_values(WindowsEvaluation(position_, recipe_.window_values));
        if (recipe_.evaluation == "crossings") return with_window_values(CrossingsEvaluation(position_, recipe_.window_values));
        if (recipe_.evaluation == "mics" && recipe_.order == "best") {
            if (recipe_.width < 1 || recipe_.root_width < 1) throw std::invalid_argument("a width must be at least 1");
            return with_memory(MicsEvaluation(position_), MicsOrder(position_, recipe_.width, recipe_.root_width));
        }
        if (recipe_.evaluation == "chains" && recipe_.order == "near") {
            return with_memory(ChainsEvaluation(position_), NearOrder(position_));
        }
        throw no_such_recipe();
    }

private:
    template <class Evaluation>
    std::unique_ptr<Searcher> with_window_values(Evaluation evaluation) const {
        if (recipe_.order == "plain") return with_memory(std::move(evaluation), PlainOrder());
        if (recipe_.order == "evaluation") return with_memory(std::move(evaluation), EvaluationOrder());
        if (recipe_.order == "forced") return with_memory(std::move(evaluation), ForcedOrder(position_, recipe_.cell_values));
        throw no_such_recipe();
    }

    template <class Evaluation, class Order>
    std::unique_ptr<Searcher> with_memory(Evaluation evaluation, Order order) const {
        const auto composed = [&](auto memory) -> std::unique_ptr<Searcher> {
            return std::make_unique<ComposedSearcher<Evaluation, Order, decltype(memory)>>(position_, std::move(evaluation),
                                                                                         std::move(order), std::move(memory));
        };
        if (recipe_.memory == "none") return composed(NoMemory());
        if (recipe_.memory == "table") return composed(TableMemory(recipe_.memory_bytes, recipe_.folds_symmetries));
        if (recipe_.memory == "tree") return composed(TreeMemory(recipe_.memory_bytes));
        throw no_such_recipe();
    }

    std::invalid_argument no_such_recipe() const {
        return std::invalid_argument("no search has evaluation '" + recipe_.evaluation + "', order '" + recipe_.order + "' and memory '" +
                                     recipe_.memory + "'");
    }

    Position position_;
    const Recipe& recipe_;
};

}  // namespace

std::unique_ptr<Searcher> make_searcher(std::shared_ptr<const Geometry> geometry, const Recipe& recipe) {
    return Composer(std::move(geometry), recipe).compose();
}

}  // namespace inarow
