"""The files of what the engine has learned."""

import hashlib
from pathlib import Path

import pytest

from inarow import Engine, Limit, Seat, make_player, parse_position
from inarow._core import CODES, THREAT_MASKS, EngineWeights
from inarow._core import Engine as CoreEngine
from inarow.engine import geometry_of
from inarow.engine.weights import (
    FORMULA,
    FREE_NUMBERS,
    KNOWN_NUMBERS,
    NETWORK_NUMBERS,
    SETS,
    SHIPPED,
    WeightSet,
    about_weights,
    read_weights,
    weights_for,
    write_weights,
)
from inarow.errors import FormatError
from inarow.game import Game
from inarow.players.engine import EnginePlayer


def changed_weights() -> EngineWeights:
    weights = EngineWeights.handmade()
    weights.moving = [code % 100 - 50 for code in range(len(weights.moving))]
    weights.turn = -7
    weights.scale = 250.5
    weights.drop.stacked = 99
    weights.drop.window = list(range(8))
    return weights


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "some.weights"
    weights = changed_weights()
    write_weights(file, weights, KNOWN_NUMBERS, {"learned from": "nothing"})
    found = read_weights(file)
    assert found.moving == weights.moving and found.waiting == weights.waiting and found.threats == weights.threats
    assert (found.turn, found.scale) == (-7, 250.5)
    assert found.drop.stacked == 99 and found.drop.window == weights.drop.window
    assert about_weights(file)["learned from"] == "nothing"


def test_what_a_file_does_not_hold_is_the_formulas(tmp_path: Path) -> None:
    file = tmp_path / "some.weights"
    write_weights(file, changed_weights(), ("drop.window",), {})
    found, formula = read_weights(file), EngineWeights.handmade()
    assert found.moving == formula.moving and found.drop.stacked == formula.drop.stacked
    assert found.drop.window == list(range(8))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "some.weights"
    write_weights(file, changed_weights(), FREE_NUMBERS, {})
    content = file.read_bytes()
    for place in (80, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(FormatError, match="damaged"):
            read_weights(file)
    file.write_bytes(content[:-5])
    with pytest.raises(FormatError, match="damaged"):
        read_weights(file)


def test_other_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "some.weights"
    file.write_bytes(b"something else")
    with pytest.raises(FormatError, match="not a file of weights"):
        read_weights(file)
    with pytest.raises(FormatError, match="cannot be read"):
        read_weights(tmp_path / "none.weights")
    for rest in (b"{}\n", b"no json\nx", b'{"numbers": [["wings", 2]], "scale": 1}\n', b"[]\n"):
        file.write_bytes(f"inarow-weights-1 {hashlib.sha256(rest).hexdigest()}\n".encode() + rest)
        with pytest.raises(FormatError, match="cannot be used"):
            read_weights(file)


def test_too_many_numbers_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "some.weights"
    write_weights(file, changed_weights(), ("turn",), {})
    rest = file.read_bytes().partition(b"\n")[2].replace(b'["turn", 1]', b'["drop.turn", 0]')
    file.write_bytes(f"inarow-weights-1 {hashlib.sha256(rest).hexdigest()}\n".encode() + rest)
    with pytest.raises(FormatError, match=r"drop\.turn is one number, not 0"):
        read_weights(file)


def test_a_set_is_for_its_games_only() -> None:
    small = WeightSet("x", gravity=False, least_k=4, most_k=5, least_cells=9, most_cells=100)
    assert small.is_for(Game(10, 10, 5)) and small.is_for(Game(3, 3, 4))
    for game in (Game(10, 10, 6), Game(10, 10, 3), Game(10, 11, 5), Game(2, 4, 4), Game(10, 10, 5, gravity=True)):
        assert not small.is_for(game)


def test_a_leaders_set_is_for_the_seat_that_does_not_get_the_last_cell() -> None:
    leaders = WeightSet("x", gravity=True, least_k=1, most_k=9, leads=True)
    even, odd = Game(6, 7, 4, gravity=True), Game(5, 7, 4, gravity=True)
    assert leaders.is_for(even, Seat.FIRST) and leaders.is_for(odd, Seat.SECOND)
    assert not leaders.is_for(even, Seat.SECOND) and not leaders.is_for(odd, Seat.FIRST)
    assert not leaders.is_for(even) and not leaders.is_for(odd), "positions are worth the same, whoever asks"
    assert WeightSet("x", gravity=True, least_k=1, most_k=9).is_for(even, Seat.FIRST)


def test_the_engine_begins_anew_in_the_other_seat() -> None:
    game = Game(40, 40, 10, gravity=True)
    player = make_player("engine:memory=4,solver=off")
    assert isinstance(player, EnginePlayer)
    values = []
    for seat in (Seat.FIRST, Seat.SECOND, Seat.FIRST):
        player.start(game, seat, Limit(nodes=100))
        report = player.engine.search(parse_position("40x40x10g:t.u.t.u.s.v.s.r"), Limit(depth=1))
        values.append(report.best.score)
    assert values[0] == values[2] != values[1]


@pytest.mark.parametrize("each", SETS, ids=lambda each: each.file)
def test_what_comes_with_the_package_can_be_read(each: WeightSet) -> None:
    assert read_weights(SHIPPED / each.file).scale > 0
    assert "learned from" in about_weights(SHIPPED / each.file)


def test_every_file_is_of_some_set() -> None:
    assert {file.name for file in SHIPPED.glob("*")} == {each.file for each in SETS}


def test_a_game_that_no_set_is_for_has_the_formula() -> None:
    assert weights_for(Game(3, 3, 1)).moving == EngineWeights.handmade().moving


def test_the_engine_plays_by_the_file_it_is_given(tmp_path: Path) -> None:
    file = tmp_path / "some.weights"
    write_weights(file, changed_weights(), FREE_NUMBERS, {})
    board = parse_position("15x15x5:h8.i9.h9")
    scores = {
        source: Engine(memory_mb=4, solver=False, weights=source).search(board, Limit(depth=3)).best.score
        for source in (FORMULA, str(file))
    }
    assert scores[FORMULA] != scores[str(file)]
    with pytest.raises(FormatError):
        Engine(memory_mb=4, weights=str(tmp_path / "none")).search(board, Limit(depth=3))


def some_network() -> EngineWeights:
    weights = EngineWeights.handmade()
    channels, hidden = 64, 32
    for name, count in zip(
        NETWORK_NUMBERS,
        (CODES * channels, CODES * channels, channels * hidden, THREAT_MASKS * hidden, hidden),
        strict=True,
    ):
        setattr(weights.network, name, [number % 101 - 50 for number in range(count)])
    return weights


def test_a_network_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "some.weights"
    weights = some_network()
    write_weights(file, weights, KNOWN_NUMBERS, {})
    found = read_weights(file)
    for name in NETWORK_NUMBERS:
        assert getattr(found.network, name) == getattr(weights.network, name)


def test_a_part_of_a_network_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "some.weights"
    weights = some_network()
    write_weights(file, weights, ("network.output",), {})
    with pytest.raises(FormatError, match="all of its numbers"):
        read_weights(file)
    weights.network.matrix = []
    with pytest.raises(ValueError, match="all of its numbers"):
        CoreEngine(geometry_of(Game(9, 9, 5)), memory_mb=1, weights=weights)
    with pytest.raises(ValueError, match="numbers, or none"):
        weights.network.matrix = [1, 2, 3]
