"""Odds: how likely a side wins, reckoned from the printed deck less what lies open and the own hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import accumulate
from operator import mul, sub

from cosmic_net.bots.lazy import lazy
from cosmic_net.bots.outlook import Outlook
from cosmic_net.bots.strengths import counting, lower_wins
from cosmic_net.cards import decks
from cosmic_net.engine.state import DEFENSE, OFFENSE

HIGHEST = 40
#: How often a main player is thought to negotiate.
NEGOTIATES = 0.2

Counting = Callable[[int], int]

_FULL = [decks.ATTACKS.get(value, 0) for value in range(HIGHEST + 1)]
_VALUES = {f"attack-{value:02}": value for value in decks.ATTACKS}


class Unseen:
    """The attack cards that somebody may play if these cards are known.

    Nobody plays the first card that comes: the better of two is a fair guess at what is played.
    """

    def __init__(self, known: Iterable[str]) -> None:
        left = _FULL.copy()
        for face in known:
            value = _VALUES.get(face)
            if value is not None and left[value]:
                left[value] -= 1
        total = sum(left) or 1
        shares = [so_far / total for so_far in accumulate(left, initial=0)]
        self.below = list(map(mul, shares, shares))
        """below[n]: the chance of a card that shows less than n, for n from 0 to 41."""
        self.chances = list(map(sub, self.below[1:], self.below))
        """chances[n]: the chance of a card that shows n."""
        self._offense_wins: dict[int, float] = {}

    def under(self, number: int) -> float:
        """The chance of a card that shows less than a number."""
        return self.below[number] if 0 < number <= HIGHEST else 0.0 if number <= 0 else 1.0

    @lazy
    def played(self) -> list[tuple[int, float]]:
        """The cards that there are, each with its chance."""
        return [(number, chance) for number, chance in enumerate(self.chances) if chance]

    def offense_wins(self, lead: int) -> float:
        """The chance that the offense wins with such a card against another one."""
        if lead not in self._offense_wins:
            ahead = [0.0] * -lead + self.below[max(0, lead) :] + [1.0] * lead  # of a card that shows 0, 1, 2, …
            self._offense_wins[lead] = sum(map(mul, self.chances, ahead))
        return self._offense_wins[lead]


#: Most of what is known stays the same from question to question.
_unseen = lru_cache(maxsize=64)(Unseen)


class Odds:
    """Chances as one player can reckon them at a moment."""

    def __init__(self, o: Outlook) -> None:
        self._o = o
        self._hand_wins: dict[tuple[str, int], float] = {}

    @lazy
    def unseen(self) -> Unseen:
        """What others may play."""
        return _unseen((*self._o.view["discards"], *[card[1] for card in self._o.hand]))

    def card_wins(self, side: str, value: int, lead: int) -> float:
        """The chance that an attack of this value wins for a side against an unknown attack.

        `lead` is by how many the offense's side is ahead without the cards; the defense wins ties.
        """
        if self._twisted is not None:
            return self._twisted_wins(side, value, lead, *self._twisted)
        return self.unseen.under(value + lead if side == OFFENSE else value - lead + 1)

    @lazy
    def _twisted(self) -> tuple[Counting, Counting, bool] | None:
        """How the own card and the opponent's count, and whether the lower total wins, if a power twists that."""
        o = self._o
        own, theirs, low = counting(o, o.me), counting(o, o.opponent), lower_wins(o)
        return None if own is None and theirs is None and not low else (own or int, theirs or int, low)

    def _twisted_wins(self, side: str, value: int, lead: int, own: Counting, theirs: Counting, low: bool) -> float:
        mine = own(value) + (lead if side == OFFENSE else -lead)
        tie = side == DEFENSE
        chance = 0.0
        for number, share in self.unseen.played:
            ahead = theirs(number) - mine if low else mine - theirs(number)
            chance += share * (ahead > 0 or (tie and ahead == 0))
        return chance

    def outcome(self, lead: int) -> tuple[float, float]:
        """The chances that offense and defense win, seen from outside; the rest are deals."""
        attacks = 1 - NEGOTIATES
        offense = self.unseen.offense_wins(lead)
        both, one = attacks * attacks, attacks * NEGOTIATES
        return both * offense + one, both * (1 - offense) + one

    @lazy
    def _good(self) -> tuple[int, int] | None:
        """The two best attack cards of the own hand (the best one twice if there is no other)."""
        values = sorted((_VALUES[face] for _, face in self._o.hand if face in _VALUES), reverse=True)
        return (values[0], values[min(1, len(values) - 1)]) if values else None

    def hand_wins(self, side: str, lead: int) -> float:
        """The chance to win as a main player with a good card of the own hand, whatever the opponent plays."""
        if self._good is None:
            return 0.05
        if (side, lead) not in self._hand_wins:
            best, next_best = self.card_wins(side, self._good[0], lead), self.card_wins(side, self._good[1], lead)
            self._hand_wins[side, lead] = NEGOTIATES + (1 - NEGOTIATES) * (0.6 * best + 0.4 * next_best)
        return self._hand_wins[side, lead]


__all__ = ["DEFENSE", "Odds"]
