"""Alliance: invitations, and who joins which side (A01 to A09)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cosmic_net.engine import ask, ships
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.phases.launch import Sending, pick_ships
from cosmic_net.engine.state import DEFENSE, OFFENSE, SIDES, Power
from cosmic_net.engine.verbs import HOLDS, Hook, Steps, Use
from cosmic_net.engine.verbs import POWER as POWER_HALF
from cosmic_net.engine.windows import use_power, window_beside

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def run(t: Table) -> Steps:
    """The whole phase, up to the window in which alliances are formed; that is opened with Planning's first."""
    enc = t.enc
    for side in SIDES:
        names = ("before-invitations",) if side == OFFENSE else ()
        chosen = yield from window_beside(t, partial(_invitation, t, side), *names)
        enc.invited[side] = chosen or []
        t.say("invited", seat=enc.main_of(side), side=side, seats=enc.invited[side])
    for seat in t.others(enc.offense):
        if seat != enc.defense:
            yield from _answer(t, seat)


def _invitation(t: Table, side: str) -> Decision | None:
    """A01, A02: a main player names all whom he invites; nobody answers yet."""
    enc = t.enc
    seat = enc.main_of(side)
    may = [other for other in t.others(seat) if other not in (enc.offense, enc.defense)]
    options = [ask.option(other, "{seat}", seat=other) for other in may]
    text = "Whom do you invite as allies?"
    return ask.choose_question(t, seat, "invite", text, options, 0, len(options), [])


def _answer(t: Table, seat: str) -> Steps:
    """A04 to A07: one player takes one invitation, or an effect's offer, or declines."""
    if not t.colonies(seat):
        return
    zapped: set[int] = set()
    while True:
        invited = [side for side in SIDES if seat in t.enc.invited[side]]
        offered = _offers(t, seat, invited, zapped)
        sides = invited + [side for side in offered if side not in invited]
        if not sides:
            return
        options = [_option(t, side) for side in sides] + [ask.option("decline", "stay out")]
        text = "Whom do you join?"
        answer = yield from ask.pick(t, seat, "ally", text, options, default="decline")
        if answer == "decline":
            t.say("ally-declined", seat=seat)
            return
        if answer in offered and answer not in invited:
            power = offered[answer]
            hook = Hook(name=f"{power.id}.ally", half=POWER_HALF, at=(), who="any", effect=_join)
            if not (yield from use_power(t, Use(seat, hook, power=power, notes={"side": answer}))):
                zapped.add(power.uid)
                continue
        yield from _send(t, seat, answer)
        return


def _offers(t: Table, seat: str, invited: list[str], zapped: set[int]) -> dict[str, Power]:
    """Sides that an effect lets this player join without invitation."""
    found: dict[str, Power] = {}
    for power, value in t.values("offers", "ally", seat):
        if power.uid not in zapped:
            for side in value.effect(t, Use(seat, HOLDS, power=power)):
                if side not in invited:
                    found.setdefault(side, power)
    return found


def _join(t: Table, use: Use) -> Steps:
    """The use of an offer lets him join; the ships follow as for everybody."""
    return
    yield


def _option(t: Table, side: str) -> dict[str, Any]:
    return ask.option(side, "join {seat}", seat=t.enc.main_of(side))


def _send(t: Table, seat: str, side: str) -> Steps:
    """A06: the ally commits ships at once, on the gate or beside the planet."""
    enc = t.enc
    enc.allies[seat] = side
    enc.has_allied.add(seat)
    sending = Sending(seat, side)
    places = yield from pick_ships(t, sending, "How many ships do you send to the side of {main}, and from where?")
    count = ships.take(t, seat, places)
    ships.put(t, seat, ships.GATE if side == OFFENSE else ships.SIDE, count)
    t.say("allied", seat=seat, side=side, main=enc.main_of(side), places=places)
    yield from ships.settle(t)
    yield from extra_ships(t, seat, side)


def extra_ships(t: Table, seat: str, side: str) -> Steps:
    """Ships beyond the limit that an effect lets an ally bring out of the warp (`warp-ships`)."""
    allowed = min(t.number("warp-ships", 0, seat=seat, side=side), t.player(seat).warp)
    if allowed < 1:
        return
    text = "How many ships do you bring out of the warp as well?"
    count = yield from ask.declare(t, seat, "warp-ships", text, 0, allowed, 0)
    if count:
        ships.take(t, seat, {ships.WARP: count})
        ships.put(t, seat, ships.GATE if side == OFFENSE else ships.SIDE, count)
        yield from ships.freed(t, seat, count, "ally")


def leave(t: Table, seat: str) -> Steps:
    """An ally's alliance is cancelled: ships go home; he still counts as having allied."""
    side = t.enc.allies.pop(seat)
    yield from ships.send_home(t, seat, ships.GATE if side == OFFENSE else ships.SIDE)
    t.say("alliance-cancelled", seat=seat, side=side)
    yield from ships.settle(t)


__all__ = ["DEFENSE", "extra_ships", "leave", "run"]
