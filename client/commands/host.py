"""`cosmic-net host`: a table for others to join."""

from __future__ import annotations

import argparse

from client.commands import flags


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--bots", type=int, default=0, metavar="N", help="bots that sit down at once")
    parser.add_argument("--seed", type=int, metavar="N", help="practice: the shuffle is known to whoever knows N")
    parser.add_argument("--here", action="store_true", help="only for players on this computer")
    parser.add_argument("--unlisted", action="store_true", help="do not announce the table in the LAN")
    flags.add_table(parser)
    flags.add_player(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from client import logfile, passphrase, table
    from client.home import Home
    from client.loop import run as run_loop
    from client.wire.hosting import Wanted
    from protocol.identity import Identity

    home = Home.find()
    logfile.start(home.log)
    profile = home.profile(args.profile)
    args.passphrase = passphrase.chosen(args.passphrase)
    wanted = Wanted(
        name=args.table or f"{table.player_name(profile, args)}'s table",
        owner=Identity(profile.secret()).curve_key,
        port=args.port,
        bots=flags.bots(args.bots),
        seed=None if args.seed is None else flags.practice_seed(args.seed),
        options=flags.table_options(args),
        clocks=flags.clocks(args),
        house=flags.house(args),
        passphrase=args.passphrase,
        here_only=args.here,
        unlisted=args.unlisted,
    )
    return run_loop(table.host(home, args, wanted))
