"""A player's options: a frozen dataclass whose fields say what they are for.

    @dataclass(frozen=True)
    class RandomOptions:
        seed: int | None = option(None, "the same seed plays the same moves")

In a spec they are written `random:seed=7`; a bool is on or off, an optional value may be none.
"""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, get_args, get_type_hints

from inarow.errors import SpecError


class Means(StrEnum):
    """What an option's value stands for, where whoever starts players for others must know."""

    FILE = "a file"
    FILE_OR_WORD = "a file, or one of its words"
    MEGABYTES = "memory in megabytes"
    THREADS = "threads"
    PONDERING = "whether it works between its turns"


def option(
    default: Any,
    help: str,
    least: int | None = None,
    most: int | None = None,
    means: Means | None = None,
    words: tuple[str, ...] = (),
) -> Any:
    """A field of an options class; a number may have bounds, `words` are the texts with a meaning of their own."""
    metadata = {"help": help, "least": least, "most": most, "means": means, "words": words}
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class NoOptions:
    """For a player that has none."""


@dataclass(frozen=True)
class OptionInfo:
    """What an option is called, what it takes and what it is for; the rest as `option` has it."""

    name: str
    type: str
    default: Any
    help: str
    least: int | None = None
    most: int | None = None
    means: Means | None = None
    words: tuple[str, ...] = ()


_PLAIN_TYPES = {int: "whole number", float: "number", bool: "on or off", str: "text"}


def option_infos(options_class: type) -> tuple[OptionInfo, ...]:
    return tuple(
        OptionInfo(field.name, _PLAIN_TYPES[_plain_type(options_class, field.name)[0]], field.default, **field.metadata)
        for field in dataclasses.fields(options_class)
    )


def parse_options(player: str, options_class: type, text: str) -> Any:
    """The options in a spec's `name=value,name=value`. SpecError says what is wrong, and what there is."""
    known = [field.name for field in dataclasses.fields(options_class)]
    values: dict[str, Any] = {}
    for item in filter(None, text.split(",")):
        name, equals, value = item.partition("=")
        if not equals:
            raise SpecError(f"{player}: {item!r} is not of the form option=value")
        if name not in known:
            raise SpecError(f"{player} has no option {name!r}; it has {', '.join(known) or 'none'}")
        if name in values:
            raise SpecError(f"{player}: option {name!r} is given twice")
        values[name] = _parse_value(player, name, value, *_plain_type(options_class, name))
        _check_bounds(player, name, values[name], options_class)
    return options_class(**values)


def _check_bounds(player: str, name: str, value: Any, options_class: type) -> None:
    metadata = next(field.metadata for field in dataclasses.fields(options_class) if field.name == name)
    for bound, word, is_beyond in (("least", "at least", int.__lt__), ("most", "at most", int.__gt__)):
        if value is not None and metadata[bound] is not None and is_beyond(value, metadata[bound]):
            raise SpecError(f"{player}: {name} must be {word} {metadata[bound]}, not {value}")


def _plain_type(options_class: type, name: str) -> tuple[type, bool]:
    """The type of an option, and whether it may be None."""
    hint = get_type_hints(options_class)[name]
    alternatives = [kind for kind in get_args(hint) if kind is not type(None)]
    return (alternatives[0], True) if alternatives else (hint, False)


def _parse_value(player: str, name: str, text: str, kind: type, optional: bool) -> Any:
    if optional and text == "none":
        return None
    try:
        if kind is bool:
            return {"on": True, "off": False}[text]
        return kind(text)
    except (KeyError, ValueError):
        raise SpecError(f"{player}: {name} takes {_PLAIN_TYPES[kind]}, not {text!r}") from None
