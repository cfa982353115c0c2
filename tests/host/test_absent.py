"""Players who are gone: they are waited for, voted on, played by a bot, and get their seat back."""

from __future__ import annotations

import asyncio

import pytest

from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Setup
from protocol import audit, codec, transcript
from protocol.messages import Absence, Choice, PresencePush, Vote
from tests.host.conftest import Hall
from tests.host.hosts import HostProcess
from tests.host.test_games import fetch_record
from tests.support.wire_client import WireClient

SEED = "05" * 32


def house(rule: str) -> tuple[str, str]:
    return "--house", f'{{"absent": "{rule}"}}'


def vote(about: WireClient, choice: Choice = "bot") -> Vote:
    return Vote(id=1, seat=about.seat, choice=choice)  # type: ignore[arg-type]


async def missed(watching: WireClient, seat: str) -> Absence:
    """Waits until a seat is waited for. A connection that is gone is noticed when something is sent there."""

    def found() -> Absence | None:
        return next((one for one in watching.table.away if one.seat == seat), None) if watching.table else None

    while found() is None:
        await watching.hello()
    absence = found()
    assert absence is not None
    return absence


def handed_over(client: WireClient, seat: str) -> list[transcript.PlayerEntry]:
    entries = [transcript.decode_entry(raw) for raw in client.entries]
    return [entry for entry in entries if isinstance(entry, transcript.PlayerEntry) and entry.seat == seat]


async def stuck(hall: Hall, host: HostProcess, kind: str) -> tuple[WireClient, list[WireClient]]:
    """A game that waits for one player's answer to a question of this kind; that player and the others."""
    clients = await hall.table(host, pings=True)
    for client in clients:
        client.stops_at = lambda decision: decision["kind"] == kind
    await hall.start(clients)
    found: WireClient = await clients[0].until(lambda: next((one for one in clients if one.left_to_me()), None))
    others = [client for client in clients if client is not found]
    for client in others:
        client.stops_at = lambda decision: False
        await client.play_on()
    return found, others


async def check(client: WireClient) -> None:
    """The record holds, and replays to the game that was seen."""
    assert client.ended is not None
    entries, opened = await fetch_record(client)
    setup = Setup.from_data(codec.unpack_value(client.setup))
    shares: dict[str, bytes] = {str(seat): share for seat, share in client.ended.seeds.items()}
    assert audit.check(client.game, client.setup, setup.keys, entries, opened, shares) == []
    replayed = Game.replay(setup, shares["host"], audit.inputs(entries, opened))
    assert codec.pack_value(client.view) == codec.pack_value(replayed.view(client.seat))


@pytest.mark.parametrize("kind", ["react", "ships", "seal"])
async def test_the_others_vote_for_a_bot_and_the_player_comes_back(hall: Hall, kind: str):
    host = hall.host("--practice-seed", SEED, game={"goal": 2}, decision_s=60.0, reaction_s=20.0)
    absent, others = await stuck(hall, host, kind)
    await absent.close()
    absence = await missed(others[0], absent.seat)
    assert absence.left_ms is not None
    assert 110_000 < absence.left_ms <= 120_000
    await others[0].until(lambda: not others[0].clocks)
    await others[0].must(vote(absent))
    await others[1].until(lambda: others[1].table and others[1].table.away[0].bot == [others[0].seat])
    assert not others[0].clocks, "no clock runs while he is waited for"
    await others[1].must(vote(absent))
    await others[0].until(lambda: handed_over(others[0], absent.seat))
    await others[1].until(lambda: told(others[1], absent.seat)[-1:] == ["bot"])
    assert others[0].table is not None
    others[1].stops_at = lambda decision: decision["kind"] != "react"
    await others[1].until(lambda: others[1].left_to_me() or others[1].ended)
    absent.stops_at = lambda decision: False
    await absent.connect(host.address, host.key)
    if not others[1].ended:
        others[1].stops_at = lambda decision: False
        await others[1].play_on()
    await hall.to_the_end([absent, *others])
    first, *rest = handed_over(others[0], absent.seat)
    assert first.key != absent.identity.sign_key
    assert [entry.key for entry in rest] == [absent.identity.sign_key][: len(rest)]
    await check(others[0])


def told(client: WireClient, seat: str) -> list[str]:
    return [push.state for push in client.pushes if isinstance(push, PresencePush) and push.seat == seat]


async def test_a_bot_plays_when_the_time_is_over_if_the_table_wants_it_so(hall: Hall):
    host = hall.host("--practice-seed", SEED, *house("bot"), reaction_s=10.0, away_s=1.0)
    absent, others = await stuck(hall, host, "ships")
    await absent.close()
    await missed(others[0], absent.seat)
    await hall.to_the_end(others)
    assert len(handed_over(others[0], absent.seat)) == 1
    await check(others[0])


async def test_a_table_that_waits_votes_when_the_time_is_over(hall: Hall):
    host = hall.host(
        "--practice-seed", SEED, *house("wait"), game={"goal": 3}, reaction_s=10.0, decision_s=60.0, away_s=0.5
    )
    absent, others = await stuck(hall, host, "ships")
    await absent.close()
    await missed(others[0], absent.seat)
    await others[0].until(lambda: others[0].table and others[0].table.away[0].left_ms is None)
    assert not others[0].clocks, "his clock stands, however long it takes"
    for other in others:
        await other.must(vote(absent))
    await hall.to_the_end(others)
    assert len(handed_over(others[0], absent.seat)) == 1
    await check(others[0])


async def test_a_table_that_waits_has_no_vote_before_and_no_clock_runs_out(hall: Hall):
    host = hall.host("--practice-seed", SEED, *house("wait"), reaction_s=10.0, decision_s=60.0)
    absent, others = await stuck(hall, host, "ships")
    await absent.close()
    await missed(others[0], absent.seat)
    reply = await others[0].request(vote(absent))
    assert reply.error is not None
    assert reply.error.code == "refused"
    assert not others[0].clocks, "his clock stands"
    absent.stops_at = lambda decision: False
    await absent.connect(host.address, host.key)
    await others[0].until(lambda: others[0].table and not others[0].table.away)
    await hall.to_the_end([absent, *others])
    await check(others[0])


async def test_a_bot_does_not_open_the_players_sealed_card_and_begins_with_the_next_encounter(hall: Hall):
    host = hall.host("--practice-seed", SEED, game={"goal": 3}, reaction_s=10.0, opening_s=5.0)
    absent, others = await stuck(hall, host, "open")
    await absent.close()
    await missed(others[0], absent.seat)
    for other in others:
        await other.must(vote(absent))
    await hall.to_the_end(others)
    forfeits = [event for event in others[0].log if event["kind"] == "forfeited"]
    assert [event["seat"] for event in forfeits] == [absent.seat]
    assert len(handed_over(others[0], absent.seat)) == 1
    await check(others[0])


async def test_who_looks_on_has_no_vote_and_nobody_votes_about_who_is_there(hall: Hall):
    host = hall.host("--practice-seed", SEED, reaction_s=10.0)
    absent, others = await stuck(hall, host, "ships")
    watcher = await hall.guest(host, 9)

    async def refusal(client: WireClient) -> str:
        reply = await client.request(vote(absent))
        return reply.error.code if reply.error is not None else ""

    assert await refusal(others[0]) == "stale"
    await absent.close()
    await missed(others[0], absent.seat)
    assert await refusal(watcher) == "not-seated"
    assert await refusal(others[0]) == ""


async def test_a_bot_that_plays_for_somebody_goes_on_when_the_host_was_killed(hall: Hall):
    host = hall.host("--practice-seed", SEED, *house("bot"), game={"goal": 3}, reaction_s=10.0, away_s=0.3)
    absent, others = await stuck(hall, host, "ships")
    others[0].stops_at = lambda decision: decision["kind"] == "seal"
    await absent.close()
    await missed(others[1], absent.seat)
    await others[1].until(lambda: handed_over(others[1], absent.seat))
    await others[0].until(lambda: others[0].left_to_me() or others[0].ended)
    host.kill()
    host.start("--resume")
    others[0].stops_at = lambda decision: False
    for client in others:
        await client.close()
    await asyncio.gather(*(client.connect(host.address, host.key) for client in others))
    await hall.to_the_end(others)
    await check(others[0])
