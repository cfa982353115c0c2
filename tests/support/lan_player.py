"""A player for tests, as a program: finds a table by its name as people do, plays a game there, says how it ended.

python -m tests.support.lan_player NUMBER TABLE [--start PLAYERS]
"""

from __future__ import annotations

import argparse
import asyncio
import time

from client.wire import discovery, reaching
from client.wire.discovery import Offer
from client.wire.finding import Found
from cosmic_net import bots
from protocol.identity import Identity
from protocol.messages import Start
from tests.support.wire_client import WireClient

LOOK_SECONDS = 5.0


def secret(number: int) -> bytes:
    """The secret of the player with this number."""
    return bytes([number]) * 32


def key(number: int) -> bytes:
    """The CURVE key of the player with this number."""
    return Identity(secret(number)).curve_key


async def find(name: str) -> Found:
    """The host of the table."""

    def there(offers: list[Offer]) -> list[Offer]:
        return [offer for offer in offers if offer.advert.name == name]

    began = time.monotonic()
    found = await discovery.search(LOOK_SECONDS, lambda offers: bool(there(offers)))
    [offer] = there(list(found.offers))
    print(f"found in {time.monotonic() - began:.2f} s", flush=True)
    return await reaching.reach(offer.addresses, offer.port, offer.advert.key)


async def play(number: int, table: str, start: int | None) -> None:
    """Finds the table, sits down, plays to the end."""
    found = await find(table)
    client = WireClient(secret(number), f"Player {number}", bots.make("sensible", secret(number)))
    try:
        await client.connect(found.address, found.key)
        await client.until(lambda: client.table)
        await client.sit()
        print(f"sits at {found.address}", flush=True)
        if start is not None:
            await client.until(lambda: client.table and sum(seat.ready for seat in client.table.seats) >= start)
            await client.must(Start(id=1))
        ended = await client.has_ended()
        print(f"winners: {' '.join(ended.winners)}; head {ended.head.head.hex()}; errors {client.errors}", flush=True)
    finally:
        await client.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("number", type=int)
    parser.add_argument("table")
    parser.add_argument("--start", type=int)
    args = parser.parse_args()
    asyncio.run(play(args.number, args.table, args.start))
