"""Whole games in this process: what `demo` and `tune` are made of."""

from inarow.game import Board, Game, Limit, Seat
from inarow.players import Player, ask, begin, make_player


def play_game(game: Game, players: list[Player], limit: Limit, opening: Board | None = None) -> Board:
    """Plays a game, from an opening if there is one; the board at its end."""
    board = Board(game) if opening is None else opening.copy()
    for seat, player in zip(Seat, players, strict=True):
        begin(player, game, seat, limit)
    while not board.is_over:
        board.push(ask(players[board.turn], board, limit).move)
    return board


def points(board: Board) -> tuple[float, float]:
    """Of the two seats at the end of a game: 1 for a win, a half for a draw."""
    outcome = board.outcome
    assert outcome is not None
    if outcome.winner is None:
        return 0.5, 0.5
    return (1.0, 0.0) if outcome.winner is Seat.FIRST else (0.0, 1.0)


def random_opening(game: Game, number: int) -> Board:
    """Two random plies, the same for the same number; the empty board where they would end the game."""
    random = make_player(f"random:seed={number}")
    board = Board(game)
    for _ in range(2):
        board.push(ask(random, board, Limit()).move)
        if board.is_over:
            return Board(game)
    return board
