"""Questions to players, as steps: each yields its decision and returns the checked answer.

A question whose only legal answer everybody can see to be the only one (where ships may stand is public) is not
asked. Questions about a hand are always asked, however few cards it has: skipping one would tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.state import Card
from cosmic_net.engine.verbs import Ask, Steps

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def make(
    t: Table,
    seat: str,
    kind: str,
    topic: str,
    text: str,
    bounds: Mapping[str, Any],
    default: Any,
    *,
    group: int | None = None,
    timer: int | None = None,
    clock: str = kinds.DECISION_CLOCK,
    args: Mapping[str, Any] | None = None,
) -> Decision:
    """A decision with the next id; in a group of its own if none is given."""
    group = t.count("group") if group is None else group
    timer = group if timer is None else timer
    return Decision(t.count("decision"), group, seat, kind, topic, text, bounds, default, args or {}, clock, timer)


def one(t: Table, decision: Decision) -> Steps:
    """Asks a single decision."""
    answers = yield Ask((decision,))
    return answers[decision.id]


def option(name: str, text: str, **args: Any) -> dict[str, Any]:
    """One option of a `choose` decision."""
    return {"id": name, "text": text, "args": args}


def choose(
    t: Table,
    seat: str,
    topic: str,
    text: str,
    options: Sequence[Mapping[str, Any]],
    low: int = 1,
    high: int = 1,
    default: list[str] | None = None,
    **args: Any,
) -> Steps:
    """Asks for `low` to `high` of the options; returns their ids. The options must be such as everybody may know."""
    decision = choose_question(t, seat, topic, text, options, low, high, default, **args)
    if decision is None:
        return [item["id"] for item in options]
    return (yield from one(t, decision))


def choose_question(
    t: Table,
    seat: str,
    topic: str,
    text: str,
    options: Sequence[Mapping[str, Any]],
    low: int = 1,
    high: int = 1,
    default: list[str] | None = None,
    **args: Any,
) -> Decision | None:
    """The question of `choose`, not asked yet; None if everything there is must be chosen."""
    high = min(high, len(options))
    low = min(low, high)
    if low == high == len(options):
        return None
    if default is None:
        default = [item["id"] for item in options[:low]]
    bounds = {"options": [dict(item) for item in options], "min": low, "max": high}
    return make(t, seat, kinds.CHOOSE, topic, text, bounds, default, args=args)


def pick(
    t: Table,
    seat: str,
    topic: str,
    text: str,
    options: Sequence[Mapping[str, Any]],
    default: str | None = None,
    **args: Any,
) -> Steps:
    """Asks for exactly one of the options; returns its id. There must be at least one."""
    (answer,) = yield from choose(t, seat, topic, text, options, default=None if default is None else [default], **args)
    return answer


def yes(t: Table, seat: str, topic: str, text: str, **args: Any) -> Steps:
    """Asks a yes-or-no question; returns a bool. No is the default."""
    answer = yield from pick(t, seat, topic, text, [option("yes", "yes"), option("no", "no")], default="no", **args)
    return answer == "yes"


def seat_of(t: Table, seat: str, topic: str, text: str, seats: Sequence[str], **args: Any) -> Steps:
    """Asks for one of these players."""
    options = [option(other, "{seat}", seat=other) for other in seats]
    return (yield from pick(t, seat, topic, text, options, **args))


def planet(t: Table, seat: str, topic: str, text: str, planets: Sequence[str], **args: Any) -> Steps:
    """Asks for one of these planets."""
    options = [option(place, "{planet}", planet=place) for place in planets]
    return (yield from pick(t, seat, topic, text, options, **args))


def ships(
    t: Table,
    seat: str,
    topic: str,
    text: str,
    places: Mapping[str, int],
    low: int,
    high: int,
    **args: Any,
) -> Steps:
    """Asks for `low` to `high` ships spread over places, each with its own most; returns {place: count}.

    Fewer ships than asked for lower the bounds (B07). The default is the fewest, from the first places.
    """
    decision = ships_question(t, seat, topic, text, places, low, high, **args)
    if decision is None:
        return _fewest(places, low)
    return (yield from one(t, decision))


def ships_question(
    t: Table,
    seat: str,
    topic: str,
    text: str,
    places: Mapping[str, int],
    low: int,
    high: int,
    **args: Any,
) -> Decision | None:
    """The question of `ships`, not asked yet; None if everybody can see that there is only one answer."""
    places = {place: most for place, most in places.items() if most > 0}
    room = sum(places.values())
    low, high = min(low, room), min(high, room)
    if high == 0 or (low == high and (len(places) == 1 or low == room)):
        return None
    bounds = {"places": places, "min": low, "max": high}
    return make(t, seat, kinds.SHIPS, topic, text, bounds, _fewest(places, low), args=args)


def _fewest(places: Mapping[str, int], total: int) -> dict[str, int]:
    taken: dict[str, int] = {}
    for place, most in places.items():
        if total and most > 0:
            taken[place] = min(most, total)
            total -= taken[place]
    return taken


def cards(
    t: Table,
    seat: str,
    topic: str,
    text: str,
    held: Sequence[Card],
    low: int = 1,
    high: int = 1,
    **args: Any,
) -> Steps:
    """Asks for `low` to `high` of these cards, which the player sees; returns their ids.

    Asked even when there is no real choice, since how many cards fit is secret; not asked when there is no card.
    """
    high = min(high, len(held))
    low = min(low, high)
    if not held:
        return []
    bounds = {"cards": [list(card) for card in held], "min": low, "max": high}
    default = [card.id for card in held[:low]]
    return (yield from one(t, make(t, seat, kinds.CARDS, topic, text, bounds, default, args=args)))


def declare(t: Table, seat: str, topic: str, text: str, low: int, high: int, default: int, **args: Any) -> Steps:
    """Asks for a number from `low` to `high`."""
    if low == high:
        return low
    bounds = {"min": low, "max": high}
    return (yield from one(t, make(t, seat, kinds.DECLARE, topic, text, bounds, default, args=args)))
