"""Whether the clocks of two computers agree, as far as anything here depends on that."""

from __future__ import annotations

from client.doctor.report import Report

MOST_SECONDS = 60
UNITS = (("day", 86400), ("hour", 3600), ("minute", 60))
MOST_DAYS = 3650


def compare(report: Report, host_ms: int | None, now: float) -> None:
    """Says so if the host's clock (ms since 1970) and the one here (seconds) are more than a minute apart."""
    if host_ms is None or abs(apart := host_ms / 1000 - now) <= MOST_SECONDS:
        return
    where = "ahead of" if apart > 0 else "behind"
    report.note(
        f"the clock of the host's computer is {_in_words(abs(apart))} {where} the one here: times in the logs of both "
        "and in the names of tables' folders do not match; a game does not mind, as all its clocks run at the host"
    )


def _in_words(seconds: float) -> str:
    if seconds > MOST_DAYS * 86400:
        return "years"
    unit, length = next((unit, length) for unit, length in UNITS if seconds >= 2 * length or length == 60)
    count = round(seconds / length)
    return f"{count} {unit}{'s' if count != 1 else ''}"
