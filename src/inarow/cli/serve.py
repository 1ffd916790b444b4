"""`inarow serve`: the page in the browser."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from inarow.errors import MissingPackage


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow serve --open[/bold] · [bold]inarow serve --store course.db --port 8080[/bold] · "
        "[bold]inarow serve --host 0.0.0.0 --threads 4 --memory 2048[/bold]"
    )(serve)


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen. One that others reach needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="0 takes any that is free.")] = 8008,
    store: Annotated[
        list[Path] | None,
        typer.Option("--store", "-s", metavar="FILE", help="A tournament to look at; repeatable."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(metavar="T", min=1, max=256, help="Of all searches together.", show_default="processors"),
    ] = None,
    memory: Annotated[int, typer.Option(metavar="MB", min=8, help="For the tables of all searches together.")] = 1024,
    sessions: Annotated[int, typer.Option(metavar="S", min=1, help="Pages that are open at the same time.")] = 32,
    token: Annotated[
        str, typer.Option(metavar="TEXT", help="What the link must carry; made up where one is needed.")
    ] = "",
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve the page: play, analyse, replay in the browser. Ctrl-C ends it."""
    missing = [name for name in ("fastapi", "uvicorn", "websockets") if find_spec(name) is None]
    if missing:
        raise MissingPackage(f"the page needs {', '.join(missing)}: pip install 'inarow[web]'")
    from inarow.web import server  # here, since it loads them

    server.serve(server.settings_from(host, port, tuple(store or ()), threads, memory, sessions, token), open_page)
