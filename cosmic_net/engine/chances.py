"""Chances: who might act in a window, as far as everybody can know, and what each can really do there.

Whether a player is asked depends on public facts alone: sheets in play, cards that nobody has seen yet, numbers of
cards in hands, what was played in this encounter. What he can do is told to him alone.
"""

from __future__ import annotations

from collections.abc import Sequence
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


class Round:
    """One round of a window: who has cards to play, worked out once for all of its effects."""

    def __init__(self, t: Table) -> None:
        self.t = t
        self.order = t.order()
        self._with_cards: list[str] | None = None

    def players(self, who: str, subject: Any) -> list[str]:
        """Who has a role and might have cards, in timing order."""
        if self._with_cards is None:
            self._with_cards = hands.may_have_cards(self.t, self.order)
        if who == verbs.ANY:
            return self._with_cards
        if who in verbs.BY_SUBJECT:
            return [seat for seat in self._with_cards if self.t.is_role(seat, who, subject)]
        return [seat for seat in self.t.cast()[who] if seat in self._with_cards]


def who_may(t: Table, staged: Sequence[Open], used: set[tuple[int | str, str]]) -> dict[str, list[Open]]:
    """Who might act with what, in timing order; players who cannot are left out.

    `used` holds the parts of powers (sheet, name) that have acted on this subject already, and the plays of cards
    (seat, name) that were taken back here.
    """
    now = Round(t)
    found: dict[str, list[Open]] = {}
    for item in staged:
        hook, _, face = item.entry
        seats = _users(t, item, used) if face is None else _players(now, item, used)
        if seats and hook.when is not None:
            seats = _allowed(t, item, seats)
        for seat in seats:
            found.setdefault(seat, []).append(item)
    if found and t.state.options.ask == "able":
        found = {seat: able for seat, mine in found.items() if (able := _able(t, seat, mine))}
    return {seat: found[seat] for seat in now.order if seat in found} if found else found


def _allowed(t: Table, item: Open, seats: Sequence[str]) -> Sequence[str]:
    """Those of several players whom the effect's `when` allows to act; it is asked with one `Use` for all of them."""
    _, (hook, power, _), subject = item
    assert hook.when is not None
    if hook.half == verbs.SUPER:
        power = t.power_of(seats[0], hook.owner)
    use = Use("", hook, power, subject=subject)
    allowed = []
    for use.seat in seats:
        if hook.when(t, use):
            allowed.append(use.seat)
    return allowed


def _able(t: Table, seat: str, items: list[Open]) -> list[Open]:
    """What is left of a player's chances if only those are asked who can act."""
    if any(item.entry.hook.must for item in items):
        return items
    return [item for item in items if actions_of(t, seat, [item])]


def _users(t: Table, item: Open, used: set[tuple[int | str, str]]) -> Sequence[str]:
    """Who may use a power: whoever has it, if it works and has not acted here (or in this encounter) yet."""
    _, (hook, power, _), subject = item
    assert power is not None
    seat = t.holder(power)
    if seat is None or not t.works(power) or not t.is_role(seat, hook.who, subject):
        return ()
    key = (power.uid, hook.name)
    if key in used or (hook.once and subject is None and key in t.enc.used):
        return ()
    return (seat,)


def _sheet(t: Table, seat: str, item: Open) -> Power | None:
    """The sheet that an effect stands on: of a power or of a super flare, none for other cards."""
    _, (hook, power, _), _ = item
    return t.power_of(seat, hook.owner) if hook.half == verbs.SUPER else power


def _players(now: Round, item: Open, used: set[tuple[int | str, str]]) -> Sequence[str]:
    """Who may play a kind of card of which one is unseen: by role, and for a flare by that half of it."""
    t, (_, (hook, _, face), subject) = now.t, item
    assert face is not None
    half, enc = hook.half, t.state.encounter
    if half == verbs.CARD:
        seats = now.players(hook.who, subject)
    else:
        if enc is not None and (face in enc.flares_played or (face, half) in enc.barred_halves):
            return ()
        supers = t.who_is(hook.owner)
        if half == verbs.SUPER and not supers:
            return ()
        seats = now.players(hook.who, subject)
        if supers:
            seats = [seat for seat in seats if (seat in supers) == (half == verbs.SUPER)]
        if enc is not None and enc.flare_players:
            seats = [seat for seat in seats if seat not in enc.flare_players]
    if used:
        seats = [seat for seat in seats if (seat, hook.name) not in used]
    return seats if seats and t.copies_unseen(face) > 0 else ()


def actions_of(t: Table, seat: str, found: Sequence[Open]) -> dict[str, Action]:
    """What this player can really do, by the id of the action."""
    actions: dict[str, Action] = {}
    held = hands.faces_to_play(t, seat)
    for item in found:
        stage, entry, subject = item
        hook, power, face = entry
        if face is None:
            if not hook.must and (hook.can is None or hook.can(t, Use(seat, hook, power=power, subject=subject))):
                _add(actions, hook.owner, hook, Action(stage, entry, subject))
        elif face in held:
            own = _sheet(t, seat, item)
            for card, source in hands.playable(t, seat, face):
                use = Use(seat, hook, power=own, card=card, source=source, subject=subject)
                if hook.can is None or hook.can(t, use):
                    name = face if source is None else f"{face}@{source.id}"
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
