"""Destiny: who is met, and in whose system (N01 to N14)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cosmic_net.cards import decks
from cosmic_net.engine import ask, ships
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import EncounterEnds
from cosmic_net.engine.phases import launch
from cosmic_net.engine.verbs import Steps, before
from cosmic_net.engine.windows import window, window_beside

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

WILD = "destiny-wild"


def run(t: Table) -> Steps:
    """The whole phase: draws until somebody can be met, or the encounter ends (U02).

    A colour fixes the defense at once, so that the offense may aim while others consider what to do about the card.
    """
    enc = t.enc
    while enc.defense is None:
        if not any_to_meet(t):
            t.say("nobody-to-meet", seat=enc.offense)
            raise EncounterEnds("cut", turn_over=True)
        face = yield from draw(t)
        _by_colour(t, face)
        answer = yield from window_beside(t, partial(_question, t, face), "destiny-chosen")
        if enc.facts.get("defense-by-card"):
            enc.target = answer[0] if answer else None
        elif enc.defense is None:
            yield from _follow(t, face, answer)
    if not enc.facts.get("defense-by-card"):
        _tell(t)
    yield from window(t, "destiny-settled")


def undecided(t: Table) -> bool:
    """Whether no effect has chosen the defense yet; what a card says can still be changed."""
    return t.enc.defense is None or bool(t.enc.facts.get("defense-by-card"))


def _by_colour(t: Table, face: str) -> None:
    """A card of another player's colour names him (N03, N10), unless he cannot be met or the offense chooses freely."""
    offense = t.enc.offense
    seat = colour_of(t, face)
    if seat in (None, offense) or not can_meet(t, str(seat)) or t.number("meets-anybody", False, seat=offense):
        return
    meet(t, str(seat), str(seat))
    t.enc.facts["defense-by-card"] = True
    _tell(t)


def _tell(t: Table) -> None:
    t.say("defense-determined", seat=t.enc.defense, system=t.enc.system, target=t.enc.target)


def _question(t: Table, face: str) -> Decision | None:
    """What the offense is asked about a card: where it aims, or whom it meets; None if an effect has settled it."""
    offense = t.enc.offense
    if t.enc.defense is not None:
        return launch.aim_question(t, t.enc.defense) if undecided(t) else None
    seat = colour_of(t, face)
    if seat is None:
        options = [ask.option(other, "{seat}", seat=other) for other in t.others(offense) if can_meet(t, other)]
        return ask.choose_question(t, offense, "destiny", "Whom do you meet?", options) if options else None
    if seat == offense:
        text = "You drew your own colour. What do you do?"
        options = _own_options(t)
        if not options:
            return None
        others = any(can_meet(t, other) for other in t.others(offense))
        default = options[-1] if others else options[0]  # an absent player is not to draw for ever
        return ask.choose_question(t, offense, "destiny", text, options, default=[default["id"]])
    return None


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
    t.enc.facts.pop("defense-by-card", None)
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


def _follow(t: Table, face: str, answer: list[str] | None) -> Steps:
    """What the card says, when no effect has decided otherwise; without an answer there was nothing to choose."""
    offense = t.enc.offense
    seat = colour_of(t, face)
    if seat == offense:
        yield from _own_colour(t, answer)
    elif seat is None:
        able = answer or [other for other in t.others(offense) if can_meet(t, other)]
        if able:
            meet(t, able[0], able[0])
        else:
            t.say("destiny-redrawn", seat=offense)
    elif can_meet(t, seat):
        meet(t, seat, seat)
    else:
        t.say("destiny-redrawn", seat=offense)


def _own_options(t: Table) -> list[dict[str, Any]]:
    """N04: foreign colonies in the own system, own planets without any ship; and to draw again, if there are such."""
    offense = t.enc.offense
    options = []
    for planet in t.system(offense):
        for seat in t.others(offense):
            if t.state.planets[planet].get(seat):
                text = "drive {seat} from {planet}"
                options.append(ask.option(f"{seat}-on-{planet}", text, seat=seat, planet=planet))
        if not t.state.planets[planet] and (t.colonies(offense) or t.enc.gate.get(offense)):
            options.append(ask.option(f"settle-{planet}", "settle the empty {planet}", planet=planet))
    return [*options, ask.option("redraw", "discard the card and draw again")] if options else []


def _own_colour(t: Table, answer: list[str] | None) -> Steps:
    offense = t.enc.offense
    if answer is None or answer == ["redraw"]:
        t.say("destiny-redrawn", seat=offense)
        return
    chosen = next(option for option in _own_options(t) if option["id"] == answer[0])["args"]
    if answer[0].startswith("settle-"):
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
