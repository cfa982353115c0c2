"""The exact decks (rules 2.1 and 2.2): how many of each card there are."""

from __future__ import annotations

#: Attack cards, by value: 39 in all (D01).
ATTACKS = {
    0: 1, 1: 1, 4: 4, 5: 1, 6: 7, 7: 1, 8: 7, 9: 1, 10: 4, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 20: 2, 23: 1, 30: 1,
    40: 1,
}  # fmt: skip

REINFORCEMENTS = {2: 2, 3: 3, 5: 1}

ARTIFACT_COPIES = {
    "card-zap": 2,
    "cosmic-zap": 2,
    "mobius-tubes": 2,
    "emotion-control": 1,
    "force-field": 1,
    "ionic-gas": 1,
    "plague": 1,
    "quash": 1,
}

NEGOTIATES = 15
MORPHS = 1
FLARES_IN_DECK = 10

DESTINY_SPECIALS = ("destiny-special-colonies", "destiny-special-cards", "destiny-special-warp")
DESTINY_WILDS = 2
DESTINY_PER_SEAT = 3


def cosmic(artifacts: bool = True) -> list[str]:
    """The 72 cards of the cosmic deck without flares (61 without artifacts), in a fixed order."""
    deck = [f"attack-{value:02}" for value, count in ATTACKS.items() for _ in range(count)]
    deck += ["negotiate"] * NEGOTIATES + ["morph"] * MORPHS
    deck += [f"reinforcement-{value}" for value, count in REINFORCEMENTS.items() for _ in range(count)]
    if artifacts:
        deck += [face for face, count in ARTIFACT_COPIES.items() for _ in range(count)]
    return deck


def destiny(seats: tuple[str, ...]) -> list[str]:
    """The destiny deck for these seats (D11): three of each colour, two wild, three special."""
    deck = [f"destiny-{seat}" for seat in seats for _ in range(DESTINY_PER_SEAT)]
    return deck + ["destiny-wild"] * DESTINY_WILDS + list(DESTINY_SPECIALS)
