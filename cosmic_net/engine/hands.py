"""Hands and piles: the only module that looks into a hand, and the plain moves of cards from place to place.

Nobody reacts to these moves; draws, discards and new hands, to which others react, are in `engine.drawing`. Faces are
told only to those who may see them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cosmic_net.cards import faces
from cosmic_net.engine.state import Card, EncounterCard, Power
from cosmic_net.engine.verbs import Use

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


@dataclass
class Discard:
    """Cards that went to the discard pile together: (seat they came from, face)."""

    cards: list[tuple[str, str]] = field(default_factory=list)

    @property
    def seats(self) -> list[str]:
        """Whose cards they were."""
        return [seat for seat, _ in self.cards]


# ---- looking


def held(t: Table, seat: str) -> list[Card]:
    """A player's hand. A sealed card is still among them: nobody but its owner knows which one it is."""
    return t.player(seat).hand


def sealed_count(t: Table, seat: str) -> int:
    """How many cards of this hand lie face down on the table, unopened."""
    enc = t.state.encounter
    if enc is None or not enc.sealed:
        return 0
    lying = [seal for seal in enc.sealed.values() if seal.seat == seat and seal.source is None]
    return sum(seal.commitment is not None and seal.opened is None and not seal.forfeited for seal in lying)


def size(t: Table, seat: str) -> int:
    """How many cards a hand has, as everybody can count (I01): without the sealed one."""
    return len(t.player(seat).hand) - sealed_count(t, seat)


def has_encounter_card(t: Table, seat: str) -> bool:
    """Whether the hand holds an encounter card (P01, O61); cards on sheets do not count."""
    return any(faces.is_encounter(card.face) for card in held(t, seat))


def encounter_cards(cards: Iterable[Card]) -> list[Card]:
    """The encounter cards among these."""
    return [card for card in cards if faces.is_encounter(card.face)]


def sheet_sources(t: Table, seat: str) -> list[Power]:
    """The working sheets from which this player may play cards as though from the hand."""
    sources = t.sources(seat)
    return [power for power in sources if t.works(power)] if sources else []


def holdings(t: Table, seat: str) -> list[Card]:
    """All that a player holds: the hand, and what lies on sheets that he may play from.

    For forced discards that do not name the hand: they may be met from such a sheet as well.
    """
    return held(t, seat) + [card for power in sheet_sources(t, seat) for card in power.cards]


def may_have_cards(t: Table, seats: Iterable[str]) -> list[str]:
    """Those of several players who have any card to play, as far as everybody can know."""
    players = t.state.players
    # No more than one card of a hand lies sealed.
    return [seat for seat in seats if len(players[seat].hand) > 1 or _may_have_card(t, seat)]


def _may_have_card(t: Table, seat: str) -> bool:
    return size(t, seat) > 0 or any(power.cards for power in sheet_sources(t, seat))


def faces_to_play(t: Table, seat: str) -> set[str]:
    """The faces of all cards that a player holds, in the hand or on a sheet."""
    found = {face for _, face in t.state.players[seat].hand}
    for power in sheet_sources(t, seat):
        found |= {face for _, face in power.cards}
    return found


def playable(t: Table, seat: str, face: str) -> list[tuple[Card, Power | None]]:
    """The cards of this face that the player can play, one from each place: (card, sheet or None for the hand)."""
    found: list[tuple[Card, Power | None]] = []
    card = next((card for card in held(t, seat) if card.face == face), None)
    if card is not None:
        found.append((card, None))
    for power in sheet_sources(t, seat):
        card = next((card for card in power.cards if card.face == face and card.id not in t.committed), None)
        if card is not None:
            found.append((card, power))
    return found


# ---- moving, without anybody reacting


def take_out(t: Table, seat: str, card_id: int) -> Card:
    """Takes a card out of a hand. Raises KeyError if it is not there."""
    hand = t.player(seat).hand
    for i, card in enumerate(hand):
        if card.id == card_id:
            return hand.pop(i)
    raise KeyError(card_id)


def take_up(t: Table, seat: str, card: Card) -> None:
    """Takes a card away from wherever a player holds it (`holdings`). Raises KeyError if it is not there."""
    for power in sheet_sources(t, seat):
        if card in power.cards:
            power.cards.remove(card)
            return
    take_out(t, seat, card.id)


def put_in(t: Table, seat: str, faces_in: Iterable[str]) -> list[Card]:
    """Adds cards with new ids to a hand."""
    cards = [Card(t.card_id(), face) for face in faces_in]
    t.player(seat).hand.extend(cards)
    return cards


def lay_on_table(t: Table, use: Use) -> None:
    """Moves the card of a play from its hand or sheet to the table (F05, H06)."""
    assert use.card is not None
    if use.source is None:
        take_out(t, use.seat, use.card.id)
    else:
        use.source.cards.remove(use.card)
    t.state.table.append((use.seat, use.card))


def settle_card(t: Table, use: Use, goes: str) -> None:
    """Puts a played card where it goes: "hand" (or the sheet it came from), "discard" (with its exchange), a seat.

    "aside" is face down before its player until `bring_back`; a card from a sheet goes back there at once.
    """
    assert use.card is not None
    t.state.table.remove((use.seat, use.card))
    if goes == "discard":
        t.exchange.append((use.seat, use.card))
        t.state.table.append((use.seat, use.card))
    elif goes == "aside" and use.source is None:
        t.player(use.seat).aside.append(use.card)
        t.say("cards-aside", seat=use.seat, count=1)
    elif goes in ("hand", "aside"):
        (use.source.cards if use.source else t.player(use.seat).hand).append(use.card)
        t.say("card-back", seat=use.seat, card=use.card.face)
    else:
        put_in(t, goes, [use.card.face])
        t.say("card-passed", seat=use.seat, taker=goes, card=use.card.face)


def pile_exchange(t: Table) -> Discard:
    """Moves the used-up cards of a settled exchange to the pile."""
    batch = Discard([(seat, card.face) for seat, card in t.exchange])
    for item in t.exchange:
        t.state.table.remove(item)
    t.exchange = []
    if batch.cards:
        to_pile(t, batch)
    return batch


def to_pile(t: Table, batch: Discard) -> None:
    """Lays faces on the discard pile, the last one on top."""
    t.state.discards.extend(face for _, face in batch.cards)
    t.say("cards-discarded", seats=batch.seats, cards=[face for _, face in batch.cards])


def give(t: Table, giver: str, taker: str, cards: Sequence[Card], cause: str) -> list[Card]:
    """Moves cards from one hand to another; only the two see them. Returns them with their new ids."""
    for card in cards:
        take_out(t, giver, card.id)
    new = put_in(t, taker, [card.face for card in cards])
    if new:
        t.say(
            "cards-passed",
            seat=giver,
            taker=taker,
            count=len(new),
            cause=cause,
            to=[giver, taker],
            secret={"cards": [card.face for card in new]},
        )
    return new


def random_cards(t: Table, seat: str, count: int) -> list[Card]:
    """That many cards of a hand, drawn without seeing faces (H07); all of them if there are fewer.

    Only used when none of this hand's cards lies sealed.
    """
    pool = list(held(t, seat))
    return [pool.pop(t.rng.below(len(pool))) for _ in range(min(count, len(pool)))]


def trade_hands(t: Table, one: str, other: str, cause: str) -> None:
    """Two players exchange whole hands; each sees what he gets (no new hand, H08)."""
    a, b = t.player(one).hand, t.player(other).hand
    t.player(one).hand, t.player(other).hand = [], []
    for seat, old in ((one, b), (other, a)):
        got = put_in(t, seat, [card.face for card in old])
        t.say(
            "hand-got",
            seat=seat,
            count=len(got),
            cause=cause,
            to=[seat],
            secret={"cards": [list(c) for c in got]},
        )


def set_aside(t: Table, seat: str, cards: Sequence[Card]) -> None:
    """Lays cards face down before their owner, out of the hand (H06)."""
    for card in cards:
        t.player(seat).aside.append(take_out(t, seat, card.id))
    t.say("cards-aside", seat=seat, count=len(cards))


def bring_back(t: Table, seat: str) -> None:
    """Takes the cards that were set aside back into the hand."""
    player = t.player(seat)
    if player.aside:
        t.say("cards-brought-back", seat=seat, count=len(player.aside))
        player.hand.extend(player.aside)
        player.aside = []


def mix(t: Table, one: str, other: str, cause: str) -> None:
    """Two hands are mixed; the first player takes back as many cards as he had, unseen, the other gets the rest."""
    count = len(t.player(one).hand)
    pool = [card.face for seat in (one, other) for card in t.player(seat).hand]
    t.rng.shuffle(pool)
    for seat, got in ((one, pool[:count]), (other, pool[count:])):
        t.player(seat).hand = []
        cards = put_in(t, seat, got)
        t.say(
            "hand-got",
            seat=seat,
            count=len(got),
            cause=cause,
            to=[seat],
            secret={"cards": [list(c) for c in cards]},
        )


def take_back(t: Table, seat: str) -> None:
    """A main player takes his opened encounter card back into the hand (or onto the sheet it came from)."""
    for side, seal in t.enc.sealed.items():
        if seal.seat == seat and seal.opened is not None:
            card = t.enc.cards.pop(side)
            back = Card(t.card_id(), card.card.face)
            (t.player(seat).hand if seal.source is None else seal.source.cards).append(back)
            t.say("card-taken-back", seat=seat, card=card.face)


def used_card(t: Table, seat: str) -> EncounterCard | None:
    """The encounter card with which a main player ended, if it lies in the discard pile now (O74)."""
    card = t.enc.cards.get(t.enc.side_of(seat) or "")
    if card is None or not card.discarded or card.hidden or card.fetched:
        return None
    return card if card.card.face in t.state.discards else None


def fetch_used(t: Table, taker: str, seat: str) -> None:
    """Takes the encounter card that a main player used (`used_card`) from the pile into somebody's hand."""
    used = used_card(t, seat)
    if used is None:
        return
    used.fetched = True
    face = used.card.face
    del t.state.discards[len(t.state.discards) - 1 - t.state.discards[::-1].index(face)]
    put_in(t, taker, [face])
    t.say("card-fetched", seat=taker, owner=seat, card=face)


def show_to(t: Table, viewer: str, seat: str, cause: str) -> None:
    """Shows a whole hand to one other player, and to nobody else."""
    shown = [card.face for card in held(t, seat)]
    t.say("hand-seen", seat=viewer, victim=seat, cause=cause, to=[viewer], secret={"cards": shown})
    t.state.seen[viewer] = [{"seat": seat, "cause": cause, "cards": shown}]
