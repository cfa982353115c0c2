"""The limits of a host by themselves, without processes and sockets."""

from __future__ import annotations

import os
import time

import pytest

from host import resources
from host.peers import FAR, Peer, Pushes
from host.rates import MOST_BUCKETS, Buckets
from protocol import limits
from protocol.messages import Push, Said


def said(number: int) -> Push:
    return Said(n=number, seat=None, name="Ann", text="x" * 400)


def test_everybody_has_a_bucket_and_only_so_many_are_kept():
    buckets = Buckets(per_second=1, most=2)
    assert [buckets.take(b"a", 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take(b"b", 0.0)
    for number in range(MOST_BUCKETS):
        buckets.take(number.to_bytes(4, "big"), 0.0)
    assert buckets.take(b"a", 0.0), "who has not come for long is forgotten"


def test_who_floods_is_not_listened_to_for_a_moment():
    peer = Peer(b"k" * 32)
    heard = [not peer.floods(100.0) for _ in range(limits.FRAME_BURST + 50)]
    assert heard == [True] * limits.FRAME_BURST + [False] * 50
    assert peer.unread == 50
    assert peer.floods(100.0 + limits.DEAF_SECONDS / 2)
    assert not peer.floods(100.1 + limits.DEAF_SECONDS)


def test_pushes_are_kept_up_to_a_number_of_bytes():
    pushes = Pushes()
    added = 0
    while pushes.add(said, most=10_000):
        added += 1
    assert 10 < added < 30
    assert pushes.add(said, most=10), "one push is always kept"


def test_nobody_can_count_so_far_that_no_numbers_are_left():
    pushes = Pushes()
    assert not pushes.restart(limits.MAX_ID)
    assert pushes.next < FAR


def test_a_host_that_begins_anew_is_started_as_before_and_goes_on():
    assert resources.resumed(["python", "-X", "dev", "-m", "host", "f"])[1:] == [
        *("-X", "dev", "-m", "host", "f"),
        "--resume",
    ]
    assert resources.resumed(["python", "-m", "host", "f", "--resume"])[1:].count("--resume") == 1


def test_a_host_that_begins_anew_too_often_waits(monkeypatch: pytest.MonkeyPatch):
    now, started = [1000.0], []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    monkeypatch.setattr(os, "execv", lambda program, words: started.append(now[0]))
    monkeypatch.setenv(resources.VARIABLE, "")
    for _ in range(8):
        now[0] += 1
        resources.begin_anew()
    for first, last in zip(started, started[limits.RESTARTS_PER_MINUTE :], strict=False):
        assert last - first >= 60
    assert started[limits.RESTARTS_PER_MINUTE - 1] < 1010


def test_the_memory_of_a_process_is_known():
    used = resources.memory_used()
    assert used is None or used > 1024 * 1024
