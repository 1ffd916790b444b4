"""`helpfulness`: greedy, no search. Report 003, Girotti and Ruggiero ("MiliardarioRicco"), (M,N,K)-game 2021/22, 11th
of 48 in the course's tournament.

The idea, after Hayes and Loge: a free cell is helpful to a player by the windows through it that the other has no
stone in, 1 for each and 1 more for each stone already in it; its helpfulness is the sum for both players. Before that
come, in this order: a win, stopping a win, and a double play, one's own and then the other's: a stone that leaves two
ways to win at once. Equally helpful cells are told apart by the stones in their windows, own ones first.

(The report adds fixed bonuses instead, which a large sum can overtake, and may miss its own win. Here the ranks are
ranks.)
"""

from inarow._core import CellReport, cell_reports
from inarow.engine import move_of, position_of
from inarow.game import Board, Limit
from inarow.players.base import Choice, Player
from inarow.players.options import NoOptions


def rank(report: CellReport) -> tuple[int, ...]:
    """What cells are compared by, the most important first."""
    helpfulness = report.windows + report.stones + report.other_windows + report.other_stones
    return (
        report.wins,
        report.other_wins,
        report.doubles,
        report.other_doubles,
        helpfulness,
        report.stones,
        report.other_stones,
    )


class Helpfulness(Player):
    def __init__(self, options: NoOptions) -> None:
        pass

    def choose(self, board: Board, limit: Limit) -> Choice:
        reports = cell_reports(position_of(board))
        best = max(reports, key=rank)  # the first, that is the lowest cell, of several
        return Choice(move_of(board.game, best.cell), nodes=len(reports), depth=1, score=rank(best)[4])
