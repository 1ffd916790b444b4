"""Seeded random games. A test that uses them prints the seed when it fails, because it is part of the test's name."""

from collections.abc import Iterator
from random import Random

from inarow import Board, Game, Line, Move, Seat

SEEDS = (1, 2)


def random_game(game: Game, seed: int, plies: int = 60) -> Iterator[tuple[Board, Move]]:
    """Plays a random game and yields the board after each move together with that move. The board is the same object
    each time; whoever changes it must change it back.

    So that games are won on large boards too, each seat has a line of its own on which it plays two moves out of three.
    """
    random = Random(f"{game} {seed}")
    goals = {seat: random_line(game, random) for seat in Seat}
    board = Board(game)
    while not board.is_over and board.ply < plies:
        goal = goals[board.turn] if random.random() < 2 / 3 else ()
        move = random_move(board, goal, random)
        board.push(move)
        yield board, move


def random_board(game: Game, seed: int, plies: int = 60) -> Board:
    """The board at the end of such a game."""
    board = Board(game)
    for _, move in random_game(game, seed, plies):
        board.push(move)
    return board


def random_line(game: Game, random: Random) -> Line:
    """One of the game's lines, without listing all of them; empty when there is none."""
    if not game.directions:
        return ()
    row_step, column_step = random.choice(game.directions)
    reach = game.k - 1
    row = random.randrange(game.rows - reach * row_step)
    column = random.randrange(game.columns - reach * abs(column_step)) + (reach if column_step < 0 else 0)
    return tuple((row + i * row_step, column + i * column_step) for i in range(game.k))


def random_move(board: Board, goal: Line, random: Random) -> Move:
    """A legal move, on the goal when it has room, without listing all moves on large boards."""
    game = board.game
    for _ in range(20):
        row, column = random.choice(goal) if goal else (random.randrange(game.rows), random.randrange(game.columns))
        move: Move = column if game.gravity else (row, column)
        if board.is_legal(move):
            return move
    return random.choice(board.legal_moves)
