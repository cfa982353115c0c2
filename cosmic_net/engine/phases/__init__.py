"""The parts of a game in the order of the rule book, one file each."""
