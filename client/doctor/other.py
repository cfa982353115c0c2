"""One host somewhere else: step by step, until one fails, as a client would reach it."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import secrets
import socket
import time
from dataclasses import replace

from client.doctor import clock
from client.doctor.report import Report
from client.wire import link as links
from client.wire.discovery import Search
from client.wire.finding import ask, reason
from client.wire.interfaces import Interface
from client.wire.link import Link
from protocol import advert, joincode, keyservice, limits
from protocol.identity import SECRET_BYTES, Identity
from protocol.joincode import BadCode, Invite

CONNECT_SECONDS = 4.0
"""A little longer than a computer takes to find out that nobody has an address."""
HANDSHAKE_SECONDS = 4.0
RESOLVE_SECONDS = 5.0
MOST_TRIED = 3
NO_NETWORK = (errno.ENETUNREACH, errno.ENETDOWN, getattr(errno, "WSAENETUNREACH", -1))
NO_ROUTE = (errno.EHOSTUNREACH, errno.EHOSTDOWN, getattr(errno, "WSAEHOSTUNREACH", -1))


class Other:
    """The host that a code or an address names."""

    def __init__(self, report: Report, there: list[Interface]) -> None:
        self._report = report
        self._there = there

    async def check(self, text: str, found: Search) -> None:
        """Goes all the way to the handshake."""
        invite = self._read(text)
        if invite is None:
            return
        reached = await self._connect(invite, await self._resolve(invite))
        if reached is None:
            self._is_elsewhere(invite, found)
            return
        invite = reached
        answer = await self._ask(invite)
        key = invite.key or (answer.key if answer else None)
        if key is None or not self._is_meant(invite, key, answer):
            return
        if await self._handshake(invite, key, answer is not None):
            self._is_found(key, found)
            self._report.ok(f"all is well: cosmic-net join {text}")

    def _read(self, text: str) -> Invite | None:
        try:
            invite = joincode.parse(text)
        except BadCode as error:
            self._report.problem(f"this is no join code: {error}", "cosmic-net doctor CODE, or HOST:PORT")
            return None
        what = "an address alone" if invite.fingerprint is None else "a code for one host"
        self._report.ok(f"{what}: {invite.address}")
        return invite

    # ---- the way there

    async def _resolve(self, invite: Invite) -> list[str]:
        """The addresses that a name stands for; says so too if they are in none of the own networks."""
        try:
            looking = asyncio.get_running_loop().getaddrinfo(invite.host, invite.port, type=socket.SOCK_STREAM)
            info = await asyncio.wait_for(looking, RESOLVE_SECONDS)
        except OSError as error:  # a time-out is one, too
            self._report.problem(
                f"no computer is called {invite.host} here ({reason(error)})",
                "use the address in numbers, or the join code, from the host's screen",
            )
            return []
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in info))
        if addresses != [invite.host]:
            self._report.ok(f"{invite.host} is {', '.join(addresses)}")
        parsed = [ipaddress.ip_address(address.partition("%")[0]) for address in addresses]
        own = {address for one in self._there for address in one.addresses}
        if any(address.is_loopback for address in parsed):
            self._report.note(f"{invite.host} is always the computer itself; for others the host needs a network")
        elif own & set(addresses):
            self._report.note(f"{invite.host} is this very computer")
        elif not any(one.reaches(address) for one in self._there for address in parsed if not one.local):
            self._report.note(
                f"{invite.host} is in none of this computer's networks, so a router lies between the two at best",
                "both should be in the same Wi-Fi or on the same switch, and not in a guest network",
            )
        return addresses

    async def _connect(self, invite: Invite, addresses: list[str]) -> Invite | None:
        """The invite with an address that takes connections; None if there is none."""
        failure: OSError | None = None
        for address in addresses[:MOST_TRIED]:
            began = time.monotonic()
            try:
                _, writer = await asyncio.wait_for(asyncio.open_connection(address, invite.port), CONNECT_SECONDS)
            except OSError as error:  # a time-out is one, too
                failure = failure or error
                continue
            writer.close()
            reached = replace(invite, host=address)
            self._report.ok(f"{reached.address} takes connections ({1000 * (time.monotonic() - began):.0f} ms)")
            return reached
        if failure is not None:
            self._no_way(invite, failure)
        return None

    def _no_way(self, invite: Invite, error: OSError) -> None:
        if isinstance(error, ConnectionRefusedError):
            self._report.problem(
                f"the computer {invite.host} answers, but no host is there: nothing listens on port {invite.port}",
                "on that computer: cosmic-net tables shows whether the host runs, and its code now",
            )
        elif error.errno in NO_NETWORK:
            self._report.problem(
                f"this computer is in no network from which there is a way to {invite.host} ({reason(error)})",
                "join the Wi-Fi or plug in the cable that the host's computer uses, and ask for the code again",
            )
        elif error.errno in NO_ROUTE:
            self._report.problem(
                f"no computer with the address {invite.host} can be found ({reason(error)}): it is switched off or "
                "asleep, in another network, or the network keeps its computers apart (client isolation, guest Wi-Fi)",
                "compare the addresses that cosmic-net doctor shows on both computers",
                "try another network: a phone's hotspot, a cable, a switch",
            )
        else:
            self._report.problem(
                f"no answer from {invite.address} (nothing came back in {CONNECT_SECONDS:.0f} s): most likely a "
                "firewall on that computer drops the connection; or the network keeps its computers apart, or the "
                "computer is gone",
                f"on that computer: let Python through the firewall (TCP {invite.port} and "
                f"{keyservice.key_port(invite.port)}); cosmic-net doctor there says how",
                "try another network: a phone's hotspot, a cable, a switch",
            )

    # ---- who is there

    async def _ask(self, invite: Invite) -> keyservice.HostKey | None:
        port = keyservice.key_port(invite.port)
        try:
            async with asyncio.timeout(keyservice.TIMEOUT_SECONDS):
                answer = await ask(invite.host, invite.port)
        except (OSError, ValueError) as error:
            needed = invite.key is None
            tell = self._report.problem if needed else self._report.note
            if isinstance(error, ValueError | ConnectionResetError):
                tell(f"what answers on port {port} is no cosmic-net host", "compare the port on the host's screen")
            elif isinstance(error, ConnectionRefusedError):
                tell(
                    f"nothing listens on port {port}, where a host at port {invite.port} would tell its key",
                    "compare the port on the host's screen; if it is right, a firewall may let only one port through",
                )
            else:
                tell(
                    f"the key service on port {port} does not answer; the firewall may let only one port through",
                    f"let both through, {invite.port} and {port}, or join with the long invite",
                )
            return None
        self._report.ok(f"the key service on port {port} answers")
        clock.compare(self._report, answer.time_ms, time.time())
        return answer

    def _is_meant(self, invite: Invite, key: bytes, answer: keyservice.HostKey | None) -> bool:
        if answer is not None and not invite.matches(answer.key):
            self._report.problem(
                "another host answers than the one that the code names", "ask for the code once more; read it carefully"
            )
            return False
        if invite.fingerprint is not None:
            self._report.ok(f"it is the host that the code names ({advert.mark(key)})")
        else:
            self._report.note(
                f"its key reads: {joincode.fingerprint_words(key)}", "the host's screen (`who`) must show the same"
            )
        if answer is not None and not answer.speaks_ours:
            self._report.problem(
                f"the host speaks protocol {_range(answer)}, this program {limits.VERSIONS[0]}",
                "everybody needs the same version of cosmic-net",
            )
            return False
        if answer is not None:
            self._report.ok(f"both speak protocol {limits.VERSIONS[0]}")
        return True

    async def _handshake(self, invite: Invite, key: bytes, is_host: bool) -> bool:
        """An encrypted connection with a key for once, so that no player at the table is disturbed."""
        outcome: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def settle(how: str) -> None:
            if not outcome.done():
                outcome.set_result(how)

        link = Link(
            invite.address,
            key,
            Identity(secrets.token_bytes(SECRET_BYTES)),
            on_frame=lambda _: None,
            on_up=lambda: settle(""),
            on_down=lambda: None,
            on_trouble=settle,
        )
        link.open()
        try:
            how = await asyncio.wait_for(outcome, HANDSHAKE_SECONDS)
        except TimeoutError:
            how = links.NoAnswer
        finally:
            await link.close()
        if how == links.NoAnswer and not is_host:
            how = links.NotOurs
        if not how:
            self._report.ok("an encrypted connection was made (CURVE)")
            return True
        self._report.problem(*_HANDSHAKE.get(how, _HANDSHAKE[links.NoAnswer]))
        return False

    def _is_elsewhere(self, invite: Invite, found: Search) -> None:
        """Says so if the search has found the very host that was not reached at the address of the code."""
        for offer in found.offers:
            if invite.fingerprint is not None and invite.matches(offer.advert.key):
                self._report.note(
                    f"the search finds this very host at {offer.shown_address}: its computer has another address now",
                    f"cosmic-net join {joincode.invite(offer.addresses[0], offer.port, offer.advert.key)}",
                )

    def _is_found(self, key: bytes, found: Search) -> None:
        if offer := next((offer for offer in found.offers if offer.advert.key == key), None):
            self._report.ok(f'the search finds it, too, as "{offer.advert.name}"')
        else:
            self._report.note("the search does not find it; the code works all the same")


def _range(answer: keyservice.HostKey) -> str:
    return str(answer.lowest) if answer.lowest == answer.highest else f"{answer.lowest} to {answer.highest}"


_HANDSHAKE = {
    links.OtherKey: (
        "the host has another key than the code says: it is another host, or an older code",
        "ask for the code once more",
    ),
    links.NotAllowed: ("the host refuses the connection", "look into host.log in the table's folder there"),
    links.NotOurs: ("what answers there does not speak CURVE: it is no cosmic-net host", "compare the port"),
    links.NoAnswer: (
        "the connection is taken, but nothing answers on it: the host hangs, or something in between cuts it",
        "restart the host there: cosmic-net tables --stop NAME, then cosmic-net resume",
    ),
}
