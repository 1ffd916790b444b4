"""`rules`: five rules and no search, as report 002 quotes them from Zain and others, "Development of Tic-Tac-Toe Game
Using Heuristic Search" (2020).

1. Win if you can. 2. Stop the opponent's win. 3. Make a fork, that is two ways to win at once. 4. Do not let the
opponent make a fork. 5. Otherwise play where the most lines can still be won.
"""

import time

from inarow._core import CellReport, Position, cell_reports, fork_cells
from inarow.engine import move_of, position_of
from inarow.engine.timing import hard_seconds
from inarow.game import Board, Limit
from inarow.players.base import Choice, Player
from inarow.players.options import NoOptions
from inarow.solver.gravity import free_cells


class Rules(Player):
    def __init__(self, options: NoOptions) -> None:
        pass

    def choose(self, board: Board, limit: Limit) -> Choice:
        seconds = hard_seconds(limit, free_cells(board))
        deadline = None if seconds is None else time.perf_counter() + seconds
        position = position_of(board)
        reports = cell_reports(position)
        left = (
            [report for report in reports if report.wins]
            or [report for report in reports if report.other_wins]
            or _only(reports, fork_cells(position, board.turn))
            or self._without_forks(board, position, reports, deadline)
            or reports
        )
        best = max(left, key=lambda report: report.windows)
        return Choice(move_of(board.game, best.cell), nodes=len(reports), depth=1, score=best.windows)

    def _without_forks(
        self, board: Board, position: Position, reports: list[CellReport], deadline: float | None
    ) -> list[CellReport]:
        """Rule 4: the cells after which the opponent has no fork, as far as the time reaches, the best first."""
        opponent = board.turn.other
        if not board.game.gravity and not fork_cells(position, opponent):
            return reports  # a stone takes lines from the opponent and gives it none; with gravity it opens a cell
        found: list[CellReport] = []
        for report in sorted(reports, key=lambda report: -report.windows):
            if deadline is not None and time.perf_counter() > deadline:
                break
            position.make(report.cell)
            if position.is_over or not fork_cells(position, opponent):
                found.append(report)
            position.unmake()
        return found


def _only(reports: list[CellReport], cells: list[int]) -> list[CellReport]:
    wanted = set(cells)
    return [report for report in reports if report.cell in wanted]
