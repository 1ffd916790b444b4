"""What a tournament has shown: one HTML page that needs nothing but a browser, a CSV table and a JSON file.

The page is report_page/template.html with its style, its scripts and the report's data put in. The data is what
`report_dict` gives, and a list for each game, so short because there may be a hundred thousand of them:

    [round, board, first, second, end, opening, moves, times, line, detail]

    round           the round when the key is board/first/second/round; else the whole key
    board           a number into the tournament's boards; first and second into its players
    end             a letter of END_LETTERS; "" for a game that was broken off
    opening         how many of the moves were given, not chosen
    moves, times    one number after the other in digits of base 64: cells counted row by row, or columns with gravity,
                    and units of TIME_UNIT seconds; each number has as many digits as the largest possible one
    line            the first and the last cell of the winning line; "" without one
    detail          what the loser of a forfeited game did
"""

import base64
import csv
import hashlib
import io
import itertools
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from inarow._version import __version__
from inarow.arena.ratings import Ratings, Result, rate, rate_by_board
from inarow.arena.schedule import number_of_games
from inarow.arena.spec import Tournament, plain_points
from inarow.arena.standings import KeyedGames, Standing, by_board, cross_table, forfeits, standings
from inarow.game import Game, Limit, Line, Outcome, Reason, Record, Seat

FORMAT = "inarow-report-1"
PAGE = "report.html"
SCRIPTS = ("page.js", "report.js", "plots.js", "games.js", "board.js", "viewer.js")
"""In this order they become one module."""

BOARD_GAMES = 10
"""How many games a player needs on a board, on average, for ratings of that board alone to tell something."""

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
TIME_UNIT = 0.0001
END_LETTERS = {
    (Seat.FIRST, Reason.LINE): "F",
    (Seat.SECOND, Reason.LINE): "S",
    (None, Reason.FULL): "D",
    (Seat.FIRST, Reason.FORFEIT): "f",
    (Seat.SECOND, Reason.FORFEIT): "s",
}

KeyedList = Sequence[tuple[str, Record]]


def write_report(tournament: Tournament, games: KeyedGames, out_dir: Path) -> Path:
    """Writes report.html, report.json and standings.csv into a folder, which is made; gives the page's path.

    Each file is there as a whole or not at all, so that a page may be shown while the next one is written.
    """
    games = list(games)
    report = report_dict(tournament, games)
    out_dir.mkdir(parents=True, exist_ok=True)
    _write(out_dir / "standings.csv", standings_csv(standings(tournament, games)))
    _write(out_dir / "report.json", json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    _write(out_dir / PAGE, _page(report, _compact_games(tournament, games)))
    return out_dir / PAGE


def report_dict(tournament: Tournament, games: KeyedGames) -> dict[str, Any]:
    """Everything in the report but the games themselves, as JSON can hold it."""
    games = list(games)
    dates = sorted(record.date for _, record in games if record.date)
    return {
        "format": FORMAT,
        "version": __version__,
        "title": _title(tournament),
        "tournament": {
            "players": list(tournament.players),
            "boards": [str(game) for game in tournament.games],
            "limit": tournament.limit.to_dict(),
            "limit_text": limit_text(tournament.limit),
            "style": tournament.style.value,
            "rounds": tournament.rounds,
            "openings": tournament.openings if isinstance(tournament.openings, str) else list(tournament.openings),
            "seed": tournament.seed,
        },
        "games": {"played": len(games), "planned": number_of_games(tournament)},
        "dates": [dates[0], dates[-1]] if dates else [],
        "standings": [asdict(standing) for standing in standings(tournament, games)],
        "cross_table": [
            {"player": player, "opponent": opponent, "score": score.points, "games": score.games}
            for (player, opponent), score in cross_table(games).items()
        ],
        "by_board": [
            {"player": player, "board": board, "score": score.points, "games": score.games}
            for (player, board), score in by_board(games).items()
        ],
        "ratings": _ratings(tournament, games),
        "forfeits": [asdict(forfeit) for forfeit in forfeits(games)],
    }


def standings_csv(table: Iterable[Standing]) -> str:
    """The standings, one line a player under a line of names; times in seconds, empty when they are not known."""
    times = ("mean", "median", "most", "worst")
    names = [name for name in Standing.__dataclass_fields__ if name != "time"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, *(f"seconds_{name}" for name in times), "worst_share_of_limit"])
    for standing in table:
        row = [getattr(standing, name) for name in names]
        row += [getattr(standing.time, name, None) for name in (*times, "worst_share")]
        writer.writerow(f"{value:.6g}" if isinstance(value, float) else value for value in row)
    return text.getvalue()


def limit_text(limit: Limit) -> str:
    """
    >>> limit_text(Limit(seconds=0.5, nodes=2000)), limit_text(Limit(clock=60, increment=1)), limit_text(Limit())
    ('0.5 s a move, 2000 nodes a move', '60 s a game, 1 s more after each move', 'no limit')
    """
    parts = {
        "seconds": "{:g} s a move",
        "nodes": "{} nodes a move",
        "depth": "depth {}",
        "clock": "{:g} s a game",
        "increment": "{:g} s more after each move",
    }
    return ", ".join(parts[name].format(value) for name, value in limit.to_dict().items()) or "no limit"


def _title(tournament: Tournament) -> str:
    boards = tournament.games
    where = f"on {boards[0]}" if len(boards) == 1 else f"on {len(boards)} boards"
    return f"{len(tournament.players)} players {where}, {limit_text(tournament.limit)}"


def _ratings(tournament: Tournament, games: KeyedList) -> list[dict[str, Any]]:
    """Those over all boards, whose board is None, then those of each board that has enough games."""
    results = [
        Result(*record.players, str(record.game), plain_points(record.outcome)[Seat.FIRST])
        for _, record in games
        if record.outcome is not None
    ]
    rated: list[tuple[str | None, Ratings]] = [(None, rate(results, players=tournament.players))]
    if len(tournament.games) > 1:
        rated += rate_by_board(results).items()
    return [
        {"board": board, **asdict(ratings)}
        for board, ratings in rated
        if board is None or sum(player.games for player in ratings.players) >= BOARD_GAMES * len(ratings.players)
    ]


# --- the page ---


def _page(report: dict[str, Any], compact_games: dict[str, Any]) -> str:
    """The template filled in. The policy lets nothing run but the page's own script, whatever a player is called."""
    folder = files("inarow.arena") / "report_page"
    style = (folder / "report.css").read_text(encoding="utf-8")
    script = "\n".join((folder / name).read_text(encoding="utf-8") for name in SCRIPTS)
    policy = (
        f"default-src 'none'; script-src '{_fingerprint(script)}'; style-src '{_fingerprint(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    # The games tell the forfeits already.
    entries = {name: value for name, value in report.items() if name != "forfeits"} | compact_games
    data = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return Template((folder / "template.html").read_text(encoding="utf-8")).substitute(
        policy=escape(policy),
        title=escape(report["title"]),
        style=style,
        script=script,
        data=data.replace("<", "\\u003c"),  # JSON of the same meaning that cannot end its script element
    )


def _fingerprint(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _write(path: Path, text: str) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8", newline="\n")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


# --- the games, compactly ---


def _compact_games(tournament: Tournament, games: KeyedList) -> dict[str, Any]:
    """All games as the page's script reads them, and what it needs to read them."""
    boards = {str(game): number for number, game in enumerate(tournament.games)}
    players = {player: number for number, player in enumerate(tournament.players)}
    worst = max((seconds for _, record in games for seconds in record.seconds), default=0.0)
    time_digits = _digits_below(_time_units(worst) + 1)
    records = []
    for key, record in games:
        board = str(record.game)
        start, _, number = key.rpartition("/")
        is_usual = start == f"{board}/{record.players[0]}/{record.players[1]}" and number.isdecimal()
        records.append(
            [
                int(number) if is_usual and str(int(number)) == number else key,
                boards[board],
                players[record.players[0]],
                players[record.players[1]],
                _end_letter(record.outcome),
                record.opening,
                _moves_text(record),
                "".join(_number_text(_time_units(seconds), time_digits) for seconds in record.seconds),
                _line_text(record.game, record.outcome.line if record.outcome else None),
                record.outcome.detail if record.outcome else "",
            ]
        )
    return {"time_digits": time_digits, "time_unit": TIME_UNIT, "digits": DIGITS, "records": records}


def _end_letter(outcome: Outcome | None) -> str:
    return END_LETTERS[outcome.winner, outcome.reason] if outcome else ""


def _moves_text(record: Record) -> str:
    columns = record.game.columns
    if record.game.gravity:
        texts = _number_texts(columns)
        return "".join(texts[move] for move in record.moves if isinstance(move, int))
    texts = _number_texts(record.game.rows * columns)
    return "".join(texts[move[0] * columns + move[1]] for move in record.moves if isinstance(move, tuple))


def _line_text(game: Game, line: Line | None) -> str:
    if line is None:
        return ""
    texts = _number_texts(game.rows * game.columns)
    return "".join(texts[row * game.columns + column] for row, column in (line[0], line[-1]))


def _time_units(seconds: float) -> int:
    return round(seconds / TIME_UNIT)


def _digits_below(count: int) -> int:
    """How many digits every number below `count` fits in."""
    return next(width for width in itertools.count(1) if len(DIGITS) ** width >= count)


@lru_cache(maxsize=64)
def _number_texts(count: int) -> tuple[str, ...]:
    """All numbers below `count`, each with the same number of digits."""
    width = _digits_below(count)
    return tuple(_number_text(number, width) for number in range(count))


@lru_cache(maxsize=1 << 16)
def _number_text(number: int, width: int) -> str:
    text = ""
    for _ in range(width):
        number, digit = divmod(number, len(DIGITS))
        text = DIGITS[digit] + text
    return text
