"""What host and clients say to each other: message types, codec, limits, commitments, signatures, transcript.

Bytes in, bytes out: nothing in here opens a socket; sending and receiving is the business of ``host`` and
``client``. This package may import ``cosmic_net`` and neither of those two.
"""
