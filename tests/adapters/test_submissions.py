"""What a student's folder holds: found by reading alone, whatever is in it."""

import os
import struct
import zipfile
from pathlib import Path

import pytest

from inarow import SpecError
from inarow.adapters.class_files import read_class
from inarow.adapters.reads import reads_of
from inarow.adapters.submissions import find_submission, find_submissions

PLAYER = "class {}:\n    def choose(self, board, limit):\n        return board.legal_moves[0]\n"
RUNS = "raise SystemExit('it was run')\n"
PUBLIC, ABSTRACT = 0x21, 0x400


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ada").mkdir()
    return tmp_path / "ada"


def write(file: Path, data: str | bytes) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return file


def java_class(name: str, parent: str = "java.lang.Object", *interfaces: str, flags: int = PUBLIC) -> bytes:
    """The bytes of a class with nothing in it, and a constant of each size before the names."""
    constants = b"\x05" + bytes(8) + b"\x03" + bytes(4) + b"\x0f" + bytes(3) + b"\x08" + bytes(2)
    count = 5  # the first takes two numbers
    numbers = []
    for text in (name, parent, *interfaces):
        data = text.replace(".", "/").encode()
        constants += b"\x01" + struct.pack(">H", len(data)) + data + b"\x07" + struct.pack(">H", count + 1)
        numbers.append(count + 2)
        count += 2
    head = struct.pack(">IIH", 0xCAFEBABE, 52, count + 1)
    return head + constants + struct.pack(f">4H{len(interfaces)}H", flags, *numbers[:2], len(interfaces), *numbers[2:])


# ── Python ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (PLAYER.format("Me"), "Me"),
        ("import inarow\nclass Me(inarow.Player):\n    pass\n", "Me"),
        (PLAYER.format("Base") + "class Me(Base):\n    depth = 3\n", "Me"),
        (PLAYER.format("Me") + "class Table:\n    pass\ndef helper(x):\n    return x\n", "Me"),
    ],
    ids=["choose", "Player", "inherits", "helpers"],
)
def test_a_class_that_chooses(folder: Path, source: str, name: str) -> None:
    file = write(folder / "mine.py", RUNS + source)
    write(folder / "helpers.py", "def best(moves):\n    return moves[0]\n")
    found = find_submission(folder)
    assert found.spec == f"python:{file}:{name}"
    assert found.name == "ada"
    assert reads_of(found.spec) == (str(folder),)


@pytest.mark.parametrize("head", ["my_agent(x, y)", "play(observation, configuration)", "f(obs)"])
def test_a_kaggle_agent(folder: Path, head: str) -> None:
    file = write(folder / "submission.py", f"{RUNS}def helper(x):\n    return x\ndef {head}:\n    return 0\n")
    assert find_submission(folder).spec == f"kaggle:{file}"


def test_what_lies_deeper_counts_only_when_there_is_nothing_above(folder: Path) -> None:
    deep = write(folder / "src" / "mine.py", PLAYER.format("Deep"))
    write(folder / "notes.txt", "hello")
    assert find_submission(folder).spec == f"python:{deep}:Deep"
    top = write(folder / "main.py", PLAYER.format("Top"))
    assert find_submission(folder).spec == f"python:{top}:Top"


# ── Java and brains ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_class_that_is_a_player_of_the_course(folder: Path) -> None:
    write(folder / "out" / "mnkgame" / "Mine.class", java_class("mnkgame.Mine", "mnkgame.Base"))
    base = java_class("mnkgame.Base", "java.lang.Object", "mnkgame.MNKPlayer", flags=PUBLIC | ABSTRACT)
    write(folder / "out" / "mnkgame" / "Base.class", base)
    write(folder / "out" / "mnkgame" / "Table.class", java_class("mnkgame.Table"))
    player = java_class("mnkgame.RandomPlayer", "java.lang.Object", "mnkgame.MNKPlayer")
    write(folder / "out" / "mnkgame" / "RandomPlayer.class", player)
    assert find_submission(folder).spec == f"java:{folder / 'out'}#mnkgame.Mine"


def test_a_jar_with_a_player_and_the_jars_beside_it(folder: Path) -> None:
    for name, entries in {
        "framework.jar": {"connectx/CXPlayer.class": java_class("connectx.CXPlayer")},
        "mine.jar": {
            "me/Mine.class": java_class("me.Mine", "java.lang.Object", "connectx.CXPlayer"),
            "module-info.class": b"",
        },
    }.items():
        with zipfile.ZipFile(folder / name, "w") as jar:
            for entry, data in entries.items():
                jar.writestr(entry, data)
    jars = f"{folder / 'mine.jar'}:{folder / 'framework.jar'}"
    assert find_submission(folder).spec == f"java:{jars}#me.Mine"
    assert find_submission(folder, "/course.jar").spec == f"java:{jars}:/course.jar#me.Mine"


def test_bytes_that_are_no_class() -> None:
    whole = java_class("a.B", "a.C", "a.D")
    assert read_class(whole).parents == ("a.C", "a.D")
    for data in (b"", b"hello, world", *(whole[:size] for size in range(len(whole)))):
        with pytest.raises(ValueError, match="not a class file"):
            read_class(data)


def test_a_brain(folder: Path) -> None:
    file = write(folder / "pbrain-my own", "#!/bin/sh\n")
    assert "pbrain-my own cannot be run: chmod +x is missing" in find_submission(folder).wrong
    file.chmod(0o755)
    found = find_submission(folder)
    assert found.spec == f"gomocup:'{file}'"
    assert reads_of(found.spec) == (str(folder),)


# ── nothing, too much, and what is not meant well ───────────────────────────────────────────────────────────────────


def test_what_is_looked_for_and_found_is_told(folder: Path) -> None:
    nothing = find_submission(folder)
    assert nothing.spec is None
    assert "Looked for: a Python file with a class that has choose" in nothing.wrong
    assert nothing.wrong.endswith("Found: no file")
    write(folder / "Mine.java", "class Mine {}")
    assert find_submission(folder).wrong.endswith("Found: Mine.java")
    write(folder / "two.py", PLAYER.format("One") + PLAYER.format("Two"))
    several = find_submission(folder)
    assert several.spec is None
    assert several.wrong == "it holds 2 players, and one is wanted: the class One in two.py, the class Two in two.py"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("class Me(:\n", r"mine\.py cannot be read: SyntaxError: invalid syntax \(line 1\)"),
        (b"\xff\xfe", r"mine\.py cannot be read: SyntaxError"),
        (b"x = 1\0", r"mine\.py cannot be read: "),
        ("-" * 300_000 + "1", r"mine\.py cannot be read: it is nested too deeply"),
        ("#" * (2**20 + 1), r"mine\.py cannot be read: it has over 1048576 bytes"),
    ],
    ids=["syntax", "bytes", "null", "deep", "large"],
)
def test_a_file_that_cannot_be_read_is_told(folder: Path, data: str | bytes, words: str) -> None:
    write(folder / "mine.py", data)
    with pytest.raises(SpecError, match=words):
        raise SpecError(find_submission(folder).wrong)


def test_links_pipes_and_broken_jars_stop_nobody(tmp_path: Path, folder: Path) -> None:
    secret = write(tmp_path / "secret.py", PLAYER.format("Secret"))
    (folder / "linked.py").symlink_to(secret)
    (folder / "around").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.py")
    write(folder / "broken.jar", b"PK\3\4 and no more")
    write(folder / "Broken.class", b"no class")
    found = find_submission(folder)
    assert found.spec is None
    for words in (
        "linked.py is a link",
        "around is a link",
        "broken.jar cannot be read",
        "Broken.class cannot be read",
    ):
        assert words in found.wrong
    mine = write(folder / "mine.py", PLAYER.format("Mine"))
    assert find_submission(folder).spec == f"python:{mine}:Mine"


def test_a_class_in_sub_folders(tmp_path: Path) -> None:
    write(tmp_path / "bea" / "mine.py", PLAYER.format("Mine"))
    write(tmp_path / "readme.txt", "hello")
    (tmp_path / ".git").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "bea")
    os.mkdir(os.fsencode(tmp_path) + b"/\xff\x1b")  # noqa: PTH102 - a name that is no text
    found = find_submissions(tmp_path)
    assert [(each.name, each.spec is not None) for each in found] == [("bea", True), ("link", False), ("??", False)]
    assert "the folder is a link to another one" in found[1].wrong
    assert "characters that cannot be shown" in found[2].wrong


def test_no_class_at_all(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="there are no sub-folders in"):
        find_submissions(tmp_path)
    with pytest.raises(SpecError, match="is not a folder of submissions: No such file or directory"):
        find_submissions(tmp_path / "nowhere")
