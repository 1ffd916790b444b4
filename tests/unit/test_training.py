"""From games of the engine with itself to a file of weights."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from training import duels, evaluation, features, fit, gravity, learned, positions, selfplay
from training.descent import Vector, minimise
from training.selfplay import RESOLVER, make_explorer, random_openings, selfplay_tournament

from inarow import Game, Limit, Seat, parse_position
from inarow._core import Engine, EngineWeights, FreeFeatureReader, Position
from inarow.arena.referee import Referee
from inarow.arena.schedule import schedule
from inarow.engine import cells_of, geometry_of, position_of
from inarow.engine.weights import FORMULA, KNOWN_NUMBERS, about_weights, get_numbers, read_weights, weights_for

GAME, GRAVITY = Game(9, 9, 5), Game(5, 6, 4, gravity=True)


def test_the_value_is_the_sum_over_the_features() -> None:
    weights = EngineWeights.handmade()
    weights.turn = 11
    weights.waiting = [2 * value + 1 for value in weights.moving]
    for text in ("15x15x5:h8.i9.h9.g7.j10", "9x9x4:e5.e6.f5", "12x12x8:f6.g7.f7.f8"):
        board = parse_position(text)
        geometry = geometry_of(board.game)
        seen = FreeFeatureReader(geometry).read(position_of(board))
        value = sum(weights.moving[code] for code in seen.moving) - sum(weights.waiting[code] for code in seen.waiting)
        value += weights.threats[seen.threat_mask] + weights.turn
        assert Engine(geometry, memory_mb=1, weights=weights).value(cells_of(board)) == value
        assert len(seen.cells) == board.game.rows * board.game.columns - board.ply
        assert all(0 <= place < len(seen.cells) for place in seen.candidates)


def test_a_position_with_a_win_at_hand_is_not_evaluated() -> None:
    reader = FreeFeatureReader(geometry_of(Game(15, 15, 5)))
    four = parse_position("15x15x5:h8.a1.h9.c1.h10.e1.h11")
    assert not reader.read(position_of(four)).is_evaluated
    three = parse_position("15x15x5:h8.a1.h9.c1.h10")
    assert reader.read(position_of(three)).is_evaluated, "the other makes the double"
    with pytest.raises(ValueError, match="another game"):
        reader.read(position_of(parse_position("3x3x3")))


def test_openings_are_the_same_for_the_same_seed_and_near_the_centre() -> None:
    game = Game(15, 15, 5)
    openings = list(random_openings(game, 20, seed=3))
    assert openings == list(random_openings(game, 20, seed=3)) != list(random_openings(game, 20, seed=4))
    assert len(set(openings)) == 20


def test_an_explorer_plays_by_its_seed() -> None:
    board = parse_position("9x9x5:d4.c3")
    first, same, other = (make_explorer(f"explorer:seed={seed}") for seed in (1, 1, 2))
    for player in (first, same, other):
        player.start(GAME, Seat.FIRST, Limit())
    limit = Limit(nodes=200)
    assert first.choose(board, limit) == same.choose(board, limit)
    assert other.choose(board, limit) in board.legal_moves


def test_games_become_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = tmp_path / "games.notes"
    notes.mkdir()
    tournament = selfplay_tournament(GAME, 12, 300, (FORMULA, FORMULA), 1, notes)
    referee = Referee(tournament.rules, RESOLVER)
    records = [referee.play(job) for job in schedule(tournament, {})]
    assert all(record.outcome is not None and record.outcome.detail == "" for record in records)
    collector = features.Collector()
    for number, record in enumerate(records):
        features.collect(record, number, features.read_notes(tmp_path / "games.store"), collector)
    data = collector.arrays()
    assert len(collector) > 100
    assert set(np.unique(data["result"])) <= {0, 0.5, 1} and (data["best"] >= 0).mean() > 0.9
    assert data["moving_start"][-1] == len(data["moving_code"]) == len(data["moving_count"])

    features.save(tmp_path / "games.npz", {}, data)
    out = tmp_path / "out.weights"
    monkeypatch.setattr("sys.argv", ["fit", str(tmp_path / "games.npz"), "--out", str(out), "--iterations", "30"])
    assert fit.main() == 0
    found, formula = read_weights(out), EngineWeights.handmade()
    assert found.moving != formula.moving and found.attack != formula.attack
    seen = set(data["moving_code"].tolist())
    assert max(abs(found.moving[code]) for code in seen) < 1000


def test_the_fit_finds_what_the_results_were_made_from() -> None:
    """Results drawn from known weights: the fit comes nearer to them than the formula is."""
    random = np.random.default_rng(5)
    positions, kinds = 4000, 6
    chosen = np.flatnonzero(learned.has_stones(learned.code_features()))[:kinds]
    codes = chosen[random.integers(0, kinds, (positions, 8))]
    formula = EngineWeights.handmade()
    before = np.array(formula.moving) / evaluation.VALUE_SCALE
    true = before + random.normal(0, 0.3, len(before))
    waiting = float(formula.waiting[0]) / evaluation.VALUE_SCALE
    results = random.random(positions) < learned.sigmoid(true[codes].sum(axis=1) - waiting)
    start = np.arange(positions + 1)
    data = {
        "mask": np.zeros(positions, int),
        "moving_code": codes.ravel(),
        "moving_count": np.ones(codes.size),
        "moving_start": 8 * start,
        "waiting_code": np.zeros(positions, int),
        "waiting_count": np.ones(positions),
        "waiting_start": start,
    }
    fitted = evaluation.EvaluationFit(data, results.astype(float), start[:-1] % 10 != 0)
    place = fitted.run(own_prior=100, weight=1.0, iterations=60)
    found = fitted.moving.numbers(fitted.parts(place)[0])
    spread = np.ptp  # a constant may go from the codes to the turn
    assert spread((found - true)[chosen]) < 0.5 * spread((before - true)[chosen])
    assert found[0] == before[0], "a cell without stones near it keeps its value"


def test_the_scale_is_found() -> None:
    random = np.random.default_rng(6)
    scores = random.normal(0, 400, 20_000)
    results = (random.random(len(scores)) < learned.sigmoid(scores / 170)).astype(float)
    assert evaluation.fitted_scale(scores, results) == pytest.approx(170, rel=0.1)


def test_descent_finds_the_lowest_point() -> None:
    curvature = np.geomspace(1, 100, 20)
    lowest = np.linspace(-3, 3, 20)

    def bowl(place: Vector) -> tuple[float, Vector]:
        return float(curvature @ (place - lowest) ** 2), 2 * curvature * (place - lowest)

    values: list[float] = []
    found = minimise(bowl, np.zeros(20), 100, lambda number, value, place: values.append(value))
    assert found == pytest.approx(lowest, abs=1e-3)
    assert values == sorted(values, reverse=True)


def test_duels_become_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.weights"
    arguments = ["duels", "5x6x4g", "5x5x4g", "--against", "random", "1", "--out", str(out), "--generations", "2"]
    monkeypatch.setattr("sys.argv", [*arguments, "--pairs", "2", "--duels", "2", "--nodes", "30"])
    assert duels.main() == 0
    printed = capsys.readouterr().out
    means = [float(mean) for mean in re.findall(r"the mean got (\d\.\d+)", printed)]
    assert len(means) == 2 and min(means) > 0.5, "random is worse, whatever the numbers are"
    assert about_weights(out)["learned from"] == [
        {"duels with": ["random at 1 nodes"], "games": ["5x6x4g at 30 nodes", "5x5x4g at 30 nodes"]}
    ]
    assert read_weights(out).drop.window != weights_for(GRAVITY).drop.window


def test_numbers_are_steps_of_like_size_and_back() -> None:
    weights = weights_for(GRAVITY)
    vector = duels.to_vector(weights)
    again = duels.to_weights(vector)
    assert all(get_numbers(again, name) == get_numbers(weights, name) for name in duels.NAMES)
    assert abs(get_numbers(duels.to_weights(vector + 1000), "drop.turn")[0]) == duels.MOST, "no number overflows"


def test_the_mean_moves_to_what_won() -> None:
    directions = duels.mirrored(np.random.default_rng(1), 6, 3)
    assert directions.shape == (6, 3) and np.allclose(directions.sum(axis=0), 0)
    step = duels.better_half(directions, [1.0, 0.0, 0.9, 0.1, 0.2, 0.8])
    assert np.dot(step, directions[0]) > 0
    assert np.allclose(duels.better_half(np.array([[4.0], [-4.0]]), [0.0, 1.0]), [-4.0])


def test_games_with_gravity_become_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store, out = tmp_path / "games.store", tmp_path / "out.weights"
    monkeypatch.setattr("sys.argv", ["selfplay", "5x6x4g", "--games", "20", "--nodes", "100", "--store", str(store)])
    assert selfplay.main() == 0
    arguments = ["gravity", str(store), "--out", str(out), "--rounds", "3", "--then", "stacked=77"]
    monkeypatch.setattr("sys.argv", arguments)
    assert gravity.main() == 0
    losses = [float(loss) for loss in re.findall(r"loss (0\.\d+), held", capsys.readouterr().out)]
    assert len(losses) == 4 and losses == sorted(losses, reverse=True) and losses[-1] < losses[0]
    found, formula = read_weights(out), EngineWeights.handmade()
    assert found.drop.window != formula.drop.window and found.drop.attack == formula.drop.attack
    assert found.drop.stacked == 77
    assert about_weights(out)["learned from"][0]["games"] == {"5x6x4g at 100 nodes": 20}


def test_positions_are_games_by_the_rules(tmp_path: Path) -> None:
    explorer, same = (positions.Explorer(GAME, FORMULA, 100, "seed") for _ in range(2))
    games, again = positions.Games(), positions.Games()
    for _ in range(6):
        explorer.play(games)
        same.play(again)
    assert games == again, "which games follows from the seed"
    games.save(tmp_path / "1-0.npz")
    file = np.load(tmp_path / "1-0.npz")
    starts = np.cumsum(file["plies"]) - file["plies"]
    for game, ply, aside, score in zip(file["game"], file["ply"], file["aside"], file["score"], strict=True):
        cells = [*file["cells"][starts[game] : starts[game] + ply].tolist(), *([] if aside < 0 else [int(aside)])]
        position = core_position(cells)
        assert not position.is_over and len(cells) == ply + (aside >= 0)
        assert abs(score) == features.DECIDED or abs(score) <= 20_000
    assert set(file["result"].tolist()) <= {1, 0, -1}
    assert (file["aside"] >= 0).any() and (file["aside"] < 0).any()


def core_position(cells: list[int]) -> Position:
    position = Position(geometry_of(GAME))
    for cell in cells:
        position.make(cell)
    return position


def test_the_network_learns_what_the_core_then_says(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the network is trained with PyTorch: pip install torch")
    from training import draws, network, network_weights

    positions.save_tables(GAME, tmp_path / "tables.npz")
    explorer, games = positions.Explorer(GAME, FORMULA, 100, "seed"), positions.Games()
    for _ in range(40):
        explorer.play(games)
    games.save(tmp_path / "1-0.npz")
    torch.manual_seed(1)
    found = network.Positions([tmp_path], "cpu")
    seen = network.Seen(tmp_path, "cpu")
    net = network.Network(seen)
    order = EngineWeights.handmade()
    weights = network_weights.weights_of({"scale": np.array(300.0), **net.numbers()}, order)
    assert weights.attack == order.attack
    engine = Engine(geometry_of(GAME), memory_mb=1, weights=weights)
    boards, _, _, played, game = network.boards_of(tmp_path / "1-0.npz", 81)
    starts = np.cumsum(games.plies) - games.plies
    evaluated: list[list[int]] = []
    for i, (number, ply, aside, _) in enumerate(games.positions):
        own, other = seen.codes_of(boards[i : i + 1])
        mask, is_evaluated = seen.masks_of(own, other)
        cells = [*games.cells[starts[number] : starts[number] + ply], *([] if aside < 0 else [aside])]
        features_seen = FreeFeatureReader(geometry_of(GAME)).read(core_position(cells)) if i % 20 == 0 else None
        if features_seen is not None:
            assert own[0, features_seen.cells].tolist() == features_seen.moving
            assert other[0, features_seen.cells].tolist() == features_seen.waiting
            assert int(mask) == features_seen.threat_mask and bool(is_evaluated) == features_seen.is_evaluated
        if is_evaluated:
            with torch.no_grad():
                value = 320 * float(net(own, other, mask))
            assert abs(engine.value(cells) - value) < 12, "but for rounded numbers"
            evaluated.append(cells)
    assert len(evaluated) == len(found.mask) > 100 and len(played) == len(game) == len(games.positions)
    fit_of_it = network.Fit(net, found, found.targets(found.scale(), 0.7))
    assert "held out" in fit_of_it.losses()
    again = network.Network(seen)
    again.start(network_weights.numbers_of(weights))
    same = network_weights.weights_of({"scale": np.array(300.0), **again.numbers()}, order)
    assert all(get_numbers(same, name) == get_numbers(weights, name) for name in KNOWN_NUMBERS), "there and back"

    learned_draws, learned_from = draws.fitted(found, net, 20)
    assert learned_from.endswith("40 games")
    weights.network = network_weights.with_draws(weights.network, learned_draws.numbers())
    contemptuous = Engine(geometry_of(GAME), memory_mb=1, weights=weights)
    values, sums = draws.seen_by(net, found)
    with torch.no_grad():
        drawishness = learned_draws.drawishness(sums, found.free.float())
    for cells, value, drawish in zip(evaluated, values.tolist(), drawishness.tolist(), strict=True):
        contempt = 0.9 if len(cells) % 2 == 0 else -0.9
        said = contemptuous.value(cells, contempt=90) / 1000
        assert abs(said - with_contempt(0.32 * value, drawish, contempt)) < 0.1, "but for rounded numbers"


def with_contempt(value: float, drawishness: float, contempt: float) -> float:
    """As contempt.hpp defines it, by trying: a logit of points to expect, against a weaker player."""
    a = math.acosh(1 + math.exp(min(max(drawishness, -10), 10)))

    def points(x: float) -> float:
        win, loss = 1 / (1 + math.exp(a - x)), 1 / (1 + math.exp(a + x))
        return math.log((1 + win - loss) / (1 - win + loss))

    low, high = -30.0, 30.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if points(middle) < value else (low, middle)
    return points(low + contempt)


def test_the_first_layer_without_a_gpu_is_what_pytorch_comes_to() -> None:
    torch = pytest.importorskip("torch", reason="the network is trained with PyTorch: pip install torch")
    from training.cell_sums import CHANNELS, CellSums

    torch.manual_seed(2)
    codes, most = 40, 1.5
    has_row = (torch.arange(codes) % 5 > 0).byte()
    own, other = torch.randint(codes, (2, 100, 30)).to(torch.int16)
    rows = (torch.randn(2, codes, CHANNELS) * has_row[:, None]).requires_grad_()
    weight = torch.randn(100, CHANNELS)
    sums = CellSums.apply(own, other, has_row, rows[0], rows[1], most)
    (sums * weight).sum().backward()
    gradient, rows.grad = rows.grad * has_row[:, None], None
    plainly = (rows[0][own.int()] + rows[1][other.int()]).clamp(0, most).sum(1)
    (plainly * weight).sum().backward()
    assert torch.allclose(sums, plainly, atol=1e-4)
    assert torch.allclose(gradient, rows.grad * has_row[:, None], atol=1e-4)
