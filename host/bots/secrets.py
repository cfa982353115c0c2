"""The bots' own secrets, kept where they survive a restart; only the public keys are for the host."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from host.folder import write
from protocol.identity import SECRET_BYTES, Identity

KEYS_FILE = "keys.json"
_SECRETS_FILE = "secrets.json"


def identity(folder: Path, seat: str) -> Identity:
    """The identity of the bot at a seat, drawn when it is first asked for. Its key is in `KEYS_FILE` then."""
    kept: dict[str, str] = {}
    path = folder / _SECRETS_FILE
    if path.exists():
        kept = json.loads(path.read_text())
    if seat not in kept:
        kept[seat] = secrets.token_bytes(SECRET_BYTES).hex()
        write(path, json.dumps(kept).encode(), private=True)
    identities = {name: Identity(bytes.fromhex(secret)) for name, secret in kept.items()}
    keys = {name: one.curve_public.decode() for name, one in identities.items()}
    write(folder / KEYS_FILE, json.dumps(keys).encode())
    return identities[seat]
