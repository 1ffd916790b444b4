"""The native core of inarow."""

from collections.abc import Sequence


class Geometry:
    """What does not change during a game; shared by its positions."""

    def __init__(self, rows: int, columns: int, k: int, gravity: bool = False) -> None: ...

    @property
    def cells(self) -> int: ...

    @property
    def windows(self) -> int: ...

    @property
    def symmetries(self) -> int: ...

    def window_cells(self, window: int) -> list[int]:
        """The cells of a window, in order."""

    def windows_through(self, cell: int) -> list[int]:
        """The windows that contain a cell."""

    def image(self, symmetry: int, cell: int) -> int:
        """Where a symmetry takes a cell."""

class Position:
    """
    A game in progress. Moves are cells: row * columns + column, with gravity too.
    """

    def __init__(self, geometry: Geometry) -> None: ...

    def __copy__(self) -> Position: ...

    def make(self, cell: int) -> None:
        """Play on a cell. ValueError when that is not legal."""

    def unmake(self) -> None:
        """Take the last move back."""

    def is_legal(self, cell: int) -> bool: ...

    @property
    def turn(self) -> int:
        """Seat 0 (first) or 1 (second)."""

    @property
    def ply(self) -> int: ...

    @property
    def moves(self) -> list[int]: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def winner(self) -> int | None: ...

    def stone(self, cell: int) -> int | None:
        """The seat whose stone is on a cell; None when it is free."""

    @property
    def free_cells(self) -> list[int]: ...

    @property
    def legal_cells(self) -> list[int]:
        """The cells that can be played now."""

    def winning_cells(self, seat: int) -> list[int]:
        """Playable cells on which a seat would win at once."""

    def safe_cells(self) -> list[int]:
        """Playable cells after which the opponent cannot win at once."""

    @property
    def keys(self) -> list[int]:
        """One key for each symmetry of the board."""

    @property
    def canonical_key(self) -> int:
        """The same for all images of the position."""

    @property
    def window_counts(self) -> list[tuple[int, int]]:
        """
        For each window, how many stones the first and the second seat have in it.
        """

class EvaluatedPosition:
    """A copy of a position with a sum over its windows, kept move by move."""

    def __init__(self, position: Position, values: Sequence[int]) -> None:
        """
        values[first + (k + 1) * second] is what a window with so many stones of each seat is worth.
        """

    def make(self, cell: int) -> None: ...

    def unmake(self) -> None: ...

    @property
    def value(self) -> int: ...

class StopFlag:
    """Set it from any thread to stop the work that was given it."""

    def __init__(self) -> None: ...

    def set(self) -> None: ...

    def clear(self) -> None: ...

    @property
    def is_set(self) -> bool: ...

class Perft:
    """Counts by ply, from ply 0 (the position itself) on."""

    @property
    def nodes(self) -> list[int]:
        """Sequences of exactly so many moves."""

    @property
    def first_wins(self) -> list[int]:
        """Of these, how many the first seat has won."""

    @property
    def second_wins(self) -> list[int]:
        """How many the second seat has won."""

    @property
    def draws(self) -> list[int]:
        """How many filled the board."""

    @property
    def stopped(self) -> bool:
        """The stop flag ended the count early."""

def perft(position: Position, depth: int, stop: StopFlag) -> Perft:
    """Count all sequences of up to `depth` moves."""

class SearchResult:
    """What a search found."""

    @property
    def move(self) -> int:
        """The cell to play."""

    @property
    def score(self) -> int:
        """Its value for the player to move; WON - n is a win in n plies."""

    @property
    def depth(self) -> int:
        """The last depth that was finished."""

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def stopped(self) -> bool:
        """A limit or the stop flag ended it."""

    @property
    def memory_probes(self) -> int: ...

    @property
    def memory_hits(self) -> int: ...

class Searcher:
    """
    A search made of parts by name; core/include/inarow/searcher.hpp lists them.
    """

    def set_moves(self, cells: Sequence[int]) -> None:
        """The moves of the game so far."""

    @property
    def value(self) -> int:
        """The evaluation of the position, for the player to move."""

    def ordered_moves(self, is_root: bool = False) -> list[int]:
        """The cells a node would look at, best first."""

    def fixed(self, depth: int, stop: StopFlag, seconds: float | None = None, nodes: int | None = None) -> SearchResult:
        """Search to one depth."""

    def deepen(self, stop: StopFlag, seconds: float | None = None, nodes: int | None = None, depth: int | None = None, trusts_first_depth: bool = False, loses_late: bool = False) -> SearchResult:
        """Search depth after depth."""

    def shares(self, depth: int, budget: int, stop: StopFlag, seconds: float | None = None, nodes: int | None = None, threads: int = 1) -> SearchResult:
        """Search to one depth with a budget of nodes, shared by the root moves."""

def make_searcher(geometry: Geometry, *, evaluation: str, order: str, memory: str = 'none', window_values: Sequence[int] = [], cell_values: Sequence[int] = [], width: int = 0, root_width: int = 0, memory_mb: int = 0, folds_symmetries: bool = True) -> Searcher: ...

WON: int = 1073741824

class CellReport:
    """
    A playable cell as the player to move sees it, and as the opponent would.
    """

    @property
    def cell(self) -> int: ...

    @property
    def wins(self) -> bool: ...

    @property
    def other_wins(self) -> bool: ...

    @property
    def doubles(self) -> bool:
        """A stone here makes a double play."""

    @property
    def other_doubles(self) -> bool: ...

    @property
    def windows(self) -> int:
        """Windows through the cell without a stone of the opponent."""

    @property
    def stones(self) -> int:
        """Own stones in those windows."""

    @property
    def other_windows(self) -> int: ...

    @property
    def other_stones(self) -> int: ...

def cell_reports(position: Position) -> list[CellReport]:
    """Every playable cell, in ascending order."""

def fork_cells(position: Position, seat: int) -> list[int]:
    """
    Playable cells on which a stone of the seat would leave it two playable cells that win.
    """

class MctsResult:
    """What Monte-Carlo tree search found."""

    @property
    def move(self) -> int: ...

    @property
    def win_rate(self) -> float: ...

    @property
    def depth(self) -> int: ...

    @property
    def playouts(self) -> int: ...

    @property
    def stopped(self) -> bool: ...

class Mcts:
    """
    Monte-Carlo tree search; its memory is kept from one search to the next.
    """

    def __init__(self, memory_mb: int) -> None: ...

    def search(self, position: Position, stop: StopFlag, seed: int, seconds: float | None = None, nodes: int | None = None) -> MctsResult:
        """Searches until a limit."""

class WrittenProof:
    """A strategy as docs/proofs.md describes it."""

    @property
    def end(self) -> str:
        """complete, stopped, too long, no strategy"""

    @property
    def tokens(self) -> bytes:
        """Two bytes each, in the machine's order."""

class DropProgress:
    """How far a DropSolver is; may be read while it works."""

    def __init__(self) -> None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

class DropSolution:
    """
    Bounds of a score; core/include/inarow/drop_solver.hpp says what a score is.
    """

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

    @property
    def move(self) -> int | None:
        """A column that is worth at least the lower bound; None: all are."""

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def cpu_seconds(self) -> float:
        """Of the calling thread alone."""

class DropSolver:
    """Exact scores of positions with gravity. For one thread at a time."""

    def __init__(self, rows: int, columns: int, k: int, memory_mb: int) -> None: ...

    def solve(self, games: Sequence[Sequence[int]], stop: StopFlag, progress: DropProgress | None = None, *, seconds: float | None = None, nodes: int | None = None, lowest: int = -16384, highest: int = 16384, threads: int = 1, forget: bool = False) -> list[DropSolution]:
        """
        Solves the position after each of these lists of columns; the limits hold for each. Scores below `lowest` or above `highest` count as these. `forget`: what was learned from one position is forgotten before the next.
        """

    def write_proof(self, columns: Sequence[int], strategist: int, goal: str, stop: StopFlag, *, plies: int | None = None, max_positions: int) -> WrittenProof:
        """Writes a strategy of a seat (0 or 1) for a goal (win or hold)."""

    @property
    def table_bytes(self) -> int: ...

    @property
    def table_entries(self) -> int: ...

    @property
    def table_used(self) -> int:
        """About so many entries."""

class FreeProgress:
    """How far a FreeSolver is; may be read while it works."""

    def __init__(self) -> None: ...

    @property
    def nodes(self) -> int: ...

    @property
    def proof(self) -> int: ...

    @property
    def disproof(self) -> int: ...

    @property
    def lower(self) -> int:
        """-1 loss, 0 draw, 1 win: at least"""

    @property
    def upper(self) -> int:
        """at most"""

class FreeSolution:
    """What is known of a position with free placement."""

    @property
    def lower(self) -> int:
        """-1 loss, 0 draw, 1 win: at least"""

    @property
    def upper(self) -> int:
        """at most"""

    @property
    def plies(self) -> int:
        """Until the winning stone; -1: not known, or a draw."""

    @property
    def move(self) -> int:
        """A cell that keeps the value; -1 when none is known."""

    @property
    def method(self) -> str: ...

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class FreeSolver:
    """Who wins with free placement. For one thread at a time."""

    def __init__(self, rows: int, columns: int, k: int, memory_mb: int) -> None: ...

    def solve(self, cells: Sequence[int], stop: StopFlag, progress: FreeProgress | None = None, *, seconds: float | None = None, nodes: int | None = None, weak: bool = False, shortest: bool = False) -> FreeSolution:
        """
        Solves the position after these moves. `weak`: does the player to move complete a line when the other only blocks? `shortest`: also in how many plies.
        """

    def write_proof(self, cells: Sequence[int], strategist: int, goal: str, stop: StopFlag, *, plies: int | None = None, max_positions: int) -> WrittenProof:
        """Writes a strategy of a seat (0 or 1) for a goal (win or hold)."""

    def pairing(self, cells: Sequence[int], attacking: int, stop: StopFlag, *, seconds: float | None = None) -> list[int]:
        """
        Pairs of free cells, two after each other, that keep a seat (0 or 1) from completing a line; empty when none was found in time.
        """

    @property
    def table_bytes(self) -> int: ...

    @property
    def table_entries(self) -> int: ...

    @property
    def table_used(self) -> int: ...

class DropWeights:
    """
    The numbers of the engine's evaluation under gravity; drop_weights.hpp says what each is.
    """

    @property
    def window(self) -> list[int]: ...

    @window.setter
    def window(self, arg: Sequence[int], /) -> None: ...

    @property
    def attack(self) -> list[int]: ...

    @attack.setter
    def attack(self, arg: Sequence[int], /) -> None: ...

    @property
    def defence(self) -> list[int]: ...

    @defence.setter
    def defence(self, arg: Sequence[int], /) -> None: ...

    @property
    def own_row(self) -> int: ...

    @own_row.setter
    def own_row(self, arg: int, /) -> None: ...

    @property
    def others_row(self) -> int: ...

    @others_row.setter
    def others_row(self, arg: int, /) -> None: ...

    @property
    def column(self) -> int: ...

    @column.setter
    def column(self, arg: int, /) -> None: ...

    @property
    def leader_sound(self) -> int: ...

    @leader_sound.setter
    def leader_sound(self, arg: int, /) -> None: ...

    @property
    def leader_unsound(self) -> int: ...

    @leader_unsound.setter
    def leader_unsound(self, arg: int, /) -> None: ...

    @property
    def follower_sound(self) -> int: ...

    @follower_sound.setter
    def follower_sound(self, arg: int, /) -> None: ...

    @property
    def follower_unsound(self) -> int: ...

    @follower_unsound.setter
    def follower_unsound(self, arg: int, /) -> None: ...

    @property
    def stacked(self) -> int: ...

    @stacked.setter
    def stacked(self, arg: int, /) -> None: ...

    @property
    def height(self) -> int: ...

    @height.setter
    def height(self, arg: int, /) -> None: ...

    @property
    def turn(self) -> int: ...

    @turn.setter
    def turn(self, arg: int, /) -> None: ...

    @property
    def above_other(self) -> int: ...

    @above_other.setter
    def above_other(self, arg: int, /) -> None: ...

    @property
    def not_best(self) -> int: ...

    @not_best.setter
    def not_best(self, arg: int, /) -> None: ...

    @property
    def follower_answered(self) -> int: ...

    @follower_answered.setter
    def follower_answered(self, arg: int, /) -> None: ...

    @property
    def zugzwang(self) -> int: ...

    @zugzwang.setter
    def zugzwang(self, arg: int, /) -> None: ...

    @property
    def zugzwang_decay(self) -> int: ...

    @zugzwang_decay.setter
    def zugzwang_decay(self, arg: int, /) -> None: ...

    @property
    def scale(self) -> float: ...

    @scale.setter
    def scale(self, arg: float, /) -> None: ...

    @property
    def four(self) -> int: ...

    @four.setter
    def four(self, arg: int, /) -> None: ...

    @property
    def gives_win(self) -> int: ...

    @gives_win.setter
    def gives_win(self, arg: int, /) -> None: ...

    @property
    def gives_threat(self) -> int: ...

    @gives_threat.setter
    def gives_threat(self, arg: int, /) -> None: ...

class NetworkWeights:
    """
    The numbers of a network over the cells; cell_network.hpp says what they are for. No numbers at all: no network.
    """

    def __init__(self) -> None: ...

    CELL_UNIT: int = 64

    MATRIX_UNIT: int = 1048576

    THREATS_UNIT: int = 1024

    OUTPUT_UNIT: int = 16

    DRAWS_UNIT: int = 262144

    DRAWS_REST_UNIT: int = 1024

    @property
    def moving(self) -> list[int]: ...

    @moving.setter
    def moving(self, arg: Sequence[int], /) -> None: ...

    @property
    def waiting(self) -> list[int]: ...

    @waiting.setter
    def waiting(self, arg: Sequence[int], /) -> None: ...

    @property
    def matrix(self) -> list[int]: ...

    @matrix.setter
    def matrix(self, arg: Sequence[int], /) -> None: ...

    @property
    def threats(self) -> list[int]: ...

    @threats.setter
    def threats(self, arg: Sequence[int], /) -> None: ...

    @property
    def output(self) -> list[int]: ...

    @output.setter
    def output(self, arg: Sequence[int], /) -> None: ...

    @property
    def draws(self) -> list[int]: ...

    @draws.setter
    def draws(self, arg: Sequence[int], /) -> None: ...

class EngineWeights:
    """
    The numbers of the engine's evaluation and order of moves; threats.hpp says what each is.
    """

    @staticmethod
    def handmade() -> EngineWeights: ...

    @property
    def moving(self) -> list[int]: ...

    @moving.setter
    def moving(self, arg: Sequence[int], /) -> None: ...

    @property
    def waiting(self) -> list[int]: ...

    @waiting.setter
    def waiting(self, arg: Sequence[int], /) -> None: ...

    @property
    def attack(self) -> list[int]: ...

    @attack.setter
    def attack(self, arg: Sequence[int], /) -> None: ...

    @property
    def defence(self) -> list[int]: ...

    @defence.setter
    def defence(self, arg: Sequence[int], /) -> None: ...

    @property
    def threats(self) -> list[int]: ...

    @threats.setter
    def threats(self, arg: Sequence[int], /) -> None: ...

    @property
    def turn(self) -> int: ...

    @turn.setter
    def turn(self, arg: int, /) -> None: ...

    @property
    def scale(self) -> float: ...

    @scale.setter
    def scale(self, arg: float, /) -> None: ...

    @property
    def network(self) -> NetworkWeights: ...

    @network.setter
    def network(self, arg: NetworkWeights, /) -> None: ...

    @property
    def drop(self) -> DropWeights:
        """For games with gravity."""

    @drop.setter
    def drop(self, arg: DropWeights, /) -> None: ...

    def win_probability(self, score: int, gravity: bool) -> float: ...

class DropValues:
    """
    The positions of games with gravity and their values, for training programs.
    """

    def __init__(self, geometry: Geometry, games: Sequence[Sequence[int]]) -> None:
        """
        A game is the cells of its stones; the positions are those before each stone, game after game.
        """

    def are_evaluated(self) -> list[bool]:
        """Of each position whether a search asks for its value."""

    def with_weights(self, weights: EngineWeights) -> list[int]:
        """The value of each position for the player to move."""

class FreeFeatures:
    """A position as the weights of free placement see it."""

    @property
    def cells(self) -> list[int]:
        """The free cells."""

    @property
    def moving(self) -> list[int]:
        """The code of each for the player to move,"""

    @property
    def waiting(self) -> list[int]:
        """and for the other."""

    @property
    def candidates(self) -> list[int]:
        """The places in these lists of the moves that a search looks at."""

    @property
    def threat_mask(self) -> int: ...

    @property
    def is_evaluated(self) -> bool:
        """
        A search asks for the value of such a position: nobody can win at once, nor the player to move make a double.
        """

class FreeFeatureReader:
    """Finds the features of positions of one game, for training programs."""

    def __init__(self, geometry: Geometry) -> None: ...

    def read(self, position: Position) -> FreeFeatures: ...

def patterns_of_code(code: int) -> list[int]:
    """The four line patterns of a code, ascending."""

def threat_of_code(code: int) -> int:
    """The number of the threat that a code is."""

def line_patterns(k: int) -> list[int]:
    """
    By all that can lie around a cell in a line, as line_patterns.hpp says: the first seat's pattern and 16 times the second's.
    """

def codes_of_quads() -> list[int]:
    """By four patterns, four bits each: their code."""

NETWORK_CELLS: int = 516

CODES: int = 2380

LINE_PATTERNS: int = 14

THREATS: int = 11

THREAT_MASKS: int = 256

class EngineLine:
    """A line of play and its score for the player to move."""

    @property
    def moves(self) -> list[int]: ...

    @property
    def score(self) -> int: ...

    @property
    def is_exact(self) -> bool:
        """False: the score is a bound."""

    @property
    def depth(self) -> int: ...

    @property
    def selective_depth(self) -> int: ...

class EngineReport:
    """How far a search is."""

    @property
    def line(self) -> EngineLine: ...

    @property
    def number(self) -> int:
        """0 for the best line."""

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def table_use(self) -> int:
        """In thousandths."""

class EngineResult:
    """What a search found."""

    @property
    def move(self) -> int: ...

    @property
    def lines(self) -> list[EngineLine]:
        """The best first."""

    @property
    def depth(self) -> int:
        """The last that was finished."""

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def stopped(self) -> bool: ...

    @property
    def table_use(self) -> int:
        """In thousandths."""

class ReportMailbox:
    """Reports on their way from a search to another thread. For one search."""

    def __init__(self) -> None: ...

    def take(self, seconds: float) -> EngineReport | None:
        """
        The oldest report, waiting at most so long for one; None when none came or no more will come.
        """

    @property
    def is_closed(self) -> bool:
        """No more reports will come."""

class Engine:
    """The strong player's search. For one thread at a time."""

    def __init__(self, geometry: Geometry, *, memory_mb: int = 64, threads: int = 1, weights: EngineWeights | None = None, without: Sequence[str] = []) -> None:
        """`without`: names of heuristics to switch off."""

    def search(self, cells: Sequence[int], stop: StopFlag, mailbox: ReportMailbox | None = None, *, seconds: float | None = None, nodes: int | None = None, depth: int | None = None, soft_seconds: float | None = None, lines: int = 1, is_told: bool = True, lost: Sequence[int] = [], contempt: int = 0) -> EngineResult:
        """
        Searches the position after these moves until a limit, or until it is decided. `soft_seconds` is what it should take on average; when nobody `is_told` the result, only the table learns from it; moves that are `lost` are not looked at unless there is no other. `contempt`: how much weaker the second seat is believed to be than the first, in hundredths of a logit; it counts where the network knows of draws.
        """

    def value(self, cells: Sequence[int], *, contempt: int = 0) -> int:
        """
        The value of the position after these moves for the player to move, without a search.
        """

    def clear(self) -> None:
        """Forgets all it has learned."""

    def take_memory(self, seconds: float) -> bool:
        """
        Has the system provide the table's memory now, as much as it does in so many seconds; False when it has provided all. Not while it searches.
        """

    def win_probability(self, score: int) -> float: ...

def engine_heuristics() -> list[str]:
    """The names of all heuristics."""

MAX_EVALUATION: int = 20000
