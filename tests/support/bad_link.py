"""A bad connection between two network namespaces: IP packets go from one TUN device to another, late or not at all.

python -m tests.support.bad_link SPACE ADDRESS SPACE ADDRESS [--delay-ms MS] [--loss SHARE] [--seed N]

Needs root, in a namespace of its own. Says "ready", works until its input ends, and then says what it has done.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import random
import select
import struct
import sys
import time
from collections import deque

from tests.net.lan import ip

TUN = "/dev/net/tun"
DEVICE = "far0"
_TUNSETIFF = 0x400454CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
PACKET_BYTES = 65_536
MOST_WAITING = 10_000


def make_device(name: str) -> int:
    """A TUN device in this namespace; it lives as long as its descriptor."""
    descriptor = os.open(TUN, os.O_RDWR | os.O_CLOEXEC)
    fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _IFF_TUN | _IFF_NO_PI))
    return descriptor


def end_in(space: str, address: str, number: int) -> int:
    """One end of the connection: a device that is moved into the namespace and has the address there."""
    name = f"end{number}"
    descriptor = make_device(name)
    ip("link", "set", name, "netns", space, "name", DEVICE)
    ip("-n", space, "addr", "add", f"{address}/24", "dev", DEVICE)
    ip("-n", space, "link", "set", DEVICE, "up")
    return descriptor


def relay(ends: tuple[int, int], delay: float, loss: float, seed: int) -> tuple[int, int]:
    """Carries packets until the input ends; returns how many were carried and lost."""
    dice = random.Random(seed)
    other = {ends[0]: ends[1], ends[1]: ends[0]}
    waiting: deque[tuple[float, int, bytes]] = deque()
    carried = lost = 0
    while True:
        pause = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        readable, _, _ = select.select([0, *ends], [], [], pause)
        for end in ends:
            if end in readable:
                packet = os.read(end, PACKET_BYTES)
                if dice.random() < loss or len(waiting) >= MOST_WAITING:
                    lost += 1
                else:
                    waiting.append((time.monotonic() + delay, other[end], packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, end, packet = waiting.popleft()
            with contextlib.suppress(OSError):  # that end is down
                os.write(end, packet)
                carried += 1
        if 0 in readable and not os.read(0, 1):
            return carried, lost


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("ends", nargs=4, metavar="SPACE ADDRESS")
    parser.add_argument("--delay-ms", type=float, default=0.0)
    parser.add_argument("--loss", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    space_1, address_1, space_2, address_2 = args.ends
    one, two = end_in(space_1, address_1, 1), end_in(space_2, address_2, 2)
    print("ready", flush=True)
    counts = relay((one, two), args.delay_ms / 1000, args.loss, args.seed)
    print("carried {} packets, lost {}".format(*counts), flush=True)
    sys.exit(0)
