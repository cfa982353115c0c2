"""Makes `protocol/updates.dict`, with which what all are told is deflated: `python -m tests.protocol.make_dictionary`.

The dictionary belongs to a version of the protocol: a new one is another version. It is made of the pieces that come
most often in games of sensible players, the most frequent last, where deflating reaches them with the fewest bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from cosmic_net import bots
from cosmic_net.bots.agent import Agent
from cosmic_net.bots.table import step
from cosmic_net.engine.decisions import DEAL, SEAL
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import SEATS, Options, Setup
from protocol import patch, transcript, updates
from protocol.messages import Shared
from tests.support.random_games import digest

SIZE = 16 * 1024 - 512
"""A little less than the window: the rest is for the frame itself."""
GAMES = 24
GRAM = 6
"""How long a piece must be to count."""
PIECE = 48
"""How much is taken at a time."""


def samples() -> Iterator[bytes]:
    """What all are told in some games, packed and not deflated."""
    for number in range(GAMES):
        setup = Setup(f"{digest(number).hex()[:16]}", SEATS[: 3 + number % 3], _keys(number), Options())
        game = Game(setup, digest("seed", number))
        seats = {seat: Agent(bots.make("sensible", digest(number, seat)), digest(number, seat)) for seat in setup.seats}
        view, events = game.view(), len(game.events)
        while not game.over:
            decision = game.pending[0]
            if decision.kind == DEAL:
                step(game, seats)
            else:
                answer = seats[decision.seat].answer(game.look(decision.seat), decision.to_data())
                game.answer(decision.seat, decision.id, answer)
            shown = {"commitment": digest(decision.id), "signature": digest(1, decision.id) * 2}
            entry = transcript.AnswerEntry(
                seat=decision.seat,  # type: ignore[arg-type]
                decision=decision.id,
                digest=digest(number, decision.id)[:16],
                shown=shown if decision.kind == SEAL else None,
            )
            new = game.view()
            told = Shared(
                events=[seen for event in game.events[events:] if (seen := event.seen_by(None)) is not None],
                patch=patch.diff(view, new),
                entries=[transcript.encode_entry(entry)],
                clocks={decision.timer: 3000 for decision in game.pending},
            )
            yield msgspec.msgpack.encode(msgspec.to_builtins(told, builtin_types=(bytes,), str_keys=True))
            view, events = new, len(game.events)


def _keys(number: int) -> dict[str, bytes]:
    return {seat: digest("key", number, seat) for seat in SEATS}


def make(told: list[bytes]) -> bytes:
    """The dictionary for these samples."""
    counts: Counter[bytes] = Counter()
    for sample in told:
        counts.update({sample[at : at + GRAM] for at in range(len(sample) - GRAM + 1)})
    text = b"".join(told)
    worth = {gram: count for gram, count in counts.items() if count > GAMES}
    pieces: list[tuple[int, bytes]] = []
    stretch = len(text) // (SIZE // PIECE)
    for begin in range(0, len(text) - stretch, stretch):
        score, at = _best(text, worth, begin, begin + stretch)
        piece = text[at : at + PIECE]
        for offset in range(PIECE - GRAM + 1):
            worth.pop(piece[offset : offset + GRAM], None)
        pieces.append((score, piece))
    return b"".join(piece for score, piece in sorted(pieces) if score)[-SIZE:]


def _best(text: bytes, worth: dict[bytes, int], begin: int, end: int) -> tuple[int, int]:
    """The piece of a stretch that has the most of what is not in the dictionary yet: what it is worth, and where."""
    values = [worth.get(text[at : at + GRAM], 0) for at in range(begin, end)]
    width = PIECE - GRAM + 1
    total = sum(values[:width])
    best = total, begin
    for at in range(1, len(values) - width + 1):
        total += values[at + width - 1] - values[at - 1]
        best = max(best, (total, begin + at))
    return best


if __name__ == "__main__":
    (Path(updates.__file__).with_name("updates.dict")).write_bytes(make(list(samples())))
