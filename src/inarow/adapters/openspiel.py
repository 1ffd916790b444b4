"""A bridge to OpenSpiel: its states of mnk, connect_four and tic_tac_toe are our boards, and back.

Its mnk has m columns and n rows; its actions are our own (encoding.py): a cell's number row by row from the top, or a
column. Its tensors differ from game to game, and are not used here. pip install 'inarow[openspiel]' brings pyspiel.
"""

from typing import Any

from inarow.adapters.encoding import action_of, missing, move_of
from inarow.errors import FormatError
from inarow.game import Board, Game

TIC_TAC_TOE = Game(3, 3, 3)


def game_of(spiel_game: Any) -> Game:
    """Our game for one of OpenSpiel's. FormatError when we have none."""
    name = spiel_game.get_type().short_name
    parameters = spiel_game.get_parameters()  # what is left out has its default
    match name:
        case "mnk":
            return Game(parameters.get("n", 15), parameters.get("m", 15), parameters.get("k", 5))
        case "connect_four":
            rows, columns = parameters.get("rows", 6), parameters.get("columns", 7)
            return Game(rows, columns, parameters.get("x_in_row", 4), gravity=True)
        case "tic_tac_toe":
            return TIC_TAC_TOE
    raise FormatError(f"OpenSpiel's {name} is none of our games: mnk, connect_four and tic_tac_toe are")


def board_of(state: Any) -> Board:
    """The board of an OpenSpiel state, with its moves."""
    game = game_of(state.get_game())
    board = Board(game)
    for action in state.history():
        board.push(move_of(game, action))
    return board


def state_of(board: Board) -> Any:
    """An OpenSpiel state of mnk, or with gravity of connect_four, that shows the board, with its moves."""
    try:
        import pyspiel
    except ModuleNotFoundError as error:
        raise missing(error, "openspiel", "pyspiel") from error
    game = board.game
    if game.gravity:
        spiel_game = pyspiel.load_game("connect_four", {"rows": game.rows, "columns": game.columns, "x_in_row": game.k})
    else:
        spiel_game = pyspiel.load_game("mnk", {"m": game.columns, "n": game.rows, "k": game.k})
    state = spiel_game.new_initial_state()
    for move in board.moves:
        state.apply_action(action_of(game, move))
    return state
