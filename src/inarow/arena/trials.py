"""What `inarow check` puts a player through: boards on which players tend to fail, in both seats."""

from dataclasses import dataclass

from inarow.game import Game, Move, Seat, parse_position


@dataclass(frozen=True)
class Trial:
    """A game, or the beginning of one. The opponent plays random moves, the same ones each time.

    title       what is tried, in a few words
    opening     the moves that are on the board already
    own_moves   after so many moves of the player it ends; None: with the game
    with_clock  the player has a time for the whole game, not for each move
    """

    title: str
    game: Game
    seat: Seat
    opening: tuple[Move, ...] = ()
    own_moves: int | None = None
    with_clock: bool = False


_POSITIONS = (
    ("a small board", "3x3x3"),
    ("Connect-4", "6x7x4g"),
    ("a board of one cell", "1x1x1"),
    ("a board of one cell", "1x1x1g"),
    ("a board of one cell that nobody wins", "1x1x2"),
    ("one row", "1x7x3"),
    ("one column", "7x1x3"),
    ("one row", "1x7x3g"),
    ("one column", "7x1x3g"),
    ("K greater than both sides", "3x3x5"),
    ("K greater than both sides", "3x3x5g"),
    ("one in a row wins", "2x3x1"),
    ("one in a row wins", "2x3x1g"),
    ("two cells left", "3x3x3:a1.b1.c1.b2.a2.c2.b3"),
    ("full columns", "4x4x4g:a.b.a.b.b.a.b.a.c.c.c.c"),
    ("full columns, and the last cell", "2x3x3g:a.b.a.b.c"),
)
_LARGE = (("a large board", "70x70x10"), ("a large board", "70x70x10g"))
_LARGE_MOVES = 3
_QUICK_BOARDS = 4
_QUICK_MOVES = 4
_SMALL_CELLS = 16
_WITH_CLOCK = (("a clock for the whole game", "4x4x4"), ("a clock for the whole game", "6x7x4g"))


def all_trials() -> tuple[Trial, ...]:
    """The common boards first, then odd ones, large ones, and games with a clock; each in both seats."""
    trials = []
    for positions, own_moves, with_clock in (
        (_POSITIONS, None, False),
        (_LARGE, _LARGE_MOVES, False),
        (_WITH_CLOCK, None, True),
    ):
        for title, position in positions:
            board = parse_position(position)
            for seat in Seat:
                trials.append(Trial(title, board.game, seat, board.moves, own_moves, with_clock))  # noqa: PERF401
    return tuple(trials)


def quick_trials(games: tuple[Game, ...], with_clock: bool) -> tuple[Trial, ...]:
    """A few games on a few of these boards, from small to large and of both placements; the small ones to the end."""
    boards = sorted(set(games), key=lambda game: (game.gravity, game.rows * game.columns, str(game)))
    last = len(boards) - 1
    chosen = dict.fromkeys(boards[number * last // (_QUICK_BOARDS - 1)] for number in range(_QUICK_BOARDS))
    return tuple(
        Trial("a whole game", game, seat, with_clock=with_clock)
        if game.rows * game.columns <= _SMALL_CELLS
        else Trial("the first moves", game, seat, own_moves=_QUICK_MOVES, with_clock=with_clock)
        for game in chosen
        for seat in Seat
    )


def trials_on(games: tuple[Game, ...]) -> tuple[Trial, ...]:
    """The trials for a player that is made for some boards only: whole games there, each in both seats, and a clock."""
    return tuple(
        Trial("a clock for the whole game" if with_clock else "a whole game", game, seat, with_clock=with_clock)
        for with_clock in (False, True)
        for game in games
        for seat in Seat
    )
