"""`inarow course-export` and `inarow course-serve`: a player for the course's own Java tester."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from inarow.adapters.course_export import MARGIN, CourseGame, class_name_for, export, serve
from inarow.adapters.resolve import resolve

Spec = Annotated[str, typer.Option("--player", "-p", metavar="SPEC", help="Who plays; see inarow players.")]
WhichGame = Annotated[
    CourseGame, typer.Option("--game", "-g", help="The course's game: mnk, or connectx with gravity.")
]


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Examples: [bold]inarow course-export --player telos --game connectx --out players[/bold] · "
        "[bold]inarow course-export --player markcello --game mnk --out players --classpath course.jar[/bold]"
    )(course_export)
    app.command(epilog="Example: [bold]inarow course-serve --player telos --game connectx[/bold]")(course_serve)


def course_export(
    player: Spec,
    game: WhichGame,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write into.")],
    class_name: Annotated[
        str | None,
        typer.Option("--class", metavar="NAME", help="The class, with its package; inarow.Telos for the player telos."),
    ] = None,
    class_path: Annotated[
        str | None,
        typer.Option("--classpath", metavar="PATH", help="The course's framework: compile the class with it, too."),
    ] = None,
    margin: Annotated[
        float, typer.Option(metavar="S", help="Seconds of each move that the player does not get, to be in time.")
    ] = MARGIN,
) -> None:
    """Write a Java class with which a player enters the course's own tester.

    It implements MNKPlayer or CXPlayer and asks the player in a process of this installation, which it starts itself.
    """
    resolve(player).close()
    source = export(player, game, out, class_name, margin, class_path)
    name = class_name or class_name_for(player)
    print(f"{source}: the class {name}" + (", compiled" if class_path else f"; compile it with: javac -cp … {source}"))


def course_serve(player: Spec, game: WhichGame) -> None:
    """Answer the lines of an exported class; docs/adapters.md has them. What the player prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(resolve(player), game, sys.stdin, answers)
