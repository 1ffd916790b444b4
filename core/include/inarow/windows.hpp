// The K-window table: for every window how many stones each seat has in it, kept up to date as stones come and go.
//
// Both counts share one 16-bit code:
//
//     code = first + (K + 1) * second          0 <= first + second <= K, so at most (K + 1)^2 - 1 <= 16640
//
// A stone of the first seat adds 1 to the code of each window through its cell, one of the second seat adds K + 1. Any
// value that depends on a window's counts alone (an evaluation, "is it alive", "what is missing") is a table indexed by
// the code. A window is won when its code is K (first) or K * (K + 1) (second).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "inarow/geometry.hpp"

namespace inarow {

using WindowCode = std::uint16_t;

class WindowTable {
public:
    explicit WindowTable(std::shared_ptr<const Geometry> geometry);

    WindowCode code(int window) const { return codes_[static_cast<std::size_t>(window)]; }
    const WindowCode* codes() const { return codes_.data(); }
    int stones(int window, Seat seat) const { return stones_[static_cast<std::size_t>(index(seat))][code(window)]; }

    // What one stone of a seat adds to the code of a window that contains it.
    WindowCode step(Seat seat) const { return steps_[static_cast<std::size_t>(index(seat))]; }

    // Puts a stone on a free cell; true when it completes a window, that is when the seat has won.
    bool mark(Cell cell, Seat seat) {
        const auto s = static_cast<std::size_t>(index(seat));
        const Lanes full = Lanes{} + full_[s];
        Lanes completed{};
        for_each_chunk(cell, [&](Lanes codes, int used) {
            codes += adders_[s][static_cast<std::size_t>(used)];
            completed |= Lanes(codes == full);
            return codes;
        });
        return any(completed);
    }

    // Takes that stone off again.
    void unmark(Cell cell, Seat seat) {
        const auto s = static_cast<std::size_t>(index(seat));
        for_each_chunk(cell, [&](Lanes codes, int used) { return codes - adders_[s][static_cast<std::size_t>(used)]; });
    }

    // Whether a stone of `seat` on a free cell would complete a window.
    bool completes(Cell cell, Seat seat) const {
        const Lanes wanted = Lanes{} + one_missing(seat);
        Lanes completed{};
        for (const Span& span : geometry_->spans(cell)) {
            const WindowCode* at = codes_.data() + span.first;
            for (int left = span.count; left > 0; left -= lanes, at += lanes) {
                Lanes codes;
                std::memcpy(&codes, at, sizeof codes);
                completed |= Lanes(codes == wanted) & adders_[0][static_cast<std::size_t>(left < lanes ? left : lanes)];
            }
        }
        return any(completed);
    }

    // Calls visit(window) for every window that has this code.
    template <class Visit>
    void for_each_with_code(WindowCode wanted, Visit&& visit) const {
        const Lanes all = Lanes{} + wanted;
        const int count = geometry_->windows();
        for (int first = 0; first < count; first += lanes) {
            Lanes codes;
            std::memcpy(&codes, codes_.data() + first, sizeof codes);
            if (!any(Lanes(codes == all))) continue;
            for (int i = first; i < count && i < first + lanes; ++i) {
                if (code(i) == wanted) visit(i);
            }
        }
    }

    // The code of a window in which one stone of `seat` is missing and the other has none.
    WindowCode one_missing(Seat seat) const {
        const auto s = static_cast<std::size_t>(index(seat));
        return static_cast<WindowCode>(full_[s] - steps_[s]);
    }

private:
    // Eight codes at a time. The compiler turns these into the machine's vector instructions.
    using Lanes = WindowCode __attribute__((vector_size(16)));
    static constexpr int lanes = 8;

    static bool any(Lanes mask) {
        const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(mask);
        return (halves[0] | halves[1]) != 0;
    }

    // Replaces the codes of the windows through a cell, up to eight at a time: update(codes, used) sees `used` codes of
    // this cell's windows and possibly some of its neighbours behind them, which it must return unchanged.
    template <class Update>
    void for_each_chunk(Cell cell, Update&& update) {
        for (const Span& span : geometry_->spans(cell)) {
            WindowCode* at = codes_.data() + span.first;
            for (int left = span.count; left > 0; left -= lanes, at += lanes) {
                Lanes codes;
                std::memcpy(&codes, at, sizeof codes);
                codes = update(codes, left < lanes ? left : lanes);
                std::memcpy(at, &codes, sizeof codes);
            }
        }
    }

    std::shared_ptr<const Geometry> geometry_;
    std::array<WindowCode, 2> steps_;
    std::array<WindowCode, 2> full_;
    // adders_[seat][n]: the seat's step in the first n lanes, 0 in the rest.
    std::array<std::array<Lanes, lanes + 1>, 2> adders_{};
    std::array<std::vector<std::uint8_t>, 2> stones_;  // by seat, by code
    std::vector<WindowCode> codes_;                    // with room for one whole chunk behind the last window
};

}  // namespace inarow
