"""How each operation's time grows, beside what the reports and the core claim: `make costs`, or from the project's
root `python -m benchmarks.growth PROGRAM` with the program built from benchmarks/growth.cpp. Writes docs/costs.md and
the figures under docs/costs/.

The program measures the operations; whole nodes are measured here, by asking the players for a move.
"""

import argparse
import csv
import importlib.util
import math
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import mul
from pathlib import Path
from random import Random
from statistics import fmean, linear_regression, median

from benchmarks.growth_claims import CLAIMS, SWEEPS, Claim, Point, term_value
from inarow import Board, Choice, Game, Limit, make_player
from inarow.engine import position_of

DOCUMENT = Path(__file__).parents[1] / "docs" / "costs.md"
PROGRAM_SECONDS = 600  # the program must be done by then
TOLERANCE = 0.15  # an exponent further than this from the claim's range is said to differ
LARGEST_ERROR = 0.25  # a straight line that misses a point by a larger part of its time is not shown

NODE_ROUNDS = 5
NODE_BOARDS = 3
NODES_A_CELL = 16
LEAST_NODES = 1000
CELLS_A_STONE = 32
MARKCELLO_Q = 7

# --- Measuring --------------------------------------------------------------------------------------------------------


def operation_points(program: Path) -> list[Point]:
    """What the C++ program measures."""
    run = subprocess.run([program], check=True, capture_output=True, text=True, timeout=PROGRAM_SECONDS)
    points = []
    for row in csv.DictReader(run.stdout.splitlines()):
        rows, columns, k, free, q = (int(row[name]) for name in ("rows", "columns", "k", "free", "q"))
        points.append(Point(row["operation"], row["sweep"], rows, columns, k, free, q, float(row["nanoseconds"])))
    return points


def quiet_board(game: Game, seed: int) -> Board:
    """A board with a stone on one cell in 32, on which nobody can win with the next move."""
    random = Random(seed)
    board = Board(game)
    while board.ply < game.rows * game.columns // CELLS_A_STONE:
        mover = board.turn
        board.push(random.choice(board.legal_moves))
        if board.is_over or position_of(board).winning_cells(mover):
            board.pop()
    return board


def node_nanoseconds(spec: str, boards: Iterable[Board], nodes: int) -> float:
    """Processor time for a node, over one move of a fresh player on each board, limited to so many nodes."""
    visited, seconds = 0, 0.0
    for board in boards:
        player = make_player(spec)
        player.start(board.game, board.turn, Limit(nodes=nodes))
        begin = time.thread_time()
        choice = player.choose(board.copy(), Limit(nodes=nodes))
        seconds += time.thread_time() - begin
        assert isinstance(choice, Choice)
        visited += choice.nodes
    return 1e9 * seconds / visited


def node_settings(claim: Claim) -> list[tuple[str, Game, int]]:
    """The sweeps in which a player's node is measured: what grows, the game, the limit of nodes."""
    slow = "crossings" in claim.operation  # a node takes as long as a whole search of the others
    sides = (8, 12, 16, 24) if slow else (8, 12, 16, 24, 32, 48)
    games = [("cells", Game(side, side, 5, gravity=claim.gravity)) for side in sides]
    side = 24 if slow else 32
    games += [("k", Game(side, side, k, gravity=claim.gravity)) for k in (5, 6, 8, 10, 12, 16)]
    return [
        (sweep, game, LEAST_NODES if slow else max(LEAST_NODES, NODES_A_CELL * game.rows * game.columns))
        for sweep, game in games
    ]


def node_points() -> list[Point]:
    """A node of each player, in each round once in every setting."""
    cases: list[tuple[Claim, str, list[Board], int, list[float]]] = []
    for claim in CLAIMS:
        if claim.spec is not None:
            for sweep, game, nodes in node_settings(claim):
                boards = [quiet_board(game, seed) for seed in range(NODE_BOARDS)]
                cases.append((claim, sweep, boards, nodes, []))
    for _ in range(NODE_ROUNDS):
        for claim, _, boards, nodes, times in cases:
            assert claim.spec is not None
            times.append(node_nanoseconds(claim.spec, boards, nodes))
    points = []
    for claim, sweep, (board, *_), _, times in cases:
        game = board.game
        free = game.rows * game.columns - board.ply
        size = (game.rows, game.columns, game.k, free, MARKCELLO_Q)
        points.append(Point(claim.operation, sweep, *size, median(times)))
    return points


# --- Fitting ----------------------------------------------------------------------------------------------------------


def slope(points: Sequence[Point], values: Sequence[float]) -> tuple[float, float]:
    """The exponent with which values grow along the sweep, by least squares on logarithms, and its standard error."""
    x = [math.log(point.x) for point in points]
    y = [math.log(value) for value in values]
    line = linear_regression(x, y)
    squares = sum((b - line.slope * a - line.intercept) ** 2 for a, b in zip(x, y, strict=True))
    return line.slope, math.sqrt(squares / (len(x) - 2) / sum((a - fmean(x)) ** 2 for a in x))


@dataclass(frozen=True)
class Range:
    """What a claim predicts along a sweep: from the exponent of its slowest term to that of its fastest."""

    low: float
    high: float

    @classmethod
    def of(cls, terms: Sequence[str], points: Sequence[Point]) -> "Range":
        exponents = [slope(points, [term_value(term, point) for point in points])[0] for term in terms]
        return cls(min(exponents), max(exponents))

    def __str__(self) -> str:
        low, high = shown(self.low), shown(self.high)
        return low if low == high else f"{low} to {high}"


@dataclass(frozen=True)
class Fit:
    """The exponent of an operation's time along a sweep, with its standard error; `upper` is that of its upper half."""

    claim: Claim
    points: list[Point]
    exponent: float
    error: float
    upper: float

    @property
    def sweep(self) -> str:
        return self.points[0].sweep

    @property
    def name(self) -> str:
        return SWEEPS[self.sweep] + (" with 16 stones" if self.sweep == "stones" else "")

    @property
    def claimed(self) -> Range:
        return Range.of(self.claim.terms, self.points)

    @property
    def differs(self) -> bool:
        return not self.claimed.low - TOLERANCE <= self.exponent <= self.claimed.high + TOLERANCE


def fitted(points: Iterable[Point]) -> list[Fit]:
    """A fit for each operation and sweep, in the order of CLAIMS."""
    claims = {claim.operation: claim for claim in CLAIMS}
    fits = []
    for (operation, _), group in groupby(points, key=lambda point: (point.operation, point.sweep)):
        along = list(group)
        times = [point.nanoseconds for point in along]
        half = min(len(along) // 2, len(along) - 3)
        upper, _ = slope(along[half:], times[half:])
        fits.append(Fit(claims[operation], along, *slope(along, times), upper))
    return sorted(fits, key=lambda fit: CLAIMS.index(fit.claim))


# --- Writing ----------------------------------------------------------------------------------------------------------

INTRODUCTION = """# What the operations cost

Written by `make costs` (benchmarks/growth.py), which measures everything anew. Do not edit.

The five reports that the players come from end in costs: 000 Cadrega, 001 Telos, 002 MarkCello, 003 helpfulness,
004 Nisshoku. Here they stand beside what our version of an operation should cost and how its time was found to grow.

- **M**, **N** and **K** are the game's, **f** are the free cells, **n** the stones, **q** the best moves that
  a node looks at, **L** the cells of a whole line of the board and **s** the stones on it.
- A measured fit is the exponent e when the time grows as x^e: the slope of the least-squares line through (log x, log
  time), along a sweep in which only x grows, as far as that can be. The number in brackets is what our claim gives in
  the same sweep, or from its slowest to its fastest term where it has several.
- Times are processor times, medians over rounds in each of which every operation has its turn. The nanoseconds are
  those of the machine that measured last; the exponents should be much the same on any.
- A node is the mean over a player's search with a fixed number of nodes, leaves and inner nodes together.
"""

COULD_BE_BETTER = """## Where ours costs more than it must

- All moves in ascending order (alphabeta, telos, cadrega) come from a loop over the M·N cells of the board, since the
  array of the f free cells is in another order. On an almost full board that is most of the list's time.
- The cells next to a stone (nisshoku) are found among all free cells, in O(f). With 16 stones on every board the list
  hardly changes, and yet its time grows with the board. The report's map holds these cells alone.
- A win or a block (cadrega) is looked for in all windows, eight at a time, whatever f is.
- telos:crossings=on counts all windows anew for each move it puts in order: O(f·M·N·K) for an inner node, with gravity
  O(N·M·N·K).
- A chain (nisshoku) looks for room along its whole line. Where each stone is a chain, as with K = 3, a line that is not
  looked up costs O(s·L), not O(L + s·K).
"""

SETTINGS = """The sweeps, where the operation does not say otherwise: K on 128 × 128; M·N on square boards with K = 5 (8
for the sliding maximum); f on 48 × 48 with K = 8; q on 64 × 64 with K = 5; N on 32 rows with K = 5; for nodes K on
32 × 32 (24 × 24 with crossings). Where f is not what grows, one cell in 32 has a stone.

The upper half is a fit over the larger half of x alone, at least three points: nearer to what a claim is about, and
less certain.
"""


def shown(value: float) -> str:
    return f"{value:.2f}".replace("-0.00", "0.00")


def time_text(nanoseconds: float) -> str:
    for unit, size in (("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def table(*rows: Sequence[str]) -> str:
    """A table whose first row is its head."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join((lines[0], "|---" * len(rows[0]) + "|", *lines[1:]))


def claims_table(fits: Sequence[Fit]) -> str:
    rows = []
    for claim, group in groupby(fits, key=lambda fit: fit.claim):
        measured = "; ".join(f"{fit.name}: **{shown(fit.exponent)}** ({fit.claimed})" for fit in group)
        rows.append((claim.title, claim.report, claim.ours, measured))
    return table(("operation", "the report's claim", "our claim", "measured fit (our claim's)"), *rows)


def fits_table(fits: Sequence[Fit]) -> str:
    rows = []
    for fit in fits:
        first, last = fit.points[0], fit.points[-1]
        report = fit.claim.report_terms
        rows.append(
            (
                fit.claim.title,
                fit.name,
                f"{first.x:g} … {last.x:g}",
                f"{time_text(first.nanoseconds)} … {time_text(last.nanoseconds)}",
                str(Range.of(report, fit.points)) if report else "–",
                str(fit.claimed),
                f"{shown(fit.exponent)} ± {fit.error:.2f}",
                shown(fit.upper),
            )
        )
    head = ("operation", "x", "x from … to", "time from … to", "report's exponent", "ours", "measured", "upper half")
    return table(head, *rows)


def bullets(texts: Iterable[str]) -> str:
    return "\n".join(textwrap.fill(text, 120, initial_indent="- ", subsequent_indent="  ") for text in texts)


def straight_line(fit: Fit) -> str | None:
    """The time as a constant plus a multiple of the claim, where that comes close to all points; by least squares."""
    term, *more = fit.claim.terms
    ours = [term_value(term, point) for point in fit.points]
    times = [point.nanoseconds for point in fit.points]
    if more or min(ours) == max(ours):
        return None
    weights = [1 / time**2 for time in times]  # relative errors count
    mean = fmean(ours, weights)
    bends = [weight * (value - mean) for weight, value in zip(weights, ours, strict=True)]
    factor = sum(map(mul, bends, times)) / sum(map(mul, bends, ours))
    constant = fmean(times, weights) - factor * mean
    worst = max(abs(constant + factor * value - time) / time for value, time in zip(ours, times, strict=True))
    if constant < 0 or factor < 0 or worst > LARGEST_ERROR:
        return None
    return f"{time_text(constant)} + {time_text(factor)} × {term} is within {100 * worst:.0f} % of every point"


def differences(fits: Iterable[Fit]) -> str:
    texts = []
    for fit in fits:
        if fit.differs:
            reason = fit.claim.reasons.get(fit.sweep, "No reason is known")
            line = straight_line(fit)
            texts.append(
                f"{fit.claim.title}, along {fit.name}: {shown(fit.exponent)}, in the upper half {shown(fit.upper)}, "
                f"instead of {fit.claimed}. {reason}{f': {line}' if line else ''}."
            )
    return bullets(texts) or "Nowhere."


def document(fits: Sequence[Fit]) -> str:
    better = (f"**{claim.title}**: {claim.report} → {claim.ours}. {claim.better}" for claim in CLAIMS if claim.better)
    figures = (f"![{title}](costs/{name}.svg)" for name, (title, _) in FIGURES.items())
    parts = (
        INTRODUCTION.rstrip(),
        claims_table(fits),
        "## Where ours is better, and why",
        bullets(better),
        "## Where a fit differs from our claim",
        f"By more than {TOLERANCE} from what the claim's terms give.",
        differences(fits),
        COULD_BE_BETTER.rstrip(),
        "## Figures",
        "Both axes are logarithmic, so that an exponent is a slope; it stands behind each name.",
        "\n\n".join(figures),
        "## All fits",
        SETTINGS.rstrip(),
        fits_table(fits),
    )
    return "\n\n".join(parts) + "\n"


# For each figure its title, and its panels: a title, the sweep, and whether it shows nodes or else operations.
FIGURES = {
    "over-k": ("Time by K", (("operations on 128 × 128", "k", False), ("nodes", "k", True))),
    "over-cells": (
        "Time by M·N",
        (("operations, K = 5 (sliding: 8)", "cells", False), ("nodes, K = 5", "cells", True)),
    ),
    "over-free": (
        "Time by f and by q",
        (("operations on 48 × 48, K = 8", "free", False), ("operations on 64 × 64, K = 5", "q", False)),
    ),
}


def plot(fits: Sequence[Fit], folder: Path) -> None:
    """One SVG for each of FIGURES."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "inarow", "font.size": 8})
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    for name, (_, panels) in FIGURES.items():
        figure, axes = pyplot.subplots(1, len(panels), figsize=(12, 5), layout="constrained")
        for axis, (title, sweep, nodes) in zip(axes, panels, strict=True):
            chosen = [fit for fit in fits if fit.sweep == sweep and (fit.claim.spec is not None) == nodes]
            for number, fit in enumerate(chosen):
                axis.plot(
                    [point.x for point in fit.points],
                    [point.nanoseconds for point in fit.points],
                    label=f"{fit.claim.operation}  {shown(fit.exponent)}",
                    color=f"C{number % 10}",
                    linestyle="-" if number < 10 else "--",
                    linewidth=1,
                )
            axis.set(xscale="log", yscale="log", title=title, xlabel=SWEEPS[sweep])
            ticks = sorted({point.x for fit in chosen for point in fit.points})
            axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks], rotation=45)
            times = [point.nanoseconds for fit in chosen for point in fit.points]
            axis.set_ylim(10 ** math.floor(math.log10(min(times))), 10 ** math.ceil(math.log10(max(times))))
            axis.yaxis.set_major_formatter(lambda value, _: time_text(value))
            axis.minorticks_off()
            axis.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
        pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path, help="what is built from benchmarks/growth.cpp")
    program = parser.parse_args().program.resolve()
    if importlib.util.find_spec("matplotlib") is None:
        sys.exit("the figures need matplotlib: pip install 'inarow[reports]'")
    fits = fitted(operation_points(program) + node_points())
    plot(fits, DOCUMENT.with_suffix(""))
    DOCUMENT.write_text(document(fits), encoding="utf-8")
    print(f"docs/{DOCUMENT.name}: {len(fits)} fits, {sum(fit.differs for fit in fits)} of them unlike their claim")


if __name__ == "__main__":
    main()
