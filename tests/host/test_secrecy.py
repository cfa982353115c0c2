"""What a host gets to see of a card before it is opened: nothing but its commitment.

Two games with the same keys, seed and answers differ in the card that one player seals. Everything that the host
received before the first opening is compared: it may differ in commitments and signatures, and in nothing else.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from protocol import codec, fairness, limits
from protocol.messages import Answer, Request, Start
from tests.host.hosts import HostProcess
from tests.support.wire_client import WireClient

SECRET = b"h" * 32


async def host_sees(folder: Path, choice: int) -> tuple[list[tuple[bytes, Request]], list[int]]:
    """The frames of a game until somebody opens, by player in order, and the cards that were sealed.

    `choice` says which of the encounter cards in hand the offense seals: 0 the first, 1 the second.
    """
    folder.mkdir()
    (folder / "host.secret").write_bytes(SECRET)
    record = folder / "frames"
    sealed: list[int] = []
    with HostProcess(folder, "--practice-seed", "11" * 32, "--record", str(record), reaction_s=60) as host:
        clients = [Cautious(bytes([number + 1]) * 32, f"Player {number}", choice, sealed) for number in range(3)]
        try:
            for client in clients:
                await client.connect(host.address, host.key)
                await client.sit()
            await clients[0].must(Start(id=1))
            await asyncio.gather(*(client.until(client.waits_for_openings) for client in clients))
            assert [client.errors for client in clients] == [[], [], []]
        finally:
            for client in clients:
                await client.close()
    return read_frames(record), sealed


class Cautious(WireClient):
    """Answers by default, seals what it is told to, opens nothing. Every frame of it depends on the game alone."""

    def __init__(self, secret: bytes, name: str, choice: int, sealed: list[int]) -> None:
        super().__init__(secret, name)
        self.session = secret[: limits.SESSION_BYTES]
        self.acknowledges = False
        self._choice = choice
        self._all_sealed = sealed
        self.bot = self  # type: ignore[assignment]
        self.stops_at = lambda decision: decision["kind"] == "open"

    def waits_for_openings(self) -> bool:
        return any(waiting["kind"] == "open" for waiting in self.view.get("waiting", ()))

    def decide(self, decision: dict[str, Any]) -> Any:
        if decision["kind"] != "seal":
            return decision["default"]
        faces = list(dict.fromkeys(face for _, face in decision["cards"]))
        first = next(card for card, face in decision["cards"] if face == faces[self._choice % len(faces)])
        self._all_sealed.append(first)
        seal = fairness.seal(self.identity, decision["context"], first)
        return {"commitment": seal.commitment, "signature": seal.signature}


def read_frames(path: Path) -> list[tuple[bytes, Request]]:
    """The recorded frames, in the order in which each player sent them."""
    data, found = path.read_bytes(), []
    while data:
        key, length = data[:32], int.from_bytes(data[32:36], "big")
        found.append((key, codec.decode_request(data[36 : 36 + length])))
        data = data[36 + length :]
    return sorted(found, key=lambda item: item[0])


def masked(request: Request) -> Any:
    """A request without what a commitment and a signature may change."""
    if not isinstance(request, Answer):
        return request
    value = codec.unpack_value(request.value)
    if isinstance(value, dict) and set(value) == {"commitment", "signature"}:
        value = {name: len(part) for name, part in value.items()}
    blank = msgspec.structs.replace(request, value=b"?", count=0, signature=bytes(64))
    return blank, len(request.value), value


async def test_the_host_receives_nothing_that_tells_which_card_is_sealed(tmp_path: Path):
    first, sealed = await host_sees(tmp_path / "one", 0)
    second, sealed_otherwise = await host_sees(tmp_path / "two", 1)
    assert len(sealed) == len(sealed_otherwise) == 2
    assert sorted(sealed) != sorted(sealed_otherwise)
    assert [(key, masked(request)) for key, request in first] == [(key, masked(request)) for key, request in second]
    answers = [request for _, request in first if isinstance(request, Answer)]
    assert sum(b"commitment" in request.value for request in answers) == 2
