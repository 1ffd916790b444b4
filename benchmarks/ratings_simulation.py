"""Do the ratings' intervals hold what they promise? Many simulated round robins of players whose strength is known.

The results are drawn from the ratings' own model. Counted is how often the 95 % intervals contain the true values: each
player's Elo, what the first move is worth, and the draw rate of equal players. Asked for is that each share is within
two points of 95 %, as far as so many tournaments can tell.
"""

import sys
from collections import Counter
from dataclasses import asdict, dataclass

import numpy as np

from benchmarks.matches import (
    BROKEN,
    INTERRUPTED,
    KEPT,
    Progress,
    UntilCtrlC,
    count_argument,
    make_parser,
    print_json,
    print_table,
)
from inarow import SpecError
from inarow.arena.ratings import Array, Estimate, Ratings, Result, outcome_chances, rate, share

EXAMPLE = "python -m benchmarks.ratings_simulation --tournaments 300 --players 8 --rounds 10"
TOURNAMENTS = 300
PLAYERS = 8
ROUNDS = 10
CONFIDENCE = 0.95
TOLERANCE = 0.02


@dataclass(frozen=True)
class TournamentModel:
    """A round robin with known strengths.

    players     how many; their Elo is evenly spread from −width/2 to width/2
    rounds      how often two players meet, each time in both seats
    first_move  what the first seat is worth, in Elo
    draw_rate   how often equal players draw when the first move is worth nothing
    """

    players: int = PLAYERS
    rounds: int = ROUNDS
    width: float = 400.0
    first_move: float = 60.0
    draw_rate: float = 0.3

    def __post_init__(self) -> None:
        if self.players < 2:
            raise SpecError("a tournament needs two players or more")
        if not 0 < self.draw_rate < 1:
            raise SpecError(f"a draw rate is between 0 and 1, not {self.draw_rate}")
        if not (0 <= self.width <= 4000 and abs(self.first_move) <= 4000):
            raise SpecError("a width is 0 to 4000 Elo, and a first move worth at most as much")

    @property
    def strengths(self) -> Array:
        return np.linspace(-self.width / 2, self.width / 2, self.players)

    def play(self, rng: np.random.Generator) -> list[Result]:
        """The results of a whole tournament; the players' names are their places in `strengths`."""
        differences = self.strengths[:, None] - self.strengths[None, :] + self.first_move
        chances = np.moveaxis(outcome_chances(differences, self.draw_rate), 0, -1)
        counts = rng.multinomial(self.rounds, chances)
        return [
            Result(str(first), str(second), "simulated", score)
            for first in range(self.players)
            for second in range(self.players)
            if first != second
            for score, count in zip((1.0, 0.5, 0.0), counts[first, second], strict=True)
            for _ in range(count)
        ]

    def covered(self, ratings: Ratings) -> Counter[str]:
        """How many intervals contain the true value."""
        strengths = self.strengths
        return Counter(
            {
                "players": sum(one.low <= strengths[int(one.name)] <= one.high for one in ratings.players),
                "first move": int(contains(ratings.first_move, self.first_move)),
                "draw rate": int(contains(ratings.draw_rate_even, self.draw_rate)),
            }
        )


def contains(estimate: Estimate, value: float) -> bool:
    return estimate.low <= value <= estimate.high


def shares(covered: Counter[str], model: TournamentModel, tournaments: int) -> dict[str, Estimate]:
    """The share of intervals that contain the true value. A tournament's players count as independent of each other."""
    return {
        what: share(count, tournaments * (model.players if what == "players" else 1), CONFIDENCE)
        for what, count in covered.items()
    }


def is_kept(coverage: Estimate) -> bool:
    return coverage.low <= CONFIDENCE + TOLERANCE and coverage.high >= CONFIDENCE - TOLERANCE


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("--tournaments", type=count_argument, default=TOURNAMENTS, help=f"{TOURNAMENTS}, unless said")
    parser.add_argument("--players", type=count_argument, default=PLAYERS, help=f"{PLAYERS}, unless said")
    parser.add_argument("--rounds", type=count_argument, default=ROUNDS, help=f"in both seats; {ROUNDS}, unless said")
    parser.add_argument(
        "--width", type=float, default=400.0, help="from the worst to the best, in Elo; 400, unless said"
    )
    parser.add_argument("--first-move", type=float, default=60.0, help="in Elo; 60, unless said")
    parser.add_argument("--draw-rate", type=float, default=0.3, help="of equal players; 0.3, unless said")
    parser.add_argument("--seed", type=int, default=1, help="1, unless said")
    arguments = parser.parse_args()
    try:
        model = TournamentModel(
            arguments.players, arguments.rounds, arguments.width, arguments.first_move, arguments.draw_rate
        )
    except SpecError as error:
        parser.error(str(error))

    rng = np.random.default_rng(arguments.seed)
    covered: Counter[str] = Counter()
    done = 0
    progress = Progress(arguments.tournaments, "tournaments")
    with UntilCtrlC() as until:
        for _ in range(arguments.tournaments):
            covered.update(model.covered(rate(model.play(rng), confidence=CONFIDENCE)))
            done += 1
            progress.show(done, f"{model.players} players")
    progress.end()

    coverages = shares(covered, model, done)
    kept = all(map(is_kept, coverages.values()))
    if arguments.json:
        listed = {what: asdict(coverage) for what, coverage in coverages.items()}
        print_json({"coverage": listed, "tournaments": done, "as_promised": kept, "interrupted": until.interrupted})
    else:
        rows = [
            (what, f"{100 * one.value:.1f} % ({100 * one.low:.1f} to {100 * one.high:.1f})")
            for what, one in coverages.items()
        ]
        print_table((f"{100 * CONFIDENCE:g} % intervals of", "contain the true value"), rows)
        print("as promised" if kept else "NOT as promised")
    if until.interrupted:
        print("interrupted: not all tournaments were simulated", file=sys.stderr)
        return INTERRUPTED
    return KEPT if kept else BROKEN


if __name__ == "__main__":
    sys.exit(main())
