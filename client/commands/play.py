"""`cosmic-net play`: a table on this computer, filled with bots; or, with --auto, a game of bots that is told."""

from __future__ import annotations

import argparse

from client.commands import flags
from client.errors import Trouble


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--bots", type=int, metavar="N", help="how many bots play along (default 3)")
    parser.add_argument("--players", type=int, metavar="N", help="how many play in all, 3 to 5 (instead of --bots)")
    parser.add_argument("--auto", action="store_true", help="bots alone: a game told in plain text, without a terminal")
    parser.add_argument("--seed", type=int, metavar="N", help="practice: the shuffle is known to whoever knows N")
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
    people = 0 if args.auto else 1
    bots = _bots(args, people)
    flags.check_players(people, bots)
    clocks = flags.clocks(args)
    profile = home.profile(args.profile)
    args.passphrase = passphrase.chosen(args.passphrase)
    wanted = Wanted(
        name=args.table or ("Bots" if args.auto else f"{table.player_name(profile, args)}'s table"),
        owner=Identity(profile.secret()).curve_key,
        port=args.port,
        bots=bots,
        seed=None if args.seed is None else flags.practice_seed(args.seed),
        options=flags.table_options(args),
        clocks=(flags.AUTO_CLOCKS | clocks) if args.auto else clocks,
        house=flags.house(args),
        passphrase=args.passphrase,
        here_only=args.auto,
        unlisted=True,
    )
    if args.auto:
        from client import auto

        if args.seed is not None:
            print(f"A practice table: its shuffle comes from the seed {args.seed}.")
        return run_loop(auto.play(home, args.profile, wanted))
    return run_loop(table.play(home, args, wanted))


def _bots(args: argparse.Namespace, people: int) -> int:
    if args.bots is not None and args.players is not None:
        raise Trouble("Say --bots or --players, not both.", 2)
    if args.players is not None:
        return int(args.players) - people
    return 4 - people if args.bots is None else int(args.bots)
