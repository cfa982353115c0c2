"""Text from others, made safe for a terminal."""

from __future__ import annotations

from protocol.common import UNPRINTABLE_RE


def clean(text: str, length: int | None = None) -> str:
    """The text without characters that could move the cursor, change colours or directions, or hide.

    Line breaks and tabs become spaces; longer texts than `length` (code points) end in "…". Everything that
    came over the wire and is shown goes through here, names, sentences and errors included.
    """
    plain = UNPRINTABLE_RE.sub("", " ".join(text.split()))
    return plain if length is None or len(plain) <= length else plain[: length - 1] + "…"
