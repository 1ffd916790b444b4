"""What the page offers: the games to choose from, and the players that may be started from it."""

from inarow.arena.spec import COURSE_CONNECTX_2023, COURSE_MNK_2022
from inarow.errors import SpecError
from inarow.players import PLAYERS, PlayerInfo
from inarow.players.options import Means, OptionInfo, parse_options
from inarow.web.models import OptionFields, PlayerFields, PresetFields
from inarow.web.settings import Settings

WELL_KNOWN = {
    "Tic-tac-toe": "3x3x3",
    "Connect-4": "6x7x4g",
    "Gomoku 15 × 15": "15x15x5",
    "Gomoku 19 × 19": "19x19x5",
    "Connect-5": "6x9x5g",
    "Four in a row, free": "6x6x4",
}
KINDS = {"on or off": "flag", "whole number": "whole", "number": "number", "text": "text"}
LEFT_OUT = (Means.FILE, Means.PONDERING)  # no file is opened, and no thread works uncounted, because a page says so


def presets() -> list[PresetFields]:
    groups = {"The course's (M,N,K)-game": COURSE_MNK_2022, "The course's ConnectX": COURSE_CONNECTX_2023}
    return [
        *(PresetFields(name=name, game=game, group="Well known") for name, game in WELL_KNOWN.items()),
        *(
            PresetFields(name=f"{game.rows} × {game.columns}, {game.k} in a row", game=str(game), group=group)
            for group, games in groups.items()
            for game in games
        ),
    ]


def players(settings: Settings) -> list[PlayerFields]:
    """The registered players with the options that may be set from the page."""
    return [
        PlayerFields(
            name=info.name,
            summary=info.summary,
            options=[_option_fields(each, settings) for each in info.options if each.means not in LEFT_OUT],
        )
        for info in PLAYERS
    ]


def checked_spec(spec: str, settings: Settings) -> tuple[str, int]:
    """The spec of a registered player with its memory filled in, and the threads that it takes.

    SpecError for anything else: a player that is not registered, an option that names a file, too many threads.

    >>> checked_spec("telos:memory=on", Settings(memory_mb=256, threads=2))
    ('telos:memory=on,memory_mb=128', 1)
    >>> checked_spec("telos:book=/etc/passwd", Settings())
    Traceback (most recent call last):
    inarow.errors.SpecError: telos: book cannot be set from here
    """
    name, _, rest = spec.partition(":")
    info = next((each for each in PLAYERS if each.name == name), None)
    if info is None:
        raise SpecError(f"no player is called {name[:40]!r} here; there are {', '.join(each.name for each in PLAYERS)}")
    options = parse_options(name, info.options_class, rest)
    given = [item.partition("=")[0] for item in rest.split(",")]
    for option in info.options:
        value = getattr(options, option.name)
        if option.name in given and option.means in LEFT_OUT:
            raise SpecError(f"{name}: {option.name} cannot be set from here")
        if option.means is Means.FILE_OR_WORD and value not in option.words:
            raise SpecError(f"{name}: {option.name} is {' or '.join(option.words)} here, not {value!r}")
    threads = _threads(info, options, settings)
    most = threads * settings.memory_a_thread
    for option in info.options:
        if option.means is Means.MEGABYTES:
            value = getattr(options, option.name)
            if option.name in given and value > most:
                raise SpecError(f"{name}: {option.name} must be at most {most} here, not {value}")
            if option.name not in given and value > most:
                spec += f"{',' if rest else ':'}{option.name}={most}"
    return spec, threads


def _threads(info: PlayerInfo, options: object, settings: Settings) -> int:
    """How many threads a player takes."""
    wanted: list[int] = [getattr(options, each.name) for each in info.options if each.means is Means.THREADS]
    threads = max(wanted, default=1)
    if threads > settings.threads:
        raise SpecError(f"{info.name}: threads must be at most {settings.threads} here, not {threads}")
    return threads


def _option_fields(option: OptionInfo, settings: Settings) -> OptionFields:
    bounds = {Means.THREADS: settings.threads, Means.MEGABYTES: settings.memory_a_thread}
    most = option.most
    default = option.default
    if option.means in bounds:
        bound = bounds[option.means]
        most = bound if most is None else min(bound, most)
        default = min(bound, default)
    return OptionFields.model_validate(
        {
            "name": option.name,
            "kind": "choice" if option.words else KINDS[option.type],
            "default": default,
            "choices": list(option.words) or None,
            "least": option.least,
            "most": most,
            "help": option.help.replace(", or a file", "") if option.words else option.help,
        }
    )
