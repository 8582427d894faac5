"""The form of an archive, part by part (`docs/archive.md`). Values alone: what they claim is checked elsewhere."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
Id = Annotated[str, msgspec.Meta(pattern="^[a-z0-9]{4,16}$")]
Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The root of all parts: what is unknown is refused, since it would be lost."""


class TimePart(Part, frozen=True):
    """The schedule beside the hours, and a pause. An archive of before there were any has none of it."""

    times: list[str] = []
    skip: list[str] = []
    slot: Annotated[str, msgspec.Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$")] | None = None
    slot_due: Moment | None = None
    last_deadline: Moment | None = None
    paused_at: Moment | None = None
    paused_deadline: Moment | None = None
    resume_at: Moment | None = None
    held_at: Moment | None = None


class About(Part, frozen=True):
    """`id`: the one that stands in the records and is sealed in the sheets. `status`, `turn`: when it was exported."""

    id: Id
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    ruleset: Annotated[str, msgspec.Meta(max_length=40)]
    ruleset_version: Annotated[str, msgspec.Meta(max_length=20)]
    scenario_key: Name
    scenario: dict[str, Any]
    status: Literal["open", "review", "held", "paused", "over"]
    turn: Number
    deadline: Moment | None
    turn_hours: Number | None
    zone: Annotated[str, msgspec.Meta(max_length=64)]
    review: bool
    early: bool
    given_seed: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2}){1,64}$")] | None
    created_at: Moment
    points: dict[str, int]
    winner: Name | None
    options: dict[str, Any] = {}
    """What its game master chose, where it differs from the defaults."""
    time: TimePart = TimePart()
    line: Number = 1
    """Which of the battle's lines is played."""


class SeatPart(Part, frozen=True):
    seat: Name
    side: Name
    holder: Name | None
    arms: Annotated[str, msgspec.Meta(max_length=200_000)] | None = None
    """A coat of arms: WebP, base64."""


class SayingPart(Part, frozen=True):
    """What a commander said with the orders of a turn."""

    turn: Number
    seat: Name
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    said_at: Moment


class MessagePart(Part, frozen=True):
    """A message of the public thread. `text` is empty where it was taken back or hidden."""

    number: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    writer: Annotated[str, msgspec.Meta(pattern="^(seat|master|account)/.{1,80}$")]
    name: Name | None
    turn: Number
    text: Annotated[str, msgspec.Meta(max_length=4000)]
    mentions: list[tuple[Annotated[str, msgspec.Meta(max_length=90)], Annotated[str, msgspec.Meta(max_length=200)]]]
    written_at: Moment
    edited_at: Moment | None
    deleted_at: Moment | None
    hidden_at: Moment | None
    hidden_reason: Annotated[str, msgspec.Meta(max_length=2000)] | None


class WholeMessage(MessagePart, frozen=True):
    """Of any channel."""

    channel: Annotated[str, msgspec.Meta(pattern="^(public|(side|master)/.{1,80})$")]


class Opening(Part, frozen=True):
    """The battle as it was set up."""

    position: dict[str, Any]
    events: list[Any]


class TurnPart(Part, frozen=True):
    """`record` is that of the API, to the byte."""

    opened_at: Moment
    record: dict[str, Any]


class Seal(Part, frozen=True):
    """The last sheet of a seat for the open turn: that there is one, not what it says."""

    seat: Name
    revision: Number
    digest: Hex


class Now(Part, frozen=True):
    """What everybody knew of the turn that was open: the seal of its dice, the sheets, rulings, the board."""

    turn: Number
    seed_commitment: Hex | None
    seals: list[Seal]
    rulings: list[Any]
    position: dict[str, Any]


class LogPart(Part, frozen=True):
    at: Moment
    turn: Number
    who: Literal["master", "clock", "seat"]
    what: Annotated[str, msgspec.Meta(max_length=40)]
    params: dict[str, Any]
    name: Name | None = None


class WholeSeat(Part, frozen=True):
    seat: Name
    key_hash: Hex
    key_generation: Number
    ready_turn: Number
    ready_revision: Number
    key_salt: Annotated[str, msgspec.Meta(max_length=32)] | None = None
    silent_turns: Number = 0
    extended_turn: Number | None = None
    offered_at: Moment | None = None
    offered_by: Literal["clock", "master"] | None = None
    vacant_at: Moment | None = None
    program: Annotated[str, msgspec.Meta(max_length=20)] | None = None
    program_seed: Hex | None = None
    doctrine: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    doctrine_nonce: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    doctrine_digest: Hex | None = None


class WholePass(Part, frozen=True):
    """A leave, or another key to a seat. Of an account nothing is taken along but the name that all know."""

    seat: Name
    kind: Literal["shared", "deputy", "away"]
    name: Name | None
    key_hash: Hex | None
    deputy_seat: Name | None
    begins_at: Moment | None
    ends_at: Moment | None
    zone: Annotated[str, msgspec.Meta(max_length=64)]
    began_at: Moment | None
    made_at: Moment


class WholeTurn(Part, frozen=True):
    turn: Number
    secret: Hex
    commitment: Hex
    opened_at: Moment
    resolved_at: Moment | None
    resolved_by: Literal["deadline", "ready", "master", "prompt"] | None
    published_at: Moment | None
    seed: Hex | None
    counted: list[tuple[str, str, int]] | None
    points: dict[str, int] | None
    winner: Name | None
    version: Annotated[str, msgspec.Meta(max_length=20)] | None
    doctrines: list[Any] | None = None


class WholeSheet(Part, frozen=True):
    turn: Number
    seat: Name
    request: Name
    revision: Number
    orders: Any
    nonce: Annotated[str, msgspec.Meta(max_length=64)]
    digest: Hex
    entered_at: Moment
    entered_by: Literal["seat", "master", "deputy", "program", "emptied"]
    ordered: Number | None
    entered_name: Name | None = None


class WholeState(Part, frozen=True):
    turn: Number
    body: dict[str, Any]
    amended: dict[str, Any] | None


class WholeEvents(Part, frozen=True):
    turn: Number
    body: list[Any]
    dice: dict[str, list[int]]


class WholeRuling(Part, frozen=True):
    turn: Number
    changes: list[Any]
    reason: Annotated[str, msgspec.Meta(max_length=2000)]
    rule: Annotated[str, msgspec.Meta(max_length=40)] | None
    stage: Literal["open", "review"]
    events: list[Any]
    made_at: Moment
    kind: Literal["amend", "reroll", "set-aside"] = "amend"
    facts: dict[str, Any] = {}


class WholeBranch(Part, frozen=True):
    """A line that was left, with all that is kept of it: what was sealed in it stays sealed."""

    line: Number
    back_to: Number
    turn: Number
    status: Literal["open", "review", "held", "paused", "over"]
    reason: Annotated[str, msgspec.Meta(max_length=2000)]
    left_at: Moment
    taken_as: Number | None
    turns: list[WholeTurn]
    sheets: list[WholeSheet]
    states: list[WholeState]
    events: list[WholeEvents]
    rulings: list[WholeRuling]
    sayings: list[SayingPart] = []


class WholeTie(Part, frozen=True):
    """A tie without its addresses and keys: told, so that it can be made anew."""

    kind: str
    place: str
    language: str
    length: str


class Whole(Part, frozen=True):
    """Everything: for the host alone."""

    master_hash: Hex
    version: Number
    seats: list[WholeSeat]
    turns: list[WholeTurn]
    sheets: list[WholeSheet]
    states: list[WholeState]
    events: list[WholeEvents]
    rulings: list[WholeRuling]
    ties: list[WholeTie]
    branches: list[WholeBranch] = []
    passes: list[WholePass] = []
    messages: list[WholeMessage] = []
    """Of every channel but the public thread, and whatever was hidden in it."""
    sayings: list[SayingPart] = []
    """Of turns that are not published."""


class Archive(Part, frozen=True):
    """`digest`: SHA-256 of all else, canonical as a sheet is: whatever was changed after the export shows."""

    format: Literal[1]
    exported_at: Moment
    battle: About
    seats: list[SeatPart]
    opening: Opening
    turns: list[TurnPart]
    now: Now
    log: list[LogPart]
    whole: Whole | None
    digest: Hex
    talk: list[MessagePart] = []
    """The public thread."""
    sayings: list[SayingPart] = []
    """Of published turns."""
