"""What can go wrong, as one tree:

InarowError             anything inarow refuses; the message is one line that says what was wrong
├── InvalidGame         a game that does not exist: Game(0, 3, 3)
├── InvalidLimit        a limit that makes no sense: Limit(seconds=-1)
├── IllegalMove         a move that the rules forbid
├── FormatError         a text that cannot be read: a position, a move, a record
├── ProofError          a proof that does not prove what it claims
├── SpecError           a player spec that names no player or an unknown option
├── MissingPackage      a package that an extra brings, and that is not installed
├── WorkError           workers that are not there, or that die over and over
├── PlayerError         a player that broke the rules of being a player
│   └── IllegalChoice   it chose a move that is not legal
└── StoreError          a store that cannot be used: another tournament's, damaged, of a newer version, on a full disk
"""


class InarowError(Exception):
    """Anything inarow refuses. The message is one line that says what was wrong."""


class InvalidGame(InarowError, ValueError):
    """A game that does not exist."""


class InvalidLimit(InarowError, ValueError):
    """A limit that makes no sense."""


class IllegalMove(InarowError, ValueError):
    """A move that the rules forbid."""


class FormatError(InarowError, ValueError):
    """A text that cannot be read: a position, a move, a record."""


class ProofError(InarowError):
    """A proof that does not prove what it claims."""


class SpecError(InarowError, ValueError):
    """A player spec that names no player or an unknown option."""


class MissingPackage(InarowError, ImportError):
    """A package that an extra brings, and that is not installed."""


class WorkError(InarowError):
    """Workers that are not there, or that die over and over."""


class PlayerError(InarowError):
    """A player that broke the rules of being a player.

    `fault` is what records call it, one of the kinds of `inarow.arena.faults`; "" when the player raised something.
    """

    def __init__(self, text: str, fault: str = "") -> None:
        super().__init__(text)
        self.fault = fault


class IllegalChoice(PlayerError):
    """A player that chose a move that is not legal."""


class StoreError(InarowError):
    """A store that cannot be used: another tournament's, damaged, of a newer version, on a full disk."""
