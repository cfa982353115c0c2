"""Healer: gives other players their lost ships back, for a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cosmic_net.engine import ask, drawing, ships
from cosmic_net.engine.ships import Loss
from cosmic_net.engine.verbs import (
    ALL_PHASES,
    ANY,
    OTHERS,
    OWN,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    before,
    reacts,
    super_,
    wild,
)
from cosmic_net.engine.windows import window

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def patients(t: Table, u: Use) -> list[str]:
    """Other players with ships of this loss to give back, and a colony for them."""
    loss: Loss = u.subject
    return [seat for seat in t.order() if seat in loss.seats and seat != u.seat and ships.restorable(t, loss, seat)]


def somebody_is_hurt(t: Table, u: Use) -> bool:
    """There is somebody to heal."""
    return bool(patients(t, u))


def choose_patient(t: Table, u: Use) -> Steps:
    """One player; each healing is a use of its own."""
    return (yield from ask.seat_of(t, u.seat, "heal", "Whom do you heal?", patients(t, u)))


def own_power_is_zapped(t: Table, u: Use) -> bool:
    """The card being played is a Cosmic Zap on a use of his power, or on his super flare."""
    zap: Use = u.subject
    aimed_at = zap.subject
    at_own = isinstance(aimed_at, Use) and aimed_at.power is not None and aimed_at.seat == u.seat
    return zap.hook.owner == "cosmic-zap" and at_own and not zap.cancelled


class Healer(Alien):
    """Heal."""

    sheet = Sheet(
        id="healer",
        name="Healer",
        power="Heal",
        alert="yellow",
        short="Saves other players' lost ships",
        who=ANY,
        when=ALL_PHASES,
        mandatory=False,
        text=(
            "When another player loses ships to the warp or out of the game, you may give him all of them back to "
            "colonies of his choice, at once; draw one card for each player you heal. The loss still counts as one."
        ),
        wild=Half(ANY, ALL_PHASES, "A Cosmic Zap played on your power is discarded without effect."),
        super_=Half(ANY, ALL_PHASES, "When you heal a player, draw a card for each of his ships instead of one."),
        excludes=("masochist",),
    )
    texts: ClassVar = {
        "healed": "{seat} heals {count} ships of {victim}.",
        "zap-shaken-off": "The zap does nothing to {seat}.",
    }

    @reacts("ships-lost", who=OTHERS, once=False, place=5, when=somebody_is_hurt, aim=choose_patient)
    def heal(self, t: Table, u: Use) -> Steps:
        """All ships of the loss; compensation and the like are still due."""
        u.notes["healed"] = yield from ships.restore(t, u.subject, u.aim, "healer")
        t.say("healed", seat=u.seat, victim=u.aim, count=u.notes["healed"])
        yield from window(t, before("fee-drawn"), subject=u)
        yield from drawing.draw(t, u.seat, u.notes.get("fee", 1), "healer")

    @super_(before("fee-drawn"), who=OWN)
    def fee_for_each_ship(self, t: Table, u: Use) -> Steps:
        """For the healing that has just been done."""
        healing: Use = u.subject
        healing.notes["fee"] = healing.notes["healed"]
        return
        yield

    @wild(before("card-played"), who=ANY, when=own_power_is_zapped)
    def shake_off(self, t: Table, u: Use) -> Steps:
        """The zap is discarded, the power goes on."""
        zap: Use = u.subject
        zap.cancelled, zap.returns = True, "discard"
        t.say("zap-shaken-off", seat=u.seat)
        return
        yield
