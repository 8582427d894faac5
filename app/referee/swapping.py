"""Two commanders of one side exchange their contingents: one proposes it, the other agrees. Each keeps his link, his account
and his notices, and commands the other contingent from then on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.orm import Session

from app.referee import granting, keys, logbook, notices, openings, sealing
from app.referee.access import OWN, is_seat, seat_only
from app.referee.errors import RefereeError
from app.referee.openings import Opening
from app.referee.rows import AWAITING, BattleRow, battle_row, change, locked, run, seat_row
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import GRANTS, PASSES, SEATS, SUBSCRIPTIONS, SWAPS

_S, _W, _U = SEATS.c, SWAPS.c, SUBSCRIPTIONS.c


@dataclass(frozen=True)
class Exchange:
    """Proposed by the holder of `seat` to that of `other`. `fresh`: both begin the open turn's orders anew; else what is
    entered for a contingent stays with it."""

    id: int
    seat: str
    other: str
    fresh: bool


@dataclass(frozen=True)
class Exchanges:
    """`others`: with whom the seat may exchange; empty, also where the battle does not allow it (`is_allowed`)."""

    is_allowed: bool
    others: tuple[str, ...]
    own: tuple[Exchange, ...]
    asked: tuple[Exchange, ...]


def of_seat(db: Database, battle_id: str, seat: str, viewer: Viewer) -> Exchanges:
    """For the seat's holder. Raises `RefereeError`: no-battle, no-seat, not-yours."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        seat_row(session, battle_id, seat)
        if not is_seat(battle, viewer, seat) or viewer.through not in OWN:
            raise RefereeError("not-yours")
        if not is_allowed(battle, openings.opening_of(session, battle_id)):
            return Exchanges(False, (), (), ())
        here = (_W.battle_id == battle_id, _W.by_asking.is_(None), or_(_W.seat == seat, _W.other == seat))
        found = [row for row in run(session, select(SWAPS).where(*here).order_by(_W.id)) if _is_alive(session, row)]
        seen = [Exchange(row.id, row.seat, row.other, row.fresh) for row in found]
        own, asked = tuple(e for e in seen if e.seat == seat), tuple(e for e in seen if e.other == seat)
        return Exchanges(True, _others(session, battle, seat), own, asked)


def is_allowed(battle: BattleRow, opening: Opening) -> bool:
    """Before the first turn is resolved wherever sides choose among themselves; later where the game master allows it."""
    return battle.status in AWAITING and (opening.swaps or (opening.choosing and battle.turn == 1))


def propose(db: Database, battle_id: str, seat: str, viewer: Viewer, other: str, now: datetime, *, fresh: bool) -> None:
    """One proposal of a seat at a time: a new one takes the place of the last. The other is told.
    Raises `RefereeError`: no-battle, no-seat, not-yours, no-swap (not allowed, or not with him)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        _holder(session, battle, seat, viewer, now)
        is_open = is_allowed(battle, openings.opening_of(session, battle_id))
        if not is_open or other not in _others(session, battle, seat):
            raise RefereeError("no-swap")
        mine = (_W.battle_id == battle_id, _W.seat == seat, _W.by_asking.is_(None))
        run(session, delete(SWAPS).where(*mine))
        generations = {
            "generation": _generation(session, battle, seat),
            "other_generation": _generation(session, battle, other),
        }
        values = {"battle_id": battle_id, "seat": seat, "other": other, "fresh": fresh, "proposed_at": now, **generations}
        made = run(session, insert(SWAPS).values(**values)).inserted_primary_key
        key = f"swap-proposed/{made[0] if made else ''}/{now.isoformat()}"
        notices.tell(session, battle, "swap-proposed", now, seats=(other,), facts={"seat": other}, key=key)


def answer(db: Database, battle_id: str, seat: str, viewer: Viewer, proposal: int, now: datetime, *, accepts: bool) -> None:
    """The holder of `seat` agrees to an exchange, declines it, or takes back his own. Done, it is told to all.
    Raises `RefereeError`: no-battle, no-seat, not-yours, no-swap (there is none such any more)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        _holder(session, battle, seat, viewer, now)
        here = (_W.battle_id == battle_id, _W.id == proposal, _W.by_asking.is_(None))
        row = run(session, select(SWAPS).where(*here)).one_or_none()
        if row is None or seat not in (row.seat, row.other) or (accepts and seat != row.other):
            raise RefereeError("no-swap")
        run(session, delete(SWAPS).where(_W.id == row.id))
        if not accepts:
            return
        if not _is_alive(session, row) or not is_allowed(battle, openings.opening_of(session, battle_id)):
            raise RefereeError("no-swap")
        _exchange(session, battle, row.seat, row.other)
        for one in (row.seat, row.other):
            if row.fresh:
                sealing.empty(session, battle, one, now)
        change(session, battle)
        params = {"seat": row.seat, "other": row.other, "fresh": row.fresh}
        logbook.note(session, battle_id, battle.turn, "seat", "contingents-swapped", now, params)
        facts = {"seat": row.seat, "other": row.other}
        key = f"contingents-swapped/{row.seat}/{battle.version}"
        notices.tell(session, battle, "contingents-swapped", now, facts=facts, key=key)


def _holder(session: Session, battle: BattleRow, seat: str, viewer: Viewer, now: datetime) -> None:
    """The holder himself: whoever only stands in for him gives nothing away."""
    seat_row(session, battle.id, seat)
    seat_only(session, battle, viewer, seat, now, through=OWN)


def _others(session: Session, battle: BattleRow, seat: str) -> tuple[str, ...]:
    """The other seats of the side that somebody holds; a seat that is open or offered has nobody to agree."""
    opening = openings.opening_of(session, battle.id)
    if seat in opening.seats:
        return ()
    side = seat_row(session, battle.id, seat).side
    here = (_S.battle_id == battle.id, _S.side == side, _S.seat != seat, _S.seat.not_in(opening.seats))
    held = (_S.offered_at.is_(None), _S.vacant_at.is_(None), _S.program.is_(None))
    return tuple(run(session, select(_S.seat).where(*here, *held).order_by(_S.place)).scalars())


def _is_alive(session: Session, row: Any) -> bool:
    """Both seats are held by those who held them when it was proposed."""
    query = select(_S.seat, _S.key_generation).where(_S.battle_id == row.battle_id)
    now = {one.seat: one.key_generation for one in run(session, query)}
    return (now.get(row.seat), now.get(row.other)) == (row.generation, row.other_generation)


def _generation(session: Session, battle: BattleRow, seat: str) -> int:
    return seat_row(session, battle.id, seat).key_generation


def _exchange(session: Session, battle: BattleRow, seat: str, other: str) -> None:
    """People change places: with each goes what is his, and what is a contingent's stays."""
    person = ("holder", "account_id", "key_hash", "key_generation")
    columns = [_S.seat, *(_S[name] for name in person)]
    here = (_S.battle_id == battle.id, _S.seat.in_((seat, other)))
    was = {row.seat: row._asdict() for row in run(session, select(*columns).where(*here))}
    generation = max(row["key_generation"] for row in was.values()) + 1
    places = {seat: other, other: seat}
    for one in places:  # for a moment nobody's: no two seats ever have one key
        _set(session, battle, one, key_hash=keys.key_hash(keys.new_key()))
    for one, to in places.items():
        values = {name: was[one][name] for name in person if name != "key_generation"}
        _set(session, battle, to, **values, key_generation=generation, ready_turn=0, ready_revision=0)
    granting.forget_swaps(session, battle.id, seat, other)
    _cross(session, battle, GRANTS, places, "seat", generation=generation)
    _cross(session, battle, PASSES, places, "seat")
    _cross(session, battle, PASSES, places, "deputy_seat")
    alive = {one: _U.generation == row["key_generation"] for one, row in was.items()}
    _cross(session, battle, SUBSCRIPTIONS, places, "seat", alive=alive, generation=generation)


def _cross(
    session: Session,
    battle: BattleRow,
    table: Any,
    places: dict[str, str],
    column: str,
    *,
    alive: dict[str, Any] | None = None,
    **values: Any,
) -> None:
    """Rows of the one seat become the other's, by way of a name that no seat has."""
    here = table.c.battle_id == battle.id
    for number, one in enumerate(places):
        guard = (alive[one],) if alive else ()
        run(session, update(table).where(here, table.c[column] == one, *guard).values({column: f"\n{number}"}))
    for number, to in enumerate(places.values()):
        run(session, update(table).where(here, table.c[column] == f"\n{number}").values({column: to, **values}))


def _set(session: Session, battle: BattleRow, seat: str, **values: Any) -> None:
    run(session, update(SEATS).where(_S.battle_id == battle.id, _S.seat == seat).values(**values))
