"""The game of Cosmic Encounter: state, rules, every card and alien, bots, scenarios and replay.

Pure and deterministic: a game is a function of its setup, its seed and the inputs so far. Nothing in
here touches sockets, files, clocks, threads, asyncio or the terminal (a scenario or a record comes in as
text; others read the file), and no randomness is used but the game's own seeded generator. Of the four
packages this is the lowest: it imports none of the others.
"""
