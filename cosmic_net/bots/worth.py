"""Worth: what colonies, ships and cards are worth to a player, and what the ways an encounter can end are."""

from __future__ import annotations

from collections.abc import Mapping

from cosmic_net.bots.outlook import Outlook
from cosmic_net.cards import faces
from cosmic_net.engine.state import DEFENSE, OFFENSE, owner_of

WIN, SHARED, LOSS = 100.0, 90.0, -100.0
SHIP, CARD, HOME, POWER = 0.45, 0.7, 1.5, 5.0
REWARD = 0.6
#: What it is worth to have had a success that allows a second encounter.
AGAIN = 2.5
#: And what it is worth to others if one more colony then wins the game for the offense.
AGAIN_TO_WIN = -8.0
#: How near the goal is worth how much, by the number of foreign colonies that are still missing.
PROGRESS = (60.0, 36.0, 27.0, 19.5, 13.0, 7.0, 2.0)
#: How much of what the others gain is a loss for oneself, shared among them.
RIVALRY = 1.2

NOTHING: Mapping[str, int] = {}


def progress(missing: int) -> float:
    """The worth of standing that many foreign colonies before the goal."""
    return PROGRESS[min(max(missing, 0), len(PROGRESS) - 1)]


def score(
    o: Outlook,
    foreign: Mapping[str, int],
    homes: Mapping[str, int] = NOTHING,
    ships: float = 0.0,
    cards: float = 0.0,
) -> float:
    """What a change is worth to `o.me`: foreign and home colonies by seat, own ships out of the warp, own cards."""
    me, goal, standing, reached = o.me, o.goal, o.foreign, []
    total = ships * SHIP + cards * CARD
    share = RIVALRY / (len(o.seats) - 1)
    for seat, count in foreign.items():
        missing = goal - standing[seat]
        if 0 < count >= missing:
            reached.append(seat)
        step = progress(missing - count) - progress(missing)
        total += step if seat == me else -share * step
    if reached:
        return LOSS if me not in reached else WIN if len(reached) == 1 else SHARED
    for seat, count in homes.items():
        step = home_worth(o, seat, count)
        total += step if seat == me else -share * 0.5 * step
    return total


def home_worth(o: Outlook, seat: str, count: int) -> float:
    """What that many home colonies more (or fewer) are worth to their owner."""
    before = o.homes[seat]
    step = HOME * count
    if (before >= o.homes_for_power) != (before + count >= o.homes_for_power) and o.players[seat]["powers"]:
        step += POWER if count > 0 else -POWER
    return step


def gifts_victory(o: Outlook, foreign: Mapping[str, int]) -> bool:
    """Whether these new foreign colonies make somebody else win, and oneself not."""
    if foreign.get(o.me) and o.reaches(o.me, foreign[o.me]):
        return False
    return any(count > 0 and o.reaches(seat, count) for seat, count in foreign.items())


# ---- an encounter


def landings(o: Outlook, allies: Mapping[str, str], target: str | None) -> dict[str, int]:
    """The foreign colonies that the offense's side founds if it wins."""
    winners = [o.offense] + [seat for seat, side in allies.items() if side == OFFENSE]
    return {seat: 1 for seat in winners if o.gain(seat, target)}


def if_offense_wins(o: Outlook, allies: Mapping[str, str], ships: int, target: str | None = None) -> float:
    """What a win of the offense is worth to `o.me`, who has so many ships in it."""
    target = o.target if target is None else target
    foreign, homes = landings(o, allies, target), {}
    there = o.planets.get(target, {}) if target else {}
    owner = owner_of(target) if target else None
    if owner == o.offense and not there.get(o.offense):
        homes[o.offense] = 1
    if o.defense and there.get(o.defense):
        if owner == o.defense:
            homes[o.defense] = -1
        else:
            foreign[o.defense] = foreign.get(o.defense, 0) - 1
    lost = ships if o.me == o.defense or allies.get(o.me) == DEFENSE else 0
    return score(o, foreign, homes, -lost) + second_encounter(o, foreign.get(o.offense, 0))


def if_defense_wins(o: Outlook, allies: Mapping[str, str], ships: int) -> float:
    """What a win of the defense is worth to `o.me`, who has so many ships in the encounter."""
    if o.last_tick is not None:
        return WIN if o.last_tick == o.me else LOSS
    if o.me == o.offense or allies.get(o.me) == OFFENSE:
        return -SHIP * ships
    return REWARD * ships if allies.get(o.me) == DEFENSE else 0.0


def if_deal(o: Outlook) -> float:
    """What going into a deal is worth, before anything is known of it."""
    if o.last_tick is not None:
        return WIN if o.last_tick == o.me else LOSS
    partner = o.opponent
    if not o.is_main or partner is None:
        return 0.0
    if o.reaches(o.me) != o.reaches(partner):
        return 0.5
    return 0.7 * score(o, {o.me: 1, partner: 1}) + second_encounter(o, 1)


def second_encounter(o: Outlook, gained: int = 0) -> float:
    """What a success is worth for the second encounter that it allows, after so many new colonies of the offense."""
    if o.enc.get("nth", 2) != 1 or o.options["single_encounter"]:
        return 0.0
    if o.me == o.offense:
        return AGAIN
    return AGAIN_TO_WIN if o.reaches(o.offense, gained + 1) else -0.4 * AGAIN


# ---- cards


def card_worth(face: str) -> float:
    """What it is worth to hold a card."""
    kind = faces.type_of(face)
    if kind == faces.ATTACK:
        return 0.1 + float((faces.number(face) / 10) ** 1.25)
    return _KINDS[kind]


_KINDS = {
    faces.NEGOTIATE: 0.6,
    faces.MORPH: 1.2,
    faces.REINFORCEMENT: 1.0,
    faces.ARTIFACT: 1.6,
    faces.FLARE: 1.5,
}
