"""Launch: the gate is aimed and ships are sent (L10 to L16)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from cosmic_net.engine import ask, ships
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.state import OFFENSE, owner_of
from cosmic_net.engine.verbs import Steps, before
from cosmic_net.engine.windows import window, window_beside

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

MOST_SHIPS = 4


class Sending:
    """A player about to send ships into the encounter, on a side; `limit` is how many he may send.

    What a power takes off the limit is asked for when the ships are picked (`most`), so that it ends with the power.
    """

    def __init__(self, seat: str, side: str, limit: int = MOST_SHIPS) -> None:
        self.seat = seat
        self.side = side
        self.limit = limit

    def most(self, t: Table) -> int:
        """The limit after all that modifies it (`most-ships`)."""
        return int(t.number("most-ships", self.limit, seat=self.seat))


def run(t: Table) -> Steps:
    """The whole phase."""
    enc = t.enc
    yield from _aim(t)
    yield from window(t, "after-aim")
    sending = Sending(enc.offense, OFFENSE)
    places = yield from pick_ships(
        t, sending, "How many ships do you send against {defense} on {target}, and from where?"
    )
    count = ships.take(t, enc.offense, places)
    ships.put(t, enc.offense, ships.GATE, count)
    t.say("ships-launched", seat=enc.offense, places=places, target=enc.target)
    yield from ships.settle(t)
    yield from window(t, "after-launch")


def pick_ships(t: Table, sending: Sending, text: str) -> Steps:
    """Asks which ships are sent, at least one unless one is there already.

    What changes the limit may be used meanwhile (`before:ships-sent`).
    """
    enc, seat = t.enc, sending.seat

    def bounds() -> tuple[dict[str, int], int, int]:
        already = ships.at_place(t, seat, ships.GATE if sending.side == OFFENSE else ships.SIDE)
        low = 0 if already else 1
        return ships.on_colonies(t, seat), low, max(low, sending.most(t) - already)

    about: dict[str, Any] = {"defense": enc.defense, "target": enc.target, "main": enc.main_of(sending.side)}
    question = partial(_ships_question, t, seat, text, bounds, about)
    places = yield from window_beside(t, question, (before("ships-sent"), sending))
    if places is None:
        places = yield from ask.ships(t, seat, "ships", text, *bounds(), **about)
    return places


def _ships_question(
    t: Table, seat: str, text: str, bounds: Callable[[], tuple[dict[str, int], int, int]], about: dict[str, Any]
) -> Decision | None:
    return ask.ships_question(t, seat, "ships", text, *bounds(), **about)


def aim_question(t: Table, defense: str) -> Decision | None:
    """Which planet the offense aims at, meeting this player in the system that is fixed (or else in his own).

    None if the planet is fixed or only one can be meant.
    """
    if t.enc.target is not None:
        return None
    options = [ask.option(planet, "{planet}", planet=planet) for planet in targets(t, defense)]
    text = "At which planet do you meet {defense}?"
    return ask.choose_question(t, t.enc.offense, "aim", text, options, defense=defense)


def targets(t: Table, defense: str) -> list[str]:
    """The planets that the offense may aim at: those of the system, or what an effect makes of them."""
    return list(t.number("targets", t.system(t.enc.system or defense), seat=t.enc.offense))


def _aim(t: Table) -> Steps:
    enc = t.enc
    assert enc.defense is not None
    answer = yield from window_beside(t, partial(aim_question, t, enc.defense), "before-aim")
    if enc.target is None:
        enc.target = answer[0] if answer else targets(t, enc.defense)[0]
    enc.system = owner_of(enc.target)
    t.say("gate-aimed", seat=enc.offense, target=enc.target, defense=enc.defense)
