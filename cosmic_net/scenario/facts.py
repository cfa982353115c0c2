"""What came of a scenario: the facts that expectations name, looked up in the game as it stands at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cosmic_net.engine import hands
from cosmic_net.engine.events import Event
from cosmic_net.engine.state import Encounter, Power
from cosmic_net.scenario.lines import List

if TYPE_CHECKING:
    from cosmic_net.scenario.runner import Asked, Run


# ---- of an encounter


def _zapped(run: Run, enc: Encounter) -> list[str]:
    return [power.id for power in powers(run) if power.uid in enc.zapped]


ENCOUNTER: dict[str, Callable[[Run, Encounter], Any]] = {
    "winner": lambda run, enc: enc.result,
    "totals": lambda run, enc: enc.totals,
    "cards": lambda run, enc: {side: card.face for side, card in enc.cards.items()},
    "margin": lambda run, enc: enc.margin,
    "success": lambda run, enc: enc.success,
    "zapped": _zapped,
    "offense": lambda run, enc: enc.offense,
    "defense": lambda run, enc: enc.defense,
    "target": lambda run, enc: enc.target,
    "allies": lambda run, enc: enc.allies,
}


# ---- by a name: a player, a planet, an alien


def _hand(run: Run, seat: str, wanted: Any) -> Any:
    if isinstance(wanted, int):
        return hands.size(run.game.table, seat)
    return _faces(run.game.state.players[seat].hand)


def _hoard(run: Run, seat: str, wanted: Any) -> Any:
    held = [card for power in run.game.state.players[seat].powers for card in power.cards]
    return len(held) if isinstance(wanted, int) else _faces(held)


def _has(run: Run, seat: str, wanted: list[str]) -> Any:
    """The wanted cards as far as they are in the hand: the same list if all are."""
    held = Counter(_faces(run.game.state.players[seat].hand))
    return wanted if not Counter(wanted) - held else list(held.elements())


def _lacks(run: Run, seat: str, wanted: list[str]) -> Any:
    held = set(_faces(run.game.state.players[seat].hand))
    return [face for face in wanted if face not in held]


def _ships(run: Run, seat: str, wanted: Mapping[str, int]) -> dict[str, int]:
    return {place: _at(run, seat, place) for place in wanted}


def _at(run: Run, seat: str, place: str) -> int:
    state, enc = run.game.state, run.game.state.encounter
    if place == "warp":
        return state.players[seat].warp
    if place in ("gate", "side"):
        pile = {} if enc is None else (enc.gate if place == "gate" else enc.side)
        return pile.get(seat, 0)
    return state.planets[place].get(seat, 0)


def _works(run: Run, name: str, wanted: Any) -> bool:
    mine = run.game.state.players[name].powers if name in run.game.state.players else powers(run)
    found = [power for power in mine if name in run.game.state.players or power.id == name]
    return bool(found) and all(run.game.table.works(power) for power in found)


def _tokens(run: Run, alien: str, wanted: Any) -> int | None:
    return next((power.tokens for power in powers(run) if power.id == alien), None)


BY_NAME: dict[str, Callable[[Run, str, Any], Any]] = {
    "warp": lambda run, seat, wanted: run.game.state.players[seat].warp,
    "removed": lambda run, seat, wanted: run.game.state.players[seat].removed,
    "foreign": lambda run, seat, wanted: len(run.game.table.foreign(seat)),
    "home": lambda run, seat, wanted: len(run.game.table.homes(seat)),
    "ships": _ships,
    "colonies": lambda run, planet, wanted: dict(run.game.state.planets[planet]),
    "hand": _hand,
    "hand_has": _has,
    "hand_lacks": _lacks,
    "hoard": _hoard,
    "tokens": _tokens,
    "aliens": lambda run, seat, wanted: [power.id for power in run.game.state.players[seat].powers],
    "works": _works,
}


# ---- of the whole game


def _have(run: Run, wanted: list[str]) -> list[str]:
    pile = Counter(run.game.state.discards)
    return wanted if not Counter(wanted) - pile else list(run.game.state.discards)


def _deck(run: Run, wanted: Mapping[str, Any]) -> dict[str, Any]:
    deck = run.game.state.deck
    bottom = len(deck) - len(wanted.get("bottom", ()))
    facts = {"count": len(deck), "top": deck[: len(wanted.get("top", ()))], "bottom": deck[bottom:]}
    return {key: facts[key] for key in wanted}


def _destiny(run: Run, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Destiny discards are compared as they are written, with or without their first word."""
    state = run.game.state
    facts: dict[str, Any] = {"count": len(state.destiny_deck)}
    if "discards" in wanted:
        full = [face if str(face).startswith("destiny-") else f"destiny-{face}" for face in wanted["discards"]]
        facts["discards"] = wanted["discards"] if full == state.destiny_discards else state.destiny_discards
    return {key: facts[key] for key in wanted}


def _next(run: Run, wanted: Mapping[str, Any]) -> dict[str, Any] | None:
    enc = run.game.state.encounter
    if not run.ended or enc is None:
        return None
    return {key: {"offense": enc.offense, "nth": enc.nth}[key] for key in wanted}


def _phase(run: Run, wanted: Any) -> str | None:
    return run.game.state.encounter.phase if run.game.state.encounter else None


def _power_lost(run: Run, wanted: Any) -> list[str]:
    return [seat for seat, player in run.game.state.players.items() if player.power_lost]


def _discards(run: Run, wanted: Any) -> Any:
    return len(run.game.state.discards) if isinstance(wanted, int) else list(run.game.state.discards)


WHOLE: dict[str, Callable[[Run, Any], Any]] = {
    "power_lost": _power_lost,
    "discards": _discards,
    "discards_top": lambda run, wanted: run.game.state.discards[-len(wanted) :] if wanted else [],
    "discards_have": _have,
    "discards_lack": lambda run, wanted: [f for f in wanted if f not in run.game.state.discards],
    "deck": _deck,
    "destiny": _destiny,
    "next": _next,
    "phase": _phase,
    "over": lambda run, wanted: run.game.over,
    "winners": lambda run, wanted: run.game.winners,
}


# ---- events and questions


def event_fields(event: Event) -> dict[str, Any]:
    """An event with all its fields, the secret ones too."""
    return {"kind": event.kind, **event.data, **(event.secret or {})}


def is_event(event: Event, wanted: Any) -> bool:
    """Whether an event is of the wanted kind and has the wanted fields."""
    if isinstance(wanted, str):
        return event.kind == wanted
    fields = event_fields(event)
    return all(key in fields and fields[key] == value for key, value in wanted.items())


def is_asked(asked: Asked, wanted: Mapping[str, Any]) -> bool:
    """Whether a question is one of those meant."""
    return all(getattr(asked, key) == value for key, value in wanted.items() if key != "times")


def powers(run: Run) -> list[Power]:
    """All sheets in play."""
    return [power for player in run.game.state.players.values() for power in player.powers]


def _faces(cards: Any) -> list[str]:
    return [card.face for card in cards]


__all__ = ["BY_NAME", "ENCOUNTER", "WHOLE", "List", "event_fields", "is_asked", "is_event"]
