"""Solves the games of a table of values, and shows the table."""

import contextlib
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from inarow.errors import ProofError
from inarow.executors import Crew
from inarow.game import Board, Game
from inarow.solver.solution import UNKNOWN, Effort, Solution, Solver
from inarow.solver.values import Value, ValueTable


def fill(
    table: ValueTable, games: Iterable[Game], solve: Solver, effort: Effort, crew: Crew, proofs: Path | None = None
) -> Iterator[tuple[Game, Value | None]]:
    """Solves games and adds what comes out to the table; yields each when it is there, None for what stays unknown.

    proofs  a folder for proofs, GAME.proof; the effort must ask for them
    """
    for game, solution in crew.run(functools.partial(solve_empty, solve, effort), games):
        value = None
        if solution.value != UNKNOWN:
            if proofs is not None and solution.proof is not None:
                solution.proof.write(proofs / f"{game}.proof")
            value = value_of(game, solution)
            table.add(value)
        yield game, value


def solve_empty(solve: Solver, effort: Effort, game: Game) -> Solution:
    """In a worker: solves a game from its empty board. A value whose proof would be too long comes without one."""
    ask = functools.partial(
        solve, Board(game), effort.limit, memory_mb=effort.memory_mb, shortest=effort.shortest, best_moves=False
    )
    if effort.proof:
        with contextlib.suppress(ProofError):
            return ask(proof=True)
    return ask()


def value_of(game: Game, solution: Solution) -> Value:
    return Value(
        game=game,
        value=solution.value,
        plies=solution.plies,
        method=solution.method,
        proof_sha256=None if solution.proof is None else solution.proof.sha256,
        seconds=round(solution.seconds, 3),
        nodes=solution.nodes,
    )


def missing(table: ValueTable, games: Iterable[Game], effort: Effort) -> list[Game]:
    """The games that are still to be solved: those that the table does not know, or only without what is asked for."""
    left = []
    for game in games:
        known = table.get(game)
        lacks_plies = known is not None and effort.shortest and known.plies is None and known.value != "draw"
        if known is None or lacks_plies or (effort.proof and known.proof_sha256 is None):
            left.append(game)
    return left


# --- the table as people read it ---


@dataclass(frozen=True)
class Grid:
    """All that is known of one k and placement.

    methods  the letter that marks each method
    lines    the rows of boards, and in each the columns: texts, "" where nothing is known
    """

    gravity: bool
    k: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    methods: dict[str, str]
    lines: tuple[tuple[str, ...], ...]

    @property
    def title(self) -> str:
        return f"{'Gravity' if self.gravity else 'Free placement'}, k = {self.k}"


def grids(table: ValueTable) -> list[Grid]:
    """What a table knows, one grid for each placement and k."""
    letters = {method: chr(ord("a") + n % 26) for n, method in enumerate(sorted({each.method for each in table}))}
    found: dict[tuple[bool, int], list[Game]] = {}
    for each in table:
        games = found.setdefault((each.game.gravity, each.game.k), [])
        games.append(each.game)
        if not each.game.gravity:
            games.append(Game(each.game.columns, each.game.rows, each.game.k))
    result = []
    for (gravity, k), games in found.items():
        rows = tuple(sorted({game.rows for game in games}))
        columns = tuple(sorted({game.columns for game in games}))
        known = [[table.get(Game(m, n, k, gravity)) for n in columns] for m in rows]
        lines = tuple(tuple("" if value is None else shown(value, letters) for value in line) for line in known)
        methods = {value.method: letters[value.method] for line in known for value in line if value is not None}
        result.append(Grid(gravity, k, rows, columns, methods, lines))
    return result


def shown(value: Value, letters: dict[str, str]) -> str:
    """
    >>> shown(Value(Game(6, 7, 4, True), "win", 41, "search"), {"search": "a"})
    '1(41) a'
    """
    winner = {"win": "1", "loss": "2", "draw": "D"}[value.value]
    last = "" if value.plies is None or value.value == "draw" else f"({value.plies})"
    return f"{winner}{last} {letters[value.method]}{'*' if value.proof_sha256 else ''}"


def page(table: ValueTable) -> str:
    """docs/values.md."""
    parts = [
        "# Who wins",
        "",
        "Values of empty boards when both play their best: 1 first wins, 2 second wins, D draw; in brackets the number",
        "of the last move, where it is known to be exact. The letter names the method, * marks a value with a proof.",
        "Without gravity a board and the same board turned are one game; nothing is concluded for other boards.",
        "",
        "`inarow values --docs FILE` makes this page, here from `src/inarow/solver/values.jsonl`.",
    ]
    for grid in grids(table):
        parts += ["", f"## {grid.title}", "", "| rows \\ columns | " + " | ".join(map(str, grid.columns)) + " |"]
        parts.append("|---" * (len(grid.columns) + 1) + "|")
        parts += [f"| {m} | " + " | ".join(line) + " |" for m, line in zip(grid.rows, grid.lines, strict=True)]
        parts += ["", ", ".join(f"{letter} {method}" for method, letter in sorted(grid.methods.items()))]
    return "\n".join(parts) + "\n"
