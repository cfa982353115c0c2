"""The verbs: what an alien, a flare or an artifact may hang itself on.

A file in `aliens/` declares a sheet and marks its methods with these verbs; nothing else connects it to the engine.
`docs/aliens.md` explains them with examples.

| verb | for |
| --- | --- |
| `use(window…)` | act in a window; the use is announced and can be zapped |
| `replaces(event…)`, `reacts(event…)` | the same before and after something happens |
| `wild(window…)`, `super_(window…)`, `plays(window…)` | a half of the flare, an artifact |
| `modifies(name…)` | a number, limit or rule, each time it is asked for |
| `offers(choice…)` | an answer added to somebody's decision; taking it is the use |
| `deal_term(name…)` | a term of a deal that the rules do not have |
| `setup` | the sheet's Game Setup |

Effects are generators: they `yield from` the questions of `engine.ask` and the moves of `engine.ships` and
`engine.hands`. `when`, `can` and `aim` take the table and the `Use`: `when` looks at public facts only and alone
decides whether a window exists; `can` may look at the owner's secrets; `aim` is a generator that asks for the target
before the announcement.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from cosmic_net.engine.state import Card, Power

if TYPE_CHECKING:
    from cosmic_net.engine.decisions import Decision
    from cosmic_net.engine.table import Table

Answers = dict[int, Any]
#: The answer, in a reaction window, of a player who said nothing until it closed: he does not act, but has not passed.
SILENCE = object()
#: A piece of the rules: it yields the decisions that it needs answered, and gets their answers by id.
Steps = Generator["Ask", Answers, Any]


class Ask(NamedTuple):
    """Decisions asked together. The rules go on when all are answered, or as soon as `enough` says of the answers."""

    decisions: tuple[Decision, ...]
    enough: Callable[[Answers], bool] | None = None


POWER, WILD, SUPER, CARD = "power", "wild", "super", "card"

# Roles (field `who`).
MAIN, OFFENSE, DEFENSE, ALLY, OFFENSIVE_ALLY = "main", "offense", "defense", "ally", "offensive-ally"
BYSTANDER, NOT_OFFENSE, NOT_MAIN, ANY = "bystander", "not-offense", "not-main", "any"
MAIN_OR_ALLY, MAIN_OR_BYSTANDER, OFFENSE_OR_ALLY = "main-or-ally", "main-or-bystander", "offense-or-ally"
#: The player whom the thing that happens concerns, and all but him.
OWN, OTHERS = "own", "others"
BY_SUBJECT = (OWN, OTHERS)

ALL_PHASES = ("any",)


@dataclass(frozen=True)
class Half:
    """One half of a flare as printed: who may play it, in which phases, and what it does in our words."""

    who: str
    when: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Sheet:
    """An alien's sheet and its flare, in our own words.

    who and when are as printed (roles and phases); alert is green, yellow or red; setup is the Game Setup text;
    excludes names aliens that may not be in the same game.
    """

    id: str
    name: str
    power: str
    alert: str
    short: str
    text: str
    who: str
    when: tuple[str, ...]
    mandatory: bool
    wild: Half
    super_: Half
    setup: str = ""
    excludes: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class Use:
    """One use of a power, or one play of a card, from the intent to its end.

    seat: whose; hook: which effect; power: the sheet it stands on (None for a card that is no super); card: the card
    played; source: the sheet that the card lies on, None for the hand; subject: what it answers, replaces or reacts
    to; aim: what `aim` returned. Whoever stops it sets `cancelled`; `returns` then says where a stopped card goes
    ("discard" or "hand"), and `taker` who gets it instead, if anybody. `counts`: whether a flare played counts as its
    player's flare of the encounter. `notes` is free for the effect.
    """

    seat: str
    hook: Hook
    power: Power | None = None
    card: Card | None = None
    source: Power | None = None
    subject: Any = None
    aim: Any = None
    cancelled: bool = False
    returns: str = ""
    taker: str | None = None
    counts: bool = True
    notes: dict[str, Any] = field(default_factory=dict)


Effect = Callable[..., Any]
Test = Callable[["Table", Use], bool]
Aim = Callable[["Table", Use], Steps]
Limits = Callable[["Table", Use], dict[str, int]]


@dataclass(frozen=True)
class Hook:
    """One effect and where it hangs.

    name is `owner.method`, owner the id of its alien or artifact; half one of POWER, WILD, SUPER, CARD; at the
    windows; place orders effects of one event (B09), lower first. must: mandatory. announced: a use that can be
    zapped. once: at most once an encounter (windows) or for each happening (events); without it as often as `when`
    allows.
    """

    name: str
    half: str
    at: tuple[str, ...]
    who: str
    effect: Effect
    must: bool = False
    announced: bool = True
    once: bool = True
    place: int = 0
    when: Test | None = None
    can: Test | None = None
    aim: Aim | None = None
    goes: str | Callable[[Table, Use], str] = "hand"
    owner: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "owner", self.name.split(".", 1)[0])


@dataclass(frozen=True)
class Value:
    """A `modifies`, `offers` or `deal_term` mark: which name it answers to, for whom."""

    verb: str
    name: str
    who: str
    effect: Effect
    when: Test | None = None
    limits: Limits | None = None


#: Stands in a `Use` where something simply holds and is no use.
HOLDS = Hook(name="holds", half=POWER, at=(), who=ANY, effect=lambda: None, announced=False)

F = TypeVar("F", bound=Callable[..., Any])


def before(event: str) -> str:
    """The window before an event, in which it can be replaced."""
    return f"before:{event}"


def after(event: str) -> str:
    """The window after an event, in which others react to it."""
    return f"after:{event}"


def _hooks(half: str, at: tuple[str, ...], fields: dict[str, Any]) -> Callable[[F], F]:
    def mark(method: F) -> F:
        marks = method.__dict__.setdefault("marks", [])
        marks.append(("hook", {"half": half, "at": at, **fields}))
        return method

    return mark


def use(*at: str, who: str = MAIN, **fields: Any) -> Callable[[F], F]:
    """A use of the power in these windows. Keywords: must, when, can, aim, place, once, announced, as in `Hook`."""
    return _hooks(POWER, at, {"who": who, **fields})


def replaces(*events: str, who: str = OWN, **fields: Any) -> Callable[[F], F]:
    """A use of the power just before an event takes place; the effect changes the happening, `u.subject`."""
    return _hooks(POWER, tuple(map(before, events)), {"who": who, **fields})


def reacts(*events: str, who: str = OTHERS, **fields: Any) -> Callable[[F], F]:
    """A use of the power just after an event has taken place."""
    return _hooks(POWER, tuple(map(after, events)), {"who": who, **fields})


def wild(*at: str, who: str = ANY, **fields: Any) -> Callable[[F], F]:
    """The wild half of the alien's flare, playable in these windows (`before(…)`, `after(…)` for events)."""
    return _hooks(WILD, at, {"who": who, **fields})


def super_(*at: str, who: str = ANY, **fields: Any) -> Callable[[F], F]:
    """The super half of the alien's flare, playable in these windows."""
    return _hooks(SUPER, at, {"who": who, **fields})


def plays(*at: str, who: str = ANY, **fields: Any) -> Callable[[F], F]:
    """An artifact or other card that works when it is played in one of these windows."""
    return _hooks(CARD, at, {"who": who, "goes": "discard", **fields})


def modifies(name: str, who: str = ANY, when: Test | None = None) -> Callable[[F], F]:
    """Changes a number, limit or rule whenever it is asked for: `method(table, use, value, **about) -> value`.

    `who` and `when` concern the holder of the sheet; `about["seat"]` is the player whom the number is asked for.
    """
    return _value("modifies", name, who, when)


def offers(choice: str, who: str = ANY, when: Test | None = None) -> Callable[[F], F]:
    """Adds answers to somebody's decision: `method(table, use) -> list of option ids`; taking one is a use."""
    return _value("offers", choice, who, when)


def deal_term(name: str, limits: Limits) -> Callable[[F], F]:
    """A further term of deals of the holder: `limits` says how much of what; the method carries the term out."""
    return _value("deal_term", name, MAIN, None, limits=limits)


def setup(method: F) -> F:
    """The sheet's Game Setup: a generator `method(table, use)` run once after the hands are dealt (SU08)."""
    return _value("setup", "setup", ANY, None)(method)


def _value(verb: str, name: str, who: str, when: Test | None, limits: Limits | None = None) -> Callable[[F], F]:
    def mark(method: F) -> F:
        marks = method.__dict__.setdefault("marks", [])
        marks.append(("value", {"verb": verb, "name": name, "who": who, "when": when, "limits": limits}))
        return method

    return mark


class _Marked:
    """Collects the marks of a class's methods into `hooks` and `values`."""

    hooks: tuple[Hook, ...] = ()
    values: tuple[Value, ...] = ()

    @classmethod
    def _collect(cls, owner: str) -> None:
        instance = cls()
        hooks: list[Hook] = []
        values: list[Value] = []
        for name, method in cls.__dict__.items():
            for kind, fields in getattr(method, "__dict__", {}).get("marks", ()):
                bound = getattr(instance, name)
                if kind == "hook":
                    hooks.append(Hook(name=f"{owner}.{name}", effect=bound, **fields))
                else:
                    values.append(Value(effect=bound, **fields))
        cls.hooks, cls.values = tuple(hooks), tuple(values)


class Alien(_Marked):
    """Base of all aliens. A subclass sets `sheet` and marks its methods; it keeps no state of its own.

    `plays_from_sheet`: cards that lie on the sheet may be played as though from the hand (the verb `source`): each
    such play is a use of the power. `texts`: sentences for the events that only this alien tells, by kind.
    """

    sheet: Sheet
    plays_from_sheet = False
    texts: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._collect(cls.sheet.id)


class Artifact(_Marked):
    """Base of the artifacts: an id (the face), a text in our own words, and one or more `plays` methods."""

    id: str
    who: str
    when: tuple[str, ...]
    text: str

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._collect(cls.id)
