"""Faces: what a card shows, as a string, and what can be said of it without looking anything up.

`attack-08`, `negotiate`, `morph`, `reinforcement-3`, `flare-zombie`, the eight artifacts by name (`card-zap`), and for
the destiny deck `destiny-red`, `destiny-wild`, `destiny-special-cards`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from cosmic_net.cards import decks

ARTIFACTS = (
    "card-zap",
    "cosmic-zap",
    "emotion-control",
    "force-field",
    "ionic-gas",
    "mobius-tubes",
    "plague",
    "quash",
)

ATTACK = "attack"
NEGOTIATE = "negotiate"
MORPH = "morph"
REINFORCEMENT = "reinforcement"
ARTIFACT = "artifact"
FLARE = "flare"

#: The types of card in a hand (D20); an "encounter card" is any of the first three, and no type of its own.
TYPES = (ATTACK, NEGOTIATE, MORPH, REINFORCEMENT, ARTIFACT, FLARE)

_PRINTED = frozenset(decks.cosmic())
_FLARE = re.compile(r"flare-[a-z]{1,20}(-[a-z]{1,20}){0,2}")


def is_card(face: Any) -> bool:
    """Whether this is a card of the deck, or could be a flare (which aliens there are is not asked here)."""
    return isinstance(face, str) and (face in _PRINTED or _FLARE.fullmatch(face) is not None)


@cache
def type_of(face: str) -> str:
    """The type of a hand card, one of `TYPES`. Raises ValueError for a face that no hand card has."""
    if face in ARTIFACTS:
        return ARTIFACT
    kind = face.split("-", 1)[0]
    if kind not in TYPES:
        raise ValueError(f"no such card: {face}")
    return kind


@cache
def is_encounter(face: str) -> bool:
    """Whether this is an encounter card: attack, negotiate or morph."""
    return type_of(face) in (ATTACK, NEGOTIATE, MORPH)


@cache
def number(face: str) -> int:
    """The printed number of an attack or reinforcement. Raises ValueError for any other face."""
    if type_of(face) not in (ATTACK, REINFORCEMENT):
        raise ValueError(f"{face} shows no number")
    return int(face.rsplit("-", 1)[1])


@cache
def copies(face: str) -> int:
    """How many cards of this face there are: of a flare, an artifact or a reinforcement."""
    kind = type_of(face)
    if kind == FLARE:
        return 1
    return decks.ARTIFACT_COPIES[face] if kind == ARTIFACT else decks.REINFORCEMENTS[number(face)]


def flare_of(alien: str) -> str:
    """The face of the flare of an alien (by id)."""
    return f"flare-{alien}"


#: What the special destiny cards say (N09).
SPECIALS = {
    "destiny-special-colonies": "Special (most foreign colonies)",
    "destiny-special-cards": "Special (most cards in hand)",
    "destiny-special-warp": "Special (fewest ships in the warp)",
}


def alien_name(alien: str) -> str:
    """The name of an alien as people read it, from its id: `Tick-Tock`."""
    return "-".join(part.capitalize() for part in alien.split("-"))


def title(face: str) -> str:
    """The face as people read it: `Attack 08`, `Reinforcement +3`, `Card Zap`, `Zombie flare`."""
    if face.startswith("reinforcement-"):
        return f"Reinforcement +{number(face)}"
    if face.startswith("flare-"):
        return f"{alien_name(face.removeprefix('flare-'))} flare"
    if face in SPECIALS:
        return SPECIALS[face]
    return face.removeprefix("destiny-").replace("-", " ").title()
