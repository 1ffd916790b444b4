"""`inarow verify`: check a proof."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from inarow.cli.arena import INTERRUPTED
from inarow.cli.common import AsJson, print_json
from inarow.errors import FormatError, ProofError
from inarow.game import format_position
from inarow.solver.proof import Proof
from inarow.solver.verify import Verdict
from inarow.solver.verify import verify as check

WRONG = 1


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Example: [bold]inarow solve 3 3 3 --proof draw.proof[/bold], then "
        "[bold]inarow verify draw.proof[/bold]. docs/proofs.md says what is checked."
    )(verify)


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What inarow solve --proof wrote.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Check a proof by the rules of the game alone. Status 0 when it is right, 1 when it is wrong or damaged."""
    data = file.read_bytes()
    begin = time.monotonic()
    try:
        proof = Proof.from_bytes(data)
        verdict = _check_with_bar(proof)
    except (FormatError, ProofError) as error:
        if as_json:
            print_json({"file": str(file), "proven": False, "reason": str(error)})
        else:
            print(f"{file} proves nothing: {error}")
        raise typer.Exit(WRONG) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    seconds = round(time.monotonic() - begin, 3)
    if as_json:
        said: dict[str, Any] = {"file": str(file), "proven": True, "position": format_position(proof.board())}
        said |= vars(verdict) | {"by_pairing": is_by_pairing(proof, verdict)}
        print_json(said | {"seconds": seconds, "sha256": proof.sha256})
    else:
        how = ", by a pairing" if is_by_pairing(proof, verdict) else ""
        print(f"proven: {statement(proof)}{how} ({verdict.nodes} positions in {seconds:.1f} s)")


def _check_with_bar(proof: Proof) -> Verdict:
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("tokens", total=None)
        return check(proof, lambda read, total: bar.update(task, completed=read, total=total))


def statement(proof: Proof) -> str:
    """What a proof says, in words.

    >>> from inarow.game import Game
    >>> from inarow.solver import Strategy
    >>> from inarow.game import Seat
    >>> statement(Proof(Game(3, 3, 1), (), "win", 1, (Strategy(Seat.FIRST, "win", 1, ()),)))
    '3x3x1 is won by first, in 1 ply and not sooner'
    """
    board = proof.board()
    position = format_position(board)
    if proof.value == "draw":
        return f"{position} is a draw"
    winner = board.turn if proof.value == "win" else board.turn.other
    plies = "" if proof.plies is None else f", in {proof.plies} pl{'y' if proof.plies == 1 else 'ies'} and not sooner"
    return f"{position} is won by {winner}{plies}"


def is_by_pairing(proof: Proof, verdict: Verdict) -> bool:
    """Whether nothing but a pairing was needed: no position after the first was looked at, and pairs were."""
    is_one_step = proof.value == "draw" and verdict.nodes == len(proof.strategies)
    return is_one_step and all(len(strategy.tokens) > 1 for strategy in proof.strategies)
