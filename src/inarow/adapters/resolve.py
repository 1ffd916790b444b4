"""Any spec's player: those that come with inarow, and those that an adapter brings.

gomocup:COMMAND           a Gomocup brain, docs/adapters.md
anything else             inarow.players.make_player
"""

from inarow.players import Player, make_player

RESOLVER = "inarow.adapters.resolve:resolve"
"""`resolve` as the arena wants it: by name, so that it can be sent to other processes."""
GOMOCUP = "gomocup:"


def resolve(spec: str) -> Player:
    """The player that a spec names. SpecError when there is none."""
    if spec.startswith(GOMOCUP):
        from inarow.adapters.gomocup.host import GomocupPlayer  # here, since few need it

        return GomocupPlayer(spec.removeprefix(GOMOCUP))
    return make_player(spec)


def may_start_processes(spec: str) -> bool:
    """Whether the spec's player is one that lives in a process of its own."""
    return spec.startswith(GOMOCUP)
