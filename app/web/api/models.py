"""Bodies of the JSON API as its OpenAPI document shows them. What the ruleset reads stays free JSON."""

from __future__ import annotations

from datetime import datetime
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from app.referee.orders import LONGEST_TEXT

MOST_TURNS = 1_000_000
DEEPEST = 40
LONGEST_FILE = 200_000
LARGEST_WHOLE = 2**53
"""Beyond it, whole numbers are not the same in all programs."""


def _no_bool_no_text(value: Any) -> Any:
    if isinstance(value, bool | str):
        raise PydanticCustomError("int_type", "Input should be a valid integer")
    return value


def _true_or_false(value: Any) -> Any:
    if not isinstance(value, bool):
        raise PydanticCustomError("bool_type", "Input should be a valid boolean")
    return value


def _a_moment(value: Any) -> Any:
    """Text alone: a bare number would be read as seconds since 1970."""
    if not isinstance(value, str | datetime):
        raise PydanticCustomError("timezone_aware", "Input should have timezone info")
    return value


def _storable(value: Any, depth: int = 0) -> Any:
    """Free JSON that can be kept and written out again: no NaN, no NUL, no half of a surrogate pair, no whole
    number that other programs would round, not too deep."""
    if depth > DEEPEST:
        raise PydanticCustomError("too_deep", "Input is nested too deep")
    if isinstance(value, str):
        _clean(value)
    elif isinstance(value, int):
        if abs(value) > LARGEST_WHOLE:
            raise PydanticCustomError("less_than_equal", "Input is too large")
    elif isinstance(value, float):
        if not isfinite(value):
            raise PydanticCustomError("finite_number", "Input should be a finite number")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _clean(key)
            _storable(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _storable(inner, depth + 1)
    return value


def _clean(text: str) -> str:
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise PydanticCustomError("string_unicode", "Input should be a valid text")
    return text


def _clean_text(value: Any) -> Any:
    return _clean(value) if isinstance(value, str) else value


clean_text = _clean_text
"""For texts of other modules' bodies."""


def _clean_prose(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_FILE:
        raise PydanticCustomError("string_too_long", "Input is too long")
    return _clean_text(value)


Whole = Annotated[int, Field(ge=0, le=MOST_TURNS), BeforeValidator(_no_bool_no_text)]
Hours = Annotated[int, Field(ge=1, le=24 * 366), BeforeValidator(_no_bool_no_text)]
Flag = Annotated[bool, BeforeValidator(_true_or_false)]
Moment = Annotated[
    AwareDatetime, BeforeValidator(_a_moment), WithJsonSchema({"type": "string", "format": "date-time"}, mode="validation")
]
Line = Annotated[str, Field(max_length=200), BeforeValidator(_clean_text)]
WeekTime = Annotated[str, Field(pattern="^(mon|tue|wed|thu|fri|sat|sun) ([01][0-9]|2[0-3]):[0-5][0-9]$")]
"""A time of each week by the clock of the battle's zone: `tue 21:00`."""
DaysOff = Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}(/[0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
"""`2026-12-31`, or `2026-12-31/2027-01-08`, both ends included."""
Prose = Annotated[str, BeforeValidator(_clean_prose)]
Tree = Annotated[dict[str, Any], BeforeValidator(_storable)]
Trees = Annotated[list[Any], Field(min_length=1, max_length=200), BeforeValidator(_storable)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Deadlines(Body):
    """When turns are due. `first` alone: later deadlines are set by hand; `hours` alone: the first falls so many hours from
    now; `times` of the week instead of hours: at the first that leaves time enough; none of them: turns are resolved when
    all are ready, or when the game master says so. `skip`: days off."""

    first: Moment | None = None
    hours: Hours | None = None
    times: Annotated[list[WeekTime], Field(max_length=50)] = []
    skip: Annotated[list[DaysOff], Field(max_length=100)] = []
    zone: Line = "UTC"


class NewSchedule(Body):
    """Either `hours`, or `times` of the week; neither: deadlines are set by hand. `skip`: days off, or stretches of them, on
    which no deadline falls. `zone`: left out, it stays."""

    hours: Hours | None = None
    times: Annotated[list[WeekTime], Field(max_length=50)] = []
    skip: Annotated[list[DaysOff], Field(max_length=100)] = []
    zone: Line | None = None
    at_once: Flag = False


class NewDeadline(Body):
    """Either `deadline`, a moment to come (null: none), or `by_hours`, so many later, or earlier if negative."""

    deadline: Moment | None = None
    by_hours: Annotated[int, Field(ge=-24 * 366, le=24 * 366), BeforeValidator(_no_bool_no_text)] | None = None
    reason: Annotated[str, Field(max_length=2000), BeforeValidator(_clean_text)] | None = None

    @model_validator(mode="after")
    def one_way(self) -> NewDeadline:
        if {"deadline", "by_hours"} <= self.model_fields_set or not {"deadline", "by_hours"} & self.model_fields_set:
            raise PydanticCustomError("one_of", "Give either deadline or by_hours")
        return self


class NewPause(Body):
    """`until` left out: until the game master says so."""

    until: Moment | None = None
    reason: Annotated[str, Field(max_length=2000), BeforeValidator(_clean_text)] | None = None


class PauseAnswer(Body):
    agree: Flag


class NewBattle(Body):
    """Either `scenario`, a key that the server knows, or `scenario_file`, as a mapping or as the file's text."""

    scenario: Line | None = None
    scenario_file: Tree | Prose | None = None
    title: Line | None = None
    rulings: Annotated[dict[Line, Line], Field(max_length=100)] = {}
    deadlines: Deadlines | None = None
    review: Flag = False
    early: Flag = True
    seed: Annotated[str, Field(max_length=128)] | None = None

    @model_validator(mode="after")
    def one_scenario(self) -> NewBattle:
        if (self.scenario is None) == (self.scenario_file is None):
            raise PydanticCustomError("one_of", "Give either scenario or scenario_file")
        return self


class NewSheet(Body):
    """Either `orders`, as the adjudication cases have them, or `text`."""

    turn: Whole
    revision: Whole
    orders: Tree | None = None
    text: Annotated[str, Field(json_schema_extra={"maxLength": LONGEST_TEXT}), BeforeValidator(_clean_text)] | None = None
    ready: Flag = False

    @model_validator(mode="after")
    def one_form(self) -> NewSheet:
        if (self.orders is None) == (self.text is None):
            raise PydanticCustomError("one_of", "Give either orders or text")
        return self


class NewDrawing(Body):
    """`cells`: for an arrow the two to twelve that it leads over, else one. A note has some words."""

    turn: Whole
    kind: Literal["arrow", "mark", "note"]
    cells: Annotated[
        list[Annotated[str, Field(max_length=8), BeforeValidator(_clean_text)]], Field(min_length=1, max_length=12)
    ]
    text: Annotated[str, Field(max_length=120), BeforeValidator(_clean_text)] = ""


Reason = Annotated[str, Field(min_length=1, max_length=2000), BeforeValidator(_clean_text)]


class SetAside(Body):
    """`event`: its place in the record's `events`, from 0; `of`: how many the record had when it was looked at."""

    event: Whole
    of: Whole


class NewRuling(Body):
    """One of three: `changes`, which have the shape that the ruleset takes; or, of the turn under review, the address of a
    die that is rolled again (`reroll`), or an event that is set aside."""

    changes: Trees | None = None
    reroll: Line | None = None
    set_aside: SetAside | None = None
    reason: Reason
    rule: Annotated[str, Field(max_length=40), BeforeValidator(_clean_text)] | None = None

    @model_validator(mode="after")
    def one_kind(self) -> NewRuling:
        if sum(given is not None for given in (self.changes, self.reroll, self.set_aside)) != 1:
            raise PydanticCustomError("one_of", "Give one of changes, reroll and set_aside")
        return self


class NewRewind(Body):
    """The battle goes on from the start of turn `to`."""

    to: Whole
    reason: Reason


class TakeUp(Body):
    reason: Reason


class Answer(BaseModel):
    """What the server says: more fields may come with later versions."""


class Scenario(Answer):
    key: str
    ruleset: str
    title: str
    titles: dict[str, str]
    notes: str


class Scenarios(Answer):
    scenarios: list[Scenario]


class Seat(Answer):
    seat: str
    key: str
    url: str


class Desk(Answer):
    key: str
    url: str


class Made(Answer):
    id: str
    url: str
    desk: Desk
    seats: list[Seat]


class SideStands(Answer):
    side: str
    name: str
    colour: str
    points: int


class Leave(Answer):
    """`deputy`: his name, if it is known; `deputy_seat`: he is the holder of that seat. Both null: nobody stands in."""

    begins: datetime
    ends: datetime
    zone: str
    deputy: str | None
    deputy_seat: str | None


class SeatStands(Answer):
    """What stands last is left out where there is nothing to tell."""

    seat: str
    side: str
    name: str
    holder: str | None
    awaited: bool
    entered: bool
    ready: bool
    digest: str | None
    revision: int
    vacant: Annotated[bool, Field(description="It has no holder: nobody waits for it.")] = False
    offered_at: Annotated[datetime | None, Field(description="Since when it is offered to others.")] = None
    program: Annotated[str | None, Field(description="The program that fills it.")] = None
    doctrine_digest: Annotated[str | None, Field(description="The seal of its standing doctrine.")] = None
    leave: Annotated[Leave | None, Field(description="To come, or under way.")] = None


class Result(Answer):
    winner: str | None
    points: dict[str, int]
    goal: int | None


class Battle(Answer):
    id: str
    url: str
    title: str
    ruleset: str
    version: str
    status: Literal["open", "review", "held", "paused", "over"]
    turn: int
    deadline: datetime | None
    zone: str
    sides: list[SideStands]
    seats: list[SeatStands]
    state: dict[str, Any]
    outcome: Result
    rulings: dict[str, str]
    seed_commitment: str
    given_seed: str | None
    last_published: Annotated[int, Field(description="The newest turn that has a record; 0: none yet.")]


class UnitOptions(Answer):
    id: str
    options: dict[str, Any]


class Receipt(Answer):
    digest: str
    nonce: str
    canonical: str


class Sheet(Answer):
    turn: int
    revision: int
    ready: bool
    orders: dict[str, Any]
    units: list[UnitOptions]
    receipt: Receipt | None
    entered_at: datetime | None


class PlanFinding(Answer):
    """Something that the side should see in its orders. `sure`: it comes to that however the lots fall, if no enemy moves
    and nobody loses his orders; `cell`, `others` and `rule` as the words name them."""

    code: str
    unit: str
    others: list[str]
    cell: str | None
    rule: str
    sure: bool
    text: str


class PlanGroup(Answer):
    """Units that go together; `retreats`: those of them that nobody orders to."""

    phase: str
    speed: int
    length: int
    units: list[str]
    retreats: list[str]


class PlanEnemies(Answer):
    speed: int
    units: list[str]


class PlanAlly(Answer):
    """Another seat of the side. `orders` as last entered, {} for nothing yet."""

    seat: str
    revision: int
    entered_at: datetime | None
    orders: dict[str, Any]


class PlanDrawing(Answer):
    id: str
    seat: str
    kind: Literal["arrow", "mark", "note"]
    cells: list[str]
    text: str
    drawn_at: datetime


class Plan(Answer):
    turn: int
    open: bool
    shared: bool
    allies: list[PlanAlly]
    findings: list[PlanFinding]
    movement: list[PlanGroup]
    enemies: list[PlanEnemies]
    drawings: list[PlanDrawing]


class Trouble(Answer):
    """A refused part of a sheet, or a warning: `field` is the way to it, `unit` and `part` its first two steps."""

    unit: str | None
    part: str | None
    field: list[str]
    code: str
    text: str
    params: dict[str, str | int]


class Misread(Answer):
    """A place in a text that was not understood; line and column count from 1."""

    line: int
    column: int
    fragment: str
    code: str
    text: str
    candidates: list[str]


class Entered(Answer):
    turn: int
    revision: int
    ready: bool
    orders: dict[str, Any]
    problems: list[Trouble]
    warnings: list[Trouble]
    receipt: Receipt | None
    resolved: bool


class Stands(Answer):
    """Where a battle stands after something was done to it."""

    id: str
    status: Literal["open", "review", "held", "paused", "over"]
    turn: int


class Schedule(Answer):
    hours: int | None
    times: list[str]
    skip: list[str]


class Paused(Answer):
    since: datetime
    until: datetime | None
    left_seconds: Annotated[float | None, Field(description="Of the open turn's time; null: it had no deadline.")]


class AskedFor(Answer):
    until: datetime | None
    reason: str | None
    agreed: Annotated[list[str], Field(description="The sides that have agreed so far.")]


class Times(Answer):
    """A battle's time."""

    status: Literal["open", "review", "held", "paused", "over"]
    turn: int
    deadline: datetime | None
    zone: str
    schedule: Schedule
    ahead: list[datetime]
    paused: Paused | None
    asked: AskedFor | None


class Secret(Answer):
    secret: str
    seed: str


class SealedSheet(Answer):
    seat: str
    request: str
    revision: int
    entered_at: datetime
    entered_by: Literal["seat", "master", "deputy", "program"]
    entered_name: Annotated[
        str | None, Field(description="Of a deputy, or of one of those who share the seat; else left out.")
    ] = None
    orders: dict[str, Any]
    nonce: str
    digest: str


class Followed(Answer):
    """A standing doctrine that filled in what its seat left open, with its seal."""

    seat: str
    doctrine: str
    nonce: str
    digest: str


class MadeRuling(Answer):
    changes: list[Any]
    reason: str
    rule: str | None
    stage: Literal["open", "review"]
    events: list[dict[str, Any]]
    made_at: datetime
    kind: Annotated[
        Literal["amend", "reroll", "set-aside"], Field(description="Left out of an amendment, which is the usual thing.")
    ] = "amend"
    facts: Annotated[
        dict[str, Any], Field(description="Of a re-roll: address, before, after. Of an event set aside: event, told.")
    ] = {}


class Branch(Answer):
    """A line of the battle that was left. `turn`: its last published turn; `taken_as`: the line that went on from there."""

    line: int
    back_to: int
    turn: int
    status: Literal["open", "review", "held", "paused", "over"]
    reason: str
    left_at: datetime
    taken_as: int | None


class Branches(Answer):
    line: Annotated[int, Field(description="The line that is played; it began as 1.")]
    branches: list[Branch]


class Record(Answer):
    format: int
    battle: str
    ruleset: str
    version: str
    turn: int
    seed: Secret
    seed_commitment: str
    sheets: list[SealedSheet]
    doctrines: Annotated[
        list[Followed], Field(description="Standing doctrines that were followed; left out where there were none.")
    ] = []
    before: dict[str, Any]
    events: list[dict[str, Any]]
    dice: dict[str, list[int]]
    after: dict[str, Any]
    points: dict[str, int]
    winner: str | None
    rulings: list[MadeRuling]
    resolved_at: datetime
    resolved_by: Literal["deadline", "ready", "prompt", "master"]
    published_at: datetime | None


class Refusal(Answer):
    """Every refusal: `code` is stable, `text` in the reader's language, `id` stands in the server's log."""

    code: str
    text: str
    params: dict[str, str | int]
    id: str


class BodyRefusal(Refusal):
    """Something in the body is not acceptable: every problem at once."""

    problems: list[Trouble] = []
    warnings: list[Trouble] = []
    faults: list[Misread] = []
    asides: list[int] = []
    """Lines of the text (from 1) that are certainly no orders."""


class Current(Answer):
    turn: int
    revision: int | None = None


class StaleRefusal(Refusal):
    """With `stale`: what the caller should have seen."""

    current: Current | None = None
