"""Running many scenarios and telling how it went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cosmic_net.scenario.lines import ScenarioError
from cosmic_net.scenario.parser import parse
from cosmic_net.scenario.runner import Outcome, run


@dataclass
class Report:
    """The outcomes of several scenarios, in the order in which they were given."""

    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def passed(self) -> int:
        """How many passed."""
        return sum(outcome.passed for outcome in self.outcomes)

    @property
    def failed(self) -> int:
        """How many failed, those that could not be read among them."""
        return len(self.outcomes) - self.passed

    def lines(self) -> Iterator[str]:
        """The report for people: a line for each scenario, its failures below it, and the counts at the end."""
        for outcome in self.outcomes:
            yield f"{'ok    ' if outcome.passed else 'FAILED'} {outcome.name}: {outcome.title}"
            yield from (f"       {failure}" for failure in outcome.failures)
        yield f"{self.passed} passed, {self.failed} failed"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def run_text(text: str, name: str) -> Outcome:
    """Parses and runs one scenario; one that cannot be read is a failed outcome, no exception."""
    try:
        return run(parse(text, name))
    except ScenarioError as error:
        return Outcome(name, "cannot be read", [str(error)])


def run_texts(items: Iterable[tuple[str, str]]) -> Report:
    """Runs many scenarios, given as (name, text)."""
    return Report([run_text(text, name) for name, text in items])
