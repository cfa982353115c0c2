"""A player's client of one table: connection, what it is told, and the duties that no person is asked about.

The duties: giving a share of the seed, opening sealed cards, catching up with the record. Whatever the player should
hear of comes out as notes, in order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from client.game import afterwards
from client.game.chain import Chain, Forked
from client.game.seals import Played, Seals
from client.game.told import Told
from client.game.whispers import Whispers
from client.home import Profile
from client.notes import Connection, LookedBack, Note
from client.wire.link import NoAnswer
from client.wire.seeking import Seeker
from client.wire.session import NO_ANSWER_ANY_MORE, Gone, Refused, Session, trouble_text
from protocol import codec, fairness, signing
from protocol import messages as m
from protocol.identity import Identity

log = logging.getLogger(__name__)

NOT_WRITTEN = "Your share of the seed is not given, since this computer cannot write it down: {}"
MOST_FINDINGS = 3
"""So many of the things that are wrong with a record are told."""
STRANGERS = ("not-ours", "other-key")
MOVED = (
    "If the host's computer has another address now, `who` there shows another code. Type `join CODE` here with it: "
    "your seat is kept."
)
HOPELESS = ("not-allowed", "not-ours", "other-key", "superseded", "version", "host-proof", "passphrase")


class Player:
    """One profile at one table. `on_note` is called with every note; `start`, then `close`."""

    def __init__(
        self,
        profile: Profile,
        name: str,
        address: str,
        host_key: bytes,
        on_note: Callable[[Note], None],
        passphrase: str = "",
    ) -> None:
        self.identity = Identity(profile.secret())
        self.host_key = host_key
        self._games = profile.games
        self._note = on_note
        self._seals: Seals | None = None
        self._seals_game = ""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._opening: set[int] = set()
        self._early: set[int] = set()
        self._catching_up = False
        self.answered: set[int] = set()
        """Decisions whose answer is on its way or has been taken."""
        self.told = Told(on_note, self._resync)
        self.whispers = Whispers(self.identity, host_key, self.told, on_note)
        self._whispering = asyncio.Lock()
        self.session = Session(
            address,
            host_key,
            self.identity,
            name,
            on_push=self._push,
            on_welcome=self._welcome,
            on_down=self._down,
            on_trouble=self._trouble,
            passphrase=passphrase,
            whisper=self.whispers.own,
        )
        self._seeker = Seeker(host_key, address, move=self.session.move, in_vain=self._sought_in_vain)

    @property
    def address(self) -> str:
        """HOST:PORT where the host is, or is tried."""
        return self.session.address

    def move(self, address: str) -> None:
        """Goes on at another address of the same host; nothing as long as there is a connection."""
        if not self.session.is_up:
            self._seeker.found(address)
            self.session.move(address)
            self._seeker.start()

    def start(self) -> None:
        """Starts connecting."""
        self.session.open()

    async def close(self, *, goodbye: bool = True) -> None:
        """Leaves the table (with `goodbye`: on purpose) and ends all tasks."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._seeker.close()
        await self.session.close(goodbye=goodbye)

    async def ask(self, kind: Callable[..., m.Request], **fields: Any) -> dict[str, Any] | None:
        """Any request. Raises Refused or Gone."""
        return await self.session.request(kind, **fields)

    # ---- playing

    @property
    def prompts(self) -> list[dict[str, Any]]:
        """The questions that are to be shown to the person: open, not answered yet, and no mere duty."""
        return [d for d in self.told.prompts if d["kind"] != "open" and d["id"] not in self.answered]

    def sealed_cards(self) -> set[int]:
        """The ids of the player's own cards that lie face down now."""
        if self._seals is None:
            return set()
        own = [card for card in self.told.sealed.values() if card.seat == self.told.seat]
        return {card for seal in own if (card := self._seals.card_of(seal.commitment)) is not None}

    async def answer(self, decision: dict[str, Any], value: Any) -> None:
        """Answers a decision; for a `seal` one the value is a card's id or {"option": id}.

        Raises Refused if the host refuses (the question is then open again), Gone, or OSError if a sealed card cannot
        be kept on disk.
        """
        if decision["kind"] == "seal" and isinstance(value, int):
            value = self._need_seals().seal(decision["context"], value)
        self.answered.add(decision["id"])
        try:
            await self._send_answer(decision["id"], value)
        except Refused as error:
            if error.code != "stale":
                self.answered.discard(decision["id"])
            raise

    async def standing_pass(self, until: m.Until, keep: tuple[str, ...] = ()) -> None:
        """Sets or ends ("off") a standing pass. Raises Refused or Gone."""
        game, chain = self._game_and_chain()
        assert self.told.seat is not None
        signature = signing.sign_passes(self.identity, game, self.told.seat, until, list(keep), chain.head)
        await self.ask(m.Passes, until=until, keep=list(keep), count=chain.length, signature=signature)

    async def whisper(self, to: m.SeatName, text: str) -> None:
        """Tells one player something that nobody else can read. Raises Refused or Gone."""
        async with self._whispering:  # they are numbered: one after the other
            request = self.whispers.make(to, text)
            await self.ask(m.Whisper, **request)
            self.whispers.sent(request["key"], request["number"])

    async def _send_answer(self, decision: int, value: Any) -> None:
        game, chain = self._game_and_chain()
        packed = codec.pack_value(value)
        signature = signing.sign_answer(self.identity, game, decision, packed, chain.head)
        await self.ask(m.Answer, decision=decision, value=packed, count=chain.length, signature=signature)
        self._note_how_far(game, chain)

    def _note_how_far(self, game: str, chain: Chain) -> None:
        """An answer has been taken: should the host come back without what led to it, the player is told."""
        if self._seals is None or self._seals_game != game:
            return
        try:
            self._seals.play_to(chain.length, chain.head)
        except OSError:
            log.exception("how far the game has come cannot be kept")

    def _game_and_chain(self) -> tuple[str, Chain]:
        told = self.told
        if told.fatal:
            raise Refused("refused", told.fatal)
        if told.game is None or told.chain is None:
            raise Refused("refused", "no game is running")
        return told.game, told.chain

    # ---- from the session

    def _welcome(self, welcome: m.Welcome) -> None:
        self._seeker.found(self.address)
        self.told.host_key = welcome.sign_key
        self._note(Connection("up"))

    def _down(self) -> None:
        self._note(Connection("down"))
        if self.session.welcome is not None and not self.session.ended:
            self._seeker.start()

    def _sought_in_vain(self) -> None:
        self._note(Connection("down", MOVED))

    def _trouble(self, what: str) -> None:
        if what in STRANGERS and self.session.welcome is not None:
            return  # somebody else has got the host's old address
        hopeless = what in HOPELESS or what.startswith("refused: ")
        lost = what == NoAnswer and self.session.welcome is not None
        text = NO_ANSWER_ANY_MORE if lost else trouble_text(what, self.address)
        self._note(Connection("over" if hopeless else "down", text))

    def _resync(self) -> None:
        self.session.resync()

    def _push(self, push: m.Push) -> None:
        self.told.take(push)
        self.whispers.take(push)
        if isinstance(push, m.Begin):
            self._begin(push)
        elif isinstance(push, m.Seeds):
            self._open_seed(push)
        elif isinstance(push, m.Snapshot):
            self.answered.clear()
            if self._seals is None or push.game != self._seals_game:
                self._make_seals(push.game).resume()
            self._recall()
            self._catch_up()
        elif isinstance(push, m.Ended) and self.told.view is not None:
            self._do(self._look_back(push))
        if isinstance(push, m.Snapshot | m.Update):
            self._open_cards()

    # ---- duties

    def _make_seals(self, game: str) -> Seals:
        self._seals = Seals(self._games, self.identity, self.host_key, game)
        self._seals_game = game
        self._opening.clear()
        self._early.clear()  # the next game counts its decisions from the same number
        return self._seals

    def _need_seals(self) -> Seals:
        assert self._seals is not None
        return self._seals

    def _begin(self, begin: m.Begin) -> None:
        """A game starts: our key has to stand at our seat, and a share of the seed is owed."""
        self.answered.clear()
        told, seat = self.told, self.told.you.seat
        if seat is None:
            return
        try:
            self._make_seals(begin.game).begin(begin.setup, begin.host_commitment)
        except Played:
            told.alarm("The host starts a game that this player has played before. Play stops here.", fatal=True)
            return
        except OSError as error:
            told.alarm(NOT_WRITTEN.format(error))
            return
        if told.setup.get("keys", {}).get(seat) != self.identity.sign_key:
            told.alarm("The host's setup of the game has another key at your seat. Play stops here.", fatal=True)
            return
        if not begin.practice:
            commitment = fairness.seed_commitment(begin.game, seat, self._share())
            signature = fairness.sign_seed(self.identity, begin.game, seat, commitment)
            self._do(self.ask(m.Seed, game=begin.game, commitment=commitment, signature=signature))

    def _share(self) -> bytes:
        assert self.told.game is not None
        return self.identity.seed_value(self.told.game, self.told.host_commitment)

    def _open_seed(self, seeds: m.Seeds) -> None:
        told, seat = self.told, self.told.you.seat
        if seat is None or told.fatal or seeds.game != told.game:
            return
        mine = seeds.commitments.get(seat)
        share = self._share()
        if mine is None or mine.commitment != fairness.seed_commitment(seeds.game, seat, share):
            told.alarm("The host has not passed on your share of the seed. Play stops here.", fatal=True)
            return
        try:
            given = self._need_seals().give_share_for({str(s): one.commitment for s, one in seeds.commitments.items()})
        except OSError as error:
            told.alarm(NOT_WRITTEN.format(error))
            return
        if not given:
            told.alarm(
                "The host shows another set of commitments to the seed than before: somebody could choose the seed so. "
                "Play stops here.",
                fatal=True,
            )
            return
        self._do(self.ask(m.SeedOpen, game=seeds.game, value=share))

    def _open_cards(self) -> None:
        """Opens what is asked to be opened; nobody is asked about that."""
        for decision in self.told.prompts:
            if decision["kind"] != "open" or decision["id"] in self._opening:
                continue
            if not self.told.is_to_be_opened(decision["commitment"]):
                self._wait_with_opening(decision["id"])
                continue
            self._opening.add(decision["id"])
            opening = self._need_seals().open(decision["context"], decision["commitment"], self._own_cards())
            if opening is None:
                self.told.alarm(
                    "Your sealed card cannot be opened on this computer: it was sealed elsewhere, or its file is gone."
                )
            else:
                self._do(self._send_answer(decision["id"], opening))

    def _wait_with_opening(self, decision: int) -> None:
        if decision not in self._early:
            self._early.add(decision)
            self.told.alarm(
                "The host asks for your sealed card before the other one is chosen. It stays closed until then."
            )

    def _own_cards(self) -> list[int]:
        view = self.told.view or {}
        sheets = view.get("sheets", {}).values()
        return [card for card, _ in view.get("hand", [])] + [card for pile in sheets for card, _ in pile]

    def _recall(self) -> None:
        """A game is shown, perhaps to a program that was started anew: it must not lie behind what was played of it."""
        seals, chain = self._need_seals(), self.told.chain
        try:
            seals.dealt()
        except OSError:
            log.exception("this game cannot be noted as one that was dealt")
        if chain is not None and seals.played_to is not None:
            chain.remember(*seals.played_to)
            self._look_whether_back(chain)

    def _look_whether_back(self, chain: Chain) -> None:
        if chain.went_back:
            self.told.alarm(
                "The host has gone back to an earlier point of this game than you have played to, and what was seen "
                "since then is known. Play on only if all know why, say because a backup had to be used."
            )

    def _catch_up(self) -> None:
        chain = self.told.chain
        if chain is not None and not chain.verified and not self._catching_up:
            self._catching_up = True
            self._do(self._fetch_record())

    async def _fetch_record(self) -> None:
        """Fetches the entries that this client has not hashed itself, and compares."""
        try:
            while (chain := self.told.chain) is not None and not chain.verified and self.told.game is not None:
                game, start = self.told.game, chain.count
                body = await self.ask(m.Record, game=game, start=start)
                page = codec.read_body(body or {}, m.Page)
                if self.told.chain is not chain:
                    continue
                if not page.entries:
                    raise Forked("the host does not show its record")
                self.told.note_entries(page.entries)
                before = chain.went_back
                chain.catch_up(page.start, page.entries)
                if not before:
                    self._look_whether_back(chain)
        except Forked as error:
            self.told.alarm(f"{error}. Play stops here.", fatal=True)
        except codec.BadFrame:
            self.told.alarm("The host's record cannot be read.")
        finally:
            self._catching_up = False

    async def _look_back(self, ended: m.Ended) -> None:
        """After the game: fetches the record with all that was hidden, replays it, and says what came of that."""
        told = self.told
        assert told.view is not None
        shown = afterwards.Shown(told.view.get("me"), told.view, [event for event in told.log if "n" in event])
        start = afterwards.Start(ended.game, told.setup_bytes, told.host_commitment, told.practice)
        entries: list[bytes] = []
        openings: list[bytes] = []
        while len(entries) < ended.head.count:
            page = codec.read_body(await self.ask(m.Record, game=ended.game, start=len(entries)) or {}, m.Page)
            if not page.entries:
                break
            entries += page.entries
            openings += page.opened
        record = afterwards.Record(start, entries, openings, ended, shown)
        wrong = await asyncio.to_thread(afterwards.check, record)
        for text in wrong[:MOST_FINDINGS]:
            told.alarm(f"The game's record does not bear checking: {text}.")
        self._note(LookedBack(len(entries), len(wrong)))

    def _do(self, work: Coroutine[Any, Any, Any]) -> None:
        """Does something beside the rest; what the host refuses goes to the log and the player."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Refused):
            log.warning("a duty was refused: %s %s", error.code, error.text)
            if error.code != "stale":
                self.told.alarm(f"The host refused a duty of this program: {error.text}")
        elif error is not None and not isinstance(error, Gone):
            log.error("a duty has failed", exc_info=error)
