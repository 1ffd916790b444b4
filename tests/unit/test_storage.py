"""SQLite files opened safely: what is refused, who may write, and what a full disk leaves behind."""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from inarow import storage
from inarow.errors import StoreError
from inarow.storage import Database, open_database, read_database

APPLICATION_ID = 0x12345678
SCHEMA = "CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT NOT NULL)"
NOBODY = 65534

PRELUDE = f"""
import os, resource, signal, sys, time
from pathlib import Path
from inarow.errors import StoreError
from inarow.storage import open_database, read_database
KIND = dict(application_id={APPLICATION_ID}, version=1)
SCHEMA = {SCHEMA!r}
path = Path(sys.argv[1])
"""

READ_TEXTS = "print(read_database(path, **KIND).rows('SELECT text FROM numbers'))"
WRITE = "open_database(path, **KIND, schema=SCHEMA)"
KILL_MYSELF = "os.kill(os.getpid(), signal.SIGKILL)"


def opened(path: Path, *, application_id: int = APPLICATION_ID, version: int = 1, schema: str = SCHEMA) -> Database:
    return open_database(path, application_id=application_id, version=version, schema=schema)


def read(path: Path) -> Database:
    return read_database(path, application_id=APPLICATION_ID, version=1)


def created(path: Path, *texts: str) -> Path:
    """A closed database with these texts in it."""
    database = opened(path)
    for text in texts:
        database.change("INSERT INTO numbers (text) VALUES (?)", [text])
    database.close()
    return path


def texts_in(database: Database) -> list[str]:
    return [text for (text,) in database.rows("SELECT text FROM numbers ORDER BY number")]


def script(code: str, path: Path) -> str:
    """What a Python process prints that runs `code`, which finds the path in `path` and may end by killing itself."""
    command = [sys.executable, "-c", PRELUDE + code, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode in (0, -signal.SIGKILL), result.stderr
    return result.stdout


def refusal(path: Path) -> str:
    """Why a database is not opened to write; one line that names the file."""
    with pytest.raises(StoreError) as caught:
        opened(path)
    assert "\n" not in str(caught.value)
    assert path.name in str(caught.value)
    return str(caught.value)


@pytest.fixture
def public_path() -> Iterator[Path]:
    """In a directory that other users can enter, which pytest's are not."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        yield Path(directory) / "x.db"


def test_what_is_written_is_there_again(tmp_path: Path) -> None:
    path = created(tmp_path / "x.db", "a", "b")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["x.db", "x.db-lock"]
    database = opened(path)
    assert texts_in(database) == ["a", "b"]
    assert database.message == ""
    database.close()


def test_how_it_is_opened(tmp_path: Path) -> None:
    database = opened(tmp_path / "x.db")
    pragmas = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "application_id", "user_version")
    values = {name: database.rows(f"PRAGMA {name}")[0][0] for name in pragmas}
    assert sorted(file.name for file in tmp_path.iterdir()) == ["x.db", "x.db-lock", "x.db-shm", "x.db-wal"]
    assert (tmp_path / "x.db-lock").stat().st_size == 0
    database.close()
    extra = 3
    assert values == dict(zip(pragmas, ("wal", extra, 1, 30_000, APPLICATION_ID, 1), strict=True))


def test_names_that_look_like_parts_of_an_address(tmp_path: Path) -> None:
    path = created(tmp_path / "a b?mode=ro#1%20.db", "a")
    assert path.exists()
    database = read(path)
    assert texts_in(database) == ["a"]
    database.close()


def test_a_directory_or_a_device_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path).endswith("is a directory; name a file")
    assert refusal(Path(os.devnull)).endswith("is a device; name a file")
    assert not Path(f"{os.devnull}-lock").exists()


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path / 'no'} is not a directory; create it first" in refusal(tmp_path / "no" / "x.db")


def test_a_name_that_no_disk_allows_is_refused(tmp_path: Path) -> None:
    assert "File name too long" in refusal(tmp_path / ("x" * 300))


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("these are somebody's notes\n" * 100, encoding="utf-8")
    before = path.read_bytes()
    assert "is not an SQLite database" in refusal(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    for pragma in ("", "PRAGMA application_id=99"):
        path.unlink(missing_ok=True)
        other = sqlite3.connect(path)
        other.executescript(f"CREATE TABLE things (thing); {pragma}")
        other.close()
        before = path.read_bytes()
        assert "is an SQLite database of another program" in refusal(path)
        with pytest.raises(StoreError, match="another program"):
            read(path)
        assert path.read_bytes() == before
        assert list(tmp_path.iterdir()) == [path]


def test_other_versions_are_refused(tmp_path: Path) -> None:
    path = created(tmp_path / "x.db")
    with pytest.raises(StoreError, match="has version 1, this inarow needs 2; take an older inarow"):
        opened(path, version=2)
    opened(tmp_path / "y.db", version=2).close()
    with pytest.raises(StoreError, match="has version 2, this inarow knows 1; take a newer inarow"):
        opened(tmp_path / "y.db")


def test_an_empty_file_is_as_good_as_none(tmp_path: Path) -> None:
    """It is also what a process leaves that is killed while it creates a database."""
    path = tmp_path / "x.db"
    path.touch()
    with pytest.raises(StoreError, match="is empty: nothing was written into it yet"):
        read(path)
    created(path, "a")


def test_a_schema_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="syntax error"):
        opened(tmp_path / "x.db", schema=f"{SCHEMA}; CREATE NONSENSE")
    created(tmp_path / "x.db", "a")


@pytest.mark.parametrize(
    ("offset", "message"), [(0, "is not an SQLite database, or its head is damaged"), (100, "is damaged")]
)
def test_a_damaged_file_is_refused(tmp_path: Path, offset: int, message: str) -> None:
    path = created(tmp_path / "x.db", "a")
    content = bytearray(path.read_bytes())
    content[offset : offset + 50] = b"\xff" * 50
    path.write_bytes(content)
    assert message in refusal(path)
    with pytest.raises(StoreError, match=message):
        read(path)


def test_what_the_program_does_wrong_is_not_called_a_damaged_file(tmp_path: Path) -> None:
    database = opened(tmp_path / "x.db")
    with pytest.raises(sqlite3.IntegrityError):
        database.change("INSERT INTO numbers (text) VALUES (NULL)")
    with pytest.raises(sqlite3.ProgrammingError):
        database.change("INSERT INTO numbers (text) VALUES (?)")
    database.close()


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    link = tmp_path / "link.db"
    link.symlink_to(path)
    database = opened(path)
    for name in (path, link):
        with pytest.raises(StoreError, match=r"x\.db is being written by another process; wait until it ends"):
            opened(name)
    for _ in range(2):  # being refused once does not take the lock away
        code = f"try:\n    {WRITE}\nexcept StoreError as error:\n    print(error)"
        assert "is being written by another process" in script(code, link)
    database.change("INSERT INTO numbers (text) VALUES ('still mine')")
    database.close()
    opened(path).close()


def test_a_killed_writer_leaves_no_lock_even_when_its_children_live(tmp_path: Path) -> None:
    code = """
database = open_database(path, **KIND, schema=SCHEMA)
child = os.fork()
if child == 0:
    time.sleep(60)
    os._exit(0)
database.change("INSERT INTO numbers (text) VALUES ('a')")
print(child, flush=True)
time.sleep(60)
"""
    path = tmp_path / "x.db"
    with subprocess.Popen(
        [sys.executable, "-c", PRELUDE + code, str(path)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        child = int(writer.stdout.readline())
        try:
            assert "is being written" in refusal(path)
            writer.kill()
            writer.wait()
            os.kill(child, 0)  # it is still there
            database = opened(path)
            assert texts_in(database) == ["a"]
            database.close()
        finally:
            writer.kill()
            os.kill(child, signal.SIGKILL)


def test_a_reader_sees_what_is_committed_while_another_writes(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    writer = opened(path)
    writer.change("INSERT INTO numbers (text) VALUES ('a')")
    reader = read(path)
    assert texts_in(reader) == ["a"]
    writer.change("INSERT INTO numbers (text) VALUES ('b')")
    assert texts_in(reader) == ["a", "b"]
    with pytest.raises(StoreError, match="cannot be written"):
        reader.change("INSERT INTO numbers (text) VALUES ('c')")
    writer.close()
    reader.close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["x.db", "x.db-lock"], "readers leave nothing behind"


def test_there_is_nothing_to_read(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        read(tmp_path / "x.db")
    assert list(tmp_path.iterdir()) == []


def as_another_user(code: str, path: Path, directory_mode: int = 0o555) -> str:
    """What `code` prints, run as a user to whom the file and its directory do not belong.

    Root may write everywhere and becomes nobody; whoever else runs the tests takes the right to write from itself.
    """
    become = f"os.setgroups([]); os.setuid({NOBODY})" if os.geteuid() == 0 else ""
    path.parent.chmod(directory_mode)
    try:
        return script(f"{become}\ntry:\n    {code}\nexcept StoreError as error:\n    print(error)\n", path)
    finally:
        path.parent.chmod(0o755)


def test_a_medium_that_is_read_only(public_path: Path) -> None:
    path = created(public_path, "a")
    path.chmod(0o444)
    assert as_another_user(READ_TEXTS, path) == "[('a',)]\n"
    assert "cannot be" in as_another_user(WRITE, path)
    path.chmod(0o600 if os.geteuid() == 0 else 0)
    assert "cannot be opened; make it and its directory readable and writable" in as_another_user(READ_TEXTS, path)
    assert "cannot be opened" in as_another_user(WRITE, path)


@pytest.mark.parametrize("name", ["x.db", "x.db-lock"])
def test_a_file_that_is_read_only(public_path: Path, name: str) -> None:
    """For a lock that cannot be taken SQLite would give the right to read, which many may have at once."""
    created(public_path)
    for file in public_path.parent.iterdir():
        file.chmod(0o444 if file.name == name else 0o666)
    assert f"{name} cannot be written; make it and" in as_another_user(WRITE, public_path, directory_mode=0o777)


def test_a_place_where_nothing_can_be_created(public_path: Path) -> None:
    assert "cannot be opened" in as_another_user(WRITE, public_path)


def test_a_read_only_copy_of_a_database_that_was_not_closed(public_path: Path) -> None:
    """What is in the WAL must not be overlooked."""
    insert = "INSERT INTO numbers (text) VALUES ('a')"
    script(f'{WRITE}.change("{insert}"); {KILL_MYSELF}', public_path)
    assert as_another_user(READ_TEXTS, public_path) == "[('a',)]\n"
    assert "cannot be written; make it and its directory writable" in as_another_user(WRITE, public_path)
    Path(f"{public_path}-shm").unlink()
    assert "was not closed; copy it and x.db-wal to a directory" in as_another_user(READ_TEXTS, public_path)
    database = read(public_path)
    assert texts_in(database) == ["a"]
    database.close()


def test_without_a_write_ahead_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's own way to lock by files has no shared memory, as some network disks, and refuses WAL in earnest."""
    connect = storage._connect

    def connect_without_shared_memory(path: Path, options: str) -> sqlite3.Connection:
        return connect(path, f"{options}&vfs=unix-dotfile")

    monkeypatch.setattr(storage, "_connect", connect_without_shared_memory)
    path = tmp_path / "x.db"
    database = opened(path)
    assert "no write-ahead log (delete)" in database.message
    assert database.rows("PRAGMA journal_mode") == [("delete",)]
    database.change("INSERT INTO numbers (text) VALUES ('a')")
    reader = read(path)
    assert texts_in(reader) == ["a"]
    database.change("INSERT INTO numbers (text) VALUES ('b')")
    assert texts_in(reader) == ["a", "b"]
    reader.close()
    database.close()


def test_a_disk_that_fails_when_asked_for_a_write_ahead_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing(sqlite3.Connection):
        def execute(self, sql: str, *parameters: object) -> sqlite3.Cursor:
            if sql == "PRAGMA journal_mode=WAL":
                raise sqlite3.OperationalError("locking protocol")
            return super().execute(sql, *parameters)  # type: ignore[arg-type]

    def connect(path: Path, options: str) -> sqlite3.Connection:
        return sqlite3.connect(f"{path.as_uri()}?{options}", uri=True, isolation_level=None, factory=Refusing)

    monkeypatch.setattr(storage, "_connect", connect)
    database = opened(tmp_path / "x.db")
    assert "no write-ahead log (locking protocol)" in database.message
    assert database.rows("PRAGMA journal_mode") == [("delete",)]
    database.close()


def test_a_full_disk(tmp_path: Path) -> None:
    """A process may write no file over 200 kB: that fails as a full disk does, and goes on when there is room."""
    code = f"""
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
database = open_database(path, **KIND, schema=SCHEMA)
number = 0
try:
    while True:
        database.change("INSERT INTO numbers (text) VALUES (?)", [str(number) * 1000])
        number += 1
except StoreError as error:
    print(number)
    print(error)
print(database.rows("SELECT count(*) FROM numbers")[0][0])
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
database.change("INSERT INTO numbers (text) VALUES ('room again')")
print("room", flush=True)
{KILL_MYSELF}
"""
    path = tmp_path / "x.db"
    committed, message, *rest = script(code, path).splitlines()
    assert int(committed) > 10
    assert "the disk may be full; what was committed before is safe (disk I/O error)" in message
    assert rest == [committed, "room"]
    database = opened(path)
    assert texts_in(database) == [*(str(number) * 1000 for number in range(int(committed))), "room again"]
    assert database.rows("PRAGMA integrity_check") == [("ok",)]
    database.close()
