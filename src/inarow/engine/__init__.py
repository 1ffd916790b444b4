"""The Python face of the native core."""

from inarow.engine.analysis import Report, Variation
from inarow.engine.bench import BENCH_POSITIONS, bench
from inarow.engine.core import StopFlag, cell_of, cells_of, geometry_of, move_of, position_of
from inarow.engine.engine import Engine
from inarow.engine.perft import Perft, perft

__all__ = [
    "BENCH_POSITIONS",
    "Engine",
    "Perft",
    "Report",
    "StopFlag",
    "Variation",
    "bench",
    "cell_of",
    "cells_of",
    "geometry_of",
    "move_of",
    "perft",
    "position_of",
]
