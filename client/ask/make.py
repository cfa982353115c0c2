"""From a decision to the question that is shown for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from client.ask.choices import Cards, Choose, Number, React, Seal
from client.ask.deal import Deal
from client.ask.question import Question
from client.ask.ships import Ships
from client.show.words import Cast


def question(
    decision: Mapping[str, Any], view: Mapping[str, Any], cast: Cast, sealed: set[int] | None = None, odds: str = ""
) -> Question:
    """The question for a decision.

    `sealed` are the ids of one's own cards that lie face down: they are offered for nothing else. Raises KeyError or
    ValueError for a decision that is not of the protocol.
    """
    match decision["kind"]:
        case "choose":
            return Choose(decision, view, cast)
        case "ships":
            return Ships(decision, view, cast)
        case "cards":
            return Cards(decision, view, cast, sealed or set())
        case "declare":
            return Number(decision, view, cast)
        case "react":
            return React(decision, view, cast)
        case "seal":
            return Seal(decision, view, cast, odds)
        case "deal":
            return Deal(decision, view, cast)
    raise ValueError(f"no question of the kind {decision['kind']!r} is known")
