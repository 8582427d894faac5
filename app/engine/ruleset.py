"""What every ruleset is: one frozen value of plain functions.

The referee, the web, the bots and the contract tests know rulesets by this interface alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec

from app.drawing.scene import Route, Scene
from app.engine.dice import Dice
from app.engine.events import Event
from app.engine.glance import Glance

S = TypeVar("S")
"""The state of a battle: a frozen value."""
O = TypeVar("O")  # noqa: E741
"""An answer to one request: a frozen value."""

Pace = Literal["deadline", "prompt"]
Subject = Literal["points", "idle"]
"""What pages of every game speak of, and what a rule of the game may stand behind: how points are scored; a unit that takes
no orders now."""
Json = Any
"""A tree of dict, list, str, int, bool and None, as JSON has it."""


class Request(msgspec.Struct, frozen=True):
    """A decision that one seat must take now.

    Several sealed requests at once are simultaneous play; one request at a time is alternating play or
    a reaction. `pace` says when the step is due: at the deadline (or early, if all are ready), or as
    soon as everybody asked has answered.
    """

    id: str
    seat: str
    kind: str
    sealed: bool = True
    pace: Pace = "deadline"


class Problem(msgspec.Struct, frozen=True):
    """A mistake in an answer, or (`warning`) a thing that may not come off.

    `field` is the way to the place: for `cohesion` `("S-LM1", "move")`. `params` fill the words.
    """

    code: str
    field: tuple[str, ...] = ()
    params: Mapping[str, str | int] = {}
    warning: bool = False


class Fault(msgspec.Struct, frozen=True):
    """A place in a text of orders that is not understood: line and column count from 1."""

    code: str
    line: int
    column: int
    fragment: str
    candidates: tuple[str, ...] = ()
    follows: bool = False
    """Whether something is missing: a candidate belongs behind the fragment, not in its place."""
    why: str = ""
    """More than the code says: `except`, `condition` (the fragment binds an order, and no order can be bound so),
    `each` (cells for several units: one for each, or a way for all), `last` (which cell of a way is the last)."""


class Step(msgspec.Struct, Generic[S], frozen=True):
    """What a resolution gives: the state that follows, and all that happened, in order."""

    state: S
    events: tuple[Event, ...] = ()


class Beat(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """A moment of a turn as a film shows it: a state, its caption in a language, lines and marks over it, and which units
    are under way: their ids with the cells (labels) that they enter one after the other from where they stand in `state`.
    `told`: the places, among the events of the turn, of those that its lines, marks and paths show."""

    state: S
    caption: str = ""
    routes: tuple[Route, ...] = ()
    marks: Mapping[str, tuple[str, ...]] = {}
    paths: Mapping[str, tuple[str, ...]] = {}
    seconds: float = 1.0
    told: tuple[int, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """How the battle stands. `winner`: a side, `draw`, or None while it goes on."""

    winner: str | None
    points: Mapping[str, int]
    goal: int | None = None

    @property
    def is_over(self) -> bool:
        return self.winner is not None


class Fallen(msgspec.Struct, frozen=True):
    """A thing that left the board in a step and did not come back: whose it was (`seat`), the seats whose things struck it
    in that phase (none: nobody did, or the events do not tell), the side that scored its value."""

    unit: str
    seat: str
    by: tuple[str, ...] = ()
    scorer: str | None = None
    value: int = 0


Rest = Literal["as-is", "rallied", "half"]
"""What happens to losses between two battles: nothing; nerve, or what the game calls so, is whole again; of what each value
has lost, half comes back, rounded down."""


class Carried(msgspec.Struct, frozen=True):
    """A thing of an earlier battle that takes a place in the scenario of a new one. `back`: if it was destroyed, it comes
    back with so much strength; None: it is left out."""

    place: str
    unit: str
    back: int | None = None


class Ruling(msgspec.Struct, frozen=True):
    """A correction by the game master. `changes` have a shape of the ruleset's own."""

    changes: tuple[Json, ...]
    reason: str
    rule: str | None = None
    awaits: int | None = None
    """Of a ruling on the result of a step: the number of the step after it. If the battle goes on although that step had
    ended it, this is the one that is awaited."""


class RulingSwitch(msgspec.Struct, frozen=True):
    """A point that the rules leave open: key, the values it may have, the default, the rule it belongs to."""

    key: str
    values: tuple[str, ...]
    default: str
    rule: str


class Refused(Exception):
    """Fields, a text or a ruling that the ruleset cannot take. Holds every problem, or every fault of a text; `asides`: the
    lines of the text (from 1) that are certainly no part of an answer, and that are passed over with `> ` before them."""

    def __init__(self, problems: Iterable[Problem] = (), faults: Iterable[Fault] = (), asides: Iterable[int] = ()) -> None:
        self.problems = tuple(problems)
        self.faults = tuple(faults)
        self.asides = tuple(asides)
        super().__init__(", ".join([p.code for p in self.problems] + [f.code for f in self.faults]))


class Unreadable(ValueError):
    """Stored JSON that `load_*` cannot read; says where and why."""


class Pick(Protocol):
    """Chance for players that are programs: `pick(n)` gives one of 0 .. n-1."""

    def __call__(self, n: int, /) -> int: ...


@dataclass(frozen=True, kw_only=True)
class Ruleset(Generic[S, O]):
    """One game. All functions are pure; `dice` alone remembers what it has rolled."""

    key: str
    version: str
    switches: tuple[RulingSwitch, ...]
    silence: str | None = None
    """The key of the switch that says what becomes of a unit that is given no order. None: there is none such."""
    behind: Mapping[Subject, str] = field(default_factory=dict, hash=False)
    """Subject -> the number of the rule behind it. A subject that is left out leads nowhere."""

    setup: Callable[[Json], Step[S]]
    """A frozen scenario (JSON, already checked) -> the first state and the opening events."""
    requests: Callable[[S], tuple[Request, ...]]
    """Who must decide what now, in the order of the seats, each seat once at most. Empty exactly when the battle is over."""
    options: Callable[[S, Request], Any]
    """All that may be chosen, as a value of the ruleset's own (a form, a bot, a fuzzer read it). Tells no more than the
    seat may know: the same from the seat's view as from the state."""
    options_json: Callable[[S, Request], Json]
    """The same for other programs. An entry with `"idle": true` is a unit that takes no orders now: pages show it, and the
    API leaves it out."""
    read: Callable[[S, Request, Json], O]
    """Fields of a form or an API body -> an answer. Raises `Refused`. What is well formed but illegal is
    left to `check`. What `dump_order` wrote reads back."""
    read_text: Callable[[S, Request, str], O]
    """Plain text -> an answer. Raises `Refused` with faults."""
    write_text: Callable[[S, Request, O, str], str]
    """An answer -> its canonical text in a language (`en`, `ru`)."""
    check: Callable[[S, Request, O], tuple[Problem, ...]]
    """Every problem and every warning of an answer at once."""
    default: Callable[[S, Request], O]
    """What silence means."""
    choose: Callable[[S, Request, Pick], O]
    """A legal answer taken by chance: for random play, fuzzing and the first program to fill a seat."""
    advance: Callable[[S, Mapping[str, O], Dice], Step[S]]
    """Resolve until somebody must decide again. Answers by request id; a missing one is silence. Every roll is told in an
    event with `address` and `faces`."""
    evolve: Callable[[S, Iterable[Event]], S]
    """State and events -> state. The only place where state changes. A view and the events that its seat is told give the
    seat's next view."""
    amend: Callable[[S, Ruling], Step[S]]
    """The game master's correction as events, which are told to all. Raises `Refused`. Orders that were sealed before it
    must still resolve."""
    undo: Callable[[S, Event, S], tuple[Json, ...]] | None = None
    """A state, an event that happened in it, the state as it stands now -> the changes for `amend` that take back what the
    event did and leave alone what came after it. Raises `Refused` where nothing came of it, or where it cannot be taken
    back any more. No function: no event can be set aside."""
    reroll: Callable[[str, Sequence[int], Sequence[int], Ruling], Event] | None = None
    """An address, its faces before and after it was rolled again by a ruling -> the event that tells all of it, and changes
    nothing itself. No function: no die can be rolled again."""
    amend_form: Callable[[S], Any] | None = None
    """All that `amend` can change, as a value of the ruleset's own for a form. No function: rulings come as JSON."""
    amend_read: Callable[[S, Mapping[str, str]], tuple[Json, ...]] | None = None
    """The fields of such a form -> changes for `amend`. Raises `Refused`."""
    tally: Callable[[S, Request, O | None], tuple[int, int]] | None = None
    """How many things an answer (None: none yet) gives an order, of how many that await one: 5 of 7 units. No function:
    not counted."""
    outcome: Callable[[S], Outcome]
    view: Callable[[S, str | None], S]
    """What a seat (None: the public) may know of the state."""
    audience: Callable[[Event], frozenset[str] | None]
    """The seats that are told an event; None: everybody."""
    scene: Callable[[S, str, Json], Scene]
    """A view, a language, the frozen scenario (names, colours) -> its picture."""
    plan: Callable[[S, O], tuple[Route, ...]] | None = None
    """A state, an answer -> what it intends, as lines over the picture. No function: nothing is drawn."""
    prospects: Callable[[S, str], Json] | None = None
    """A view, the id of one of a seat's things -> what it may do now, with the odds and the reasons, for a field on which
    orders are given. No function: orders are given in the form alone. Raises `KeyError`."""
    glance: Callable[[S, Mapping[str, O]], Glance] | None = None
    """A view, the answers that some seats of one side know of each other, by seat (a seat that is silent has an empty one,
    one that is not known is left out) -> what the side should see. No function: nothing is said."""
    beats: Callable[[S, Sequence[Event], str], tuple[Beat[S], ...]] | None = None
    """A state, what happened from there, a language -> what a film of it shows, the end included. No function: each state on
    the way is shown as it is."""

    fallen: Callable[[S, Sequence[Event], S], tuple[Fallen, ...]] | None = None
    """The state before a step and after it as all know them, the events told to all -> what was taken out, in order. No
    function: standings tell of points alone."""
    carry: Callable[[S, Json, Sequence[Carried], Rest], Mapping[str, Json | None]] | None = None
    """The state with which an earlier battle was left, a frozen scenario, what takes which place, the rest in between ->
    by place what its unit begins with, as a scenario has it (None: it is left out). Raises `Refused`, with the place as the
    field. No function: nothing is carried over."""

    doctrines: tuple[str, ...] = ()
    """Names of what a seat may do while it is silent, beside what silence means."""
    doctrine: Callable[[S, Request, str, O | None], O] | None = None
    """A view, a seat's request, the name of its doctrine, what it has answered (None: nothing) -> a legal answer that leaves
    nothing open; what was answered stands in it as it was. Chance has no part in it. No function: there are no doctrines."""

    owners: Callable[[S], Mapping[str, str]] | None = None
    """Each thing on the board (the id of its counter) -> the seat that commands it, so that a reader can look at his own
    alone. No function: nobody's own are told apart."""

    dump_state: Callable[[S], Json]
    """With `format`, and `turn`: the number of the step that is awaited, from 1."""
    load_state: Callable[[Json], S]
    dump_order: Callable[[O], Json]
    load_order: Callable[[Json], O]
    dump_event: Callable[[Event], Json]
    load_event: Callable[[Json], Event]


AnyRuleset = Ruleset[Any, Any]
