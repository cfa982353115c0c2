"""Destiny: who is met, and in whose system (N01 to N14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cosmic_net.cards import decks
from cosmic_net.engine import ask, ships
from cosmic_net.engine.errors import EncounterEnds
from cosmic_net.engine.verbs import Steps, before
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

WILD = "destiny-wild"


def run(t: Table) -> Steps:
    """The whole phase: draws until somebody can be met, or the encounter ends (U02)."""
    enc = t.enc
    while enc.defense is None:
        if not any_to_meet(t):
            t.say("nobody-to-meet", seat=enc.offense)
            raise EncounterEnds("cut", turn_over=True)
        face = yield from draw(t)
        yield from window(t, "destiny-chosen")
        if enc.defense is None:
            yield from _follow(t, face)
    t.say("defense-determined", seat=enc.defense, system=enc.system, target=enc.target)
    yield from window(t, "destiny-settled", "before-aim")


def draw(t: Table) -> Steps:
    """Turns up the top destiny card (N01, N02); returns its face."""
    state = t.state
    if len(state.destiny_deck) <= 1:
        state.destiny_deck += state.destiny_discards
        state.destiny_discards = []
        t.rng.shuffle(state.destiny_deck)
        t.say("destiny-reshuffled", count=len(state.destiny_deck))
    yield from window(t, before("destiny-drawn"), subject=Drawing(t.enc.offense))
    face = state.destiny_deck.pop(0)
    state.destiny_discards.append(face)
    t.enc.destiny.append(face)
    t.say("destiny-drawn", seat=t.enc.offense, card=face)
    return face


class Drawing:
    """A destiny card about to be drawn by the offense."""

    def __init__(self, seat: str) -> None:
        self.seat = seat


def meet(t: Table, defense: str, system: str, target: str | None = None) -> None:
    """Fixes whom the offense meets, in whose system, and the planet if that is settled with it."""
    t.enc.defense, t.enc.system, t.enc.target = defense, system, target


def colour_of(t: Table, face: str) -> str | None:
    """The player whose colour a destiny card counts as (N03, N09, N10); None for a wild."""
    seat = face.removeprefix("destiny-")
    if seat in t.state.seats:
        return seat
    if face == WILD:
        return None
    others = t.others(t.enc.offense)
    scores = {
        decks.DESTINY_SPECIALS[0]: lambda s: len(t.foreign(s)),
        decks.DESTINY_SPECIALS[1]: lambda s: len(t.player(s).hand),
        decks.DESTINY_SPECIALS[2]: lambda s: -t.player(s).warp,
    }
    return max(others, key=scores[face])  # ties: the first clockwise, since max keeps the first


def can_meet(t: Table, seat: str) -> bool:
    """Whether a player may be met in his own system (N11, U02, U25)."""
    offense = t.enc.offense
    if all(t.state.planets[planet].get(offense) for planet in t.system(seat)):
        return False
    return bool(t.homes(seat)) or not any(t.homes(other) for other in t.others(offense))


def any_to_meet(t: Table) -> bool:
    """Whether any destiny card could lead to an encounter, or to the settling of an own planet."""
    offense = t.enc.offense
    if t.number("meets-anybody", False, seat=offense):
        return True
    return any(can_meet(t, seat) for seat in t.others(offense)) or bool(_own_options(t))


def _follow(t: Table, face: str) -> Steps:
    """What the card says, when no effect has decided otherwise."""
    offense = t.enc.offense
    seat = colour_of(t, face)
    if seat == offense:
        yield from _own_colour(t)
    elif seat is None:
        able = [other for other in t.others(offense) if can_meet(t, other)]
        if able:
            chosen = yield from ask.seat_of(t, offense, "destiny", "Whom do you meet?", able)
            meet(t, chosen, chosen)
        else:
            t.say("destiny-redrawn", seat=offense)
    elif can_meet(t, seat):
        meet(t, seat, seat)
    else:
        t.say("destiny-redrawn", seat=offense)


def _own_options(t: Table) -> list[dict[str, Any]]:
    """N04: foreign colonies in the own system, and own planets without any ship."""
    offense = t.enc.offense
    options = []
    for planet in t.system(offense):
        for seat in t.others(offense):
            if t.state.planets[planet].get(seat):
                text = "drive {seat} from {planet}"
                options.append(ask.option(f"{seat}-on-{planet}", text, seat=seat, planet=planet))
        if not t.state.planets[planet] and (t.colonies(offense) or t.enc.gate.get(offense)):
            options.append(ask.option(f"settle-{planet}", "settle the empty {planet}", planet=planet))
    return options


def _own_colour(t: Table) -> Steps:
    offense = t.enc.offense
    options = _own_options(t)
    if not options:
        t.say("destiny-redrawn", seat=offense)
        return
    options.append(ask.option("redraw", "discard the card and draw again"))
    text = "You drew your own colour. What do you do?"
    answer = yield from ask.pick(t, offense, "destiny", text, options, default="redraw")
    if answer == "redraw":
        t.say("destiny-redrawn", seat=offense)
        return
    chosen = next(option for option in options if option["id"] == answer)["args"]
    if answer.startswith("settle-"):
        yield from _settle(t, offense, chosen["planet"])
    meet(t, chosen["seat"], offense, chosen["planet"])


def _settle(t: Table, offense: str, planet: str) -> Steps:
    """N04b: up to four ships found a colony on an own empty planet; the encounter is a success."""
    t.enc.target = planet
    text = "Which ships settle {planet}?"
    on_gate = t.enc.gate.get(offense, 0)
    low = 0 if on_gate else 1
    places = ships.on_colonies(t, offense)
    where = yield from ask.ships(t, offense, "ships", text, places, low, 4 - on_gate, planet=planet)
    count = ships.take(t, offense, where) + ships.take(t, offense, {ships.GATE: on_gate} if on_gate else {})
    yield from ships.land(t, {offense: (planet, count)})
    raise EncounterEnds("founded", success=True)
