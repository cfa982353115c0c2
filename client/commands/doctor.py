"""`cosmic-net doctor`: why two computers do not see each other."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from client.doctor.report import Report
    from client.home import Home


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "host", nargs="*", metavar="CODE", help="a join code, HOST:PORT or an invite: try the way to that host, too"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command: 1 if there is a problem."""
    from client import logfile
    from client.doctor.report import Report
    from client.home import Home
    from client.loop import run as run_loop

    home = Home.find()
    logfile.start(home.log)
    report = Report()
    run_loop(_examine(report, home, "".join(args.host)))
    report.heading("")
    if report.problems:
        print(f"{report.problems} problem{'s' if report.problems > 1 else ''}. What to do stands behind each ->.")
        return 1
    print("No problem was found.")
    return 0


async def _examine(report: Report, home: Home, text: str) -> None:
    from client.doctor import machine, multicast, network, own
    from client.doctor.other import Other
    from client.wire.interfaces import interfaces, searched

    there = interfaces()
    print("This computer")
    machine.versions(report)
    machine.addresses(report, there)
    running = await own.check(report, home, there)
    machine.surroundings(report, bool(running))
    report.heading("Finding tables without a code")
    multicast.check(report, searched())
    found = await network.check(report, running)
    if text:
        report.heading("The way to the host")
        await Other(report, there).check(text, found)
