"""Ending a connection from outside. ZeroMQ has no call for that; the operating system has."""

from __future__ import annotations

import contextlib
import socket
import sys
from collections.abc import Iterator
from typing import Any


def peer_of(descriptor: int) -> tuple[Any, ...] | None:
    """The address and port at the other end of a connection; None if there is no such connection (any more)."""
    try:
        with _borrowed(descriptor) as connection:
            return tuple(connection.getpeername())
    except OSError:
        return None


def cut(descriptor: int, *peer: Any) -> bool:
    """Ends the connection with this peer (address, port, …; those that are named); False if it is none with it.

    A descriptor may be another connection's by now: one is only cut if the peer is the one that is meant.
    """
    if sys.platform == "win32" or descriptor < 0:
        return False
    try:
        with _borrowed(descriptor) as connection:
            if connection.getpeername()[: len(peer)] != peer:
                return False
            connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _borrowed(descriptor: int) -> Iterator[socket.socket]:
    """A descriptor of ZeroMQ's as a socket. It is not copied: when it is needed most, no descriptor is left."""
    connection = socket.socket(fileno=descriptor)
    try:
        yield connection
    finally:
        connection.detach()
