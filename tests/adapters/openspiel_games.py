"""Random games in OpenSpiel and on our boards, compared move by move: python -m tests.adapters.openspiel_games

It needs pyspiel: pip install 'inarow[openspiel]'.
"""

import argparse
from random import Random

from inarow import Board, Seat
from inarow.adapters import openspiel
from inarow.adapters.encoding import action_of, move_of

GAMES = (
    "tic_tac_toe",
    "mnk",
    "mnk(m=4,n=3,k=3)",
    "mnk(m=3,n=5,k=3)",
    "mnk(m=7,n=6,k=4)",
    "mnk(m=9,n=9,k=5)",
    "connect_four",
    "connect_four(rows=5,columns=4,x_in_row=3)",
    "connect_four(rows=4,columns=8,x_in_row=4)",
    "connect_four(rows=7,columns=7,x_in_row=5)",
)


def compare(name: str, games: int, seed: int = 1) -> int:
    """Plays random games of an OpenSpiel game; how many positions were compared. AssertionError where we differ."""
    import pyspiel

    spiel_game = pyspiel.load_game(name)
    game = openspiel.game_of(spiel_game)
    random = Random(f"{name} {seed}")
    positions = 0
    for number in range(games):
        state, board = spiel_game.new_initial_state(), Board(game)
        while True:
            positions += 1
            where = f"{name}, seed {seed}, game {number}: {board!r}"
            legal = [action_of(game, move) for move in board.legal_moves]
            assert state.is_terminal() == board.is_over, where
            assert (state.legal_actions() if not state.is_terminal() else []) == legal, where
            if board.is_over:
                break
            assert state.current_player() == board.turn, where
            action = random.choice(legal)
            state.apply_action(action)
            board.push(move_of(game, action))
        assert board.outcome is not None
        winner = board.outcome.winner
        expected = [0.0 if winner is None else 1.0 if winner is seat else -1.0 for seat in Seat]
        assert state.returns() == expected, where
        assert openspiel.board_of(state).moves == board.moves, where
        assert openspiel.state_of(board).history() == state.history(), where
    return positions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="how many, over all kinds together")
    arguments = parser.parse_args()
    for name in GAMES:
        games = arguments.games // len(GAMES)
        print(f"{name}: {games} games, {compare(name, games)} positions, no difference", flush=True)


if __name__ == "__main__":
    main()
