"""What the five reports and our core claim about the cost of each operation, for benchmarks/growth.py to compare.

A claim is a sum of terms, a term a product of factors: ("M·N", "f·K") reads O(M·N + f·K). What a term is worth in the
setting of a measurement follows from FACTORS, so that the text of a claim and the curve it predicts are one thing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field


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
    def x(self) -> float:
        """What grows along the sweep."""
        return term_value(SWEEPS[self.sweep], self)


# The sweeps of benchmarks/growth.cpp, which describes them, with what grows in each.
SWEEPS = {"k": "K", "cells": "M·N", "stones": "M·N", "free": "f", "q": "q", "line": "L", "columns": "N"}

FACTORS: dict[str, Callable[[Point], float]] = {
    "1": lambda p: 1,
    "K": lambda p: p.k,
    "K²": lambda p: p.k**2,
    "⌈K/8⌉": lambda p: math.ceil(p.k / 8),
    "M": lambda p: p.rows,
    "N": lambda p: p.columns,
    "M²": lambda p: p.rows**2,
    "N²": lambda p: p.columns**2,
    "f": lambda p: p.free,
    "f³": lambda p: p.free**3,
    "n": lambda p: p.rows * p.columns - p.free,
    "L": lambda p: p.rows,
    "s": lambda p: p.columns - p.free / p.rows,
    "q": lambda p: p.q,
    "q²": lambda p: p.q**2,
    "log f": lambda p: math.log2(p.free),
    "log N": lambda p: math.log2(p.columns),
    "log q": lambda p: math.log2(1 + p.q),
}


def term_value(term: str, point: Point) -> float:
    return math.prod(FACTORS[factor](point) for factor in term.split("·"))


@dataclass(frozen=True)
class Claim:
    """What is said about an operation.

    better    why ours is better than the report's, where it is
    reasons   by sweep: why a fit may differ from our terms
    spec      of the player whose node it is; benchmarks/growth.cpp measures the others
    """

    operation: str
    title: str
    report: str
    report_terms: tuple[str, ...]
    terms: tuple[str, ...]
    better: str = ""
    reasons: dict[str, str] = field(default_factory=dict)
    spec: str | None = None
    gravity: bool = False

    @property
    def ours(self) -> str:
        return f"O({' + '.join(self.terms)})"


CONSTANT = "What a call costs whatever K is weighs at the lower end"
EDGES = (
    "On small boards many cells are near an edge and have fewer than 4K windows, so that the work grows faster than "
    "the board"
)
CACHES = "The work is the same, but on a larger board less of what it touches lies in the nearest cache"
DENSE = "The fuller the board, the more windows have stones of both seats, and those are soon done with"
MIX = "Leaves and inner nodes cost differently, and how many of each a search meets changes along the sweep"
FLOOR = (
    "Stones lie on the lowest rows, where a cell is in K windows of its row but in few others, and the larger K, the "
    "fewer windows fit on the board"
)

CLAIMS = (
    Claim(
        "windows mark+unmark",
        "window counts with the win test, mark + unmark",
        "O(K) (000 isWinningCell)",
        ("K",),
        ("⌈K/8⌉",),
        "The windows through a cell in one direction have consecutive numbers, so that one vector instruction changes "
        "the counts of eight of them and another compares them with a win.",
        {"k": CONSTANT},
    ),
    Claim(
        "position make+unmake",
        "move + its taking back: the above, free cells, keys, history",
        "O(1) without the win test (002 markCell, unmarkCell), O(K) with it (000)",
        ("1", "K"),
        ("⌈K/8⌉",),
        "The free cells are 002's swap array, O(1) in the worst case too; each symmetry's key takes one XOR; the win "
        "test is the one above.",
        {"k": CONSTANT, "cells": CACHES, "free": CACHES},
    ),
    Claim(
        "window sum update",
        "evaluation by a table over windows, update (telos, cadrega)",
        "Θ(K²) (001 update_eval); a leaf anew Θ(M·N·K) (001 eval), O(f·K) (000 simpleEvaluateTmpBoard)",
        ("K²",),
        ("K",),
        "The stones of a window are counted already and its value is looked up by their code: O(1) for each of the 4K "
        "windows, where walking along each costs O(K). The sum is kept, so that a leaf reads its value in O(1). 000's "
        "sum over free cells is such a sum too: of the free cells in a window times its helpfulness.",
        {"k": CONSTANT, "cells": CACHES, "free": CACHES},
    ),
    Claim(
        "cell sums update",
        "helpfulness of every cell, update (cadrega's order)",
        "O(f·K), anew (000 complexEvaluateTmpBoard)",
        ("f·K",),
        ("K",),
        "Only cells less than K away on a line change. From one of them to the next the windows in common are the same "
        "but for one at each end, so that a running sum gives all changes of a line in O(K).",
        {"k": CONSTANT, "cells": CACHES},
    ),
    Claim(
        "mics update by table",
        "MICS values, update by table, K ≤ 5, move included",
        "O(K²) (002)",
        ("K²",),
        ("K",),
        "What a line gives to a cell is looked up by the 2K − 2 cells around it.",
        {"k": "Three points from 3 to 5, where the 2K − 2 cells that change grow as K^1.4", "cells": CACHES},
    ),
    Claim(
        "mics update by sliding",
        "MICS values, update by sliding maximum, K > 5, move included",
        "O(K²) (002, which names O(K) as an improvement)",
        ("K²",),
        ("K",),
        "From a cell to the next one window leaves and one enters. A queue of falling values gives the largest of them "
        "and how often it occurs, each window entering and leaving it once: O(K) for a line.",
        {
            "k": "The longer the windows, the more of them have stones of both seats, and those are soon done with",
            "cells": "Up to about 32 × 32 the windows of cells up to K − 1 away, which change too, meet the edges; "
            "from there on moves all over a larger board find less of what they touch in the nearest cache",
            "free": "The fuller the board, the fewer cells around a stone are free to take a new value",
        },
    ),
    Claim(
        "chains update remembered",
        "chains, update, lines seen before (nisshoku)",
        "O(n·K), anew (004 evaluate)",
        ("n·K",),
        ("1",),
        "The evaluation is a sum over the lines of the board, and a stone changes four of them. What a line gives is "
        "looked up by its stones.",
        {
            "cells": "The place where a line is kept does not depend on stones from its 48th cell on, so that some of "
            "the longer lines drive each other out and are computed anew",
            "free": CACHES,
        },
    ),
    Claim(
        "chains update computed",
        "chains, update, lines of over 64 cells, which are not looked up",
        "O(n·K), anew (004 evaluate)",
        ("n·K",),
        ("L", "s·K"),
        "Four lines with their s stones each are gone through, not all n stones of the board.",
    ),
    Claim(
        "crossings recount",
        "evaluation with crossings, anew (telos:crossings=on)",
        "Θ(M·N·K) (001 eval; section 4.2 has the idea)",
        ("M·N·K",),
        ("M·N·K",),
        reasons={
            "k": "Windows without stones or with stones of both seats are not walked along, and with K = 48 only "
            "half as many windows fit as with K = 3",
            "cells": EDGES,
            "free": DENSE,
        },
    ),
    Claim(
        "cell reports",
        "choice without a search (helpfulness)",
        "O(f³ + M²·N²·K) (003 selectCell)",
        ("f³", "M²·N²·K"),
        ("M·N", "f·K"),
        "The stones of each window are counted already, and each cell is looked at once with its 4K windows. In "
        "the report the windows of one cell cost O(K·M·N), since its queue is searched for each cell they update.",
        {"cells": EDGES, "free": DENSE},
    ),
    Claim(
        "plain order",
        "all moves, ascending (alphabeta, deepening)",
        "–",
        (),
        ("M·N",),
        reasons={"free": "Each free cell is written into the list besides"},
    ),
    Claim(
        "near cells update",
        "cells next to a stone, update, move included (nisshoku)",
        "Θ(1) (004 fillNFCplus, deleteNFCplus)",
        ("1",),
        ("1",),
        reasons={"cells": CACHES, "free": CACHES},
    ),
    Claim(
        "near order",
        "cells next to a stone, list (nisshoku)",
        "–",
        (),
        ("f",),
        reasons={"free": "On the emptier boards fewer of the free cells are next to a stone and enter the list"},
    ),
    Claim(
        "forced order",
        "a win, a block, or all moves by radix sort (cadrega)",
        "O(f·K) (000 complexEvaluateTmpBoard)",
        ("f·K",),
        ("M·N", "f"),
        "What the moves are sorted by is kept by the update above, so that K plays no part. The windows in which one "
        "stone is missing are found by comparing eight codes at once.",
        {"k": "The sums grow with K; from about K = 24 on they have two bytes, and the radix sort a second pass"},
    ),
    Claim(
        "evaluation order",
        "all moves by the value after them (telos)",
        "O(f·K² + f·log f) (001, f moves for its N)",
        ("f·K²", "f·log f"),
        ("M·N", "f·K", "f·log f"),
        "The value after a move follows from the codes of its 4K windows, as in the update above.",
        {"cells": EDGES},
    ),
    Claim(
        "evaluation order with gravity",
        "the same with gravity",
        "O(N·K² + N·log N) (001)",
        ("N·K²", "N·log N"),
        ("N·K", "N·log N"),
        "As without gravity; there is no loop over all cells.",
        {"columns": CACHES},
    ),
    Claim(
        "best order",
        "the best q moves (markcello)",
        "O(f·log q) (002)",
        ("f·log q",),
        ("M·N", "q²·log f"),
        reasons={
            "q": "A cell that is better than the worst of the best so far is inserted into a sorted list, in O(q); of "
            "cells in random order about q·ln(f / q) are. For the q ≤ 21 that the player uses this takes less time "
            "than the report's heap: most of it goes into looking at all cells",
            "free": "All cells are gone through: a taken one is worth less than any other",
        },
    ),
    Claim(
        "node of cadrega",
        "node of cadrega",
        "O(f·K) (000)",
        ("f·K",),
        ("K", "M·N", "f"),
        "A leaf costs O(K) and an inner node O(M·N + f), by the two updates above.",
        {"cells": MIX, "k": MIX},
        spec="cadrega",
    ),
    Claim(
        "node of telos",
        "node of telos",
        "O(f·K² + f·log f), a leaf Θ(M·N·K) (001, f moves for its N)",
        ("f·K²", "f·log f", "M·N·K"),
        ("K", "M·N", "f·K", "f·log f"),
        "A leaf costs O(K), an inner node O(M·N + f·K + f·log f).",
        {"cells": EDGES, "k": MIX},
        spec="telos",
    ),
    Claim(
        "node of telos, gravity",
        "node of telos, gravity",
        "O(N·K² + N·log N), a leaf Θ(M·N·K) (001)",
        ("N·K²", "N·log N", "M·N·K"),
        ("K", "N·K", "N·log N"),
        "A leaf costs O(K), an inner node O(N·K + N·log N): the report's section 4.1 done, and with K for its K².",
        {"cells": MIX, "k": FLOOR},
        spec="telos",
        gravity=True,
    ),
    Claim(
        "node of telos:crossings=on, gravity",
        "node of telos:crossings=on, gravity",
        "a leaf Θ(M·N·K) (001)",
        ("M·N·K",),
        ("M·N·K", "N·M·N·K"),
        reasons={"cells": EDGES, "k": FLOOR},
        spec="telos:crossings=on",
        gravity=True,
    ),
    Claim(
        "node of markcello",
        "node of markcello, q = 7",
        "O(K² + f·log q) (002)",
        ("K²", "f·log q"),
        ("K", "f·log q"),
        "The values follow a move in O(K).",
        {"cells": MIX, "k": "K = 5 is done by table, larger K by sliding, which takes several times as long"},
        spec="markcello:q=7,depth=10",
    ),
    Claim(
        "node of nisshoku",
        "node of nisshoku",
        "O(n·K) (004)",
        ("n·K",),
        ("1", "L", "s·K", "f"),
        "The evaluation follows a move by its four lines, mostly looked up.",
        {"cells": MIX, "k": MIX},
        spec="nisshoku:memory_mb=1",
    ),
    Claim(
        "node of alphabeta",
        "node of alphabeta",
        "–",
        (),
        ("K", "M·N"),
        reasons={"cells": MIX, "k": MIX},
        spec="alphabeta",
    ),
)
