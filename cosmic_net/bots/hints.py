"""Hints: when to use which power and flare, in one place. What is not named here goes by its window.

A hint is the name of a judgement of `reacting`: "always", "never", "often", "rarely", "losing" (only if one's side is
losing), "weak" (without a good attack in hand), "few" (with few cards), "hostile" (against an enemy's deed),
"defending" (on the defense's side), or by the own card on the table, as "sealed-low".
"""

from __future__ import annotations

#: By alien: the own power, where it is optional.
POWERS: dict[str, str] = {
    "amoeba": "rarely",
    "calculator": "often",
    "chosen": "losing",
    "citadel": "defending",
    "clone": "sealed-good",
    "diplomat-classic": "losing",
    "fodder": "losing",
    "gambler": "rarely",
    "kamikaze": "few",
    "loser": "weak",
    "mirror": "sealed-mirrored",
    "reserve": "losing",
    "sorcerer": "sealed-low",
    "trader": "weak",
}

#: By alien and half of its flare.
FLARES: dict[tuple[str, str], str] = {
    ("anti-matter", "wild"): "hostile",
    ("anti-matter", "super"): "hostile",
    ("demon", "wild"): "often",
    ("filch", "wild"): "hostile",
    ("human", "wild"): "losing",
    ("loser", "wild"): "weak",
    ("loser", "super"): "sealed-low",
    ("mite", "wild"): "enemy-allies",
    ("oracle", "wild"): "weak",
    ("philanthropist", "wild"): "never",
    ("reincarnator", "wild"): "rarely",
    ("shadow", "wild"): "always",
    ("sorcerer", "wild"): "rarely",
    ("sorcerer", "super"): "often",
    ("trader", "super"): "weak",
    ("vacuum", "wild"): "always",
    ("void", "wild"): "hostile",
}

#: By window, for powers and flares not named above; other windows have the default.
WINDOWS: dict[str, str] = {
    "after-reveal": "losing",
    "first-of-all": "losing",
    "before:card-played": "hostile",
    "before:power-used": "hostile",
}
POWER_DEFAULT, FLARE_DEFAULT = "always", "often"
#: Windows in which what helps is played for certain: one's own ships, cards and gains are about to be lost or got.
EAGER_WINDOWS = frozenset({
    "before:ships-lost", "before:ship-retrieved", "before:compensation-taken", "before:rewards-taken",
    "before:cards-discarded", "after:card-discarded", "after:colony-founded", "after:power-lost",
    "after:deck-reshuffled", "encounter-choice", "after-encounter",
})  # fmt: skip

#: Powers that are better zapped than suffered, when an enemy uses them.
WORTH_A_ZAP = frozenset({
    "amoeba", "anti-matter", "chosen", "calculator", "fodder", "gambler", "kamikaze", "loser", "macron", "masochist",
    "mirror", "mite", "oracle", "pacifist", "reserve", "shadow", "sorcerer", "spiff", "tick-tock", "tripler", "virus",
    "void", "warpish", "warrior", "will", "zombie",
})  # fmt: skip

#: Powers that win if they are zapped.
NEVER_ZAP = frozenset({"human"})

#: Artifacts that can only be meant against somebody; with them whoever plays them is answered.
HARMFUL = frozenset({"plague", "emotion-control", "force-field", "ionic-gas", "quash"})

#: Questions of cards and aliens, by topic. Players named for these gain by it; for all others they suffer.
FRIENDLY = frozenset({"heal", "lend-to", "give-to"})
#: How often out of a hundred a question is answered with yes; 60 without a hint.
YES = {"new-hand": 70}
#: Cards chosen for these are kept, taken or used, so that the best are right; and those paid for something wanted.
GOOD_CARDS = frozenset({"hide", "keep", "loot", "take"})
PAID_CARDS = frozenset({"pay-card"})
#: Numbers: as much as possible, or about so much.
MOST = frozenset({"ships", "warp-ships"})
NUMBERS = {"stake": 3, "spread": 5}
