"""Any spec's player: those that come with inarow, and those that an adapter brings.

gomocup:COMMAND             a Gomocup brain, docs/adapters.md
java:CLASSPATH#pkg.Class    one of the course's Java players, docs/adapters.md
kaggle:FILE.py              a Kaggle agent, docs/frameworks.md
anything else               inarow.players.make_player
"""

from inarow.players import Player, make_player

RESOLVER = "inarow.adapters.resolve:resolve"
"""`resolve` as the arena wants it: by name, so that it can be sent to other processes."""
GOMOCUP, JAVA, KAGGLE = "gomocup:", "java:", "kaggle:"


def resolve(spec: str) -> Player:
    """The player that a spec names. SpecError when there is none."""
    # The adapters are imported here, since few need them.
    if spec.startswith(GOMOCUP):
        from inarow.adapters.gomocup.host import GomocupPlayer

        return GomocupPlayer(spec.removeprefix(GOMOCUP))
    if spec.startswith(JAVA):
        from inarow.adapters import course

        return course.make_player(spec.removeprefix(JAVA))
    if spec.startswith(KAGGLE):
        from inarow.adapters import kaggle

        return kaggle.make_player(spec.removeprefix(KAGGLE))
    return make_player(spec)


def may_start_processes(spec: str) -> bool:
    """Whether the spec's player is one that lives in a program of its own, which its process has to start."""
    return spec.startswith((GOMOCUP, JAVA))
