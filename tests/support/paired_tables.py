"""Tables at which two aliens meet for certain, from the start or in a position with few cards left in the deck."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

from cosmic_net.cards import decks, faces
from cosmic_net.engine.catalog import CATALOG
from cosmic_net.engine.options import NO_ALIEN, SEATS, Options, Setup

ALIENS = sorted(CATALOG.aliens)
#: Every two aliens.
PAIRS = list(combinations(ALIENS, 2))
#: Two pairs for each alien, so that a short run meets all of them.
SOME = [(ALIENS[i], ALIENS[(i + gap) % len(ALIENS)]) for i in range(len(ALIENS)) for gap in (1, 7)]
FLARES = decks.FLARES_IN_DECK


def table(pair: tuple[str, str], number: int) -> Setup:
    """Table number so and so with these two aliens; odd numbers start in a position."""
    rng = random.Random(f"{pair} {number}")
    seats = SEATS[: rng.choice((3, 3, 4, 5))]
    others = [alien for alien in ALIENS if alien not in pair]
    rng.shuffle(others)
    aliens = [*pair, rng.choice((NO_ALIEN, others[0])), *others[1:]][: len(seats)]
    rng.shuffle(aliens)
    options = Options(
        planets=rng.choice((4, 5)),
        ships=rng.choice((1, 2, 3, 4)),
        single_encounter=rng.random() < 0.1,
        aliens="fixed",
        fixed=dict(zip(seats, aliens, strict=True)),
    )
    position = _position(rng, seats, options) if number % 2 else None
    return Setup(f"{pair} {number}", seats, {}, options, position)


def _position(rng: random.Random, seats: tuple[str, ...], options: Options) -> dict[str, Any]:
    """Hands of any size, hoards and tokens of any number, ships anywhere, and a deck that soon is used up."""
    named = [faces.flare_of(alien) for alien in options.fixed.values() if alien != NO_ALIEN]
    others = [faces.flare_of(alien) for alien in ALIENS if faces.flare_of(alien) not in named]
    rng.shuffle(others)
    deck = decks.cosmic() + (named + others)[:FLARES]
    rng.shuffle(deck)
    share = rng.choice((rng.randint(0, 8), rng.randint(4, 14), len(deck) // len(seats) - 2))
    players: dict[str, dict[str, Any]] = {}
    for seat in seats:
        players[seat] = {"hand": _take(deck, share), **_ships(rng, seat, seats, options)}
        if options.fixed[seat] == "miser":
            players[seat]["sheets"] = {"miser": _take(deck, rng.choice((0, 2, 4)))}
        if options.fixed[seat] == "tick-tock":
            players[seat]["tokens"] = {"tick-tock": rng.randint(1, 10)}
    top = _take(deck, rng.randint(0, 6))
    start = {"offense": rng.choice(seats)}
    return {"players": players, "deck": top, "discards": deck, "start": start}


def _take(deck: list[str], count: int) -> list[str]:
    taken, deck[:] = deck[:count], deck[count:]
    return taken


def _ships(rng: random.Random, seat: str, seats: tuple[str, ...], options: Options) -> dict[str, Any]:
    places: dict[str, int] = {}
    warp = 0
    for planet in range(1, options.planets + 1):
        for _ in range(options.ships):
            roll = rng.random()
            where = f"{rng.choice(seats)}-{rng.randint(1, options.planets)}" if roll < 0.2 else f"{seat}-{planet}"
            if roll > 0.85:
                warp += 1
            else:
                places[where] = places.get(where, 0) + 1
    return {"ships": places, "warp": warp}
