"""A brain at its manager's pipes: one thread reads, another one thinks and answers.

YXSTOP, END and the end of the input are heard while the brain thinks. After END nothing more is said; at the end of
the input what was asked is still answered, at once.
"""

import argparse
import contextlib
import os
import queue
import select
import sys
import threading
import time

from inarow.adapters.gomocup.brain import Brain
from inarow.adapters.gomocup.commands import Command, CommandReader, End, Lines, Stop
from inarow.adapters.resolve import resolve
from inarow.errors import InarowError
from inarow.players import Player

REPEAT_MILLISECONDS = 2  # a stop is repeated until it is heard: who is about to begin to think may overlook it
LOOK_MILLISECONDS = 1000  # so often it is seen to that the thinking thread is alive
LEAVE_SECONDS = 2.0  # what the thinking thread has for each answer at the end: START takes longest, on a busy machine
READ_BYTES = 65536


class Loop:
    """Serves one manager until it ends. `input_pipe` and `output_pipe` are file numbers."""

    def __init__(self, player: Player, input_pipe: int, output_pipe: int) -> None:
        self._brain = Brain(player, self._say)
        self._input = input_pipe
        self._output = output_pipe
        self._commands: queue.SimpleQueue[tuple[int, Command, float] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()  # for the four below
        self._read = 0  # how many commands were read,
        self._done = 0  # … have been answered,
        self._stop_until = 0  # … are not to be thought about any longer
        self._is_getting_ready = False  # while there is nothing to answer
        self._is_silent = False
        self._has_ended = False
        self._thinker = threading.Thread(target=self._think, daemon=True)

    def run(self) -> bool:
        """Until END or the end of the input. False when the thinking thread did not come to its proper end."""
        self._thinker.start()
        try:
            self._listen()
        except KeyboardInterrupt:
            self._is_silent = True
        self._commands.put(None)
        with self._lock:
            self._stop_until = self._read
        done, deadline = -1, 0.0
        while self._thinker.is_alive() and (time.monotonic() < deadline or done != self._done):
            if done != self._done:
                done, deadline = self._done, time.monotonic() + LEAVE_SECONDS
            self._repeat_stop()
            self._thinker.join(REPEAT_MILLISECONDS / 1000)
        if self._has_ended:
            self._brain.close()
        return self._has_ended

    def _listen(self) -> None:
        """Reads commands until END, the end of the input, or that of the thinking thread."""
        lines, reader = Lines(), CommandReader()
        poll = select.poll()
        poll.register(self._input, select.POLLIN)
        while self._thinker.is_alive():
            if not poll.poll(REPEAT_MILLISECONDS if self._repeat_stop() else LOOK_MILLISECONDS):
                continue
            data = os.read(self._input, READ_BYTES)
            if not data:
                return
            for line in lines.feed(data):
                for command in reader.feed(line):
                    if isinstance(command, End):
                        self._is_silent = True
                        return
                    self._take(command)

    def _take(self, command: Command) -> None:
        with self._lock:
            if isinstance(command, Stop):
                self._stop_until = self._read
                return
            self._read += 1
            self._commands.put((self._read, command, time.perf_counter()))

    def _repeat_stop(self) -> bool:
        """Stops what is thought about, if that is to be stopped, or is only to be ready; whether it is."""
        with self._lock:
            is_to_stop = self._done < self._stop_until or (self._is_getting_ready and not self._commands.empty())
            if is_to_stop:
                self._brain.stop()
            return is_to_stop

    def _think(self) -> None:
        answered = 0.0
        while True:
            self._get_ready()
            entry = self._commands.get()
            if entry is None or self._is_silent:
                break
            number, command, arrived = entry
            # Who asks before the last answer is there does not count the time until then.
            self._brain.answer(command, max(arrived, answered), hurry=number <= self._stop_until)
            answered = time.perf_counter()
            with self._lock:
                self._done = number
        self._has_ended = True

    def _get_ready(self) -> None:
        """Until there is something to answer."""
        with self._lock:
            if not self._commands.empty():
                return
            self._is_getting_ready = True
        self._brain.get_ready()
        with self._lock:
            self._is_getting_ready = False

    def _say(self, line: str) -> None:
        if self._is_silent:
            return
        data = f"{line}\n".encode()
        with contextlib.suppress(BrokenPipeError):  # nobody listens any more; the input will end, too
            while data:
                data = data[os.write(self._output, data) :]


def serve(spec: str) -> None:
    """Is a brain on this process's input and output, with the player of a spec. Does not return."""
    output = os.dup(1)
    os.dup2(2, 1)  # what a player prints is no answer
    has_ended = Loop(resolve(spec), 0, output).run()
    sys.stderr.flush()
    os._exit(0 if has_ended else 1)  # without waiting for anybody: the manager does not, either


def main() -> None:
    """The console script `pbrain-inarow`."""
    parser = argparse.ArgumentParser(prog="pbrain-inarow", description="inarow as a brain for Gomocup managers.")
    parser.add_argument("--player", default="engine", metavar="SPEC", help="who thinks; see: inarow players")
    spec = parser.parse_args().player
    try:
        serve(spec)
    except InarowError as error:
        print(f"pbrain-inarow: {error}", file=sys.stderr)
        sys.exit(2)
