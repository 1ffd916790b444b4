"""A manager for the tests of the brain: sends lines, takes answers, checks that moves are legal."""

import os
import select
import subprocess
import sys
import threading
import time

from inarow import Board, Cell
from inarow.adapters.gomocup.commands import Lines, parse_cell
from inarow.adapters.gomocup.loop import Loop
from inarow.adapters.resolve import resolve

PATIENCE = 60.0  # seconds; who is not there by then hangs
BRAIN = [sys.executable, "-c", "from inarow.adapters.gomocup.loop import main; main()"]


class Talk:
    """Lines over two pipes."""

    def __init__(self, to_brain: int, from_brain: int) -> None:
        self._to, self._from = to_brain, from_brain
        self._lines = Lines()
        self._heard: list[str] = []

    def send(self, text: str | bytes, end: str = "\r\n") -> None:
        data = text if isinstance(text, bytes) else "".join(f"{line}{end}" for line in text.split("\n")).encode()
        while data:
            data = data[os.write(self._to, data) :]

    def hear(self) -> str | None:
        """The next line; None at the end."""
        deadline = time.monotonic() + PATIENCE
        while not self._heard:
            assert select.select([self._from], [], [], max(0.0, deadline - time.monotonic()))[0], "no answer"
            data = os.read(self._from, 65536)
            if not data:
                return None
            self._heard += self._lines.feed(data)
        return self._heard.pop(0)

    def is_quiet(self, seconds: float = 0.05) -> bool:
        return not self._heard and not select.select([self._from], [], [], seconds)[0]

    def ask(self, text: str) -> str:
        self.send(text)
        answer = self.hear()
        assert answer is not None
        return answer

    def move(self, text: str, board: Board) -> Cell:
        """Asks for a move, which must be legal, and plays it."""
        answer = self.ask(text)
        cell = parse_cell(answer)
        assert cell is not None, answer
        board.push(cell)
        return cell


class InProcess(Talk):
    """A brain in a thread of the test's own process."""

    def __init__(self, spec: str = "engine:memory=4") -> None:
        self._brain_input, to_brain = os.pipe()
        from_brain, self._brain_output = os.pipe()
        super().__init__(to_brain, from_brain)
        self.loop = Loop(resolve(spec), self._brain_input, self._brain_output)
        self.has_ended: bool | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        self.has_ended = self.loop.run()
        os.close(self._brain_output)

    def finish(self) -> None:
        """Ends the input, and waits for the end of the brain."""
        if self._to >= 0:
            os.close(self._to)
            self._to = -1
        self._thread.join(PATIENCE)
        assert self.has_ended
        for pipe in (self._from, self._brain_input):
            os.close(pipe)


class Process(Talk):
    """A brain in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen([*BRAIN, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        assert self.process.stdin is not None and self.process.stdout is not None
        super().__init__(self.process.stdin.fileno(), self.process.stdout.fileno())

    def wait(self) -> int:
        return self.process.wait(PATIENCE)

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def finish(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
