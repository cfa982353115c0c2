"""Setting up (section 4 of the rules): aliens, decks, hands, the first player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.cards import decks, faces
from cosmic_net.engine import ask, hands, position
from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.drawing import HAND_SIZE
from cosmic_net.engine.options import ALERTS, NO_ALIEN, BadSetup
from cosmic_net.engine.verbs import HOLDS, Ask, Steps, Use

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def run(t: Table) -> Steps:
    """Sets the game up; returns the first player."""
    state, options = t.state, t.state.options
    state.pool = pool(t)
    t.index_cards()
    dealt = yield from _choose_aliens(t)
    t.index_powers()
    for seat in state.seats:
        for power in t.player(seat).powers:
            t.say("alien-shown", seat=seat, alien=power.id)
    if t.setup.position is not None:
        position.place(t, t.setup.position)
        yield from _game_setup(t)
        return position.first_player(t)
    state.deck = decks.cosmic(options.artifacts)
    if options.flares:
        state.deck += [faces.flare_of(alien) for alien in _flares(t, dealt)]
    t.rng.shuffle(state.deck)
    for seat in state.seats:
        deal(t, seat)
    yield from _game_setup(t)
    return _first_player(t)


def pool(t: Table) -> tuple[str, ...]:
    """The aliens that may be dealt at this table, by the options' pool and alert level (SU26)."""
    options = t.state.options
    wanted = options.pool or tuple(sorted(t.catalog.aliens))
    if unknown := [alien for alien in (*wanted, *options.fixed.values()) if alien not in (*t.catalog.aliens, NO_ALIEN)]:
        raise BadSetup(f"no such alien: {', '.join(unknown)}")
    highest = ALERTS.index(options.alert)
    return tuple(a for a in wanted if ALERTS.index(t.catalog.aliens[a].sheet.alert) <= highest)


def deal(t: Table, seat: str) -> None:
    """Deals eight cards from the deck; the opening deal sets nothing off."""
    dealt = [t.state.deck.pop(0) for _ in range(HAND_SIZE)]
    cards = hands.put_in(t, seat, dealt)
    t.say(
        "cards-dealt",
        seat=seat,
        count=len(cards),
        to=[seat],
        secret={"cards": [list(card) for card in cards]},
    )


def excluded(t: Table, alien: str, others: list[str]) -> bool:
    """Whether a sheet bars this alien from a game with the others (SU10), in either direction."""
    sheets = t.catalog.aliens
    return alien in others or any(
        other in sheets[alien].sheet.excludes or alien in sheets[other].sheet.excludes for other in others
    )


def _choose_aliens(t: Table) -> Steps:
    """Gives out aliens as the table likes; returns the aliens whose flares are in the deck for certain."""
    options, seats = t.state.options, list(t.state.seats)
    if options.aliens == "fixed":
        chosen = {seat: options.fixed.get(seat, NO_ALIEN) for seat in seats}
    elif options.aliens == "choice":
        chosen = yield from _by_choice(t, seats)
    elif options.aliens == "random":
        chosen = dict(zip(seats, _deal_different(t, len(seats)), strict=True))
    else:
        aliens = _deal_different(t, 2 * len(seats))
        pairs = {seat: aliens[2 * i : 2 * i + 2] for i, seat in enumerate(seats)}
        chosen = yield from _by_flares(t, pairs)
        _give_sheets(t, chosen)
        return aliens
    _give_sheets(t, chosen)
    return [alien for alien in chosen.values() if alien != NO_ALIEN]


def _give_sheets(t: Table, chosen: dict[str, str]) -> None:
    for seat, alien in chosen.items():
        if alien != NO_ALIEN:
            t.player(seat).powers.append(t.new_power(alien))


def _deal_different(t: Table, count: int) -> list[str]:
    """That many different aliens, at random, none of which bars another."""
    stock = list(t.state.pool)
    t.rng.shuffle(stock)
    dealt: list[str] = []
    for alien in stock:
        if len(dealt) < count and not excluded(t, alien, dealt):
            dealt.append(alien)
    if len(dealt) < count:
        raise BadSetup(f"{count} aliens are needed, and this pool allows {len(dealt)}")
    return dealt


def _by_choice(t: Table, seats: list[str]) -> Steps:
    chosen: dict[str, str] = {}
    for seat in seats:
        free = [a for a in t.state.pool if not excluded(t, a, list(chosen.values()))]
        if not free:
            raise BadSetup("the pool has too few aliens for free choice")
        options = [ask.option(alien, "{alien}", alien=alien) for alien in free]
        chosen[seat] = yield from ask.pick(t, seat, "alien", "Which alien do you want to be?", options)
    return chosen


def _by_flares(t: Table, pairs: dict[str, list[str]]) -> Steps:
    """Two flares to each; all choose one of the two aliens secretly, at once (SU20, SU21)."""
    group = t.count("group")
    asked = {}
    for seat, pair in pairs.items():
        options = [ask.option(alien, "{alien}", alien=alien) for alien in pair]
        bounds = {"options": options, "min": 1, "max": 1}
        text = "Which of your two aliens do you want to be?"
        asked[seat] = ask.make(t, seat, kinds.CHOOSE, "alien", text, bounds, [pair[0]], group=group)
    answers = yield Ask(tuple(asked.values()))
    return {seat: answers[decision.id][0] for seat, decision in asked.items()}


def _flares(t: Table, dealt: list[str]) -> list[str]:
    """The flares in the deck: those dealt or in play, filled up at random to ten (SU22, SU23, SU32)."""
    rest = [alien for alien in t.state.pool if alien not in dealt]
    t.rng.shuffle(rest)
    return (dealt + rest)[: max(decks.FLARES_IN_DECK, len(dealt))]


def _game_setup(t: Table) -> Steps:
    """The Game Setup texts of the sheets in play (SU08), but for those that a position has laid out already."""
    for seat in t.state.seats:
        for power, value in t.values("setup", "setup", seat):
            if position.has_sheet_laid(t, seat, power):
                continue
            yield from value.effect(t, Use(seat, HOLDS, power=power))


def _first_player(t: Table) -> str:
    """Turns up destiny cards until a player's colour shows, then shuffles them all (SU07)."""
    state = t.state
    state.destiny_deck = decks.destiny(state.seats)
    t.rng.shuffle(state.destiny_deck)
    shown: list[str] = []
    for face in state.destiny_deck:
        shown.append(face)
        if (seat := face.removeprefix("destiny-")) in state.seats:
            break
    t.rng.shuffle(state.destiny_deck)
    t.say("first-player", seat=seat, cards=shown)
    return seat
