"""From what a player typed to a host's address and key."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import NamedTuple

from client.errors import Trouble
from protocol import joincode, keyservice
from protocol.joincode import Invite
from protocol.keyservice import HostKey


class Found(NamedTuple):
    """A host that can be connected to. `words`: to be compared by people, because nothing else vouches for the key."""

    address: str
    key: bytes
    words: str | None = None


async def find(text: str) -> Found:
    """The host that a join code, an invite or an address names. Raises Trouble that says what to do."""
    try:
        invite = joincode.parse(text)
    except joincode.BadCode as error:
        raise Trouble(f"That is no join code: {error}.", 2) from error
    if invite.key is not None:
        return Found(invite.address, invite.key)
    key = await fetch_key(invite)
    if not invite.matches(key):
        raise Trouble(
            f"Another host answers at {invite.address} than the one that the code names. "
            "Ask for the code once more; if it stays so, somebody is in between."
        )
    words = joincode.fingerprint_words(key) if invite.fingerprint is None else None
    return Found(invite.address, key, words)


async def fetch_key(invite: Invite) -> bytes:
    """Asks the key service beside the host's port for the host's key. Raises Trouble."""
    try:
        found = await asyncio.wait_for(ask(invite.host, invite.port), keyservice.TIMEOUT_SECONDS)
    except TimeoutError:
        raise Trouble(no_answer(invite.address, "nothing came back")) from None
    except OSError as error:
        raise Trouble(no_answer(invite.address, reason(error))) from error
    except ValueError:
        raise Trouble(f"What answers at {invite.address} is no cosmic-net host.") from None
    if not found.speaks_ours:
        raise Trouble(
            f"The host at {invite.address} speaks another version of the protocol. "
            "Everybody needs the same version of cosmic-net."
        )
    return found.key


async def ask(host: str, port: int) -> HostKey:
    """What the key service beside a host's port says.

    Raises OSError if nobody answers there, ValueError if another program does.
    """
    reader, writer = await asyncio.open_connection(host, keyservice.key_port(port))
    try:
        writer.write(keyservice.REQUEST)
        await writer.drain()
        answer = await reader.readexactly(keyservice.RESPONSE_BYTES)
    except asyncio.IncompleteReadError as error:
        answer = error.partial
    finally:
        writer.close()
    return keyservice.read_response(answer)


def no_answer(where: str, why: str) -> str:
    """The sentence for a host that cannot be reached, with the usual causes."""
    return (
        f"No answer from {where} ({why}). Usual causes: the host is not running; a firewall on its computer "
        "blocks the port; the two computers are not in the same network (guest networks often keep them apart)."
    )


def reason(error: OSError) -> str:
    """What the operating system says, in a few words."""
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there"
    if error.errno and not isinstance(error, socket.gaierror):
        return os.strerror(error.errno)
    return error.strerror or str(error) or "it failed"
