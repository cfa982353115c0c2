"""Every number of the protocol in one place: versions, sizes, rates, times.

Sizes are bytes, lengths are code points or elements, times are seconds unless the name says otherwise.
"""

from __future__ import annotations

from typing import NamedTuple

VERSION = 2
"""The protocol version that this package speaks."""
VERSIONS = (2,)
"""All versions that this package can speak, best first."""

DEFAULT_PORT = 21977
"""Where a host listens unless told otherwise; the key service listens one port higher."""
MIN_PORT = 1
MAX_PORT = 65534


class Size(NamedTuple):
    """How large something packed may be: bytes, nesting (the outermost map counts as 1), parts."""

    size: int
    depth: int
    string: int
    binary: int
    array: int
    pairs: int


REQUEST = Size(size=64 * 1024, depth=12, string=4096, binary=32 * 1024, array=512, pairs=128)
"""A frame from a client to the host."""
PUSH = Size(size=4 * 1024 * 1024, depth=24, string=64 * 1024, binary=256 * 1024, array=65_536, pairs=4096)
"""A frame from the host to a client."""
VALUE = Size(size=64 * 1024, depth=12, string=4096, binary=32 * 1024, array=4096, pairs=1024)
"""A packed value: a setup, a transcript entry, an answer (which has to be shorter)."""
MESSAGE_OVERHEAD = 128
"""What CURVE may add to a frame: MAXMSGSIZE is a `Size.size` and this."""
PATCH_DEPTH = PUSH.depth
"""How deeply a patch may be nested."""
ANSWER_BYTES = 32 * 1024
"""Longest packed answer."""
SETUP_BYTES = VALUE.size
ENTRY_BYTES = 8192
"""Longest transcript entry."""

# Fields.
MAX_ID = 2**53 - 1
"""Largest request id, push number, decision id: what every language's numbers can hold."""
NAME_LENGTH = 24
TABLE_NAME_LENGTH = 40
SAY_LENGTH = 500
WHISPER_SIZES = (128, 512, 2048)
"""What a whisper is padded to, in bytes; the last has room for the longest text."""
TEXT_LENGTH = 500
"""Longest text for people in errors and reasons."""
GAME_ID_LENGTH = 40
PROGRAM_LENGTH = 60
WINDOW_NAMES = 64
"""How many windows a standing pass may keep open."""
WINDOW_LENGTH = 60
OPTION_FIELDS = 64
SEATS = 5
WATCHERS = 64
INVITES = 16
INVITE_LENGTH = 400
FEATURES = 32
FEATURE_LENGTH = 40
EVENTS_PER_PUSH = 10_000
DECISIONS = 64
"""How many decisions of one player may be open at once."""
LOG_PER_SNAPSHOT = 500
"""How many of the last events a snapshot brings."""
ENTRIES_PER_PUSH = 5000
ENTRIES_PER_SIGNATURE = 32
"""After so many entries of the transcript each the host signs its head."""
ENTRIES_PER_PAGE = 2000
"""How many transcript entries one `record` reply brings."""
TIMERS = 64
SEALED_CARDS = 16

KEY_BYTES = 32
SIGNATURE_BYTES = 64
HASH_BYTES = 32
DIGEST_BYTES = 16
"""Of an answer's digest in the transcript."""
NONCE_BYTES = 32
SEED_BYTES = 32
SESSION_BYTES = 16
FINGERPRINT_BYTES = 10

# Rates: a token bucket for each player. A frame that finds the bucket empty gets the error "too-fast".
REQUESTS_PER_SECOND = 30.0
REQUEST_BURST = 90
SAYS_PER_SECOND = 1.0
SAY_BURST = 8
GUESSES_PER_SECOND = 0.2
GUESS_BURST = 5
"""Wrong passphrases of all strangers together."""
BAD_FRAMES = 5
"""So many bad frames from one connection, and the host stops listening to it."""
FRAMES_PER_SECOND = 100.0
FRAME_BURST = 400
"""Frames of any kind, read or not. A player with more of them is not listened to for `DEAF_SECONDS`."""
DEAF_SECONDS = 1.0
UNREAD_FRAMES = 500
"""A connection that has sent so many frames meanwhile is cut."""
COSTLY_PER_SECOND = 2.0
COSTLY_BURST = 20
"""Requests that make work for everybody: hello, resync, record, and all that changes the table."""
CROWD_COSTLY_PER_SECOND = 10.0
CROWD_COSTLY_BURST = 100
"""The same for all together who have no seat."""
CROWD_SAYS_PER_SECOND = 2.0
CROWD_SAY_BURST = 16
"""What is said by all together who have no seat."""
KEY_HANDSHAKES_PER_SECOND = 3.0
KEY_HANDSHAKE_BURST = 20
"""New connections of one player."""
ADDRESS_HANDSHAKES_PER_SECOND = 50.0
ADDRESS_HANDSHAKE_BURST = 200
"""New connections from one address."""
HELLO_SECONDS = 10.0
HELLO_SECONDS_SHORT = 1.0
"""A connection by which nobody says hello is cut after so long; the latter when hardly any descriptors are left."""
KEY_REQUESTS = 32
KEY_REQUESTS_PER_ADDRESS = 8
"""How many connections the key service waits for at once."""

NOTES_PER_SECOND = 0.2
NOTE_BURST = 10
"""Lines in the host's log about what one player does wrong."""

# Memory of a host.
REPLIES_KEPT = 64
PUSHES_KEPT = 512
PUSH_BYTES_KEPT = 8 * 1024 * 1024
"""Pushes that a player has not acknowledged: who is further behind gets a snapshot."""
WATCHER_BYTES_KEPT = 1024 * 1024
"""The same for somebody without a seat."""
PEERS_KEPT = 512
"""How many keys are known at a time, besides those of players."""
OPEN_FILES = 1024
"""Descriptors of a host process; each connection takes one."""
MEMORY_MB = 512
"""A host that takes more begins anew from what it has on disk ..."""
RESTARTS_PER_MINUTE = 3
"""... so often a minute, and then waits."""

# Presence.
PING_SECONDS = 2.0
"""How often a client pings."""
SILENT_SECONDS = 7.0
"""After so long without a frame a player counts as away, and a client looks for a lost host."""
WATCHER_SECONDS = 30.0
"""After so long without a frame somebody without a seat is gone."""
RECONNECT_SECONDS = (0.2, 0.5, 1.0, 2.0, 3.0)
"""Waits between a client's attempts; the last one repeats."""

# Clocks of a table: default, least and most.
REACTION_SECONDS = (3.0, 0.05, 120.0)
DECISION_SECONDS = (0.0, 0.0, 3600.0)
OPENING_SECONDS = (30.0, 0.5, 600.0)
DEAL_SECONDS = (60.0, 0.5, 3600.0)
AWAY_SECONDS = (120.0, 0.0, 36_000.0)
WATCH_DELAY_SECONDS = (0.0, 0.0, 3600.0)
SEEDING_SECONDS = 20.0
"""How long a start waits for every seat's share of the seed."""
CLOCK_MS = 36_000_000

# Options of the sockets.
HANDSHAKE_MS = 2000
HEARTBEAT_MS = 1000
HEARTBEAT_TIMEOUT_MS = 3000
SEND_QUEUE = 256
RECEIVE_QUEUE = 64
ZAP_DOMAIN = "cosmic-net"
