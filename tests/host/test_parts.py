"""The parts of a host by themselves, without processes and sockets."""

from __future__ import annotations

from pathlib import Path

import pytest

from cosmic_net.engine.decisions import DECISION_CLOCK, OPENING_CLOCK, REACTION_CLOCK, Decision
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Options, Setup
from host.botpool import BotPool
from host.clocks import Running
from host.config import Config
from host.door import Arrival
from host.errors import CannotStart, Refused
from host.folder import Folder
from host.inbox import MOST_BYTES, MOST_WAITING, OTHERS_SECONDS, Inbox
from host.journal import Journal, JournalError, Line, Origin, StoredPlayer
from host.peers import Peers, Pushes, Replies
from host.rates import Bucket
from host.room import Room
from host.sessions import Sessions
from host.standing import Standing
from host.table import Table
from protocol import codec, limits
from protocol.identity import Identity
from protocol.messages import Clocks, PresencePush, Push, Reply, Said


def decision(number: int, group: int, timer: int, clock: str = REACTION_CLOCK) -> Decision:
    return Decision(
        number, group, "red", "react", "window", "?", {"window": "w", "actions": []}, None, {}, clock, timer
    )


# ---- clocks


def test_decisions_with_the_same_timer_share_one_running_clock():
    running = Running(Clocks(reaction_s=3))
    running.watch([decision(1, 1, 7)], now=10.0)
    running.watch([decision(2, 2, 7)], now=12.0)
    assert running.left(12.5) == {7: 500}
    assert running.due([decision(2, 2, 7)], 12.9) is None
    assert running.due([decision(2, 2, 7)], 13.0) == 2


def test_a_timer_that_ended_starts_anew_with_its_full_time():
    running = Running(Clocks(reaction_s=3))
    running.watch([decision(1, 1, 7)], now=10.0)
    running.watch([], now=11.0)
    running.watch([decision(2, 2, 7)], now=12.0)
    assert running.next_end() == 15.0


def test_a_clock_of_zero_never_runs():
    running = Running(Clocks(decision_s=0, opening_s=30))
    running.watch([decision(1, 1, 1, DECISION_CLOCK), decision(2, 1, 2, OPENING_CLOCK)], now=0.0)
    assert running.left(0.0) == {2: 30_000}
    assert running.due([decision(1, 1, 1, DECISION_CLOCK)], 10_000.0) is None


# ---- pushes and replies


def said(n: int) -> Push:
    return Said(n=n, seat=None, name="Ada", text="x")


def numbers(pushes: Pushes) -> list[int]:
    return [codec.decode_push(frame).n for frame in pushes.unsent()]  # type: ignore[union-attr]


def test_pushes_are_sent_once_and_again_from_where_a_client_was():
    pushes = Pushes()
    for _ in range(5):
        assert pushes.add(said)
    assert numbers(pushes) == [1, 2, 3, 4, 5]
    assert numbers(pushes) == []
    pushes.acknowledge(2)
    assert pushes.restart(seen=3)
    assert numbers(pushes) == [4, 5]
    assert pushes.next == 6


def test_a_push_that_could_not_be_sent_is_sent_the_next_time():
    pushes = Pushes()
    for _ in range(3):
        pushes.add(said)
    for frame in pushes.unsent():
        if codec.decode_push(frame).n == 2:  # type: ignore[union-attr]
            break
    assert numbers(pushes) == [2, 3]


def test_who_lost_pushes_that_were_acknowledged_is_told_that_some_are_gone():
    pushes = Pushes()
    for _ in range(3):
        pushes.add(said)
    pushes.acknowledge(3)
    assert not pushes.restart(seen=0)
    assert numbers(pushes) == []
    pushes.add(said)
    assert numbers(pushes) == [4]


def test_a_host_that_forgot_what_it_sent_goes_on_behind_what_the_client_has():
    pushes = Pushes()
    assert not pushes.restart(seen=40)
    assert pushes.next == 42
    pushes.add(said)
    assert numbers(pushes) == [42]


def test_who_is_too_far_behind_is_not_waited_for():
    pushes = Pushes()
    for _ in range(limits.PUSHES_KEPT):
        assert pushes.add(said)
    assert not pushes.add(said)
    assert numbers(pushes) == []
    assert pushes.add(said)
    assert numbers(pushes) == [limits.PUSHES_KEPT + 1]


def test_replies_are_kept_for_a_session_and_forgotten_with_it():
    replies = Replies()
    replies.start(b"one")
    frame = replies.keep(Reply(id=1, ok=True))
    assert replies.find(1) == frame
    replies.start(b"one")
    assert replies.find(1) == frame
    replies.start(b"two")
    assert replies.find(1) is None


def test_an_id_below_those_that_are_remembered_is_known_to_be_old():
    replies = Replies()
    replies.start(b"one")
    for number in range(1, limits.REPLIES_KEPT + 10):
        replies.keep(Reply(id=number, ok=True))
    assert replies.find(3) is None
    assert replies.forgotten(3)
    assert not replies.forgotten(limits.REPLIES_KEPT + 10)


def test_strangers_make_room_for_others():
    peers = Peers()
    known = peers.get(b"k" * 32)
    known.sign_key = b"s" * 32
    for number in range(2000):
        peers.get(number.to_bytes(32, "big"))
    peers.make_room({b"k" * 32})
    assert peers.find(b"k" * 32) is known
    assert len(list(peers)) <= 512


def test_a_bucket_fills_up_with_time():
    bucket = Bucket(per_second=2, most=3)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(0.5)
    assert not bucket.take(0.6)
    bucket.give_back()
    assert bucket.take(0.6)


# ---- table


def table() -> Table:
    return Table("t", practice=False, options=Options(), clocks=Clocks())


def test_a_seat_kept_for_a_bot_is_not_given_to_others():
    one = table()
    one.promised.add("red")
    assert one.sit(b"a", None, bot=False) == "blue"
    with pytest.raises(Refused):
        one.sit(b"a", "red", bot=False)
    assert one.sit(b"b", "red", bot=True) == "red"
    assert one.promised == set()


def test_a_sixth_player_can_only_look_on():
    one = table()
    for number in range(5):
        one.sit(bytes([number]), None, bot=False)
    with pytest.raises(Refused) as refused:
        one.sit(b"six", None, bot=False)
    assert refused.value.code == "full"


def test_a_table_comes_back_from_what_is_kept_of_it():
    one = table()
    one.change_options({"goal": 3})
    one.clocks = Clocks(reaction_s=0.25, decision_s=90)
    one.owner = b"o" * 32
    one.sit(b"a" * 32, "green", bot=False)
    kept = codec.unpack_value(codec.pack_value(one.to_data()))
    again = Table.from_data(kept)
    assert again.to_data() == one.to_data()
    assert again.clocks == one.clocks


# ---- standing passes


def game() -> Game:
    fixed = {"red": "none", "blue": "none", "green": "none"}
    return Game(Setup("g", ("red", "blue", "green"), {}, Options(aliens="fixed", fixed=fixed)), bytes(32))


def test_a_standing_pass_answers_its_windows_except_those_kept():
    standing = Standing()
    standing.set(game(), "red", "turn", ["important"])
    window = decision(1, 1, 1)
    assert standing.passing([window]) == window
    kept = Decision(2, 1, "red", "react", "w", "?", {"window": "important", "actions": []}, None)
    other = Decision(3, 1, "blue", "react", "w", "?", {"window": "w", "actions": []}, None)
    choice = Decision(4, 1, "red", "choose", "w", "?", {"options": [], "min": 0, "max": 0}, [])
    assert standing.passing([kept, other, choice]) is None


def test_a_standing_pass_ends_with_its_phase_encounter_or_at_ones_turn():
    running = game()
    standing = Standing()
    first = running.view()["active"]
    following = running.setup.seats[(running.setup.seats.index(first) + 1) % 3]
    standing.set(running, following, "turn", [])  # type: ignore[arg-type]
    standing.set(running, first, "encounter", [])
    ended: list[str] = []
    while len(ended) < 2:
        pending = running.pending[0]
        running.close(pending.group)
        ended += standing.end(running)
    assert ended.count(first) == 1
    assert ended.count(following) == 1
    assert running.view()["active"] == following


# ---- presence


def room(folder: Path, now: list[float]) -> Room:
    config = Config(folder=folder)
    return Room(config, Identity(b"h" * 32), Journal(None), table(), BotPool(folder, None), lambda: now[0])


def test_who_is_silent_for_long_is_away_until_he_is_heard_again(tmp_path: Path):
    now = [100.0]
    here = room(tmp_path, now)
    peer = here.peers.get(b"p" * 32)
    peer.sign_key, peer.route, peer.heard, peer.presence = b"s" * 32, b"route", 100.0, "here"
    here.table.sit(peer.key, "blue", bot=False)
    sessions = Sessions(here)
    now[0] = 100.0 + limits.SILENT_SECONDS
    sessions.watch_presence()
    assert here.news == []
    now[0] += 0.1
    sessions.watch_presence()
    peer.heard = now[0]
    sessions.watch_presence()
    assert [item.make(1) for item in here.news] == [
        PresencePush(n=1, seat="blue", state="away"),
        PresencePush(n=1, seat="blue", state="here"),
    ]
    here.journal.close()


# ---- journal and folder


def test_what_was_not_committed_is_lost_and_what_was_is_not(tmp_path: Path):
    journal = Journal(tmp_path / "j")
    journal.begin("g", b"setup", False, b"h" * 32, {"red": b"r" * 32})
    journal.share("g", "red", b"s" * 32)
    origin = Origin(b"p", b"s", 7)
    journal.line("g", 0, Line(b"entry", b"opening", origin), b"head")
    journal.put("table", {"name": "t"})
    journal.player(StoredPlayer(b"p", "Ada", "person", b"k"))
    journal.commit()
    journal.line("g", 1, Line(b"lost", b"", None), b"head")
    journal.close()

    again = Journal(tmp_path / "j")
    assert again.lines("g") == [Line(b"entry", b"opening", origin)]
    assert again.get("table") == {"name": "t"}
    assert again.get("nothing") is None
    assert [player.name for player in again.players()] == ["Ada"]
    stored = again.game()
    assert stored is not None
    assert (stored.id, stored.state, stored.shares) == ("g", "seeding", {"red": b"s" * 32})
    again.close()


def test_a_file_that_is_no_journal_is_not_used(tmp_path: Path):
    (tmp_path / "j").write_bytes(b"something else" * 100)
    with pytest.raises(JournalError):
        Journal(tmp_path / "j")


def test_two_hosts_cannot_use_one_folder(tmp_path: Path):
    folder = Folder(tmp_path / "table")
    secret = folder.secret()
    with pytest.raises(CannotStart, match="already running"):
        Folder(tmp_path / "table")
    folder.close()
    again = Folder(tmp_path / "table")
    assert again.secret() == secret
    assert (tmp_path / "table" / "host.secret").stat().st_mode & 0o077 == 0
    again.close()


# ---- what waits to be dealt with


def arrival(size: int = 1) -> Arrival:
    return Arrival(b"route", bytes(32), bytes(size))


def test_a_player_is_heard_before_the_strangers_who_came_first():
    now = 0.0
    inbox = Inbox(lambda: now)
    strangers = [arrival() for _ in range(50)]
    assert all(inbox.put(one, plays=False) for one in strangers)
    answer = arrival()
    inbox.put(answer, plays=True)
    turn = inbox.take()
    assert next(turn) is answer
    assert next(turn) is strangers[0]
    now = OTHERS_SECONDS * 2
    assert list(turn) == []
    assert next(inbox.take()) is strangers[1]


def test_of_strangers_only_so_much_waits():
    inbox = Inbox(lambda: 0.0)
    assert sum(inbox.put(arrival(), plays=False) for _ in range(MOST_WAITING + 5)) == MOST_WAITING
    assert inbox.put(arrival(), plays=True)
    inbox = Inbox(lambda: 0.0)
    assert sum(inbox.put(arrival(60_000), plays=False) for _ in range(MOST_WAITING)) == MOST_BYTES // 60_000
    list(inbox.take())
    assert not inbox
    assert inbox.put(arrival(60_000), plays=False)
