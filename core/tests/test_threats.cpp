// What a stone makes, against an oracle that puts the stones down and looks.
#include <doctest/doctest.h>

#include <set>

#include "inarow/threat_board.hpp"
#include "model.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

// A stone of `seat` on a free cell, seen along one direction, by the words of line_patterns.hpp taken literally.
class PatternOracle {
public:
    PatternOracle(const Model& model, Cell cell, Seat seat, const Direction& step) {
        const Game& game = model.game();
        for (int start = -(game.k - 1); start <= 0; ++start) {
            std::vector<Cell> window;
            bool is_alive = true;
            for (int i = start; i < start + game.k; ++i) {
                const int row = cell / game.columns + i * step.row_step, column = cell % game.columns + i * step.column_step;
                is_alive = is_alive && 0 <= row && row < game.rows && 0 <= column && column < game.columns;
                if (!is_alive) break;
                const Cell at = row * game.columns + column;
                const auto owner = model.stone(at);
                is_alive = owner != other(seat);
                if (at != cell && !owner) window.push_back(at);
            }
            if (is_alive) missing_.push_back({window.begin(), window.end()});
        }
    }

    LinePattern pattern() const { return pattern(missing_); }
    // How many stones the best window lacks after this one; -1 for none.
    int level() const {
        std::size_t least = 1000;
        for (const auto& window : missing_) least = std::min(least, window.size());
        return missing_.empty() ? -1 : static_cast<int>(least);
    }

private:
    using Windows = std::vector<std::set<Cell>>;  // what each window that can be filled lacks

    static LinePattern pattern(const Windows& windows) {
        if (windows.empty()) return LinePattern::dead;
        std::set<Cell> free, winning;
        for (const auto& window : windows) {
            if (window.empty()) return LinePattern::win;
            if (window.size() == 1) winning.insert(window.begin(), window.end());
            free.insert(window.begin(), window.end());
        }
        if (!winning.empty()) return winning.size() > 1 ? LinePattern::open_four : LinePattern::four;
        std::vector<LinePattern> next;
        for (const Cell cell : free) {
            Windows after = windows;
            for (auto& window : after) window.erase(cell);
            next.push_back(pattern(after));
        }
        const auto cells = [&](LinePattern from, LinePattern to) { return std::ranges::count_if(next, [&](LinePattern p) { return from <= p && p <= to; }); };
        if (const auto fours = cells(LinePattern::open_four, LinePattern::open_four)) return fours > 1 ? LinePattern::open_three_b : LinePattern::open_three_a;
        if (cells(LinePattern::four, LinePattern::four)) return LinePattern::three;
        if (const auto threes = cells(LinePattern::open_three_a, LinePattern::open_three_b)) {
            return threes > 3 ? LinePattern::open_two_c : threes > 2 ? LinePattern::open_two_b : LinePattern::open_two_a;
        }
        if (cells(LinePattern::three, LinePattern::three)) return LinePattern::two;
        if (cells(LinePattern::open_two_a, LinePattern::open_two_c)) return LinePattern::open_one;
        if (cells(LinePattern::two, LinePattern::two)) return LinePattern::one;
        return LinePattern::alive;
    }

    Windows missing_;
};

int level_of(LinePattern pattern) {
    if (pattern >= LinePattern::win) return 0;
    if (pattern >= LinePattern::four) return 1;
    if (pattern >= LinePattern::three) return 2;
    if (pattern >= LinePattern::two) return 3;
    if (pattern >= LinePattern::one) return 4;
    return pattern == LinePattern::alive ? 5 : -1;
}

// The first disagreement of board and oracle at a cell, in words.
std::string difference(const ThreatBoard& board, const Model& model, Cell cell) {
    for (const Seat seat : {Seat::first, Seat::second}) {
        for (int d = 0; d < 4; ++d) {
            const PatternOracle oracle(model, cell, seat, directions[static_cast<std::size_t>(d)]);
            const LinePattern pattern = board.pattern(seat, cell, d);
            const std::string where = " at cell " + std::to_string(cell) + " direction " + std::to_string(d);
            if (level_of(pattern) != std::min(oracle.level(), 5)) return "level" + where;
            if (oracle.level() <= 1 || (model.game().k <= max_table_k && oracle.level() <= 3)) {
                if (pattern != oracle.pattern()) return "pattern" + where;
            }
        }
    }
    return "";
}

// What all cells together say, counted afresh.
std::string difference_of_sums(const ThreatBoard& board, const Model& model) {
    for (const Seat seat : {Seat::first, Seat::second}) {
        std::array<int, threat_classes> counts{};
        int moving = 0, waiting = 0;
        for (Cell cell = 0; cell < model.game().cells(); ++cell) {
            if (model.stone(cell)) {
                if (board.threat(seat, cell) != Threat::none) return "a threat on a taken cell";
                continue;
            }
            std::array<LinePattern, 4> patterns;
            for (int d = 0; d < 4; ++d) patterns[static_cast<std::size_t>(d)] = board.pattern(seat, cell, d);
            if (board.threat(seat, cell) != threat_of(patterns)) return "threat";
            std::ranges::sort(patterns);
            if (patterns_of(board.code(seat, cell)) != patterns) return "code";
            ++counts[static_cast<std::size_t>(board.threat(seat, cell))];
            moving += board.tables().weights().moving[board.code(seat, cell)];
            waiting += board.tables().weights().waiting[board.code(seat, cell)];
        }
        for (int t = 1; t < threat_classes; ++t) {
            const auto threat = static_cast<Threat>(t);
            if (threat > Threat::three && board.count(seat, threat) != counts[static_cast<std::size_t>(t)]) return "counts";
            std::vector<Cell> listed;
            board.for_each_at_least(seat, static_cast<Threat>(t), [&](Cell cell) { listed.push_back(cell); });
            std::vector<Cell> expected;
            for (Cell cell = 0; cell < model.game().cells(); ++cell) {
                if (static_cast<int>(board.threat(seat, cell)) >= t) expected.push_back(cell);
            }
            if (listed != expected) return "list";
        }
        if (board.count(seat, Threat::quiet) != counts[1] + counts[2] + counts[3]) return "quiet cells";
        if (board.moving_sum(seat) != moving || board.waiting_sum(seat) != waiting) return "sums";
    }
    return "";
}

std::vector<Game> threat_games() {
    std::vector<Game> games;
    for (const Game& game : shapes()) {
        if (!game.gravity) games.push_back(game);
    }
    for (const int k : {3, 4, 5, 6, 7, 8}) {
        games.push_back({9, 9, k, false});
        games.push_back({7, 20, k, false});
    }
    return games;
}

}  // namespace

TEST_CASE("threats are what the oracle sees, on the way there and back") {
    for (const Game& game : threat_games()) {
        CAPTURE(name(game));
        const auto geometry = std::make_shared<const Geometry>(game);
        const auto tables = std::make_shared<const ThreatTables>(game.k, EngineWeights::handmade());
        const int rounds = game.cells() > 400 ? 1 : 3;
        for (int round = 0; round < rounds; ++round) {
            const auto seed = static_cast<std::uint64_t>(round);
            CAPTURE(seed);
            Random random(seed);
            RandomMoves moves(*geometry, seed, round % 2 == 0 ? std::optional(Seat::first) : std::nullopt);
            ThreatBoard board(geometry, tables);
            Position position(geometry);
            Model model(game);
            const auto some_cell = [&] { return below(random, game.cells()); };
            while (!position.is_over() && position.ply() < 120) {
                const Cell cell = moves.next(position);
                board.place(cell, position.turn());
                position.make(cell);
                model.make(cell);
                for (int i = 0; i < 3; ++i) {
                    const Cell near = i == 0 ? some_cell() : std::clamp(cell + below(random, 2 * game.k + 1) - game.k, 0, game.cells() - 1);
                    if (!model.stone(near)) REQUIRE(difference(board, model, near) == "");
                }
                if (game.cells() <= 400 || position.ply() % 64 == 1) REQUIRE(difference_of_sums(board, model) == "");
            }
            while (position.ply() > 0) {
                board.remove();
                position.unmake();
                model.unmake();
                if (game.cells() <= 400 || position.ply() % 64 == 0) REQUIRE(difference_of_sums(board, model) == "");
                const Cell cell = some_cell();
                if (!model.stone(cell)) REQUIRE(difference(board, model, cell) == "");
            }
        }
    }
}

TEST_CASE("the drawn patterns") {
    struct Drawn {
        const char* line;  // around the new stone O
        LinePattern pattern;
    };
    const Drawn drawn[] = {
        {"XXOXX", LinePattern::win},          {".XXOX.", LinePattern::open_four},     {"#XXOX.", LinePattern::four},
        {"..XOX..", LinePattern::open_three_b}, {"#.XOX..", LinePattern::open_three_a}, {"#XOX..", LinePattern::three},
        {"...XO...", LinePattern::open_two_c}, {"..XO...", LinePattern::open_two_b},   {"..XO..", LinePattern::open_two_a},
        {"#XO...", LinePattern::two},         {"....O....", LinePattern::open_one},   {"#O....", LinePattern::one},
        {"#.XO.#", LinePattern::dead},
    };
    const PatternTable table(5);
    for (const auto& [line, pattern] : drawn) {
        CAPTURE(line);
        const std::string text(line);
        const int centre = static_cast<int>(text.find('O'));
        std::uint32_t key = 0;
        for (int i = 0; i < 9; ++i) {
            if (i == 4) continue;
            const int at = centre + i - 4;
            const char c = 0 <= at && at < static_cast<int>(text.size()) ? text[static_cast<std::size_t>(at)] : '#';
            const std::uint32_t lies = c == '.' ? 0 : c == 'X' ? 1 : 3;
            key |= lies << 2 * (i < 4 ? i : i - 1);
        }
        CHECK(static_cast<int>(table[key] & 15) == static_cast<int>(pattern));
    }
}
