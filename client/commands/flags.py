"""Arguments that several commands share, and what they mean for a table."""

from __future__ import annotations

import argparse
from typing import Any

from client.errors import Trouble

SHORT = {"planets": 4, "goal": 3}
"""The options of a short game."""
AUTO_CLOCKS = {"reaction_s": 0.05}
SEED_WORD = "practice-seed/1"


def add_player(parser: argparse.ArgumentParser) -> None:
    """Who plays, and how the screen looks."""
    group = parser.add_argument_group("player")
    group.add_argument("--name", metavar="NAME", help="the name that others see (default: the last one)")
    group.add_argument("--profile", default="default", metavar="NAME", help="which player of this computer")
    group.add_argument(
        "--passphrase",
        metavar="WORDS",
        default="",
        help="the table's; a new table asks others for it (`-`: type it unseen)",
    )
    group.add_argument("--plain", action="store_true", help="only append lines: for screen readers, pipes, scripts")
    group.add_argument("--explain", action="store_true", help="explain each phase when it first comes")


def add_table(parser: argparse.ArgumentParser) -> None:
    """Variants and clocks of a new table."""
    group = parser.add_argument_group("table")
    group.add_argument("--table", metavar="NAME", default="", help="what the table is called")
    group.add_argument("--port", type=_port, help="where to listen (default: 21977, or the next free one)")
    group.add_argument("--short", action="store_true", help="a short game: 4 planets each, 3 foreign colonies win")
    group.add_argument("--planets", type=int, choices=(4, 5), help="home planets of each player")
    group.add_argument("--goal", type=int, metavar="N", help="how many foreign colonies win")
    group.add_argument("--no-flares", action="store_true", help="leave the flares out")
    group.add_argument("--single-encounter", action="store_true", help="one encounter a turn")
    group.add_argument("--aliens", choices=("flares", "choice", "random"), help="how aliens are handed out")
    group.add_argument("--alert", choices=("green", "yellow", "red"), help="the most difficult aliens allowed")
    group.add_argument("--ask", choices=("all", "able"), help="who is asked to react; able is quicker, but tells")
    group.add_argument("--whispers", action="store_true", help="let players whisper to each other")
    clocks = parser.add_argument_group("clocks, in seconds")
    clocks.add_argument("--reaction-s", type=float, metavar="S", help="for reactions (default 3)")
    clocks.add_argument("--decision-s", type=float, metavar="S", help="for other decisions (default 0: no limit)")
    clocks.add_argument("--opening-s", type=float, metavar="S", help="to open a sealed card (default 30)")
    clocks.add_argument("--deal-s", type=float, metavar="S", help="to make a deal (default 60)")
    clocks.add_argument("--away-s", type=float, metavar="S", help="for a player who is gone to come back (default 120)")
    clocks.add_argument("--watch-delay-s", type=float, metavar="S", help="later for those who look on (default 0)")
    group.add_argument("--absent", choices=("wait", "bot", "vote"), help="what to do when somebody is gone for longer")


def table_options(args: argparse.Namespace) -> dict[str, Any]:
    """The options of the game that the arguments name."""
    options: dict[str, Any] = dict(SHORT) if args.short else {}
    for name in ("planets", "goal", "aliens", "alert", "ask"):
        if (value := getattr(args, name)) is not None:
            options[name] = value
    if args.no_flares:
        options |= {"flares": False, "aliens": options.get("aliens", "random")}
    if args.single_encounter:
        options["single_encounter"] = True
    return options


def clocks(args: argparse.Namespace) -> dict[str, float]:
    """The clocks that the arguments name. Raises Trouble for times that no table allows."""
    found = {}
    for name in ("reaction_s", "decision_s", "opening_s", "deal_s", "away_s"):
        if (value := getattr(args, name)) is not None:
            low, high = _limits()[name]
            if not low <= value <= high:
                raise Trouble(f"--{name.replace('_', '-')} takes {low:g} to {high:g} seconds.", 2)
            found[name] = value
    return found


def house(args: argparse.Namespace) -> dict[str, Any]:
    """The table's customs that the arguments name. Raises Trouble."""
    found: dict[str, Any] = {} if args.absent is None else {"absent": args.absent}
    if args.whispers:
        found["whispers"] = True
    if (delay := args.watch_delay_s) is not None:
        low, high = _limits()["watch_delay_s"]
        if not low <= delay <= high:
            raise Trouble(f"--watch-delay-s takes {low:g} to {high:g} seconds.", 2)
        found["watch_delay_s"] = delay
    return found


def practice_seed(number: int) -> bytes:
    """The 32 bytes that a short seed stands for."""
    from protocol.fields import digest

    return digest(SEED_WORD, str(number))


def bots(number: int) -> int:
    """A number of bots at a table with at least one person. Raises Trouble."""
    if not 0 <= number <= 4:
        raise Trouble("A table has room for 0 to 4 bots.", 2)
    return number


def check_players(people: int, bots: int) -> None:
    """Raises Trouble unless so many can play."""
    if not 3 <= people + bots <= 5:
        raise Trouble(f"A game needs 3 to 5 players; that would be {people + bots}.", 2)


def _limits() -> dict[str, tuple[float, float]]:
    from protocol import limits

    return {
        "reaction_s": limits.REACTION_SECONDS[1:],
        "decision_s": limits.DECISION_SECONDS[1:],
        "opening_s": limits.OPENING_SECONDS[1:],
        "deal_s": limits.DEAL_SECONDS[1:],
        "away_s": limits.AWAY_SECONDS[1:],
        "watch_delay_s": limits.WATCH_DELAY_SECONDS[1:],
    }


def _port(text: str) -> int:
    if not text.isdigit() or not 0 <= int(text) <= 65534:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65534, or 0 for any that is free")
    return int(text)
