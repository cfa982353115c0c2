"""How the hooks of the fact files (`hooks-*.yaml`, names of `timing.md`) correspond to what hangs where in the code.

A hook of the facts is written `alien.half.part@window`, a mark in the code `alien.method@place`. A place is a window
of the engine, or `modifies:NAME`, `offers:NAME`, `deal_term:NAME`, `setup:setup`, or `source` (a sheet from which cards
can be played, which the engine asks for wherever cards are played or counted).

`WINDOWS` and `EVENTS` are the rule; what does not follow it is explained one by one in `MOVED`, `INSIDE` and `EXTRA`.
"""

from __future__ import annotations

from typing import NamedTuple

from cosmic_net.engine.verbs import after, before

#: Windows of timing.md and the engine's windows for them.
WINDOWS = {
    "hand-check": ("hand-check",),
    "turn-start": ("turn-start",),
    "regroup-start": ("regroup-start",),
    "after-regroup": ("after-regroup",),
    "before-destiny": ("before-destiny",),
    "destiny-chosen": ("destiny-chosen",),
    "destiny-settled": ("destiny-settled",),
    "before-aim": ("before-aim",),
    "after-aim": ("after-aim",),
    "after-launch": ("after-launch",),
    "before-invitations": ("before-invitations",),
    "alliances-formed": ("alliances-formed",),
    "before-selection": ("before-selection",),
    "after-selection": ("after-selection",),
    "first-of-all": ("first-of-all",),
    "after-reveal": ("after-reveal",),
    "after-outcome": ("after-outcome",),
    "looting": ("looting",),
    "after-encounter": ("after-encounter",),
    "encounter-choice": ("encounter-choice",),
    "any-window": ("any-window",),
}


class Places(NamedTuple):
    """Where an event of timing.md can be met in the code: replaced before it, reacted to after it, or modified."""

    before: str = ""
    after: str = ""
    numbers: tuple[str, ...] = ()


def _event(name: str, *numbers: str) -> Places:
    return Places(before(name), after(name), tuple(f"modifies:{number}" for number in numbers))


#: Events of timing.md and what the engine has for them; those without any place are steps of the phases themselves.
EVENTS = {
    "encounter-started": Places(),
    # A retrieval is over when the ship is out of the warp, whatever brought it out.
    "ship-retrieved": Places(before("ship-retrieved"), after("ships-freed")),
    "destiny-drawn": Places(before("destiny-drawn")),
    "defense-determined": Places(),
    "gate-aimed": Places(numbers=("modifies:targets",)),
    # Offense and allies send ships through the same window and by the same limit.
    "ships-launched": Places(before("ships-sent"), numbers=("modifies:most-ships",)),
    "ally-answers": Places(before("ships-sent"), numbers=("modifies:most-ships", "modifies:warp-ships", "offers:ally")),
    "offense-invites": Places(),
    "defense-invites": Places(),
    "hands-checked": Places(numbers=("source",)),
    "cards-selected": Places(before("cards-selected"), numbers=("modifies:sealable", "source")),
    "cards-revealed": Places(before("cards-revealed"), numbers=("modifies:opens-last",)),
    "morph-copies": Places(),
    "planned-effects": Places(),
    "reinforcement-played": Places(numbers=("source",)),
    "encounter-card-replaced": Places(),
    "totals-computed": Places(
        numbers=tuple(f"modifies:{name}" for name in ("ship-worth", "ship-part", "ship-sign", "lower-wins"))
    ),
    "automatic-wins": Places(numbers=("modifies:automatic-winner",)),
    "result-reversed": Places(numbers=("modifies:result-reversed",)),
    "deal-opened": Places(numbers=("deal_term:free",)),
    "deal-agreed": Places(before("deal-agreed"), numbers=("deal_term:free",)),
    "deal-failed": Places(numbers=("modifies:deal-penalty",)),
    "outcome-fixed": Places(),
    "ships-lost": _event("ships-lost"),
    "extra-losses": Places("extra-losses", "extra-losses"),
    "ships-landed": Places(),
    "ships-returned": Places(),
    "compensation-taken": _event("compensation-taken", "compensation-count"),
    "rewards-taken": _event("rewards-taken", "reward-count"),
    "cards-discarded": _event("cards-discarded"),
    "victory-checked": Places(numbers=("modifies:has-won",)),
    "encounter-ended": Places(after=after("encounter-ended")),
    "turn-ended": Places(),
    "power-used": Places(before("power-used")),
    "card-played": Places(before("card-played"), after("card-played"), ("source",)),
    "cards-drawn": Places(after=after("cards-drawn")),
    "cards-taken": Places(),
    "cards-given": Places(),
    "hand-replaced": _event("hand-replaced"),
    "card-discarded": Places(after=after("card-discarded")),
    "card-comes-back": Places(),
    "deck-reshuffled": Places(after=after("deck-reshuffled")),
    "cosmic-quake": Places(),
    "ships-freed": Places(after=after("ships-freed")),
    "ships-removed": Places(),
    "colony-founded": Places(after=after("colony-founded")),
    "colony-lost": Places(),
    "power-lost": Places(after=after("power-lost")),
    "power-regained": Places(),
    "power-changed": Places(),
    "tokens-changed": Places(),
    "game-setup": Places(numbers=("setup:setup",)),
}

#: What belongs to things that this game does not have.
NOT_HERE = (
    "tech-used",
    "tech-completed",
    "tech-discarded",
    "tech-drawn",
    "planet-removed",
    "planet-moved",
    "cheat-called",
)


class Moved(NamedTuple):
    """A hook that hangs somewhere else in the code than the rule says: the mark, and why."""

    mark: str
    why: str


#: Hooks of the facts whose counterpart hangs at another place.
MOVED = {
    "barbarian.wild@compensation-taken": Moved(
        "barbarian.sift@after:compensation-taken", "all cards are seen first, so it is played when they have come"
    ),
    "barbarian.wild@rewards-taken": Moved("barbarian.sift@after:rewards-taken", "as with compensation"),
    "gambler.super@cards-revealed": Moved(
        "gambler.raise_stake@after:claim-made", "the stake goes with the claim, which is a moment of the power itself"
    ),
    "healer.super@ships-lost": Moved(
        "healer.fee_for_each_ship@before:fee-drawn", "it changes the fee of a healing, when the ships are back"
    ),
    "oracle.super@cards-selected": Moved(
        "oracle.end_it@first-card-open", "between the two selections, when the first card lies open"
    ),
}


class Inside(NamedTuple):
    """A hook without a mark of its own: the code (`module:name`) that does it, a piece of its source, and why."""

    where: str
    piece: str
    why: str


_A, _E = "cosmic_net.aliens.", "cosmic_net.engine."

#: Hooks of the facts that are done inside something else.
INSIDE = {
    # Powers: what follows from a use.
    "anti-matter.power.subtract@totals-computed": Inside(
        _A + "anti_matter:AntiMatter.negate", 'attach("ship-sign"', "the use attaches the change of the totals"
    ),
    "anti-matter.power.lower-wins@totals-computed": Inside(
        _A + "anti_matter:AntiMatter.negate", 'attach("lower-wins"', "the use attaches the change of the result"
    ),
    "gambler.power.claim@cards-selected": Inside(
        _E + "seals:lay_open", "_claim_or_open", "a card that has to lie open early is claimed by the same use"
    ),
    "gambler.power.bury@cards-discarded": Inside(
        _E + "phases.cleanup:discard_encounter_cards", "card.hidden", "hidden cards are buried"
    ),
    "healer.power@ships-removed": Inside(
        _E + "ships:restorable", "loss.removed", "removed ships are part of the loss that the power reacts to"
    ),
    "macron.power.count@totals-computed": Inside(
        _A + "macron:Macron.mass", 'attach("ship-worth"', "the use attaches what a ship counts"
    ),
    "mirror.power.reverse@planned-effects": Inside(
        _A + "mirror:Mirror.reverse", "reveal.plan", "the call plans the reversal"
    ),
    "philanthropist.power.refill@cards-given": Inside(
        _A + "philanthropist:Philanthropist.give", "new_hand", "the last step of the gift"
    ),
    "reincarnator.power.both@power-lost": Inside(
        _E + "table:Table.works", "power_lost", "a player's sheets are lost together"
    ),
    "reincarnator.power.both@power-regained": Inside(
        _E + "table:Table.works", "power_lost", "and come back together"
    ),
    "reincarnator.power.both@power-changed": Inside(
        _E + "powers:swap", "powers", "whoever gets a player's sheets gets all of them"
    ),
    "trader.power.refill@before-selection": Inside(
        _A + "trader:find_partner", "new_hand", "the new hand comes before the trade is announced"
    ),
    "will.power.planet@gate-aimed": Inside(
        _A + "will:Will.choose", 'attach("targets"', "the use attaches the wider choice of planets"
    ),
    "miser.power.back@card-comes-back": Inside(
        _E + "hands:settle_card", "use.source", "a card goes back to where it came from"
    ),
    "miser.power.sheet@power-changed": Inside(
        _E + "powers:lose_sheet", "gone.cards", "cards lie on the sheet, and go where it goes"
    ),
    # Flares.
    "gambler.wild.apply@planned-effects": Inside(
        _A + "gambler:Gambler.call_spread", "reveal.plan", "the call plans the addition"
    ),
    "machine.wild.new-hand@regroup-start": Inside(
        _A + "machine:Machine.second_encounter", "at_next_start", "the play leaves the new hand to the next start"
    ),
    "philanthropist.wild.hold@power-lost": Inside(
        _E + "table:Table.works", "power_lost", "whoever has the sheet now answers for it"
    ),
    "philanthropist.wild.hold@power-regained": Inside(_E + "table:Table.works", "power_lost", "the same"),
    "philanthropist.wild.return@encounter-ended": Inside(
        _E + "phases.turn:_end_of_encounter", "give_back", "all lent sheets go back at the end of an encounter"
    ),
    "reincarnator.wild.change@after-encounter": Inside(
        _A + "reincarnator:Reincarnator.condemn", "afterwards", "the play leaves the change to the end of the encounter"
    ),
    "zombie.super@ally-answers": Inside(
        _A + "zombie:Zombie.call_the_dead", 'attach("warp-ships"', "the play attaches what each ally may bring"
    ),
    # Encounter cards and reinforcements: the rules themselves.
    "card.attack.total@totals-computed": Inside(_E + "phases.reveal:total_parts", "value", "V12"),
    "card.attack.outcome@outcome-fixed": Inside(_E + "phases.reveal:_by_totals", "DEFENSE", "O01"),
    "card.negotiate.outcome@outcome-fixed": Inside(_E + "phases.reveal:_outcome", "NEGOTIATE", "O02"),
    "card.negotiate.compensation@compensation-taken": Inside(
        _E + "phases.resolution:_compensation", "NEGOTIATE", "O30"
    ),
    "card.negotiate.deal@deal-opened": Inside(_E + "phases.deal:bargain", "ships_home", "O40"),
    "card.morph.copy@morph-copies": Inside(_E + "phases.reveal:_morph", "replace_face", "V02"),
    "card.morph.late@encounter-card-replaced": Inside(_E + "phases.reveal:replace_face", "MORPH", "V11"),
    "card.morph.type@card-discarded": Inside(_E + "phases.cleanup:discard_encounter_cards", "card.card.face", "D20"),
    "card.morph.type@cards-discarded": Inside(_E + "phases.cleanup:discard_encounter_cards", "card.card.face", "D20"),
    "card.reinforcement.pass@after-reveal": Inside(_E + "windows:_note_passes", "passed_reinforcement", "V05"),
    # Destiny: the rules themselves.
    "destiny.destiny-colour.other@destiny-drawn": Inside(_E + "phases.destiny:_follow", "can_meet", "N03"),
    "destiny.destiny-colour.own@destiny-chosen": Inside(_E + "phases.destiny:_own_options", "settle", "N04"),
    "destiny.destiny-wild@destiny-chosen": Inside(_E + "phases.destiny:colour_of", "WILD", "N08, N10"),
    "destiny.destiny-special-colonies@destiny-drawn": Inside(_E + "phases.destiny:colour_of", "t.foreign", "N09"),
    "destiny.destiny-special-cards@destiny-drawn": Inside(_E + "phases.destiny:colour_of", "hand", "N09"),
    "destiny.destiny-special-warp@destiny-drawn": Inside(_E + "phases.destiny:colour_of", "warp", "N09"),
}  # fmt: skip

#: Marks in the code that no hook of the facts asks for.
EXTRA = {
    "miser.renew@hand-check": "the effect of any window opens none by itself; before a hand is judged it matters most",
    "miser.renew@before-selection": "the same, before cards are selected",
    "will.always@modifies:meets-anybody": "Will draws once, and the limits of N11 do not bind its choice",
    "gambler.wait@modifies:opens-last": "the card stays down until the claim; the claim itself is the hook",
}
