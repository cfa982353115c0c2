"""Chances: who might act in a window, as far as everybody can know, and what each can really do there.

Whether a player is asked depends on public facts alone: sheets in play, cards that nobody has seen yet, numbers of
cards in hands, what was played in this encounter. What he can do is told to him alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from cosmic_net.engine import hands, verbs
from cosmic_net.engine.state import Card, Power
from cosmic_net.engine.verbs import Hook, Use

if TYPE_CHECKING:
    from cosmic_net.engine.table import Entry, Table

#: The places that effects of one window can have (B09); what has a lower one comes before, whoever it belongs to.
PLACES = 10

#: The stage of what can be done in any window; it opens none by itself.
ANY_TIME = 1000


class Open(NamedTuple):
    """An effect in a window: which of the windows opened as one, and what that window is about."""

    stage: int
    entry: Entry
    subject: Any


class Action(NamedTuple):
    """Something that a player can do in a window: an effect, the card it needs, and the sheet the card lies on."""

    stage: int
    entry: Entry
    subject: Any
    card: Card | None = None
    source: Power | None = None


def who_may(t: Table, staged: list[Open], used: set[tuple[int, str]]) -> dict[str, list[Open]]:
    """Who might act with what, in timing order; players who cannot are left out.

    `used` holds the parts of powers (sheet, name) that have acted on this subject already.
    """
    order = t.order()
    holding = [seat for seat in order if hands.may_hold_cards(t, seat)]
    found: dict[str, list[Open]] = {seat: [] for seat in order}
    for item in staged:
        hook = item.entry.hook
        uses = _power_uses(t, item, used) if item.entry.power else _card_uses(t, item, holding)
        for use in uses:
            if t.is_role(use.seat, hook.who, item.subject) and (hook.when is None or hook.when(t, use)):
                found[use.seat].append(item)
    if t.state.options.ask == "able":
        found = {seat: _able(t, seat, items) for seat, items in found.items()}
    return {seat: items for seat, items in found.items() if items}


def _able(t: Table, seat: str, items: list[Open]) -> list[Open]:
    """What is left of a player's chances if only those are asked who can act."""
    if any(item.entry.hook.must for item in items):
        return items
    return [item for item in items if actions_of(t, seat, [item])]


def _power_uses(t: Table, item: Open, used: set[tuple[int, str]]) -> Iterator[Use]:
    """The use of a working power that has not acted here (or, in a plain window, in this encounter) yet."""
    hook, power = item.entry.hook, item.entry.power
    assert power is not None
    key = (power.uid, hook.name)
    seat = t.holder(power)
    if seat is None or not t.works(power) or key in used:
        return
    if not (hook.once and item.subject is None and key in t.enc.used):
        yield Use(seat, hook, power=power, subject=item.subject)


def _card_uses(t: Table, item: Open, holding: list[str]) -> Iterator[Use]:
    """The uses that plays of a kind of card would be, by those who have cards, if the card may be in a hand."""
    hook, face = item.entry.hook, item.entry.face
    assert face is not None
    if t.copies_unseen(face) < 1:
        return
    if hook.half == verbs.CARD:
        for seat in holding:
            yield Use(seat, hook, subject=item.subject)
        return
    enc = t.state.encounter
    if enc is not None and (face in enc.flares_played or (face, hook.half) in enc.barred_halves):
        return
    for seat in holding:
        power = t.power_of(seat, hook.owner)
        half = verbs.SUPER if power is not None and t.works(power) else verbs.WILD
        if half == hook.half and (enc is None or seat not in enc.flare_players):
            yield Use(seat, hook, power=power if half == verbs.SUPER else None, subject=item.subject)


def actions_of(t: Table, seat: str, found: list[Open]) -> dict[str, Action]:
    """What this player can really do, by the id of the action."""
    actions: dict[str, Action] = {}
    for stage, entry, subject in found:
        hook = entry.hook
        if entry.power is not None:
            use = Use(seat, hook, power=entry.power, subject=subject)
            if not hook.must and (hook.can is None or hook.can(t, use)):
                _add(actions, hook.owner, hook, Action(stage, entry, subject))
            continue
        assert entry.face is not None
        for card, source in hands.playable(t, seat, entry.face):
            power = t.power_of(seat, hook.owner) if hook.half == verbs.SUPER else None
            use = Use(seat, hook, power=power, card=card, source=source, subject=subject)
            if hook.can is None or hook.can(t, use):
                name = entry.face if source is None else f"{entry.face}@{source.id}"
                _add(actions, name, hook, Action(stage, entry, subject, card, source))
    return actions


def _add(actions: dict[str, Action], name: str, hook: Hook, action: Action) -> None:
    if name in actions and actions[name].entry.hook is not hook:
        name = f"{name}:{hook.name.split('.', 1)[1]}"
    actions.setdefault(name, action)


def describe(name: str, action: Action) -> dict[str, Any]:
    """An action as it is offered to its player."""
    hook = action.entry.hook
    if action.card is None:
        return {"id": name, "text": "use the power of {alien}", "args": {"alien": hook.owner}}
    text = {verbs.WILD: "play {card} (wild)", verbs.SUPER: "play {card} (super)"}.get(hook.half, "play {card}")
    return {"id": name, "text": text, "args": {"card": action.card.face}, "card": list(action.card)}
