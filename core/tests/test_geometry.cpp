#include <doctest/doctest.h>

#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "inarow/geometry.hpp"
#include "model.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

using Window = std::vector<Cell>;

// Every run of k cells, found by trying each cell as the first and each direction.
std::vector<Window> naive_windows(const Game& game) {
    std::set<Window> windows;  // a set, because with k = 1 all directions find the same run
    for (const auto& [row_step, column_step] : directions) {
        for (Cell head = 0; head < game.cells(); ++head) {
            const int last_row = head / game.columns + (game.k - 1) * row_step;
            const int last_column = head % game.columns + (game.k - 1) * column_step;
            if (last_row >= game.rows || last_column < 0 || last_column >= game.columns) continue;
            Window window;
            for (int i = 0; i < game.k; ++i) window.push_back(head + i * (row_step * game.columns + column_step));
            windows.insert(window);
        }
    }
    return {windows.begin(), windows.end()};
}

Window window_cells(const Geometry& geometry, int window) {
    Window cells;
    for (int i = 0; i < geometry.game().k; ++i) cells.push_back(geometry.window_cell(window, i));
    return cells;
}

std::vector<Window> all_windows(const Geometry& geometry) {
    std::vector<Window> windows;
    for (int window = 0; window < geometry.windows(); ++window) windows.push_back(window_cells(geometry, window));
    std::ranges::sort(windows);
    return windows;
}

// Whether each cell of a window lies one step of this direction behind the one before, all of them on the board.
bool runs_along(const Game& game, const Window& window, const Direction& direction) {
    for (std::size_t i = 0; i < window.size(); ++i) {
        if (window[i] < 0 || window[i] >= game.cells()) return false;
        if (i == 0) continue;
        if (window[i] / game.columns != window[i - 1] / game.columns + direction.row_step) return false;
        if (window[i] % game.columns != window[i - 1] % game.columns + direction.column_step) return false;
    }
    return true;
}

std::vector<Cell> permutation(const Geometry& geometry, int symmetry) {
    std::vector<Cell> images;
    for (Cell cell = 0; cell < geometry.cells(); ++cell) images.push_back(geometry.image(symmetry, cell));
    return images;
}

}  // namespace

TEST_CASE("the four directions are single steps, and no two lie on one line") {
    for (std::size_t a = 0; a < directions.size(); ++a) {
        CHECK(std::max(std::abs(directions[a].row_step), std::abs(directions[a].column_step)) == 1);
        for (std::size_t b = 0; b < a; ++b) {
            CHECK(directions[a].row_step * directions[b].column_step != directions[a].column_step * directions[b].row_step);
        }
    }
}

TEST_CASE("every run of k cells is a window, exactly once") {
    for (const Game& game : shapes()) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const Geometry geometry(game);
        const bool same = all_windows(geometry) == naive_windows(game);
        CHECK(same);
    }
}

TEST_CASE("well-known numbers of windows") {
    CHECK(Geometry({3, 3, 3, false}).windows() == 8);
    CHECK(Geometry({6, 7, 4, true}).windows() == 69);
    CHECK(Geometry({15, 15, 5, false}).windows() == 572);
    CHECK(Geometry({19, 19, 6, false}).windows() == 924);
    CHECK(Geometry({1, 9, 1, false}).windows() == 9);
    CHECK(Geometry({128, 128, 128, false}).windows() == 258);
    CHECK(Geometry({4, 6, 9, false}).windows() == 0);
}

TEST_CASE("spans name the windows through a cell, each under its direction") {
    for (const Game& game : shapes()) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const Geometry geometry(game);
        std::int64_t memberships = 0;
        int wrong_windows = 0;
        for (Cell cell = 0; cell < geometry.cells(); ++cell) {
            for (std::size_t d = 0; d < directions.size(); ++d) {
                const Span span = geometry.spans(cell)[d];
                REQUIRE(span.first >= 0);
                REQUIRE(span.count >= 0);
                REQUIRE(span.first + span.count <= geometry.windows());
                memberships += span.count;
                for (int window = span.first; window < span.first + span.count; ++window) {
                    // The first and the last cell tell the direction and whether `cell` is between them; the middle is
                    // the business of the test above.
                    const Cell head = geometry.window_cell(window, 0);
                    const Cell step = directions[d].row_step * game.columns + directions[d].column_step;
                    const Cell along = (cell - head) / step;
                    wrong_windows += geometry.window_cell(window, game.k - 1) != head + (game.k - 1) * step || along < 0 ||
                                     along >= game.k || geometry.window_cell(window, along) != cell;
                }
            }
        }
        CHECK(wrong_windows == 0);
        // No span is too short: each window has k cells, and each of them must list it.
        CHECK(memberships == std::int64_t{geometry.windows()} * game.k);
    }
}

TEST_CASE("the windows of a direction run along it") {
    for (const Game& game : shapes()) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const Geometry geometry(game);
        std::vector<bool> seen(static_cast<std::size_t>(geometry.windows()), false);
        bool straight = true;
        for (Cell cell = 0; cell < geometry.cells(); ++cell) {
            for (std::size_t d = 0; d < directions.size(); ++d) {
                const Span span = geometry.spans(cell)[d];
                for (int window = span.first; window < span.first + span.count; ++window) {
                    if (seen[static_cast<std::size_t>(window)]) continue;
                    seen[static_cast<std::size_t>(window)] = true;
                    straight = straight && runs_along(game, window_cells(geometry, window), directions[d]);
                }
            }
        }
        CHECK(straight);
    }
}

TEST_CASE("the spans of one line, as the header draws them") {
    const Geometry geometry({3, 7, 4, false});
    const std::vector<int> first{0, 0, 0, 0, 1, 2, 3};
    const std::vector<int> count{1, 2, 3, 4, 3, 2, 1};
    for (Cell row = 0; row < 3; ++row) {
        const int base = geometry.spans(row * 7)[0].first;
        for (Cell column = 0; column < 7; ++column) {
            CAPTURE(row);
            CAPTURE(column);
            CHECK(geometry.spans(row * 7 + column)[0].first == base + first[static_cast<std::size_t>(column)]);
            CHECK(geometry.spans(row * 7 + column)[0].count == count[static_cast<std::size_t>(column)]);
        }
    }
}

TEST_CASE("a direction in which no window fits is dead for every cell") {
    for (const Game& game : shapes()) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const Geometry geometry(game);
        for (std::size_t d = 0; d < directions.size(); ++d) {
            CAPTURE(d);
            const bool fits = (game.k - 1) * directions[d].row_step < game.rows &&
                              (game.k - 1) * std::abs(directions[d].column_step) < game.columns;
            const bool counted = game.k > 1 || d == 0;  // with k = 1 a cell is one line, not four
            bool alive = false;
            for (Cell cell = 0; cell < geometry.cells(); ++cell) alive = alive || geometry.spans(cell)[d].count > 0;
            CHECK(alive == (fits && counted));
        }
    }
}

TEST_CASE("symmetries are a group of permutations that take windows to windows") {
    for (const Game& game : shapes()) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const Geometry geometry(game);
        REQUIRE(geometry.symmetries() == (game.gravity ? 2 : game.rows == game.columns ? 8 : 4));

        std::vector<Cell> identity(static_cast<std::size_t>(geometry.cells()));
        std::iota(identity.begin(), identity.end(), 0);
        std::set<std::vector<Cell>> permutations;
        for (int s = 0; s < geometry.symmetries(); ++s) permutations.insert(permutation(geometry, s));
        REQUIRE(permutation(geometry, 0) == identity);
        if (game.rows > 1 && game.columns > 1) CHECK(std::ssize(permutations) == geometry.symmetries());

        const std::vector<Window> windows = all_windows(geometry);
        for (const std::vector<Cell>& images : permutations) {
            REQUIRE(sorted(images) == identity);
            std::vector<Window> moved;
            for (const Window& window : windows) {
                Window image;
                for (const Cell cell : window) image.push_back(images[static_cast<std::size_t>(cell)]);
                if (image.size() > 1 && std::ranges::find(directions, image[1] - image[0], [&](const Direction& d) {
                                            return d.row_step * game.columns + d.column_step;
                                        }) == directions.end()) {
                    std::ranges::reverse(image);  // a symmetry may turn a window round
                }
                moved.push_back(image);
            }
            std::ranges::sort(moved);
            const bool same_windows = moved == windows;
            CHECK(same_windows);
            for (const std::vector<Cell>& then : permutations) {
                std::vector<Cell> both;
                for (const Cell cell : images) both.push_back(then[static_cast<std::size_t>(cell)]);
                CHECK(permutations.contains(both));
            }
        }
    }
}

TEST_CASE("a symmetry mirrors the columns, then flips the rows, then transposes") {
    const Geometry square({3, 3, 3, false});
    const Cell corner = 0, right_of_it = 1;
    CHECK(square.image(mirror_bit, corner) == 2);
    CHECK(square.image(flip_bit, corner) == 6);
    CHECK(square.image(transpose_bit, right_of_it) == 3);
    CHECK(square.image(mirror_bit | transpose_bit, corner) == 6);
    CHECK(square.image(mirror_bit | flip_bit | transpose_bit, right_of_it) == 5);
    CHECK(Geometry({2, 3, 2, true}).image(mirror_bit, 3) == 5);
}

TEST_CASE("key words belong to a stone, and those of a symmetry to the stone's image") {
    std::set<std::uint64_t> empty_keys;
    for (const Game& game : shapes()) {
        const std::string shown = name(game);
        CAPTURE(shown);
        const Geometry geometry(game);
        CHECK(empty_keys.insert(geometry.empty_key()).second);
        std::set<std::uint64_t> words{0};
        int wrong_images = 0;
        for (Cell cell = 0; cell < geometry.cells(); ++cell) {
            for (const Seat seat : {Seat::first, Seat::second}) {
                words.insert(geometry.key_words(cell, seat)[0]);
                for (int s = 0; s < geometry.symmetries(); ++s) {
                    wrong_images += geometry.key_words(cell, seat)[static_cast<std::size_t>(s)] !=
                                    geometry.key_words(geometry.image(s, cell), seat)[0];
                }
            }
        }
        CHECK(std::ssize(words) == 2 * geometry.cells() + 1);  // all different, none of them 0
        CHECK(wrong_images == 0);
    }
}

TEST_CASE("games that do not exist are rejected") {
    for (int Game::* field : {&Game::rows, &Game::columns, &Game::k}) {
        for (const int value : {0, 129, -1, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
            for (const bool gravity : {false, true}) {
                CAPTURE(value);
                CAPTURE(gravity);
                Game game{3, 3, 3, gravity};
                game.*field = value;
                CHECK_THROWS_AS(Geometry{game}, std::invalid_argument);
            }
        }
        for (const int value : {1, 128}) {
            Game game{3, 3, 3, false};
            game.*field = value;
            CHECK_NOTHROW(Geometry{game});
        }
    }
}
