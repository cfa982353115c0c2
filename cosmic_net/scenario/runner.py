"""The runner: gives the answers of a scenario to a game, and looks at what came of it.

Every open question is answered by the first unused answer of its seat, if it fits. What is done in a window waits
until every answer before it has been used; only one player acts in a round of a window, unless the scenario says that
several act together. Unlisted windows are passed (a player who acts later stays silent instead, which is no pass),
harmless questions take their default, and any other question that is not listed is a failure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cosmic_net.bots.agent import Agent
from cosmic_net.engine import decisions as kinds
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer, RulesError
from cosmic_net.engine.events import Event
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import BadSetup
from cosmic_net.engine.state import Encounter
from cosmic_net.scenario import answers as forms
from cosmic_net.scenario.conservation import Scales
from cosmic_net.scenario.expectations import check
from cosmic_net.scenario.listening import Blanks, Log, Stop
from cosmic_net.scenario.parser import Answer, Scenario

#: More questions than this are no scenario any more.
MOST_STEPS = 5000
#: The events with which something new begins, by the value of `until`.
BEGINNINGS = {"encounter": ("encounter-started", "turn-started"), "turn": ("turn-started",)}
#: What tells that an intent was carried out.
DEEDS = ("card-played", "power-used")


@dataclass
class Outcome:
    """How a scenario went: it passed if nothing failed. Each failure begins with file and line."""

    name: str
    title: str
    failures: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether all went as the scenario says."""
        return not self.failures


@dataclass(frozen=True)
class Asked:
    """A question that was asked: to whom, about what, in which window and encounter."""

    seat: str
    topic: str
    kind: str
    window: str | None
    encounter: int


@dataclass
class Intent:
    """Something that a player has said he does in a window, until it is known to be carried out."""

    answer: Answer
    action: dict[str, Any]
    about: dict[str, Any]
    encounter: int
    events: int


class Nobody:
    """Agents of a scenario only seal and open; answers come from the list."""

    def decide(self, view: Any, decision: Any) -> Any:
        """Never asked."""
        raise NotImplementedError


class Run:
    """One run of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.answers = list(scenario.answers)
        for answer in self.answers:
            answer.used = False
        self.failures: list[tuple[int, str]] = []
        self.asked: list[Asked] = []
        self.encounters: dict[int, Encounter] = {}
        self.ended = False
        self.game: Game = Game(scenario.setup, scenario.shuffle)
        self.scales = Scales(self.game)
        self.game.table.events = Log(self.game.events, self._heard)
        self._agents = {seat: Agent(Nobody(), seat.encode()) for seat in scenario.setup.seats}
        self._last = 1  # the encounter of the last answer
        self._seen = 0
        self._late: set[int] = set()
        self._acted: tuple[int, int | None] | None = None
        self._intents: dict[str, Intent] = {}
        self._waited: dict[int, Answer] = {}

    # ---- the whole run

    def play(self) -> None:
        """Plays until the scenario is over or cannot go on."""
        try:
            for _ in range(MOST_STEPS):
                self._look()
                if self.game.over:
                    return self._not_reached()
                if self.failures or self._reached() or not self._step():
                    return None
                self._weigh()
        except Stop:
            self.ended = True
            self._weigh()
        except RulesError as error:
            self._fail(f"the game breaks down: {error}")
        else:
            self._fail("the scenario never ends")
        return None

    def unused(self) -> None:
        """Notes the answers that were listed and never asked for; only the next ones if something else went wrong."""
        left = [answer for answer in self.answers if not answer.used]
        for answer in left[:2] if self.failures else left:
            why = "was never asked for"
            if answer.acts:
                why = "was never possible" if answer.key != "pass" else "met no such window"
                if (waited := self._waited.get(answer.index)) is not None:
                    why = f"was possible only while it waited for {waited} (line {waited.line})"
            self.failures.append((answer.line, f"{answer} {why}"))

    def _fail(self, message: str, answer: Answer | None = None) -> None:
        last = answer or next((a for a in reversed(self.answers) if a.used), None)
        self.failures.append((last.line if last else 1, message))

    def _heard(self, event: Event) -> None:
        """Listens to the log: keeps the encounters, and stops when the next one begins after the last answer."""
        if event.kind in BEGINNINGS.get(self.scenario.until, ()) and self._all_used():
            raise Stop
        self._note_encounter()

    def _note_encounter(self) -> None:
        enc = self.game.state.encounter
        if enc is not None:
            self.encounters[enc.number] = enc

    def _look(self) -> None:
        """Notes the questions that are new."""
        self._note_encounter()
        enc = self.game.state.encounter
        for decision in self.game.pending:
            if decision.id > self._seen:
                window = decision.bounds.get("window") if decision.kind == kinds.REACT else None
                number = enc.number if enc else 0
                self.asked.append(Asked(decision.seat, decision.topic, decision.kind, window, number))
        self._seen = max([self._seen, *(decision.id for decision in self.game.pending)])

    def _weigh(self) -> None:
        for difference in self.scales.differences(self.game):
            self._fail(f"something came out of nowhere or got lost: {difference}")

    def _all_used(self) -> bool:
        return all(answer.used for answer in self.answers)

    def _reached(self) -> bool:
        """Whether the topic is asked at which the scenario ends."""
        until = self.scenario.until
        return self._all_used() and any(
            until in (decision.topic, decision.bounds.get("window")) for decision in self._now()
        )

    def _now(self) -> list[Decision]:
        """The questions whose turn it is: a window's before the one beside it, which is asked anew if somebody acts."""
        windows = [decision for decision in self.game.pending if decision.kind == kinds.REACT]
        return windows or list(self.game.pending)

    def _not_reached(self) -> None:
        if self.scenario.until not in BEGINNINGS:
            self._fail(f"the game is over before anybody was asked `{self.scenario.until}`")

    # ---- one step

    def _step(self) -> bool:
        """Gives the first answer in the order of the list; without one, what goes without saying.

        Returns whether the game can go on; it cannot if something is asked long after the last answer that fitted.
        """
        open_ = self._now()
        found = [(answer.index, answer, d) for d in open_ if (answer := self._for(d)) is not None]
        if found:
            _, answer, decision = min(found, key=lambda item: item[0])
            self._last = max(self.encounters, default=0)
            self._give(answer, decision)
            return True
        for decision in open_:
            if self._without_saying(decision):
                return True
            if self._must_be_listed(decision):
                if self._last == max(self.encounters, default=0) or self._all_used():
                    text = decision.text.format_map(Blanks(decision.args))
                    self._fail(f"{decision.seat} is asked `{decision.topic}` ({text}) and no answer is listed")
                return False
        self.game.close(open_[0].group)
        return True

    def _for(self, decision: Decision) -> Answer | None:
        """The answer for a question, if its turn has come."""
        if decision.id in self._late:
            return None
        if decision.kind == kinds.REACT and (again := self._again(decision)) is not None:
            return again
        answer = next((a for a in self.answers if a.seat == decision.seat and not a.used), None)
        if answer is None or not forms.fits(answer, decision):
            return None
        if not answer.acts:
            return answer
        earlier = next((a for a in self.answers[: answer.index] if self._holds_up(a, answer)), None)
        if earlier is not None:
            self._waited[answer.index] = earlier
            return None
        return answer if self._may_act(answer, decision) else None

    def _holds_up(self, earlier: Answer, answer: Answer) -> bool:
        return not earlier.used and (answer.together is None or earlier.together != answer.together)

    def _may_act(self, answer: Answer, decision: Decision) -> bool:
        """One player acts in a round, or those who act together; anybody may pass."""
        if answer.key == "pass" or answer.refused is not None or self._acted is None:
            return True
        group, together = self._acted
        return group != decision.group or (together is not None and together == answer.together)

    def _again(self, decision: Decision) -> Answer | None:
        """An intent that another came before, said again as long as it is possible."""
        intent = self._intents.get(decision.seat)
        if intent is None:
            return None
        is_card = "card" in intent.action
        done = any(
            event.data.get("seat") == decision.seat and (event.kind in DEEDS or not is_card)
            for event in self.game.events[intent.events :]
        )
        enc = self.game.state.encounter
        if done or enc is None or enc.number != intent.encounter:
            del self._intents[decision.seat]
            return None
        if dict(decision.args) != intent.about or intent.action not in decision.bounds["actions"]:
            return None
        return intent.answer if self._may_act(intent.answer, decision) else None

    def _give(self, answer: Answer, decision: Decision) -> None:
        """Gives an answer, and sees that it is refused exactly if the scenario says so."""
        answer.used = True
        if answer.value == forms.TIMEOUT:
            self._late.add(decision.id)
            if decision.kind == kinds.DEAL:
                self.game.close(decision.group)
            return
        try:
            self._answer(answer, decision)
        except IllegalAnswer as reason:
            if answer.refused is None:
                self._fail(f"{answer} is refused: {reason}", answer)
            elif answer.refused not in str(reason):
                self._fail(f"{answer} is refused, but with: {reason}", answer)
        else:
            if answer.refused is not None:
                self._fail(f"{answer} is not refused", answer)

    def _answer(self, answer: Answer, decision: Decision) -> None:
        value = self._open(answer, decision) if decision.kind == kinds.OPEN else forms.convert(answer, decision)
        if decision.kind == kinds.SEAL and isinstance(value, int):
            value = self._agents[decision.seat].seal(decision.to_data(), value)
        if decision.kind == kinds.REACT and value is not None and answer.refused is None:
            self._intend(answer, decision, value)
        elif decision.kind != kinds.REACT:
            self._intents.pop(decision.seat, None)
        self.game.answer(decision.seat, decision.id, value)

    def _intend(self, answer: Answer, decision: Decision, value: str) -> None:
        self._acted = (decision.group, answer.together)
        action = next(action for action in decision.bounds["actions"] if action["id"] == value)
        number = self.game.state.encounter.number if self.game.state.encounter else 0
        about = dict(decision.args)
        self._intents[decision.seat] = Intent(answer, action, about, number, len(self.game.events))

    def _open(self, answer: Answer, decision: Decision) -> Any:
        """An opening that never comes, or one of another card."""
        if answer.value == "never":
            return None
        if answer.value != "wrong":
            raise IllegalAnswer("open is never, wrong or timeout; an honest opening needs no answer")
        opening = self._agents[decision.seat].open(decision.to_data())
        return None if opening is None else opening | {"card": opening["card"] + 1}

    def _without_saying(self, decision: Decision) -> bool:
        """Answers a question that the scenario does not mention; returns whether there was anything to do."""
        if decision.id in self._late:
            return False
        if decision.kind == kinds.REACT:
            if any(a.acts and not a.used and a.seat == decision.seat for a in self.answers):
                return False  # silence is no pass
            if (intent := self._intents.get(decision.seat)) and intent.about == dict(decision.args):
                return False
            self.game.answer(decision.seat, decision.id, None)
            return True
        if decision.kind == kinds.OPEN:
            opening = self._agents[decision.seat].open(decision.to_data())
            self.game.answer(decision.seat, decision.id, opening)
            return True
        if forms.optional(decision) or decision.topic in self.scenario.defaults:
            self._intents.pop(decision.seat, None)
            self.game.answer(decision.seat, decision.id, decision.default)
            return True
        return False

    def _must_be_listed(self, decision: Decision) -> bool:
        return decision.kind != kinds.REACT and decision.id not in self._late


def run(scenario: Scenario) -> Outcome:
    """Runs a scenario."""
    name = scenario.name
    outcome = Outcome(name, scenario.title)
    try:
        this = Run(scenario)
    except (BadSetup, RulesError) as error:
        outcome.failures.append(f"{name}:1: this position cannot be played: {error}")
        return outcome
    this.play()
    this.unused()
    if not this.failures:
        this.failures = check(this, scenario.expect)
    outcome.failures = [f"{name}:{line}: {message}" for line, message in this.failures]
    return outcome
