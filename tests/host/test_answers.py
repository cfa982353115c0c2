"""Answers, clocks and sealed cards in a running game: what is accepted, what is refused, what nobody gets around."""

from __future__ import annotations

from typing import Any

import msgspec

from protocol import codec, fairness, signing
from protocol.messages import Abandoned, Answer, Reply, Seed, SeedOpen, Standing, Start
from tests.host.conftest import Hall
from tests.host.test_games import fetch_record
from tests.support.wire_client import WireClient

SEED = ("--practice-seed", "0b" * 32)


def code(reply: Reply) -> str | None:
    return reply.error.code if reply.error else None


def is_choice(decision: dict[str, Any]) -> bool:
    return bool(decision["kind"] in ("choose", "ships"))


def signed(client: WireClient, **changes: Any) -> Answer:
    """An answer with some fields changed, and signed all the same."""
    game, head = changes.pop("game", client.game), changes.pop("head", client.head)
    answer = Answer(id=1, decision=0, value=b"\xc0", count=client.count, signature=bytes(64))
    answer = msgspec.structs.replace(answer, **changes)
    signature = signing.sign_answer(client.identity, game, answer.decision, answer.value, head)
    return msgspec.structs.replace(answer, signature=signature)


async def test_answers_that_must_not_count_are_refused_and_change_nothing(hall: Hall):
    host = hall.host(*SEED)
    clients = await hall.table(host)
    for client in clients:
        client.stops_at = is_choice
    await hall.start(clients)
    asked = await clients[0].until(lambda: next((c for c in clients if c.left_to_me()), None))
    other = clients[1] if asked is clients[0] else clients[0]
    decision = asked.left_to_me()
    assert decision is not None
    number, good = decision["id"], codec.pack_value(asked.decide(decision))
    before = codec.pack_value(asked.view)
    attempts = [
        (asked, signed(asked, decision=number, value=codec.pack_value(["no such thing"])), "illegal-answer"),
        (asked, signed(asked, decision=number, value=codec.pack_value("nonsense")), "illegal-answer"),
        (asked, signed(asked, decision=number, value=b"\xcd\x00\x01"), "illegal-answer"),
        (asked, signed(asked, decision=number, value=b"\xc1"), "illegal-answer"),
        (asked, signed(asked, decision=number + 1000, value=good), "stale"),
        (asked, signed(asked, decision=number, value=good, game="another-game"), "refused"),
        (asked, signed(asked, decision=number, value=good, head=bytes(32)), "refused"),
        (asked, signed(asked, decision=number, value=good, count=asked.count + 1), "stale"),
        (asked, msgspec.structs.replace(signed(asked, decision=number, value=good), signature=bytes(64)), "refused"),
        (asked, signed(other, decision=number, value=good), "refused"),
        (other, signed(other, decision=number, value=good), "not-your-turn"),
    ]
    for client, attempt, expected in attempts:
        assert code(await client.request(attempt)) == expected
    watcher = await hall.guest(host, 9)
    await watcher.until(lambda: watcher.view)
    assert code(await watcher.request(signed(watcher, decision=number, value=good))) == "not-seated"
    assert codec.pack_value(asked.view) == before
    for client in clients:
        client.stops_at = lambda decision: False
        await client.play_on()
    await hall.to_the_end(clients)


async def test_a_card_sealed_with_a_foreign_signature_is_refused(hall: Hall):
    host = hall.host(*SEED)
    clients = await hall.table(host)
    for client in clients:
        client.stops_at = lambda decision: decision["kind"] == "seal"
    await hall.start(clients)
    sealer = await clients[0].until(lambda: next((c for c in clients if c.left_to_me()), None))
    decision = sealer.left_to_me()
    assert decision is not None
    good = sealer.decide(decision)
    for bad in (good | {"signature": b""}, good | {"signature": bytes(64)}):
        assert code(await sealer.answer(decision, bad)) == "illegal-answer"
    forged = fairness.sign_commitment(clients[0].identity, decision["context"], bytes(32))
    assert code(await sealer.answer(decision, {"commitment": good["commitment"], "signature": forged})) == (
        "illegal-answer"
    )
    assert (await sealer.answer(decision, good)).ok


async def first_forfeit(hall: Hall, clients: list[WireClient]) -> dict[str, Any]:
    """Plays until somebody forfeits an encounter; returns the event as everybody saw it."""
    await hall.start(clients)
    found = [
        await client.until(lambda c=client: next((e for e in c.log if e["kind"] == "forfeited"), None))  # type: ignore[misc]
        for client in clients
    ]
    assert found[0] == found[1] == found[2]
    return dict(found[0])


def opens_another_card(client: WireClient) -> None:
    """Makes a client open another card than the one that it sealed."""
    honest = client.decide

    def decide(decision: dict[str, Any]) -> Any:
        answer = honest(decision)
        if decision["kind"] == "open":
            others = [card for card, _ in client.view["hand"] if card != answer["card"]]
            return answer | {"card": others[0] if others else answer["card"] + 1}
        return answer

    client.decide = decide  # type: ignore[method-assign]


async def test_who_opens_another_card_than_he_sealed_forfeits(hall: Hall):
    host = hall.host()
    clients = await hall.table(host)
    for client in clients:
        opens_another_card(client)
    forfeited = await first_forfeit(hall, clients)
    assert forfeited["why"] == "opened another card"
    assert [client.opened for client in clients] == [[], [], []]
    assert [client.errors for client in clients] == [[], [], []]


async def test_who_never_opens_forfeits_when_his_time_is_over(hall: Hall):
    host = hall.host(opening_s=0.5)
    clients = await hall.table(host)
    for client in clients:
        client.stops_at = lambda decision: decision["kind"] == "open"
    forfeited = await first_forfeit(hall, clients)
    assert forfeited["why"] == "never opened"


async def test_clocks_run_out_for_who_does_not_answer_and_the_game_goes_on(hall: Hall):
    host = hall.host(*SEED, reaction_s=0.05, decision_s=0.05, opening_s=0.5, deal_s=0.5)
    clients = await hall.table(host)
    clients[2].stops_at = lambda decision: True
    await hall.start(clients)
    await clients[0].until(lambda: clients[0].clocks)
    await hall.to_the_end(clients)
    entries, opened = await fetch_record(clients[0])
    kinds = [codec.unpack_value(entry) for entry in entries]
    assert any(entry[0] == "close" for entry in kinds)
    assert not any(entry[:2] == ["answer", clients[2].seat] for entry in kinds)
    assert [bool(one) for one in opened] == [entry[0] == "answer" for entry in kinds]


async def test_a_standing_pass_is_public_and_the_host_passes_by_it(hall: Hall):
    host = hall.host(*SEED, game={"goal": 2})
    clients = await hall.table(host)
    lazy = clients[2]
    lazy.stops_at = lambda decision: True
    await hall.start(clients)
    wrong = msgspec.structs.replace(lazy.pass_message("turn"), signature=bytes(64))
    assert code(await lazy.request(wrong)) == "refused"
    await lazy.must(lazy.pass_message("turn"))
    lazy.stops_at = lambda decision: False
    await lazy.play_on()
    standing = await clients[0].until(lambda: [p for p in clients[0].pushes if isinstance(p, Standing)])
    assert (standing[0].seat, standing[0].until) == (lazy.seat, "turn")
    await hall.to_the_end(clients)
    entries, _ = await fetch_record(lazy)
    plain = [codec.unpack_value(entry) for entry in entries]
    passed = [entry for entry in plain if entry[0] == "pass"]
    assert passed
    assert {entry[1] for entry in passed} == {lazy.seat}
    ends = [push.until for push in clients[0].pushes if isinstance(push, Standing)]
    assert ends == ["turn", "off"]


async def test_a_start_without_everybodys_share_is_called_off(hall: Hall):
    host = hall.host()
    clients = await hall.table(host)
    cheat = clients[2]
    sent: list[Any] = []
    post = cheat._post

    async def other_share(message: Any) -> None:
        if isinstance(message, SeedOpen):
            message = msgspec.structs.replace(message, value=bytes(32))
        sent.append(message)
        await post(message)

    cheat._post = other_share  # type: ignore[method-assign]
    await clients[0].must(Start(id=1))
    abandoned = await clients[0].until(lambda: clients[0].abandoned)
    assert isinstance(abandoned, Abandoned)
    assert abandoned.seat == cheat.seat
    assert [type(message) for message in sent] == [Seed, SeedOpen]
    await clients[0].until(lambda: clients[0].table and clients[0].table.phase == "lobby")
    cheat._post = post  # type: ignore[method-assign]
    await clients[0].must(Start(id=1))
    await hall.to_the_end(clients)
