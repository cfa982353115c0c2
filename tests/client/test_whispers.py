"""Whispers between real clients at a real host, honest or crooked: the one who is meant reads them, and nobody else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client import notes
from client.home import Home
from client.wire.session import Refused
from protocol import codec, whisper
from protocol import messages as m
from tests.client.conftest import Meet, Someone
from tests.client.hosts import TrickyHost
from tests.client.test_plain import Piped, start
from tests.support import crooked_host

__all__ = ["start"]

pytestmark = pytest.mark.timeout(180)

TEXT = "I have no attack"


class CrookedHost(TrickyHost):
    module = "tests.support.crooked_host"

    @property
    def arrived(self) -> bytes:
        """All frames that it was sent."""
        return (self.folder / "frames").read_bytes()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[CrookedHost]:
    folder = tmp_path / "tables" / "crooked"
    house = json.dumps({"whispers": True})
    with CrookedHost(folder, "--house", house, "--record", str(folder / "frames"), reaction_s=30.0) as started:
        yield started


Three = tuple[Someone, Someone, Someone]


@pytest.fixture
async def three(host: CrookedHost, meet: Meet, home: Home) -> Three:
    """Ana, Ben and Cy at the table, idle."""
    ana, ben, cy = [await meet(name, host.running, idle=True) for name in ("ana", "ben", "cy")]
    for someone in (ana, ben, cy):
        await someone.until(ready(someone))
    return ana, ben, cy


def ready(someone: Someone) -> Callable[[], bool]:
    return lambda: someone.told.table is not None and sum(seat.ready for seat in someone.told.table.seats) == 3


async def begin(people: Three) -> None:
    """Ana starts the game; it waits for everybody."""
    await people[0].player.ask(m.Start)
    for someone in people:
        await someone.until(lambda: someone.told.view is not None)  # noqa: B023


def heard(someone: Someone) -> list[tuple[str, str, str | None, int]]:
    return [(note.seat, note.to, note.text, note.missed) for note in someone.heard(notes.Whispered)]


def alarms(someone: Someone) -> list[str]:
    return [note.text for note in someone.heard(notes.Alarm)]


async def said_to_all(by: Someone, people: Three) -> None:
    """Waits until all have heard everything that was said and whispered before."""
    before = {someone: len(someone.heard(notes.Said)) for someone in people}
    await by.player.ask(m.Say, text="that was it")
    for someone, count in before.items():
        await someone.until(lambda: len(someone.heard(notes.Said)) > count)  # noqa: B023


async def test_a_whisper_is_read_by_the_one_who_is_meant_and_seen_by_all(
    host: CrookedHost, three: Three, meet: Meet
) -> None:
    ana, ben, cy = three
    watcher = await meet("dee", host.running, idle=True, sit=False)
    for game in (False, True):
        if game:
            await begin(three)
        await ana.player.whisper("blue", TEXT)
        await ben.player.whisper("red", "nor I " + "\u6f22" * 300)
        await said_to_all(cy, three)
        await watcher.until(lambda count=2 + 2 * game: len(heard(watcher)) == count)  # type: ignore[misc]
    first, second = ("red", "blue"), ("blue", "red")
    long = "nor I " + "\u6f22" * 300
    assert heard(ben) == [(*first, TEXT, 0), (*second, None, 0)] * 2
    assert heard(ana) == [(*first, None, 0), (*second, long, 0)] * 2
    for other in (cy, watcher):
        assert heard(other) == [(*first, None, 0), (*second, None, 0)] * 2
    assert not any(alarms(someone) for someone in (*three, watcher))
    assert b"that was it" in host.arrived
    assert TEXT.encode() not in host.arrived
    assert "\u6f22".encode() not in host.arrived


async def test_the_length_of_a_whisper_tells_next_to_nothing_and_its_text_is_cleaned(
    host: CrookedHost, three: Three
) -> None:
    ana, ben, _ = three
    for text in ("no", "x" * 120, "x" * 500, "\u6f22" * 500):
        await ana.player.whisper("blue", text)
    fields = ana.player.whispers.make("blue", "a\x1b[2Jb\u202ec")  # no honest program lets that out
    await ana.player.ask(m.Whisper, **fields)
    await said_to_all(ana, three)
    assert heard(ben).pop()[2] == "a[2Jbc", "what could act on a terminal is taken out"
    assert [len(text or "") for _, _, text, _ in heard(ben)[:4]] == [2, 120, 500, 500]
    sizes = [len(request.data) for request in requests(host.arrived) if isinstance(request, m.Whisper)]
    assert sizes[:4] == [whisper.DATA_BYTES[0]] * 2 + [whisper.DATA_BYTES[1], whisper.DATA_BYTES[2]]


def requests(record: bytes) -> list[m.Request]:
    """What a host was sent: key, length as 4 bytes, frame."""
    found = []
    while record:
        length = int.from_bytes(record[32:36], "big")
        found.append(codec.decode_request(record[36 : 36 + length]))
        record = record[36 + length :]
    return found


@pytest.mark.parametrize(
    ("trick", "alarm"),
    [
        ("change", "A whisper of Ana to you was changed on its way, or was not meant for you."),
        ("forge", "The host has shown a whisper to you as Cy's that is not."),
        ("withhold", "Ana has whispered to you, and the host has not passed on what."),
        ("renumber", "A whisper of Ana to you was changed on its way, or was not meant for you."),
        ("repeat", "The host has shown you a whisper of Ana a second time."),
    ],
)
async def test_what_a_host_does_to_a_whisper_is_noticed(
    host: CrookedHost, three: Three, trick: str, alarm: str
) -> None:
    ana, ben, _ = three
    await begin(three)
    await ana.player.whisper("blue", TEXT)
    await said_to_all(ana, three)
    host.play(trick)
    await ana.player.whisper("blue", "now listen")
    await said_to_all(ana, three)
    assert [text for *_, text, _ in heard(ben)] == [TEXT]
    assert alarms(ben) == [alarm]
    host.play("")
    await ana.player.whisper("blue", "and now")
    await said_to_all(ana, three)
    assert heard(ben)[-1] == ("red", "blue", "and now", 1), "one before it never came"


async def test_a_whisper_that_is_passed_to_another_player_tells_him_nothing(host: CrookedHost, three: Three) -> None:
    ana, ben, cy = three
    await begin(three)
    await ana.player.whisper("blue", "first")
    await said_to_all(ana, three)
    host.play("redirect")
    await ana.player.whisper("blue", TEXT)
    await said_to_all(ana, three)
    assert [text for *_, text, _ in heard(ben)] == ["first", TEXT]
    assert [text for *_, text, _ in heard(cy)] == [None]
    assert alarms(cy) == ["A whisper of Ana to you was changed on its way, or was not meant for you."]


async def test_a_host_that_pretends_to_be_somebody_is_found_out_when_the_game_begins(
    host: CrookedHost, meet: Meet
) -> None:
    host.play("keys")
    ana, ben, cy = [await meet(name, host.running, idle=True) for name in ("ana", "ben", "cy")]
    await ana.until(ready(ana))
    await ana.player.whisper("blue", TEXT)
    sent = next(request for request in requests(host.arrived) if isinstance(request, m.Whisper))
    way = whisper.Way(
        host.key, "", "red", "blue", ana.player.identity.sign_key, crooked_host.SIGNER.sign_key, sent.number
    )  # fmt: skip
    read = whisper.unseal(crooked_host.SECRET, ana.player.whispers.own.key, way, sent.data)
    assert read == TEXT, "without a game there is only the host's word"
    assert alarms(ana) == []
    await begin((ana, ben, cy))
    assert alarms(ana) == ["Ben's key is another than the host said before: others may have read your whispers."]
    with pytest.raises(Refused, match="not Ben's"):
        await ana.player.whisper("blue", TEXT)
    assert alarms(cy) == []


async def test_whispers_go_on_after_a_cut_and_to_a_program_that_was_started_anew(
    host: CrookedHost, three: Three, meet: Meet
) -> None:
    ana, ben, _ = three
    await begin(three)
    link = ben.player.session._link
    take, link._on_frame = link._on_frame, lambda frame: None  # what is sent to Ben gets lost from now on
    await ana.player.whisper("blue", "one")
    await ana.player.whisper("blue", "two")
    link._on_frame = take
    await link._renew()
    await ben.until(lambda: len(heard(ben)) == 2)
    assert [text for *_, text, _ in heard(ben)] == ["one", "two"]
    await ben.leave(goodbye=False)
    again = await meet("ben", host.running, idle=True, sit=False)
    shown = again.player.whispers.own
    await ana.until(lambda: ana.told.table is not None and ana.told.table.seats[1].whisper == shown)
    await ana.player.whisper("blue", "three")
    await again.until(lambda: len(heard(again)) == 1)
    assert heard(again) == [("red", "blue", "three", 0)]
    assert alarms(again) == alarms(ana) == []


async def test_whispers_go_on_when_the_host_was_killed_and_goes_on_itself(host: CrookedHost, three: Three) -> None:
    ana, ben, cy = three
    await begin(three)
    await ana.player.whisper("blue", "one")
    await said_to_all(ana, three)
    host.kill()
    host.start("--resume")
    for someone in three:
        await someone.until(lambda: [note.state for note in someone.heard(notes.Connection)][-2:] == ["down", "up"])  # noqa: B023
    await ana.until(lambda: all(seat.whisper is not None for seat in taken(ana)))
    await ana.player.whisper("blue", "two")
    await said_to_all(cy, three)
    assert [(text, missed) for *_, text, missed in heard(ben)] == [("one", 0), ("two", 0)]
    assert not any(alarms(someone) for someone in three)


def taken(someone: Someone) -> list[m.SeatInfo]:
    assert someone.told.table is not None
    return [seat for seat in someone.told.table.seats if seat.name]


async def test_a_host_refuses_what_cannot_be_whispered(host: CrookedHost, three: Three, meet: Meet) -> None:
    ana, ben, cy = three
    watcher = await meet("dee", host.running, idle=True, sit=False)
    fields = ana.player.whispers.make("blue", TEXT)

    async def refused(by: Someone, **changes: object) -> tuple[str, str]:
        with pytest.raises(Refused) as caught:
            await by.player.ask(m.Whisper, **(fields | changes))
        return caught.value.code, caught.value.text

    assert (await refused(watcher))[0] == "not-seated"
    assert await refused(ana, to="red") == ("refused", "that is your own seat")
    assert await refused(ana, to="purple") == ("refused", "nobody sits at purple")
    assert (await refused(ana, game="g-1"))[0] == "stale"
    assert (await refused(ana, key=cy.player.whispers.own.key))[0] == "stale"
    assert await refused(ana, data=b"x" * 100) == ("refused", "no whisper is so long")
    await ana.player.ask(m.Bot, action="add")
    assert "bots take no whispers" in (await refused(ana, to="purple"))[1]
    await ana.player.ask(m.SetOptions, house=m.House())
    assert "does not allow whispers" in (await refused(ana))[1]
    await ana.until(lambda: ana.told.table is not None and not ana.told.table.house.whispers)
    assert ana.told.table is not None
    assert all(seat.whisper is None for seat in ana.told.table.seats)
    assert heard(ben) == []


async def test_a_client_cannot_say_hello_with_a_key_that_is_not_its_own(host: CrookedHost, three: Three) -> None:
    ana, ben, _ = three
    ben.player.session._whisper = ana.player.whispers.own
    await ben.player.session._link._renew()
    await ben.until(lambda: ben.heard(notes.Connection)[-1].state == "over")
    assert "not signed by you" in ben.heard(notes.Connection)[-1].text


def test_people_agree_on_whispers_and_whisper_in_the_lobby_and_in_the_game(start: Callable[..., Piped]) -> None:
    ana = start("host", "--here", "--port", "0", "--name", "Ana", "--short", "--aliens", "random")
    code = ana.wait("cosmic-net join").split()[-1]
    ben = start("join", code, "--profile", "ben", "--name", "Ben")
    ben.wait(r"\(you, choosing\)")
    ben.write("whisper ana psst")
    ben.wait("`whisper` is possible only at a table that allows it")
    ana.write("options whispers on")
    ben.wait("The customs are now: .*players may whisper")
    cy = start("watch", code, "--profile", "cy", "--name", "Cy")
    cy.wait("customs: .*players may whisper")
    ben.write("whisper ana psst")
    ben.wait("You whisper to . Ana: psst")
    ana.wait("Ben whispers to you: psst")
    assert "psst" not in cy.wait("Ben whispers to Ana")
    ana.write("bot")
    ana.wait("sits down")
    ben.write("ready")
    ana.wait("Ben is ready")
    ana.write("start")
    ben.wait("The game begins")
    ana.write("whisper blue I come in peace")
    ana.wait("You whisper to . Ben: I come in peace")
    ben.wait("Ana whispers to you: I come in peace")
    cy.wait("Ana whispers to Ben")
    ana.write("whisper purple and you?")
    ana.wait("is a bot")
    assert not any("!!" in line for person in (ana, ben, cy) for line in person.seen)
