"""A seat is given to somebody who asked for it: by a key that nobody had before. His account acts in it, or his ticket makes
the key: the server does not know it before the ticket is shown."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import and_, delete, insert, select, update
from sqlalchemy.orm import Session

from app.referee import doctrines, keys, leave, logbook, masters, notices, openings, sealing
from app.referee.rows import BattleRow, run
from app.referee.views import Viewer
from app.store.models import ASKINGS, CLAIMS, GRANTS, SEATS, SWAPS

_G, _S, _A = GRANTS.c, SEATS.c, ASKINGS.c


def give(
    session: Session,
    battle: BattleRow,
    asking: Any,
    seat: str,
    now: datetime,
    *,
    who: logbook.Who,
    by: Viewer | None = None,
    fresh: bool = False,
) -> None:
    """In the caller's transaction, which changes the battle's row as well: the old key stops working at once, nothing goes
    to the old address any more, and all are told who commands the seat. `asking`: the row of who asked;
    `fresh`: he begins the open turn's orders anew, else he has those that were entered."""
    here = (_S.battle_id == battle.id, _S.seat == seat)
    generation = session.execute(select(_S.key_generation).where(*here)).scalar_one() + 1
    leave.part(session, battle, seat, now)
    values: dict[str, Any] = dict.fromkeys(("offered_at", "offered_by", "vacant_at", "program", "program_seed"))
    values |= {
        "silent_turns": 0,
        "holder": asking.name,
        "account_id": asking.account_id,
        "key_hash": keys.key_hash(keys.new_key()),
        "key_generation": generation,
        "ready_turn": 0,
        "ready_revision": 0,
    }
    run(session, update(SEATS).where(*here).values(**values))
    if fresh:
        sealing.empty(session, battle, seat, now)
        doctrines.keep(session, battle, seat, None)
    forget_swaps(session, battle.id, seat)
    _release(session, battle.id, seat, asking.id)
    notices.forget(session, battle.id, seat=seat)
    run(session, delete(GRANTS).where(_G.battle_id == battle.id, _G.seat == seat))
    grant = {"battle_id": battle.id, "seat": seat, "asking_id": asking.id, "generation": generation}
    run(session, insert(GRANTS).values(**grant, salt=secrets.token_hex(8), taken=False))
    opening = openings.opening_of(session, battle.id)
    if seat in opening.seats:
        left = tuple(other for other in opening.seats if other != seat)
        openings.keep(session, battle.id, replace(opening, seats=left), now)
    if asking.account_id is not None:
        masters.mark_as_playing(session, battle, asking.account_id, now)
    params = {"seat": seat, "holder": asking.name}
    logbook.note(session, battle.id, battle.turn, who, "seat-given", now, params, by=by)
    told: dict[str, Any] = {"facts": {"seat": seat}, "key": f"seat-given/{seat}/{generation}"}
    notices.tell(session, battle, "seat-given", now, **told, by=f"seat/{seat}")
    notices.tell_asker(session, battle, asking, "asking-given", now, {"seat": seat})
    notices.adopt(session, asking.id, seat, generation)


def forget_swaps(session: Session, battle_id: str, *named: str) -> None:
    """Exchanges that were proposed of these seats come to nothing."""
    touched = SWAPS.c.seat.in_(named) | SWAPS.c.other.in_(named)
    run(session, delete(SWAPS).where(SWAPS.c.battle_id == battle_id, touched))


def _release(session: Session, battle_id: str, seat: str, asking_id: int) -> None:
    """Nobody else is offered it any more, nor claims it."""
    back = {"status": "listed", "seat": None, "until": None}
    others = (_A.battle_id == battle_id, _A.status == "offered", _A.seat == seat, _A.id != asking_id)
    run(session, update(ASKINGS).where(*others).values(**back))
    here = select(_A.id).where(_A.battle_id == battle_id)
    run(session, delete(CLAIMS).where(CLAIMS.c.seat == seat, CLAIMS.c.asking_id.in_(here)))


def granted(session: Session, asking_id: int) -> tuple[str, ...]:
    """The seats that somebody has by his asking, in order of place: not those whose key was renewed since."""
    return tuple(row.seat for row in _grants(session, asking_id))


def take(session: Session, asking_id: int, ticket: str) -> dict[str, str]:
    """The keys of a ticket's seats; they work from the first time that they are asked for."""
    found = {}
    for row in _grants(session, asking_id):
        key = keys.ticket_key(ticket, row.battle_id, row.salt)
        if not row.taken:
            here = (_S.battle_id == row.battle_id, _S.seat == row.seat)
            run(session, update(SEATS).where(*here).values(key_hash=keys.key_hash(key)))
            mine = (_G.battle_id == row.battle_id, _G.seat == row.seat)
            run(session, update(GRANTS).where(*mine).values(taken=True))
        found[row.seat] = key
    return found


def _grants(session: Session, asking_id: int) -> list[Any]:
    is_valid = and_(_S.battle_id == _G.battle_id, _S.seat == _G.seat, _S.key_generation == _G.generation)
    query = select(_G.battle_id, _G.seat, _G.salt, _G.taken).join_from(GRANTS, SEATS, is_valid)
    return list(run(session, query.where(_G.asking_id == asking_id).order_by(_S.place)))
