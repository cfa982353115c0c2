"""Random whole games in one process, with everything checked after every input."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable

from cosmic_net.bots.agent import Agent
from cosmic_net.bots.chance import Chance
from cosmic_net.bots.table import step
from cosmic_net.cards import decks
from cosmic_net.engine.board import Board
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import SEATS, Options, Setup
from cosmic_net.engine.state import State

ALIEN_CHOICES = ("random", "choice", "flares")


def digest(*parts: object) -> bytes:
    """32 bytes from anything that can be written down."""
    return hashlib.sha256(repr(parts).encode()).digest()


def random_setup(number: int) -> Setup:
    """The setup of a numbered game: seats and options vary with the number."""
    rolls = digest("options", number)
    options = Options(
        planets=4 + rolls[0] % 2,
        ships=2 + rolls[1] % 3,
        goal=None if rolls[2] % 2 else 2 + rolls[2] % 3,
        flares=rolls[3] % 4 > 0,
        artifacts=rolls[4] % 8 > 0,
        single_encounter=rolls[5] % 8 == 0,
        aliens=ALIEN_CHOICES[rolls[6] % 3],
        ask="able" if rolls[7] % 4 == 0 else "all",
    )
    return Setup(f"game-{number}", SEATS[: 3 + rolls[8] % 3], {}, options)


def agents(setup: Setup, number: int, eager: int = 96) -> dict[str, Agent]:
    """A random player at every seat."""
    return {seat: Agent(Chance(digest("bot", number, seat), eager), digest(number, seat)) for seat in setup.seats}


def assert_conserved(game: Game) -> None:
    """No ship and no card is made or lost, no pile is empty that should not stand, and no colony is overlooked."""
    state = game.state
    ships: Counter[str] = Counter()
    for planet, there in state.planets.items():
        assert all(count > 0 for count in there.values()), f"an empty colony on {planet}"
        ships.update(there)
    for seat, player in state.players.items():
        assert min(player.warp, player.removed, player.lifted) >= 0, f"negative ships of {seat}"
        ships[seat] += player.warp + player.removed + player.lifted
    if state.encounter is not None:
        ships.update(state.encounter.gate)
        ships.update(state.encounter.side)
    wanted = state.options.planets * state.options.ships
    assert ships == Counter(dict.fromkeys(state.seats, wanted)), f"ships: {ships}"
    assert vars(game.table.board) == vars(Board(state.planets, state.seats)), "the board is not as the planets are"
    cards = count_cards(state)
    full = 72 if state.options.artifacts else 61
    flares = max(decks.FLARES_IN_DECK, 2 * len(state.seats) if state.options.aliens == "flares" else 0)
    if cards:
        assert cards == full + (flares if state.options.flares else 0), f"{cards} cards"


def count_cards(state: State) -> int:
    """All cosmic cards, wherever they are; 0 while the aliens are being chosen."""
    count = len(state.deck) + len(state.discards) + len(state.table)
    for player in state.players.values():
        count += len(player.hand) + len(player.aside) + sum(len(power.cards) for power in player.powers)
    count += sum(len(power.cards) for sheets in state.put_by.values() for power in sheets)
    if state.encounter is not None:
        count += sum(not card.discarded for card in state.encounter.cards.values())
    return count


def play_random(number: int, watch: Callable[[Game], None] = assert_conserved, most: int = 20_000) -> Game:
    """Plays game `number` to its end; `watch` is called after every input."""
    setup = random_setup(number)
    game = Game(setup, digest("seed", number))
    seats = agents(setup, number)
    while not game.over:
        step(game, seats)
        watch(game)
        assert len(game.inputs) < most, f"game {number} does not end"
    return game
