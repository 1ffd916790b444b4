"""A hard position solved by many workers: its region's jobs, over a crew, into a store that can be continued."""

import functools
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from inarow.errors import InarowError, StoreError
from inarow.executors import Crew
from inarow.game import Board, format_position, parse_position
from inarow.solver.proof import VALUES
from inarow.solver.region import Region, position_key
from inarow.solver.solution import UNKNOWN, Effort, Solution, Solver
from inarow.storage import Database, open_database, read_database

APPLICATION_ID = int.from_bytes(b"inas", "big")
VERSION = 1
SCHEMA = """
CREATE TABLE task (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    position TEXT NOT NULL,
    exact INTEGER NOT NULL       -- 0: values only, 1: plies too
);
CREATE TABLE jobs (
    key TEXT PRIMARY KEY,        -- of a position and all its images
    position TEXT NOT NULL,
    value TEXT NOT NULL,         -- win, draw, loss for the player to move
    plies INTEGER,               -- how many the game goes on; NULL: not known
    method TEXT NOT NULL,
    nodes INTEGER NOT NULL,
    seconds REAL NOT NULL,
    finished TEXT NOT NULL       -- UTC, ISO 8601
)
"""


class JobStore:
    """The positions that have been solved for one task, on disk, for one thread. Leaving its `with` closes it.

    message  what the user should know of the disk, or nothing
    """

    def __init__(self, database: Database, board: Board, exact: bool) -> None:
        """Made by `open` and `read`."""
        self._database = database
        self.board = board
        self.exact = exact
        self.message = database.message

    @classmethod
    def open(cls, path: Path, board: Board, exact: bool) -> "JobStore":
        """Creates the store of a task, or continues it: one process at a time.

        StoreError when it holds another game or position, or was made to find out less or more. How far the region
        goes may be changed: what has been solved stays true.
        """
        database = open_database(path, application_id=APPLICATION_ID, version=VERSION, schema=SCHEMA)
        with ExitStack() as unfinished:
            unfinished.callback(database.close)
            database.check_pages()
            task = (format_position(board), int(exact))
            database.change("INSERT INTO task VALUES (1, ?, ?) ON CONFLICT DO NOTHING", task)
            stored, stored_exact = _stored_task(database)
            if stored != board:
                raise StoreError(f"{path} is about {format_position(stored)}, not about {format_position(board)}")
            if stored_exact != exact:
                kinds = ("values only", "values and plies")
                raise StoreError(f"{path} holds {kinds[stored_exact]}, asked for are {kinds[exact]}")
            unfinished.pop_all()
        return cls(database, board, exact)

    @classmethod
    def read(cls, path: Path) -> "JobStore":
        """Opens a store to read only; work on it may go on meanwhile."""
        database = read_database(path, application_id=APPLICATION_ID, version=VERSION)
        with ExitStack() as unfinished:
            unfinished.callback(database.close)
            database.check_pages()
            store = cls(database, *_stored_task(database))
            unfinished.pop_all()
        return store

    def __enter__(self) -> "JobStore":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    def add(self, key: str, position: str, solution: Solution) -> None:
        """Keeps the value of a position, which survives whatever comes once this returns."""
        assert solution.value != UNKNOWN
        now = datetime.now(UTC).isoformat(timespec="seconds")
        found = (solution.value, solution.plies, solution.method, solution.nodes, solution.seconds)
        sql = "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING"
        self._database.change(sql, (key, position, *found, now))

    def solutions(self) -> dict[str, Solution]:
        """What has been solved, by the keys of the positions. StoreError for what cannot be."""
        found = {}
        for key, value, plies, method, nodes, seconds in self._database.rows(
            "SELECT key, value, plies, method, nodes, seconds FROM jobs"
        ):
            if value not in VALUES or not (plies is None or isinstance(plies, int)):
                raise StoreError(f"{self._database.path} is damaged: {key} cannot be a {value!r} in {plies!r} plies")
            found[key] = Solution(value, plies, [], method, nodes, seconds)
        return found


def _stored_task(database: Database) -> tuple[Board, bool]:
    rows = database.rows("SELECT position, exact FROM task")
    if not rows:
        raise StoreError(f"{database.path} is empty: its task has not begun")
    try:
        return parse_position(rows[0][0]), bool(rows[0][1])
    except InarowError as error:
        raise StoreError(f"{database.path} is damaged: {error}") from None


def solve_region(
    region: Region, solve: Solver, effort: Effort, crew: Crew, store: JobStore | None = None
) -> Iterator[tuple[str, Solution]]:
    """Solves the jobs of a region until its value is known, or none is left that could matter.

    Takes over what is in the store, and yields each position with its solution when that is in there. The region's
    `solution()` is what follows from all of them. Whoever breaks it off loses the jobs being done at that moment, and
    no others; when the value is known, jobs may still be running: close the crew at once.
    """
    if store is not None:
        for key, solution in store.solutions().items():
            region.add(key, solution)
    if region.is_decided:
        return
    work = functools.partial(solve_job, solve, effort, region.exact)
    for position, solution in crew.run(work, region.jobs()):
        if solution.value != UNKNOWN:
            key = position_key(parse_position(position))
            if store is not None:
                store.add(key, position, solution)
            region.add(key, solution)
        yield position, solution
        if region.is_decided:
            return


def solve_job(solve: Solver, effort: Effort, exact: bool, position: str) -> Solution:
    """In a worker: solves one position."""
    board = parse_position(position)
    weak = board.game.gravity and not exact  # with free placement that would be another game
    return solve(board, effort.limit, memory_mb=effort.memory_mb, weak=weak, shortest=exact, best_moves=False)
