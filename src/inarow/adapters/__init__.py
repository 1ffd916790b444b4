"""Players and referees that speak other languages and protocols than inarow's own, each in a module of its own."""
