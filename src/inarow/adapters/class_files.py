"""What a compiled Java class says of itself, read from its bytes: nothing of it is run.

    magic, version, constants (numbered from 1), flags, this class, its superclass, its interfaces, and more

A class is named by a constant that points at another one, its name with slashes: mnkgame/MyPlayer.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass

MAGIC = 0xCAFEBABE
UTF8, CLASS = 1, 7
LONG, DOUBLE = 5, 6  # each takes two numbers
SIZES = {
    3: 4,
    4: 4,
    LONG: 8,
    DOUBLE: 8,
    CLASS: 2,
    8: 2,
    9: 4,
    10: 4,
    11: 4,
    12: 4,
    15: 3,
    16: 2,
    17: 4,
    18: 4,
    19: 2,
    20: 2,
}
INTERFACE, ABSTRACT = 0x0200, 0x0400
PLAYER_INTERFACES = frozenset({"mnkgame.MNKPlayer", "connectx.CXPlayer"})


@dataclass(frozen=True)
class JavaClass:
    """`parents` are the superclass and the interfaces; names have dots."""

    name: str
    parents: tuple[str, ...]
    can_be_made: bool


def read_class(data: bytes) -> JavaClass:
    """The class in the bytes of a class file. ValueError when they are none."""
    try:
        return _read_class(data)
    except (struct.error, KeyError, IndexError, UnicodeDecodeError) as error:
        raise ValueError(f"not a class file: {error}") from None


def players_among(classes: Mapping[str, JavaClass]) -> list[JavaClass]:
    """Those that can be made and are, by themselves or by a superclass that is among them, a player of the course."""
    return [each for each in classes.values() if each.can_be_made and PLAYER_INTERFACES & _ancestors(each, classes)]


def _ancestors(java_class: JavaClass, classes: Mapping[str, JavaClass]) -> set[str]:
    found: set[str] = set()
    names = list(java_class.parents)
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            names += classes[name].parents if name in classes else ()
    return found


def _read_class(data: bytes) -> JavaClass:
    magic, _, count = struct.unpack_from(">IIH", data)
    if magic != MAGIC:
        raise ValueError("not a class file: it does not begin as one")
    texts: dict[int, str] = {}
    name_of: dict[int, int] = {}
    place, number = 10, 1
    while number < count:
        tag = data[place]
        if tag == UTF8:
            (size,) = struct.unpack_from(">H", data, place + 1)
            texts[number] = data[place + 3 : place + 3 + size].decode(errors="replace")
            place += 3 + size
        else:
            if tag == CLASS:
                (name_of[number],) = struct.unpack_from(">H", data, place + 1)
            place += 1 + SIZES[tag]
        number += 2 if tag in (LONG, DOUBLE) else 1
    flags, this, parent, interfaces = struct.unpack_from(">HHHH", data, place)
    parents = struct.unpack_from(f">{interfaces}H", data, place + 8)

    def name(constant: int) -> str:
        return texts[name_of[constant]].replace("/", ".")

    names = tuple(name(constant) for constant in (parent, *parents) if constant)  # Object itself has no superclass
    return JavaClass(name(this), names, can_be_made=not flags & (INTERFACE | ABSTRACT))
