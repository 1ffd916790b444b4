"""The resolver of the tests of the course's players, which the player's process imports."""

from inarow.adapters import course
from inarow.players import Player, make_player


def resolve(spec: str) -> Player:
    scheme, _, text = spec.partition(":")
    return course.make_player(text) if scheme == "java" else make_player(spec)
