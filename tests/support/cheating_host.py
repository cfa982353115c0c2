"""A host whose owner cheats in a game, and that is a host like any other besides.

python -m tests.support.cheating_host FOLDER …; the trick is read from the file `trick` in the folder whenever there is
a chance to play it:

    draw-again   when a share of the seed has come, green's is exchanged for another, and everybody is asked anew
    call-off     when all shares but one have come, the start is called off
    same-start   a game starts as the last one did that was called off, but for green's share
    peek         whoever has sealed a card is asked to open it at once; what comes stands in the file `peeked`
    usurp        another key plays at green for a moment
    lobby        the table says that it is in the lobby

Green's player lends the host his secret: it lies in the file `accomplice`.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from cosmic_net.engine.decisions import SEAL
from cosmic_net.engine.game import Game
from host.absent import Absent
from host.main import main
from host.match import Basis
from host.peers import Peer, Peers
from host.play import Play
from host.table import Table
from host.telling import all_committed
from protocol import fairness
from protocol import messages as m
from protocol.identity import Identity

SEAT: m.SeatName = "green"
OTHER = Identity(b"o" * 32)
SHARE = b"s" * 32
PEEK = 900_000
"""Added to the number of a seat: the question that nobody should ask."""


class Cheat:
    """What it does; every share of the seed that it is sent stands in the file `shares`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._begun: Basis | None = None
        self._done: set[str] = set()

    def plays(self, *tricks: str, once: bool = True) -> bool:
        """Whether it does one of these things now."""
        file = self._folder / "trick"
        trick = file.read_text() if file.exists() else ""
        if trick not in tricks or (once and trick in self._done):
            return False
        if once:
            self._done.add(trick)
        return True

    def arm(self) -> None:
        """Lets the parts of a host do its will."""
        self._arm_seed()
        self._arm_game()

    def _arm_seed(self) -> None:
        make_basis, seed_open = Play._basis, Play.seed_open

        def basis(play: Play) -> Basis:
            if self._begun is None or not self.plays("same-start"):
                self._begun = make_basis(play)
                return self._begun
            return self._exchange(self._begun)

        def opened(play: Play, peer: Peer, request: m.SeedOpen) -> None:
            ceremony = play._room.ceremony
            with (self._folder / "shares").open("a") as file:
                file.write(f"{peer.name} {request.value.hex()}\n")
            seat = play._room.table.seat_of(peer.key)
            if seat != SEAT and ceremony is not None and self.plays("draw-again"):
                ceremony.basis = self._exchange(ceremony.basis)
                play._room.tell(all_committed(ceremony.basis))
            if seat == SEAT and self.plays("draw-again", once=False):
                return  # it has given another one
            seed_open(play, peer, request)
            if ceremony is not None and len(ceremony.basis.shares) == 2 and self.plays("call-off"):
                play._abandon(None, "somebody is not ready")

        _replace(Play, _basis=basis, seed_open=opened)

    def _exchange(self, basis: Basis) -> Basis:
        """The same start, but green has committed to another share."""
        accomplice = Identity((self._folder / "accomplice").read_bytes())
        commitment = fairness.seed_commitment(basis.game, SEAT, SHARE)
        signed = m.SignedSeed(
            commitment=commitment, signature=fairness.sign_seed(accomplice, basis.game, SEAT, commitment)
        )
        return dataclasses.replace(basis, signed=basis.signed | {SEAT: signed}, shares={SEAT: SHARE})

    def _arm_game(self) -> None:
        view, look, message, answer = Game.view, Absent.look, Table.message, Play.answer

        def peeking(game: Game, seat: str | None = None) -> dict[str, Any]:
            shown = view(game, seat)
            if self.plays("peek", once=False):
                shown["waiting"] = [*shown["waiting"], *_questions(game)]
            return shown

        def usurping(absent: Absent) -> None:
            match = absent._room.match
            if match is not None and self.plays("usurp"):
                match.rekey(SEAT, OTHER.sign_key)
                match.rekey(SEAT, match.basis.setup.keys[SEAT])
            look(absent)

        def lying(table: Table, peers: Peers) -> m.Table:
            told = message(table, peers)
            return msgspec.structs.replace(told, phase="lobby") if self.plays("lobby", once=False) else told

        def answered(play: Play, peer: Peer, request: m.Answer) -> None:
            if request.decision >= PEEK:
                (self._folder / "peeked").write_bytes(request.value)
            answer(play, peer, request)

        _replace(Game, view=peeking)
        _replace(Absent, look=usurping)
        _replace(Table, message=lying)
        _replace(Play, answer=answered)


def _replace(kind: type, **methods: Callable[..., Any]) -> None:
    for name, method in methods.items():
        setattr(kind, name, method)


def _questions(game: Game) -> list[dict[str, Any]]:
    """Asks for every card that lies sealed while another one is still being chosen."""
    asked = game._ask.decisions if game._ask is not None else ()
    if not any(one.kind == SEAL for one in game.pending):
        return []
    return [
        {"id": PEEK + one.id, "seat": one.seat, "kind": "open", "timer": one.timer}
        | {"context": one.bounds["context"], "commitment": answer["commitment"]}
        for one in asked
        if one.kind == SEAL and "commitment" in (answer := game._answers.get(one.id) or {})
    ]


if __name__ == "__main__":
    Cheat(Path(sys.argv[1])).arm()
    sys.exit(main())
