"""When a game is over, everything may be looked at: this client replays the whole record and checks every draw.

It needs nobody's word: shares of the seed, signatures, the order of what was put in, and that the rules make of it
exactly what was shown here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cosmic_net.engine.errors import IllegalAnswer, RulesError
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import Setup
from protocol import audit, codec, fairness
from protocol import messages as m
from protocol.patch import same


@dataclass(frozen=True)
class Start:
    """How a game began: its id, its setup as it was sent, the host's commitment, whether the seed was given."""

    game: str
    setup: bytes
    host_commitment: bytes
    practice: bool


@dataclass(frozen=True)
class Shown:
    """What was shown here while the game ran: to which seat (None: to one who looks on), the last view, the events."""

    seat: str | None
    view: Mapping[str, Any]
    log: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Record:
    """A finished game: its start, what the host has sent of it, and what was shown here."""

    start: Start
    entries: Sequence[bytes]
    openings: Sequence[bytes]
    ended: m.Ended
    shown: Shown


def check(record: Record) -> list[str]:
    """What is wrong with a finished game, in sentences; nothing if all is well. Takes a while."""
    data = codec.unpack_value(record.start.setup)
    shares = {str(party): share for party, share in record.ended.seeds.items()}
    game, setup, committed = record.start.game, record.start.setup, _committed(record, shares)
    found = audit.check(game, setup, data["keys"], record.entries, record.openings, committed)
    if found:
        return [f"entry {finding.entry}, {finding.who}: {finding.what}" for finding in found]
    if audit.heads(record.start.game, record.start.setup, record.entries)[-1] != record.ended.head.head:
        return ["the record that was fetched is not the one that the game ended with"]
    try:
        inputs = audit.inputs(record.entries, record.openings)
        replayed = Game.replay(Setup.from_data(data), _seed(record, shares), inputs)
    except (IllegalAnswer, RulesError, ValueError) as error:
        return [f"the rules do not allow the game as it was recorded: {error}"]
    return _differences(record, replayed)


def _committed(record: Record, shares: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The shares that were committed to: at a practice table the seed itself stands for all of them."""
    return {fairness.HOST: shares.get(fairness.HOST, b"")} if record.start.practice else shares


def _seed(record: Record, shares: Mapping[str, bytes]) -> bytes:
    host = shares.get(fairness.HOST, b"")
    if record.start.practice:
        return host
    return fairness.combine(record.start.game, host, {seat: s for seat, s in shares.items() if seat != fairness.HOST})


def _differences(record: Record, replayed: Game) -> list[str]:
    """Where the replayed game is not the one that was shown here."""
    found = []
    if record.ended.outcome == "won" and replayed.winners != list(record.ended.winners):
        found.append(f"by the rules the winners are {', '.join(replayed.winners) or 'nobody'}")
    if record.ended.outcome == "won" and not same(replayed.view(record.shown.seat), record.shown.view):
        found.append("the table was shown otherwise than the rules have it")
    events = {event.n: event.seen_by(record.shown.seat) for event in replayed.events}
    for told in record.shown.log:
        if not same(events.get(told["n"]) or {}, told):
            found.append(f"event {told['n']} ({told.get('kind')}) was told otherwise than the rules have it")
            break
    return found
