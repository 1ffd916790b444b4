"""The checker of proofs: it accepts what is right and refuses everything else."""

import inspect
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from inarow.errors import FormatError, ProofError
from inarow.game import Board, Game, Seat, parse_game, parse_position
from inarow.solver.proof import Proof, Strategy
from inarow.solver.verify import check_strategy, verify
from tests.reference.solving import Maker, prove, solved
from tests.unit.conftest import Run

GAMES = [
    *(
        f"{m}x{n}x{k}"
        for m, n in [(1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (1, 7), (2, 4), (3, 3)]
        for k in (1, 2, 3, 4)
    ),
    *(f"{m}x{n}x{k}g" for m, n in [(1, 1), (4, 1), (2, 3), (3, 2), (2, 4), (3, 3), (5, 2)] for k in (1, 2, 3, 4)),
    *("1x9x3", "2x5x2", "2x5x3", "3x4x3g", "4x3x3g", "2x6x3g"),
]


def positions(game: Game, number: int) -> Iterator[Board]:
    """The empty board, and positions of random games."""
    random = Random(str(game))
    yield Board(game)
    for _ in range(number):
        board = Board(game)
        for _ in range(random.randrange(1, 6)):
            board.push(random.choice(board.legal_moves))
            if board.is_over:
                board.pop()
                break
        yield board


def proofs(game: Game, number: int) -> Iterator[Proof]:
    """Proofs of some positions of a game, with plies and without, with moves as they come and chosen by chance."""
    for board in positions(game, number):
        for plies in (False, True):
            yield prove(solved(game), board, plies)
            yield prove(solved(game), board, plies, Random(f"{board!r} {plies}"))


@pytest.mark.parametrize("game", GAMES)
def test_right_proofs_are_accepted_and_wrong_claims_refused(game: str) -> None:
    for proof in proofs(parse_game(game), 3):
        verdict = verify(Proof.from_bytes(proof.to_bytes()))
        assert (verdict.value, verdict.plies) == (proof.value, proof.plies) and verdict.nodes >= len(proof.strategies)
        for value in {"win", "draw", "loss"} - {proof.value}:
            for claim in {proof.plies, None}:
                with pytest.raises(ProofError, match=r"needs|a draw ends"):
                    verify(replace(proof, value=value, plies=claim))


def test_every_kind_of_proof_is_among_them() -> None:
    kinds = {
        (strategy.goal, strategy.plies is None, bool(proof.moves), proof.game.gravity, strategy.seat)
        for game in GAMES
        for proof in proofs(parse_game(game), 6)
        for strategy in proof.strategies
    }
    # From an empty board second does not win here, so first never holds for some plies, and need not hold for ever.
    assert len(kinds) == 2**5 - 2 - 2 * 2 - 1


def restated(proof: Proof, value: str, plies: int | None) -> Proof:
    """The same tokens for another claim, with the strategies that it needs."""
    winner = proof.board().turn if value == "win" else proof.board().turn.other
    goals: list[tuple[Seat, str, int | None]] = [(winner, "win", plies), (winner.other, "hold", plies and plies - 1)]
    if value == "draw":
        goals = [(Seat.SECOND, "hold", None), (Seat.FIRST, "hold", None)]
    tokens = {(strategy.seat, strategy.goal): strategy.tokens for strategy in proof.strategies}
    needed = goals if plies is not None or (value == "draw" and (proof.moves or proof.game.gravity)) else goals[:1]
    strategies = (Strategy(*goal, tokens.get(goal[:2], tokens.get((goal[0], "hold"), []))) for goal in needed)
    return Proof(proof.game, proof.moves, value, plies, tuple(strategies))


@pytest.mark.parametrize("game", GAMES)
def test_other_values_and_plies_are_refused_with_the_strategies_they_need(game: str) -> None:
    for proof in proofs(parse_game(game), 3):
        if proof.plies is not None and proof.value != "draw":
            assert verify(restated(proof, proof.value, proof.plies)).plies == proof.plies
            for plies in (proof.plies - 2, proof.plies - 1, proof.plies + 1, proof.plies + 2):
                if plies >= 1:
                    with pytest.raises(ProofError):
                        verify(restated(proof, proof.value, plies))
        for value in {"win", "draw", "loss"} - {proof.value}:
            with pytest.raises(ProofError):
                verify(restated(proof, value, None))


def test_plies_that_prove_nothing_are_refused() -> None:
    proof = prove(solved(Game(2, 3, 2)), Board(Game(2, 3, 2)), True)
    win, hold = proof.strategies
    assert verify(proof).plies == proof.plies == 3
    for strategies in (
        (win,),
        (hold,),
        (win, win),
        (hold, hold),
        (replace(win, plies=5), hold),
        (win, replace(hold, plies=0)),
    ):
        with pytest.raises(ProofError, match="a win in 3 plies needs first's strategy to win for 3 plies and second's"):
            verify(replace(proof, strategies=strategies))
    assert verify(replace(proof, strategies=(hold, win))).plies == 3
    with pytest.raises(ProofError, match="a win needs first's strategy to win, and nothing else"):
        verify(replace(proof, plies=None))
    with pytest.raises(ProofError, match="a win in 0 plies needs"):
        verify(replace(proof, plies=0))
    draw = prove(solved(Game(3, 3, 3)), Board(Game(3, 3, 3)), True)
    assert draw.plies == 9
    with pytest.raises(ProofError, match="a draw ends when the board is full, after 9 plies, not after 8"):
        verify(replace(draw, plies=8))


def test_a_game_that_is_over_has_no_proof() -> None:
    for position in ("2x2x2:a1.a2.b1", "2x1x3:a1.a2"):
        board = parse_position(position)
        proof = Proof(board.game, board.moves, "loss", None, (Strategy(Seat.FIRST, "win", None, []),))
        with pytest.raises(ProofError, match="the game is over"):
            verify(proof)


def test_strategies_are_not_stolen_where_they_cannot_be() -> None:
    for position, value in (("3x3x3g", "draw"), ("3x3x3:b2.a1", "draw")):
        board = parse_position(position)
        proof = prove(solved(board.game), board, False)
        assert proof.value == value and len(proof.strategies) == 2
        with pytest.raises(ProofError, match="needs first's strategy to hold and second's strategy to hold"):
            verify(replace(proof, strategies=proof.strategies[1:]))


def test_a_strategy_that_could_be_stolen_may_be_given() -> None:
    proof = prove(solved(Game(1, 4, 3)), Board(Game(1, 4, 3)), False)
    first = Strategy(Seat.FIRST, "hold", None, Maker(solved(proof.game), proof.board(), Seat.FIRST, "hold", None).run())
    assert verify(replace(proof, strategies=(first, *proof.strategies))).value == "draw"
    assert verify(replace(proof, strategies=(*proof.strategies, first))).value == "draw"
    for others in ((first,), (first, first), (*proof.strategies, *proof.strategies)):
        with pytest.raises(ProofError, match="a draw needs"):
            verify(replace(proof, strategies=others))
    with pytest.raises(ProofError, match="first's strategy to hold"):
        verify(replace(proof, strategies=(*proof.strategies, replace(first, tokens=[]))))


# --- damage ---


def damaged_tokens(tokens: list[int], highest: int, random: Random) -> tuple[str, list[int]]:
    """The tokens with one or two changed in some way, and a word for it."""
    here, there = random.randrange(len(tokens)), random.randrange(len(tokens))
    changed = tokens.copy()
    kind = random.choice(["drop", "double", "swap", "other", "end", "more", "add"])
    if kind == "drop":
        del changed[here]
    elif kind == "double":
        changed.insert(here, changed[here])
    elif kind == "swap":
        changed[here], changed[there] = changed[there], changed[here]
    elif kind == "other":
        changed[here] = random.randrange(highest)
    elif kind == "end":
        del changed[max(here, 1) :]
    elif kind == "more":
        changed.append(random.randrange(highest))
    else:
        changed[here] += random.choice([1, 2, 100])
    return kind, changed


def test_damaged_tokens_are_refused_even_with_the_right_hash() -> None:
    """Another proof of the same claim may come out, which is true; a proof of another claim may not."""
    random = Random(1)
    refused: dict[str, int] = {}
    for game in ("3x3x3", "2x5x3", "3x3x3g", "3x4x3g", "4x3x3g", "2x5x2", "1x9x3", "2x4x2g"):
        for proof in proofs(parse_game(game), 4):
            number = random.randrange(len(proof.strategies))
            strategy = proof.strategies[number]
            for _ in range(8 if strategy.tokens else 0):
                kind, tokens = damaged_tokens(list(strategy.tokens), proof.game.rows * proof.game.columns + 3, random)
                if tokens == list(strategy.tokens):
                    continue
                strategies = list(proof.strategies)
                strategies[number] = replace(strategy, tokens=tokens)
                damaged = Proof.from_bytes(replace(proof, strategies=tuple(strategies)).to_bytes())
                try:
                    verify(damaged)
                except ProofError:
                    refused[kind] = refused.get(kind, 0) + 1
                else:
                    assert kind not in ("end", "more")
                for value in {"win", "draw", "loss"} - {proof.value}:
                    with pytest.raises(ProofError):
                        verify(restated(damaged, value, None))
    assert sum(refused.values()) >= 400 and min(refused.values()) >= 20 and len(refused) == 7, refused


def test_a_proof_that_is_cut_off_or_goes_on_is_refused() -> None:
    for game in ("3x3x3", "3x3x3g", "4x3x3g"):
        proof = prove(solved(parse_game(game)), Board(parse_game(game)), True)
        for number, strategy in enumerate(proof.strategies):
            tokens = list(strategy.tokens)
            for changed in (*(tokens[:length] for length in range(len(tokens))), [*tokens, 0], [*tokens, tokens[-1]]):
                strategies = list(proof.strategies)
                strategies[number] = replace(strategy, tokens=changed)
                with pytest.raises(ProofError, match=f"{strategy.seat}'s strategy to {strategy.goal}"):
                    verify(replace(proof, strategies=tuple(strategies)))


def test_damaged_files_are_refused() -> None:
    random = Random(5)
    number = 0
    for game in ("3x3x3", "3x4x3g", "2x5x3"):
        for proof in proofs(parse_game(game), 2):
            data = bytearray(proof.to_bytes())
            for _ in range(20):
                position = random.randrange(len(data))
                flipped = data.copy()
                flipped[position] ^= 1 << random.randrange(8)
                for damaged in (flipped, data[:position], data[:position] + data[position + 1 :]):
                    number += 1
                    with pytest.raises((FormatError, ProofError)):
                        verify(Proof.from_bytes(bytes(damaged)))
    assert number >= 200


def can_be_proven(board: Board, seat: Seat, goal: str, plies: int | None) -> bool:
    """Whether any tokens at all make a strategy: all are tried."""
    prefixes: list[list[int]] = [[]]
    while prefixes:
        tokens = prefixes.pop()
        try:
            check_strategy(board, Strategy(seat, goal, plies, tokens))
        except ProofError as error:
            if str(error).endswith("the tokens are at their end"):
                prefixes += [[*tokens, token] for token in range(board.game.rows * board.game.columns + 3)]
        else:
            return True
    return False


@pytest.mark.parametrize("game", ["1x3x2", "1x3x3", "1x4x3", "2x2x2g", "2x3x2g", "3x2x2g", "2x3x3g", "3x2x3g"])
def test_what_is_true_can_be_proven_and_nothing_else(game: str) -> None:
    """On the smallest boards, for every goal, with every sequence of tokens that there is."""
    for board in positions(parse_game(game), 2):
        value, distance = solved(board.game).value(board)
        for seat in Seat:
            its_value = value if seat is board.turn else {"win": "loss", "loss": "win", "draw": "draw"}[value]
            for plies in (None, *range(board.game.rows * board.game.columns + 2)):
                in_time = plies is None or distance <= plies
                assert can_be_proven(board, seat, "win", plies) == (its_value == "win" and in_time)
                assert can_be_proven(board, seat, "hold", plies) == (its_value != "loss" or not in_time)


def claim(
    position: str, value: str, *strategies: tuple[Seat, str, int | None, list[int]], plies: int | None = None
) -> Proof:
    board = parse_position(position)
    return Proof(board.game, board.moves, value, plies, tuple(Strategy(*each) for each in strategies))


FIRST, SECOND = Seat.FIRST, Seat.SECOND


@pytest.mark.parametrize(
    ("proof", "message"),
    [
        (
            claim("1x4x2", "win", (FIRST, "win", None, [])),
            "fails at the beginning, token 0: the tokens are at their end",
        ),
        (claim("1x4x2", "win", (FIRST, "win", None, [9])), "fails at the beginning, token 1: there is no such token"),
        (claim("1x4x2", "win", (FIRST, "win", None, [4])), "there is no such token"),
        (claim("1x4x2:b1.a1", "win", (FIRST, "win", None, [0])), "is over after 0 of its 1 tokens"),
        (claim("1x4x2:a1.b1", "win", (FIRST, "win", None, [0])), "the strategist's move is not legal"),
        (
            claim("1x4x2:a1.b1", "win", (FIRST, "win", None, [3])),
            "fails after d1, token 1: the opponent completes a line",
        ),
        (claim("1x4x2:a1.b1", "win", (FIRST, "win", None, [2])), "fails after c1 d1, token 1: the board is full"),
        (claim("3x1x2g:a", "loss", (FIRST, "win", None, [0])), "fails after a a, token 1: the board is full"),
        (
            claim("1x4x2", "win", (FIRST, "win", 1, [0]), (SECOND, "hold", 0, []), plies=1),
            "first's strategy to win for 1 plies fails after a1, token 1: the board|there is no line in time",
        ),
        (
            claim("3x1x1g", "draw", (FIRST, "hold", None, []), (SECOND, "hold", None, [])),
            "second.*: the opponent completes",
        ),
        (claim("3x3x3", "draw", (SECOND, "hold", None, [2])), "the potential is too large"),
        (claim("3x3x3", "draw", (SECOND, "hold", None, [3])), "there is no such token"),
        (claim("3x3x3", "draw", (SECOND, "hold", None, [1, 0])), "a living line contains no pair"),
        (claim("2x2x2", "draw", (SECOND, "hold", None, [1, 2, 0, 1, 2, 3])), "a living line contains no pair"),
        (claim("1x4x3", "draw", (SECOND, "hold", None, [1, 2, 0, 1, 1, 2])), "a cell of a pair is not free"),
        (claim("1x4x3", "draw", (SECOND, "hold", None, [1, 1, 0, 4])), "a cell of a pair is not free"),
        (claim("1x4x3", "draw", (SECOND, "hold", None, [1, 2, 1, 2, 0])), "the tokens are at their end"),
        (claim("2x3x3g", "draw", (FIRST, "hold", None, [3]), (SECOND, "hold", None, [])), "there is no such token"),
    ],
)
def test_the_message_says_where_and_why(proof: Proof, message: str) -> None:
    with pytest.raises(ProofError, match=message):
        verify(proof)


def test_leaves_prove_what_they_say() -> None:
    assert verify(claim("1x4x3", "draw", (SECOND, "hold", None, [1, 1, 1, 2]))).nodes == 1
    assert verify(claim("3x3x4", "draw", (SECOND, "hold", None, []))).nodes == 1
    assert verify(claim("1x3x3", "draw", (SECOND, "hold", None, [2]))).nodes == 1  # 1/8 < 1/2
    # One line with one free cell less: 1/4 for the one, and with the move a line with one free cell is still below 1.
    assert verify(claim("1x3x3:a1", "draw", (FIRST, "hold", None, []), (SECOND, "hold", None, [4]))).value == "draw"


@pytest.mark.parametrize(
    ("position", "token", "is_below"),
    [
        ("2x3x3", 2, True),  # first to move: two lines of three free cells, 1/8 + 1/8 < 1/2
        ("1x3x2", 2, False),  # 1/4 + 1/4 is not below 1/2
        ("1x4x3:a1.d1", 2, True),  # 1/4 < 1/2
        ("1x5x3:b1.e1", 2, False),  # 1/4 + 1/4 is not below 1/2
        ("2x3x3:a1", 7, True),  # second to move: 1/4 + 1/8 < 1
        ("1x3x2:b1", 4, False),  # 1/2 + 1/2 is not below 1
        ("2x2x2:a1", 5, False),  # 3/2 + 3/4
    ],
)
def test_the_potential_is_compared_strictly(position: str, token: int, is_below: bool) -> None:
    strategies = [(SECOND, "hold", None, [token])]
    if parse_position(position).moves:
        strategies.append((FIRST, "hold", None, [1000]))  # not to be reached when second's fails
    try:
        verify(claim(position, "draw", *strategies))
    except ProofError as error:
        assert ("second's strategy" in str(error) and "the potential is too large" in str(error)) != is_below
    else:
        assert is_below


def test_a_long_path_needs_no_recursion() -> None:
    """With one column there is one way to play, and the stones alternate."""
    tokens = [0] * 64  # up to the top, where a stone still makes no pair
    proof = claim("128x1x2g", "draw", (FIRST, "hold", None, tokens), (SECOND, "hold", None, tokens))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 40)
    try:
        assert verify(proof).nodes > 200
    finally:
        sys.setrecursionlimit(limit)


def test_progress_goes_from_nothing_to_everything() -> None:
    game = parse_game("3x4x3g")
    proof = prove(solved(game), Board(game), True)
    calls: list[tuple[int, int]] = []
    verify(proof, lambda read, total: calls.append((read, total)))
    total = sum(len(strategy.tokens) for strategy in proof.strategies)
    assert calls[-1] == (total, total) and calls == sorted(calls) and len(calls) >= 2


# --- the command ---


def test_the_command_says_what_is_proven(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.proof"
    for position, plies, words in (
        ("3x3x3", False, "proven: 3x3x3 is a draw ("),
        ("3x4x3g", True, "proven: 3x4x3g is won by first, in 9 plies and not sooner ("),
        ("2x3x2:a1", False, "proven: 2x3x2:a1 is won by first ("),
    ):
        board = parse_position(position)
        proof = prove(solved(board.game), board, plies)
        proof.write(file)
        status, printed, _ = run("verify", str(file))
        assert status == 0 and printed.startswith(words) and printed.count("\n") == 1
        status, printed, _ = run("verify", str(file), "--json")
        said = json.loads(printed)
        assert status == 0 and said["proven"] and said["position"] == position and said["sha256"] == proof.sha256
        assert (said["value"], said["plies"]) == (proof.value, proof.plies) and said["nodes"] > 0


def test_the_command_refuses_what_is_wrong(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.proof"
    board = Board(Game(3, 3, 3))
    proof = prove(solved(board.game), board, False)
    for data, reason in (
        (proof.to_bytes()[:-1], "the file is cut off"),
        (replace(proof, value="win").to_bytes(), "a win needs first's strategy to win, and nothing else"),
    ):
        file.write_bytes(data)
        status, printed, _ = run("verify", str(file))
        assert status == 1 and printed.startswith(f"{file} proves nothing: ") and reason in printed
        status, printed, _ = run("verify", str(file), "--json")
        assert status == 1 and json.loads(printed)["proven"] is False and reason in json.loads(printed)["reason"]
    status, _, errors = run("verify", str(tmp_path / "nowhere"))
    assert status == 2 and "No such file" in errors
    assert "inarow verify draw.proof" in run("verify", "--help")[1]
