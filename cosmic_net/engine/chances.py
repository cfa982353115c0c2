"""Chances: who might act in a window, as far as everybody can know, and what each can really do there.

Whether a player is asked depends on public facts alone: sheets in play, cards that nobody has seen yet, numbers of
cards in hands, what was played in this encounter. What he can do is told to him alone.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
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
    """One round of a window: who has which role and cards to play, worked out once for all of its effects."""

    def __init__(self, t: Table) -> None:
        self.t = t
        self.order = t.order()
        self._players: dict[str, list[str]] = {}

    def players(self, who: str, subject: Any) -> list[str]:
        """Who has a role and might have cards, in timing order."""
        found = self._players.get(who)
        if found is None:
            if who == verbs.ANY:
                found = [seat for seat in self.order if hands.may_hold_cards(self.t, seat)]
            else:
                found = [seat for seat in self.players(verbs.ANY, None) if self.t.is_role(seat, who, subject)]
            if who not in verbs.BY_SUBJECT:
                self._players[who] = found
        return found


def who_may(t: Table, staged: Sequence[Open], used: set[tuple[int | str, str]]) -> dict[str, list[Open]]:
    """Who might act with what, in timing order; players who cannot are left out.

    `used` holds the parts of powers (sheet, name) that have acted on this subject already, and the plays of cards
    (seat, name) that were taken back here.
    """
    now = Round(t)
    found: dict[str, list[Open]] = {}
    for item in staged:
        _, (hook, power, face), subject = item
        seats = _users(t, item, used) if face is None else _players(now, item)
        if hook.when is not None and seats:
            if hook.half == verbs.SUPER:
                power = t.power_of(seats[0], hook.owner)
            seats = [seat for seat in seats if hook.when(t, Use(seat, hook, power, subject=subject))]
        if face is not None and used:
            seats = [seat for seat in seats if (seat, hook.name) not in used]
        if seats and (face is None or t.copies_unseen(face) > 0):
            for seat in seats:
                found.setdefault(seat, []).append(item)
    if found and t.state.options.ask == "able":
        found = {seat: items for seat, mine in found.items() if (items := _able(t, seat, mine))}
    return {seat: found[seat] for seat in now.order if seat in found}


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


def _players(now: Round, item: Open) -> Sequence[str]:
    """Who may play a kind of card: those with the role who have cards, and for a flare that half of it."""
    t, (_, (hook, _, face), subject) = now.t, item
    half = hook.half
    if half == verbs.CARD:
        return now.players(hook.who, subject)
    supers, enc = t.who_is(hook.owner), t.state.encounter
    if half == verbs.SUPER and not supers:
        return ()
    if enc is not None and (face in enc.flares_played or (face, half) in enc.barred_halves):
        return ()
    played: Container[str] = () if enc is None else enc.flare_players
    seats = now.players(hook.who, subject)
    return [seat for seat in seats if (seat in supers) == (half == verbs.SUPER) and seat not in played]


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
