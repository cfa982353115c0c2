"""Every scenario under tests/scenarios passes; and a scenario that should fail does, at its line."""

from pathlib import Path

import pytest

from cosmic_net.scenario import ScenarioError, parse, run, run_text, run_texts

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_scenario(path):
    outcome = run_text(path.read_text(encoding="utf-8"), path.relative_to(FOLDER).as_posix())
    assert outcome.passed, "\n".join(outcome.failures)
