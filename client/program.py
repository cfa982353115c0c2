"""The program's own name and version."""

from __future__ import annotations

VERSION = "0.1.0"
NAME_AND_VERSION = f"cosmic-net {VERSION}"
