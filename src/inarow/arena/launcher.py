"""Runs a player's command so that nothing of it outlives the referee. It is a script that imports nothing of inarow.

    launcher.py CONTROL STATUS MEMORY CHILDREN KEPT COMMAND…

The referee starts it, it starts the player. CONTROL and STATUS are pipes to the referee. The launcher reads CONTROL:
when that ends, because the referee closed it or died in whatever way, it kills everything. To STATUS it writes what
happens:

    pid 1234        the player runs, in a session and a process group of its own
    exit 3          it ended with this status
    signal 11       it was ended by this signal
    memory 123456   it had so many bytes, more than MEMORY (0: no limit), and was killed
    child 1235      it had started another process, though CHILDREN is 0, and was killed

KEPT are the numbers of the pipes that the player inherits beside its output, separated by commas.

As the "subreaper" of all that the player starts, the launcher stays the ancestor even of what was forked twice; and
should the launcher itself be killed, the player gets a signal that neither ignoring nor being stopped helps against.
"""

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
LOOK_MILLISECONDS = 50
PAGE = os.sysconf("SC_PAGE_SIZE")


def prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def children_of(pid: int) -> list[int]:
    """The processes that any thread of a process has started; none when it is gone."""
    children = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            children += [int(word) for word in (thread / "children").read_text().split()]
    except OSError:
        pass
    return children


def descendants_of(pid: int) -> list[int]:
    found = children_of(pid)
    for child in found:  # grows while it is gone through
        found += children_of(child)
    return found


def memory_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def kill_everything() -> None:
    """Kills all descendants, also those that appear meanwhile, and sees them gone."""
    while pids := descendants_of(os.getpid()):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        reap()
        time.sleep(0.001)


def reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def run_player(command: list[str], kept: list[int], launcher: int) -> None:
    """The forked child: becomes the player."""
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != launcher:  # it died before the line above
        os._exit(1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    for pipe in kept:
        os.set_inheritable(pipe, True)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]} cannot be started: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)


def main() -> None:
    control, status, memory, may_have_children = (int(word) for word in sys.argv[1:5])
    kept = [int(word) for word in sys.argv[5].split(",")]
    command = sys.argv[6:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    for pipe in (control, status, *kept):
        os.set_inheritable(pipe, False)

    def say(text: str) -> None:
        with contextlib.suppress(OSError):  # the referee is gone; that ends the loop below
            os.write(status, f"{text}\n".encode())

    launcher = os.getpid()
    player = os.fork()
    if player == 0:
        run_player(command, kept, launcher)
    nothing = os.open(os.devnull, os.O_RDWR)
    for pipe in (1, 2):
        os.dup2(nothing, pipe)
    for pipe in kept:
        os.close(pipe)  # so that the referee sees when the player closes its own
    ended = os.pidfd_open(player)
    say(f"pid {player}")

    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(ended, select.POLLIN)
    looks = bool(memory) or not may_have_children
    while True:
        events = dict(poll.poll(LOOK_MILLISECONDS if looks else None))
        if control in events:
            break
        if ended in events:
            code = os.waitstatus_to_exitcode(os.waitpid(player, 0)[1])
            say(f"exit {code}" if code >= 0 else f"signal {-code}")
            break
        others = descendants_of(player)
        if others and not may_have_children:
            say(f"child {others[0]}")
            break
        used = memory_of(player) + sum(map(memory_of, others))
        if memory and used > memory:
            say(f"memory {used}")
            break
        reap_orphans(player)
    kill_everything()


def reap_orphans(player: int) -> None:
    """Lets go of what was forked twice and has ended; the player itself is waited for elsewhere."""
    for pid in children_of(os.getpid()):
        if pid != player:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


if __name__ == "__main__":
    main()
