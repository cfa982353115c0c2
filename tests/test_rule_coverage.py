"""Every rule of a turn and of what surrounds it is tried by a scenario, or it is said here why it is not.

The rules are sections 4 to 15 of `tests/facts/rules.md`; a scenario names those that it tries under `source`.
"""

import re
from pathlib import Path

TESTS = Path(__file__).parent
SECTIONS = range(4, 16)

SETUP = "tests/engine/test_setup.py"
SECRECY = "tests/engine/test_public_and_secret.py"

#: What a scenario cannot show, since it begins after the setup and knows everything: the tests that name it.
ELSEWHERE = {
    **dict.fromkeys(("SU01", "SU02", "SU03", "SU04", "SU05", "SU06", "SU07"), SETUP),
    **dict.fromkeys(("SU20", "SU21", "SU22", "SU23", "SU24", "SU25", "SU26", "SU27", "SU31", "SU34"), SETUP),
    **dict.fromkeys(("I01", "I02", "I03", "I06"), SECRECY),
}

#: What cannot be seen in this game at all, and why.
UNSEEN = {
    "SU30": "there are no combo cards here",
    "SU32": "there are no combo cards here",
    "SU33": "there are no combo cards here",
    "N12": "the destiny cards here bear no hazard marks",
    "V13": "no alien here wins an encounter automatically",
    "F09": "the classic Filch flare is not in this game",
    "X03": "it only says where the single cards are described",
    "I07": "the rules have no part in talk",
    "B03": "nothing here removes ships from the game",
    "Q02": "there are no techs here",
}


def rules() -> set[str]:
    """The ids of the rules in the sections."""
    found, section = set(), 0
    for line in (TESTS / "facts" / "rules.md").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## (\d+)\.", line):
            section = int(heading[1])
        elif section in SECTIONS and (rule := re.match(r"- `([A-Z]+\d+)`", line)):
            found.add(rule[1])
    return found


def cited() -> set[str]:
    """All that scenarios name as their sources."""
    found = set()
    for path in (TESTS / "scenarios").rglob("*.yaml"):
        source = re.search(r"^source: *(\[[^\]]*\]|.*)", path.read_text(encoding="utf-8"), re.M)
        found.update(re.findall(r"\b[A-Z]+\d+\b", source[1]) if source else [])
    return found


def test_the_sections_are_found():
    assert {"SU01", "P00", "W01", "F01", "X01", "H01", "I01", "Z01", "K01", "B01", "Q01", "Q10"} <= rules()
    assert not {"C01", "D01", "T01", "Q20", "E01", "Y01", "U01"} & rules()


def test_every_rule_is_tried_by_a_scenario_or_explained():
    missing = rules() - cited() - set(ELSEWHERE) - set(UNSEEN)
    assert not missing, f"no scenario names {', '.join(sorted(missing))}"


def test_every_explanation_is_needed():
    assert not set(ELSEWHERE) & set(UNSEEN)
    assert set(ELSEWHERE) | set(UNSEEN) <= rules()
    needless = (set(ELSEWHERE) | set(UNSEEN)) & cited()
    assert not needless, f"scenarios do try {', '.join(sorted(needless))}"


def test_the_tests_named_here_name_the_rules():
    for rule, file in ELSEWHERE.items():
        text = (TESTS.parent / file).read_text(encoding="utf-8")
        assert re.search(rf"\b{rule}\b", text), f"{file} does not name {rule}"
