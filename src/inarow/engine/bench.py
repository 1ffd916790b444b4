"""The signature of the engine: fixed positions, fixed depths, one thread, one number of nodes.

It changes when what the search looks at changes, and only then.
"""

from collections.abc import Callable

from inarow import _core
from inarow.engine.core import StopFlag, cells_of, geometry_of
from inarow.engine.weights import weights_for
from inarow.game import parse_position

MEMORY_MB = 4
BENCH_POSITIONS: tuple[tuple[str, int], ...] = (
    ("3x3x3", 9),
    ("5x5x4:c3.b2", 9),
    ("8x8x5:d4.e4.e5", 9),
    ("12x11x5:f6.g6.f7.g7.f8", 9),
    ("15x15x5:h8.i8.i7", 11),
    ("15x15x5:h8.g7.i7.f6.h7.h6", 10),
    ("20x20x5:k10.l9.k11.j11", 9),
    ("19x19x6:j10.k11.k9", 9),
    ("10x10x7:e6.f5.f6", 8),
    ("40x40x10:u20.v19", 5),
    ("6x7x4g:d.d.d.d.e", 15),
    ("8x8x4g:d.e.d", 12),
    ("9x10x5g", 10),
    ("50x50x10g:y", 5),
)


def bench(stop: StopFlag, report: Callable[[str, int, int], None] | None = None) -> int | None:
    """The sum of all nodes; None when it was stopped. `report(position, depth, nodes)` hears of each position."""
    total = 0
    for text, depth in BENCH_POSITIONS:
        board = parse_position(text)
        engine = _core.Engine(geometry_of(board.game), memory_mb=MEMORY_MB, weights=weights_for(board.game))
        found = engine.search(cells_of(board), stop, depth=depth)
        if found.stopped:
            return None
        total += found.nodes
        if report is not None:
            report(text, depth, found.nodes)
    return total
