"""Perft by the Python rules, to be compared with the core's."""

from inarow import Board, Perft, Seat


def python_perft(board: Board, depth: int) -> Perft:
    """As inarow.perft, only slower. The board is left as it was."""
    plies = min(depth, board.game.rows * board.game.columns - board.ply) + 1
    nodes = [0] * plies
    wins = {seat: [0] * plies for seat in Seat}
    draws = [0] * plies

    def count(ply: int) -> None:
        nodes[ply] += 1
        outcome = board.outcome if board.is_over else None
        if outcome is not None:
            ends = draws if outcome.winner is None else wins[outcome.winner]
            ends[ply] += 1
        elif ply + 1 < plies:
            for move in board.legal_moves:
                board.push(move)
                count(ply + 1)
                board.pop()

    count(0)
    return Perft(tuple(nodes), tuple(wins[Seat.FIRST]), tuple(wins[Seat.SECOND]), tuple(draws), stopped=False)
