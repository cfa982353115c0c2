"""A program that does to a host whatever it must bear: one abuse after another, each reported as a line of JSON.

python -m tests.support.hostile ADDRESS KEY-IN-HEX [--seconds S] [--megabytes MB] [ABUSE ...]

It ends by itself: every abuse has a bound. Each uses a key of its own, under the abuse's name.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgpack  # type: ignore[import-untyped]
import zmq

from protocol import codec, limits, signing
from protocol.identity import Identity
from protocol.messages import (
    Ack,
    Answer,
    Kick,
    Leave,
    Ping,
    Ready,
    Record,
    Request,
    Resync,
    Say,
    SeedOpen,
    SetOptions,
    Sit,
    Snapshot,
    Start,
)
from tests.support.foe import Foe, Link, ended

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00CURVE" + bytes(15) + bytes(32)
RUSH = 200
TRIED = 40
AT_ONCE = limits.BAD_FRAMES + 1


# ---- strangers


def http(foe: Foe) -> dict[str, Any]:
    """Somebody's browser comes by."""
    results = []
    for port in (foe.port, foe.port + 1):
        connection = foe.tcp(port)
        connection.sendall(b"GET / HTTP/1.1\r\nHost: table\r\n\r\n" * 4)
        results.append(ended(connection))
    return {"ended": results}


def silent(foe: Foe, count: int = 60) -> dict[str, Any]:
    """Connections that say nothing, and some that stop in the middle of the greeting."""
    connections = [foe.tcp() for _ in range(count)]
    for connection in connections[::2]:
        connection.sendall(GREETING[:20])
    began = time.monotonic()
    gone = [ended(connection) for connection in connections]
    return {"ended": sum(gone), "of": count, "after_s": round(time.monotonic() - began, 1)}


def slow(foe: Foe) -> dict[str, Any]:
    """A greeting, a byte at a time."""
    connections = [foe.tcp() for _ in range(20)]
    gone = 0
    for step in range(len(GREETING)):
        time.sleep(0.04)
        for connection in connections:
            with suppress(OSError):
                connection.sendall(GREETING[step : step + 1])
    gone = sum(ended(connection, 0.5) for connection in connections)
    return {"ended": gone, "of": len(connections)}


def huge(foe: Foe) -> dict[str, Any]:
    """Claims an enormous frame before the handshake, and sends much of it."""
    sent = 0
    connection = foe.tcp()
    connection.sendall(GREETING + b"\x06" + (1 << 40).to_bytes(8, "big"))
    with suppress(OSError):
        while sent < 20_000_000:
            sent += connection.send(bytes(65536))
    return {"ended": ended(connection), "sent_mb": sent >> 20}


def unencrypted(foe: Foe) -> dict[str, Any]:
    """No CURVE, and CURVE with another host's key."""
    plain = Link(foe, "unencrypted", encrypted=False)
    wrong = Link(foe, "wrong key")
    wrong.socket.curve_serverkey = Identity(bytes(32)).curve_public
    for link in (plain, wrong):
        with suppress(zmq.Again):
            link.send(codec.encode(link.hello()))
    time.sleep(1)
    heard = [link.socket.poll(0) for link in (plain, wrong)]
    plain.close()
    wrong.close()
    return {"heard": heard}


def key_service(foe: Foe) -> dict[str, Any]:
    """Many who ask for the key and stay, and what comes after the question."""
    connections = []
    with suppress(OSError):
        connections += [foe.tcp(foe.port + 1) for _ in range(60)]
    for connection in connections[::2]:
        with suppress(OSError):
            connection.sendall(b"x" * 100_000)
    gone = [ended(connection) for connection in connections]
    return {"ended": sum(gone), "of": len(connections)}


# ---- bad frames


def frames() -> list[bytes]:
    """Frames that are none."""
    ping: dict[str, Any] = {"t": "ping", "id": 7}
    deep: Any = 1
    for _ in range(600):
        deep = [deep]
    whole = msgpack.packb(ping)
    return [
        b"",
        b"\xc1",
        whole[:-1],
        whole + b"\x00",
        msgpack.packb(ping | {"more": 1}),
        msgpack.packb({"t": "no-such-thing", "id": 7}),
        msgpack.packb({"t": ["ping"], "id": 7}),
        msgpack.packb({"t": "ping", "id": -1}),
        msgpack.packb({"t": "ping", "id": 1 << 60}),
        msgpack.packb({"t": "ping", "id": 7.0}),
        msgpack.packb({"t": "ping", "id": True}),
        msgpack.packb({"t": "say", "id": 7, "text": "x" * 501}),
        msgpack.packb({"t": "say", "id": 7, "text": "\x1b[2J"}),
        msgpack.packb({"t": "say", "id": 7, "text": b"\xff".decode("latin-1") * 5000}),
        msgpack.packb({"t": "options", "id": 7, "options": {"a": deep}}),
        msgpack.packb({1: 2}),
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xc7\x05\x01hello",
        b"\x81\xa1t\xa4ping" * 2,
        bytes(range(256)) * 200,
    ]


def malformed(foe: Foe) -> dict[str, Any]:
    """Frames that cannot be read, before hello and after it; a new connection whenever one is shut."""
    codes: list[str] = []
    for number, start in enumerate(range(0, len(frames()), AT_ONCE)):
        for hello in (False, True):
            link = foe.link(f"malformed {number}{hello:d}", hello=hello)
            some = frames()[start : start + AT_ONCE]
            for frame in some:
                link.send(frame)
            codes += link.codes(min(len(some), limits.BAD_FRAMES))
            link.close()
    return {"codes": sorted(set(codes)), "count": len(codes)}


def oversized(foe: Foe) -> dict[str, Any]:
    """A frame that is longer than frames may be; messages of several frames."""
    link = foe.link("oversized")
    link.send(bytes(limits.REQUEST.size - 100))
    link.send(b"a", b"b", b"c")
    link.send(*[b""] * 50_000)
    codes = link.codes(3)
    link.send(bytes(1_000_000))
    lost = False
    for number in range(10):  # the next connection has not said hello
        link.send(codec.encode(Ping(id=number + 1)))
        lost = lost or "hello-first" in link.codes(1, 300)
    link.close()
    return {"codes": codes, "lost": lost}


# ---- lies


def lies(foe: Foe) -> dict[str, Any]:
    """Requests in another's name, out of order, out of date, about the future."""
    link = foe.link("lies", hello=False)
    other = Identity(bytes([1]) * 32)
    result: dict[str, Any] = {}
    result["before hello"] = link.code(Say(id=1, text="hello?"))
    result["another's keys"] = link.code(link.hello(sign_key=other.sign_key, proof=other.prove(foe.host_key)))
    result["another's name"] = link.code(link.hello(name="Player 1"))
    link.ask(Resync(id=1))
    link.ask(Ping(id=1))
    while not (snapshots := [push for push in link.heard if isinstance(push, Snapshot)]):
        link.heard.append(codec.decode_push(link.socket.recv()))
    snapshot = snapshots[-1]
    game, at = snapshot.game, snapshot.head
    for waiting in snapshot.view["waiting"][:1]:
        decision, value = waiting["id"], codec.pack_value(None)
        for identity in (link.identity, other):
            signature = signing.sign_answer(identity, game, decision, value, at.head)
            answer = Answer(id=1, decision=decision, value=value, count=at.count, signature=signature)
            result["another's decision"] = link.code(answer)
        result["a share of the seed"] = link.code(SeedOpen(id=1, game=game, value=bytes(32)))
    result["a seat"] = link.code(Sit(id=1, seat="red"))
    again = link.ask(Say(id=link.last, text="other content"), number=False)
    result["an id again"] = again.error.text if again.error else "ok"
    for name, request in (("options", SetOptions(id=1, options={"goal": 1})), ("kick", Kick(id=1, seat="red"))):
        result[name] = link.code(request)
    result["start"] = link.code(Start(id=1))
    result["ready"] = link.code(Ready(id=1, ready=True))
    for seen in (0, 1 << 52, limits.MAX_ID):
        link.send(codec.encode(Ack(n=seen)))
        link.ask(Ping(id=1, seen=seen))
    result["the future"] = link.code(link.hello(seen=limits.MAX_ID))
    result["another's record"] = link.code(Record(id=1, game="none", start=limits.MAX_ID))
    link.close()
    return result


# ---- floods


def flood(foe: Foe, name: str, make: Callable[[Link, int], bytes]) -> dict[str, Any]:
    """As many frames as go through, from one connection; what comes back is thrown away unread."""
    link = foe.link(name)
    sent = heard = 0
    deadline = time.monotonic() + foe.seconds
    while time.monotonic() < deadline:
        for _ in range(50):
            with suppress(zmq.Again):
                link.socket.send(make(link, sent), zmq.DONTWAIT)
                sent += 1
        with suppress(zmq.Again):
            while True:
                link.socket.recv(zmq.DONTWAIT)
                heard += 1
    link.close()
    return {"sent_per_s": round(sent / foe.seconds), "heard_per_s": round(heard / foe.seconds)}


def pings(foe: Foe) -> dict[str, Any]:
    """Pings."""
    return flood(foe, "pings", lambda _, n: codec.encode(Ping(id=n + 1)))


def acks(foe: Foe) -> dict[str, Any]:
    """Acknowledgements, which are not answered."""
    return flood(foe, "acks", lambda _, n: codec.encode(Ack(n=n)))


def noise(foe: Foe) -> dict[str, Any]:
    """Whatever makes work for others, each kind in turn."""
    kinds: list[Callable[[int], Request]] = [
        lambda n: Say(id=n, text="noise"),
        lambda n: Sit(id=n),
        lambda n: Leave(id=n),
        lambda n: Resync(id=n),
        lambda n: SetOptions(id=n, options={"goal": 1}),
        lambda n: Record(id=n, game="none", start=0),
    ]
    return flood(foe, "noise", lambda _, n: codec.encode(kinds[n % len(kinds)](n + 1)))


def hellos(foe: Foe) -> dict[str, Any]:
    """Hello, under ever new names."""
    return flood(
        foe,
        "hellos",
        lambda link, n: codec.encode(link.hello(id=n + 1, name=f"name {n}", session=n.to_bytes(16, "big"))),
    )


def crowd(foe: Foe) -> dict[str, Any]:
    """More keys that say hello than may look on."""
    links = [Link(foe, f"crowd {number}") for number in range(90)]
    for link in links:
        link.send(codec.encode(link.hello()))
    deadline = time.monotonic() + 10
    codes = [link.first_code(deadline) for link in links]
    for link in links:
        link.close()
    return {code: codes.count(code) for code in sorted(set(codes))}


def connections(foe: Foe) -> dict[str, Any]:
    """One key that connects again and again."""
    links = [Link(foe, "connections") for _ in range(TRIED)]
    for link in links:
        link.send(codec.encode(Ping(id=1)))
    deadline = time.monotonic() + 1
    through = sum(link.first_code(deadline) != "nothing" for link in links)
    for link in links:
        link.close()
    return {"tried": TRIED, "through": through}


def deaf(foe: Foe) -> dict[str, Any]:
    """Asks for everything again and again, and reads nothing."""
    links = []
    for number in range(4):
        link = Link(foe, f"deaf {number}", queue=1)
        link.socket.setsockopt(zmq.RCVBUF, 4096)
        link.connect()
        link.send(codec.encode(link.hello()))
        links.append(link)
    deadline, sent = time.monotonic() + foe.seconds, 0
    while time.monotonic() < deadline:
        for link in links:
            with suppress(zmq.Again):
                link.socket.send(codec.encode(Resync(id=sent + 2)), zmq.DONTWAIT)
                sent += 1
        time.sleep(0.02)
    for link in links:
        link.close()
    return {"asked": sent}


def endless(foe: Foe) -> dict[str, Any]:
    """One message of very many frames. The host gets to see it when it has ended; until then it only takes memory."""
    link = foe.link("endless")
    part, count = bytes(60_000), foe.megabytes * 1_000_000 // 60_000
    for _ in range(count):
        link.socket.send(part, zmq.SNDMORE)  # it is kept here, until it is whole
    link.socket.send(part)
    began = time.monotonic()
    try:
        link.ask(Ping(id=1), wait_ms=10_000)
        through = round(time.monotonic() - began, 1)
    except TimeoutError:
        through = -1.0
    link.close()
    return {"mb": foe.megabytes, "through_s": through}


def silent_many(foe: Foe) -> dict[str, Any]:
    """More silent connections than a program with few descriptors can have."""
    return silent(foe, 120)


def idle_many(foe: Foe) -> dict[str, Any]:
    """Connections that are through the handshake, and never say hello: they come again whenever they are cut."""
    links = [Link(foe, f"idle {number}").connect() for number in range(120)]
    time.sleep(foe.seconds)
    for link in links:
        link.close()
    return {}


def rush(foe: Foe) -> dict[str, Any]:
    """200 clients that come all at once, are cut off, and come again; none is left without an answer."""
    result: dict[str, Any] = {}
    for time_of_it in ("first", "again"):
        links = [Link(foe, f"rush {number}") for number in range(RUSH)]
        began = time.monotonic()
        for link in links:
            link.send(codec.encode(link.hello()))
        codes = [link.first_code(began + 20) for link in links]
        result[f"{time_of_it}_s"] = round(time.monotonic() - began, 2)
        result[f"{time_of_it}_in"] = codes.count("ok")
        result[f"{time_of_it}_unanswered"] = codes.count("nothing")
        for link in links:
            link.close()
    return result


STRANGERS = (http, silent, slow, huge, unencrypted, key_service)
INSIDERS = (malformed, oversized, lies, pings, acks, noise, hellos, connections, deaf, crowd, endless)
ABUSES: dict[str, Callable[[Foe], dict[str, Any]]] = {abuse.__name__: abuse for abuse in (*STRANGERS, *INSIDERS)}

MORE = {"silent_many": silent_many, "idle_many": idle_many, "rush": rush}


def main() -> None:
    """Runs the abuses that are named, or all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("key", type=bytes.fromhex)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("abuses", nargs="*")
    args = parser.parse_args()
    foe = Foe(args.address, args.key, args.seconds, args.megabytes)
    for name in args.abuses or ABUSES:
        began = time.monotonic()
        result = (ABUSES | MORE)[name](foe)
        print(json.dumps({"abuse": name, "s": round(time.monotonic() - began, 1)} | result), flush=True)
    sys.exit(0)


if __name__ == "__main__":
    main()
