"""A host whose owner cheats in a game, and real clients: they notice, say it in plain words, and give nothing away."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from client import notes
from client.home import Home
from protocol import messages as m
from tests.client.conftest import Meet, Someone
from tests.client.hosts import TrickyHost

pytestmark = pytest.mark.timeout(180)


class CheatingHost(TrickyHost):
    module = "tests.support.cheating_host"

    @property
    def shares(self) -> list[str]:
        """Whose shares of the seed it was sent, and which."""
        path = self.folder / "shares"
        return path.read_text().split("\n")[:-1] if path.exists() else []


@pytest.fixture
def host(tmp_path: Path, home: Home) -> Iterator[CheatingHost]:
    folder = tmp_path / "tables" / "cheating"
    with CheatingHost(folder, reaction_s=0.3, deal_s=5.0) as started:
        (folder / "accomplice").write_bytes(home.profile("cy").secret())
        yield started


Three = tuple[Someone, Someone, Someone]
Gather = Callable[..., Awaitable[Three]]


@pytest.fixture
def gather(host: CheatingHost, meet: Meet) -> Gather:
    """Lets Ana (red), Ben (blue) and Cy (green, the host's accomplice) sit down."""

    async def people(*idle: str) -> Three:
        ana, ben, cy = [await meet(name, host.running, idle=name in idle) for name in ("ana", "ben", "cy")]
        await all_ready(ana)
        return ana, ben, cy

    return people


async def all_ready(someone: Someone) -> None:
    def ready() -> bool:
        table = someone.told.table
        return table is not None and table.phase == "lobby" and sum(seat.ready for seat in table.seats) == 3

    await someone.until(ready)


def alarms(someone: Someone) -> list[str]:
    return [note.text for note in someone.heard(notes.Alarm)]


async def test_a_share_of_the_seed_is_given_for_one_set_of_commitments_only(host: CheatingHost, gather: Gather) -> None:
    ana, ben, _ = await gather()
    host.play("draw-again")
    await ana.player.ask(m.Start)
    for someone in (ana, ben):
        await someone.until(lambda: any("another" in text for text in alarms(someone)))  # noqa: B023
        assert someone.player.prompts == []
    assert len(set(host.shares)) == len(host.shares), "nobody has given a share twice"


async def test_a_start_that_was_called_off_is_not_repeated_with_shares_that_are_known(
    host: CheatingHost, gather: Gather
) -> None:
    ana, ben, cy = await gather()
    host.play("call-off")
    await ana.player.ask(m.Start)
    await ana.until(lambda: ana.told.game is None and bool(ana.heard(notes.Info)))
    host.play("same-start")
    for someone in (ana, ben, cy):
        await someone.player.ask(m.Ready, ready=True)
    await all_ready(ana)
    before = host.shares
    await ana.player.ask(m.Start)
    for someone in (ana, ben):
        await someone.until(lambda: bool(alarms(someone)))  # noqa: B023
    assert host.shares == before


async def test_a_sealed_card_is_not_opened_before_the_other_one_is_chosen(host: CheatingHost, gather: Gather) -> None:
    people = await gather()
    host.play("peek")
    await people[0].player.ask(m.Start)
    await people[2].until(lambda: any(alarms(someone) for someone in people), 90)
    found = {text for someone in people for text in alarms(someone)}
    assert found == {"The host asks for your sealed card before the other one is chosen. It stays closed until then."}
    assert not (host.folder / "peeked").exists()
    host.play("")
    count = len(people[0].events("encounter-started"))
    await people[0].until(lambda: len(people[0].events("encounter-started")) >= count + 2)
    assert not any(people[0].events("forfeited")), "the cards were opened when it was time"


async def test_who_plays_at_a_seat_is_told_from_the_record_not_from_what_the_host_says(
    host: CheatingHost, gather: Gather
) -> None:
    people = await gather()
    await people[0].player.ask(m.Start)
    await people[0].until(lambda: bool(people[0].events("encounter-started")))
    assert not any(someone.heard(notes.PresenceChanged) for someone in people)
    host.play("usurp")
    for someone in people:
        await someone.until(lambda: notes.PresenceChanged("green", "bot") in someone.notes)  # noqa: B023


@pytest.mark.parametrize("trick", ["", "lobby"])
async def test_a_host_that_goes_back_to_an_earlier_point_of_the_game_is_found_out(
    trick: str, host: CheatingHost, gather: Gather, meet: Meet, tmp_path: Path
) -> None:
    people = await gather("cy")
    await people[0].player.ask(m.Start)
    await people[2].until(lambda: bool(people[2].player.prompts))
    host.kill()
    shutil.copytree(host.folder, tmp_path / "kept")
    host.start("--resume")
    people[2].idle = False
    people[2].go_on()
    await people[0].until(lambda: len(people[0].events("encounter-started")) > 1)
    host.kill()
    shutil.rmtree(host.folder)
    shutil.copytree(tmp_path / "kept", host.folder)
    await people[1].leave(goodbye=False)
    host.play(trick)
    host.start("--resume")
    again = await meet("ben", host.running, idle=True, sit=False)
    for someone in (people[0], again):
        await someone.until(lambda: bool(alarms(someone)))  # noqa: B023
