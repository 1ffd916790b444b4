"""`inarow kaggle-export`: a submission for Kaggle's ConnectX."""

from pathlib import Path
from typing import Annotated

import typer

from inarow.adapters import kaggle


def register(app: typer.Typer) -> None:
    app.command(
        name="kaggle-export",
        epilog="Examples: [bold]inarow kaggle-export[/bold] · [bold]inarow kaggle-export --out mine.py[/bold]",
    )(kaggle_export)


def kaggle_export(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")] = Path(
        "submission.py"
    ),
) -> None:
    """Write an agent for Kaggle's ConnectX: one file in plain Python, for any board, that needs nothing else."""
    out.write_text(kaggle.submission(), encoding="utf-8")
    print(f"{out}: submit it as it is, or try it here as kaggle:{out}")
