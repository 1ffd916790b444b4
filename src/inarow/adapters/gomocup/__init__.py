"""The Gomocup protocol, both sides: be a brain (brain, loop), host a brain (host).

commands   lines of text → commands; nothing in it thinks, waits or writes
settings   what INFO has told, and the limit of a move that follows
brain      answers commands with a player's moves
swap2      fair openings, found with the engine
loop       reads while the brain thinks
host       a brain as a player of inarow's
"""
