#include "inarow/drop_rest.hpp"

#include <algorithm>
#include <bit>

namespace inarow {

namespace {

using Cells = DropRest::Cells;

constexpr int word_bits = 128;
// Moves are tried in this order: the answer on top of the other's stone, then those in the smallest and in most sets.
constexpr int answer_worth = 4096;
int worth_of(int missing) { return 1 << std::max(0, 12 - 2 * missing); }

bool is_single(Cells cells) { return (cells & (cells - 1)) == 0; }
std::size_t bit_of(Cells cells) { return static_cast<std::size_t>(lowest_index(cells)); }

// These cells and all of `free` below them in their columns.
Cells filled_down(Cells cells, Cells free) {
    for (int shift = 1; shift < word_bits; shift *= 2) {
        cells |= free & cells >> shift;
        free &= free >> shift;
    }
    return cells;
}

// These cells and all of `free` above them in their columns.
Cells filled_up(Cells cells, Cells free) {
    for (int shift = 1; shift < word_bits; shift *= 2) {
        cells |= free & cells << shift;
        free &= free << shift;
    }
    return cells;
}

// Every second cell of each column, from the top, but for the lowest.
Cells followed(Cells free) {
    Cells found = free & ~(free >> 1);
    Cells passes = free & free << 1 & free << 2;  // from here two cells down
    for (int shift = 2; shift < word_bits; shift *= 2) {
        found |= (found & passes) >> shift;
        passes &= passes << shift;
    }
    return found & (free << 1);
}

std::uint64_t mixed(std::uint64_t word) {
    word ^= word >> 32;
    word *= 0xd6e8feb86659fd93;
    word ^= word >> 32;
    word *= 0xd6e8feb86659fd93;
    return word ^ word >> 32;
}

// A number of 128 bits for a set; sums of these stand for many sets.
Word128 mark(Cells cells, std::uint64_t kind) {
    const auto low = static_cast<std::uint64_t>(cells), high = static_cast<std::uint64_t>(cells >> 64);
    const std::uint64_t one = mixed(low + kind), two = mixed(high ^ one);
    return Word128{mixed(two + low)} << 64 | two;
}

}  // namespace

bool DropRest::read(const Position& position) {
    const Geometry& geometry = position.geometry();
    const int k = geometry.game().k;
    root_ = {};
    sets_.clear();
    if (!number_cells(position)) return false;
    const Seat us = position.turn();
    for (const Seat seat : {us, other(us)}) {
        const std::size_t begin = sets_.size();
        for (int window = 0; window < geometry.windows(); ++window) {
            if (position.windows().stones(window, other(seat)) > 0) continue;
            Cells set = 0;
            for (int i = 0; i < k; ++i) {
                const int bit = bits_[static_cast<std::size_t>(geometry.window_cell(window, i))];
                if (bit >= 0) set |= Cells{1} << bit;
            }
            sets_.push_back(set);
        }
        drop_supersets(begin);
        if (seat == us) root_.middle = sets_.size();
    }
    root_.last = sets_.size();
    const Cells lowest_cells = root_.free & ~(root_.free << 1);
    reduce(root_);
    if (const Cells dead = lowest_cells & ~root_.free; dead != 0) dead_column_ = columns_[bit_of(dead)];
    return true;
}

// Gives bits to the free cells up to the highest of their column that is not dead, and to one more where that leaves an odd number; the
// columns of dead cells are the pool. False when there are too many.
bool DropRest::number_cells(const Position& position) {
    const Geometry& geometry = position.geometry();
    const int columns = geometry.game().columns;
    std::vector<bool> is_live(static_cast<std::size_t>(geometry.cells()));
    for (int window = 0; window < geometry.windows(); ++window) {
        if (position.windows().stones(window, Seat::first) > 0 && position.windows().stones(window, Seat::second) > 0) continue;
        for (int i = 0; i < geometry.game().k; ++i) is_live[static_cast<std::size_t>(geometry.window_cell(window, i))] = true;
    }
    bits_.assign(static_cast<std::size_t>(geometry.cells()), -1);
    columns_.clear();
    below_odd_ = 0;
    for (int column = 0; column < columns; ++column) {
        const Cell landing = position.landing(column);
        if (landing < 0) continue;
        Cell top = column;  // the last one to get a bit
        while (top <= landing && !is_live[static_cast<std::size_t>(top)]) top += columns;
        if (top > landing) {
            if ((landing / columns + 1) % 2 != 0) root_.pool = !root_.pool;
            dead_column_ = column;
            continue;
        }
        if (top / columns % 2 != 0) top -= columns;
        for (Cell cell = landing; cell >= top; cell -= columns) {
            const auto bit = static_cast<int>(columns_.size());
            if (bit >= word_bits) return false;
            bits_[static_cast<std::size_t>(cell)] = bit;
            columns_.push_back(column);
            root_.free |= Cells{1} << bit;
            if (cell / columns % 2 != 0) below_odd_ |= Cells{1} << bit;
        }
        columns_.push_back(column);  // the spare bit
    }
    return true;
}

void DropRest::drop_supersets(std::size_t first) {
    const auto begin = sets_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, sets_.end(), [](Cells a, Cells b) { return count_bits(a) != count_bits(b) ? count_bits(a) < count_bits(b) : a < b; });
    auto end = begin;
    for (auto set = begin; set != sets_.end(); ++set) {
        if (std::none_of(begin, end, [&](Cells smaller) { return (smaller & ~*set) == 0; })) *end++ = *set;
    }
    sets_.erase(end, sets_.end());
}

void DropRest::reduce(Node& node) {
    Cells live = 0;
    for (std::size_t i = node.first; i < node.last; ++i) live |= sets_[i];
    Cells free = filled_down(live, node.free);
    const Cells tops = free & ~(free >> 1);
    free |= (tops & below_odd_) << 1;
    if (count_bits(node.free ^ free) % 2 != 0) node.pool = !node.pool;
    node.free = free;
}

DropRest::Node DropRest::after(const Node& node, Cells stone) {
    Node next{node.free & ~stone, stone == 0 ? false : node.pool, node.last, 0, 0, stone};
    sets_.resize(std::max(sets_.size(), 2 * node.last - node.first));
    std::size_t end = node.last;
    for (std::size_t i = node.middle; i < node.last; ++i) {
        if ((sets_[i] & stone) == 0) sets_[end++] = sets_[i];
    }
    next.middle = end;
    Cells wins = 0;
    for (std::size_t i = node.first; i < node.middle; ++i) {
        const Cells set = sets_[i] & ~stone;
        if (is_single(set)) wins |= set;
        sets_[end++] = set;
    }
    next.last = end;
    if (stone != 0 && wins != 0) {  // sets that contain a winning cell; and each winning cell once
        const auto middle = sets_.begin() + static_cast<std::ptrdiff_t>(next.middle);
        auto kept = std::remove_if(middle, sets_.begin() + static_cast<std::ptrdiff_t>(end), [&](Cells set) { return (set & wins) != 0; });
        for (Cells left = wins; left != 0; left &= left - 1) *kept++ = left & -left;
        next.last = static_cast<std::size_t>(kept - sets_.begin());
    }
    reduce(next);
    return next;
}

// An upper bound of what the player to move can get.
int DropRest::bound_by_following(const Node& node) const {
    const auto is_even = [&](Cells free) { return (count_bits(free) + node.pool) % 2 == 0; };
    const auto is_blocked = [&](Cells taken) {
        return std::all_of(sets_.begin() + static_cast<std::ptrdiff_t>(node.first), sets_.begin() + static_cast<std::ptrdiff_t>(node.middle),
                           [&](Cells set) { return (set & taken) != 0; });
    };
    int most = win;
    if (is_even(node.free)) {
        const Cells others = followed(node.free);
        if (is_blocked(others)) {
            most = draw;
            for (std::size_t i = node.middle; i < node.last; ++i) {
                if ((sets_[i] & ~others) == 0) return loss;
            }
        }
    }
    for (std::size_t i = node.middle; i < node.last; ++i) {
        if (!is_single(sets_[i]) || (sets_[i] & node.free << 1) == 0) continue;  // playable: the other takes it away
        const Cells above = filled_up(sets_[i], node.free), rest = node.free & ~(above | above >> 1);
        if (is_even(rest) && is_blocked(followed(rest) | above)) return loss;
    }
    return most;
}

Word128 DropRest::key(const Node& node) const {
    Word128 sum = mark(node.free, node.pool ? 0x9e3779b97f4a7c15 : 0xf39cc0605cedc835);
    for (std::size_t i = node.first; i < node.middle; ++i) sum += mark(sets_[i], 0x2545f4914f6cdd1d);
    for (std::size_t i = node.middle; i < node.last; ++i) sum += mark(sets_[i], 0x5851f42d4c957f2d);
    return sum;
}

int DropRest::find_moves(const Node& node, Moves& moves) const {
    const Cells playable = node.free & ~(node.free << 1);
    Cells own_wins = 0, other_wins = 0;
    std::array<int, word_bits> worth{};
    if (const Cells answer = node.stone << 1 & playable; answer != 0) worth[bit_of(answer)] = answer_worth;
    const auto weigh = [&](Cells set) {
        const int each = worth_of(count_bits(set));
        for (Cells left = set & playable; left != 0; left &= left - 1) worth[bit_of(left)] += each;
    };
    for (std::size_t i = node.first; i < node.middle; ++i) {
        if (is_single(sets_[i])) own_wins |= sets_[i];
        weigh(sets_[i]);
    }
    for (std::size_t i = node.middle; i < node.last; ++i) {
        if (is_single(sets_[i])) other_wins |= sets_[i];
        weigh(sets_[i]);
    }
    if ((own_wins & playable) != 0) {
        moves.cells[0] = own_wins & playable & -(own_wins & playable);
        moves.count = 1;
        return win;
    }
    Cells allowed = playable & ~(other_wins >> 1);
    bool may_pass = node.pool;
    if (const Cells forced = other_wins & playable; forced != 0) {
        allowed = is_single(forced) ? allowed & forced : 0;
        may_pass = false;
    }
    std::array<std::pair<int, int>, max_side> ranked;
    for (; allowed != 0; allowed &= allowed - 1) {
        ranked[moves.count++] = {-worth[bit_of(allowed)], lowest_index(allowed)};
    }
    std::sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(moves.count));
    for (std::size_t i = 0; i < moves.count; ++i) moves.cells[i] = Cells{1} << ranked[i].second;
    if (may_pass) moves.cells[moves.count++] = 0;
    return moves.count == 0 && (playable != 0 || node.pool) ? loss : draw;
}

bool DropRest::reaches(const Node& node, int least) {
    if (!watch_->enter()) return false;
    Moves moves;
    if (const int decided = find_moves(node, moves); decided != 0) return decided >= least;
    if (least == win && node.first == node.middle) return false;
    if (least == draw && (node.middle == node.last || moves.count == 0)) return true;
    if (bound_by_following(node) < least) return false;
    DropEntry known{loss, win, DropTable::no_move};
    const Word128 mixed_key = table_->mix(key(node));
    table_->probe(mixed_key, known);
    if (known.lower >= least) return true;
    if (known.upper < least) return false;
    const std::int64_t nodes_before = watch_->nodes();
    const bool is_reached = find_move(node, moves, least) < moves.count;
    if (watch_->ended()) return false;
    (is_reached ? known.lower : known.upper) = is_reached ? least : least - 1;
    table_->store(mixed_key, known, watch_->nodes() - nodes_before + 1);
    return is_reached;
}

// The place of a move after which the other cannot prevent it; the number of moves when there is none.
std::size_t DropRest::find_move(const Node& node, const Moves& moves, int least) {
    std::size_t i = 0;
    while (i < moves.count && !watch_->ended() && reaches(after(node, moves.cells[i]), 1 - least)) ++i;
    return i;
}

bool DropRest::reaches(int least, DropTable& table, Watch& watch, int& column) {
    table_ = &table;
    watch_ = &watch;
    Moves moves;
    const int decided = find_moves(root_, moves);
    if (decided == loss || (decided == draw && moves.count == 0)) return decided >= least;
    const std::size_t found = decided == win ? 0 : find_move(root_, moves, least);
    if (watch.ended() || found == moves.count) return false;
    const Cells stone = moves.cells[found];
    column = stone != 0 ? columns_[bit_of(stone)] : dead_column_;
    return true;
}

}  // namespace inarow
