"""Pairings settle boards that no search reaches, and the checker accepts them."""

import pytest

from inarow.errors import ProofError
from inarow.game import Board, Cell, Game, Line, Seat, parse_game
from inarow.solver import solve, verify
from inarow.solver.proof import Proof, Strategy
from tests.reference.solving import token_of


def line_pairing(lines: tuple[Line, ...]) -> list[tuple[Cell, Cell]]:
    """Two cells of its own for every line, by a matching with augmenting paths."""
    owner: dict[Cell, int] = {}

    def give(line: int, tried: set[Cell]) -> bool:
        for cell in lines[line]:
            if cell not in tried:
                tried.add(cell)
                if cell not in owner or give(owner[cell], tried):
                    owner[cell] = line
                    return True
        return False

    assert all(give(line, set()) for line in range(len(lines)) for _ in range(2))
    pairs: dict[int, list[Cell]] = {}
    for cell, line in owner.items():
        pairs.setdefault(line, []).append(cell)
    return [(one, other) for one, other in pairs.values()]


def torus_pairing(side: int) -> list[tuple[Cell, Cell]]:
    """For every line of a torus two neighbours on it, no cell twice: first the line with the fewest pairs left."""
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    options: dict[tuple[Cell, int], list[tuple[Cell, Cell]]] = {}
    for row_step, column_step in steps:
        for number in range(side):
            line = [
                ((number if row_step == 0 else 0) + i * row_step, (number if row_step else 0) + i * column_step)
                for i in range(side)
            ]
            options[(row_step, column_step), number] = [
                (cell, (cell[0] + row_step, cell[1] + column_step)) for cell in line
            ]
    chosen: list[tuple[Cell, Cell]] = []
    used: set[Cell] = set()

    def wrapped(pair: tuple[Cell, Cell]) -> set[Cell]:
        return {(row % side, column % side) for row, column in pair}

    def search() -> bool:
        if not options:
            return True
        left = {line: [pair for pair in pairs if not wrapped(pair) & used] for line, pairs in options.items()}
        line = min(left, key=lambda each: len(left[each]))
        kept = options.pop(line)
        for pair in left[line]:
            chosen.append(pair)
            used.update(wrapped(pair))
            if search():
                return True
            used.difference_update(wrapped(chosen.pop()))
        options[line] = kept
        return False

    assert search()
    return chosen


def periodic_pairing(game: Game, side: int) -> list[tuple[Cell, Cell]]:
    """The pairs of a torus repeated over a board, those that lie on it with both cells."""
    pairs = []
    for (row, column), (other_row, other_column) in torus_pairing(side):
        for down in range(-2 * side, game.rows + side, side):
            for right in range(-2 * side, game.columns + side, side):
                pair = (row + down, column + right), (other_row + down, other_column + right)
                if game.contains(pair[0]) and game.contains(pair[1]):
                    pairs.append(pair)
    return pairs


def pairing_proof(game: Game, pairs: list[tuple[Cell, Cell]]) -> Proof:
    tokens = [1, len(pairs), *(token_of(game, cell) for pair in pairs for cell in pair)]
    return Proof(game, (), "draw", None, (Strategy(Seat.SECOND, "hold", None, tokens),))


def test_a_matching_settles_seven_in_a_row_on_7x7() -> None:
    game = Game(7, 7, 7)
    pairs = line_pairing(game.lines)
    assert verify(pairing_proof(game, pairs)).value == "draw"
    for missing in range(len(pairs)):
        with pytest.raises(ProofError, match="a living line contains no pair"):
            verify(pairing_proof(game, pairs[:missing] + pairs[missing + 1 :]))


@pytest.mark.parametrize(("text", "side"), [("50x50x10", 9), ("70x70x10", 9), ("40x30x9", 8), ("128x128x10", 9)])
def test_a_periodic_pairing_settles_large_boards(text: str, side: int) -> None:
    game = parse_game(text)
    pairs = periodic_pairing(game, side)
    proof = Proof.from_bytes(pairing_proof(game, pairs).to_bytes())
    assert verify(proof).value == "draw"
    middle = len(pairs) // 2
    with pytest.raises(ProofError, match="a living line contains no pair"):
        verify(pairing_proof(game, pairs[:middle] + pairs[middle + 1 :]))


@pytest.mark.parametrize("text", ["7x7x7", "50x50x10", "70x70x10"])
def test_the_solver_settles_such_boards_with_a_pairing(text: str) -> None:
    solution = solve(Board(parse_game(text)), memory_mb=4, proof=True)
    assert (solution.value, solution.method) == ("draw", "pairing") and solution.proof is not None
    assert [strategy.tokens[0] for strategy in solution.proof.strategies] == [1], "a pairing follows"
    assert verify(Proof.from_bytes(solution.proof.to_bytes())).value == "draw"
