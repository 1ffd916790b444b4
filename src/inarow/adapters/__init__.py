"""Other people's protocols: inarow's players as they want them, and their players as inarow wants them."""
