"""Every ruling about this game's aliens and cards is tried by a scenario, or it is said here why it is not.

The rulings are those of `tests/facts/rulings.yaml`; a scenario names those that it tries under `source`.
"""

import re
from pathlib import Path

from tests.facts.load import TWENTY, read

SCENARIOS = Path(__file__).parent / "scenarios"

TECH = "there are no techs here"
CLASSIC_FILCH = "the classic Filch flare is not in this game"

#: What no scenario can show, though all aliens that it speaks of are in this game.
UNSEEN = {
    "r021": "a special destiny card looks at the other players only (N09), so it never names the offense",
    **dict.fromkeys(("r118", "c062"), CLASSIC_FILCH),
    **dict.fromkeys(("r137", "r138", "r139", "c117", "c263", "c264", "c265", "c269", "c270", "c271"), TECH),
    **dict.fromkeys(("c272", "c275", "c281", "c282", "c283"), TECH),
}


def reached():
    """The rulings whose aliens are all in this game, by id; those without any alien are about everybody."""
    return {ruling["id"]: ruling for ruling in read("rulings") if set(ruling["aliens"]) <= set(TWENTY)}


def sources(path):
    """What a scenario names as its sources, in order."""
    found = re.search(r"^source: *(\[[^\]]*\]|.*)", path.read_text(encoding="utf-8"), re.M)
    return re.findall(r"[\w.-]+", found[1]) if found else []


def cited():
    """All that scenarios name as their sources."""
    return {name for path in SCENARIOS.rglob("*.yaml") for name in sources(path)}


def test_the_rulings_are_found():
    assert {"r002", "r035", "c118", "c251"} <= set(reached())
    assert not {"r010", "c266"} & set(reached())  # about the Kamikaze and the Human


def test_every_ruling_is_tried_by_a_scenario_or_explained():
    missing = set(reached()) - cited() - set(UNSEEN)
    assert not missing, f"no scenario names {', '.join(sorted(missing))}"


def test_every_explanation_is_needed():
    assert set(UNSEEN) <= set(reached())
    needless = set(UNSEEN) & cited()
    assert not needless, f"scenarios do try {', '.join(sorted(needless))}"


def test_rulings_are_left_out_for_techs_if_and_only_if_they_are_about_techs():
    about_techs = {name for name, ruling in reached().items() if ruling["topic"] == "tech"}
    assert about_techs == {name for name, reason in UNSEEN.items() if reason == TECH}


def test_a_file_named_after_a_ruling_names_it_first():
    wrong = [path.name for path in (SCENARIOS / "rulings").glob("*.yaml") if sources(path)[0] != path.name[:4]]
    assert not wrong
