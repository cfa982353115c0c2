"""Ships: every way they move. Ships are never made or unmade here, only moved.

Places are planets, the gate, the side of the target planet ("side"), the warp, and out of the game. What moves
together is a batch: first all is taken up, then others may replace it, then it is put down, and only when the batch
is complete are colonies and powers looked at (`settle`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cosmic_net.engine import ask
from cosmic_net.engine.phases import victory
from cosmic_net.engine.state import OFFENSE, owner_of
from cosmic_net.engine.verbs import Steps, after, before
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

WARP, GATE, SIDE = "warp", "gate", "side"


@dataclass
class Loss:
    """Ships lost together: for each seat, how many from which place, and why.

    cause is "outcome" (by the encounter's result), "penalty" (a failed deal), "cost" or the id of an effect.
    `saved` counts ships that go to colonies instead, `removed` ships that leave the game; `arrived` is filled in when
    the rest has entered the warp. `restored` names those whose ships of this loss came back afterwards (`restore`);
    the loss has happened all the same.
    """

    parts: dict[str, dict[str, int]]
    cause: str
    saved: dict[str, int] = field(default_factory=dict)
    removed: dict[str, int] = field(default_factory=dict)
    arrived: dict[str, int] = field(default_factory=dict)
    restored: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, parts: Mapping[str, Mapping[str, int]], cause: str) -> Loss:
        """A loss of these ships; places and seats without any are dropped."""
        kept = {seat: {place: n for place, n in places.items() if n} for seat, places in parts.items()}
        return cls({seat: places for seat, places in kept.items() if places}, cause)

    @property
    def seats(self) -> list[str]:
        """Who loses ships."""
        return list(self.parts)

    def left(self, seat: str) -> int:
        """How many ships of a seat are still bound for the warp."""
        total = sum(self.parts.get(seat, {}).values())
        return total - self.saved.get(seat, 0) - self.removed.get(seat, 0)

    def save(self, seat: str, count: int) -> None:
        """Sends some of a seat's ships to its colonies instead of the warp."""
        self.saved[seat] = self.saved.get(seat, 0) + min(count, self.left(seat))


@dataclass
class Freed:
    """Ships of one player that came out of the warp together (B05)."""

    seat: str
    count: int
    cause: str


@dataclass
class Founded:
    """Colonies founded at the same moment: (seat, planet)."""

    colonies: list[tuple[str, str]]

    @property
    def seats(self) -> list[str]:
        """Who founded them."""
        return [seat for seat, _ in self.colonies]


@dataclass
class PowerLost:
    """A player's power is lost because he has too few home colonies (W01)."""

    seat: str


# ---- counting


def at_place(t: Table, seat: str, place: str) -> int:
    """How many ships of a player are at a place."""
    return _pile(t, place).get(seat, 0) if place != WARP else t.player(seat).warp


def long_in_warp(t: Table, seat: str) -> int:
    """How many of a player's ships have been in the warp since before this encounter."""
    return t.player(seat).warp - t.enc.new_in_warp.get(seat, 0)


def outside_warp(t: Table, seat: str) -> dict[str, int]:
    """Where a player's ships are, outside the warp: planets, gate and side."""
    places = on_colonies(t, seat)
    enc = t.state.encounter
    if enc is not None:
        if enc.gate.get(seat):
            places[GATE] = enc.gate[seat]
        if enc.side.get(seat):
            places[SIDE] = enc.side[seat]
    return places


def on_colonies(t: Table, seat: str) -> dict[str, int]:
    """How many ships of a player are on each of his colonies."""
    return {planet: t.state.planets[planet][seat] for planet in t.colonies(seat)}


def post(t: Table, seat: str) -> str:
    """Where the ships of a main player or ally stand in the encounter (T08): target planet, gate or side."""
    enc = t.enc
    if seat == enc.defense:
        assert enc.target is not None
        return enc.target
    return GATE if enc.side_of(seat) == OFFENSE else SIDE


def elsewhere(t: Table, seat: str) -> dict[str, int]:
    """A player's ships on colonies that take no part in the encounter."""
    enc = t.enc
    return {planet: n for planet, n in on_colonies(t, seat).items() if seat != enc.defense or planet != enc.target}


# ---- moving without reactions


def take(t: Table, seat: str, places: Mapping[str, int]) -> int:
    """Takes ships up from places; returns how many. They count as `lifted` until they are put down again."""
    t.player(seat).lifted += sum(places.values())
    for place, count in places.items():
        if place == WARP:
            assert t.player(seat).warp >= count
            t.player(seat).warp -= count
            _note_new(t, seat, -count)
            continue
        pile = _pile(t, place)
        assert pile.get(seat, 0) >= count
        pile[seat] -= count
        if not pile[seat]:
            del pile[seat]
            t.board.look_at(seat)
    return sum(places.values())


def put(t: Table, seat: str, place: str, count: int) -> bool:
    """Puts ships down; returns whether that founded a colony."""
    if count == 0:
        return False
    t.player(seat).lifted -= count
    if place == WARP:
        t.player(seat).warp += count
        _note_new(t, seat, count)
        return False
    pile = _pile(t, place)
    founded = place in t.state.planets and seat not in pile
    pile[seat] = pile.get(seat, 0) + count
    if founded:
        t.board.look_at(seat)
    return founded


def _note_new(t: Table, seat: str, change: int) -> None:
    """Counts the ships in the warp that went there in this encounter; those come out first (see `long_in_warp`)."""
    if t.state.encounter is not None:
        t.enc.new_in_warp[seat] = max(0, t.enc.new_in_warp.get(seat, 0) + change)


def _remove(t: Table, seat: str, count: int) -> None:
    t.player(seat).lifted -= count
    t.player(seat).removed += count


def _pile(t: Table, place: str) -> dict[str, int]:
    if place == GATE:
        return t.enc.gate
    if place == SIDE:
        return t.enc.side
    return t.state.planets[place]


# ---- moving


def spread(t: Table, seat: str, count: int, topic: str, text: str, avoid: Iterable[str] = ()) -> Steps:
    """Puts ships that were taken up on colonies of their owner's choice (B01); without any, into the warp (B02)."""
    if count == 0:
        return
    barred = set(avoid)
    targets = [planet for planet in t.colonies(seat) if planet not in barred]
    if not targets:
        put(t, seat, WARP, count)
        t.say("ships-homeless", seat=seat, count=count)
        return
    places = dict.fromkeys(targets, count)
    where = yield from ask.ships(t, seat, topic, text, places, count, count, count=count)
    for planet, number in where.items():
        put(t, seat, planet, number)
    t.say("ships-home", seat=seat, places=where)


def send_home(t: Table, seat: str, place: str, count: int | None = None) -> Steps:
    """Returns a player's ships from the gate or the side (or a planet) to colonies; all of them without `count`."""
    there = at_place(t, seat, place)
    number = there if count is None else min(count, there)
    if number:
        take(t, seat, {place: number})
        yield from spread(t, seat, number, "return", "Where do you put {count} returning ships?")


def lose(t: Table, parts: Mapping[str, Mapping[str, int]], cause: str) -> Steps:
    """Sends ships to the warp together (B03 to B09); returns the `Loss` with what became of them."""
    loss = Loss.of(parts, cause)
    if loss.parts:
        yield from window(t, before("ships-lost"), subject=loss)
        yield from suffer(t, loss)
    return loss


def suffer(t: Table, loss: Loss) -> Steps:
    """Carries out a loss after all that could be done about it beforehand (the window `before:ships-lost`)."""
    _drop_moved(t, loss)
    if not loss.parts:
        return
    for seat, places in loss.parts.items():
        take(t, seat, places)
    for seat in loss.parts:
        if not t.colonies(seat):
            loss.saved.pop(seat, None)  # nothing is left where they could go (B02)
        count = loss.left(seat)
        put(t, seat, WARP, count)
        loss.arrived[seat] = count
        _remove(t, seat, loss.removed.get(seat, 0))
        if t.state.encounter is not None:
            t.enc.lost_to_warp[seat] = t.enc.lost_to_warp.get(seat, 0) + count
    t.say("ships-lost", parts={s: dict(p) for s, p in loss.parts.items()}, cause=loss.cause, saved=dict(loss.saved))
    for seat in [seat for seat in t.order() if loss.saved.get(seat)]:
        text = "Where do you put {count} saved ships?"
        yield from spread(t, seat, loss.saved[seat], "return", text)
    yield from settle(t)
    yield from window(t, after("ships-lost"), subject=loss)


def _drop_moved(t: Table, loss: Loss) -> None:
    """Ships that an effect has moved elsewhere in the meantime are not lost with the others."""
    parts = {
        seat: {place: min(count, at_place(t, seat, place)) for place, count in places.items()}
        for seat, places in loss.parts.items()
    }
    loss.parts = Loss.of(parts, loss.cause).parts
    for seat, count in loss.saved.items():
        loss.saved[seat] = min(count, sum(loss.parts.get(seat, {}).values()))


def pay(t: Table, seat: str, cause: str) -> Steps:
    """A cost of one own ship, to the warp. Counts as paid if a power brings it back (B10)."""
    places = outside_warp(t, seat)
    chosen = yield from ask.ships(t, seat, "pay", "Which ship do you pay?", places, 1, 1)
    yield from lose(t, {seat: chosen}, "cost")


def lose_chosen(t: Table, seat: str, count: int, cause: str) -> Steps:
    """A player loses that many ships of his choice from outside the warp (O50, O51, B07); returns the `Loss`."""
    text = "Which {count} ships do you lose?"
    chosen = yield from ask.ships(t, seat, "lose", text, outside_warp(t, seat), count, count, count=count)
    return (yield from lose(t, {seat: chosen}, cause))


def free(t: Table, seat: str, count: int, cause: str, *, old: bool = False) -> Steps:
    """Frees ships from the warp to colonies of their owner's choice; without a colony they stay (G05).

    With `old` only ships that have been there since before this encounter. Returns how many came out.
    """
    count = min(count, long_in_warp(t, seat) if old else t.player(seat).warp)
    if count <= 0 or not t.colonies(seat):
        return 0
    new = t.enc.new_in_warp.get(seat, 0)
    take(t, seat, {WARP: count})
    if old:
        t.enc.new_in_warp[seat] = new
    text = "Where do you put {count} freed ships?"
    yield from spread(t, seat, count, "return", text)
    yield from freed(t, seat, count, cause)
    yield from settle(t)
    return count


def restorable(t: Table, loss: Loss, seat: str) -> int:
    """How many of a player's ships of a loss can come back: all that are still in the warp or out of the game."""
    player = t.player(seat)
    if seat in loss.restored or not t.colonies(seat):
        return 0
    return min(loss.arrived.get(seat, 0), player.warp) + min(loss.removed.get(seat, 0), player.removed)


def restore(t: Table, loss: Loss, seat: str, cause: str) -> Steps:
    """Returns all ships that a player lost in a loss to colonies of his choice; returns how many.

    Those out of the warp are freed, and others react to that (B05).
    """
    count = restorable(t, loss, seat)
    if count == 0:
        return 0
    loss.restored.add(seat)
    player = t.player(seat)
    from_warp = min(loss.arrived.get(seat, 0), player.warp)
    take(t, seat, {WARP: from_warp})
    player.removed -= count - from_warp
    player.lifted += count - from_warp
    yield from spread(t, seat, count, "return", "Where do you put {count} ships?")
    yield from settle(t)
    if from_warp:
        yield from freed(t, seat, from_warp, cause)
    return count


def freed(t: Table, seat: str, count: int, cause: str) -> Steps:
    """Tells that ships have come out of the warp, and lets others react."""
    t.say("ships-freed", seat=seat, count=count, cause=cause)
    yield from window(t, after("ships-freed"), subject=Freed(seat, count, cause))


def land(t: Table, landings: Mapping[str, tuple[str, int]]) -> Steps:
    """Puts ships that were taken up on planets, all at one moment (O13): {seat: (planet, count)}."""
    colonies = []
    for seat, (planet, count) in landings.items():
        if put(t, seat, planet, count):
            colonies.append((seat, planet))
        if count:
            t.say("ships-landed", seat=seat, planet=planet, count=count)
    yield from settle(t)
    yield from founded(t, colonies)


def founded(t: Table, colonies: list[tuple[str, str]]) -> Steps:
    """Tells that colonies were founded, lets others react, and looks for a victory outside Resolution (Z03)."""
    if not colonies:
        return
    for seat, planet in colonies:
        t.say("colony-founded", seat=seat, planet=planet, foreign=owner_of(planet) != seat)
    yield from window(t, after("colony-founded"), subject=Founded(colonies))
    if not t.enc.resolving:
        victory.check(t)


def settle(t: Table) -> Steps:
    """When a batch is complete: notes which powers are lost or back (W01) and lets others react."""
    threshold = t.state.options.homes_for_power
    changed = []
    for seat in t.order():
        player = t.player(seat)
        lost = len(t.homes(seat)) < threshold
        if lost != player.power_lost:
            player.power_lost = lost
            if player.powers:
                t.say("power-lost" if lost else "power-regained", seat=seat)
            changed.append((seat, lost))
    for seat, lost in changed:
        if lost and t.player(seat).powers:
            yield from window(t, after("power-lost"), subject=PowerLost(seat))
