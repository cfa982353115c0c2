"""Anti-Matter: in its encounters the lower total wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from cosmic_net.cards import faces
from cosmic_net.engine import verbs
from cosmic_net.engine.phases import reveal
from cosmic_net.engine.verbs import (
    ALL_PHASES,
    ANY,
    MAIN,
    MAIN_OR_ALLY,
    Alien,
    Half,
    Sheet,
    Steps,
    Use,
    before,
    super_,
    use,
    wild,
)

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def both_attack(t: Table, u: Use) -> bool:
    """Both encounter cards are attacks now."""
    return reveal.both_are(t, faces.ATTACK)


def others_flare(t: Table, u: Use) -> bool:
    """Somebody else attempts a flare, either half."""
    played: Use = u.subject
    return played.hook.half in (verbs.WILD, verbs.SUPER) and played.seat != u.seat and not played.cancelled


def others_wild(t: Table, u: Use) -> bool:
    """Somebody else attempts the wild half of a flare."""
    return others_flare(t, u) and u.subject.hook.half == verbs.WILD


def stop(t: Table, u: Use) -> None:
    """The flare goes back to the hand, uncounted; that half of it is barred in this encounter (F08)."""
    played: Use = u.subject
    assert played.card is not None
    played.cancelled, played.returns, played.counts = True, "hand", False
    t.enc.barred_halves.add((played.card.face, played.hook.half))
    t.say("flare-stopped", seat=u.seat, victim=played.seat, card=played.card.face)


class AntiMatter(Alien):
    """Negation."""

    sheet = Sheet(
        id="anti-matter",
        name="Anti-Matter",
        power="Negation",
        alert="yellow",
        short="Lower total wins",
        who=MAIN,
        when=("reveal",),
        mandatory=True,
        text=(
            "When you and your opponent both reveal attacks, the lower total wins. Your ships and all allies' ships "
            "of both sides are subtracted from their totals; only your opponent's own ships are added."
        ),
        wild=Half(MAIN_OR_ALLY, ALL_PHASES, "Stop a wild flare that somebody else attempts to play."),
        super_=Half(ANY, ALL_PHASES, "Stop a flare, wild or super, that somebody else attempts to play."),
    )
    texts: ClassVar = {"flare-stopped": "{seat} stops {card}: it goes back to {victim}."}

    @use("after-reveal", who=MAIN, must=True, when=both_attack)
    def negate(self, t: Table, u: Use) -> Steps:
        """Holds for totals alone; a tie still goes to the defense."""
        opponent = t.opponent(u.seat)

        def sign(value: int, seat: str, side: str) -> int:
            return value if seat == opponent else -value

        t.attach("ship-sign", sign, power=u.power)
        t.attach("lower-wins", lambda value: not value, power=u.power)
        return
        yield

    @wild(before("card-played"), who=MAIN_OR_ALLY, when=others_wild)
    def stop_wild(self, t: Table, u: Use) -> Steps:
        """Its other half is still open."""
        stop(t, u)
        return
        yield

    @super_(before("card-played"), who=ANY, when=others_flare)
    def stop_flare(self, t: Table, u: Use) -> Steps:
        """The same, for either half."""
        stop(t, u)
        return
        yield
