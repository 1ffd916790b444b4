"""Players: what they are, which there are, and how to make one from a spec."""

from inarow.players.base import Choice, Player, ask, begin
from inarow.players.registry import PLAYERS, PlayerInfo, find_player, make_player

__all__ = ["PLAYERS", "Choice", "Player", "PlayerInfo", "ask", "begin", "find_player", "make_player"]
