"""One example at least of every message and transcript entry, for the vectors."""

from __future__ import annotations

import msgpack  # type: ignore[import-untyped]
import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from protocol import codec, fairness, limits, messages, transcript, whisper
from protocol import messages as m
from protocol.identity import Identity

SECRET = bytes(range(32))
ANN = Identity(SECRET)
HOST = Identity(b"h" * 32)
GAME = "g-7c1"
HEAD = m.Head(count=4, head=b"\x11" * 32, signature=b"\x22" * 64)
SETUP = codec.pack_value({"game_id": GAME, "seats": ["red", "blue"]})
CONTEXT = m.SealContext(v=1, game=GAME, encounter=3, attempt=0, seat="red", key=ANN.sign_key)
SEAL = fairness.seal(ANN, CONTEXT.data(), 17)
SIGNED_SEED = m.SignedSeed(commitment=b"\x33" * 32, signature=b"\x44" * 64)
WHISPERS = X25519PrivateKey.from_private_bytes(b"w" * 32)
"""The key with which Ann's program takes whispers."""
WHISPER_KEY = m.WhisperKey(
    sign_key=ANN.sign_key,
    key=whisper.public(WHISPERS),
    signature=whisper.vouch(ANN, HOST.curve_key, whisper.public(WHISPERS)),
)
TABLE = m.Table(
    name="Ann's table",
    phase="lobby",
    seats=[
        m.SeatInfo(seat="red", name="Ann", ready=True, owner=True, presence="here", whisper=WHISPER_KEY),
        m.SeatInfo(seat="blue", name="Bot 1", ready=True, bot=True, presence="here"),
        m.SeatInfo(seat="green"),
    ],
    watchers=["Zoë"],
    options={"planets": 5, "ask": "all"},
    clocks=m.Clocks(),
    house=m.House(whispers=True),
    away=[m.Absence(seat="green", left_ms=90_000, wait=["red"])],
    invites=["192.168.1.20:21977"],
)

WAITING = {"id": 7, "group": 4, "seat": "red", "kind": "react", "topic": "window", "clock": "reaction", "timer": 4}
SHARED = m.Shared(
    events=[
        {"n": 2, "kind": "launched", "phase": "launch", "seat": "red", "ships": {"red-1": 2}},
        {"n": 3, "kind": "cards-drawn", "phase": "launch", "seat": "red", "count": 1},
    ],
    patch={
        "planets": {"red-1": {"red": 2}},
        "turn": 2,
        "waiting": {"put": [WAITING | {"window": "after-launch", "text": "Do you want to act?", "args": {}}]},
        "-": ["winners"],
    },
    entries=[transcript.encode_entry(transcript.CloseEntry(group=3))],
    signature=b"\x22" * 64,
    clocks={4: 3000, 3: None},
)


def stored(shared: m.Shared) -> bytes:
    """A shared part in a deflated form that all deflaters make alike: one block that is only stored."""
    packed: bytes = msgpack.packb(msgspec.to_builtins(shared, builtin_types=(bytes,), str_keys=True))
    return b"\x01" + len(packed).to_bytes(2, "little") + (len(packed) ^ 0xFFFF).to_bytes(2, "little") + packed


REQUESTS: tuple[m.Request, ...] = (
    m.Hello(
        id=1,
        versions=[limits.VERSION],
        name="Ann",
        program="cosmic-net 0.1.0",
        sign_key=ANN.sign_key,
        proof=ANN.prove(HOST.curve_key),
        session=b"session-16-bytes",
        seen=0,
        passphrase=b"\x66" * 32,
        whisper=WHISPER_KEY,
    ),
    m.Ack(n=12),
    m.Ping(id=2, seen=12),
    m.Resync(id=3),
    m.Sit(id=4, seat="red"),
    m.Sit(id=5),
    m.Leave(id=6),
    m.Ready(id=7, ready=True),
    m.SetOptions(id=8, options={"planets": 4, "flares": False}, clocks=m.Clocks(reaction_s=5.0)),
    m.SetOptions(id=22, house=m.House(absent="bot", watch_delay_s=30.0)),
    m.Bot(id=9, action="add"),
    m.Vote(id=23, seat="blue", choice="bot"),
    m.Kick(id=10, seat="blue"),
    m.Start(id=11),
    m.Seed(id=12, game=GAME, commitment=b"\x33" * 32, signature=b"\x44" * 64),
    m.SeedOpen(id=13, game=GAME, value=b"\x55" * 32),
    m.Answer(
        id=14,
        decision=5,
        value=codec.pack_value({"red-1": 2, "red-2": 2}),
        count=4,
        signature=b"\x22" * 64,
    ),
    m.Passes(id=15, until="turn", keep=["reveal"], count=4, signature=b"\x22" * 64),
    m.Record(id=16, game=GAME, start=0, count=100),
    m.Say(id=17, text="Hello, all!"),
    m.Whisper(id=24, to="blue", game=GAME, key=b"\x77" * 32, number=1, data=b"\x88" * 156),
    m.Rematch(id=18),
    m.Bye(id=19),
)

PUSHES: tuple[m.Push, ...] = (
    m.Reply(
        id=1,
        ok=True,
        body=codec.make_body(
            m.Welcome(
                version=limits.VERSION,
                features=[],
                program="cosmic-net 0.1.0",
                sign_key=HOST.sign_key,
                proof=HOST.prove_host(),
                next=1,
                seat=None,
                game=None,
            )
        ),
    ),
    m.Reply(id=14, ok=False, error=m.Error(code="illegal-answer", text="at most four ships may be sent")),
    m.Reply(id=16, ok=True, body=codec.make_body(m.Page(start=0, total=1, entries=[b"\x80"]))),
    m.Lobby(n=1, table=TABLE, you=m.You(seat="red", owner=True)),
    m.Begin(n=2, game=GAME, setup=SETUP, host_commitment=b"\x66" * 32),
    m.Seeds(n=3, game=GAME, commitments={"red": SIGNED_SEED, "blue": SIGNED_SEED}),
    m.Abandoned(n=4, game=GAME, seat="blue", text="blue did not send a share of the seed in time"),
    m.Snapshot(
        n=5,
        game=GAME,
        setup=SETUP,
        host_commitment=b"\x66" * 32,
        view={"game": GAME, "turn": 1, "planets": {"red-1": {"red": 4}}, "me": "red", "prompts": []},
        log=[{"n": 1, "kind": "game-begins", "phase": "start"}],
        head=HEAD,
        clocks={3: 2500},
        sealed=[m.SealedCard(seat="red", context=CONTEXT, commitment=SEAL.commitment, signature=SEAL.signature)],
        passes=[m.StandingPass(seat="blue", until="turn", keep=["reveal"])],
    ),
    m.Update(
        n=6,
        shared=stored(SHARED),
        own=m.Own(
            events=[{"n": 3, "kind": "cards-drawn", "phase": "launch", "seat": "red", "count": 1, "cards": ["morph"]}],
            patch={"hand": {"at": 1, "put": [[91, "morph"]]}},
            asked=[{"id": 7, "actions": [{"id": "morph", "text": "play {card}", "args": {"card": "morph"}}]}],
        ),
    ),
    m.Update(n=7, shared=stored(m.Shared(patch={"turn": 3}))),
    m.Standing(n=9, seat="blue", until="off", keep=[]),
    m.Said(n=10, seat="red", name="Ann", text="Hello, all!"),
    m.Whispered(n=13, seat="red", to="blue", game=GAME),
    m.Whispered(n=14, seat="blue", to="red", game=GAME, box=m.Box(key=b"\x77" * 32, number=1, data=b"\x88" * 156)),
    m.PresencePush(n=11, seat="blue", state="away"),
    m.Ended(
        n=12,
        game=GAME,
        outcome="won",
        winners=["red"],
        seeds={"host": b"h" * 32, "red": b"r" * 32, "blue": b"b" * 32},
        head=HEAD,
    ),
    m.Superseded(),
    m.Closing(reason="kicked", text="Ann has sent you away"),
)

ENTRIES: tuple[transcript.Entry, ...] = (
    transcript.SeedsEntry(host=b"\x66" * 32, seats={"red": SIGNED_SEED, "blue": SIGNED_SEED}),
    transcript.AnswerEntry(seat="red", decision=5, digest=b"\x77" * 16),
    transcript.AnswerEntry(
        seat="red",
        decision=6,
        digest=b"\x78" * 16,
        shown={"commitment": SEAL.commitment, "signature": SEAL.signature},
    ),
    transcript.PassesEntry(seat="blue", until="turn", keep=["reveal"], head=b"\x11" * 32, signature=b"\x22" * 64),
    transcript.PassEntry(seat="blue", decision=7),
    transcript.CloseEntry(group=3),
    transcript.PlayerEntry(seat="blue", key=HOST.sign_key),
)


def _damaged(message: m.Request, **changes: object) -> bytes:
    return bytes(msgpack.packb(msgpack.unpackb(codec.encode(message)) | changes))


SIT = messages.Sit(id=4, seat="red")
REFUSED: tuple[tuple[str, bytes, str, int | None], ...] = (
    ("an unknown field", _damaged(SIT, chair=1), "bad-frame", 4),
    ("an unknown type", _damaged(SIT, t="fly"), "unknown-type", 4),
    ("a type that only the host sends", codec.encode(m.Superseded()), "unknown-type", None),
    ("a string for a number", _damaged(SIT, id="4"), "bad-frame", None),
    ("an id out of range", _damaged(SIT, id=0), "bad-frame", None),
    ("a seat that does not exist", _damaged(SIT, seat="white"), "bad-frame", 4),
    ("a missing field", bytes(msgpack.packb({"t": "ready", "id": 4})), "bad-frame", 4),
    ("a name with a control character", _damaged(REQUESTS[0], name="A\x1bnn"), "bad-frame", 1),
    ("a name that ends in a space", _damaged(REQUESTS[0], name="Ann "), "bad-frame", 1),
    ("a key that is too short", _damaged(REQUESTS[0], sign_key=b"k" * 31), "bad-frame", 1),
    ("a version that is not spoken here", _damaged(REQUESTS[0], versions=[99], new=1), "version", 1),
    ("a list instead of a map", bytes(msgpack.packb(["sit", 4])), "bad-frame", None),
    ("something behind the map", codec.encode(SIT) + b"\x00", "bad-frame", None),
    ("cut off", codec.encode(SIT)[:-1], "bad-frame", None),
    ("an extension type", _damaged(SIT, seat=msgpack.ExtType(1, b"x")), "bad-frame", None),
    ("nested too deeply", _damaged(REQUESTS[8], options={"x": [[[[[[[[[[[1]]]]]]]]]]]}), "bad-frame", 8),
    ("nothing", b"", "bad-frame", None),
)
