// Fuzzes a position: the bytes choose a game and then what happens to it. After every step the position must agree with
// the plain model of the tests. Build with INAROW_FUZZ, run as any libFuzzer program:
//
//     fuzz_position -max_total_time=60 -len_control=0 -max_len=600      long games from the start

#include <fuzzer/FuzzedDataProvider.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../tests/model.hpp"
#include "inarow/position.hpp"
#include "inarow/window_sum.hpp"

using namespace inarow;
using namespace inarow::testing;

namespace {

constexpr std::int64_t cost_an_input = 2'000'000;  // a few steps on the largest boards, thousands on small ones

struct Fuzzed {
    Position position;
    Model model;
    WindowSum sum;
};

// Large boards are slow to check, so they are rare: 200 is a byte that mutations do not favour, as they do 0 and 255.
Game chosen_game(FuzzedDataProvider& bytes) {
    const auto side = [&] {
        const bool is_large = bytes.ConsumeIntegral<std::uint8_t>() == 200;
        return is_large ? max_side : bytes.ConsumeIntegralInRange(1, 20);
    };
    const int rows = side();
    const int columns = side();
    const int k = side();
    return {rows, columns, k, bytes.ConsumeBool()};
}

void make(Fuzzed& state, Cell cell) {
    state.sum.mark(state.position.geometry(), state.position.windows(), cell, state.position.turn());
    state.position.make(cell);
    state.model.make(cell);
}

void unmake(Fuzzed& state) {
    state.position.unmake();
    state.model.unmake();
    state.sum.unmark();
}

void check(const Fuzzed& state, const std::vector<std::int32_t>& values) {
    const Geometry& geometry = state.position.geometry();
    std::string wrong = difference(state.position, state.model);
    if (wrong.empty() && state.sum.value() != recounted_sum(geometry, state.model, values)) wrong = "window sum";
    if (wrong.empty()) return;
    std::fprintf(stderr, "%s at ply %d of %s; the moves are", wrong.c_str(), state.position.ply(), name(geometry.game()).c_str());
    for (const Cell cell : state.model.moves()) std::fprintf(stderr, " %d", cell);
    std::fprintf(stderr, "\n");
    std::abort();
}

// Any number near the board; with gravity mostly a cell on which a stone lands, or few moves would be legal.
Cell chosen_cell(FuzzedDataProvider& bytes, const Position& position) {
    const Cell cell = bytes.ConsumeIntegralInRange(-1, position.geometry().cells());
    if (!position.game().gravity || cell < 0 || bytes.ConsumeIntegralInRange(0, 7) == 0) return cell;
    return position.landing(cell % position.game().columns);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    FuzzedDataProvider bytes(data, size);
    const Game game = chosen_game(bytes);
    const auto geometry = std::make_shared<const Geometry>(game);
    std::vector<std::int32_t> values;
    for (int code = 0; code < (game.k + 1) * (game.k + 1); ++code) values.push_back(code * code % 1009 - 500);

    const Position position(geometry);
    Fuzzed state{position, Model(game), WindowSum(*geometry, position.windows(), values)};
    Fuzzed kept = state;
    check(state, values);
    enum class Step { make, make_again, make_once_more, unmake, copy, change, kMaxValue = change };
    const std::int64_t steps = 1 + cost_an_input / difference_cost(*geometry);
    for (std::int64_t step = 0; step < steps && bytes.remaining_bytes() > 0; ++step) {
        switch (bytes.ConsumeEnum<Step>()) {
            case Step::unmake:
                if (state.position.ply() > 0) unmake(state);
                break;
            case Step::copy:
                kept = state;
                break;
            case Step::change:  // what happened to the one must have left the other alone
                std::swap(state, kept);
                break;
            default:
                if (const Cell cell = chosen_cell(bytes, state.position); state.position.is_legal(cell)) make(state, cell);
        }
        check(state, values);
    }
    return 0;
}
