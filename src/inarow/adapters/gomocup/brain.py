"""A brain: answers a manager's commands with a player's moves. Who reads and writes is loop.py's business."""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from inarow._version import __version__
from inarow.adapters.gomocup import swap2
from inarow.adapters.gomocup.commands import (
    OPPONENT,
    OWN,
    About,
    Begin,
    Command,
    Info,
    NBest,
    Restart,
    SetBoard,
    Start,
    Swap2,
    TakeBack,
    Turn,
    Unknown,
    Wrong,
    format_cell,
)
from inarow.adapters.gomocup.settings import SHORTEST, Settings
from inarow.engine import Engine
from inarow.errors import FormatError, IllegalMove, InarowError
from inarow.game import Board, Cell, Game, Limit, Move, Seat
from inarow.players import Player, ask, begin
from inarow.players.engine import EngineOptions, EnginePlayer

ABOUT = f'name="inarow", version="{__version__}", author="the inarow project", country="World", k="any"'
MAX_LINES = 50  # of YXNBEST
ADVISER_MEMORY_MB = 32
MOST_MEMORY_MB = 1024  # because a manager allows it; so much the system provides in the half second before a game


class Brain:
    """Answers one command after the other through `say`, which gets a line without its end.

    For one thread at a time; only `stop` may be called from others.
    """

    def __init__(self, player: Player, say: Callable[[str], None]) -> None:
        self._player = player
        self._say = say
        self._settings = Settings()
        self._board: Board | None = None
        self._begun: tuple[Game, Seat] | None = None
        self._stopped = threading.Event()
        self._own_engine = Engine(memory_mb=ADVISER_MEMORY_MB) if not isinstance(player, EnginePlayer) else None
        self._memory_mb = self._engine.memory_mb
        is_told = isinstance(player, EnginePlayer) and self._memory_mb != EngineOptions().memory
        self._wanted_memory_mb = self._memory_mb if is_told or self._own_engine is not None else MOST_MEMORY_MB
        self._arrived = 0.0

    def answer(self, command: Command, arrived: float, hurry: bool = False) -> None:
        """Does what a command wants. It came at `arrived` by time.perf_counter(); with `hurry` no time is taken."""
        self._arrived = arrived
        self._stopped.clear()
        if hurry:
            self._stopped.set()
        try:
            self._do(command)
        except InarowError as error:
            self._say(f"ERROR {error}")

    def get_ready(self) -> None:
        """Does what would otherwise be done in the time of the next move."""
        if self._board is not None and self._begun is None and not self._board.is_over:
            with contextlib.suppress(InarowError):  # the next move will say it
                self._begin(self._board)

    def stop(self) -> None:
        """Called from another thread: answer within milliseconds. What has not begun yet does not notice."""
        self._stopped.set()
        self._player.stop()
        if self._own_engine is not None:
            self._own_engine.stop()

    def close(self) -> None:
        self._player.close()

    # ── commands ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _do(self, command: Command) -> None:
        match command:
            case Start(rows, columns):
                self._new_game(rows, columns)
            case Restart():
                game = self._started.game
                self._new_game(game.rows, game.columns)
            case Begin():
                if self._started.ply > 0:
                    raise FormatError("BEGIN is for an empty board; RESTART makes one")
                self._move(self._empty_board())
            case Turn(cell):
                self._turn(cell)
            case TakeBack(cell):
                self._take_back(cell)
            case SetBoard(stones, wants_move):
                self._set_board(stones, wants_move)
            case Swap2(cells):
                self._swap2(cells)
            case NBest(number):
                self._tell_best(number)
            case Info(key, value):
                self._inform(key, value)
            case About():
                self._say(ABOUT)
            case Wrong(text):
                self._say(f"ERROR {text}")
            case Unknown(text):
                self._say(f"UNKNOWN {text}")

    def _new_game(self, rows: int, columns: int) -> None:
        self._settings.check_rule()
        self._board = Board(Game(rows, columns, self._settings.k))
        self._settings.new_game()
        self._begun = None
        self.get_ready()
        self._say("OK")

    def _turn(self, cell: Cell) -> None:
        board = self._started.copy() if self._started.ply > 0 else self._empty_board()
        _put(board, cell)
        self._move(board)

    def _take_back(self, cell: Cell) -> None:
        board = self._started
        if board.ply == 0 or board.moves[-1] != cell:
            raise FormatError(f"TAKEBACK takes the last move back, which is not {format_cell(cell)}")
        board.pop()
        self._say("OK")

    def _set_board(self, stones: tuple[tuple[Cell, int], ...], wants_move: bool) -> None:
        board = self._empty_board()
        for cell in in_turn(stones):
            _put(board, cell)
        if wants_move:
            self._move(board)
        else:
            self._settings.check_rule()
            self._board = board

    def _swap2(self, cells: tuple[Cell, ...]) -> None:
        """The opening stays on the board, with the stones of the answer."""
        self._settings.check_rule()
        board = self._empty_board()
        for cell in cells:
            _put(board, cell)
        answer = swap2.answer(self._engine, board, self._limit(), self._stopped.is_set)
        for cell in answer:
            board.push(cell)
        self._board = board
        self._say(" ".join(format_cell(cell) for cell in answer) or "SWAP")

    def _tell_best(self, number: int) -> None:
        """The lines, as messages, and then the move, which is played as if BOARD had asked for it."""
        board = self._started.copy()
        if board.is_over:
            raise IllegalMove(f"the game is over: {board.outcome}")
        self._settings.check_rule()
        lines = max(1, min(number, MAX_LINES, board.game.rows * board.game.columns - board.ply))
        *_, report = self._engine.analyse(board, self._limit(), lines)
        for place, variation in enumerate(report.variations, start=1):
            moves = " ".join(format_cell(_cell(move)) for move in variation.moves)
            self._say(f"MESSAGE {place}. {variation.words}, depth {variation.depth}: {moves}")
        self._play(board, _cell(report.best.move))

    def _inform(self, key: str, value: str) -> None:
        if not self._settings.tell(key, value):
            return
        most, threads = self._settings.most_memory_mb, self._settings.wanted_threads
        memory_mb = self._memory_mb if most is None else min(most, self._wanted_memory_mb)
        engine = self._engine
        if memory_mb != engine.memory_mb or threads not in (None, engine.threads):
            engine.memory_mb, engine.threads = memory_mb, threads or engine.threads
            self._begun = None

    # ── moves ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _move(self, board: Board) -> None:
        """Asks the player for its move on a board, which becomes the brain's with that move. Says the move.

        When that fails, the brain's board stays as it was.
        """
        if board.is_over:
            raise IllegalMove(f"the game is over: {board.outcome}")
        self._settings.check_rule()
        if self._begun != (board.game, board.turn):
            self._begin(board, is_asked=True)
        self._play(board, _cell(ask(self._player, board, self._limit()).move))

    def _play(self, board: Board, cell: Cell) -> None:
        board.push(cell)
        self._board = board
        self._settings.used += time.perf_counter() - self._arrived
        self._say(format_cell(cell))

    def _begin(self, board: Board, is_asked: bool = False) -> None:
        """A new game for the player, in the seat that is to move. When a move `is_asked` for, its time is running.

        Then the engine does not get ready first; where only the seat is another one, it goes on with what it knows.
        """
        if is_asked and isinstance(self._player, EnginePlayer):
            if self._begun is None or self._begun[0] != board.game:
                self._player.engine.forget()
            self._player.engine.seat = board.turn
        else:
            begin(self._player, board.game, board.turn, self._settings.limit(0.0))
        self._begun = board.game, board.turn

    def _limit(self) -> Limit:
        limit = self._settings.limit(time.perf_counter() - self._arrived)
        return replace(limit, seconds=SHORTEST) if self._stopped.is_set() else limit

    def _empty_board(self) -> Board:
        """Of the size that was started; INFO may have changed k since."""
        game = self._started.game
        return Board(Game(game.rows, game.columns, self._settings.k))

    @property
    def _started(self) -> Board:
        if self._board is None:
            raise FormatError("there is no board yet; START 15 makes one")
        return self._board

    @property
    def _engine(self) -> Engine:
        """What fair openings and the best lines are found with: the player's own engine if it has one."""
        if isinstance(self._player, EnginePlayer):
            return self._player.engine
        assert self._own_engine is not None
        return self._own_engine


def in_turn(stones: tuple[tuple[Cell, int], ...]) -> list[Cell]:
    """The stones of a BOARD in an order in which they can have been played, so that the brain is to move.

    The order of each side's stones stays. FormatError when no such order exists.

    >>> in_turn((((0, 0), 2), ((1, 1), 1), ((0, 2), 2)))
    [(0, 0), (1, 1), (0, 2)]
    """
    sides = {owner: [cell for cell, whose in stones if whose == owner] for owner in (OWN, OPPONENT)}
    own, others = sides[OWN], sides[OPPONENT]
    if len(own) + len(others) != len(stones):
        raise FormatError("BOARD has stones of 1, the brain's, and 2, the opponent's, and no others")
    if len(others) - len(own) not in (0, 1):
        raise FormatError(
            f"BOARD has {len(own)} stones of the brain's and {len(others)} of the opponent's: "
            "when the brain is to move, the opponent has as many or one more"
        )
    first, second = (own, others) if len(own) == len(others) else (others, own)
    order = [cell for pair in zip(first, second, strict=False) for cell in pair]
    return order + first[len(second) :]


def _put(board: Board, cell: Cell) -> None:
    """Plays a stone that the manager tells of. FormatError when it cannot be."""
    try:
        board.push(cell)
    except IllegalMove as error:
        raise FormatError(f"{format_cell(cell)} cannot be played: {error}") from None


def _cell(move: Move) -> Cell:
    assert not isinstance(move, int), "the protocol has no gravity"
    return move
