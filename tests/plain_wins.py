"""Forced wins, confirmed and found on a plain board: the program core/tests/wins.cpp, which has no code of the engine.

`tools/cpp package wins` builds it.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from inarow.engine.core import cells_of
from inarow.game import Board

PROGRAM = Path(__file__).parent.parent / "build" / "package" / "wins"

Hint = Callable[[list[int]], int]
"""From the cells of a game so far to the cell that its winner may play, or -1."""


class PlainWins:
    """The program while it runs; a context."""

    def __init__(self, program: Path = PROGRAM) -> None:
        if not program.exists():
            raise SystemExit(f"{program} is not there: tools/cpp package wins builds it")
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([str(program)], stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def find(self, board: Board, kind: str, max_plies: int, budget: int) -> int:
        """In how many plies the player to move wins by moves of a kind (fours, threes, all); 0 if that is not found."""
        return int(self._ask("find", board, kind, max_plies, budget, None))

    def confirm(self, board: Board, value: str, plies: int, budget: int, hint: Hint | None = None) -> str:
        """Whether the player to move has a forced win, or loss, within so many plies: proven, refuted or unknown."""
        return self._ask("confirm" if hint is None else "hinted", board, value, plies, budget, hint)

    def _ask(self, question: str, board: Board, kind: str, plies: int, budget: int, hint: Hint | None) -> str:
        game = board.game
        words = (question, game.rows, game.columns, game.k, int(game.gravity), kind, plies, budget, *cells_of(board))
        self._say(" ".join(map(str, words)))
        while True:
            answer = self._hear()
            if answer[0] != "hint":
                return answer[0]
            self._say(str(-1 if hint is None else hint([int(cell) for cell in answer[1:]])))

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        print(line, file=self._process.stdin, flush=True)

    def _hear(self) -> list[str]:
        assert self._process.stdout is not None
        words = self._process.stdout.readline().split()
        if not words:
            raise SystemExit(f"the program ended with {self._process.wait()}")
        return words
