"""`inarow gomocup`: be a brain for Gomocup managers."""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow gomocup[/bold], or [bold]pbrain-inarow[/bold] where one program is wanted · "
        "[bold]inarow gomocup --player markcello[/bold]"
    )(gomocup)


def gomocup(
    player: Annotated[
        str, typer.Option("--player", "-p", metavar="SPEC", help="Who thinks; see inarow players.")
    ] = "engine",
) -> None:
    """Speak the Gomocup protocol on standard input and output, until END. docs/adapters.md tells more."""
    from inarow.adapters.gomocup.loop import serve  # here, since few need it

    serve(player)
