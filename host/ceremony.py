"""The start of a game: host and seats commit to their shares of the seed before anybody shows one."""

from __future__ import annotations

import dataclasses

from cosmic_net.engine.options import Setup
from host.errors import Refused
from host.match import Basis
from protocol import fairness
from protocol.messages import SeatName, Seed, SeedOpen, SignedSeed


class Ceremony:
    """The drawing of a game's seed, under way until `basis` has every share."""

    def __init__(self, basis: Basis, deadline: float) -> None:
        self.basis = basis
        self.deadline = deadline

    @property
    def setup(self) -> Setup:
        """The setup of the game that starts."""
        return self.basis.setup

    @property
    def missing(self) -> SeatName | None:
        """The first seat that owes something: a commitment, or if all are there its share."""
        signed, shares = self.basis.signed, self.basis.shares
        owed = signed if len(signed) < len(self.basis.seats) else shares
        return next((seat for seat in self.basis.seats if seat not in owed), None)

    @property
    def committed(self) -> bool:
        """Whether all commitments are in."""
        return len(self.basis.signed) == len(self.basis.seats)

    @property
    def complete(self) -> bool:
        """Whether all shares are in."""
        return len(self.basis.shares) == len(self.basis.seats)

    def commit(self, seat: SeatName, request: Seed) -> None:
        """A seat's commitment. Raises Refused."""
        if seat in self.basis.signed:
            raise Refused("refused", "your commitment to the seed is already here")
        key = self.setup.keys[seat]
        if not fairness.verify_seed(key, self.basis.game, seat, request.commitment, request.signature):
            raise Refused("refused", "the signature of your share does not fit your key")
        signed = SignedSeed(commitment=request.commitment, signature=request.signature)
        self.basis = dataclasses.replace(self.basis, signed=self.basis.signed | {seat: signed})

    def open(self, seat: SeatName, request: SeedOpen) -> bool:
        """A seat's share; False if it is not what the seat committed to. Raises Refused."""
        if not self.committed:
            raise Refused("refused", "not everybody has committed to a share yet")
        if not fairness.check_seed(self.basis.game, seat, self.basis.signed[seat].commitment, request.value):
            return False
        self.basis = dataclasses.replace(self.basis, shares=self.basis.shares | {seat: request.value})
        return True
