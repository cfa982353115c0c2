"""A client at a real host: it plays, it checks, and it goes on after whatever is cut or killed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from client import notes
from client.errors import Trouble
from client.game import afterwards
from client.game.player import Player
from client.home import Home
from client.wire import finding, hosting
from client.wire.session import SENTENCES
from protocol import joincode, limits
from protocol import messages as m
from protocol.identity import Identity
from tests.client.conftest import Meet, Someone, StartHost, kill

pytestmark = pytest.mark.timeout(180)

SHORT = {"planets": 4, "goal": 1, "aliens": "random"}


async def test_a_game_between_people_is_drawn_together_played_and_checked_to_the_end(
    start_host: StartHost, meet: Meet
) -> None:
    host = await start_host(bots=1, options=SHORT)
    ana, ben = await meet("ana", host), await meet("ben", host)
    watcher = await meet("cy", host, sit=False)
    await ana.until(lambda: sum(bool(seat.name) for seat in ana.told.table.seats) == 3)  # type: ignore[union-attr]
    await ana.player.ask(m.Start)
    for someone in (ana, ben, watcher):
        await someone.until(lambda: someone.told.ended is not None)  # noqa: B023
    assert ana.told.ended is not None
    assert ana.told.ended.outcome == "won"
    everybody = (ana, ben, watcher)
    assert len({someone.told.chain.words for someone in everybody if someone.told.chain}) == 1
    for someone in everybody:
        assert someone.heard(notes.Alarm) == []
        assert someone.told.chain is not None
        assert someone.told.chain.verified
        await someone.until(lambda: bool(someone.heard(notes.LookedBack)))  # noqa: B023
        assert someone.heard(notes.LookedBack) == [notes.LookedBack(ana.told.ended.head.count, 0)]
    assert ana.heard(notes.SeedDrawn) == [notes.SeedDrawn(3)]
    assert ana.heard(notes.Checked)
    assert all(check.good == check.of for check in ana.heard(notes.Checked))


async def test_a_record_that_was_tampered_with_does_not_bear_checking(
    start_host: StartHost, meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    records: list[afterwards.Record] = []
    check = afterwards.check

    def keep(record: afterwards.Record) -> list[str]:
        records.append(record)
        return check(record)

    monkeypatch.setattr(afterwards, "check", keep)
    host = await start_host(bots=2, options=SHORT)
    ana = await meet("ana", host)
    await ana.until(lambda: sum(seat.ready for seat in ana.told.table.seats) == 3)  # type: ignore[union-attr]
    await ana.player.ask(m.Start)
    await ana.until(lambda: bool(ana.heard(notes.LookedBack)))
    (record,) = records
    assert check(record) == []
    shares = {**record.ended.seeds, "host": b"x" * 32}
    first = record.shown.log[0]
    tampered: dict[str, dict[str, Any]] = {
        "share of the seed of host": {"ended": msgspec.structs.replace(record.ended, seeds=shares)},
        "missing": {"openings": [b"", *[b""] * (len(record.entries) - 1)]},
        "not the one": {"entries": record.entries[:-1], "openings": record.openings[:-1]},
        "shown otherwise": {"shown": replace(record.shown, view={**record.shown.view, "deck": 99})},
        "told otherwise": {"shown": replace(record.shown, log=[{**first, "kind": "made-up"}])},
        "the winners are": {"ended": msgspec.structs.replace(record.ended, winners=[])},
    }
    for what, changes in tampered.items():
        wrong = check(replace(record, **changes))
        assert any(what in text for text in wrong), (what, wrong[:3])


async def test_a_killed_host_is_started_again_and_the_game_goes_on(
    home: Home, start_host: StartHost, meet: Meet
) -> None:
    host = await start_host(bots=2, options=SHORT | {"goal": 5})
    ana = await meet("ana", host)
    await ana.until(lambda: sum(seat.ready for seat in ana.told.table.seats) == 3)  # type: ignore[union-attr]
    await ana.player.ask(m.Start)
    await ana.until(lambda: len(ana.events("encounter-started")) >= 2)
    kill(host)
    await ana.until(lambda: ana.heard(notes.Connection)[-1].state == "down")
    again = await hosting.resume(host.folder)
    assert (again.port, again.key) == (host.port, host.key)
    await ana.until(lambda: ana.heard(notes.Connection)[-1].state == "up")
    ana.go_on()
    before = len(ana.events("encounter-started"))
    await ana.until(lambda: len(ana.events("encounter-started")) > before)
    assert ana.heard(notes.Alarm) == []


async def test_a_client_that_was_killed_opens_the_card_it_had_sealed(start_host: StartHost, meet: Meet) -> None:
    host = await start_host(bots=2, options=SHORT | {"goal": 5, "aliens": "fixed", "flares": False})
    ana = await meet("ana", host)
    await ana.until(lambda: sum(seat.ready for seat in ana.told.table.seats) == 3)  # type: ignore[union-attr]
    await ana.player.ask(m.Start)
    await ana.until(lambda: any(e["seat"] == "red" for e in ana.events("card-sealed")))
    await ana.leave(goodbye=False)
    ana = await meet("ana", host, sit=False)
    await ana.until(lambda: len(ana.events("outcome")) >= 1)
    assert not ana.events("forfeited")
    assert ana.heard(notes.Alarm) == []
    assert ana.told.chain is not None
    await ana.until(lambda: ana.told.chain is not None and ana.told.chain.verified)


async def test_an_answer_whose_reply_was_lost_is_sent_again_and_counts_once(start_host: StartHost, meet: Meet) -> None:
    host = await start_host(bots=2, options=SHORT | {"aliens": "flares"})
    ana = await meet("ana", host, idle=True)
    await ana.until(lambda: sum(seat.ready for seat in ana.told.table.seats) == 3)  # type: ignore[union-attr]
    await ana.player.ask(m.Start)
    await ana.until(lambda: any(d["topic"] == "alien" for d in ana.player.prompts))
    link = ana.player.session._link
    take, link._on_frame = link._on_frame, lambda frame: None  # replies and pushes get lost from now on
    decision = ana.player.prompts[0]
    answer = asyncio.create_task(ana.player.answer(decision, decision["default"]))
    await asyncio.sleep(0)
    while not ana.player.session._open:
        await asyncio.sleep(0)
    link._on_frame = take
    await link._renew()
    await asyncio.wait_for(answer, 20)
    await ana.until(lambda: any(e["seat"] == "red" for e in ana.events("alien-shown")))


async def test_the_same_player_elsewhere_takes_over(start_host: StartHost, meet: Meet) -> None:
    host = await start_host()
    first = await meet("ana", host)
    second = await meet("ana", host)
    await first.until(lambda: first.heard(notes.Connection)[-1].state == "over")
    assert "--profile" in first.heard(notes.Connection)[-1].text
    assert second.told.you.seat == "red"


async def test_who_guesses_a_passphrase_is_slowed_down_and_told_so(home: Home, start_host: StartHost) -> None:
    host = await start_host(passphrase="three blue stars")
    heard: asyncio.Queue[notes.Note] = asyncio.Queue()

    async def visit(profile: str, words: str) -> Player:
        player = Player(home.profile(profile), profile, host.local_address, host.key, heard.put_nowait, words)
        player.start()
        return player

    for number in range(limits.GUESS_BURST):
        guesser = await visit(f"guesser-{number}", "moon")
        assert await heard.get() == notes.Connection("over", SENTENCES["passphrase"])
        await guesser.close()
    late = await visit("late", "three blue stars")
    assert await heard.get() == notes.Connection("up"), "it is let in when the host looks at its proof"
    assert "too many wrong passphrases" in late.session.put_off
    await late.close()


async def test_a_code_an_address_and_an_invite_lead_to_the_host(start_host: StartHost) -> None:
    host = await start_host()
    by_code = await finding.find(host.codes[0])
    assert by_code == (host.local_address, host.key, None)
    assert (await finding.find(host.invites[0])).key == host.key
    by_address = await finding.find(host.local_address)
    assert by_address.key == host.key
    assert by_address.words == joincode.fingerprint_words(host.key)


async def test_another_host_than_the_code_names_is_not_talked_to(start_host: StartHost) -> None:
    host = await start_host()
    code = joincode.short_code("127.0.0.1", host.port, b"x" * 32)
    with pytest.raises(Trouble, match="Another host answers"):
        await finding.find(code)


async def test_nobody_there_is_said_with_the_usual_causes(start_host: StartHost) -> None:
    host = await start_host()
    await hosting.stop(host)
    with pytest.raises(Trouble, match="firewall"):
        await finding.find(host.codes[0])


async def test_a_wrong_key_is_told_apart_from_silence(home: Home, start_host: StartHost, meet: Meet) -> None:
    host = await start_host()
    someone = await meet_nobody(home, replace(host, key=joincode_key()))
    await someone.until(lambda: bool(someone.heard(notes.Connection)))
    assert "Another host" in someone.heard(notes.Connection)[0].text
    await someone.leave()


async def meet_nobody(home: Home, host: hosting.Running) -> Someone:
    someone = Someone(home, "ben", host)
    someone.player.start()
    return someone


def joincode_key() -> bytes:
    return Identity(b"another host's secret, 32 bytes.").curve_key
