#include "inarow/free_torus.hpp"

#include <algorithm>
#include <cassert>

namespace inarow {

namespace {

constexpr int side = TorusPairing::side;

struct Place {
    int row;
    int column;
    int number() const { return row * side + column; }
};

constexpr int wrapped(int i) { return (i % side + side) % side; }

// The i-th cell of one of the 32 lines: eight for each direction, each starting at another place of the first row (the first column
// for the rows).
Place line_place(int line, int i) {
    const Direction& step = directions[static_cast<std::size_t>(line / side)];
    const int start = line % side;
    return step.row_step == 0 ? Place{start, wrapped(i)} : Place{wrapped(i), wrapped(start + i * step.column_step)};
}

std::uint64_t pair_bits(int line, int i) {
    return std::uint64_t{1} << line_place(line, i).number() | std::uint64_t{1} << line_place(line, i + 1).number();
}

}  // namespace

TorusPairing::TorusPairing() {
    [[maybe_unused]] const bool found = place_pairs(~std::uint32_t{0}, 0, pattern_);
    assert(found);
}

// Gives each open line a pair of unused cells, the line with the fewest choices first.
bool TorusPairing::place_pairs(std::uint32_t open_lines, std::uint64_t used, Pattern& pattern) {
    if (open_lines == 0) return true;
    int chosen = -1, fewest = side + 1;
    for (int line = 0; line < 4 * side; ++line) {
        if (!(open_lines >> line & 1)) continue;
        int choices = 0;
        for (int i = 0; i < side; ++i) choices += (pair_bits(line, i) & used) == 0;
        if (choices < fewest) {
            fewest = choices;
            chosen = line;
        }
    }
    const Direction& step = directions[static_cast<std::size_t>(chosen / side)];
    for (int i = 0; i < side; ++i) {
        const std::uint64_t bits = pair_bits(chosen, i);
        if (bits & used) continue;
        const Step there{static_cast<std::int8_t>(step.row_step), static_cast<std::int8_t>(step.column_step)};
        pattern[static_cast<std::size_t>(line_place(chosen, i).number())] = there;
        pattern[static_cast<std::size_t>(line_place(chosen, i + 1).number())] = {static_cast<std::int8_t>(-there.rows),
                                                                               static_cast<std::int8_t>(-there.columns)};
        if (place_pairs(open_lines & ~(std::uint32_t{1} << chosen), used | bits, pattern)) return true;
    }
    return false;
}

TorusPairing::Step TorusPairing::step_at(const Pattern& pattern, int row, int column) {
    return pattern[static_cast<std::size_t>(Place{wrapped(row), wrapped(column)}.number())];
}

// The pattern shifted, and mirrored, flipped and transposed as the bits of `symmetry` say.
TorusPairing::Pattern TorusPairing::image(int symmetry, int row_shift, int column_shift) const {
    Pattern result{};
    for (int row = 0; row < side; ++row) {
        for (int column = 0; column < side; ++column) {
            Place to{row + row_shift, column + column_shift};
            Step step = step_at(pattern_, row, column);
            if (symmetry & mirror_bit) {
                to.column = -to.column;
                step.columns = static_cast<std::int8_t>(-step.columns);
            }
            if (symmetry & flip_bit) {
                to.row = -to.row;
                step.rows = static_cast<std::int8_t>(-step.rows);
            }
            if (symmetry & transpose_bit) {
                std::swap(to.row, to.column);
                std::swap(step.rows, step.columns);
            }
            result[static_cast<std::size_t>(Place{wrapped(to.row), wrapped(to.column)}.number())] = step;
        }
    }
    return result;
}

bool TorusPairing::covers(const Position& position, Seat attacking, const Pattern& pattern, std::vector<Cell>& pairs) {
    const Geometry& geometry = position.geometry();
    const int columns = geometry.game().columns;
    pairs.clear();
    for (int window = 0; window < geometry.windows(); ++window) {
        if (position.windows().stones(window, other(attacking)) > 0) continue;
        const Direction& direction = directions[static_cast<std::size_t>(geometry.window_direction(window))];
        const Step wanted{static_cast<std::int8_t>(direction.row_step), static_cast<std::int8_t>(direction.column_step)};
        Cell found = no_cell;
        for (int i = 0; i + 1 < geometry.game().k && found == no_cell; ++i) {
            const Cell cell = geometry.window_cell(window, i), next = geometry.window_cell(window, i + 1);
            if (!position.is_free(cell) || !position.is_free(next)) continue;
            if (step_at(pattern, cell / columns, cell % columns) == wanted) found = cell;
        }
        if (found == no_cell) return false;
        pairs.insert(pairs.end(), {found, found + geometry.window_step(window)});
    }
    return true;
}

std::vector<Cell> TorusPairing::find(const Position& position, Seat attacking, Watch& watch) const {
    std::vector<Cell> found;
    if (position.game().k < min_k) return found;
    for (int try_number = 0; try_number < max_symmetries * side * side && watch.look(); ++try_number) {
        const int shift = try_number % (side * side);
        if (!covers(position, attacking, image(try_number / (side * side), shift / side, shift % side), found)) continue;
        // A pair serves many lines: each is named once.
        std::vector<std::pair<Cell, Cell>> pairs;
        for (std::size_t i = 0; i < found.size(); i += 2) pairs.push_back({found[i], found[i + 1]});
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        found.clear();
        for (const auto& [first, second] : pairs) found.insert(found.end(), {first, second});
        return found;
    }
    return {};
}

}  // namespace inarow
