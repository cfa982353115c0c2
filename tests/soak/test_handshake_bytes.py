"""Bytes that come before the handshake is through do nothing to a host, whatever they are.

ZeroMQ reads them, not the host, so there is no coverage to follow: they are mutations of what a real client sends.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random

import pytest

from tests.host.conftest import Hall
from tests.host.hosts import HostProcess
from tests.host.measure import memory_mb
from tests.support.wire_client import WireClient

STREAMS = int(os.environ.get("FUZZ_STREAMS", "40000"))
AT_ONCE = 16
LISTEN_SECONDS = 0.05
"""How long is waited for what the host says to a stream."""
GROWTH_MB = 24


async def recorded(host: HostProcess) -> bytes:
    """All that a client sends until it is greeted, taken down by a relay."""
    address, port = host.address.rsplit(":", 1)
    sent = bytearray()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, note: bytearray | None) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                if note is not None:
                    note += data
                writer.write(data)
        writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(address, int(port))
        await asyncio.gather(carry(reader, back, sent), carry(there, writer, None))

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    client = WireClient(b"\xaa" * 32, "Recorded")
    await client.connect(f"127.0.0.1:{server.sockets[0].getsockname()[1]}", host.key)
    await client.close()
    server.close()
    return bytes(sent)


def mutated(stream: bytes, dice: random.Random) -> bytes:
    """The stream with some bytes changed, left out, doubled or put in, cut somewhere, or all noise."""
    if dice.random() < 0.05:
        return dice.randbytes(dice.randrange(1, 4096))
    data = bytearray(stream)
    for _ in range(dice.randrange(1, 6)):
        at = dice.randrange(len(data))
        match dice.randrange(5):
            case 0:
                data[at] = dice.randrange(256)
            case 1:
                del data[at : at + dice.randrange(1, 40)]
            case 2:
                data[at:at] = data[at : at + dice.randrange(1, 200)]
            case 3:
                data[at:at] = dice.choice([b"\xff" * 9, bytes(9), b"\x06" + b"\xff" * 8, dice.randbytes(20)])
            case 4:
                data[at : at + 8] = dice.randrange(1 << 64).to_bytes(8, "big")
        data = data or bytearray(stream)
    return bytes(data[: dice.randrange(1, len(data) + 1)] if dice.random() < 0.3 else data)


async def pour(address: str, port: int, stream: bytes) -> None:
    """Sends a stream over a connection of its own, and listens for a moment."""
    reader, writer = await asyncio.open_connection(address, port)
    with contextlib.suppress(OSError, TimeoutError):
        writer.write(stream)
        await writer.drain()
        await asyncio.wait_for(reader.read(4096), LISTEN_SECONDS)
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


async def fuzz(hall: Hall, count: int, seed: int) -> None:
    """Sends so many streams to the table's port, and some to that of the key service, while somebody plays on."""
    host, dice = hall.host(), random.Random(seed)
    player = await hall.guest(host, 1)
    stream = await recorded(host)
    assert len(stream) > 400  # the greeting, two commands of the handshake, and a hello
    address, port = host.address.rsplit(":", 1)
    pid = int(host.announcement["pid"])
    before = memory_mb(pid)
    for start in range(0, count, AT_ONCE):
        ports = [int(port) + (dice.random() < 0.1) for _ in range(start, min(count, start + AT_ONCE))]
        await asyncio.gather(*(pour(address, one, mutated(stream, dice)) for one in ports))
        await player.ping()
    await player.sit()
    assert player.closed is None
    assert memory_mb(pid) < before + GROWTH_MB
    assert " ERROR " not in host.log
    assert "Traceback" not in host.log


async def test_a_few_broken_handshakes_do_no_harm(hall: Hall) -> None:
    await fuzz(hall, 160, seed=1)


@pytest.mark.soak
async def test_very_many_broken_handshakes_do_no_harm(hall: Hall) -> None:
    await fuzz(hall, STREAMS, seed=2)
