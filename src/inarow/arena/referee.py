"""The referee: plays a game between two players, and forfeits it when one of them breaks the rules."""

import contextlib
import io
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Protocol

from inarow.arena.faults import Fault, Kind, fault_of, presentable
from inarow.arena.host import DEFAULT_RESOLVER, load_resolver
from inarow.arena.process import PlayerProcess, move_seconds
from inarow.arena.spec import Entry, GameJob, RefereeRules
from inarow.errors import IllegalMove, InarowError
from inarow.game import Board, Limit, Move, Outcome, Reason, Record, Seat, play_moves
from inarow.players import Choice, ask, begin

WARM_PLAYERS = 8
MAX_NOTES = 20  # of what a player says with a move the last so many lines are kept


class Contestant(Protocol):
    """A player as the referee deals with it. begin and choose raise a Fault when it breaks a rule."""

    @property
    def is_alive(self) -> bool: ...
    def begin(self, board: Board, seat: Seat, limit: Limit) -> None: ...
    def choose(self, board: Board, limit: Limit) -> Choice: ...
    def freeze(self) -> None: ...
    def close(self) -> None: ...


class LocalPlayer:
    """A player in the referee's own process: nothing but its good will ends a move that takes too long."""

    is_alive = True

    def __init__(
        self, spec: str, resolver: str, rules: RefereeRules, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._rules = rules
        self._clock = clock
        try:
            self._player = load_resolver(resolver)(spec)
        except InarowError as error:
            raise fault_of(error, while_starting=True) from None

    def begin(self, board: Board, seat: Seat, limit: Limit) -> None:
        self._timed(lambda: begin(self._player, board.game, seat, limit), limit, is_start=True)

    def choose(self, board: Board, limit: Limit) -> Choice:
        choices: list[Choice] = []
        seconds = self._timed(lambda: choices.append(ask(self._player, board, limit)), limit, is_start=False)
        return replace(choices[0], seconds=seconds)

    def freeze(self) -> None:
        """It shares the referee's process, which does not wait meanwhile."""

    def close(self) -> None:
        self._player.close()

    def _timed(self, work: Callable[[], None], limit: Limit, is_start: bool) -> float:
        begin_time = self._clock()
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                work()
        except InarowError as error:
            raise fault_of(error, while_starting=is_start) from None
        seconds = self._clock() - begin_time
        if printed.getvalue():
            raise Fault(Kind.PRINTED, repr(printed.getvalue()[:200]))
        allowed = move_seconds(limit)
        extra = self._rules.start_seconds if is_start else self._rules.tolerance
        if allowed is not None and seconds > allowed + extra:
            late = Kind.START_LATE if is_start else Kind.LATE
            raise Fault(late, f"{seconds:.3f} s, {allowed + extra:g} s are allowed")
        return seconds


class Referee:
    """Plays games one after the other. Players stay warm between games; the last few used are kept."""

    def __init__(
        self,
        rules: RefereeRules,
        resolver: str = DEFAULT_RESOLVER,
        clock: Callable[[], float] = time.perf_counter,
        warm_players: int = WARM_PLAYERS,
        entries: tuple[Entry, ...] = (),
    ) -> None:
        self._rules = rules
        self._resolver = resolver
        self._clock = clock
        self._warm_players = max(2, warm_players)
        self._entries = {entry.name: entry for entry in entries}
        self._warm: OrderedDict[tuple[str, Seat], Contestant] = OrderedDict()

    def play(self, job: GameJob) -> Record:
        """The record of the game, which always has an outcome.

        InarowError when a player's process cannot be started, which is nobody's fault.
        """
        try:
            return self._play(job)
        except BaseException:  # Ctrl-C, while somebody was being asked
            for seat in Seat:
                self._dismiss(job.players[seat], seat)
            raise

    def close(self) -> None:
        """Ends all players."""
        while self._warm:
            self._warm.popitem()[1].close()

    def _play(self, job: GameJob) -> Record:
        board = play_moves(job.game, job.opening)
        seconds = [0.0] * board.ply
        notes: list[tuple[int, str]] = []
        limits = [job.limit, job.limit]
        outcome = board.outcome
        if outcome is None:
            outcome = self._start(job, board)
        while outcome is None:
            seat = board.turn
            player = self._warm[job.players[seat], seat]
            try:
                choice = player.choose(board, limits[seat])
                notes += [(board.ply, presentable(note)) for note in choice.notes[-MAX_NOTES:]]
                push_checked(board, choice.move)
            except Fault as fault:
                outcome = self._forfeit(job, seat, fault)
                break
            seconds.append(choice.seconds)
            limits[seat] = after_move(limits[seat], choice.seconds)
            if self._rules.freeze:
                player.freeze()
            outcome = board.outcome
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return Record(
            job.game,
            job.players,
            board.moves,
            outcome,
            tuple(seconds),
            job.limit,
            now,
            opening=len(job.opening),
            notes=tuple(notes),
        )

    def _start(self, job: GameJob, board: Board) -> Outcome | None:
        """Begins the game for both players; the forfeit of the first that fails."""
        for seat in Seat:
            try:
                player = self._player(job.players[seat], seat)
                player.begin(board, seat, job.limit)
            except Fault as fault:
                return self._forfeit(job, seat, fault)
        if self._rules.freeze:
            self._warm[job.players[board.turn.other], board.turn.other].freeze()
        return None

    def _player(self, name: str, seat: Seat) -> Contestant:
        """A living player of a name or spec for a seat: the warm one, or a fresh one."""
        key = name, seat
        player = self._warm.get(key)
        if player is None or not player.is_alive:
            player = self._warm[key] = self._fresh(self._entries.get(name, Entry(name, name)))
        self._warm.move_to_end(key)
        while len(self._warm) > self._warm_players:
            self._warm.popitem(last=False)[1].close()
        return player

    def _fresh(self, entry: Entry) -> Contestant:
        if self._rules.in_process:
            return LocalPlayer(entry.spec, self._resolver, self._rules, self._clock)
        is_confined = self._rules.sandbox and entry.name in self._entries
        reads = entry.reads if is_confined else None
        return PlayerProcess(entry.spec, self._resolver, self._rules, self._clock, reads=reads)

    def _forfeit(self, job: GameJob, seat: Seat, fault: Fault) -> Outcome:
        """The game is lost, and the player that lost it is not asked again: its next game is a fresh one's."""
        self._dismiss(job.players[seat], seat)
        return Outcome(seat.other, Reason.FORFEIT, detail=str(fault))

    def _dismiss(self, name: str, seat: Seat) -> None:
        if player := self._warm.pop((name, seat), None):
            player.close()


def push_checked(board: Board, move: Move) -> None:
    """Plays a player's move. Fault when it is not legal."""
    try:
        board.push(move)
    except IllegalMove as error:
        raise Fault(Kind.ILLEGAL, str(error)) from None


def after_move(limit: Limit, used: float) -> Limit:
    """The limit of the player's next move: a clock for the whole game has run on."""
    if limit.clock is None:
        return limit
    return replace(limit, clock=max(0.0, limit.clock - used + (limit.increment or 0.0)))
