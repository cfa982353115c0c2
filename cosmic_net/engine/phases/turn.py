"""A turn: the start of turn, one or two encounters, and what may follow (section 5 of the rules)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cosmic_net.engine import ask, drawing, hands, position, powers
from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import EncounterEnds, GameEnds
from cosmic_net.engine.phases import (
    alliance,
    cleanup,
    destiny,
    launch,
    planning,
    regroup,
    resolution,
    reveal,
    setup,
    victory,
)
from cosmic_net.engine.state import Encounter
from cosmic_net.engine.verbs import Steps, after
from cosmic_net.engine.windows import Question, window, window_beside

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table

PHASES = {
    "regroup": regroup.run,
    "destiny": destiny.run,
    "launch": launch.run,
    "alliance": alliance.run,
    "planning": planning.run,
    "reveal": reveal.run,
    "resolution": resolution.run,
}


def game(t: Table) -> Steps:
    """A whole game, from setting up to the victory."""
    try:
        seat = yield from setup.run(t)
        start = position.start_of(t)
        while True:
            yield from turn(t, seat, start)
            start = {}
            seat = t.clockwise_from(seat)[1]
    except GameEnds:
        return


def turn(t: Table, seat: str, start: dict[str, object] | None = None) -> Steps:
    """One player's turn. `start` places the first encounter of a scenario in mid-turn."""
    start = start or {}
    t.state.turn += 1
    t.state.active = seat
    nth = int(str(start.get("nth", 1)))
    begin(t, seat, nth)
    if start:
        position.encounter(t, start)
    t.say("turn-started", seat=seat, turn=t.state.turn)
    if start.get("phase", "start-turn") == "start-turn":
        yield from _start_of_turn(t, seat)
    while True:
        skip_to = str(start.get("phase", "regroup"))
        turn_over = yield from encounter(t, "regroup" if skip_to == "start-turn" else skip_to)
        start = {}
        again = not turn_over and (yield from _another(t, seat, nth))
        yield from _end_of_encounter(t)
        if not again:
            break
        nth += 1
        begin(t, seat, nth)
    t.say("turn-ended", seat=seat)


def begin(t: Table, offense: str, nth: int) -> None:
    """Opens the record of the next encounter."""
    t.state.encounters += 1
    t.state.encounter = Encounter(t.state.encounters, offense, nth, phase="start-turn" if nth == 1 else "regroup")


def encounter(t: Table, first: str = "regroup") -> Steps:
    """Runs the encounter that `begin` opened, from a phase on; returns whether the turn is over with it."""
    enc = t.enc
    turn_over = False
    t.say("encounter-started", number=enc.number, offense=enc.offense, nth=enc.nth)
    try:
        names = list(PHASES)
        for name in names[names.index(first) :]:
            enc.phase = name
            yield from PHASES[name](t)
    except EncounterEnds as end:
        enc.result, enc.success, turn_over = end.result, end.success, end.turn_over
        t.say("encounter-cut", result=end.result, success=end.success)
        yield from cleanup.put_away(t)
    return turn_over


def _start_of_turn(t: Table, seat: str) -> Steps:
    """P01: a player without encounter card takes a new hand; then effects of the start of a turn."""
    if not hands.has_encounter_card(t, seat):
        yield from window(t, "hand-check")
        if not hands.has_encounter_card(t, seat):
            yield from drawing.new_hand(t, seat, "start-of-turn")
    yield from window(t, "turn-start")


def _another(t: Table, seat: str, nth: int) -> Steps:
    """After an encounter (O75, O76): its last effects, the victory check, and whether the player has another one.

    An encounter that was cut short has no Resolution; all that can follow it is another one.
    """
    enc = t.enc
    enc.phase = "resolution"
    names = ("after-encounter", "encounter-choice") if enc.resolving else ("encounter-choice",)
    question = partial(_second, t, seat, nth)
    answer = yield from window_beside(t, question, *names)
    if enc.facts.get("afterwards"):
        answer = yield from _afterwards(t, question)
    if enc.resolving:
        victory.check(t)
    enc.resolving = False
    return answer == ["yes"] or bool(enc.facts.get("again"))


def _afterwards(t: Table, question: Question) -> Steps:
    """Carries out what was put off until right after the encounter; the second encounter is asked for after that."""
    for change in t.enc.facts.pop("afterwards"):
        yield from change(t)
    return (yield from window_beside(t, question, "encounter-choice"))


def _end_of_encounter(t: Table) -> Steps:
    """What ends with every encounter, also with one that was cut short: lent powers go back."""
    yield from window(t, after("encounter-ended"))
    powers.give_back(t)


def _second(t: Table, seat: str, nth: int) -> Decision | None:
    """The question of a second encounter (O61, O62); None if the player has no right to one, or has one already.

    Asked also of a player who has no encounter card, so that nobody learns that; not asked if the game is won (O76).
    """
    entitled = t.enc.success and nth == 1 and not t.state.options.single_encounter
    if not entitled or t.enc.facts.get("again") or t.enc.facts.get("afterwards"):
        return None
    if t.enc.resolving and victory.winners(t):
        return None
    answers = [ask.option("yes", "yes"), ask.option("no", "no")]
    if not hands.has_encounter_card(t, seat):
        answers = answers[1:]
    bounds = {"options": answers, "min": 1, "max": 1}
    return ask.make(t, seat, kinds.CHOOSE, "again", "Do you have a second encounter?", bounds, ["no"])
