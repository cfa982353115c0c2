"""What a phase is about is said before the first question in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from client import notes
from client.desk.news import News
from client.show.explain import Explainer
from client.show.style import Style


def news(kind: str | None, *, explain: bool = True) -> News:
    """News for a player who is asked a question of this kind in the alliance phase."""
    asked: Any = None if kind is None else SimpleNamespace(decision={"kind": kind})
    desk = SimpleNamespace(
        told=SimpleNamespace(view={"encounter": {"phase": "alliance"}}),
        explainer=Explainer(explain),
        style=Style(),
        question=lambda: asked,
    )
    return News(cast(Any, desk))


def test_a_question_in_a_new_phase_comes_behind_its_explanation() -> None:
    at = news("choose")
    first = at.lines(notes.Moved())
    assert first[0].startswith("           Alliance: both main players may invite the others")
    assert at.lines(notes.Moved()) == []


def test_nothing_is_explained_to_one_who_is_not_asked_or_does_not_want_it() -> None:
    assert news(None).lines(notes.Moved()) == []
    assert news("react").lines(notes.Moved()) == []
    assert news("choose", explain=False).lines(notes.Moved()) == []
