"""How each operation's time grows, against what the five reports and the core claim: `make costs`, or with the built
program's path as the argument. Writes docs/costs.md and the figures under docs/costs/.

The C++ program measures the operations; whole nodes are measured here, by asking the players themselves for a move. An
exponent is the slope of the least-squares line through (log x, log time). A claim such as O(M·N + f·K) is a sum of
terms, and so has a range of exponents along a sweep: from that of its slowest term there to that of its fastest.
"""

import argparse
import csv
import importlib.util
import math
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from random import Random
from statistics import fmean, linear_regression, median

from inarow import Board, Game, Limit, make_player
from inarow.engine import position_of

DOCUMENT = Path(__file__).parents[1] / "docs" / "costs.md"
NODE_ROUNDS = 3
NODE_STARTS = 3
NODES_FOR_EACH_CELL = 16
CELLS_FOR_EACH_STONE = 32
TOLERANCE = 0.15  # a fit further than this from the claim's range is said to differ


@dataclass(frozen=True)
class Point:
    """One measurement: the median time of an operation in one setting of a sweep."""

    operation: str
    sweep: str
    rows: int
    columns: int
    k: int
    free: int
    q: int
    nanoseconds: float

    @property
    def stones(self) -> int:
        return self.rows * self.columns - self.free

    @property
    def x(self) -> float:
        return term_value(SWEEPS[self.sweep], self)


# What grows in each of the program's sweeps.
SWEEPS = {"k": "K", "cells": "M·N", "stones": "M·N", "free": "f", "q": "q", "line": "L", "columns": "N"}

FACTORS = {
    "1": lambda p: 1.0,
    "K": lambda p: p.k,
    "K²": lambda p: p.k**2,
    "⌈K/8⌉": lambda p: math.ceil(p.k / 8),
    "M": lambda p: p.rows,
    "N": lambda p: p.columns,
    "M²": lambda p: p.rows**2,
    "N²": lambda p: p.columns**2,
    "f": lambda p: p.free,
    "f³": lambda p: p.free**3,
    "n": lambda p: p.stones,
    "L": lambda p: p.rows,
    "s": lambda p: p.stones / p.rows,
    "q": lambda p: p.q,
    "log f": lambda p: math.log2(p.free),
    "log N": lambda p: math.log2(p.columns),
    "log q": lambda p: math.log2(1 + p.q),
}


def term_value(term: str, point: Point) -> float:
    """The value of a product of factors such as M·N·K."""
    return math.prod(FACTORS[factor](point) for factor in term.split("·"))


@dataclass(frozen=True)
class Claim:
    """What is said about an operation. Terms are products of factors; their sum is the claim.

    `better` says why ours is better than the report's, `reasons` (by sweep) why a fit may differ from our terms.
    """

    operation: str
    title: str
    report: str
    report_terms: tuple[str, ...]
    terms: tuple[str, ...]
    better: str = ""
    reasons: dict[str, str] = field(default_factory=dict)

    @property
    def ours(self) -> str:
        return f"O({' + '.join(self.terms)})"


CONSTANT = "What every call costs, whatever K, weighs at the lower end"
EDGES = "On small boards many cells are near an edge and have fewer than 4K windows, so the work grows faster than the board"
CACHES = "The same work, but on a large board less of what it touches is in the nearest cache"
DENSE = "The fuller the board, the more windows have stones of both seats, and those are passed over"
NODE_MIX = "A leaf and an inner node differ much, and how many leaves there are to an inner node is not the same on all boards"

CLAIMS = (
    Claim(
        "windows mark+unmark",
        "window counts and win test, mark + unmark",
        "O(K) (000 isWinningCell)",
        ("K",),
        ("⌈K/8⌉",),
        "The windows through a cell in one direction have consecutive numbers, so one vector instruction changes eight of "
        "their counts and compares them with a win.",
        {"k": CONSTANT},
    ),
    Claim(
        "position make+unmake",
        "move + its taking back: the above, free cells, keys",
        "O(1) without the win test (002 markCell), O(K) with it (000)",
        ("1", "K"),
        ("⌈K/8⌉",),
        "As above. The free cells are 002's swap array, O(1) in the worst case too, and the keys of all symmetries one XOR each.",
        {"k": CONSTANT, "free": CACHES, "cells": CACHES},
    ),
    Claim(
        "window sum update",
        "evaluation by a table over windows, its update (telos, cadrega)",
        "Θ(K²) update_eval, leaf Θ(M·N·K) (001); leaf O(f·K) (000 simpleEvaluateTmpBoard)",
        ("K²",),
        ("K",),
        "A window's stones are counted already and its value is a table look-up by its code, so that K windows a direction "
        "cost O(K), where counting each anew costs O(K²). The sum is kept, so a leaf reads its value in O(1): 000's sum over "
        "free cells is a sum over windows, each with (free cells in it) × (its helpfulness).",
        {"k": CONSTANT, "cells": CACHES},
    ),
    Claim(
        "cell sums update",
        "every cell's helpfulness, its update (cadrega's order)",
        "O(f·K), computed anew (000 complexEvaluateTmpBoard)",
        ("f·K",),
        ("K",),
        "Only cells less than K away on a line change, and along a line the changes are sums of a sliding run of windows: "
        "one window enters and one leaves from cell to cell.",
        {"k": CONSTANT},
    ),
    Claim(
        "mics update by table",
        "MICS values, update by table, K ≤ 5, with the move",
        "O(K²) (002)",
        ("K²",),
        ("K",),
        "The 2K − 2 cells around a cell on a line are the index of a table with the result.",
        {
            "k": "A stone changes 2K − 2 cells of a line, and from 3 to 5 that grows as K^1.36; three points tell no more",
            "cells": CACHES,
        },
    ),
    Claim(
        "mics update by sliding",
        "MICS values, update by a sliding maximum, K > 5, with the move",
        "O(K²) (002, which names O(K) as an improvement)",
        ("K²",),
        ("K",),
        "The windows through the next cell are those through this one but for one at each end; a queue in falling order gives "
        "their maximum and how often it occurs, O(1) a window in the mean.",
        {
            "k": "With K the windows with stones of both seats become more, and those are passed over",
            "cells": "A cell's neighbours at a distance up to K − 1 have fewer windows where an edge is near; only from 32 × 32 on "
            "are most of the cells tried free of it",
            "free": DENSE,
        },
    ),
    Claim(
        "chains update remembered",
        "chains, update, four lines that were seen before (nisshoku)",
        "O(n·K), computed anew, n stones on the board (004)",
        ("n·K",),
        ("1",),
        "The evaluation is a sum over lines; a stone changes four of them, and a line's share is looked up by its stones.",
        {"cells": CACHES, "free": CACHES},
    ),
    Claim(
        "chains update computed",
        "chains, update, four lines over 64 cells or never seen",
        "O(n·K), computed anew, n stones on the board (004)",
        ("n·K",),
        ("L", "s·K"),
        "Four lines of L cells with s stones each are looked at, not all n stones of the board.",
        {"k": "With K = 3 each stone is a chain by itself, and around each chain the line is searched for room"},
    ),
    Claim(
        "crossings recount",
        "evaluation with crossings, counted anew (telos:crossings=on)",
        "Θ(M·N·K) (001 eval; 4.2 names crossings as an idea)",
        ("M·N·K",),
        ("M·N·K",),
        "",
        {
            "k": "A window without stones, or with stones of both seats, is not walked along; the rest of its cost is the same for all K",
            "cells": EDGES,
            "free": DENSE,
        },
    ),
    Claim(
        "cell reports",
        "choice of a move without a search (helpfulness)",
        "O(f³ + M²·N²·K) (003 selectCell)",
        ("f³", "M²·N²·K"),
        ("M·N", "f·K"),
        "A window's counts are read from the table, the windows with a double play are found by their code, and cells are "
        "compared once each; the report searches its queue for every cell of every window.",
        {"cells": EDGES},
    ),
    Claim(
        "plain order",
        "all moves, in ascending order (alphabeta, deepening)",
        "–",
        (),
        ("M·N",),
        "",
        {"free": "The loop is over all cells; where half of them are free its branches are hard to foresee"},
    ),
    Claim(
        "near cells update",
        "cells next to a stone, update, with the move (nisshoku)",
        "Θ(1) (004 fillNFCplus, deleteNFCplus)",
        ("1",),
        ("1",),
        "",
        {"cells": CACHES, "free": CACHES},
    ),
    Claim("near order", "cells next to a stone, listed (nisshoku)", "–", (), ("f",)),
    Claim(
        "forced order",
        "order: a win, a block, or all by radix sort (cadrega)",
        "O(f·K) (000 complexEvaluateTmpBoard with radixSort)",
        ("f·K",),
        ("M·N", "f"),
        "The values are kept by the update above, so that a node only sorts. The windows that lack one stone are found eight at "
        "a time.",
        {"k": "From about K = 20 on the sums need a second byte, and the radix sort a second pass"},
    ),
    Claim(
        "evaluation order",
        "order by the value after each move (telos)",
        "O(N·K² + N·log N) with gravity (001)",
        ("N·K²", "N·log N"),
        ("M·N", "f·K", "f·log f"),
        "As the update of the evaluation: O(K) for a move, not O(K²).",
        {"cells": EDGES},
    ),
    Claim(
        "best order",
        "the best q moves by heap-select (markcello)",
        "O(f·log q) (002)",
        ("f·log q",),
        ("f·log q",),
        "",
        {
            "q": "log q is paid only by a cell that enters the heap. In random order that are about q·ln(f / q) of them, not f: few "
            "for a small q, and for a large one the heap's own sorting begins to show",
        },
    ),
    Claim(
        "cadrega",
        "node of cadrega",
        "O(f·K) (000)",
        ("f·K",),
        ("K", "M·N", "f"),
        "Leaf O(K), inner node O(M·N + f): see the two updates above.",
        {"cells": NODE_MIX, "k": NODE_MIX},
    ),
    Claim(
        "telos",
        "node of telos, free placement",
        "O(f·K² + f·log f), leaf Θ(M·N·K) (001, with f moves for its N)",
        ("f·K²", "f·log f", "M·N·K"),
        ("K", "M·N", "f·K", "f·log f"),
        "Leaf O(K), inner node O(M·N + f·K + f·log f).",
        {"cells": EDGES, "k": NODE_MIX},
    ),
    Claim(
        "telos gravity",
        "node of telos, gravity",
        "O(N·K² + N·log N), leaf Θ(M·N·K) (001)",
        ("N·K²", "N·log N", "M·N·K"),
        ("K", "N·K", "N·log N"),
        "Leaf O(K), inner node O(N·K + N·log N): the report's own first idea for improvement, and K for its K².",
        {"k": NODE_MIX},
    ),
    Claim(
        "telos:crossings=on gravity",
        "node of telos:crossings=on, gravity",
        "Θ(M·N·K) a leaf (001)",
        ("M·N·K",),
        ("M·N·K", "N·M·N·K"),
        "",
        {"cells": EDGES, "k": "As for its recount"},
    ),
    Claim(
        "markcello:q=7,depth=10",
        "node of markcello, q = 7",
        "O(K² + f·log q) (002)",
        ("K²", "f·log q"),
        ("K", "f·log q"),
        "The update costs O(K), not O(K²).",
        {"k": "K = 5 is done by table and the rest by sliding, which takes several times as long"},
    ),
    Claim(
        "nisshoku:memory_mb=1",
        "node of nisshoku",
        "O(n·K) (004)",
        ("n·K",),
        ("1", "L", "s·K", "f"),
        "The evaluation follows the moves line by line; see chains.",
        {"cells": NODE_MIX, "k": NODE_MIX},
    ),
    Claim("alphabeta", "node of alphabeta", "–", (), ("K", "M·N"), "", {"cells": NODE_MIX, "k": NODE_MIX}),
)


# --- Measuring --------------------------------------------------------------------------------------------------------


def operation_points(program: Path) -> list[Point]:
    """What the C++ program measures."""
    run = subprocess.run([program], check=True, capture_output=True, text=True, timeout=600)
    return [
        Point(row["operation"], row["sweep"], *(int(row[name]) for name in ("rows", "columns", "k", "free", "q")), float(row["nanoseconds"]))
        for row in csv.DictReader(run.stdout.splitlines())
    ]


def quiet_board(game: Game, seed: int) -> Board:
    """A board with a stone on one cell in 32, on which nobody can win with the next move."""
    random = Random(seed)
    board = Board(game)
    while board.ply < game.rows * game.columns // CELLS_FOR_EACH_STONE:
        mover = board.turn
        board.push(random.choice(board.legal_moves))
        if board.is_over or position_of(board).winning_cells(mover):
            board.pop()
    return board


def node_nanoseconds(spec: str, boards: Iterable[Board], nodes: int) -> float:
    """Time for a node, over one move of a fresh player on each board, limited to so many nodes."""
    visited, seconds = 0, 0.0
    limit = Limit(nodes=nodes)
    for board in boards:
        player = make_player(spec)
        player.start(board.game, board.turn, limit)
        begin = time.perf_counter()
        choice = player.choose(board.copy(), limit)
        seconds += time.perf_counter() - begin
        assert not isinstance(choice, tuple | int)
        visited += choice.nodes
    return 1e9 * seconds / visited


def node_settings(gravity: bool, largest: int) -> list[tuple[str, Game]]:
    """The sweeps in which nodes are measured."""
    boards = [("cells", Game(side, side, 5, gravity=gravity)) for side in (8, 12, 16, 24, 32, 48) if side <= largest]
    side = min(largest, 32)
    return boards + [("k", Game(side, side, k, gravity=gravity)) for k in (5, 6, 8, 10, 12, 16) if 2 * k <= side]


def node_points() -> list[Point]:
    """A node of each player, all settings once in each round."""
    cases: list[tuple[str, str, Game, list[Board], int, list[float]]] = []
    for claim in CLAIMS[[claim.operation for claim in CLAIMS].index("cadrega") :]:
        gravity = claim.operation.endswith(" gravity")
        crossings = "crossings" in claim.operation
        for sweep, game in node_settings(gravity, 24 if crossings else 48):
            boards = [quiet_board(game, seed) for seed in range(NODE_STARTS)]
            nodes = 1000 if crossings else max(1000, NODES_FOR_EACH_CELL * game.rows * game.columns)
            cases.append((claim.operation, sweep, game, boards, nodes, []))
    for _ in range(NODE_ROUNDS):
        for operation, _, _, boards, nodes, times in cases:
            times.append(node_nanoseconds(operation.removesuffix(" gravity"), boards, nodes))
    return [
        Point(operation, sweep, game.rows, game.columns, game.k, game.rows * game.columns - boards[0].ply, 7, median(times))
        for operation, sweep, game, boards, _, times in cases
    ]
