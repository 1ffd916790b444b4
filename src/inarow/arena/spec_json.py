"""Tournaments as JSON: equal tournaments have equal texts."""

import json
from dataclasses import asdict
from typing import Any

from inarow.arena.spec import Entry, RefereeRules, Style, Tournament
from inarow.errors import FormatError
from inarow.game import Limit, parse_game

FORMAT = "inarow-tournament-1"


def tournament_to_json(tournament: Tournament) -> str:
    """One line, the names in alphabetical order. FormatError for a text that cannot be written."""
    openings = tournament.openings
    entries = {
        "format": FORMAT,
        "players": list(tournament.players),
        "games": [str(game) for game in tournament.games],
        "limit": _numbers(tournament.limit.to_dict()),
        "style": tournament.style.value,
        "rounds": tournament.rounds,
        "openings": openings if isinstance(openings, str) else list(openings),
        "seed": tournament.seed,
        "rules": _numbers(asdict(tournament.rules)),
    }
    if tournament.entries:
        entries["entries"] = [asdict(entry) for entry in tournament.entries]
    text = json.dumps(entries, ensure_ascii=False, sort_keys=True)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FormatError(f"{text!a} is not a text that can be written") from None
    return text


def tournament_from_json(text: str) -> Tournament:
    """The inverse of tournament_to_json. FormatError says what cannot be read."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"a tournament is one line of JSON: {error}") from None
    if not isinstance(entries, dict) or entries.get("format") != FORMAT:
        raise FormatError(f"a tournament says format {FORMAT!r}")
    openings = entries.get("openings")
    try:
        return Tournament(
            players=_texts(entries, "players"),
            games=tuple(parse_game(game) for game in _texts(entries, "games")),
            limit=Limit(**_settings(entries, "limit")),
            style=Style(entries.get("style")),
            rounds=_whole_number(entries, "rounds"),
            openings=openings if isinstance(openings, str) else _texts(entries, "openings"),
            seed=_whole_number(entries, "seed"),
            rules=RefereeRules(**_settings(entries, "rules")),
            entries=_entries(entries),
        )
    except (TypeError, ValueError) as error:  # TypeError: a setting with another name
        raise FormatError(f"a tournament cannot be read: {error}") from None


def _entries(entries: dict[str, Any]) -> tuple[Entry, ...]:
    value = entries.get("entries", [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise FormatError(f"its entries are a list of objects, not {value!r}")
    return tuple(Entry(_text(each, "name"), _text(each, "spec"), _texts(each, "reads")) for each in value)


def _numbers(settings: dict[str, Any]) -> dict[str, Any]:
    """1.0 as 1, for they are equal."""
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in settings.items()
    }


def _texts(entries: dict[str, Any], name: str) -> tuple[str, ...]:
    value = entries.get(name)
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise FormatError(f"its {name} are a list of texts, not {value!r}")
    return tuple(value)


def _text(entries: dict[str, Any], name: str) -> str:
    value = entries.get(name)
    if not isinstance(value, str):
        raise FormatError(f"its {name} is a text, not {value!r}")
    return value


def _whole_number(entries: dict[str, Any], name: str) -> int:
    value = entries.get(name)
    if type(value) is not int:
        raise FormatError(f"its {name} must be a whole number, not {value!r}")
    return value


def _settings(entries: dict[str, Any], name: str) -> dict[str, Any]:
    value = entries.get(name)
    if not isinstance(value, dict) or not all(isinstance(each, int | float | None) for each in value.values()):
        raise FormatError(f"its {name} has numbers by name, not {value!r}")
    return value
