"""A class's work: a folder with one sub-folder a student, and what each of them holds. Nothing of it is run here.

    python:FILE.py:Class      a Python file with a class that has `choose`
    kaggle:FILE.py            a Python file that ends with a function agent(observation, configuration)
    java:CLASSPATH#Class      a jar, or class files, with a class that is an MNKPlayer or a CXPlayer
    gomocup:PROGRAM           a program that is called pbrain-…

Files nearest to the top of the sub-folder count: once a player is found, what lies deeper is its own business.
"""

import ast
import itertools
import os
import shlex
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from inarow.adapters.class_files import JavaClass, players_among, read_class
from inarow.errors import SpecError

LOOKED_FOR = (
    "a Python file with a class that has choose(self, board, limit), or with a Kaggle agent(observation, "
    "configuration), a jar or class files with an MNKPlayer or a CXPlayer, or a program pbrain-…"
)
MAX_DEPTH = 8
MAX_FILES = 5000
MAX_BYTES = 2**20  # of a source or a class; who writes more by hand?
MAX_CLASSES = 2000  # of a jar
JAR_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError)  # RuntimeError: it has a password
SHOWN = 5  # of files, players or troubles
BRAIN = "pbrain-"
FRAMEWORK_PLAYERS = frozenset(
    {"mnkgame.RandomPlayer", "mnkgame.QuasiRandomPlayer", "connectx.L0.L0", "connectx.L1.L1"}
)  # they come with the course's framework, and are nobody's work


@dataclass(frozen=True)
class Found:
    """A player that a sub-folder holds: its spec, and where it is in words."""

    spec: str
    words: str


@dataclass
class Submission:
    """What a student's folder holds. `troubles` are files that could not be looked at, and why."""

    name: str
    folder: Path
    players: list[Found] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    @property
    def spec(self) -> str | None:
        """Its player's; None when there is none, or more than one."""
        return self.players[0].spec if len(self.players) == 1 else None

    @property
    def wrong(self) -> str:
        """Why there is no spec, in words for the student."""
        if self.players:
            return (
                f"it holds {len(self.players)} players, and one is wanted: {_few(each.words for each in self.players)}"
            )
        troubles = f": {_few(self.troubles)}" if self.troubles else ""
        found = _few(self.files) or "no file"
        return f"there is no player in it{troubles}. Looked for: {LOOKED_FOR}. Found: {found}"


def find_submissions(folder: Path, class_path: str = "") -> list[Submission]:
    """What each sub-folder holds, by name. `class_path` is added to every Java player's. SpecError when there is none.

    Hidden sub-folders are left out.
    """
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("."))
    except OSError as error:
        raise SpecError(f"{folder} is not a folder of submissions: {error.strerror}") from None
    if not names:
        raise SpecError(f"there are no sub-folders in {folder}; each student's work is in one of its own")
    return [find_submission(folder / name, class_path) for name in names]


def find_submission(folder: Path, class_path: str = "") -> Submission:
    """What one student's folder holds."""
    name = folder.absolute().name
    submission = Submission(_shown(name), folder)
    if submission.name != name:
        submission.troubles.append("the folder's name has characters that cannot be shown")
        return submission
    if folder.is_symlink():
        submission.troubles.append("the folder is a link to another one, which is not looked into")
        return submission
    submission.folder = folder.resolve()
    for files in _levels(submission):
        _look_at(submission, files, class_path)
        if submission.players:
            break
    return submission


def _look_at(submission: Submission, files: list[Path], class_path: str) -> None:
    """Adds the players among files that lie equally deep."""
    classes: dict[str, JavaClass] = {}
    for file in files:
        try:
            if file.name.startswith(BRAIN):
                submission.players += _brain(submission, file)
            elif file.suffix == ".py":
                submission.players += _python_players(submission, file)
            elif file.suffix == ".jar":
                submission.players += _jar_players(submission, file, class_path)
            elif file.suffix == ".class":
                java_class = read_class(_read(file))
                classes[java_class.name] = java_class
        except (OSError, ValueError, *JAR_ERRORS) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            submission.troubles.append(f"{_inside(submission, file)} cannot be read: {reason}")
    for java_class in _own_players(classes):
        submission.players += _class_player(submission, java_class, files, class_path)


def _levels(submission: Submission) -> Iterator[list[Path]]:
    """The plain files of the folder, level by level. What leads out of it is not followed."""
    level, seen = [submission.folder], 0
    for _ in range(MAX_DEPTH):
        files: list[Path] = []
        deeper: list[Path] = []
        for folder in level:
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                submission.troubles.append(f"{_inside(submission, folder)} cannot be read: {error.strerror}")
                continue
            for entry in entries:
                if entry.name.startswith((".", "__pycache__", "__MACOSX")):
                    continue
                if not entry.name.isprintable():
                    submission.troubles.append(f"the name {_shown(entry.name)} has characters that cannot be shown")
                elif entry.is_symlink():
                    submission.troubles.append(
                        f"{_inside(submission, Path(entry.path))} is a link, which is not followed"
                    )
                elif entry.is_dir():
                    deeper.append(Path(entry.path))
                elif entry.is_file():
                    files.append(Path(entry.path))
        seen += len(files)
        if seen > MAX_FILES:
            submission.troubles.append(f"there are over {MAX_FILES} files in it")
            return
        submission.files += [_inside(submission, file) for file in files]
        yield files
        level = deeper


def _read(file: Path) -> bytes:
    """A plain file of a bearable size; nothing that would make the reader wait."""
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as opened:
        status = os.fstat(opened.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("it is not a plain file")
        if status.st_size > MAX_BYTES:
            raise ValueError(f"it has over {MAX_BYTES} bytes")
        return opened.read(MAX_BYTES)


# ── Python ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _python_players(submission: Submission, file: Path) -> list[Found]:
    name = _inside(submission, file)
    try:
        body = ast.parse(_read(file)).body
    except SyntaxError as error:
        raise ValueError(f"{type(error).__name__}: {error.msg} (line {error.lineno})") from None
    except (RecursionError, MemoryError):
        raise ValueError("it is nested too deeply") from None
    players = [Found(f"python:{file}:{kind}", f"the class {kind} in {name}") for kind in _player_classes(body)]
    agent = _agent(body)
    return [*players, Found(f"kaggle:{file}", f"the agent {agent} in {name}")] if agent else players


def _player_classes(body: list[ast.stmt]) -> list[str]:
    """The classes that choose, or say that they are a Player, but for those that others of the file are made from."""
    classes = {each.name: each for each in body if isinstance(each, ast.ClassDef)}
    bases = {name: [_last_name(base) for base in each.bases] for name, each in classes.items()}

    def chooses(name: str, seen: frozenset[str]) -> bool:
        if name not in classes or name in seen:
            return name == "Player"
        own = any(isinstance(each, ast.FunctionDef) and each.name == "choose" for each in classes[name].body)
        return own or any(chooses(base, seen | {name}) for base in bases[name])

    players = [name for name in classes if chooses(name, frozenset())]
    made_from = {base for name in players for base in bases[name]}
    return [name for name in players if name not in made_from]


def _last_name(base: ast.expr) -> str:
    """Player of inarow.Player."""
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def _agent(body: list[ast.stmt]) -> str | None:
    """The name of a Kaggle agent: the last function or class of the file, if it looks like one."""
    last = next((each for each in reversed(body) if isinstance(each, ast.FunctionDef | ast.ClassDef)), None)
    if not isinstance(last, ast.FunctionDef):
        return None
    names = [argument.arg for argument in (*last.args.posonlyargs, *last.args.args)]
    is_agent = bool(names) and (names[0] in ("obs", "observation") or last.name.endswith("agent"))
    return last.name if is_agent else None


# ── Java and brains ─────────────────────────────────────────────────────────────────────────────────────────────────


def _jar_players(submission: Submission, file: Path, class_path: str) -> list[Found]:
    classes: dict[str, JavaClass] = {}
    with zipfile.ZipFile(file) as jar:
        entries = [entry for entry in jar.infolist() if entry.filename.endswith(".class")]
        if len(entries) > MAX_CLASSES:
            raise ValueError(f"it has over {MAX_CLASSES} classes")
        for entry in entries:
            with jar.open(entry) as opened:
                try:
                    java_class = read_class(opened.read(MAX_BYTES))
                except ValueError:  # module-info, or a class of a kind that no player is
                    continue
                classes[java_class.name] = java_class
    path = _class_path([file, *(other for other in sorted(file.parent.glob("*.jar")) if other != file)], class_path)
    name = _inside(submission, file)
    return [
        Found(f"java:{path}#{player.name}", f"the class {player.name} in {name}") for player in _own_players(classes)
    ]


def _class_player(submission: Submission, java_class: JavaClass, files: list[Path], class_path: str) -> list[Found]:
    """A class of a file: its class path is the folder in which its packages begin, and the jars there."""
    *packages, simple_name = java_class.name.split(".")
    found = []
    for file in files:
        if file.name == f"{simple_name}.class" and list(file.parts[-1 - len(packages) : -1]) == packages:
            root = file.parents[len(packages)]
            if root.is_relative_to(submission.folder):
                path = _class_path([root, *sorted(root.glob("*.jar"))], class_path)
                words = f"the class {java_class.name} in {_inside(submission, file)}"
                found.append(Found(f"java:{path}#{java_class.name}", words))
    if not found:
        submission.troubles.append(f"{java_class.name} does not lie in folders that are called as its packages are")
    return found


def _own_players(classes: dict[str, JavaClass]) -> list[JavaClass]:
    """Players but for the framework's, and those that others are made from."""
    players = players_among(classes)
    left_out = FRAMEWORK_PLAYERS.union(*(player.parents for player in players))
    return [player for player in players if player.name not in left_out and player.name.isprintable()]


def _class_path(parts: list[Path], more: str) -> str:
    for part in parts:
        if os.pathsep in str(part) or "#" in str(part):
            raise ValueError(f"a class path cannot have {part.name!r} in it, because of {os.pathsep} or #")
    return os.pathsep.join([*map(str, parts), *([more] if more else [])])


def _brain(submission: Submission, file: Path) -> list[Found]:
    name = _inside(submission, file)
    if not os.access(file, os.X_OK):
        submission.troubles.append(f"{name} cannot be run: chmod +x is missing")
        return []
    return [Found(f"gomocup:{shlex.quote(str(file))}", f"the brain {name}")]


# ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _inside(submission: Submission, path: Path) -> str:
    """Where a file is, from the sub-folder."""
    return _shown(str(path.relative_to(submission.folder)))


def _few(texts: Iterable[str]) -> str:
    """The first of some texts."""
    first = list(itertools.islice(texts, SHOWN + 1))
    return ", ".join(first[:SHOWN]) + (", …" if len(first) > SHOWN else "")


def _shown(name: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in name)
