"""A line about each phase for those who play for the first time."""

from __future__ import annotations

PHASES = {
    "regroup": "Regroup: the player whose turn it is, the offense, takes one ship back out of the warp.",
    "destiny": "Destiny: a card says whom the offense meets; that player is the defense.",
    "launch": "Launch: the offense aims at one of the defense's planets and sends 1 to 4 ships.",
    "alliance": "Alliance: both main players may invite the others; who joins sends 1 to 4 ships to a side.",
    "planning": "Planning: both main players lay a card face down. It is sealed: nobody can see or change it.",
    "reveal": "Reveal: both cards are opened. Two attacks: card plus ships, the higher total wins, and a tie is the "
    "defense's. A negotiate loses to an attack, but takes cards for lost ships. Two negotiates: make a deal.",
    "resolution": "Resolution: losers' ships go to the warp. If the offense won, it and its allies have a colony on "
    "the planet; foreign colonies are what wins the game. If the defense won, its allies get rewards.",
}
STOP = "(`explain off` stops these lines)"


class Explainer:
    """Gives each phase's line once, as long as it is `on`."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self._told: set[str] = set()

    def line(self, phase: str) -> str:
        """The line for a phase that begins; "" if there is none or it was told."""
        if not self.on or phase in self._told or phase not in PHASES:
            return ""
        first = not self._told
        self._told.add(phase)
        return f"{PHASES[phase]} {STOP}" if first else PHASES[phase]
