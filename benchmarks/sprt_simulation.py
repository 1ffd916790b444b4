"""Does the SPRT keep its promise? Many simulated tests of players whose difference is known.

Pairs of games are drawn from a model: Davidson's chances of a win, a draw and a loss, and openings that favour the
first seat more or less, the same for both games of a pair. A test's decision is wrong when it accepts H1 although
the true difference is elo0 or less, or H0 although it is elo1 or more. Asked for is that the shares of wrong decisions
are at most alpha and beta, as far as so many tests can tell.
"""

import sys
from dataclasses import asdict, dataclass
from statistics import NormalDist

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
from inarow.arena.ratings import PAIR_SCORES, Array, Estimate, expected_score, outcome_chances, share
from inarow.arena.sprt import Sprt

EXAMPLE = "python -m benchmarks.sprt_simulation --runs 1000 --elo 0 10 -10"
RUNS = 1000
TRUE_ELOS = (0.0, 10.0, -10.0)
PAIRS_A_LOOK = 8
OPENINGS = 41
MAX_ELO = 1000.0
MAX_STRENGTH = 10_000.0
"""Enough for a mean score of MAX_ELO against any openings and draws."""


@dataclass(frozen=True)
class PairModel:
    """How the pairs of two players end.

    draw_rate   how often two equal players draw from a fair opening
    first_move  what an opening gives the first seat, in Elo, on average
    spread      the standard deviation of that from opening to opening
    """

    draw_rate: float = 0.3
    first_move: float = 60.0
    spread: float = 100.0

    def __post_init__(self) -> None:
        if not 0 <= self.draw_rate < 1:
            raise SpecError(f"a draw rate is at least 0 and less than 1, not {self.draw_rate}")
        if not abs(self.first_move) <= MAX_ELO:
            raise SpecError(f"a first move is worth at most {MAX_ELO:g} Elo, not {self.first_move:g}")
        if not 0 <= self.spread <= MAX_ELO:
            raise SpecError(f"a spread is 0 to {MAX_ELO:g} Elo, not {self.spread:g}")

    def pair_chances(self, elo: float) -> Array:
        """The chances of 0, ½, 1, 1½ and 2 points for the player whose mean score is that of a difference of `elo`."""
        if not abs(elo) <= MAX_ELO:
            raise SpecError(f"a difference is at most {MAX_ELO:g} Elo, not {elo:g}")
        low, high = -MAX_STRENGTH, MAX_STRENGTH
        while high - low > 1e-9:
            middle = (low + high) / 2
            if self._chances_of_strength(middle) @ PAIR_SCORES < expected_score(elo):
                low = middle
            else:
                high = middle
        return self._chances_of_strength(low)

    def _chances_of_strength(self, strength: float) -> Array:
        """By the difference in the model's own terms, in which draws and openings bring the mean score near a half."""
        quantiles = [NormalDist().inv_cdf((i + 0.5) / OPENINGS) for i in range(OPENINGS)]
        gifts = self.first_move + self.spread * np.array(quantiles)
        as_first = outcome_chances(strength + gifts, self.draw_rate)
        as_second = outcome_chances(strength - gifts, self.draw_rate)
        chances = np.zeros(len(PAIR_SCORES))
        for i, first in enumerate(as_first):  # 0 is a win, 1 a draw, 2 a loss
            for j, second in enumerate(as_second):
                chances[4 - i - j] += (first * second).mean()
        return chances


@dataclass(frozen=True)
class Decisions:
    """How many of the simulated tests accepted H1, and after how many pairs a test was over."""

    accepted_h1: int
    mean_pairs: float


def simulate(sprt: Sprt, chances: Array, runs: int, rng: np.random.Generator) -> Decisions:
    """Runs tests to their end, with a look at the ratio after every few pairs; `chances` are those of the pairs."""
    lower, upper = sprt.bounds
    counts = np.zeros((runs, len(PAIR_SCORES)))  # of the tests that go on
    accepted_h1, pairs = 0, 0
    while len(counts):
        pairs += PAIRS_A_LOOK * len(counts)
        counts += rng.multinomial(PAIRS_A_LOOK, chances, size=len(counts))
        llrs = sprt.llrs(counts)
        accepted_h1 += int((llrs >= upper).sum())
        counts = counts[(lower < llrs) & (llrs < upper)]
    return Decisions(accepted_h1, pairs / runs)


@dataclass(frozen=True)
class Finding:
    """What came out for one true difference; `wrong` and `promised` are None where neither hypothesis is false."""

    elo: float
    accepted_h1: Estimate
    wrong: Estimate | None
    promised: float | None
    mean_games: float

    @property
    def is_kept(self) -> bool:
        return self.wrong is None or self.promised is None or self.wrong.low <= self.promised


def find(sprt: Sprt, elo: float, chances: Array, runs: int, rng: np.random.Generator) -> Finding:
    decisions = simulate(sprt, chances, runs, rng)
    accepted_h1 = decisions.accepted_h1
    wrong, promised = None, None
    if elo <= sprt.elo0:
        wrong, promised = share(accepted_h1, runs), sprt.alpha
    elif elo >= sprt.elo1:
        wrong, promised = share(runs - accepted_h1, runs), sprt.beta
    return Finding(elo, share(accepted_h1, runs), wrong, promised, 2 * decisions.mean_pairs)


def print_findings(findings: list[Finding]) -> None:
    rows = []
    for finding in findings:
        wrong = percent(finding.wrong) if finding.wrong else "neither is false"
        promised = f"{100 * finding.promised:.1f} %" if finding.promised else ""
        games = f"{finding.mean_games:.0f}"
        rows.append((f"{finding.elo:+g}", percent(finding.accepted_h1), wrong, promised, games))
    print_table(("true Elo", "H1 accepted", "wrong", "promised", "games a test"), rows)


def percent(estimate: Estimate) -> str:
    return f"{100 * estimate.value:.1f} % ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def main() -> int:
    parser = make_parser(__doc__, EXAMPLE)
    parser.add_argument("--runs", type=count_argument, default=RUNS, help=f"tests an Elo; {RUNS}, unless said")
    parser.add_argument(
        "--elo", nargs="+", type=float, default=TRUE_ELOS, help="true differences; 0 10 -10, unless said"
    )
    parser.add_argument("--elo0", type=float, default=0.0, help="H0; 0, unless said")
    parser.add_argument("--elo1", type=float, default=10.0, help="H1; 10, unless said")
    parser.add_argument("--alpha", type=float, default=0.05, help="0.05, unless said")
    parser.add_argument("--beta", type=float, default=0.05, help="0.05, unless said")
    parser.add_argument("--draw-rate", type=float, default=0.3, help="of equal players; 0.3, unless said")
    parser.add_argument("--first-move", type=float, default=60.0, help="in Elo; 60, unless said")
    parser.add_argument("--spread", type=float, default=100.0, help="of the openings, in Elo; 100, unless said")
    parser.add_argument("--seed", type=int, default=1, help="1, unless said")
    arguments = parser.parse_args()
    try:
        sprt = Sprt(arguments.elo0, arguments.elo1, arguments.alpha, arguments.beta)
        model = PairModel(arguments.draw_rate, arguments.first_move, arguments.spread)
        chances = [model.pair_chances(elo) for elo in arguments.elo]
    except SpecError as error:
        parser.error(str(error))

    rng = np.random.default_rng(arguments.seed)
    findings: list[Finding] = []
    progress = Progress(len(arguments.elo), "differences")
    with UntilCtrlC() as until:
        for elo, pair_chances in zip(arguments.elo, chances, strict=True):
            progress.show(len(findings), f"{elo:+g} Elo")
            findings.append(find(sprt, elo, pair_chances, arguments.runs, rng))
    progress.end()

    kept = all(finding.is_kept for finding in findings)
    if arguments.json:
        listed = [asdict(finding) for finding in findings]
        print_json({"findings": listed, "as_promised": kept, "interrupted": until.interrupted})
    else:
        print_findings(findings)
        print("as promised" if kept else "NOT as promised")
    if until.interrupted:
        print("interrupted: not all differences were simulated", file=sys.stderr)
        return INTERRUPTED
    return KEPT if kept else BROKEN


if __name__ == "__main__":
    sys.exit(main())
