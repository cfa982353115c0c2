"""Powers that change hands: sheets are swapped, lent, discarded and drawn, with all that lies on them (W09, W10).

Nothing an alien attaches outlives its sheet: modifiers name their power and are void while it does not work, and what
was used stays used, since that is remembered by sheet (U20).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import drawing, hands
from cosmic_net.engine.phases.setup import excluded
from cosmic_net.engine.state import Power
from cosmic_net.engine.verbs import Steps

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def swap(t: Table, one: str, other: str) -> None:
    """Two players exchange all their sheets for good, also those that are lent out or put by at the moment."""
    a, b = t.player(one), t.player(other)
    a.powers, b.powers = b.powers, a.powers
    put_by, other_one = t.state.put_by, {one: other, other: one}
    put_by |= {other_one[seat]: put_by.pop(seat) for seat in (one, other) if seat in put_by}
    for player in t.state.players.values():
        for power in player.powers:
            power.lent_by = other_one.get(power.lent_by or "", power.lent_by)
    _changed(t, one, other)


def lend(t: Table, lender: str, borrower: str) -> None:
    """The borrower has all the lender's sheets instead of his own until they are given back (`give_back`)."""
    lent, own = t.player(lender).powers, t.player(borrower).powers
    t.state.put_by[borrower] = own
    t.player(lender).powers, t.player(borrower).powers = [], lent
    for power in lent:
        power.lent_by = lender
    _changed(t, lender, borrower)


def give_back(t: Table) -> None:
    """At the end of an encounter all lent sheets go back, and the borrowers have their own again.

    What a borrower has gained otherwise stays with him; a lent sheet that has left the game does not come back.
    """
    for borrower in list(t.state.put_by):
        player = t.player(borrower)
        lent = [power for power in player.powers if power.lent_by is not None]
        gained = [power for power in player.powers if power.lent_by is None]
        player.powers = t.state.put_by.pop(borrower) + gained
        lenders = []
        for power in lent:
            assert power.lent_by is not None
            lenders.append(power.lent_by)
            t.player(power.lent_by).powers.append(power)
            power.lent_by = None
        _changed(t, borrower, *dict.fromkeys(lenders))


def own_sheet(t: Table, seat: str) -> Power | None:
    """The sheet that is a player's own, be it put by or lent out at the moment, and not one it brought into play."""
    if seat in t.state.put_by:
        return next(iter(t.state.put_by[seat]), None)
    in_play = [power for player in t.state.players.values() for power in player.powers if power.brought_by is None]
    away = (power for power in in_play if power.lent_by == seat)
    here = (power for power in in_play if power in t.player(seat).powers and power.lent_by is None)
    return next(away, None) or next(here, None)


def change_own(t: Table, seat: str) -> Steps:
    """A player discards the sheet that is his own and draws an unused alien in its place."""
    power = own_sheet(t, seat)
    if power is not None:
        yield from lose_sheet(t, seat, power)
    draw_unused(t, seat)


def lose_sheet(t: Table, seat: str, power: Power) -> Steps:
    """A sheet leaves the game, wherever it lies, and those it brought with it.

    Tokens go, cards on it are discarded (W10); the alien goes to the spent ones (U23).
    """
    piles = [player.powers for player in t.state.players.values()] + list(t.state.put_by.values())
    pile = next(pile for pile in piles if power in pile)
    batch = hands.Discard()
    for gone in [power, *(other for other in pile if other.brought_by == power.uid)]:
        pile.remove(gone)
        t.state.spent_aliens.append(gone.id)
        batch.cards += [(seat, card.face) for card in gone.cards]
        gone.cards, gone.tokens = [], 0
    _changed(t, *dict.fromkeys((seat, t.holder(power) or seat)))
    yield from drawing.discard_batch(t, batch)


def draw_unused(t: Table, seat: str) -> Power | None:
    """A random alien that is not in play joins a player's own sheets (U23), put by while he has a lent one.

    Passed over are those with Game Setup text and those barred by a sheet in play; discarded aliens come back only
    when no other is left. None if there is none at all.
    """
    in_play = [power.id for player in t.state.players.values() for power in player.powers]
    in_play += [power.id for put_by in t.state.put_by.values() for power in put_by]
    fit = [
        alien for alien in t.state.pool if not t.catalog.aliens[alien].sheet.setup and not excluded(t, alien, in_play)
    ]
    fresh = [alien for alien in fit if alien not in t.state.spent_aliens] or fit
    if not fresh:
        t.say("no-alien-left", seat=seat)
        return None
    power = t.new_power(fresh[t.rng.below(len(fresh))])
    t.state.put_by.get(seat, t.player(seat).powers).append(power)
    t.say("alien-drawn", seat=seat, alien=power.id)
    _changed(t, seat)
    return power


def _changed(t: Table, *seats: str) -> None:
    t.index_powers()
    for seat in seats:
        t.say("power-changed", seat=seat, aliens=[power.id for power in t.player(seat).powers])
