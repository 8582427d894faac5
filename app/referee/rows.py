"""What several verbs need of the tables: a battle's row, its seats, the position of its open turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import CursorResult, Executable, bindparam, func, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import AnyRuleset, Json, Request
from app.referee import options, schedule
from app.referee.errors import RefereeError
from app.referee.options import Options
from app.referee.schedule import BY_HAND, Schedule
from app.rulesets.registry import RULESETS
from app.store.models import ARMS, BATTLES, CHANNELS, LEFT, SEATS, STATES

AWAITING = ("open", "held", "paused")
"""The states of a battle in which orders are taken."""


@dataclass(frozen=True)
class BattleRow:
    """A battle's row without its scenario, which is long and seldom needed."""

    id: str
    title: str
    ruleset: AnyRuleset
    scenario_key: str
    status: str
    turn: int
    version: int
    deadline: datetime | None
    turn_hours: int | None
    zone: str
    review: bool
    early: bool
    given_seed: str | None
    master_hash: str
    account_id: int | None
    created_at: datetime
    ruleset_version: str
    origin: str | None = None
    options: Options = field(default_factory=Options)
    line: int = 1
    schedule: Schedule = BY_HAND
    slot: str | None = None
    slot_due: datetime | None = None
    last_deadline: datetime | None = None
    paused_at: datetime | None = None
    paused_deadline: datetime | None = None
    resume_at: datetime | None = None
    held_at: datetime | None = None
    pause_asked: str | None = None
    talk: int = 0
    """Counts all that was written or changed in the public thread."""

    @property
    def sealed_as(self) -> str:
        """The id that stands in its sheets and records: an imported battle keeps the one it came with."""
        return self.origin or self.id


@dataclass(frozen=True)
class SeatRow:
    seat: str
    place: int
    side: str
    holder: str | None
    ready_turn: int
    ready_revision: int
    key_generation: int = 1
    silent_turns: int = 0
    extended_turn: int | None = None
    offered_at: datetime | None = None
    offered_by: str | None = None
    vacant_at: datetime | None = None
    program: str | None = None
    doctrine_digest: str | None = None
    arms: str | None = None
    """Digest of its coat of arms."""


_B, _S, _P = BATTLES.c, SEATS.c, STATES.c
TALK = func.coalesce(
    select(CHANNELS.c.changes)
    .where(CHANNELS.c.battle_id == _B.id, CHANNELS.c.channel == "public")
    .correlate(BATTLES)
    .scalar_subquery(),
    0,
).label("talk")
_BATTLE = select(*(_B[name] for name in BattleRow.__annotations__ if name != "talk"), TALK).where(
    _B.id == bindparam("battle")
)
_KEPT = _BATTLE
_BATTLE = _BATTLE.where(_B.status != LEFT)
_LOCKED = _BATTLE.with_for_update()
_LOCKED_IF_FREE = _BATTLE.with_for_update(skip_locked=True)
_CHANGE = update(BATTLES).where(
    _B.id == bindparam("this_battle"), _B.version == bindparam("this_version"), _B.status == bindparam("this_status")
)
_SEATS = (
    select(*(_S[name] for name in SeatRow.__annotations__ if name != "arms"), ARMS.c.digest.label("arms"))
    .join_from(SEATS, ARMS, (ARMS.c.battle_id == _S.battle_id) & (ARMS.c.seat == _S.seat), isouter=True)
    .where(_S.battle_id == bindparam("battle"))
    .order_by(_S.place)
)
_SEAT = _SEATS.where(_S.seat == bindparam("seat"))
_POSITION = select(func.coalesce(_P.amended, _P.body)).where(
    _P.battle_id == bindparam("battle"), _P.turn == bindparam("turn")
)


def run(session: Session, statement: Executable, /, **parameters: Any) -> CursorResult[*tuple[Any, ...]]:
    """A statement that was made once, with the parameters of this time."""
    return session.connection().execute(statement, parameters)


def playable(session: Session, battle_id: str) -> BattleRow | None:
    """None: it is not there any more, or of a game that this server does not know."""
    try:
        return battle_row(session, battle_id)
    except RefereeError:
        return None


def battle_row(session: Session, battle_id: str) -> BattleRow:
    """Raises `RefereeError("no-battle")`."""
    return _one(session, _BATTLE, battle_id)


def kept_row(session: Session, kept_as: str) -> BattleRow:
    """The row that holds a line which was left; no other verb finds it. Raises `RefereeError("no-battle")`."""
    return _one(session, _KEPT, kept_as)


def locked(session: Session, battle_id: str, *, skip_locked: bool = False) -> BattleRow:
    """The battle's row, which nobody else changes until this transaction ends; on SQLite the transaction itself holds
    that. `skip_locked`: who finds it taken is told `no-battle` at once."""
    return _one(session, _LOCKED_IF_FREE if skip_locked else _LOCKED, battle_id)


def change(session: Session, battle: BattleRow, **values: Any) -> None:
    """Compare-and-swap: the row changes if it still has the version and the status that were read, else
    `RefereeError("stale")` and the caller's transaction comes to nothing."""
    as_read = {"this_battle": battle.id, "this_version": battle.version, "this_status": battle.status}
    if run(session, _CHANGE, version=battle.version + 1, **values, **as_read).rowcount != 1:
        raise RefereeError("stale", current={"turn": battle.turn})


def hold(session: Session, battle: BattleRow) -> None:
    """The same compare-and-swap for what only a game master sees: the version stays, by which anybody could count it."""
    as_read = {"this_battle": battle.id, "this_version": battle.version, "this_status": battle.status}
    if run(session, _CHANGE, version=battle.version, **as_read).rowcount != 1:
        raise RefereeError("stale", current={"turn": battle.turn})


def seats(session: Session, battle_id: str) -> tuple[SeatRow, ...]:
    """In order of place."""
    return tuple(SeatRow(**row._asdict()) for row in run(session, _SEATS, battle=battle_id))


def seat_row(session: Session, battle_id: str, seat: str) -> SeatRow:
    """Raises `RefereeError("no-seat")`."""
    row = run(session, _SEAT, battle=battle_id, seat=seat).one_or_none() if is_storable(seat) else None
    if row is None:
        raise RefereeError("no-seat")
    return SeatRow(**row._asdict())


def position(session: Session, battle: BattleRow, turn: int) -> Any:
    """The state with which a turn begins, rulings of the open turn included: the ruleset's value."""
    return battle.ruleset.load_state(position_json(session, battle.id, turn))


def position_json(session: Session, battle_id: str, turn: int) -> Json:
    """The same as it is stored."""
    return loads(run(session, _POSITION, battle=battle_id, turn=turn).scalar_one())


def shown_turn(battle: BattleRow) -> int:
    """The number of the state that a battle's page shows: of the open turn or the one under review; when over, the last."""
    return battle.turn + 1 if battle.status == "over" else battle.turn


def asked(battle: BattleRow, state: Any) -> Mapping[str, Request]:
    """The requests of the open step, by seat."""
    found: dict[str, Request] = {}
    for request in battle.ruleset.requests(state):
        if found.setdefault(request.seat, request) is not request:
            raise ValueError(f"{battle.ruleset.key} asks seat {request.seat} twice in one step")
    return found


def dumps(value: Json) -> str:
    """JSON as it is stored. Raises ValueError where the value has no form in JSON."""
    return msgspec.json.encode(value).decode()


def loads(text: str) -> Json:
    return msgspec.json.decode(text)


def is_storable(text: str) -> bool:
    """A database takes neither a NUL nor half of a surrogate pair, and an address may hold both."""
    return text.isprintable() and len(text) <= 80


def _one(session: Session, query: Executable, battle_id: str) -> BattleRow:
    row = run(session, query, battle=battle_id).one_or_none() if is_storable(battle_id) else None
    if row is None:
        raise RefereeError("no-battle")
    values = row._asdict()
    ruleset = RULESETS.get(values["ruleset"])
    if ruleset is None:
        raise RefereeError("unknown-game", params={"game": values["ruleset"]})
    values["ruleset"] = ruleset
    values["options"] = options.read(values["options"])
    values["schedule"] = schedule.read(values["schedule"], values["turn_hours"])
    return BattleRow(**values)
