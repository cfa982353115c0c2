"""The game as one pure function of setup, seed and inputs; the door through which everything outside uses it.

    game = Game(setup, seed)
    while not game.over:
        for decision in game.pending: ...
        game.answer(seat, decision_id, answer)      # or game.close(group) when time is over

Nothing else goes in: a clock that runs out is an input too. `Game.replay` makes the same game from its inputs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from cosmic_net.engine import decisions as kinds
from cosmic_net.engine import seals
from cosmic_net.engine.catalog import CATALOG
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer, RulesError
from cosmic_net.engine.events import Event
from cosmic_net.engine.options import Setup
from cosmic_net.engine.phases.turn import game as play
from cosmic_net.engine.state import State
from cosmic_net.engine.table import Table
from cosmic_net.engine.verbs import SILENCE, Ask
from cosmic_net.engine.view import View, private, public

#: A game that goes on for longer than this without a victory is stopped.
MOST_ENCOUNTERS = 3000


class Game:
    """A game in progress. Raises BadSetup if the setup cannot be played."""

    def __init__(self, setup: Setup, seed: bytes) -> None:
        self.setup = setup
        self.seed = seed
        self.inputs: list[dict[str, Any]] = []
        self.pending: tuple[Decision, ...] = ()
        self._table = Table(setup, seed, CATALOG)
        self._steps = play(self._table)
        self._answers: dict[int, Any] = {}
        self._ask: Ask | None = None
        self._advance(None)

    # ---- looking

    @property
    def state(self) -> State:
        """The state; for tests, the host's own process and replays, never for a player."""
        return self._table.state

    @property
    def table(self) -> Table:
        """The table of the rules; for tests and tools that look at a whole game."""
        return self._table

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        return self._table.events

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._table.state.over

    @property
    def winners(self) -> list[str]:
        """The seats that have won; empty while the game goes on."""
        return list(self._table.state.winners)

    def view(self, seat: str | None = None) -> dict[str, Any]:
        """All that may leave the host for a seat; for None what the whole table may see."""
        shared = public(self._table, self.pending)
        return shared if seat is None else shared | private(self._table, seat, self.pending)

    def look(self, seat: str | None = None) -> View:
        """The same as `view`, made entry by entry when it is looked at: for bots in this process."""
        return View(self._table, seat, self.pending)

    def private_view(self, seat: str) -> dict[str, Any]:
        """The part of `view(seat)` that is for that seat alone; the rest is `view(None)`, the same for all."""
        return private(self._table, seat, self.pending)

    # ---- inputs

    def answer(self, seat: str, decision: int, answer: Any) -> None:
        """Answers one open decision. Raises IllegalAnswer with the reason, and then changes nothing."""
        for asked in self.pending:
            if asked.id == decision:
                break
        else:
            raise IllegalAnswer("that question is not open (any more)")
        if asked.seat != seat:
            raise IllegalAnswer("that question is not yours")
        checked = asked.check(answer)
        self.inputs.append({"seat": seat, "decision": decision, "answer": checked})
        self._answers[decision] = checked
        self.pending = tuple([other for other in self.pending if other is not asked])
        self._go_on()

    def close(self, group: int) -> None:
        """Time is over for a group of decisions: those still open take their defaults.

        Raises IllegalAnswer if the group is not open.
        """
        closed = [decision for decision in self.pending if decision.group == group]
        if not closed:
            raise IllegalAnswer("that question is not open (any more)")
        self.inputs.append({"close": group})
        for decision in closed:
            self._answers[decision.id] = SILENCE if decision.kind == kinds.REACT else decision.default
        self.pending = tuple(decision for decision in self.pending if decision.group != group)
        self._go_on()

    def rekey(self, seat: str, key: bytes) -> None:
        """From here on a seat seals its cards with this key: somebody else plays it. Raises IllegalAnswer.

        A card that lies sealed stays bound to the key before, and can be opened by whoever has that.
        """
        if seat not in self.setup.seats or not isinstance(key, bytes):
            raise IllegalAnswer("there is no such seat")
        self.inputs.append({"rekey": seat, "key": key})
        setup = self._table.setup
        self._table.setup = dataclasses.replace(setup, keys={**setup.keys, seat: key})
        for decision in self.pending:
            if decision.seat == seat and decision.kind == kinds.SEAL:
                seals.rekey(decision, key)

    def apply(self, entry: Mapping[str, Any]) -> None:
        """Feeds in one recorded input."""
        if "rekey" in entry:
            self.rekey(entry["rekey"], entry["key"])
        elif "close" in entry:
            self.close(entry["close"])
        else:
            self.answer(entry["seat"], entry["decision"], entry["answer"])

    @classmethod
    def replay(cls, setup: Setup, seed: bytes, inputs: Iterable[Mapping[str, Any]]) -> Game:
        """The game that these inputs make. Raises IllegalAnswer if one of them does not fit."""
        game = cls(setup, seed)
        for entry in inputs:
            game.apply(entry)
        return game

    def _go_on(self) -> None:
        """Lets the rules go on if they have the answers that they wait for."""
        if self._ask is not None and (not self.pending or (self._ask.enough and self._ask.enough(self._answers))):
            self._advance(self._answers)

    def _advance(self, answers: dict[int, Any] | None) -> None:
        """Lets the rules run until somebody has to decide, or the game is over."""
        if self._table.state.encounters > MOST_ENCOUNTERS:
            raise RulesError("this game does not end")
        self._answers = {}
        try:
            self._ask = next(self._steps) if answers is None else self._steps.send(answers)
        except StopIteration:
            self._ask = None
            self.pending = ()
            return
        self.pending = self._ask.decisions


__all__ = ["Game", "IllegalAnswer", "RulesError"]
