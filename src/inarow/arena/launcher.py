"""Runs a player's command so that nothing of it outlives the referee. It is a script that imports little, to be quick.

    launcher.py CONTROL STATUS MEMORY CHILDREN KEPT COMMAND…

The referee starts it, it starts the player. CONTROL and STATUS are pipes to the referee. The launcher reads CONTROL:
when that ends, because the referee closed it or died in whatever way, it kills everything. To STATUS it writes what
happens:

    pid 1234        the player begins, in a session and a process group of its own
    exit 3          it ended with this status
    signal 11       it was ended by this signal
    memory 123456   it had so many bytes, more than MEMORY (0: no limit), and was killed
    child 1235      it had started this process, one more than the CHILDREN that it may have, and was killed

CHILDREN is ANY_NUMBER where that does not matter. KEPT are the numbers of the pipes that the player inherits beside its
output, separated by commas.

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

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
LOOK_MILLISECONDS = 50
ANY_NUMBER = -1
PAGE = os.sysconf("SC_PAGE_SIZE")


def prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def say(status: int, text: str) -> None:
    with contextlib.suppress(OSError):  # the referee is gone, which CONTROL tells too
        os.write(status, f"{text}\n".encode())


def read(path: str) -> bytes:
    """A short file, without the detours: it happens twenty times a second, while others want to think."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 65536)
    finally:
        os.close(file)


def children_of(pid: int) -> list[int]:
    """The processes that any thread of a process has started; none when it is gone."""
    children: list[int] = []
    try:
        for thread in os.scandir(f"/proc/{pid}/task"):
            children += map(int, read(f"{thread.path}/children").split())
    except OSError:
        pass
    return children


def descendants_of(pid: int, enough: int | None = None) -> list[int]:
    """All that a process and its children have started; when there are more than enough, not all of them."""
    found = children_of(pid)
    for child in found:  # grows while it is gone through
        if enough is not None and len(found) > enough:
            break
        found += children_of(child)
    return found


def memory_of(pid: int) -> int:
    try:
        return int(read(f"/proc/{pid}/statm").split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def kill_everything() -> None:
    """Kills all descendants, also those that appear meanwhile, and returns when the last of them is gone.

    The children first: with a sandbox all that is in it ends, however many they are.
    """
    with contextlib.suppress(ChildProcessError):  # waitpid: there are none any more
        while True:
            for family in (children_of, descendants_of):
                for pid in family(os.getpid()):
                    with contextlib.suppress(ProcessLookupError):
                        kill_group(pid)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.001)


def kill_group(pid: int) -> None:
    """Kills a process with its group: nobody forks fast enough to escape a signal to the whole group."""
    group = os.getpgid(pid)
    if group == os.getpgrp():  # the player, when it has only just been forked
        os.kill(pid, signal.SIGKILL)
    else:
        os.killpg(group, signal.SIGKILL)


def reap_orphans(player: int) -> None:
    """Lets go of what was forked twice and has ended; the player itself is waited for elsewhere."""
    for pid in children_of(os.getpid()):
        if pid != player:
            os.waitpid(pid, os.WNOHANG)


def become_player(command: list[str], kept: list[int], status: int, launcher: int) -> None:
    """What the forked child does; it does not return."""
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != launcher:  # it died before the line above
        os._exit(1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError):  # should the machine's memory run out, the kernel may take the player first
        os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), b"1000")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    for pipe in kept:
        os.set_inheritable(pipe, True)
    say(status, f"pid {os.getpid()}")
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]} cannot be started: {error.strerror}", file=sys.stderr, flush=True)
        os._exit(127)


def watch(player: int, control: int, status: int, memory: int, children: int) -> None:
    """Returns when there is a reason to kill everything; says which, unless it is the referee's wish or end."""
    ended = os.pidfd_open(player)
    referee = os.pidfd_open(os.getppid())  # CONTROL stays open where the referee has forked
    poll = select.poll()
    for pipe in (control, ended, referee):
        poll.register(pipe, select.POLLIN)
    while True:
        events = dict(poll.poll(LOOK_MILLISECONDS if memory or children != ANY_NUMBER else None))
        if control in events or referee in events:
            return
        if ended in events:
            code = os.waitstatus_to_exitcode(os.waitpid(player, 0)[1])
            say(status, f"exit {code}" if code >= 0 else f"signal {-code}")
            return
        reap_orphans(player)
        pids = descendants_of(os.getpid(), None if children == ANY_NUMBER else children + 1)
        others = [pid for pid in pids if pid != player]
        if children != ANY_NUMBER and len(others) > children:
            say(status, f"child {others[-1]}")
            return
        used = sum(map(memory_of, pids))
        if memory and used > memory:
            say(status, f"memory {used}")
            return


def main() -> None:
    control, status, memory, children = (int(word) for word in sys.argv[1:5])
    kept = [int(word) for word in sys.argv[5].split(",")]
    command = sys.argv[6:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    for pipe in (control, status, *kept):
        os.set_inheritable(pipe, False)
    launcher = os.getpid()
    player = os.fork()
    if player == 0:
        become_player(command, kept, status, launcher)
    nothing = os.open(os.devnull, os.O_RDWR)
    for pipe in (1, 2):
        os.dup2(nothing, pipe)
    for pipe in kept:
        os.close(pipe)  # so that the referee sees when the player closes its own
    watch(player, control, status, memory, children)
    kill_everything()


if __name__ == "__main__":
    main()
