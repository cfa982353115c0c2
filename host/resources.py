"""What the host may use of its computer: descriptors for connections, and memory.

Nothing in a program that uses ZeroMQ can bound how much of an unfinished message is kept for it. So a host looks at
its own memory, and begins anew with what it has on disk when there is too much of it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Sequence

from protocol import limits

VARIABLE = "COSMIC_NET_RESTARTS"
"""When this process began anew in the last minute: seconds of the monotonic clock, with commas."""
SPARE_FILES = 16
_LISTS = ("/proc/self/fd", "/dev/fd")


def allow_connections() -> int | None:
    """Sets how many descriptors this process may have; returns the number. None: this system has no such limit."""
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.OPEN_FILES if hard == resource.RLIM_INFINITY else min(limits.OPEN_FILES, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return soft


def files_short() -> str:
    """How many descriptors are in use, in words, if hardly any is left; otherwise nothing."""
    if sys.platform == "win32":
        return ""
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        used = len(os.listdir(next(path for path in _LISTS if os.path.isdir(path))))
    except OSError:
        return f"all of {soft}"  # not even one to look with
    except StopIteration:
        return ""
    return f"{used} of {soft}" if used >= soft - SPARE_FILES else ""


def memory_used() -> int | None:
    """Bytes of memory that this process uses, or has used at most where the system tells no more; None if unknown."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, ValueError, AttributeError):
        pass
    if sys.platform == "win32":
        return None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def begin_anew() -> None:
    """Replaces this process by one that goes on with the table; waits first if that happens too often."""
    now = time.monotonic()
    before = [at for at in _restarts() if now - 60 < at <= now]
    if len(before) >= limits.RESTARTS_PER_MINUTE:
        time.sleep(before[-limits.RESTARTS_PER_MINUTE] + 60 - now)
    os.environ[VARIABLE] = ",".join(f"{at:.1f}" for at in (*before, time.monotonic()))
    os.execv(sys.executable, resumed(sys.orig_argv))


def resumed(command: Sequence[str]) -> list[str]:
    """The command by which a host was started, made to go on with its table."""
    return [sys.executable, *command[1:], *([] if "--resume" in command else ["--resume"])]


def _restarts() -> list[float]:
    try:
        return [float(at) for at in os.environ.get(VARIABLE, "").split(",") if at]
    except ValueError:
        return []
