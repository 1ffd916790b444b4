"""Is a player fit for the arena? It plays through trials in a process of its own, and everything that it does wrong is
told as a person would want to read it: what happened, on which board, and what would be right.

A *fault* would lose a game in the arena; a *note* is worth knowing, and keeps nobody out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from inarow.arena.faults import Fault, Kind
from inarow.arena.host import DEFAULT_RESOLVER
from inarow.arena.process import PlayerProcess
from inarow.arena.referee import after_move, push_checked
from inarow.arena.spec import MEBIBYTE, RefereeRules
from inarow.arena.trials import Trial
from inarow.game import Board, Limit, Move, Seat, format_move, format_position, play_moves

CLOCK_MOVES = 20  # with a clock the player has the time of so many moves for the whole game
REPEAT_NODES = 1000
REPEAT_MOVES = 8
BY_THE_CLOCK = 0.5  # who uses such a part of its time looks at the clock, not at the nodes
NOT_REPEATABLE = "plays another game"
KEEPS_SOMETHING = "plays another second game"
NEARLY_LATE = "beyond its limit"

_LEAVE_THE_PIPES = "return the move from choose; the pipes and processes around the player are not its own"
RIGHT = {
    Kind.LATE: "look at the clock while thinking (time.perf_counter()), keep a margin, and answer with the best so far",
    Kind.ILLEGAL: "return one of board.legal_moves: a pair of ints (row, column), or with gravity an int, the column",
    Kind.MALFORMED: _LEAVE_THE_PIPES,
    Kind.TWICE: _LEAVE_THE_PIPES,
    Kind.RAISED: "choose must not raise; put the position into a test of yours and find the line that is named",
    Kind.START: "it is made without arguments, and start(game, seat, limit) must not raise on any board that is played",
    Kind.START_LATE: "be made, and be ready after start, within {start_seconds:g} s (--start)",
    Kind.EXITED: "a player ends when it is told to: no sys.exit, os._exit or quit",
    Kind.CRASHED: "the whole process died: look at native code, at deep recursion, and at signals",
    Kind.MEMORY: "stay below {memory} MiB (--memory), tables included",
    Kind.PRINTED: "stdout is not the player's: print(…, file=sys.stderr), from threads too",
    Kind.FORKED: "start no processes: use threads, or do the work in choose",
    Kind.CLOSED: _LEAVE_THE_PIPES,
    Kind.TAMPERED: _LEAVE_THE_PIPES,
}


@dataclass(frozen=True)
class Finding:
    """One thing that was found.

    kind      a Kind's words, or one of the names above
    position  where it happened: the game and the moves so far
    happened  what the player did, in one line
    right     what would be right
    others    where else the same kind of thing happened, with what
    """

    kind: str
    is_fault: bool
    trial: Trial
    position: str
    happened: str
    right: str
    others: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        game, _, moves = self.position.partition(":")
        after = f"after {moves}" if moves else "on the empty board"
        return f"{self.trial.title}: {game} as {self.trial.seat}, {after}"


@dataclass
class Checkup:
    """What a check has found so far. `repeats`: whether it plays the same game again; None when that was not tried."""

    spec: str
    trials: int
    played: int = 0
    moves: int = 0
    slowest: float = 0.0
    repeats: bool | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def faults(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.is_fault]

    @property
    def may_enter(self) -> bool:
        return not self.faults and self.played == self.trials

    def add(self, finding: Finding) -> None:
        """Adds a finding; one of a kind that is there already becomes another example of it."""
        for number, other in enumerate(self.findings):
            if other.kind == finding.kind:
                example = f"{finding.place}: {finding.happened}"
                self.findings[number] = replace(other, others=(*other.others, example))
                return
        self.findings.append(finding)


def check_player(
    spec: str,
    trials: Sequence[Trial],
    limit: Limit,
    rules: RefereeRules,
    resolver: str = DEFAULT_RESOLVER,
    only_first: bool = False,
    watch: Callable[[Trial], None] = lambda trial: None,
    reads: tuple[str, ...] | None = None,
    look_at_repetition: bool = True,
) -> Checkup:
    """Plays all trials, or until the first fault; then, without a fault, looks whether the player repeats itself.

    `limit` has seconds for a move; `watch` is called before each trial; `reads` as for PlayerProcess.
    """
    assert limit.seconds is not None
    checker = _Checker(spec, trials, limit, rules, resolver, reads)
    try:
        for trial in trials:
            watch(trial)
            checker.try_out(trial)
            if checker.is_hopeless or (only_first and checker.checkup.faults):
                break
        if checker.checkup.may_enter and look_at_repetition:
            checker.look_for_repetition(trials[: 2 * len(Seat)])
    finally:
        checker.dismiss()
    return checker.checkup


class _Checker:
    """One check of one player, which stays in its process from trial to trial as long as it does nothing wrong."""

    def __init__(
        self,
        spec: str,
        trials: Sequence[Trial],
        limit: Limit,
        rules: RefereeRules,
        resolver: str,
        reads: tuple[str, ...] | None,
    ) -> None:
        self.checkup = Checkup(spec, len(trials))
        self.is_hopeless = False  # it cannot be made, or is not ready in time: so it would be in every trial
        self._limit = limit
        self._rules = rules
        self._resolver = resolver
        self._reads = reads
        self._player: PlayerProcess | None = None
        self._games = 0  # of this process
        self._board = play_moves(trials[0].game, ())
        self._slowest = 0.0  # of this trial

    def try_out(self, trial: Trial) -> None:
        """Plays a trial and notes what is wrong."""
        seconds = self._limit.seconds or 0.0
        limit = Limit(clock=CLOCK_MOVES * seconds) if trial.with_clock else self._limit
        fault = self._played(trial, limit)
        self.checkup.played += 1
        if fault is not None:
            board = self._board
            left_over = fault.kind is not Kind.LATE and self._games > 1 and self._played(trial, limit) is None
            self.checkup.add(self._finding(trial, board, fault, left_over))
        elif not trial.with_clock and self._slowest > seconds:
            happened = f"a move took {self._slowest:.3f} s, {seconds:g} s are allowed"
            right = f"here it is within the tolerance of {self._rules.tolerance:g} s; keep a margin"
            position = format_position(self._board)
            self.checkup.add(Finding(NEARLY_LATE, False, trial, position, happened, right))

    def look_for_repetition(self, trials: Sequence[Trial]) -> None:
        """The same games by two fresh players, then by the second of them again, under a limit of nodes.

        Backwards again: so an odd number of games lies between, and who plays every other game in another way is seen.
        """
        limit = replace(self._limit, nodes=REPEAT_NODES)
        trials = [replace(trial, own_moves=REPEAT_MOVES) for trial in trials]
        games: dict[Trial, list[tuple[Board, float]]] = {trial: [] for trial in trials}
        self.checkup.repeats = True
        for is_fresh, order in ((True, trials), (True, trials), (False, trials[::-1])):
            if is_fresh:
                self.dismiss()
            for trial in order:
                if fault := self._played(trial, limit):
                    self.checkup.add(self._finding(trial, self._board, fault, left_over=not is_fresh))
                    return
                games[trial].append((self._board, self._slowest))
        for trial, ((one, seconds), (other, other_seconds), (again, _)) in games.items():
            if one.moves != other.moves:
                self.checkup.repeats = False
                self.checkup.add(self._another_game(trial, one, other, max(seconds, other_seconds)))
            elif other.moves != again.moves:
                position, happened = _difference(other, again, "at first", "in a later game")
                right = "no rule forbids it; if it is not meant, set everything back in start"
                self.checkup.add(Finding(KEEPS_SOMETHING, False, trial, position, happened, right))

    def dismiss(self) -> None:
        if self._player is not None:
            self._player.close()
            self._player = None

    # ── underneath ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _played(self, trial: Trial, limit: Limit) -> Fault | None:
        """Plays a trial as far as it goes; the board is in _board then."""
        self._board = board = play_moves(trial.game, trial.opening)
        self._slowest = 0.0
        try:
            self._play(trial, board, limit)
        except Fault as fault:
            self.dismiss()
            self.is_hopeless = self.is_hopeless or fault.kind is Kind.START_LATE
            return fault
        return None

    def _play(self, trial: Trial, board: Board, limit: Limit) -> None:
        opponent = Random(f"{trial.game} {trial.seat}")
        if self._player is None:
            self._games = 0
            try:
                self._player = PlayerProcess(self.checkup.spec, self._resolver, self._rules, reads=self._reads)
            except Fault:
                self.is_hopeless = True
                raise
        self._games += 1
        self._player.begin(board, trial.seat, limit)
        own_moves = 0
        while not board.is_over and own_moves != trial.own_moves:
            if board.turn is not trial.seat:
                board.push(opponent.choice(board.legal_moves))
                continue
            choice = self._player.choose(board, limit)
            push_checked(board, choice.move)
            limit = after_move(limit, choice.seconds)
            own_moves += 1
            self.checkup.moves += 1
            self._slowest = max(self._slowest, choice.seconds)
        if not trial.with_clock:
            self.checkup.slowest = max(self.checkup.slowest, self._slowest)

    def _finding(self, trial: Trial, board: Board, fault: Fault, left_over: bool) -> Finding:
        memory = (self._rules.memory_bytes or 0) // MEBIBYTE
        right = RIGHT[fault.kind].format(start_seconds=self._rules.start_seconds, memory=memory)
        happened = str(fault)
        if left_over:
            happened += "; a fresh one does not fail there"
            right = f"one object plays many games: start must set back what is left of the last one. Then: {right}"
        return Finding(fault.kind.value, True, trial, format_position(board), happened, right)

    def _another_game(self, trial: Trial, one: Board, other: Board, slowest: float) -> Finding:
        position, happened = _difference(one, other, "at first", "when it was played again")
        right = "no rule forbids it; with a seed a game can be played again"
        if slowest > BY_THE_CLOCK * (self._limit.seconds or 0.0):
            right = f"no rule forbids it; a move took up to {slowest:.3f} s, and what the clock decides is not repeated"
        return Finding(NOT_REPEATABLE, False, trial, position, happened, right)


def _difference(one: Board, other: Board, at_first: str, then: str) -> tuple[str, str]:
    """Where two games of the same player part, and how."""
    ply = next(ply for ply, (a, b) in enumerate(zip(one.moves, other.moves, strict=False)) if a != b)
    moves: tuple[Move, Move] = one.moves[ply], other.moves[ply]
    position = format_position(play_moves(one.game, one.moves[:ply]))
    return (
        position,
        f"with {REPEAT_NODES} nodes it played {format_move(moves[0])} {at_first}, {format_move(moves[1])} {then}",
    )
