"""Sentences for events, made where they are read.

`TEXTS` has a template for every kind of event that is worth a sentence; `{seat}` and other players appear as the
reader names them, cards and aliens by their titles. Translations replace the templates (gettext msgids). Templates of
events that a single alien tells stand with that alien; `engine.catalog` adds them here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from gettext import gettext as _
from typing import Any

from cosmic_net.cards import faces

TEXTS = {
    "alien-shown": "{seat} is the {alien}.",
    "first-player": "{seat} starts.",
    "turn-started": "It is {seat}'s turn.",
    "hand-shown": "{seat} shows a hand without an encounter card and takes a new one: {cards}.",
    "ship-retrieved": "{seat} takes a ship out of the warp to {planet}.",
    "ship-on-gate": "{seat} has no colony; the ship from the warp goes on the gate.",
    "retrieval-forgone": "{seat} leaves its ship in the warp.",
    "ships-freed": "Out of the warp: {count} of {seat}'s ships.",
    "destiny-drawn": "{seat} turns up {card}.",
    "destiny-redrawn": "Nobody can be met by that card; {seat} draws again.",
    "destiny-reshuffled": "The destiny deck is shuffled.",
    "nobody-to-meet": "{seat} can meet nobody; the turn is over.",
    "defense-determined": "The defense is {seat}.",
    "gate-aimed": "{seat} aims at {target}.",
    "ships-launched": "{seat} sends {places}.",
    "invited": "{seat} invites {seats}.",
    "allied": "{seat} joins {main} with {places}.",
    "ally-declined": "{seat} stays out.",
    "alliance-cancelled": "{seat}'s alliance is cancelled.",
    "offense-without-card": "{seat} has no encounter card; the turn is over.",
    "card-sealed": "{seat} has committed a card.",
    "card-laid-open": "{seat} lays {card} open.",
    "cards-exchanged": "The cards of {seats} change sides.",
    "card-opened": "{seat} opens {face}.",
    "cards-revealed": "The cards are up: {sides}.",
    "card-becomes": "{seat}'s card is now {card}.",
    "forfeited": "{seat} {why} and forfeits the encounter.",
    "reinforced": "{seat} adds {number} to the {side}.",
    "totals": "{sums}",
    "outcome": "{outcome}",
    "deal-opened": "{seats} try to make a deal.",
    "deal-offered": "{seat} offers: {terms}.",
    "deal-agreed": "{seats} agree: {terms}.",
    "deal-refused": "{seat} ends the talks.",
    "deal-timeout": "Time is over; there is no deal.",
    "deal-undone": "The deal comes to nothing.",
    "deal-quashed": "{seat} quashes the deal.",
    "deal-done": "The deal is carried out.",
    "ships-lost": "{losses}",
    "ships-home": "{seat} puts ships on {places}.",
    "ships-homeless": "{seat} has no colony for {count} ships; they go to the warp.",
    "ships-landed": "{seat} lands {count} ships on {planet}.",
    "colony-founded": "{seat} has a new colony on {planet}.",
    "power-lost": "{seat} has too few home colonies: the power is lost.",
    "power-regained": "{seat} has its power back.",
    "power-changed": "{seat} {becomes}.",
    "power-used": "{seat} uses the power of the {alien}.",
    "power-zapped": "{seat} zaps the {alien}: {victim}'s power is off for this encounter.",
    "card-played": "{seat} plays {card}{for_side}.",
    "card-zapped": "{seat} zaps {card}: it has no effect.",
    "card-passed": "{card} goes to {taker}.",
    "card-taken-back": "{seat} takes {card} back.",
    "card-fetched": "{seat} takes {owner}'s {card} from the discards.",
    "card-buried": "{seat}'s card goes under the deck, unseen.",
    "cards-drawn": "{seat} draws {count} cards{drawn}.",
    "cards-dealt": "{seat} is dealt {count} cards{drawn}.",
    "cards-passed": "{taker} gets {count} of {seat}'s cards{as_what}{drawn}.",
    "cards-discarded": "Discarded: {cards}.",
    "cards-aside": "{seat} lays {count} cards aside.",
    "hand-got": "{seat} has a hand of {count} cards from the {cause}{drawn}.",
    "hand-seen": "{seat} looks at {victim}'s hand{drawn}.",
    "deck-reshuffled": "The discards become the new deck ({count} cards).",
    "cosmic-quake": "Cosmic quake! All hands are shuffled and dealt anew.",
    "emotions-controlled": "All attacks now count as negotiates.",
    "ionic-gas": "Nobody collects compensation or rewards in this encounter.",
    "compensation": "{seat} takes {count} cards from {payer} as compensation.",
    "rewards": "{seat} takes {rewards} as rewards.",
    "encounter-cut": "The encounter is over.",
    "alien-drawn": "{seat} becomes the {alien}.",
    "no-alien-left": "There is no alien left for {seat}.",
    "game-over": "The game is over. Winners: {winners}.",
}

OUTCOMES = {
    "offense": "{offense} wins the encounter.",
    "defense": "{defense} wins the encounter.",
    "both-lose": "Both sides lose.",
    "deal": "The deal stands.",
    "deal-failed": "There is no deal.",
}

Names = Mapping[str, str]
_ONE_OF_MANY = re.compile(r"\b1 ((?:[a-z]+ )?(?:ship|card|reward))s\b")


def sentence(event: Mapping[str, Any], names: Names | None = None) -> str:
    """The sentence for an event as its reader sees it; "" for mere bookkeeping. `names` maps seats to shown names."""
    template = TEXTS.get(event["kind"])
    if template is None:
        return ""
    return one(_(template).format_map(_Fields(event, names or {})))


def one(text: str) -> str:
    """An English text that may speak of `1 ships` or `1 cards`, put right."""
    return _ONE_OF_MANY.sub(r"1 \1", text)


class _Fields(dict[str, str]):
    """Formats the fields of one event on demand."""

    def __init__(self, event: Mapping[str, Any], names: Names) -> None:
        super().__init__()
        self._event = event
        self._names = names

    def __missing__(self, key: str) -> str:
        special = _SPECIAL.get(key)
        if special is not None:
            return special(self._event, self._names)
        return _show(key, self._event.get(key), self._names)


def _show(key: str, value: Any, names: Names) -> str:
    if value is None:
        return "nobody"
    if isinstance(value, list):
        shown = [_show(key, item, names) for item in value]
        if key in ("seats", "winners") and len(shown) > 1:
            return _("{some} and {last}").format(some=", ".join(shown[:-1]), last=shown[-1])
        return ", ".join(shown) or "nobody"
    if key in ("card", "cards", "face"):
        return faces.title(value) if isinstance(value, str) else str(value)
    if key in ("alien", "aliens"):
        return faces.alien_name(str(value))
    return names.get(value, str(value)) if isinstance(value, str) else str(value)


def _places(event: Mapping[str, Any], names: Names) -> str:
    parts = [f"{count} from {place}" for place, count in event["places"].items()]
    total = sum(event["places"].values())
    if event["kind"] == "ships-home":
        return ", ".join(f"{place} ({count})" for place, count in event["places"].items())
    return f"{total} ships ({', '.join(parts)})" if total else "no further ship"


def _drawn(event: Mapping[str, Any], names: Names) -> str:
    """The cards, for those who may see them."""
    cards = event.get("cards")
    if not cards:
        return ""
    shown = [faces.title(card if isinstance(card, str) else card[1]) for card in cards]
    return f" ({', '.join(shown)})"


def _becomes(event: Mapping[str, Any], names: Names) -> str:
    aliens = [faces.alien_name(str(alien)) for alien in event["aliens"]]
    return _("is the {aliens} now").format(aliens=" + ".join(aliens)) if aliens else _("has no alien now")


def _for_side(event: Mapping[str, Any], names: Names) -> str:
    """Which side a reinforcement is for."""
    side = event.get("aim") if str(event["card"]).startswith("reinforcement-") else None
    return _(" for the {side}").format(side=side) if isinstance(side, str) else ""


def _as_what(event: Mapping[str, Any], names: Names) -> str:
    return _(" as compensation") if event.get("cause") == "compensation" else ""


def _rewards(event: Mapping[str, Any], names: Names) -> str:
    parts = [f"{event[what]} {what}" for what in ("ships", "cards") if event[what]]
    return _(" and ").join(parts) or _("nothing")


def _losses(event: Mapping[str, Any], names: Names) -> str:
    sentences = []
    for seat, places in event["parts"].items():
        lost = sum(places.values()) - event["saved"].get(seat, 0)
        name = names.get(seat, seat)
        if lost:
            sentences.append(_("{seat} loses {count} ships to the warp.").format(seat=name, count=lost))
        if event["saved"].get(seat):
            sentences.append(_("Saved: {count} of {seat}'s ships.").format(seat=name, count=event["saved"][seat]))
    return " ".join(sentences)


def _sums(event: Mapping[str, Any], names: Names) -> str:
    lines = []
    for side, part in event["parts"].items():
        terms = [str(part["card"])]
        terms += [f"{count} ({names.get(seat, seat)})" for seat, count in part["ships"].items()]
        if part["added"]:
            terms.append(str(part["added"]))
        lines.append(f"{side}: {' + '.join(terms)} = {part['total']}")
    return "; ".join(lines)


def _sides(event: Mapping[str, Any], names: Names) -> str:
    return ", ".join(f"{side} {faces.title(face)}" for side, face in event["cards"].items())


def _outcome(event: Mapping[str, Any], names: Names) -> str:
    template = OUTCOMES.get(event["result"], "")
    return _(template).format(**{side: names.get(event[side], event[side]) for side in ("offense", "defense")})


def terms(event: Mapping[str, Any], names: Names) -> str:
    """The terms of a deal in words."""
    parts = []
    for giver, gift in event["terms"].items():
        if giver not in event.get("seats", [event.get("seat"), event.get("partner")]):
            freed = ", ".join(f"{count} of {names.get(seat, seat)}" for seat, count in gift.items())
            parts.append(_("{freed} out of the warp").format(freed=freed))
            continue
        given = [_("a colony on {planet}").format(planet=gift["colony"])] if gift.get("colony") else []
        given += [faces.title(face) for face in gift.get("faces", ())]
        given += [f"{count} {kind}" for kind, count in gift.get("types", {}).items()]
        if gift.get("choice"):
            given.append(_("{count} cards of the giver's choice").format(count=gift["choice"]))
        if gift.get("random"):
            given.append(_("{count} cards at random").format(count=gift["random"]))
        parts.append(f"{names.get(giver, giver)} gives {', '.join(given) if given else _('nothing')}")
    return "; ".join(parts)


_SPECIAL: dict[str, Callable[[Mapping[str, Any], Names], str]] = {
    "places": _places,
    "becomes": _becomes,
    "for_side": _for_side,
    "as_what": _as_what,
    "rewards": _rewards,
    "drawn": _drawn,
    "losses": _losses,
    "sums": _sums,
    "sides": _sides,
    "outcome": _outcome,
    "terms": terms,
}
