"""Windows: where players may act, and the one way to act there.

A window asks everybody whom public facts allow to act, all at once. The answers are intents; the first in timing
order (K02) happens, then all are asked again, until all have passed in a row. Mandatory effects come at their owner's
first turn in the round (K07). Several windows with nothing between them can be opened as one, so that they share one
asking; what belongs to the earlier one still happens first.

Every use of a power and every play of a card goes through `use_power` and `play_card`: they announce it, open the
answers (zaps), carry it out and put the card where it belongs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cosmic_net.cards import decks
from cosmic_net.engine import ask, hands, verbs
from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.chances import ANY_TIME, PLACES, Action, Open, actions_of, describe, who_may
from cosmic_net.engine.errors import EncounterEnds, GameEnds, RulesError
from cosmic_net.engine.verbs import Ask, Hook, Steps, Use, after, before

if TYPE_CHECKING:
    from cosmic_net.engine.decisions import Decision
    from cosmic_net.engine.table import Table

#: No window goes round more often than this; more means that two effects feed each other for ever.
MOST_ROUNDS = 400

_REINFORCEMENTS = frozenset(f"reinforcement-{number}" for number in decks.REINFORCEMENTS)

#: A window by its name, or with a subject of its own.
Name = str | tuple[str, Any]
#: Makes the question that is thought over while a window is open; None if there is nothing to ask.
Question = Callable[[], "Decision | None"]
#: What the rules do between the first window and those opened with it; returns whether there was anything to do.
Between = Callable[[], Steps]


def window(t: Table, *names: Name, subject: Any = None, between: Between | None = None) -> Steps:
    """Opens a window (or several as one), and lets it run until all have passed.

    `subject` is what the window is about: the `Use` that can be answered, or the happening that can be replaced or
    reacted to. Each of its effects may act once on a subject, and once an encounter in a window without one, unless
    it says otherwise (`once`). `between` is done when the first window is over; if that changes anything, what was
    answered for the others is asked anew.
    """
    return window_beside(t, None, *names, subject=subject, between=between)


def window_beside(
    t: Table, question: Question | None, *names: Name, subject: Any = None, between: Between | None = None
) -> Steps:
    """Opens a window that runs while the next question is being thought over; returns that question's answer.

    The answer is told to nobody before the window is over. If somebody acts in the window the question is asked anew,
    since what he does may change it. Without a window the question is simply asked; without a question the answer is
    None.
    """
    stages = [name if isinstance(name, tuple) else (name, subject) for name in names]
    staged = [
        Open(at * PLACES + entry.hook.place, entry, about)
        for at, (name, about) in enumerate(stages)
        for entry in t.entries(name)
    ]
    if not staged and between is None:
        return _without_window(t, question)
    if all(about is None for _, about in stages):
        staged += [Open(ANY_TIME, entry, None) for entry in t.entries("any-window")]
    return _rounds(t, question, [name for name, _ in stages], staged, between)


def _without_window(t: Table, question: Question | None) -> Steps:
    """Nothing in this game hangs on the window: the question is simply asked."""
    asked = question() if question else None
    return (yield from ask.one(t, asked)) if asked else None


def _rounds(
    t: Table, question: Question | None, names: list[str], staged: list[Open], between: Between | None
) -> Steps:
    """Lets a window go round until all have passed."""
    last: str | None = None
    used: set[tuple[int | str, str]] = set()
    for _ in range(MOST_ROUNDS):
        open_ = _next_in_turn(t, who_may(t, staged, used), last) if staged else {}
        if between is not None and all(found[0].stage >= PLACES for found in open_.values()):
            yield from between()
            staged, between = _later(staged), None
            continue
        if not open_ or all(found[0].stage == ANY_TIME for found in open_.values()):
            return (yield from _without_window(t, question))
        due = _due(open_)
        choice, answer = _due_at_once(open_, due), None
        if choice is None:
            choice, answer = yield from _intents(t, names, open_, due, question)
        if between is not None and (choice is None or PLACES <= choice[1].stage < ANY_TIME):
            changed = yield from between()
            staged, between = _later(staged), None
            if changed:
                continue
        if choice is None:
            return answer
        last, action = choice
        if action.stage != ANY_TIME:
            staged = [item for item in staged if item.stage >= action.stage]
        yield from _perform(t, last, action, used)
    raise RulesError(f"window {names} never ends")


def _later(staged: list[Open]) -> list[Open]:
    """What belongs to the windows after the first."""
    return [item for item in staged if item.stage >= PLACES]


def _next_in_turn(t: Table, open_: dict[str, list[Open]], last: str | None) -> dict[str, list[Open]]:
    """The players in the order in which they now come: the round goes on after whoever acted last (K07, V06)."""
    if last is None:
        return open_
    order = t.order()
    at = order.index(last) + 1
    return {seat: open_[seat] for seat in order[at:] + order[:at] if seat in open_}


def _due(open_: dict[str, list[Open]]) -> dict[str, Open]:
    """The first mandatory effect of each player who has one."""
    due: dict[str, Open] = {}
    for seat, found in open_.items():
        for item in found:
            if item.entry.hook.must:
                due.setdefault(seat, item)
    return due


def _due_at_once(open_: dict[str, list[Open]], due: dict[str, Open]) -> tuple[str, Action] | None:
    """A mandatory effect that nobody could come before; what a player might do is in the order of stages."""
    if not due:
        return None
    seat, found = min(open_.items(), key=lambda mine: mine[1][0].stage)
    return (seat, Action(*found[0])) if found[0].entry.hook.must else None


def _intents(
    t: Table, names: list[str], open_: dict[str, list[Open]], due: dict[str, Open], question: Question | None
) -> Steps:
    """Asks everybody at once, the question beside it.

    Returns (seat, action) of the first in order, mandatory effects included, or None; and the question's answer.
    """
    group = t.count("group")
    actions: dict[str, dict[str, Action]] = {}
    decisions: dict[str, Decision] = {}
    for seat, found in open_.items():
        actions[seat] = actions_of(t, seat, found)
        decisions[seat] = _react(t, seat, names, found, actions[seat], group)
    beside = question() if question else None
    ids = {decision.id for decision in decisions.values()}

    def acted(answers: verbs.Answers) -> bool:
        return ids <= answers.keys() and any(isinstance(answers[each], str) for each in ids)

    asked = (*decisions.values(), beside) if beside else tuple(decisions.values())
    answers = yield Ask(asked, enough=acted)
    chosen: list[tuple[int, int, str, Action]] = []
    for rank, (seat, decision) in enumerate(decisions.items()):
        answer = answers[decision.id]
        if isinstance(answer, str):
            chosen.append((actions[seat][answer].stage, rank, seat, actions[seat][answer]))
        if seat in due:
            chosen.append((due[seat].stage, rank, seat, Action(*due[seat])))
    _note_passes(t, open_, {seat: answers[d.id] for seat, d in decisions.items()})
    if not chosen:
        return None, answers.get(beside.id) if beside else None
    _, _, seat, action = min(chosen, key=lambda item: item[:2])
    return (seat, action), None


def _react(t: Table, seat: str, names: list[str], found: list[Open], mine: dict[str, Action], group: int) -> Decision:
    """The question whether a player wants to act; `windows` are all that are open to him."""
    windows = names[:1]
    if len(names) > 1:
        stages = dict.fromkeys(item.stage // PLACES for item in found if item.stage != ANY_TIME)
        windows = [names[stage] for stage in stages] or windows
    described = [describe(action_id, action) for action_id, action in mine.items()]
    bounds = {"window": windows[0], "windows": windows, "actions": described}
    about = _about(windows[0], found[0].subject)
    text = "Do you want to act?"
    return ask.make(
        t, seat, kinds.REACT, "window", text, bounds, None, group=group, clock=kinds.REACTION_CLOCK, args=about
    )


def _note_passes(t: Table, open_: dict[str, list[Open]], answers: dict[str, Any]) -> None:
    """Whoever passes while reinforcements may be played plays none in this encounter (V05); silence is no pass."""
    for seat, found in open_.items():
        if answers[seat] is None and not _REINFORCEMENTS.isdisjoint([item.entry.face for item in found]):
            t.enc.passed_reinforcement.add(seat)


def _about(name: str, subject: Any) -> dict[str, Any]:
    """What the window is about, for everybody."""
    about: dict[str, Any] = {"window": name}
    if isinstance(subject, Use):
        about |= {"seat": subject.seat, "what": subject.hook.owner, "half": subject.hook.half}
        if subject.card is not None:
            about["card"] = subject.card.face
        if (aim := _public_aim(subject.aim)) is not None:
            about["aim"] = aim
    elif (terms := getattr(subject, "terms", None)) is not None:
        about["terms"] = terms
    return about


def _perform(t: Table, seat: str, action: Action, used: set[tuple[int | str, str]]) -> Steps:
    hook, power, subject = action.entry.hook, action.entry.power, action.subject
    if power is not None:
        use = Use(seat, hook, power=power, subject=subject)
        if hook.once:
            used.add((power.uid, hook.name))
        if subject is None:
            t.enc.used.add((power.uid, hook.name))
        yield from use_power(t, use)
        return
    own = t.power_of(seat, hook.owner) if hook.half == verbs.SUPER else None
    use = Use(seat, hook, power=own, card=action.card, source=action.source, subject=subject)
    yield from play_card(t, use)
    if hook.aim is not None and use.aim is None:
        used.add((seat, hook.name))  # taken back, and not tried again here: else a window might never end


def use_power(t: Table, use: Use) -> Steps:
    """Uses a power: aims, announces, opens the answers, carries it out. Returns whether it had its effect.

    An effect that is not `announced` simply holds and cannot be zapped.
    """
    hook = use.hook
    if hook.aim is not None:
        use.aim = yield from hook.aim(t, use)
        if use.aim is None:
            return False
    if hook.announced:
        assert use.power is not None
        t.say("power-used", seat=use.seat, alien=use.power.id, part=hook.name, aim=_public_aim(use.aim))
        yield from window(t, before("power-used"), subject=use)
        if use.cancelled:
            return False
    yield from hook.effect(t, use)
    return True


def use_part(t: Table, use: Use, part: str, **changes: Any) -> Steps:
    """Uses a power by a super flare that allows it: the part of the power by its method's name (F11)."""
    assert use.power is not None
    hook = next(h for h in use.power.alien.hooks if h.name == f"{use.power.id}.{part}")
    t.enc.used.add((use.power.uid, hook.name))
    again = Use(use.seat, hook, power=use.power, subject=use.subject, notes=dict(changes))
    return (yield from use_power(t, again))


def was_used(t: Table, use: Use, part: str) -> bool:
    """Whether a part of the power has been used in this encounter, by whoever had it then (U20)."""
    return use.power is not None and (use.power.uid, f"{use.power.id}.{part}") in t.enc.used


def play_card(t: Table, use: Use) -> Steps:
    """Plays a card: aims, lays it on the table, opens the answers, carries it out, puts the card where it goes.

    Returns whether it had its effect.
    """
    assert use.card is not None
    if use.hook.aim is not None:
        use.aim = yield from use.hook.aim(t, use)
        if use.aim is None:
            return False
    if use.source is not None and not (yield from _take_from_sheet(t, use)):
        return False
    _lay_down(t, use)
    t.depth += 1
    done = False
    try:
        yield from window(t, before("card-played"), subject=use)
        if not use.cancelled:
            done = True
            yield from use.hook.effect(t, use)
    except GameEnds:
        hands.settle_card(t, use, _destination(t, use))
        hands.pile_exchange(t)
        raise
    except EncounterEnds:
        yield from _finish_play(t, use, done)
        raise
    yield from _finish_play(t, use, done)
    return done


def _finish_play(t: Table, use: Use, done: bool) -> Steps:
    """The card goes where it goes; then others react to it, also if it has just ended the encounter."""
    t.depth -= 1
    hands.settle_card(t, use, _destination(t, use))
    if t.depth == 0:
        yield from _finish_exchange(t)
    if done and t.has_entries(after("card-played")):
        yield from window(t, after("card-played"), subject=use)


def _take_from_sheet(t: Table, use: Use) -> Steps:
    """A play from a sheet is a use of its power; until that is settled the card serves for nothing else."""
    assert use.card is not None
    t.committed.add(use.card.id)
    try:
        return (yield from use_power(t, Use(use.seat, FROM_SHEET, power=use.source, subject=use)))
    finally:
        t.committed.discard(use.card.id)


def _finish_exchange(t: Table) -> Steps:
    """When the last answer is settled, the cards of the exchange go to the pile together."""
    batch = hands.pile_exchange(t)
    if batch.cards and t.has_entries(after("card-discarded")):
        yield from window(t, after("card-discarded"), subject=batch)


def _lay_down(t: Table, use: Use) -> None:
    assert use.card is not None
    hands.lay_on_table(t, use)
    enc = t.state.encounter
    if use.hook.half in (verbs.WILD, verbs.SUPER) and enc is not None:
        enc.flare_players.add(use.seat)
        enc.flares_played.add(use.card.face)
    t.say(
        "card-played",
        seat=use.seat,
        card=use.card.face,
        half=use.hook.half,
        source=use.source.id if use.source else None,
        aim=_public_aim(use.aim),
    )


def _destination(t: Table, use: Use) -> str:
    """Where a played card goes: "discard", "hand", or the seat of a player who gets it."""
    if use.cancelled:
        if not use.counts:
            t.enc.flare_players.discard(use.seat)
            t.enc.flares_played.discard(use.card.face if use.card else "")
        return use.taker or use.returns
    goes = use.hook.goes
    return goes if isinstance(goes, str) else goes(t, use)


def _public_aim(aim: Any) -> Any:
    """An aim as everybody hears it: a seat, a planet or another single name; cards stay between those concerned."""
    return aim if isinstance(aim, str) else None


def _from_sheet(t: Table, use: Use) -> Steps:
    """A play from a sheet has no effect of its own: the card's follows."""
    return
    yield


#: The use of a power that lets a card be played from its sheet.
FROM_SHEET = Hook(name="sheet.play", half=verbs.POWER, at=(), who=verbs.ANY, effect=_from_sheet)
