"""The truth about the rules, in pure Python: games, boards, notation, records."""

from inarow.game.board import Board
from inarow.game.exchange import from_psq, to_pgn, to_psq
from inarow.game.limit import Limit
from inarow.game.notation import (
    cell_name,
    format_connect4,
    format_move,
    format_position,
    parse_connect4,
    parse_game,
    parse_move,
    parse_moves,
    parse_position,
    play_moves,
)
from inarow.game.picture import parse_picture
from inarow.game.record import Record
from inarow.game.rules import DIRECTIONS, Cell, Game, Line, Move, Outcome, Reason, Seat, Symmetry
from inarow.game.sgf import parse_sgf, to_sgf, write_sgf
from inarow.game.tree import GameTree

__all__ = [
    "DIRECTIONS",
    "Board",
    "Cell",
    "Game",
    "GameTree",
    "Limit",
    "Line",
    "Move",
    "Outcome",
    "Reason",
    "Record",
    "Seat",
    "Symmetry",
    "cell_name",
    "format_connect4",
    "format_move",
    "format_position",
    "from_psq",
    "parse_connect4",
    "parse_game",
    "parse_move",
    "parse_moves",
    "parse_picture",
    "parse_position",
    "parse_sgf",
    "play_moves",
    "to_pgn",
    "to_psq",
    "to_sgf",
    "write_sgf",
]
