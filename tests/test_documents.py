"""What the pages in docs/ say of the code is so: files, aliens, verbs, windows, numbers, commands, options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from client import main
from client.desk.commands import COMMANDS
from cosmic_net.engine import verbs
from cosmic_net.engine.catalog import CATALOG
from tests.facts.source import engine_numbers, engine_windows

ROOT = Path(__file__).parents[1]
ALIENS = (ROOT / "docs" / "aliens.md").read_text(encoding="utf-8")
PLAYING = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the tables under a heading, without their head rows."""
    section = re.split(r"\n## ", page.split(f"\n## {heading}\n", 1)[1])[0]
    found = []
    for table in re.findall(r"(?:^\|.*\n)+", section, re.M):
        found += [[cell.strip() for cell in row.strip("|").split("|")] for row in table.strip().split("\n")[2:]]
    return found


def code(cell: str) -> str:
    return cell.strip("`")


def test_the_table_of_aliens_is_that_of_the_sheets() -> None:
    sheets = [alien.sheet for alien in CATALOG.aliens.values()]
    expected = [[sheet.name, sheet.power, sheet.alert, sheet.short] for sheet in sheets]
    assert rows(ALIENS, "The aliens") == expected


def test_all_windows_are_listed() -> None:
    listed = {code(row[0]) for row in rows(ALIENS, "Windows")}
    assert listed == {name for name in engine_windows() if ":" not in name} | {"any-window"}


def test_all_events_are_listed_with_their_windows() -> None:
    listed = set()
    for name, before, after, _, _ in rows(ALIENS, "Events"):
        listed |= {verbs.before(code(name))} if before else set()
        listed |= {verbs.after(code(name))} if after else set()
    own = set(
        re.findall(r"`((?:before|after):[a-z-]+)`", ALIENS.split("\n## Windows", 1)[1].split("\n## Events", 1)[0])
    )
    assert listed | own == {name for name in engine_windows() if ":" in name}


def test_all_numbers_are_listed() -> None:
    assert {code(row[0]) for row in rows(ALIENS, "Numbers")} == engine_numbers()


def test_every_mark_hangs_on_a_window_that_is_opened() -> None:
    contents = (*CATALOG.aliens.values(), *CATALOG.artifacts.values(), *CATALOG.others.values())
    places = {place for content in contents for hook in content.hooks for place in hook.at}
    assert places <= engine_windows() | {"any-window"}


def test_all_roles_and_verbs_are_explained() -> None:
    roles = {name for name, value in vars(verbs).items() if name.isupper() and isinstance(value, str)}
    roles -= {"POWER", "WILD", "SUPER", "CARD"}
    marks = ("use", "replaces", "reacts", "wild", "super_", "plays", "modifies", "offers", "deal_term", "setup")
    assert [name for name in (*roles, *marks) if not re.search(rf"`{name}\b", ALIENS)] == []


def examples() -> list[tuple[str, list[str]]]:
    """Indented blocks that begin with the name of a file: the file, and the lines that are said to be in it."""
    found = []
    for block in re.findall(r"(?:^ {4,}.*\n|^\n(?= {4}))+", ALIENS, re.M):
        for part in re.split(r"(?=^ +# cosmic_net/)", block, flags=re.M):
            if name := re.match(r"\s*# (cosmic_net/\S+\.py)\n", part):
                found.append((name[1], [line.strip() for line in part.split("\n")[1:] if line.strip()]))
    return found


@pytest.mark.parametrize(("name", "lines"), examples())
def test_an_example_is_real(name: str, lines: list[str]) -> None:
    there = [line.strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if line not in there] == []


def test_there_are_examples() -> None:
    assert len(examples()) >= 10


def test_the_map_names_every_module_of_the_engine_and_none_that_is_not_there() -> None:
    section = re.split(r"\n## ", ARCHITECTURE.split("\n## Where to find what\n", 1)[1])[0]
    named: set[str] = set()
    for table in re.findall(r"(?:^\|.*\n)+", section, re.M):
        head, _, *body = table.strip().split("\n")
        folder = re.findall(r"`([a-z_/]+)/`", head)[0]
        for row in body:
            files = re.findall(r"`([a-z_0-9]+\.py)`", row.split("|")[1])
            named |= {f"{folder}/{name}" for name in files}
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
    engine = {str(path.relative_to(ROOT)) for path in (ROOT / "cosmic_net" / "engine").rglob("*.py")}
    assert [name for name in sorted(engine - named) if not name.endswith("__init__.py")] == []


def test_the_files_named_to_begin_with_are_there() -> None:
    for package, text in re.findall(r"[Bb]egin in `(host|client)/` with (.*?)(?=Begin|\n\n)", ARCHITECTURE, re.S):
        for name in re.findall(r"`([a-z_]+(?:\.py|/))`", text):
            assert (ROOT / package / name).exists(), f"{package}/{name}"


# ---- playing


def test_the_commands_of_the_program_are_explained() -> None:
    named = set(re.findall(r"cosmic-net ([a-z]+)", PLAYING))
    assert named == set(main.COMMANDS)


def test_the_commands_at_the_table_are_explained() -> None:
    first_words = {word for row in rows(PLAYING, "Commands") for word in re.findall(r"`([a-z?]+)[^`]*`", row[0])}
    known = {name for command in COMMANDS for name in command.names}
    assert {command.name for command in COMMANDS} <= first_words
    assert first_words - known <= {"encounter", "phase", "off"}  # answers to `pass`, `odds` and the like


def test_the_options_named_there_are_options(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for command in main.COMMANDS:
        with pytest.raises(SystemExit):
            main.main([command, "--help"])
        texts.append(capsys.readouterr().out)
    known = set(re.findall(r"--[a-z][a-z-]*", "".join(texts)))
    assert set(re.findall(r"--[a-z][a-z-]*", PLAYING)) - known == set()


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text):
            path = (page.parent / target) if target else page
            assert path.exists(), f"{page.name}: {target}"
            if anchor:
                heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
                slugs = {re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-") for head in heads}
                assert anchor in slugs, f"{page.name}: {target}#{anchor}"
