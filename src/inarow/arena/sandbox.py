"""A player in bubblewrap: it runs, and sees nothing but what running takes and what it was given to read.

    no network, no processes but its own, no terminal, no rights beyond those of the files
    read-only   /usr and its kin, this Python, inarow, and what the player `reads`: its own folder
    /tmp        its own, empty, of TEMPORARY_BYTES; everything else is not there, or cannot be written
    environment what `environment` says

The referee's limits of memory and processes hold inside as they do outside: launcher.py sees the player's processes.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import inarow
from inarow.arena.host import THREADS
from inarow.arena.spec import MEBIBYTE
from inarow.errors import SpecError

BWRAP = "bwrap"
OWN_PROCESSES = 2  # bubblewrap's: one waits outside, one is the first inside
MAX_PROCESSES = 64  # what a player that may start processes has beside the first
MAX_THREADS = 256  # of all its processes, which count here too; the kernel refuses more, unless the user is root
TEMPORARY_BYTES = 64 * MEBIBYTE
TRY_SECONDS = 30.0

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("ld.so.cache", "alternatives", "java-*")  # of /etc: what programs need to start, Java among them
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME")


def check_sandbox() -> None:
    """SpecError when there is no bubblewrap, or when it cannot work on this machine."""
    if shutil.which(BWRAP) is None:
        raise SpecError(f"a sandbox needs bubblewrap, and there is no {BWRAP} (on Debian: apt-get install bubblewrap)")
    try:
        done = subprocess.run(
            in_sandbox([sys.executable, "-I", "-S", "-c", ""], ()),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TRY_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SpecError(f"bubblewrap makes no sandbox here: it takes more than {TRY_SECONDS:g} s") from None
    if done.returncode != 0:
        last_line = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise SpecError(f"bubblewrap makes no sandbox here: {last_line}")


def in_sandbox(command: list[str], reads: Iterable[str]) -> list[str]:
    """The command that runs a command in a sandbox in which these files and folders can be read."""
    words = [BWRAP, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for path in _SYSTEM:
        if Path(path).is_symlink():
            words += ["--symlink", str(Path(path).readlink()), path]
        elif Path(path).exists():
            words += ["--ro-bind", path, path]
    words += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    words += ["--size", str(TEMPORARY_BYTES), "--tmpfs", "/tmp"]
    settings = (str(path) for pattern in _SETTINGS for path in sorted(Path("/etc").glob(pattern)))
    for path in dict.fromkeys((*settings, *_installation(), *reads)):
        words += ["--ro-bind", path, path]
    here = str(Path.cwd())  # where a spec's file is looked for, should it not be named by its full path
    return [*words, "--dir", here, "--remount-ro", "/", "--chdir", here, "--", *command]


def environment() -> dict[str, str]:
    """The environment in a sandbox: what programs need to start, and nothing that could be a secret."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    kept["XDG_CACHE_HOME"] = str(cache if cache.is_absolute() else Path.home() / ".cache")
    return {**kept, "HOME": "/tmp", THREADS: str(MAX_THREADS)}


def _installation() -> list[str]:
    """Where this Python and inarow are, but for what is there anyhow."""
    folders = [sys.prefix, sys.base_prefix, str(Path(inarow.__file__).parent)]
    return [folder for folder in folders if not Path(folder).is_relative_to("/usr")]
