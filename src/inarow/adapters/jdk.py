"""The user's Java: where it is, and sources compiled by it, once, into a folder that is kept."""

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from inarow.errors import SpecError

COMPILE_SECONDS = 120


def find_tool(name: str) -> str:
    """The path of `java` or `javac`: JAVA_HOME's, else the one on the PATH. SpecError says what to install."""
    home = os.environ.get("JAVA_HOME")
    found = (shutil.which(name, path=str(Path(home) / "bin")) if home else None) or shutil.which(name)
    if found is None:
        raise SpecError(
            f"there is no {name}: Java players need a JDK, version 8 or newer "
            "(on Debian: apt-get install default-jdk-headless), on the PATH or in JAVA_HOME"
        )
    return found


@functools.cache
def java_version(java: str) -> str:
    """What a Java says of itself, in all its lines."""
    return _run([java, "-version"], "Java says no version")


def check_class_path(class_path: str) -> None:
    """SpecError for a part of a class path that is not there."""
    for part in class_path.split(os.pathsep):
        folder_or_jar = Path(part.removesuffix("*") or ".")  # lib/* means all jars of a folder
        if not part or not folder_or_jar.exists():
            raise SpecError(f"there is no folder or jar {part!r} for the class path")


def compile_sources(sources: list[Path], folder: Path, class_path: str | None = None) -> None:
    """Compiles into a folder. SpecError with javac's first complaint."""
    where = ["-cp", class_path] if class_path else []
    command = [find_tool("javac"), "-encoding", "UTF-8", "-nowarn", *where, "-d", str(folder), *map(str, sources)]
    _run(command, f"{sources[0].name} cannot be compiled")


def compiled_once(source: Path) -> Path:
    """The folder with a source's classes, compiled now unless this Java has done it before.

    It is in the user's cache, named by what it is made from. Two processes may do it at once: each compiles into a
    folder of its own, and the first one's gets the name.
    """
    made_from = source.read_bytes() + java_version(find_tool("java")).encode()
    cache = _cache_folder()
    folder = cache / hashlib.sha256(made_from).hexdigest()[:16]
    if folder.is_dir():
        return folder
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as scratch:
            classes = Path(scratch) / "classes"
            classes.mkdir()
            compile_sources([source], classes)
            try:
                classes.rename(folder)
            except OSError:
                if not folder.is_dir():  # nobody else was first
                    raise
    except OSError as error:
        raise SpecError(f"the compiled Java host cannot be kept in {cache}: {error.strerror}") from None
    return folder


def _cache_folder() -> Path:
    """As the XDG base directories have it: a relative XDG_CACHE_HOME is none."""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "inarow" / "java"


def _run(command: list[str], failed: str) -> str:
    """What a program prints. SpecError, which begins with `failed`, when it does not end well."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=COMPILE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SpecError(f"{failed}: it takes more than {COMPILE_SECONDS} s") from None
    except OSError as error:
        raise SpecError(f"{failed}: {command[0]} cannot be started: {error.strerror}") from None
    if done.returncode != 0:
        first_line = next(iter(done.stdout.strip().splitlines()), f"exit status {done.returncode}")
        raise SpecError(f"{failed}: {first_line}")
    return done.stdout
