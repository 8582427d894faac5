"""Leave: a holder says from when to when he is away, and who stands in for him; told to all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee import keys, logbook, masters, names, notices, passes
from app.referee.access import OWN, seat_or_master
from app.referee.errors import RefereeError
from app.referee.logbook import moment
from app.referee.rows import BattleRow, change, is_storable, locked, run, seat_row, seats
from app.referee.schedule import is_zone
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import BATTLES, LEFT, PASSES, SEATS, Account

LONGEST = timedelta(days=366)
_P = PASSES.c


@dataclass(frozen=True)
class Deputy:
    """`of`: the seat whose holder it is, the name of an account, or the name of whoever is sent a link."""

    kind: Literal["nobody", "seat", "account", "link"]
    of: str = ""


def take(
    db: Database,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    *,
    begins: datetime,
    ends: datetime,
    zone: str,
    deputy: Deputy,
    now: datetime,
) -> str | None:
    """A leave, in place of the one that was named before. The deputy gets the seat for exactly that time. His key, where he
    is sent a link: told this once. A beginning in the past is now. Said by the holder himself, or the game master for him.

    Raises `RefereeError`: no-battle, no-seat, not-yours (a deputy names none), closed (the battle is over), bad-leave
    (dates, zone), bad-name, bad-deputy (`why`: seat, side, vacant, account).
    """
    with db.write() as session:
        battle = locked(session, battle_id)
        who = own(session, battle, seat, viewer, now)
        if battle.status == "over":
            raise RefereeError("closed", current={"turn": battle.turn})
        begins = max(begins, now)
        if not is_zone(zone) or not begins < ends <= begins + LONGEST or begins > now + LONGEST:
            raise RefereeError("bad-leave")
        values, key = _deputy(session, battle, seat, deputy, now)
        _end(session, battle, seat, now, early=True)
        session.execute(
            insert(PASSES).values(
                battle_id=battle_id,
                seat=seat,
                begins_at=begins,
                ends_at=ends,
                zone=zone,
                made_at=now,
                **values,
            )
        )
        change(session, battle)
        told = {"seat": seat, "begins": moment(begins), "until": moment(ends), "deputy": _called(values)}
        logbook.note(session, battle_id, battle.turn, who, "leave-named", now, told, by=viewer)
        tell(session, battle, now)
    return key


def back(db: Database, battle_id: str, seat: str, viewer: Viewer, now: datetime) -> None:
    """The holder is back before his time, or does not go; the deputy's time ends at once. The deputy may give it back, too.
    Raises `RefereeError`: no-battle, no-seat, not-yours, no-leave."""
    with db.write() as session:
        battle = locked(session, battle_id)
        seat_row(session, battle_id, seat)
        who = seat_or_master(session, battle, viewer, seat, now, through=("own", "deputy"))
        if not _end(session, battle, seat, now, early=True, who=who, by=viewer):
            raise RefereeError("no-leave")
        change(session, battle)


def own(session: Session, battle: BattleRow, seat: str, viewer: Viewer, now: datetime) -> logbook.Who:
    """Who decides about a seat: its holder by its own key or his account, or the game master; never a deputy, nor one with
    whom it is shared. Raises `RefereeError`: no-seat, not-yours."""
    seat_row(session, battle.id, seat)
    return seat_or_master(session, battle, viewer, seat, now, through=OWN)


def due(db: Database, now: datetime) -> list[str]:
    """Battles in which a leave begins or ends, and nobody was told yet."""
    begins = (_P.began_at.is_(None)) & (_P.begins_at <= now)
    query = (
        select(_P.battle_id)
        .join(BATTLES, BATTLES.c.id == _P.battle_id)
        .where(BATTLES.c.status != LEFT, or_(begins, _P.ends_at <= now))
        .distinct()
        .order_by(_P.battle_id)
    )
    with db.read() as session:
        return list(run(session, query).scalars())


def tell(session: Session, battle: BattleRow, now: datetime) -> None:
    """What has begun or ended is told to all; what has ended goes."""
    for row in passes.on_leave(session, battle.id):
        if row.ends_at <= now:
            _end(session, battle, row.seat, now, early=False)
        elif row.began_at is None and row.begins_at <= now:
            run(session, update(PASSES).where(_P.id == row.id).values(began_at=now))
            _begun(session, battle, row, now)


def part(session: Session, battle: BattleRow, seat: str, now: datetime) -> None:
    """A seat changes hands: its leave, and every key to it but its own, end; where its holder stood in for another, nobody
    does any more."""
    _end(session, battle, seat, now, early=True)
    for row in run(session, select(_P.id).where(_P.battle_id == battle.id, _P.seat == seat)).all():
        drop(session, row.id)
    for row in run(session, select(_P.id, _P.seat).where(_P.battle_id == battle.id, _P.deputy_seat == seat)).all():
        run(session, update(PASSES).where(_P.id == row.id).values(kind="away", deputy_seat=None))
        notices.forget_pass(session, row.id)
        logbook.note(session, battle.id, battle.turn, "clock", "deputy-gone", now, {"seat": row.seat})


def drop(session: Session, pass_id: int) -> None:
    """A pass ends: its key works no more, and nothing goes to its holder."""
    notices.forget_pass(session, pass_id)
    run(session, delete(PASSES).where(_P.id == pass_id))


def _end(
    session: Session,
    battle: BattleRow,
    seat: str,
    now: datetime,
    *,
    early: bool,
    who: logbook.Who = "clock",
    by: Viewer | None = None,
) -> bool:
    """False: there was none."""
    rows = [row for row in passes.on_leave(session, battle.id) if row.seat == seat]
    for row in rows:
        drop(session, row.id)
        logbook.note(session, battle.id, battle.turn, who, "leave-ended", now, {"seat": seat, "early": early}, by=by)
        if row.began_at is not None:
            notices.tell(session, battle, "leave-ended", now, facts={"seat": seat}, key=f"leave-ended/{row.id}")
    return bool(rows)


def _begun(session: Session, battle: BattleRow, row: Any, now: datetime) -> None:
    told = {"seat": row.seat, "until": moment(row.ends_at)}
    if row.kind == "deputy":
        params = {**told, "deputy": _called(row._mapping)}
        logbook.note(session, battle.id, battle.turn, "clock", "deputy-began", now, params)
    else:
        logbook.note(session, battle.id, battle.turn, "clock", "away-began", now, told)
    what = "deputy-began" if row.kind == "deputy" else "away-began"
    facts = {"seat": row.seat, "until": row.ends_at}
    notices.tell(session, battle, what, now, facts=facts, key=f"{what}/{row.id}")


def _called(values: Mapping[str, Any]) -> Json:
    """The deputy in a line of the log: `{"seat"}`, a name, or None."""
    return {"seat": values["deputy_seat"]} if values["deputy_seat"] else values["name"]


def _deputy(
    session: Session, battle: BattleRow, seat: str, deputy: Deputy, now: datetime
) -> tuple[dict[str, Any], str | None]:
    values: dict[str, Any] = {"kind": "deputy", "deputy_seat": None, "account_id": None, "name": None, "key_hash": None}
    if deputy.kind == "nobody":
        return {**values, "kind": "away"}, None
    if deputy.kind == "link":
        key = keys.new_key()
        return {**values, "name": names.holder(deputy.of), "key_hash": keys.key_hash(key)}, key
    rows = {row.seat: row for row in seats(session, battle.id)}
    if deputy.kind == "seat":
        other = rows.get(deputy.of)
        if other is None or other.seat == seat:
            raise _bad("seat")
        if other.side != rows[seat].side:
            raise _bad("side")
        if other.vacant_at is not None:
            raise _bad("vacant")
        return {**values, "deputy_seat": other.seat}, None
    name = deputy.of.strip()
    found = select(Account.id, Account.name).where(Account.name == name) if is_storable(name) else None
    account = None if found is None else session.execute(found).one_or_none()
    if account is None:
        raise _bad("account")
    held = select(SEATS.c.side).where(SEATS.c.battle_id == battle.id, SEATS.c.account_id == account.id)
    if set(run(session, held).scalars()) - {rows[seat].side}:
        raise _bad("side")
    masters.mark_as_playing(session, battle, account.id, now)
    return {**values, "account_id": account.id, "name": account.name}, None


def _bad(why: str) -> RefereeError:
    return RefereeError("bad-deputy", params={"why": why})
