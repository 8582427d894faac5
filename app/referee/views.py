"""What the referee hands out: frozen values, already cut to what the viewer may know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from app.engine.ruleset import AnyRuleset, Json, Outcome
from app.referee.options import Options
from app.referee.schedule import BY_HAND, Schedule

Texts = Mapping[str, str]
"""A text by language (`en`, `ru`)."""
Status = Literal["open", "review", "held", "paused", "over"]


@dataclass(frozen=True)
class Viewer:
    """Who is asking: the public, a seat of a battle, its game master, or an account (no battle named)."""

    kind: Literal["public", "seat", "master", "account", "campaign"] = "public"
    battle_id: str | None = None
    seat: str | None = None
    account_id: int | None = None
    name: str | None = None
    master: int | None = None
    """Which of the battle's game masters."""
    plays: bool = False
    """A game master who plays in the battle as well: he reads no sealed orders."""
    campaign_id: str | None = None
    """Of a campaign's game master, who is nobody in its battles by that."""
    through: Literal["own", "shared", "deputy"] = "own"
    """By what a seat is opened: its own key, another one of those who share it, or as a deputy."""
    stand_in: int | None = None
    """The pass of a deputy, or of one who shares the seat."""
    until: datetime | None = None
    """Of a deputy: when his time ends."""
    generation: int | None = field(default=None, compare=False)
    """Of the seat's key when it was shown; None: not by a key of the seat."""


PUBLIC = Viewer()


@dataclass(frozen=True)
class NewBattle:
    """The only time that keys are handed out in the clear."""

    id: str
    master_key: str
    seat_keys: Mapping[str, str]


@dataclass(frozen=True)
class SideView:
    side: str
    name: Texts
    colour: str
    points: int


@dataclass(frozen=True)
class LeaveView:
    """A leave as all know it, to come or under way. `deputy_seat`: he is the holder of that seat; `deputy`: his name. Both
    None: nobody stands in."""

    begins_at: datetime
    ends_at: datetime
    zone: str
    deputy_seat: str | None
    deputy: str | None
    is_under_way: bool


@dataclass(frozen=True)
class SeatView:
    """`entered`: has saved orders for the open turn. `ready`: has nothing to add. `digest`: of its last revision.
    `awaited`: a request of the open step asks this seat, and its deadline has not come. `ordered` of `controlled` units have
    an order (known to the seat itself and the game master only, else None)."""

    seat: str
    side: str
    name: Texts
    holder: str | None
    awaited: bool
    entered: bool
    ready: bool
    digest: str | None
    revision: int
    ordered: int | None = None
    controlled: int | None = None
    is_vacant: bool = False
    """It has no holder: nobody waits for it."""
    offered_at: datetime | None = None
    """Since when it is offered to others."""
    program: str | None = None
    """The program that fills it."""
    leave: LeaveView | None = None
    doctrine_digest: str | None = None
    """The seal of its standing doctrine, if it has one."""
    arms: str | None = None
    """Digest of its coat of arms."""


@dataclass(frozen=True)
class MasterView:
    """A game master as all know him. `name` None: he gave none."""

    number: int
    name: str | None
    plays: bool


@dataclass(frozen=True)
class TurnLine:
    """One line of a battle's list of turns. `published_at` None: under review, shown to the game master only."""

    turn: int
    opened_at: datetime
    resolved_at: datetime | None
    published_at: datetime | None
    resolved_by: str | None
    points: Mapping[str, int]
    winner: str | None


@dataclass(frozen=True)
class BattleLine:
    """One line of a list of battles."""

    id: str
    title: str
    ruleset: str
    scenario_key: str
    status: Status
    turn: int
    deadline: datetime | None
    zone: str
    created_at: datetime
    winner: str | None
    points: Mapping[str, int]
    entered: int
    seats: int


@dataclass(frozen=True)
class LogLine:
    at: datetime
    turn: int
    who: str
    what: str
    params: Mapping[str, Any]
    name: str | None = None
    """Of the game master who did it, where he has given one."""
    is_sealed: bool = False
    """The game masters who do not play alone see it: it is of a draft that is not published."""


@dataclass(frozen=True)
class Pause:
    """`until` None: until the game master says so. `left`: of the open turn's time; None: it had no deadline."""

    since: datetime
    until: datetime | None
    left: timedelta | None


@dataclass(frozen=True)
class AskedPause:
    """A pause that a game master who plays has asked for. `sides`: those that have agreed."""

    until: datetime | None
    reason: str | None
    sides: tuple[str, ...]


@dataclass(frozen=True)
class BattleView:
    """A battle as a viewer may see it. `state` is the ruleset's value at the opening of the open turn (while `review`: the
    turn under review, as all know it), already cut by `ruleset.view`; `scenario` the frozen JSON (names, colours, notes).
    `turns` and `log` hold the newest lines only (`showing.TURNS_SHOWN`, `LOG_SHOWN`), oldest of them first:
    `turns.history` and `moderation.log` have all."""

    id: str
    title: str
    ruleset: AnyRuleset
    scenario: Json
    status: Status
    turn: int
    version: int
    deadline: datetime | None
    zone: str
    turn_hours: int | None
    review: bool
    early: bool
    given_seed: str | None
    seed_commitment: str
    created_at: datetime
    sides: tuple[SideView, ...]
    seats: tuple[SeatView, ...]
    turns: tuple[TurnLine, ...]
    log: tuple[LogLine, ...]
    rulings: Mapping[str, str]
    """Every switch of the ruleset with its value in this battle."""
    state: Any
    outcome: Outcome
    options: Options = field(default_factory=Options)
    line: int = 1
    """Which of the battle's lines is played; the others were left."""
    schedule: Schedule = BY_HAND
    pause: Pause | None = None
    asked_pause: AskedPause | None = None
    goes_on: datetime | None = None
    """While held: when the battle goes on by itself; None: when the game master says so."""
    ahead: tuple[datetime, ...] = ()
    """Deadlines of the turns after the open one, if each is resolved at its own."""
    masters: tuple[MasterView, ...] = ()
    talk: int = 0
    """Counts all that was written or changed in the public thread."""

    @property
    def last_published(self) -> int:
        """The last turn that all may read; 0: none yet."""
        return max((line.turn for line in self.turns if line.published_at is not None), default=0)
