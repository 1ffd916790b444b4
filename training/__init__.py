"""How the engine's numbers are learned: games with itself, what they show of each position, and a fit to that."""
