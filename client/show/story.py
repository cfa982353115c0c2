"""The story: each event told once, in order, in a short sentence, grouped by phase."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from client.game.told import Told
from client.show import sums
from client.show.explain import Explainer
from client.show.style import Style, pad, width, wrap
from client.show.words import PHASES, Cast, title
from cosmic_net.engine import texts

log = logging.getLogger(__name__)

INDENT = 11
SILENT = {"turn-started", "turn-ended", "card-opened", "card-opened-unseen", "game-over"}
"""Told by something else: the encounter's headline, the reveal, the end."""
ECHOES: Mapping[str, tuple[str, ...]] = {
    "ships-freed": ("ship-retrieved", "ship-on-gate", "ships-home"),
    "compensation": ("cards-passed",),
    "power-changed": ("alien-drawn",),
}
"""Events that say no more than one of these, if that has just been told of the same player."""


class Story:
    """Makes lines of events. It remembers only what it told last, to head the phases and to repeat no sum."""

    def __init__(self, told: Told, style: Style, explainer: Explainer | None = None) -> None:
        self.told = told
        self.style = style
        self.explainer = explainer or Explainer(False)
        self._phase = ""
        self._number = 0
        self._main: dict[str, str] = {}
        self._faces: dict[str, str] = {}
        self._sums: dict[str, sums.Side] | None = None
        self._cards_to_tell: list[str] = []
        self._totals_by_side: dict[str, int] = {}
        self._last: Mapping[str, Any] = {}
        self._played: list[str] = []
        """Cards that were played in this encounter, and whose way to the discards goes without saying."""

    @property
    def cast(self) -> Cast:
        """Who sits where now."""
        return Cast(self.told.names, self.style, self.told.seat)

    def event(self, event: Mapping[str, Any]) -> list[str]:
        """The lines for an event; none for bookkeeping. Whatever the host sent, it raises nothing."""
        try:
            return [self.style.plain_text(line) for line in self._event(event)]
        except Exception:  # the event came over the wire
            log.exception("an event cannot be told: %r", event)
            return []

    def before(self, events: Iterable[Mapping[str, Any]]) -> list[str]:
        """What happened since the last encounter began, for one who comes to a running game."""
        last: list[Mapping[str, Any]] = []
        for event in events:
            if event.get("kind") == "encounter-started":
                last = []
            last.append(event)
        was_on, self.explainer.on = self.explainer.on, False
        lines = [line for event in last for line in self.event(event)]
        self.explainer.on = was_on
        return lines

    def again(self, event: Mapping[str, Any]) -> list[str]:
        """An event told before, as one plain sentence; changes nothing of what comes next."""
        try:
            return [self.style.plain_text(line) for line in self._sentence(event)]
        except Exception:  # the event came over the wire
            log.exception("an event cannot be told: %r", event)
            return []

    def _event(self, event: Mapping[str, Any]) -> list[str]:
        kind = event["kind"]
        if kind == "encounter-started":
            self._phase, self._sums, self._number = "", None, event["number"]
            self._played = []
            self._main, self._faces, self._totals_by_side = {"offense": event["offense"]}, {}, {}
            nth = "" if event["nth"] == 1 else " (second encounter)" if event["nth"] == 2 else f" (no. {event['nth']})"
            headline = f"Encounter {int(event['number'])} · {self.cast.name(event['offense'])}'s turn{nth}"
            return ["", self.style.rule(headline)]
        last, self._last = self._last, event
        if kind in SILENT or _echoes(event, last):
            return []
        special = _SPECIAL.get(kind)
        lines = special(self, event) if special is not None else self._sentence(event)
        if not lines:
            return []
        lines = self._headed(str(event.get("phase", "")), lines)
        if kind == "cards-revealed":
            return lines
        cards, self._cards_to_tell = self._cards_to_tell, []
        return lines if kind == "totals" else cards + lines

    def _headed(self, phase: str, lines: list[str]) -> list[str]:
        """The first line of a phase has its name before it; an explanation may come even before that."""
        if phase == self._phase or not lines[0].startswith(" " * INDENT):
            self._phase = phase
            return lines
        self._phase = phase
        label = pad(PHASES.get(phase, phase)[: INDENT - 1], INDENT)
        explanation = self.explainer.line(phase)
        extra = wrap(explanation, self.style.width, " " * INDENT) if explanation else []
        return [self.style.dim(line) for line in extra] + [label + lines[0][INDENT:], *lines[1:]]

    def _sentence(self, event: Mapping[str, Any], more: str = "") -> list[str]:
        text = texts.sentence(event, self.cast.tags())
        return self._wrapped(self.cast.finish(text) + more) if text else []

    def _wrapped(self, text: str) -> list[str]:
        return wrap(text, self.style.width, " " * INDENT)

    # ---- events with a form of their own

    def _sealed(self, event: Mapping[str, Any]) -> list[str]:
        commitment = event.get("commitment")
        if commitment is None:
            return self._wrapped(f"{self.cast.name(event['seat'])} has chosen no card in time.")
        mark = commitment[:4].hex()
        return self._sentence(event, self.style.dim(f"  ({mark[:4]} {mark[4:]})"))

    def _defense(self, event: Mapping[str, Any]) -> list[str]:
        self._main["defense"] = event["seat"]
        return self._sentence(event)

    def _revealed(self, event: Mapping[str, Any]) -> list[str]:
        self._phase, self._faces = "reveal", dict(event["cards"])
        explanation = self.explainer.line("reveal")
        head = [self.style.dim(line) for line in wrap(explanation, self.style.width)] if explanation else []
        head.append(self.style.rule("Reveal"))
        copies = "morph" in self._faces.values()  # the view has the copy already; what was laid is told first
        if not copies and (sums_now := self._standing()):
            return head + sums_now
        main = self._main
        names = {side: self.cast.marked(main.get(side, side)) for side in self._faces}
        longest = max((width(name) for name in names.values()), default=0)
        cards = [f"    {pad(names[side], longest)}  {title(face)}" for side, face in self._faces.items()]
        if all(face.startswith("attack-") for face in self._faces.values()):
            self._cards_to_tell = cards  # the totals may follow at once, and show them too
            return head
        return head + cards

    def _standing(self) -> list[str]:
        """The sums as they stand, if the view is still in this encounter and they are new."""
        view = self.told.view or {}
        encounter = view.get("encounter") or {}
        if encounter.get("number") != self._number or encounter.get("result") is not None:
            return []
        sides = sums.standing(view)
        if sides is None or sides == self._sums:
            return []
        self._sums = sides
        return sums.lines(self.cast, sides, final=False)

    def _card_played(self, event: Mapping[str, Any]) -> list[str]:
        if not event["card"].startswith("flare-"):
            self._played.append(event["card"])
        return self._sentence(event)

    def _discarded(self, event: Mapping[str, Any]) -> list[str]:
        """What was put away; not a card that has just been played."""
        left = list(event["cards"])
        for card in event["cards"]:
            if card in self._played:
                self._played.remove(card)
                left.remove(card)
        return self._sentence({**event, "cards": left}) if left else []

    def _reinforced(self, event: Mapping[str, Any]) -> list[str]:
        """The sums; the card was told when it was played, but what adds to a side otherwise is told here."""
        told = f"reinforcement-{event['number']}" in self._played
        return ([] if told else self._sentence(event)) + self._standing()

    def _card_changed(self, event: Mapping[str, Any]) -> list[str]:
        if "side" in event and "card" in event:
            self._faces[event["side"]] = event["card"]
        return self._sentence(event) + self._standing()

    def _totals(self, event: Mapping[str, Any]) -> list[str]:
        sides = sums.announced(self._main, self._faces, event["parts"])
        self._totals_by_side = {side: sides[side].total for side in sides}
        if self._sums is not None and all(sides[side].total == self._sums[side].total for side in sides):
            return []
        return sums.lines(self.cast, sides, final=True)

    def _outcome(self, event: Mapping[str, Any]) -> list[str]:
        totals, winner = self._totals_by_side, event["result"]
        if winner not in totals:
            return self._sentence(event)
        loser = next(side for side in sums.SIDES if side != winner)
        tie = " (a tie goes to the defense)" if totals[winner] == totals[loser] else ""
        who = self.cast.name(event[winner])
        return self._wrapped(f"{who} wins the encounter, {totals[winner]} to {totals[loser]}{tie}.")

    def _deal(self, event: Mapping[str, Any]) -> list[str]:
        who = " and ".join(self.cast.name(seat) for seat in event["seats"])
        return [self.style.rule(f"Deal · {who} talk")]


def _echoes(event: Mapping[str, Any], last: Mapping[str, Any]) -> bool:
    """Whether an event only repeats what was told just before."""
    if last.get("kind") not in ECHOES.get(event["kind"], ()):
        return False
    who = last["taker"] if last["kind"] == "cards-passed" else last["seat"]
    return bool(who == event["seat"])


_SPECIAL: Mapping[str, Callable[[Any, Mapping[str, Any]], list[str]]] = {
    "defense-determined": Story._defense,
    "card-sealed": Story._sealed,
    "cards-revealed": Story._revealed,
    "card-played": Story._card_played,
    "cards-discarded": Story._discarded,
    "reinforced": Story._reinforced,
    "card-becomes": Story._card_changed,
    "totals": Story._totals,
    "outcome": Story._outcome,
    "deal-opened": Story._deal,
}
