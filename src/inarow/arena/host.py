"""A player in a process of its own: reads requests, lets the player answer. The referee's side is process.py.

Both ways one line of JSON a message. The first answer comes by itself, when the player is made; every other one has the
number of its request:

                                                                                       {"id": 0, "ok": true}
    {"id": 1, "do": "start", "game": "6x7x4g", "seat": 0, "limit": {}, "moves": []}    {"id": 1, "ok": true}
    {"id": 2, "do": "choose", "moves": [3, 2], "limit": {"seconds": 1}}                {"id": 2, "move": 3, "notes": []}
    {"id": 3, "do": "close"}                                                           and it ends

`moves` are those since the last message of the game; `notes` may be left out. A fault is
{"id": 2, "fault": "illegal move", "text": "…"}.
"""

import importlib
import json
import os
import resource
import sys
from collections.abc import Callable
from typing import Any

from inarow.arena.faults import fault_of
from inarow.errors import InarowError
from inarow.game import Board, Limit, Move, Seat, parse_game
from inarow.players import Player, ask, begin

DEFAULT_RESOLVER = "inarow.players:make_player"
THREADS = "INAROW_THREADS"  # in the environment of a player: how many threads its user may have from here on


def load_resolver(name: str) -> Callable[[str], Player]:
    """The function that makes players of specs, by its "module:name"."""
    module, _, function = name.partition(":")
    resolver: Callable[[str], Player] = getattr(importlib.import_module(module), function)
    return resolver


def may_start_processes(resolver: str, spec: str) -> bool:
    """Whether a player may start processes: what a function of this name beside the resolver says; without one, no."""
    allows: Callable[[str], bool] = getattr(
        importlib.import_module(resolver.partition(":")[0]), "may_start_processes", lambda _: False
    )
    return allows(spec)


def as_move(value: Any) -> Move:
    """A move as JSON has it."""
    return value if isinstance(value, int) else (value[0], value[1])


class Host:
    """Answers requests for one player."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._board: Board | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        limit = Limit(**request["limit"])
        if request["do"] == "start":
            game = parse_game(request["game"])
            self._board = Board(game)
            self._push(request["moves"])
            begin(self._player, game, Seat(request["seat"]), limit)
            return {"ok": True}
        assert self._board is not None
        self._push(request["moves"])
        choice = ask(self._player, self._board, limit)
        self._board.push(choice.move)
        return {"move": choice.move, "notes": choice.notes} if choice.notes else {"move": choice.move}

    def close(self) -> None:
        self._player.close()

    def _push(self, moves: list[Any]) -> None:
        assert self._board is not None
        for move in moves:
            self._board.push(as_move(move))


def main() -> None:
    requests = os.fdopen(int(sys.argv[1]), "r", encoding="utf-8")
    answers = int(sys.argv[2])
    for pipe in (requests.fileno(), answers):
        os.set_inheritable(pipe, False)
    if most := os.environ.get(THREADS):
        resource.setrlimit(resource.RLIMIT_NPROC, (int(most), int(most)))

    def send(number: int, answer: dict[str, Any]) -> None:
        data = (json.dumps({"id": number, **answer}) + "\n").encode()
        while data:
            data = data[os.write(answers, data) :]

    def faulty(error: InarowError, while_starting: bool) -> dict[str, Any]:
        fault = fault_of(error, while_starting)
        return {"fault": fault.kind.value, "text": fault.text}

    try:
        host = Host(load_resolver(sys.argv[3])(sys.argv[4]))
    except InarowError as error:
        send(0, faulty(error, True))
        requests.read()  # until the referee, which knows now, ends this process
        return
    send(0, {"ok": True})
    for line in requests:
        request = json.loads(line)
        if request["do"] == "close":
            host.close()
            return
        try:
            answer = host.answer(request)
        except InarowError as error:
            answer = faulty(error, request["do"] == "start")
        send(request["id"], answer)


if __name__ == "__main__":
    main()
