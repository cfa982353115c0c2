"""Force Field: cancels alliances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosmic_net.engine import ask
from cosmic_net.engine.phases import alliance
from cosmic_net.engine.verbs import ANY, Artifact, Steps, Use, plays

if TYPE_CHECKING:
    from cosmic_net.engine.table import Table


def anybody_allied(t: Table, u: Use) -> bool:
    """There is an ally on some side."""
    return bool(t.enc.allies)


def choose_allies(t: Table, u: Use) -> Steps:
    """One, several or all allies, from either side."""
    allies = [seat for seat in t.order() if seat in t.enc.allies]
    options = [ask.option(seat, "{seat}", seat=seat) for seat in allies]
    text = "Whose alliance do you cancel?"
    u.notes["allies"] = yield from ask.choose(t, u.seat, "force-field", text, options, 1, len(options))
    return " ".join(u.notes["allies"])


class ForceField(Artifact):
    """Sends allies home; they count as having allied."""

    id = "force-field"
    who = ANY
    when = ("alliance",)
    text = "After alliances are formed: cancel the alliance of one, several or all allies; their ships go home."

    @plays("alliances-formed", when=anybody_allied, aim=choose_allies)
    def cancel(self, t: Table, u: Use) -> Steps:
        """In timing order."""
        for seat in [seat for seat in t.order() if seat in u.notes["allies"]]:
            yield from alliance.leave(t, seat)
