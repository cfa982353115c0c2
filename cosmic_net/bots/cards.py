"""Cards: which encounter card to play, and which cards to part with or to take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cosmic_net.bots import strengths, worth
from cosmic_net.bots.odds import NEGOTIATES, Odds
from cosmic_net.bots.outlook import Outlook
from cosmic_net.cards import faces
from cosmic_net.engine.rng import Rng
from cosmic_net.engine.state import DEFENSE, OFFENSE, other_side

#: How much of a card's worth counts against playing it: it is of no use in the hand for ever.
THRIFT = 0.5
#: How much chance there is in a choice, in the units of `worth`, so that nobody can count on it.
WHIM = 1.0
#: How often a reinforcement or power changes a total by a few points at the last moment.
SURPRISE = ((0, 0.75), (3, 0.15), (5, 0.1))


class Choice:
    """The choice of an encounter card: what winning, losing and dealing are worth, and how likely they are."""

    def __init__(self, o: Outlook) -> None:
        self.o = o
        self.odds = Odds(o)
        self.side = OFFENSE if o.me == o.offense else DEFENSE
        ships = o.ships_here
        offense = worth.if_offense_wins(o, o.allies, ships)
        defense = worth.if_defense_wins(o, o.allies, ships)
        self.won, self.lost = (offense, defense) if self.side == OFFENSE else (defense, offense)
        self.deal = worth.if_deal(o)
        self.compensation: float = worth.CARD * 0.8 * min(ships, o.players[o.opponent or o.me]["hand"])
        self.lead = strengths.lead(o)
        self.peace = strengths.negotiate_wins(o, o.me)
        self.open: str = o.enc.get("cards", {}).get(other_side(self.side), "sealed")

    def value(self, face: str) -> float:
        """What playing a card promises, less what the card is worth."""
        return self._promise(face) - THRIFT * worth.card_worth(face)

    def _promise(self, face: str) -> float:
        kind = faces.type_of(face)
        if self.open != "sealed":
            return self._against(face, kind, self.open)
        if kind == faces.NEGOTIATE:
            return NEGOTIATES * self.deal + (1 - NEGOTIATES) * self._with_negotiate()
        chance = self._tie() if kind == faces.MORPH else self._wins(faces.number(face))
        fought = chance * self.won + (1 - chance) * self.lost
        against_negotiate = self.deal if kind == faces.MORPH else self.won
        return NEGOTIATES * against_negotiate + (1 - NEGOTIATES) * fought

    def _against(self, face: str, kind: str, shown: str) -> float:
        """The same against a card that lies open."""
        other = faces.type_of(shown)
        if other == faces.MORPH:
            shown, other = face, kind
        if kind == faces.MORPH:
            face, kind = shown, other
        if kind == faces.MORPH:
            return self.lost
        if faces.NEGOTIATE in (kind, other):
            if kind == other:
                return self.deal
            return self.won if kind == faces.ATTACK else self._with_negotiate()
        own, theirs = strengths.counting(self.o, self.o.me) or int, strengths.counting(self.o, self.o.opponent) or int
        ahead = own(faces.number(face)) - theirs(faces.number(shown)) + self._lead()
        ahead = -ahead if strengths.lower_wins(self.o) else ahead
        ahead += self.side == DEFENSE
        chance = sum(weight for points, weight in SURPRISE if ahead > points)
        return chance * self.won + (1 - chance) * self.lost

    def _with_negotiate(self) -> float:
        """A negotiate against an attack."""
        return self.won if self.peace else self.lost + self.compensation

    def _lead(self) -> int:
        return self.lead if self.side == OFFENSE else -self.lead

    def _tie(self) -> float:
        """With the same card on both sides the ships decide."""
        lead = self._lead()
        return 0.5 + min(0.45, max(-0.45, 0.15 * (lead if self.side == DEFENSE else lead - 0.5)))

    def _wins(self, value: int) -> float:
        return self.odds.card_wins(self.side, value, self.lead)


def select(o: Outlook, decision: Mapping[str, Any], rng: Rng) -> Any:
    """The id of the card to seal, or {"option": a sheet to play from}."""
    choice = Choice(o)
    ways: list[tuple[str, Any]] = [(face, card) for card, face in decision["cards"]]
    for option in decision["options"]:
        lying = o.view["sheets"].get(option["id"], ())
        ways += [(face, {"option": option["id"]}) for _, face in lying if faces.is_encounter(face)]
    if not ways:
        return {"option": decision["options"][0]["id"]} if decision["options"] else 0
    whim = WHIM if choice.open == "sealed" else 0.0
    values = {face: choice.value(face) + whim * rng.below(256) / 256 for face, _ in ways}
    return max(ways, key=lambda way: values[way[0]])[1]


def least(cards: Sequence[Sequence[Any]], count: int) -> list[int]:
    """The cards that are missed least."""
    return [card[0] for card in sorted(cards, key=_missed)[:count]]


def most(cards: Sequence[Sequence[Any]], count: int) -> list[int]:
    """The best cards of several."""
    return [card[0] for card in sorted(cards, key=_missed, reverse=True)[:count]]


def _missed(card: Sequence[Any]) -> float:
    return worth.card_worth(card[1])
