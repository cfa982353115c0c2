"""What the search finds in the network, and whether what it finds can be reached."""

from __future__ import annotations

from client.choosing import Choice
from client.doctor.report import Report
from client.errors import Trouble
from client.wire import discovery, reaching
from client.wire.discovery import Search
from client.wire.hosting import Running
from protocol import limits


async def check(report: Report, running: list[Running]) -> Search:
    """Searches, tells what is announced, and tries to reach it. Returns what was found."""
    found = await discovery.search()
    if found.problem:
        report.problem(found.problem, "join by code: cosmic-net join CODE")
    own = {table.key for table in running}
    others = [offer for offer in found.offers if offer.advert.key not in own]
    for offer in others:
        choice = Choice(offer)
        try:
            await reaching.reach(offer.addresses, offer.port, offer.advert.key)
        except Trouble:
            report.problem(
                f'"{choice.name}" is announced at {choice.address} but does not answer there: its computer is heard, '
                "so most likely a firewall on it blocks the host",
                f"on that computer: cosmic-net doctor; let Python through its firewall (TCP {offer.port} and "
                f"{offer.port + 1})",
            )
            continue
        if not offer.advert.speaks_ours:
            report.problem(
                f'"{choice.name}" at {choice.address} speaks another version of the protocol '
                f"({', '.join(map(str, offer.advert.versions))}) than this program ({limits.VERSION})",
                "everybody needs the same version of cosmic-net",
            )
        else:
            report.ok(f'"{choice.name}" is announced at {choice.address} and answers ({choice.details})')
    for table in running:
        if any(offer.advert.key == table.key for offer in found.offers):
            report.ok(f'the search finds the own table "{Choice(running=table).name}"')
        else:
            report.note(
                f'the search does not find the own table "{Choice(running=table).name}": it is not announced',
                "others join by code; the log in the table's folder may say why",
            )
    if not others and not found.problem:
        report.note(
            "no table on another computer is announced here; if there is one, this network does not carry the search "
            "(many Wi-Fi and guest networks do not)",
            "join by code, or to look for more: cosmic-net doctor CODE",
        )
    return found
