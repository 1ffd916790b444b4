"""SQLite files opened safely: versioned, with one writer at a time, and with errors that say what to do.

What lies on the disk, for a file games.db:

    games.db               the database, of one application and one version
    games.db-wal, -shm     what was committed last, and its index: SQLite's own, gone when nobody has the file open
    games.db-lock          empty; locked by the one process that may write, and left where it is
"""

import fcntl
import os
import sqlite3
import struct
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inarow.errors import StoreError

BUSY_SECONDS = 30.0
"""How long SQLite waits for another program to finish what it reads or writes."""

_ERRORS = {
    sqlite3.SQLITE_NOTADB: "is not an SQLite database, or its head is damaged; name another file",
    sqlite3.SQLITE_CORRUPT: "is damaged; `sqlite3 FILE .recover` may save what is left",
    sqlite3.SQLITE_READONLY: "cannot be written; make it and its directory writable",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; make it and its directory readable and writable",
    sqlite3.SQLITE_BUSY: "is in use; close the program that keeps it locked",
    sqlite3.SQLITE_FULL: "cannot grow, the disk is full; what was committed before is safe",
    sqlite3.SQLITE_IOERR: "cannot be read or written, the disk may be full; what was committed before is safe",
}

_FLOCK = "hhqqi4x"  # struct flock: kind, whence, start, length, process

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Database:
    """An open database. It belongs to the thread that opened it; every error of the file or its disk is a StoreError.

    message  what the user should know of how it was opened, or nothing
    """

    path: Path
    connection: sqlite3.Connection
    message: str = ""
    lock: sqlite3.Connection | None = None

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """All rows of a query, fetched at once: without WAL, a query left open would keep the writer waiting."""
        with _store_errors(self.path):
            return self.connection.execute(sql, parameters).fetchall()

    def change(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Runs one statement and commits it; the number of rows that it changed.

        When it returns, the change survives a power cut; when it raises, nothing has changed.
        """
        with _store_errors(self.path):
            return self.connection.execute(sql, parameters).rowcount

    def check_pages(self) -> None:
        """StoreError for a damaged file, before anything is read from it or added to it. A second for some 500 MB."""
        problem = self.rows("PRAGMA quick_check(1)")[0][0]
        if problem != "ok":
            raise StoreError(f"{self.path} is damaged: {' '.join(problem.split())}")

    def close(self) -> None:
        self.connection.close()
        if self.lock is not None:
            self.lock.close()


def open_database(path: Path, *, application_id: int, version: int, schema: str) -> Database:
    """Opens a database to write, and creates it when there is none.

    StoreError when the file is not one of this application and version, or when another process (or another part of
    this one) has it open to write.
    """
    path = _checked_path(path)
    with _store_errors(path), ExitStack() as unfinished:
        connection = _connect(path, "mode=rwc")
        unfinished.callback(connection.close)
        _check_kind(path, connection, application_id, version)  # before anything is written, beside it or into it
        lock = _take_lock(path)
        unfinished.callback(lock.close)
        message = _use_wal(connection)
        # EXTRA is FULL, and in DELETE mode the directory is synced too: what is committed survives a power cut. That
        # costs a few milliseconds a commit, which is little beside a game.
        connection.execute("PRAGMA synchronous=EXTRA")
        connection.execute("PRAGMA foreign_keys=ON")
        _begin_writing(connection)  # so that it fails now if ever, not after hours
        connection.execute("ROLLBACK")
        if _check_kind(path, connection, application_id, version) == 0:
            connection.executescript(
                f"BEGIN; {schema}; PRAGMA application_id={application_id}; PRAGMA user_version={version}; COMMIT"
            )
        unfinished.pop_all()
    return Database(path, connection, message, lock)


def read_database(path: Path, *, application_id: int, version: int) -> Database:
    """Opens a database to read only, also while another process writes into it, and on a medium that is read-only."""
    path = _checked_path(path)
    if not path.exists():
        raise StoreError(f"{path} does not exist")
    with _store_errors(path), ExitStack() as unfinished:
        # Not mode=ro: it would leave the files of the WAL behind.
        connection = _connect(path, "mode=rw")
        unfinished.callback(connection.close)
        try:
            connection.execute("PRAGMA query_only=ON")
            found = _check_kind(path, connection, application_id, version)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
            connection = _connect_immutable(path)
            unfinished.callback(connection.close)
            found = _check_kind(path, connection, application_id, version)
        if found == 0:
            raise StoreError(f"{path} is empty: nothing was written into it yet")
        unfinished.pop_all()
    return Database(path, connection)


def is_being_written(path: Path) -> bool:
    """Whether another process has a database open to write. The lock is looked at without taking it.

    Not for a process that writes there itself: to the kernel, closing a file gives up all its locks on it.
    """
    lock_path = Path(f"{os.path.realpath(path)}-lock")
    try:
        with lock_path.open("rb") as file:
            asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)  # of the whole file
            kind: int = struct.unpack(_FLOCK, fcntl.fcntl(file, fcntl.F_GETLK, asked))[0]
    except OSError:
        return False  # nobody has ever written here, or nobody can tell
    return kind != fcntl.F_UNLCK


def _checked_path(path: Path) -> Path:
    """The file itself, links followed: whoever comes by another name must find the same lock."""
    path = Path(os.path.realpath(path))
    try:
        if not path.parent.is_dir():
            raise StoreError(f"{path} cannot be there: {path.parent} is not a directory; create it first")
        if path.exists() and not path.is_file():
            raise StoreError(f"{path} is a {'directory' if path.is_dir() else 'device'}; name a file")
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror}") from None
    return path


def _connect(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?{options}", uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _connect_immutable(path: Path) -> sqlite3.Connection:
    """A database that SQLite must not lock, because nothing can be written where it lies.

    That is right only while nobody else writes, and what is still in the WAL would be overlooked.
    """
    wal = Path(f"{path}-wal")
    if wal.exists() and wal.stat().st_size:
        raise StoreError(f"{path} was not closed; copy it and {wal.name} to a directory that can be written")
    return _connect(path, "mode=ro&immutable=1")


def _check_kind(path: Path, connection: sqlite3.Connection, application_id: int, version: int) -> int:
    """The database's version; 0 when it is still empty. StoreError when it is not one of these."""
    found_id = connection.execute("PRAGMA application_id").fetchone()[0]
    found_version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == found_id == found_version == 0:
        return 0
    if found_id != application_id:
        raise StoreError(f"{path} is an SQLite database of another program; name another file")
    if found_version > version:
        raise StoreError(f"{path} has version {found_version}, this inarow knows {version}; take a newer inarow")
    if found_version < version:
        raise StoreError(f"{path} has version {found_version}, this inarow needs {version}; take an older inarow")
    return found_version


def _take_lock(path: Path) -> sqlite3.Connection:
    """The right to write, held until the connection is closed or its process ends, in whatever way.

    SQLite locks an empty file of its own with POSIX locks. The kernel drops these with the process that took them, even
    while children that it forked live on: flock would last as long as they do. SQLite, unlike POSIX, also refuses a
    second lock in the same process. The database itself is no place for a lock that lasts: nobody could read it then.
    """
    lock_path = Path(f"{path}-lock")
    with _store_errors(lock_path), ExitStack() as unfinished:
        lock = sqlite3.connect(lock_path, timeout=0, isolation_level=None)
        unfinished.callback(lock.close)
        try:
            lock.execute("PRAGMA journal_mode=MEMORY")  # or there would be another file
            _begin_writing(lock)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise StoreError(f"{path} is being written by another process; wait until it ends, or end it") from None
            raise
        unfinished.pop_all()
    return lock


def _begin_writing(connection: sqlite3.Connection) -> None:
    """Begins a transaction that writes, and is not meant to be committed.

    BEGIN alone would do nothing of the kind in a file that is read-only: it may then begin one that reads.
    """
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("PRAGMA user_version=0")


def _use_wal(connection: sqlite3.Connection) -> str:
    """Asks for a write-ahead log, with which others read while one writes; where there can be none, a message."""
    try:
        mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    except sqlite3.OperationalError as error:
        mode = str(error)
    if mode == "wal":
        return ""
    connection.execute("PRAGMA journal_mode=DELETE")
    return f"this disk allows no write-ahead log ({mode}): whoever reads meanwhile makes writing wait"


@contextmanager
def _store_errors(path: Path) -> Iterator[None]:
    """Turns what SQLite says of a file into a StoreError of one line."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise  # the program's mistake, not the file's
    except sqlite3.DatabaseError as error:
        primary_code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        advice = _ERRORS.get(primary_code, "cannot be used")
        raise StoreError(f"{path} {advice} ({error})") from None
