"""What several verbs need of the tables: a battle's row, its seats, the position of its open turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import AnyRuleset, Json, Request
from app.referee.errors import RefereeError
from app.rulesets.registry import RULESETS
from app.store.models import Battle, Seat, State

AWAITING = ("open", "held")
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


@dataclass(frozen=True)
class SeatRow:
    seat: str
    place: int
    side: str
    holder: str | None
    ready_turn: int
    ready_revision: int


_BATTLE = select(
    Battle.id,
    Battle.title,
    Battle.ruleset,
    Battle.scenario_key,
    Battle.status,
    Battle.turn,
    Battle.version,
    Battle.deadline,
    Battle.turn_hours,
    Battle.zone,
    Battle.review,
    Battle.early,
    Battle.given_seed,
    Battle.master_hash,
    Battle.account_id,
    Battle.created_at,
    Battle.ruleset_version,
)
_SEATS = select(Seat.seat, Seat.place, Seat.side, Seat.holder, Seat.ready_turn, Seat.ready_revision)


def battle_row(session: Session, battle_id: str) -> BattleRow:
    """Raises `RefereeError("no-battle")`."""
    return _one(session, battle_id, _BATTLE.where(Battle.id == battle_id))


def locked(session: Session, battle_id: str, *, skip_locked: bool = False) -> BattleRow:
    """The battle's row, which nobody else changes until this transaction ends; on SQLite the transaction itself holds
    that. `skip_locked`: who finds it taken is told `no-battle` at once."""
    return _one(session, battle_id, _BATTLE.where(Battle.id == battle_id).with_for_update(skip_locked=skip_locked))


def change(session: Session, battle: BattleRow, **values: Any) -> None:
    """Compare-and-swap: the row changes if it still has the version and the status that were read, else
    `RefereeError("stale")` and the caller's transaction comes to nothing."""
    hit = session.connection().execute(
        update(Battle)
        .where(Battle.id == battle.id, Battle.version == battle.version, Battle.status == battle.status)
        .values(version=battle.version + 1, **values)
    )
    if hit.rowcount != 1:
        raise RefereeError("stale", current={"turn": battle.turn})


def seats(session: Session, battle_id: str) -> tuple[SeatRow, ...]:
    """In order of place."""
    return tuple(SeatRow(*row) for row in session.execute(_SEATS.where(Seat.battle_id == battle_id).order_by(Seat.place)))


def seat_row(session: Session, battle_id: str, seat: str) -> SeatRow:
    """Raises `RefereeError("no-seat")`."""
    query = _SEATS.where(Seat.battle_id == battle_id, Seat.seat == seat)
    row = session.execute(query).one_or_none() if is_storable(seat) else None
    if row is None:
        raise RefereeError("no-seat")
    return SeatRow(*row)


def position(session: Session, battle: BattleRow, turn: int) -> Any:
    """The state with which a turn begins, rulings of the open turn included: the ruleset's value."""
    return battle.ruleset.load_state(position_json(session, battle.id, turn))


def position_json(session: Session, battle_id: str, turn: int) -> Json:
    """The same as it is stored."""
    body = session.execute(
        select(func.coalesce(State.amended, State.body)).where(State.battle_id == battle_id, State.turn == turn)
    ).scalar_one()
    return loads(body)


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


def _one(session: Session, battle_id: str, query: Select[*tuple[Any, ...]]) -> BattleRow:
    row = session.execute(query).one_or_none() if is_storable(battle_id) else None
    if row is None:
        raise RefereeError("no-battle")
    values = row._asdict()
    values["ruleset"] = RULESETS[values["ruleset"]]
    return BattleRow(**values)
