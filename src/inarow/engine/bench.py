"""The signature of the core: fixed positions, fixed depths, one thread, one number.

The work is perft, so the number changes when the rules or the positions do. What the players' searches count is held
by tests that compare it with a literal search.
"""

from collections.abc import Callable

from inarow.engine.core import StopFlag
from inarow.engine.perft import perft
from inarow.game import parse_position

BENCH_POSITIONS: tuple[tuple[str, int], ...] = (
    ("3x3x3", 9),
    ("4x5x3:b2.c3.d2", 6),
    ("6x7x4g:d.d.d.d.e", 8),
    ("5x9x4g", 6),
    ("8x8x5g:a.h.a.h.a.h.a.h", 6),
    ("9x8x9", 3),
    ("12x11x5:f6.g6.f7.g7.f8.g8.f9.g9", 3),
    ("15x15x5:h8.i9.h9.i8.h7.h10.g9", 3),
    ("19x19x6:k10.j9", 3),
    ("70x70x10:ai35.aj36", 2),
    ("50x50x10g:y", 4),
    ("128x128x5", 1),
)


def bench(stop: StopFlag, report: Callable[[str, int, int], None] | None = None) -> int | None:
    """The sum of all nodes; None when it was stopped. `report(position, depth, nodes)` hears of each position."""
    total = 0
    for text, depth in BENCH_POSITIONS:
        counts = perft(parse_position(text), depth, stop)
        if counts.stopped:
            return None
        nodes = sum(counts.nodes)
        total += nodes
        if report is not None:
            report(text, depth, nodes)
    return total
