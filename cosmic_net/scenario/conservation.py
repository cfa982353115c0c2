"""Ships and cards are never made and never lost: what there is, counted over all places."""

from __future__ import annotations

from collections import Counter

from cosmic_net.engine.game import Game


def ships(game: Game) -> dict[str, int]:
    """All ships of each player, wherever they are."""
    state, enc = game.state, game.state.encounter
    count: Counter[str] = Counter()
    for planet in state.planets.values():
        count.update(planet)
    if enc is not None:
        count.update(enc.gate)
        count.update(enc.side)
    for seat, player in state.players.items():
        count[seat] += player.warp + player.removed + player.lifted
    return {seat: count[seat] for seat in state.seats}


def cards(game: Game) -> Counter[str]:
    """All cards of the cosmic deck by face, wherever they are."""
    state, enc = game.state, game.state.encounter
    count = Counter(state.deck) + Counter(state.discards)
    count.update(card.face for _, card in state.table)
    for player in state.players.values():
        count.update(card.face for card in player.hand + player.aside)
    sheets = [player.powers for player in state.players.values()] + list(state.put_by.values())
    count.update(card.face for powers in sheets for power in powers for card in power.cards)
    if enc is not None:
        count.update(card.card.face for card in enc.cards.values() if not card.discarded)
    return count


class Scales:
    """Remembers what there was at the start, and says what is too much or too little later."""

    def __init__(self, game: Game) -> None:
        self.ships = ships(game)
        self.cards = cards(game)

    def differences(self, game: Game) -> list[str]:
        """What is not as it was, as sentences; empty if all is there."""
        found = [
            f"{seat} had {self.ships[seat]} ships and has {now}"
            for seat, now in ships(game).items()
            if now != self.ships[seat]
        ]
        after = cards(game)
        found += [f"{face} is missing {n} times" for face, n in (self.cards - after).items()]
        return found + [f"{face} is there {n} times too often" for face, n in (after - self.cards).items()]
