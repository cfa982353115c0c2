"""Scenarios: a position, what the players do, and what must come of it, as text (docs/scenarios.md).

    outcome = run(parse(text, "ties.yaml"))
    report = run_texts([("ties.yaml", text), …])
    text = dump(game)

A scenario comes in as text; reading files is for others.
"""

from cosmic_net.scenario.dump import dump, dump_view
from cosmic_net.scenario.lines import ScenarioError
from cosmic_net.scenario.parser import Scenario, parse
from cosmic_net.scenario.report import Report, run_text, run_texts
from cosmic_net.scenario.runner import Outcome, run

__all__ = [
    "Outcome",
    "Report",
    "Scenario",
    "ScenarioError",
    "dump",
    "dump_view",
    "parse",
    "run",
    "run_text",
    "run_texts",
]
