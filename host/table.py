"""The table: who sits where, who is ready, what is agreed on. Lives in the lobby and through every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from cosmic_net.engine.options import BadSetup, Options
from host.errors import Refused
from host.peers import Peers
from host.seats import SEAT_NAMES, plain
from protocol import limits, messages
from protocol.messages import Absence, Clocks, House, SeatInfo, SeatName

Phase = Literal["lobby", "seeding", "playing", "over"]
LEAST_PLAYERS = 3


class Table:
    """What everybody may know of a table, and the few rules about sitting at it."""

    def __init__(self, name: str, practice: bool, options: Options, clocks: Clocks) -> None:
        self.name = name
        self.practice = practice
        self.options = options
        self.clocks = clocks
        self.house = House()
        self.phase: Phase = "lobby"
        self.game: str | None = None
        self.owner: bytes | None = None
        self.seats: dict[SeatName, bytes] = {}
        self.ready: set[bytes] = set()
        self.banned: set[bytes] = set()
        self.stand_ins: dict[SeatName, bytes] = {}
        """The bots that play for players who are gone."""
        self.away: list[Absence] = []
        """Whose players are gone and waited for."""
        self.promised: set[SeatName] = set()
        """Seats that are kept for bots who are on their way."""
        self.invites: list[str] = []
        self.changed = True
        """Whether something has changed that nobody was told yet."""

    # ---- looking

    def seat_of(self, key: bytes) -> SeatName | None:
        """Where this player sits, or plays for another."""
        taken = (*self.seats.items(), *self.stand_ins.items())
        return next((seat for seat, player in taken if player == key), None)

    def free(self) -> list[SeatName]:
        """The seats that nobody has and nobody is promised."""
        return [seat for seat in SEAT_NAMES if seat not in self.seats and seat not in self.promised]

    def taken(self) -> tuple[SeatName, ...]:
        """The seats with a player, clockwise."""
        return tuple(seat for seat in SEAT_NAMES if seat in self.seats)

    def need(self, *phases: Phase) -> None:
        """Raises Refused unless the table is in one of these phases."""
        if self.phase not in phases:
            now = {
                "lobby": "no game is running",
                "seeding": "the game is just being started",
                "playing": "a game is running",
                "over": "the game is over; the owner can call a rematch",
            }
            raise Refused("refused", f"that is not possible now: {now[self.phase]}")

    # ---- sitting

    def sit(self, key: bytes, seat: SeatName | None, bot: bool) -> SeatName:
        """Gives a player a seat. Raises Refused if it cannot be had."""
        self.need("lobby")
        mine = self.seat_of(key)
        if seat is None:
            if mine is not None:
                return mine
            if not (free := self.free()):
                raise Refused("full", "all seats are taken; you can look on")
            seat = free[0]
        if self.seats.get(seat, key) != key or (seat in self.promised and not bot):
            raise Refused("refused", f"the {seat} seat is taken; choose another")
        if mine is not None and mine != seat:
            del self.seats[mine]
            self.ready.discard(key)
        self.promised.discard(seat)
        self.seats[seat] = key
        self.changed = True
        return seat

    def stand_up(self, key: bytes) -> None:
        """Frees a player's seat."""
        seat = self.seat_of(key)
        if seat is not None:
            del self.seats[seat]
            self.ready.discard(key)
            self.changed = True

    def change_options(self, changes: Mapping[str, Any]) -> None:
        """Sets some options. Raises Refused with what is wrong with them."""
        self.options = read_options(self.options.to_data() | dict(changes))
        self.changed = True

    # ---- telling

    def message(self, peers: Peers) -> messages.Table:
        """The table for everybody."""
        looking_on = [p.name for p in peers.present if self.seat_of(p.key) is None and p.known and not p.bot]
        return messages.Table(
            name=self.name,
            phase=self.phase,
            seats=[self._seat(seat, peers) for seat in SEAT_NAMES],
            watchers=looking_on[: limits.WATCHERS],
            options=self.options.to_data(),
            clocks=self.clocks,
            practice=self.practice,
            game=self.game,
            house=self.house,
            away=self.away,
            invites=self.invites,
        )

    def _seat(self, seat: SeatName, peers: Peers) -> SeatInfo:
        peer = peers.find(self.seats.get(seat))
        if peer is None:
            return SeatInfo(seat=seat)
        return SeatInfo(
            seat=seat,
            name=peer.name,
            ready=peer.key in self.ready,
            bot=peer.bot,
            owner=peer.key == self.owner,
            presence="bot" if seat in self.stand_ins else peer.presence,
            whisper=peer.whisper if self.house.whispers else None,
        )

    # ---- keeping

    def to_data(self) -> dict[str, Any]:
        """Plain data for the journal. Clocks are kept in milliseconds: a packed value has no floats."""
        clocks = msgspec.structs.asdict(self.clocks)
        return {
            "name": self.name,
            "practice": self.practice,
            "options": self.options.to_data(),
            "clocks": {name: round(seconds * 1000) for name, seconds in clocks.items()},
            "house": {
                "absent": self.house.absent,
                "watch_delay": round(self.house.watch_delay_s * 1000),
                "whispers": self.house.whispers,
            },
            "phase": self.phase,
            "game": self.game,
            "owner": self.owner,
            "seats": plain(self.seats),
            "banned": sorted(self.banned),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Table:
        """The table that the journal kept; nobody is ready."""
        clocks = Clocks(**{name: milliseconds / 1000 for name, milliseconds in data["clocks"].items()})
        table = cls(data["name"], data["practice"], read_options(data["options"]), clocks)
        table.phase, table.game, table.owner = data["phase"], data["game"], data["owner"]
        house = data["house"]
        table.house = House(
            absent=house["absent"], watch_delay_s=house["watch_delay"] / 1000, whispers=house["whispers"]
        )
        table.seats = dict(data["seats"])
        table.banned = set(data["banned"])
        return table


def read_options(data: Mapping[str, Any]) -> Options:
    """The engine's options in plain data. Raises Refused with what is wrong with them."""
    try:
        return msgspec.convert(Options.from_data(data).to_data(), Options, strict=True)
    except BadSetup as error:
        raise Refused("refused", str(error)) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise Refused("refused", f"one of the options has a value of a wrong kind: {error}") from error
