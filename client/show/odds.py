"""How good a card is, by what everybody can see: attacks that are not in the discards, ships that stand there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from client.show.sums import ships_of
from cosmic_net.cards import decks, faces


def unseen_attacks(view: Mapping[str, Any]) -> Counter[int]:
    """The attacks that do not lie in the discards, by value."""
    left = Counter(decks.ATTACKS)
    for face in view.get("discards", []):
        if face.startswith("attack-"):
            left[faces.number(face)] -= 1
    return +left


def line(view: Mapping[str, Any], me: str, cards: list[str]) -> str:
    """For each attack in hand how many unseen attacks beat it; "" where that makes no sense.

    Powers, reinforcements and what one's own hand tells are left out: only public facts count.
    """
    encounter = view.get("encounter") or {}
    if me not in (encounter.get("offense"), encounter.get("defense")) or not encounter.get("target"):
        return ""
    mine = "offense" if encounter["offense"] == me else "defense"
    theirs = "defense" if mine == "offense" else "offense"
    lead = sum(ships_of(view, mine).values()) - sum(ships_of(view, theirs).values())
    values = sorted({faces.number(face) for face in cards if face.startswith("attack-")})
    left = unseen_attacks(view)
    if not values or not left.total():
        return ""
    beaten = []
    for value in values:
        most = value + lead - (1 if mine == "offense" else 0)  # a tie is the defense's
        worse = sum(number for other, number in left.items() if other > most)
        beaten.append(f"{worse or 'none'} beat{'s' if worse == 1 else ''} {value:02}")
    ships = f"ships {_sum(view, mine)} to {_sum(view, theirs)}"
    return f"{ships}; of the {left.total()} attacks not discarded {', '.join(beaten)}"


def _sum(view: Mapping[str, Any], side: str) -> str:
    return " + ".join(str(number) for number in ships_of(view, side).values()) or "0"
