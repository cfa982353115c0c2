"""What a host is told when it is started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from protocol import limits
from protocol.messages import Clocks, House


@dataclass(frozen=True, kw_only=True)
class Config:
    """The settings of one host process; `host.main` reads them from the command line."""

    folder: Path
    """Where everything of this table is kept: the host's secret, the journal, the log, `table.json`."""
    resume: bool = False
    """Go on with the table in the folder instead of opening a new one."""
    port: int | None = None
    """None: the default port, or the next free one; 0: any free one."""
    bind: str = "*"
    """The address to listen on; "*" for all."""
    announce: bool = True
    """Whether clients in the LAN can find the table without a code."""
    name: str = ""
    """What the table is called in lists."""
    owner: bytes | None = None
    """The owner's CURVE key; None: the first person to say hello."""
    practice_seed: bytes | None = None
    """Makes it a practice table: whoever knows the seed knows every card."""
    bots: int = 0
    """How many bots sit down at once."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the game that differ from the engine's defaults."""
    clocks: Clocks = field(default_factory=Clocks)
    house: House = field(default_factory=House)
    """What the table does about players who are gone, and about those who look on."""
    record: Path | None = None
    """Every frame that arrives is appended to this file: to examine what a host gets to see."""
    memory_mb: int = limits.MEMORY_MB
    """A process that takes more memory begins anew."""
    passphrase: str = ""
    """What strangers have to know to be let in; "": nothing."""
    on_disk: bool = True
    """Whether the journal is a file. In memory it is of use for measurements only."""
    linger: float = 600.0
    """How many seconds a table without anybody is kept open when no game is running; 0: for ever."""
