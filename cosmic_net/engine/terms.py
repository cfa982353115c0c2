"""The terms of a deal (O43 to O48) as plain data, and the moves of the bargaining.

Terms say for each of the two dealing seats what it gives:

    {"red":  {"colony": "red-2", "faces": ["attack-20"], "types": {"negotiate": 1}, "choice": 0, "random": 1},
     "blue": {"colony": None, ...},
     "free": {"green": 2}}

`colony` is a planet where the giver has a colony and the other gets one; `faces` are cards named one by one, `types`
numbers of cards of a type, `choice` cards of the giver's own choice, `random` cards drawn unseen. Every entry may be
left out. `free` (ships out of the warp, by seat) is open only to players whose power says so (`bounds["extras"]`).
Offers name faces, not the ids of cards: one may promise what one does not hold, and the deal then fails (O50).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cosmic_net.cards import faces
from cosmic_net.engine.errors import IllegalAnswer, shown

GIFT_KEYS = ("colony", "faces", "types", "choice", "random")
MOST_CARDS = 200


def check_move(bounds: Mapping[str, Any], answer: Any) -> dict[str, Any]:
    """A move of the bargaining in normal form: an offer, the acceptance of an offer, or the end of the talks."""
    if not isinstance(answer, Mapping) or len(answer) != 1:
        raise IllegalAnswer("a deal takes an offer, an acceptance or a refusal")
    ((verb, value),) = answer.items()
    if verb == "offer":
        return {"offer": check_terms(bounds, value)}
    if verb == "accept":
        open_offers = [offer["id"] for offer in bounds["offers"] if offer["by"] == bounds["partner"]]
        if isinstance(value, bool | float) or value not in open_offers:
            raise IllegalAnswer("the other has made no such offer")
        return {"accept": value}
    if verb == "refuse" and value is True:
        return {"refuse": True}
    raise IllegalAnswer("a deal takes an offer, an acceptance or a refusal")


def check_terms(bounds: Mapping[str, Any], terms: Any) -> dict[str, Any]:
    """Terms in normal form (empty entries dropped). Raises IllegalAnswer if the rules bar them."""
    me, partner = bounds["me"], bounds["partner"]
    if not isinstance(terms, Mapping) or not set(terms) <= {me, partner, *bounds["extras"]}:
        raise IllegalAnswer(f"the terms say what {me} and what {partner} gives")
    result: dict[str, Any] = {
        me: _check_gift(terms.get(me, {}), bounds["my_colonies"], len(bounds["my_cards"])),
        partner: _check_gift(terms.get(partner, {}), bounds["their_colonies"], bounds["their_hand"]),
    }
    if not result[me] and not result[partner]:
        raise IllegalAnswer("at least one card or one colony must pass one way")
    for extra, limits in bounds["extras"].items():
        if (wanted := terms.get(extra)) and (counts := _check_counts(wanted, limits, "ships to free")):
            result[extra] = counts
    return result


def cards_in(gift: Mapping[str, Any]) -> int:
    """How many cards a gift has."""
    named = len(gift.get("faces", ())) + sum(gift.get("types", {}).values())
    return int(named + gift.get("choice", 0) + gift.get("random", 0))


def _check_gift(gift: Any, colonies: list[str], hand: int) -> dict[str, Any]:
    if not isinstance(gift, Mapping) or not set(gift) <= set(GIFT_KEYS):
        raise IllegalAnswer(f"a gift has {', '.join(GIFT_KEYS)}")
    result: dict[str, Any] = {}
    if (colony := gift.get("colony")) is not None:
        if colony not in colonies:
            raise IllegalAnswer(f"no colony can be given on {shown(colony)}")
        result["colony"] = colony
    if named := gift.get("faces"):
        if not isinstance(named, list) or len(named) > MOST_CARDS:
            raise IllegalAnswer("faces is a list of cards")
        for face in named:
            if not faces.is_card(face):
                raise IllegalAnswer(f"{shown(face)} is no card")
        result["faces"] = sorted(named)
    if types := gift.get("types"):
        limits = dict.fromkeys(faces.TYPES, MOST_CARDS)
        if counts := _check_counts(types, limits, "types of card"):
            result["types"] = counts
    for key in ("choice", "random"):
        if count := gift.get(key):
            result[key] = _check_counts({key: count}, {key: MOST_CARDS}, "cards")[key]
    if cards_in(result) > hand:
        raise IllegalAnswer("that is more cards than the hand has")
    return result


def _check_counts(counts: Any, limits: Mapping[str, int], what: str) -> dict[str, int]:
    if not isinstance(counts, Mapping):
        raise IllegalAnswer(f"{what} are given as numbers by name")
    for name, count in counts.items():
        if name not in limits:
            raise IllegalAnswer(f"{shown(name)} is not among the {what}")
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= limits[name]:
            raise IllegalAnswer(f"{name}: 0 to {limits[name]}, not {shown(count)}")
    return {name: counts[name] for name in limits if counts.get(name)}
