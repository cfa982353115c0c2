"""Standing passes: seats for which the host passes until something public happens. It never looks at their cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cosmic_net.engine.decisions import REACT, Decision
from cosmic_net.engine.game import Game
from protocol.messages import SeatName, StandingPass, Until


@dataclass(frozen=True)
class _Moment:
    """Where a game is, as far as standing passes ask."""

    turn: int
    active: str | None
    encounter: int | None
    phase: str | None

    @classmethod
    def of(cls, game: Game) -> _Moment:
        view = game.look()
        encounter = view["encounter"] or {}
        return cls(view["turn"], view["active"], encounter.get("number"), encounter.get("phase"))


class Standing:
    """The standing passes of a game."""

    def __init__(self) -> None:
        self._passes: dict[SeatName, tuple[StandingPass, _Moment]] = {}

    @property
    def passes(self) -> list[StandingPass]:
        """All that hold now."""
        return [standing for standing, _ in self._passes.values()]

    def set(self, game: Game, seat: SeatName, until: Until, keep: Sequence[str]) -> None:
        """A seat passes from now on, or not any more (until "off")."""
        if until == "off":
            self._passes.pop(seat, None)
        else:
            standing = StandingPass(seat=seat, until=until, keep=list(keep))
            self._passes[seat] = (standing, _Moment.of(game))

    def end(self, game: Game) -> list[SeatName]:
        """Ends the passes whose time has come; returns whose they were."""
        if not self._passes:
            return []
        now = _Moment.of(game)
        over = [seat for seat, (standing, since) in self._passes.items() if _is_over(standing, since, now)]
        for seat in over:
            del self._passes[seat]
        return over

    def passing(self, pending: Sequence[Decision]) -> Decision | None:
        """The first open decision that a standing pass answers."""
        if not self._passes:
            return None
        for decision in pending:
            standing, _ = self._passes.get(decision.seat, (None, None))  # type: ignore[call-overload]
            if standing and decision.kind == REACT and decision.bounds["window"] not in standing.keep:
                return decision
        return None


def _is_over(standing: StandingPass, since: _Moment, now: _Moment) -> bool:
    if standing.until == "turn":
        return now.active == standing.seat and now.turn != since.turn
    if standing.until == "encounter":
        return now.encounter != since.encounter
    return (now.encounter, now.phase) != (since.encounter, since.phase)
