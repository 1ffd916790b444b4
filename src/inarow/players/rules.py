"""`rules`: five rules and no search, as report 002 quotes them from Zain and others, "Development of Tic-Tac-Toe Game
Using Heuristic Search" (2020).

1. Win if you can. 2. Stop the opponent's win. 3. Make a fork, that is two ways to win at once. 4. Do not let the
opponent make a fork. 5. Otherwise play where the most lines can still be won.
"""

import time

from inarow._core import CellReport, Position, cell_reports, makes_fork
from inarow.engine import move_of, position_of
from inarow.game import Board, Limit
from inarow.players.base import Choice, Player
from inarow.players.options import NoOptions
from inarow.players.timing import hard_seconds


class Rules(Player):
    def __init__(self, options: NoOptions) -> None:
        pass

    def choose(self, board: Board, limit: Limit) -> Choice:
        begin = time.perf_counter()
        seconds = hard_seconds(limit)
        position = position_of(board)
        reports = cell_reports(position)
        for rule in ("wins", "other_wins"):
            if found := [report for report in reports if getattr(report, rule)]:
                return self._answer(board, found)
        if forks := [report for report in reports if makes_fork(position, report.cell, board.turn)]:
            return self._answer(board, forks)
        deadline = None if seconds is None else begin + seconds
        return self._answer(board, self._without_forks(board, position, reports, deadline) or reports)

    def _answer(self, board: Board, reports: list[CellReport]) -> Choice:
        """Rule 5 among the cells that the other rules leave."""
        best = max(reports, key=lambda report: report.windows)
        return Choice(move_of(board.game, best.cell), nodes=len(reports), depth=1, score=best.windows)

    def _without_forks(
        self, board: Board, position: Position, reports: list[CellReport], deadline: float | None
    ) -> list[CellReport]:
        """Rule 4: the cells after which the opponent has no fork, as far as the time reaches, the best first."""
        opponent, gravity = board.turn.other, board.game.gravity
        forks = [report.cell for report in reports if makes_fork(position, report.cell, opponent)]
        if not forks and not gravity:
            return reports  # a stone takes lines from the opponent and gives it none
        found = []
        for report in sorted(reports, key=lambda report: -report.windows):
            if deadline is not None and time.perf_counter() > deadline:
                break
            position.make(report.cell)
            candidates = position.legal_cells if gravity else [cell for cell in forks if cell != report.cell]
            if not any(makes_fork(position, cell, opponent) for cell in candidates):
                found.append(report)
            position.unmake()
        return found
