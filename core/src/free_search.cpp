#include "inarow/free_search.hpp"

#include <cassert>

namespace inarow {

namespace {

// A subtree is left only when another one looks cheaper by more than a quarter.
constexpr std::uint32_t with_slack(std::uint32_t second) { return std::min(second + second / 4 + 1, ProofNumbers::never); }

constexpr std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return std::min(a + b, ProofNumbers::never - 1); }

}  // namespace

template <class Set>
FreeSearch<Set>::FreeSearch(const Geometry& geometry, std::vector<Cell> labels, FreeTable& table, std::size_t frame_bytes)
    : labels_(std::move(labels)),
      label_of_(static_cast<std::size_t>(geometry.cells()), -1),
      table_(table),
      reducer_(static_cast<int>(labels_.size())),
      keys_(geometry, labels_),
      pairing_(static_cast<int>(labels_.size())),
      frame_bytes_(frame_bytes),
      common_(labels_.size()),
      scores_(labels_.size()) {
    assert(labels_.size() <= Set::capacity);
    for (std::size_t i = 0; i < labels_.size(); ++i) label_of_[static_cast<std::size_t>(labels_[i])] = static_cast<int>(i);
}

template <class Set>
typename FreeSearch<Set>::Lines FreeSearch<Set>::labelled(const LineList& list) const {
    Lines lines;
    for (std::size_t i = 0; i < list.count(); ++i) {
        FreeLine<Set> line{{}, static_cast<std::int32_t>(list.ends[i] - list.begin_of(i))};
        for (std::size_t c = list.begin_of(i); c < list.ends[i]; ++c) {
            line.cells.add(label_of_[static_cast<std::size_t>(list.cells[c])]);
        }
        lines.push_back(line);
    }
    FreeReducer<Set>::drop_supersets(lines);
    return lines;
}

template <class Set>
typename FreeSearch<Set>::State FreeSearch<Set>::loaded(const FreeQuestion& question) {
    State state{{labelled(question.attack), labelled(question.defence)}, {}, question.attacker_moves, question.plies_left};
    reducer_.reduce(state);
    drop_held_parts(state);
    return state;
}

template <class Set>
typename FreeSearch<Set>::Frame* FreeSearch<Set>::frame(std::size_t depth) {
    // A vector that grew by appending may have twice the room it needs.
    const std::size_t bytes_each = sizeof(Frame) + 2 * (lines_in_frame_ * sizeof(FreeLine<Set>) + labels_.size() * sizeof(Child));
    while (frames_.size() <= depth) {
        if (frames_.size() >= 3 && frames_.size() * bytes_each > frame_bytes_) {
            out_of_frames_ = true;
            return nullptr;
        }
        frames_.emplace_back();
    }
    return &frames_[depth];
}

template <class Set>
void FreeSearch<Set>::begin(const State& state, std::int64_t nodes, Watch& watch, FreeProgress* progress) {
    watch_ = &watch;
    progress_ = progress;
    lines_in_frame_ = std::max(lines_in_frame_, state.lines[attacker].size() + state.lines[defender].size());
    out_of_frames_ = false;
    end_ = watch.nodes() + std::min(nodes, unlimited_nodes);
    frame(0);
}

template <class Set>
ProofNumbers FreeSearch<Set>::solve_state(const State& state) {
    ProofNumbers numbers = probe(state);
    while (!numbers.is_solved() && !is_ended()) numbers = search(0, {ProofNumbers::never, ProofNumbers::never});
    return numbers;
}

template <class Set>
ProofNumbers FreeSearch<Set>::probe(const State& state) {
    frames_[0].state = state;
    return evaluate(0);
}

template <class Set>
ProofNumbers FreeSearch<Set>::solve(const FreeQuestion& question, std::int64_t nodes, Watch& watch, FreeProgress* progress) {
    const State state = loaded(question);
    begin(state, nodes, watch, progress);
    return solve_state(state);
}

// The numbers of the state in a frame, and its key; the table learns them.
template <class Set>
ProofNumbers FreeSearch<Set>::evaluate(std::size_t depth) {
    Frame& here = frames_[depth];
    here.key = keys_.key(here.state);
    ProofNumbers numbers{1, 1};
    if (table_.probe(here.key, numbers)) return numbers;
    if (!watch_->enter()) return {1, 1};
    if (progress_) progress_->nodes.store(watch_->nodes(), std::memory_order_relaxed);
    numbers = look(here.state).numbers;
    if (!numbers.is_solved() && !here.state.is_weak() && weak_value(depth).is_refuted()) numbers = ProofNumbers::refuted();
    table_.store(here.key, numbers, 1);
    return numbers;
}

template <class Set>
ProofNumbers FreeSearch<Set>::weak_value(std::size_t depth) {
    Frame* below = frame(depth + 1);
    if (!below) return {1, 1};
    const State& state = frames_[depth].state;
    below->state.lines[attacker] = state.lines[attacker];
    below->state.lines[defender].clear();
    below->state.attacker_moves = state.attacker_moves;
    below->state.plies_left = state.plies_left;
    reducer_.reduce(below->state);
    drop_held_parts(below->state);
    return evaluate(depth + 1);
}

template <class Set>
bool FreeSearch<Set>::is_held(const Lines& lines, bool attacker_moves) {
    std::uint64_t potential = 0;
    for (const FreeLine<Set>& line : lines) potential += potential_of(line.size);
    return potential_holds(potential, attacker_moves) || pairing_.find(lines);
}

template <class Set>
typename FreeSearch<Set>::Outlook FreeSearch<Set>::look(const State& state) {
    const int mover = state.mover();
    const ProofNumbers good = state.attacker_moves ? ProofNumbers::won() : ProofNumbers::refuted();
    const ProofNumbers bad = state.attacker_moves ? ProofNumbers::refuted() : ProofNumbers::won();
    const Lines& own = state.lines[mover];
    const Lines& others = state.lines[1 - mover];
    if (state.lines[attacker].empty()) return {ProofNumbers::refuted(), state.live, -1};
    for (const FreeLine<Set>& line : own) {
        if (line.size == 1) return {good, line.cells, line.cells.lowest()};
    }
    Set forced{};
    for (const FreeLine<Set>& line : others) {
        if (line.size == 1) forced |= line.cells;
    }
    const int threats = forced.count_to(2);
    if (threats == 2) return {bad, forced, -1};
    if (is_held(state.lines[attacker], state.attacker_moves)) return {ProofNumbers::refuted(), state.live, -1};
    if (threats == 1) return {{1, 1}, forced, -1};

    const int attacks = state.is_endless() ? Set::capacity : state.moves_left(attacker) - 1;
    ThreatWin<Set> win;
    if (threats_.find(own, others, state.attacker_moves ? attacks : Set::capacity, win)) return {good, win.zone, win.first_move};
    Set moves = state.live;
    if (threats_.find(others, own, state.attacker_moves ? Set::capacity : attacks, win)) moves &= win.zone;
    const auto count = static_cast<std::uint32_t>(std::max(1, moves.count()));
    return {state.attacker_moves ? ProofNumbers{1, count} : ProofNumbers{1 + count / 4, 1}, moves, -1};
}

// Parts of a weak game that Breaker holds even if Maker moves first there do not matter: Breaker answers where Maker plays.
template <class Set>
void FreeSearch<Set>::drop_held_parts(State& state) {
    if (!state.is_weak() || state.lines[attacker].empty()) return;
    Set rest = state.live;
    Lines lines;
    while (!rest.empty()) {
        const Set part = part_around(state.lines[attacker], rest.lowest());
        if (part == state.live) return;
        rest -= part;
        lines.clear();
        for (const FreeLine<Set>& line : state.lines[attacker]) {
            if (line.cells.meets(part)) lines.push_back(line);
        }
        if (!is_held(lines, true)) continue;
        state.live -= part;
        std::erase_if(state.lines[attacker], [&](const FreeLine<Set>& line) { return line.cells.meets(part); });
    }
}

template <class Set>
Set FreeSearch<Set>::part_around(const Lines& lines, int cell) const {
    Set part{};
    part.add(cell);
    for (bool grown = true; grown;) {
        grown = false;
        for (const FreeLine<Set>& line : lines) {
            if (!line.cells.meets(part) || part.contains(line.cells)) continue;
            part |= line.cells;
            grown = true;
        }
    }
    return part;
}

// Fills scored_ with the moves worth looking at, best first.
template <class Set>
void FreeSearch<Set>::order_moves(const State& state, const Set& moves) {
    moves.for_each([&](int cell) {
        common_[static_cast<std::size_t>(cell)] = state.live;
        scores_[static_cast<std::size_t>(cell)] = 0;
    });
    for (const Lines& lines : state.lines) {
        for (const FreeLine<Set>& line : lines) {
            (line.cells & moves).for_each([&](int cell) {
                common_[static_cast<std::size_t>(cell)] &= line.cells;
                scores_[static_cast<std::size_t>(cell)] += potential_of(line.size);
            });
        }
    }
    scored_.clear();
    moves.for_each([&](int cell) {
        // A cell that lies on all lines of this one is at least as good; of equals (with limited plies) the first one is kept.
        Set better = common_[static_cast<std::size_t>(cell)];
        better.remove(cell);
        for (; !better.empty(); better.remove(better.lowest())) {
            const int candidate = better.lowest();
            const bool equal = moves.test(candidate) && common_[static_cast<std::size_t>(candidate)].test(cell);
            if (!equal || candidate < cell) return;
        }
        scored_.push_back({scores_[static_cast<std::size_t>(cell)], cell});
    });
    std::stable_sort(scored_.begin(), scored_.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
}

template <class Set>
void FreeSearch<Set>::descend(std::size_t depth, int move) {
    const State& state = frames_[depth].state;
    State& to = frames_[depth + 1].state;
    if (move >= 0) {
        reducer_.play(state, move, to);
        drop_held_parts(to);
        return;
    }
    to = state;
    to.live = part_around(state.lines[attacker], -1 - move);
    std::erase_if(to.lines[attacker], [&](const FreeLine<Set>& line) { return !line.cells.meets(to.live); });
}

// Adds a child unless an equal one is there; true when it decides the node.
template <class Set>
bool FreeSearch<Set>::add_child(std::size_t depth, int move) {
    descend(depth, move);
    const ProofNumbers numbers = evaluate(depth + 1);
    Frame& here = frames_[depth];
    const FreeKey key = frames_[depth + 1].key;
    for (const Child& child : here.children) {
        if (child.key == key) return false;
    }
    here.children.push_back({key, numbers, move});
    return here.state.attacker_moves ? numbers.is_won() : numbers.is_refuted();
}

// Evaluates the children, or enough of them to decide the node. False: it had to end before that.
template <class Set>
bool FreeSearch<Set>::expand(std::size_t depth) {
    if (!frame(depth + 1)) return false;
    Frame& here = frames_[depth];
    here.children.clear();
    if (here.state.is_weak() && here.state.attacker_moves) {
        Set rest = here.state.live;
        Set part = part_around(here.state.lines[attacker], rest.lowest());
        if (!(part == rest)) {
            for (; !rest.empty(); rest -= part) {
                part = part_around(here.state.lines[attacker], rest.lowest());
                if (add_child(depth, -1 - part.lowest())) return true;
            }
            return !watch_->ended();
        }
    }
    order_moves(here.state, look(here.state).moves);
    const std::vector<Scored> moves = scored_;
    for (const Scored& move : moves) {
        if (add_child(depth, move.cell)) return true;
        if (watch_->ended()) return false;
    }
    return true;
}

template <class Set>
ProofNumbers FreeSearch<Set>::combine(const std::vector<Child>& children, bool attacker_moves) {
    // Seen from the mover: `best` is what its cheapest child costs, `all` what it costs the other side to answer all children. Children
    // have so much in common that their sum would say far too much.
    std::uint32_t best = ProofNumbers::never;
    std::uint32_t all = 0, open = 0;
    for (const Child& child : children) {
        best = std::min(best, attacker_moves ? child.numbers.proof : child.numbers.disproof);
        const std::uint32_t other = attacker_moves ? child.numbers.disproof : child.numbers.proof;
        if (other == ProofNumbers::never) return attacker_moves ? ProofNumbers::won() : ProofNumbers::refuted();
        all = std::max(all, other);
        open += other > 0;
    }
    if (open > 1) all = sum(all, open - 1);
    return attacker_moves ? ProofNumbers{best, all} : ProofNumbers{all, best};
}

template <class Set>
ProofNumbers FreeSearch<Set>::child_limits(const std::vector<Child>& children, bool attacker_moves, ProofNumbers limits,
                                           std::size_t& best) {
    std::uint32_t open = 0;
    std::uint32_t least = ProofNumbers::never, second = ProofNumbers::never;
    for (std::size_t i = 0; i < children.size(); ++i) {
        const std::uint32_t cost = attacker_moves ? children[i].numbers.proof : children[i].numbers.disproof;
        open += !children[i].numbers.is_solved();
        if (cost < least) {
            second = least;
            least = cost;
            best = i;
        } else {
            second = std::min(second, cost);
        }
    }
    // The other number is the chosen child's as soon as that is the largest; 1 for each other child comes on top.
    const std::uint32_t wanted = std::min(attacker_moves ? limits.proof : limits.disproof, with_slack(second));
    const std::uint32_t other = (attacker_moves ? limits.disproof : limits.proof) - (open - 1);
    return attacker_moves ? ProofNumbers{wanted, other} : ProofNumbers{other, wanted};
}

template <class Set>
ProofNumbers FreeSearch<Set>::search(std::size_t depth, ProofNumbers limits) {
    const std::int64_t begin = watch_->nodes();
    if (!expand(depth)) return {1, 1};
    ProofNumbers total{1, 1};
    for (;;) {
        Frame& here = frames_[depth];
        total = combine(here.children, here.state.attacker_moves);
        if (depth == 0 && progress_) {
            progress_->proof.store(total.proof, std::memory_order_relaxed);
            progress_->disproof.store(total.disproof, std::memory_order_relaxed);
        }
        if (total.is_solved() || total.proof >= limits.proof || total.disproof >= limits.disproof || is_ended()) break;
        std::size_t best = 0;
        const ProofNumbers below = child_limits(here.children, here.state.attacker_moves, limits, best);
        descend(depth, here.children[best].move);
        frames_[depth + 1].key = here.children[best].key;
        here.children[best].numbers = search(depth + 1, below);
    }
    table_.store(frames_[depth].key, total, static_cast<std::uint64_t>(watch_->nodes() - begin));
    return total;
}

template <class Set>
Cell FreeSearch<Set>::best_move(const FreeQuestion& question, Watch& watch, FreeProgress* progress) {
    const State state = loaded(question);
    // Where no line can be completed (in time) every move will do.
    if (!state.attacker_moves && state.lines[attacker].empty()) {
        return question.attack.cells.empty() ? no_cell : question.attack.cells.front();
    }
    begin(state, unlimited_nodes, watch, progress);
    const auto is_good = [&](ProofNumbers numbers) { return state.attacker_moves ? numbers.is_won() : numbers.is_refuted(); };
    const Outlook outlook = look(state);
    if (is_good(outlook.numbers) && outlook.winning_move >= 0) return labels_[static_cast<std::size_t>(outlook.winning_move)];
    order_moves(state, state.live);
    const std::vector<Scored> moves = scored_;
    State child;
    // First what is known already, then with more and more nodes for each move.
    for (std::int64_t share = 0;; share = 8 * share + 1000) {
        for (const Scored& move : moves) {
            reducer_.play(state, move.cell, child);
            drop_held_parts(child);
            end_ = watch.nodes() + share;
            if (is_good(share == 0 ? probe(child) : solve_state(child))) return labels_[static_cast<std::size_t>(move.cell)];
        }
        if (moves.empty() || watch.ended()) return no_cell;
        end_ = watch.nodes() + 8 * share + 1000;
        const ProofNumbers numbers = solve_state(state);
        if (numbers.is_solved() && !is_good(numbers)) return no_cell;
    }
}

template <class Set>
std::vector<Cell> FreeSearch<Set>::pairing(const LineList& attack) {
    State weak{{labelled(attack), {}}, {}, true, endless};
    std::vector<int> pairs;
    do {
        weak.live = Set{};
        for (const FreeLine<Set>& line : weak.lines[attacker]) weak.live |= line.cells;
    } while (reducer_.drop_twins(weak, &pairs));
    if (!pairing_.find(weak.lines[attacker])) return {};
    pairs.insert(pairs.end(), pairing_.pairs().begin(), pairing_.pairs().end());
    std::vector<Cell> cells;
    for (const int label : pairs) cells.push_back(labels_[static_cast<std::size_t>(label)]);
    return cells;
}

std::unique_ptr<FreeEngine> make_free_engine(const Geometry& geometry, std::vector<Cell> cells, FreeTable& table, std::size_t frame_bytes) {
    const auto make = [&]<int Words>() -> std::unique_ptr<FreeEngine> {
        return std::make_unique<FreeSearch<CellSet<Words>>>(geometry, std::move(cells), table, frame_bytes);
    };
    if (cells.size() <= 64) return make.template operator()<1>();
    if (cells.size() <= 128) return make.template operator()<2>();
    if (cells.size() <= 256) return make.template operator()<4>();
    if (cells.size() <= 1024) return make.template operator()<16>();
    return nullptr;
}

}  // namespace inarow
