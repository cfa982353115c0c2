"""Launch: the gate is aimed and ships are sent (L10 to L16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ask, ships
from cosmic_net.engine.state import OFFENSE, owner_of
from cosmic_net.engine.verbs import Steps, before
from cosmic_net.engine.windows import window

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
    yield from window(t, before("ships-sent"), subject=sending)
    already = enc.gate.get(enc.offense, 0)
    low = 0 if already else 1
    text = "How many ships do you send against {defense} on {target}, and from where?"
    places = ships.on_colonies(t, enc.offense)
    places = yield from ask.ships(
        t,
        enc.offense,
        "ships",
        text,
        places,
        low,
        max(low, sending.most(t) - already),
        defense=enc.defense,
        target=enc.target,
    )
    count = ships.take(t, enc.offense, places)
    ships.put(t, enc.offense, ships.GATE, count)
    t.say("ships-launched", seat=enc.offense, places=places, target=enc.target)
    yield from ships.settle(t)
    yield from window(t, "after-launch")


def _aim(t: Table) -> Steps:
    enc = t.enc
    assert enc.defense is not None
    assert enc.system is not None
    if enc.target is None:
        planets = t.number("targets", t.system(enc.system), seat=enc.offense)
        text = "At which planet do you meet {defense}?"
        enc.target = yield from ask.planet(t, enc.offense, "aim", text, planets, defense=enc.defense)
        enc.system = owner_of(enc.target)
    t.say("gate-aimed", seat=enc.offense, target=enc.target, defense=enc.defense)
