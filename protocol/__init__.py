"""The wire of cosmic-net: messages, codec, limits, identities, commitments, transcript, join codes.

Bytes in, bytes out: nothing here opens a socket, reads a file or looks at a clock. `docs/protocol.md`
specifies all of it for other languages, and `tests/vectors/` holds examples that this package is tested
against.
"""
