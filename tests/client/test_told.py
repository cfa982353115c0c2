"""What a client believes of its host, and what it does not."""

from __future__ import annotations

from typing import Any

import pytest

from client import notes
from protocol import fairness, limits, updates
from protocol import messages as m
from protocol.identity import Identity
from protocol.transcript import CloseEntry, PlayerEntry, encode_entry
from tests.client.hosts import ANA, BEN, GAME, SETUP, FakeHost

MALLORY = Identity(b"m" * 32)


@pytest.fixture
def host() -> FakeHost:
    made = FakeHost()
    made.snapshot()
    return made


def alarms(host: FakeHost) -> list[str]:
    return [alarm.text for alarm in host.heard(notes.Alarm)]


def test_updates_change_the_view_and_tell_events_in_order(host: FakeHost) -> None:
    events = [{"n": 0, "kind": "turn-started"}, {"n": 1, "kind": "gate-aimed"}]
    host.update({**host.view, "turn": 2}, events)
    assert host.told.view == host.view
    assert [note.event["n"] for note in host.heard(notes.Happened)] == [0, 1]
    assert alarms(host) == []
    assert host.told.chain is not None
    assert host.told.chain.head == host.chain.head


def test_a_patch_that_does_not_fit_asks_for_everything_anew(host: FakeHost) -> None:
    host.update(patch={"-": ["nothing like this"]})
    assert host.resyncs == 1
    host.update()
    assert host.resyncs == 2, "nothing is put on top of a view that is not known"
    host.snapshot()
    host.update({**host.view, "turn": 3})
    assert host.told.view == host.view
    assert alarms(host) == []


def until_a_signature_is_due(host: FakeHost) -> None:
    while (host.chain.count + 1) % limits.ENTRIES_PER_SIGNATURE:
        host.update()
    assert alarms(host) == []


def test_a_record_that_does_not_give_the_signed_head_stops_the_play(host: FakeHost) -> None:
    host.told.take(
        m.Update(n=host.number(), shared=updates.pack(m.Shared(entries=[encode_entry(CloseEntry(group=9))])))
    )
    host.chain.append(encode_entry(CloseEntry(group=99)))
    until_a_signature_is_due(host)
    host.update()
    assert "not signed" in alarms(host)[0]
    assert host.told.fatal
    assert host.told.prompts == []


def test_heads_that_are_signed_when_they_are_due_raise_no_alarm(host: FakeHost) -> None:
    until_a_signature_is_due(host)
    host.update()
    host.update(entries=[encode_entry(CloseEntry(group=n)) for n in range(3 * limits.ENTRIES_PER_SIGNATURE + 5)])
    until_a_signature_is_due(host)
    host.update()
    assert alarms(host) == []


def test_a_head_that_the_host_has_not_signed_stops_the_play(host: FakeHost) -> None:
    until_a_signature_is_due(host)
    host.update(by=MALLORY)
    assert "not signed" in alarms(host)[0]


def test_a_signature_that_is_due_and_missing_stops_the_play(host: FakeHost) -> None:
    until_a_signature_is_due(host)
    host.update(signature=None)
    assert "not signed" in alarms(host)[0]


def test_a_signature_that_is_not_due_stops_the_play(host: FakeHost) -> None:
    host.update(signature=b"s" * 64)
    assert "not signed" in alarms(host)[0]


def test_an_end_with_another_head_stops_the_play(host: FakeHost) -> None:
    host.update()
    host.chain.append(encode_entry(CloseEntry(group=99)))
    ended(host)
    assert "does not fit" in alarms(host)[0]


@pytest.mark.parametrize("shared", [b"\xff", b"", updates.pack(m.Shared())[:-1], updates.pack(m.Shared()) + b"x"])
def test_what_cannot_be_inflated_asks_for_everything_anew(host: FakeHost, shared: bytes) -> None:
    host.told.take(m.Update(n=host.number(), shared=shared))
    assert host.resyncs == 1


def test_timers_run_on_until_they_are_set_anew_or_nobody_is_asked_any_more(host: FakeHost) -> None:
    asked = [{"id": n, "seat": "blue", "kind": "choose", "timer": n} for n in (1, 2, 3)]
    host.update({**host.view, "waiting": asked}, clocks={1: 60_000, 2: 60_000, 3: 60_000})
    before = dict(host.told.ends)
    host.update({**host.view, "waiting": asked[:2]}, clocks={2: None})
    assert host.told.ends == {1: before[1]}
    host.update(clocks={2: 90_000})
    assert host.told.ends[2] > before[2]
    assert host.told.ends[1] == before[1]


def test_another_course_of_the_same_game_stops_the_play(host: FakeHost) -> None:
    host.update()
    host.chain.append(encode_entry(CloseEntry(group=1)))
    count, host.chain.count = host.chain.count, 1
    host.snapshot()
    host.chain.count = count
    assert "another course" in alarms(host)[0]


def test_another_setup_of_the_same_game_stops_the_play(host: FakeHost) -> None:
    host.snapshot(host_commitment=b"d" * 32)
    assert "another setup" in alarms(host)[0]


def test_who_comes_to_a_running_game_checks_the_record_afterwards() -> None:
    host = FakeHost()
    entries = [encode_entry(CloseEntry(group=n)) for n in range(3)]
    for entry in entries:
        host.chain.append(entry)
    host.snapshot()
    chain = host.told.chain
    assert chain is not None
    assert not chain.verified
    assert chain.head == host.chain.head
    chain.catch_up(0, entries)
    assert chain.verified
    host.update()
    assert alarms(host) == []


def test_a_record_that_leads_to_another_game_is_found_out() -> None:
    from client.game.chain import Forked

    host = FakeHost()
    host.chain.append(encode_entry(CloseEntry(group=1)))
    host.snapshot()
    assert host.told.chain is not None
    with pytest.raises(Forked, match="another game"):
        host.told.chain.catch_up(0, [encode_entry(CloseEntry(group=2))])


def test_an_opening_is_checked(host: FakeHost) -> None:
    host.open(host.seal())
    assert host.heard(notes.Checked) == [notes.Checked(1, 1)]
    assert alarms(host) == []


def test_an_opening_with_another_card_is_told(host: FakeHost) -> None:
    host.open(host.seal(card=5), card=6)
    assert host.heard(notes.Checked) == [notes.Checked(0, 1)]
    assert alarms(host) == ["The opening of blue does not fit what was sealed."]


def test_an_opening_of_what_nobody_sealed_is_told(host: FakeHost) -> None:
    seal = host.seal()
    host.open(seal._replace(commitment=b"x" * 32))
    assert "does not fit" in alarms(host)[0]


def test_an_opening_without_what_is_needed_to_check_it_is_told(host: FakeHost) -> None:
    host.open(host.seal(), nonce=None)
    host.open(host.seal(card=6), commitment=["x"])
    assert host.heard(notes.Checked) == [notes.Checked(0, 1), notes.Checked(0, 2)]
    assert len(alarms(host)) == 2


def test_a_commitment_by_somebody_else_is_told(host: FakeHost) -> None:
    host.seal(MALLORY)
    assert alarms(host) == ["The commitment of blue is not signed by its player."]


def test_a_commitment_with_a_wrong_signature_is_told(host: FakeHost) -> None:
    host.seal(BEN, signature=b"s" * 64)
    assert "not signed" in alarms(host)[0]


def test_a_bot_that_took_over_signs_with_a_key_that_the_record_names(host: FakeHost) -> None:
    entry = encode_entry(PlayerEntry(seat="blue", key=MALLORY.sign_key))
    host.update(entries=[entry])
    host.seal(MALLORY)
    assert alarms(host) == []


def begin(host: FakeHost) -> None:
    host.told.take(m.Begin(n=host.number(), game=GAME, setup=SETUP, host_commitment=shares()["host"][1]))


def shares() -> dict[str, tuple[bytes, bytes]]:
    """party -> (share, commitment)."""
    values = {"host": b"1" * 32, "red": b"2" * 32, "blue": b"3" * 32}
    return {party: (value, fairness.seed_commitment(GAME, party, value)) for party, value in values.items()}


def seeds(host: FakeHost, blue: Identity = BEN) -> None:
    signed = {
        seat: m.SignedSeed(
            commitment=shares()[seat][1], signature=fairness.sign_seed(who, GAME, seat, shares()[seat][1])
        )
        for seat, who in (("red", ANA), ("blue", blue))
    }
    host.told.take(m.Seeds(n=host.number(), game=GAME, commitments=signed))  # type: ignore[arg-type]


def ended(host: FakeHost, changed: dict[str, bytes] | None = None) -> None:
    values: dict[Any, bytes] = {party: value for party, (value, _) in shares().items()}
    values |= changed or {}
    number, head = host.number(), host.head()
    host.told.take(m.Ended(n=number, game=GAME, outcome="won", winners=["red"], seeds=values, head=head))


def test_the_shares_of_the_seed_are_checked_when_the_game_is_over() -> None:
    host = FakeHost()
    begin(host)
    seeds(host)
    assert host.heard(notes.SeedDrawn) == [notes.SeedDrawn(2)]
    ended(host)
    assert alarms(host) == []


def test_a_host_that_shows_another_share_is_found_out() -> None:
    host = FakeHost()
    begin(host)
    seeds(host)
    ended(host, {"host": b"9" * 32})
    assert alarms(host) == ["The share of the seed of host is not the one that was committed to."]


def test_a_share_that_is_not_signed_by_its_seat_stops_the_play() -> None:
    host = FakeHost()
    begin(host)
    seeds(host, blue=MALLORY)
    assert "not signed" in alarms(host)[0]
    assert host.told.fatal


def test_text_from_others_is_cleaned_before_it_is_shown(host: FakeHost) -> None:
    from client.show.story import Story
    from client.show.style import Style

    story = Story(host.told, Style())
    aimed = {"n": 1, "kind": "gate-aimed", "phase": "launch", "seat": "red", "target": "\x1b[2J\u202ered-1"}
    (line,) = story.event(aimed)
    assert line == "launch     red aims at [2Jred-1."


def test_an_event_that_makes_no_sense_is_left_out(host: FakeHost) -> None:
    from client.show.story import Story
    from client.show.style import Style

    story = Story(host.told, Style())
    assert story.event({"n": 1, "kind": "totals"}) == []
    assert story.event({"n": 1, "kind": "allied", "places": 7}) == []


def test_nothing_that_a_host_tells_can_act_on_a_terminal(host: FakeHost) -> None:
    bad = "\x1b[2J\u202e"
    host.update({**host.view, "planets": {f"red-1{bad}": {"red": 4}}, "discards": [f"attack-08{bad}"]})
    assert host.told.view is not None
    assert host.told.view["planets"] == {"red-1[2J": {"red": 4}}
    assert host.told.view["discards"] == ["attack-08[2J"]
    host.update(events=[{"n": 1, "kind": "gate-aimed", "phase": bad}])
    assert host.told.log[-1]["phase"] == "[2J"
