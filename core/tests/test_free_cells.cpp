#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "inarow/free_cells.hpp"
#include "model.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

// The free cells and, behind them, the marked ones.
std::vector<Cell> whole_array(const FreeCells& free, int cells) {
    std::vector<Cell> array;
    for (int place = 0; place < cells; ++place) array.push_back(free[place]);
    return array;
}

}  // namespace

TEST_CASE("marking moves cells as the header draws it") {
    enum : Cell { a, b, c, d, e, f, cells };
    FreeCells free(cells);
    free.mark(b);
    CHECK(whole_array(free, cells) == std::vector<Cell>{a, f, c, d, e, b});
    free.mark(d);
    CHECK(whole_array(free, cells) == std::vector<Cell>{a, f, c, e, d, b});
    CHECK(free.count() == 4);
    free.unmark();
    CHECK(whole_array(free, cells) == std::vector<Cell>{a, f, c, d, e, b});
    free.unmark();
    CHECK(whole_array(free, cells) == std::vector<Cell>{a, b, c, d, e, f});
}

TEST_CASE("unmark restores the array exactly after any sequence of marks") {
    for (const int cells : {1, 2, 3, 7, 42, 361}) {
        CAPTURE(cells);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            CAPTURE(seed);
            Random random(seed);
            FreeCells free(cells);
            std::set<Cell> expected(free.cells().begin(), free.cells().end());
            REQUIRE(std::ssize(expected) == cells);
            std::vector<Cell> marked;
            std::vector<std::vector<Cell>> before;  // the whole array before each mark
            for (int step = 0; step < 4 * cells; ++step) {
                const bool can_unmark = !marked.empty();
                const bool can_mark = free.count() > 0;
                if (can_mark && (!can_unmark || below(random, 5) < 3)) {
                    before.push_back(whole_array(free, cells));
                    marked.push_back(free[below(random, free.count())]);
                    free.mark(marked.back());
                    expected.erase(marked.back());
                } else {
                    free.unmark();
                    REQUIRE(whole_array(free, cells) == before.back());
                    expected.insert(marked.back());
                    before.pop_back();
                    marked.pop_back();
                }
                const std::vector<Cell> array = whole_array(free, cells);
                REQUIRE(free.count() == std::ssize(expected));
                REQUIRE(std::ranges::equal(sorted({free.cells().begin(), free.cells().end()}), expected));
                REQUIRE(std::equal(marked.rbegin(), marked.rend(), array.begin() + free.count(), array.end()));
            }
        }
    }
}

TEST_CASE("a loop over the free cells may mark and unmark in its body") {
    constexpr int cells = 9;
    FreeCells free(cells);
    free.mark(4);
    std::multiset<std::pair<Cell, Cell>> visited;
    for (int i = 0; i < free.count(); ++i) {
        const Cell outer = free[i];
        free.mark(outer);
        for (int j = 0; j < free.count(); ++j) {
            const Cell inner = free[j];
            free.mark(inner);
            visited.emplace(outer, inner);
            free.unmark();
        }
        free.unmark();
    }
    std::multiset<std::pair<Cell, Cell>> expected;
    for (Cell outer = 0; outer < cells; ++outer) {
        for (Cell inner = 0; inner < cells; ++inner) {
            if (outer != inner && outer != 4 && inner != 4) expected.emplace(outer, inner);
        }
    }
    CHECK(visited == expected);
}
