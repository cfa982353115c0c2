"""The command line of the host process."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from host.config import Config
from protocol import limits, z85
from protocol.common import UNPRINTABLE_RE
from protocol.messages import Clocks, House

PASSPHRASE = "COSMIC_NET_PASSPHRASE"


def read_arguments(arguments: list[str] | None) -> Config:
    """The settings on a command line; exits with status 2 if they are wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m host", description="Runs a table. It is started by the client and needs no terminal."
    )
    add = parser.add_argument
    add("folder", type=Path, help="where everything of this table is kept")
    add("--resume", action="store_true", help="go on with the table in the folder, as it was")
    add("--port", type=int, help=f"0: any free one; default: {limits.DEFAULT_PORT}, or the next free one")
    add("--bind", default="*", metavar="ADDRESS", help="where to listen (default: everywhere)")
    add("--unlisted", dest="announce", action="store_false", help="do not announce the table in the LAN")
    add("--name", default="", type=_table_name, help="what the table is called")
    add("--owner", type=_key, metavar="KEY", help="the owner's CURVE key, 64 hex digits or --owner=Z85")
    add("--practice-seed", type=_seed, metavar="HEX", help="32 bytes; makes it a practice table")
    add("--bots", type=int, default=0, choices=range(5), metavar="N", help="bots who sit down at once")
    add("--options", type=_json, default={}, metavar="JSON", help="options of the game, as far as they differ")
    add("--clocks", type=_clocks, default=Clocks(), metavar="JSON", help="clocks, in seconds")
    add("--house", type=_house, default=House(), metavar="JSON", help="what is done about who is gone or looks on")
    add("--linger", type=float, default=600.0, metavar="SECONDS", help="how long a deserted table stays; 0: for ever")
    add("--record", type=Path, metavar="FILE", help="append every frame that arrives, to examine it")
    add("--memory", dest="memory_mb", type=int, default=limits.MEMORY_MB, metavar="MB", help="begins anew with more")
    add("--memory-journal", action="store_true", help="for measurements: nothing is kept")
    args = vars(parser.parse_args(arguments))
    # Not on the command line, where everybody on this computer can read it.
    args["passphrase"] = os.environ.pop(PASSPHRASE, "")
    return Config(on_disk=not args.pop("memory_journal"), **args)


def _table_name(text: str) -> str:
    if UNPRINTABLE_RE.search(text) or len(text) > limits.TABLE_NAME_LENGTH:
        raise argparse.ArgumentTypeError(f"a table's name has up to {limits.TABLE_NAME_LENGTH} plain characters")
    return text


def _key(text: str) -> bytes:
    key = bytes.fromhex(text) if len(text) == 2 * limits.KEY_BYTES else z85.decode(text)
    if len(key) != limits.KEY_BYTES:
        raise argparse.ArgumentTypeError("a key has 64 hex digits, or 40 characters in Z85")
    return key


def _seed(text: str) -> bytes:
    seed = bytes.fromhex(text)
    if len(seed) != limits.SEED_BYTES:
        raise argparse.ArgumentTypeError("a seed has 64 hex digits")
    return seed


def _json(text: str) -> Mapping[str, Any]:
    data = json.loads(text)
    if not isinstance(data, dict):
        raise argparse.ArgumentTypeError("a map in JSON is wanted")
    return data


def _clocks(text: str) -> Clocks:
    try:
        return msgspec.convert(_json(text), Clocks)
    except msgspec.ValidationError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _house(text: str) -> House:
    try:
        return msgspec.convert(_json(text), House)
    except msgspec.ValidationError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
