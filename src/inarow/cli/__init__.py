"""The command `inarow`: one module for each subcommand, put together here."""

import sys
from typing import Annotated

import typer

from inarow._version import __version__
from inarow.cli import (
    analyse,
    bench,
    book,
    check,
    course,
    demo,
    gomocup,
    kaggle,
    match,
    move,
    perft,
    play,
    players,
    report,
    review,
    serve,
    show,
    solve,
    sprt,
    tournament,
    tune,
    values,
    verify,
)
from inarow.errors import InarowError

app = typer.Typer(
    name="inarow",
    help="Play, study, solve and referee k-in-a-row games: tic-tac-toe, gomoku, Connect-4 and all (M,N,K) between.",
    epilog="Try [bold]inarow play 6 7 4 --gravity[/bold], or [bold]inarow COMMAND --help[/bold] for examples.",
    rich_markup_mode="rich",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
modules = (
    play,
    serve,
    show,
    move,
    match,
    tournament,
    sprt,
    report,
    players,
    check,
    analyse,
    review,
    book,
    tune,
    solve,
    verify,
    values,
    perft,
    bench,
    gomocup,
    kaggle,
    course,
    demo,
)
for module in modules:
    module.register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"inarow {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Runs before every subcommand; its options are those of `inarow` itself."""


def main() -> None:
    """The console script: an error that inarow names, or one with a file, is one line on stderr and status 2."""
    try:
        app()
    except InarowError as error:
        print(f"inarow: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"inarow: {error.filename or 'input or output'}: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
