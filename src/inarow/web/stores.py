"""Tournament stores, opened to read only: those that were named when the server was started, and no others."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from inarow.web.models import TournamentFields


class Tournaments:
    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._paths = {path.stem: path for path in paths}

    @property
    def names(self) -> list[str]:
        return list(self._paths)

    async def follow(self, name: str, stop: asyncio.Event) -> AsyncIterator[TournamentFields]:
        raise NotImplementedError
        yield
