"""A player of your own, in fifteen lines: inarow check python:examples/win_or_centre.py:WinOrCentre"""

import time


class WinOrCentre:
    """Plays a move that wins, if it finds one in time; else the one in the middle of the legal moves."""

    def choose(self, board, limit):
        deadline = time.perf_counter() + (limit.seconds or 1.0) / 2
        for move in board.legal_moves:
            board.push(move)
            outcome = board.outcome
            board.pop()
            if outcome is not None and outcome.winner is not None:
                return move
            if time.perf_counter() > deadline:
                break
        return board.legal_moves[len(board.legal_moves) // 2]
