"""Reacting: what to do in a window where one could act, with a power, an artifact, a flare or a reinforcement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cosmic_net.bots import hints, strengths, worth
from cosmic_net.bots.lazy import lazy
from cosmic_net.bots.outlook import Outlook
from cosmic_net.cards import faces
from cosmic_net.engine.rng import Rng
from cosmic_net.engine.state import DEFENSE, OFFENSE, SIDES, other_side

Action = Mapping[str, Any]


class Window:
    """One question of the kind "do you want to act", with what is known of the moment."""

    def __init__(
        self, o: Outlook, decision: Mapping[str, Any], dice: Callable[[], Rng], sealed: str | None = None
    ) -> None:
        self.o = o
        self.name: str = decision["window"]
        self.about: Mapping[str, Any] = decision["args"]
        self.actions: list[Action] = decision["actions"]
        self._dice = dice
        self.sealed = sealed

    @lazy
    def rng(self) -> Rng:
        """What chance there is in it."""
        return self._dice()

    def answer(self) -> str | None:
        """The action to take, or None to pass."""
        for action in self.actions:
            if self._wants(action):
                return str(action["id"])
        return None

    def chance(self, percent: int) -> bool:
        """True so many times out of a hundred."""
        return self.rng.below(100) < percent

    def _wants(self, action: Action) -> bool:
        card = action.get("card")
        if card is None:
            alien = action["args"].get("alien", action["id"])
            return self.judge(hints.POWERS.get(alien) or hints.WINDOWS.get(self.name, hints.POWER_DEFAULT))
        face = card[1]
        kind = faces.type_of(face)
        if kind == faces.REINFORCEMENT:
            return self.reinforces(faces.number(face))
        if kind == faces.FLARE:
            alien, half = face.removeprefix("flare-"), "super" if "(super)" in action["text"] else "wild"
            default = "always" if self.name in hints.EAGER_WINDOWS else hints.FLARE_DEFAULT
            return self.judge(hints.FLARES.get((alien, half)) or hints.WINDOWS.get(self.name, default))
        play = _ARTIFACTS.get(face)
        return self.judge(hints.FLARE_DEFAULT) if play is None else play(self)

    # ---- judgements

    def judge(self, hint: str) -> bool:
        """A judgement by its name in `hints`."""
        return bool(_JUDGEMENTS[hint](self))

    def losing(self) -> bool:
        """Whether one is on the side that loses as things stand."""
        winner = self.standing
        return winner is not None and self.o.my_side == other_side(winner)

    @lazy
    def standing(self) -> str | None:
        """The side that wins as things stand, as far as open cards and ships tell; None for a deal or nothing yet."""
        kinds = self.o.enc.get("kinds", {})
        if len(kinds) < 2:
            return None
        if kinds[OFFENSE] == kinds[DEFENSE] == faces.ATTACK:
            ahead = -self.margin if strengths.lower_wins(self.o) else self.margin
            return OFFENSE if ahead > 0 else DEFENSE
        attackers = [side for side in SIDES if kinds[side] == faces.ATTACK]
        return attackers[0] if len(attackers) == 1 else None

    @lazy
    def margin(self) -> int:
        """By how much the offense's total is ahead of the defense's."""
        o, added = self.o, self.o.enc["additions"]
        cards = strengths.shown(o, OFFENSE) - strengths.shown(o, DEFENSE)
        return cards + int(added[OFFENSE] - added[DEFENSE]) + strengths.lead(o, revealed=True)

    @lazy
    def worths(self) -> dict[str, float]:
        """What the win of a side is worth to oneself."""
        o = self.o
        return {
            OFFENSE: worth.if_offense_wins(o, o.allies, o.ships_here),
            DEFENSE: worth.if_defense_wins(o, o.allies, o.ships_here),
        }

    def hostile(self) -> bool:
        """Whether what is being done is an enemy's deed: the other side's, or a leader's."""
        seat = self.about.get("seat")
        if seat is None or seat == self.o.me:
            return False
        mine, theirs = self.o.my_side, self.o.side_of(seat)
        if mine is not None and theirs is not None:
            return mine != theirs and self.chance(70)
        return self.o.reaches(seat) and self.chance(70)

    def best_attack(self) -> int:
        """The highest attack card of the own hand."""
        numbers = [faces.number(face) for _, face in self.o.hand if faces.type_of(face) == faces.ATTACK]
        return max(numbers, default=-1)

    def sealed_number(self) -> int:
        """The number of the own card on the table, as far as one remembers; -1 if it is no attack or not known."""
        if self.sealed is None or faces.type_of(self.sealed) != faces.ATTACK:
            return -1
        return faces.number(self.sealed)

    def sealed_low(self) -> bool:
        """Whether the own card on the table is one that one would rather see on the other side."""
        return self.sealed is not None and self.sealed_number() < 9

    def sealed_mirrored(self) -> bool:
        """Whether the own card counts more with its digits swapped."""
        number = self.sealed_number()
        return number >= 0 and (number % 10) * 10 + number // 10 > max(number, 30)

    # ---- reinforcements

    def reinforces(self, number: int) -> bool:
        """Whether a reinforcement, with the others in hand, turns the result in one's favour."""
        winner = self.standing
        if winner is None or self.o.my_side is None:
            return False
        kinds = self.o.enc["kinds"]
        if faces.NEGOTIATE in kinds.values():
            return False
        favoured = max(SIDES, key=self.worths.__getitem__)
        if winner == favoured or self.worths[favoured] - self.worths[winner] < 2.0:
            return False
        if strengths.lower_wins(self.o):
            return False  # it would have to go to the other side
        needed = 1 - self.margin if favoured == OFFENSE else self.margin
        held = [faces.number(f) for _, f in self.o.hand if faces.type_of(f) == faces.REINFORCEMENT]
        return sum(held) >= needed

    # ---- artifacts

    def card_zap(self) -> bool:
        """Against what hurts: an enemy's flare or artifact, or an answer to one's own card."""
        seat, card = self.about.get("seat"), self.about.get("card")
        if seat is None or seat == self.o.me or card is None:
            return False
        aim = self.about.get("aim")
        if aim == self.o.me:
            return True
        if card in ("card-zap", "cosmic-zap"):
            table = [face for owner, face in self.o.view["table"] if owner == self.o.me]
            return bool(table) and self.chance(70)
        if card in hints.HARMFUL or faces.type_of(card) == faces.FLARE:
            if card == "emotion-control":
                return self.standing == self.o.my_side is not None
            return card != "plague" and self.hostile()
        return False

    def cosmic_zap(self) -> bool:
        """Against an enemy's power that decides the encounter."""
        alien = self.about.get("what")
        if alien in hints.NEVER_ZAP or self.about.get("seat") == self.o.me:
            return False
        if alien in hints.WORTH_A_ZAP:
            return self.hostile()
        return self.hostile() and self.chance(20)

    def mobius_tubes(self) -> bool:
        """With three ships or more in the warp, unless the others gain more by it."""
        in_warp = {seat: player["warp"] for seat, player in self.o.players.items()}
        mine = in_warp[self.o.me]
        return bool(mine >= 3 and mine * len(in_warp) >= 0.8 * sum(in_warp.values()))

    def plague(self) -> bool:
        """On a leader who is ahead."""
        leader = self.o.foreign[self.o.leader]
        return leader >= max(2, self.o.foreign[self.o.me])

    def emotion_control(self) -> bool:
        """If the result as it stands costs much more than a deal would."""
        winner = self.standing
        if winner is None or set(self.o.enc["kinds"].values()) != {faces.ATTACK}:
            return False
        return worth.if_deal(self.o) - self.worths[winner] > 4.0

    def force_field(self) -> bool:
        """Against a dangerous alliance: many ships more on the other side, or an ally who would win the game."""
        return bool(enemies_among_allies(self.o))

    def ionic_gas(self) -> bool:
        """When the other side is about to collect, and one's own is not."""
        enc, o = self.o.enc, self.o
        rewards = sum(enc.get("side", {}).values()) if enc.get("result") == DEFENSE else 0
        if o.my_side == DEFENSE and o.allies.get(o.me):
            return False
        paying = o.is_main and enc.get("result") == o.my_side
        owed = paying and enc.get("kinds", {}).get(other_side(str(o.my_side))) == faces.NEGOTIATE
        return bool(owed) or (rewards >= 3 and o.my_side == OFFENSE)

    def quash(self) -> bool:
        """On deals of others that win the game for one of them or bring him close."""
        o = self.o
        terms = self.about.get("terms", {})
        if o.is_main:
            return False
        for seat in (o.offense, o.defense):
            if seat is not None and o.reaches(seat):
                giver = o.defense if seat == o.offense else o.offense
                if terms.get(giver, {}).get("colony"):
                    return True
        return o.last_tick not in (None, o.me)


def enemy_allies(o: Outlook) -> int:
    """How many more ships allies bring to the other side than to one's own."""
    gate, beside = o.enc.get("gate", {}), o.enc.get("side", {})
    helping: int = sum(count for seat, count in gate.items() if seat != o.offense) - sum(beside.values())
    return helping if o.my_side == DEFENSE else -helping if o.my_side == OFFENSE else 0


def enemies_among_allies(o: Outlook) -> list[str]:
    """The allies whom one would send home: the other side's if they are many, and whoever would win the game."""
    dangerous = [
        seat
        for seat, side in o.allies.items()
        if side == OFFENSE and seat != o.me and o.reaches(seat) and o.gain(seat, o.target)
    ]
    if o.my_side is not None and enemy_allies(o) >= 3:
        enemies = [seat for seat, side in o.allies.items() if side != o.my_side]
        return sorted(set(enemies + dangerous))
    return [] if o.reaches(o.me) and o.my_side == OFFENSE else dangerous


_JUDGEMENTS: dict[str, Any] = {
    "always": lambda w: w.chance(90),
    "often": lambda w: w.chance(50),
    "rarely": lambda w: w.chance(12),
    "never": lambda w: False,
    "losing": Window.losing,
    "hostile": Window.hostile,
    "weak": lambda w: w.best_attack() < 10,
    "strong": lambda w: w.best_attack() >= 12,
    "few": lambda w: len(w.o.hand) <= 3,
    "sealed-low": Window.sealed_low,
    "sealed-good": lambda w: w.sealed_number() >= 12,
    "sealed-mirrored": Window.sealed_mirrored,
    "defending": lambda w: w.o.my_side == DEFENSE or (w.o.my_side is None and w.o.reaches(w.o.offense)),
    "enemy-allies": lambda w: enemy_allies(w.o) >= 3,
}

_ARTIFACTS: dict[str, Any] = {
    "card-zap": Window.card_zap,
    "cosmic-zap": Window.cosmic_zap,
    "emotion-control": Window.emotion_control,
    "force-field": Window.force_field,
    "ionic-gas": Window.ionic_gas,
    "mobius-tubes": Window.mobius_tubes,
    "plague": Window.plague,
    "quash": Window.quash,
}
