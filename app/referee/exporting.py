"""A battle -> an archive. What stands in a public one is what the public may know, read by the same functions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee import logbook, talkarchive
from app.referee.archive import FORMAT, sealed
from app.referee.logbook import moment
from app.referee.publication import RULING_COLUMNS, cut, record_of, ruling_json
from app.referee.rows import BattleRow, battle_row, loads, position_json, shown_turn
from app.referee.sheets import last_revisions
from app.referee.views import PUBLIC, Viewer
from app.store.db import Database
from app.store.models import BRANCHES, Battle, Events, Pass, Ruling, Seat, Sheet, State, Tie, Turn

COLUMNS: dict[type, tuple[str, ...]] = {
    Turn: (
        *("turn", "secret", "commitment", "opened_at", "resolved_at", "resolved_by"),
        *("published_at", "seed", "counted", "points", "winner", "version", "doctrines"),
    ),
    Sheet: (
        *("turn", "seat", "request", "revision", "orders", "nonce", "digest"),
        *("entered_at", "entered_by", "ordered", "entered_name"),
    ),
    State: ("turn", "body", "amended"),
    Events: ("turn", "body", "dice"),
    Ruling: ("turn", "changes", "reason", "rule", "stage", "events", "made_at", "kind", "facts"),
    Pass: (
        *("seat", "kind", "name", "key_hash", "deputy_seat"),
        *("begins_at", "ends_at", "zone", "began_at", "made_at"),
    ),
    Tie: ("kind", "place", "language", "length"),
}
"""What a whole archive takes of each table; of ties nothing that opens a door."""
MOMENTS = ("slot_due", "last_deadline", "paused_at", "paused_deadline", "resume_at", "held_at")
MANNED = (
    *("silent_turns", "extended_turn", "offered_at", "offered_by", "vacant_at"),
    *("program", "program_seed", "doctrine", "doctrine_nonce", "doctrine_digest"),
)
"""What a whole archive takes of a seat beside its key."""
AS_JSON = frozenset(
    {"counted", "doctrines", "points", "orders", "body", "amended", "dice", "changes", "events", "params", "facts"}
)
"""Columns that hold JSON as text."""
_LEFT = select(*BRANCHES.c).where(BRANCHES.c.battle_id == bindparam("battle")).order_by(BRANCHES.c.line)


def export(db: Database, battle_id: str, *, whole: bool, now: datetime) -> Json:
    """Everything published of a battle; `whole`: everything, for its host. Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        row = session.execute(select(Battle).where(Battle.id == battle_id)).scalar_one()
        seats = session.execute(select(Seat).where(Seat.battle_id == battle_id).order_by(Seat.place)).scalars().all()
        return sealed(
            {
                "format": FORMAT,
                "exported_at": moment(now),
                "battle": _about(battle, row),
                "seats": _seats(session, seats, battle_id),
                "opening": _opening(session, battle),
                "turns": _turns(session, battle),
                "now": _now(session, battle),
                "log": _log(session, battle, Viewer("master", battle_id=battle_id) if whole else PUBLIC),
                "whole": _whole(session, row, seats) if whole else None,
                **talkarchive.public(session, battle_id),
            }
        )


def _seats(session: Session, seats: Any, battle_id: str) -> list[Json]:
    arms = talkarchive.arms(session, battle_id)
    return [
        {
            "seat": seat.seat,
            "side": seat.side,
            "holder": seat.holder,
            **({"arms": arms[seat.seat]} if seat.seat in arms else {}),
        }
        for seat in seats
    ]


def _about(battle: BattleRow, row: Battle) -> Json:
    return {
        "id": battle.sealed_as,
        "title": row.title,
        "ruleset": row.ruleset,
        "ruleset_version": row.ruleset_version,
        "scenario_key": row.scenario_key,
        "scenario": loads(row.scenario),
        "status": row.status,
        "turn": row.turn,
        "deadline": moment(row.deadline),
        "turn_hours": row.turn_hours,
        "zone": row.zone,
        "review": row.review,
        "early": row.early,
        "given_seed": row.given_seed,
        "created_at": moment(row.created_at),
        "points": loads(row.points),
        "winner": row.winner,
        "options": loads(row.options),
        "line": row.line,
        "time": {
            "times": [str(one) for one in battle.schedule.times],
            "skip": [str(span) for span in battle.schedule.skip],
            "slot": row.slot,
            **{name: moment(getattr(row, name)) for name in MOMENTS},
        },
    }


def _opening(session: Session, battle: BattleRow) -> Json:
    """As it was set up, before any ruling; cut to what the public knows, while the battle goes on."""
    body = loads(session.execute(select(State.body).where(State.battle_id == battle.id, State.turn == 1)).scalar_one())
    events = loads(session.execute(select(Events.body).where(Events.battle_id == battle.id, Events.turn == 0)).scalar_one())
    if battle.status != "over":
        body = cut(battle, body, PUBLIC)
        events = [event for event in events if battle.ruleset.audience(battle.ruleset.load_event(event)) is None]
    return {"position": body, "events": events}


def _turns(session: Session, battle: BattleRow) -> list[Json]:
    query = select(Turn.turn, Turn.opened_at).where(Turn.battle_id == battle.id, Turn.published_at.is_not(None))
    return [
        {"opened_at": moment(opened_at), "record": record_of(session, battle, turn, PUBLIC)}
        for turn, opened_at in session.execute(query.order_by(Turn.turn)).all()
    ]


def _now(session: Session, battle: BattleRow) -> Json:
    """The turn after the last published one: open, under review (its draft is nobody's business), or never to be played."""
    turn, is_over = shown_turn(battle), battle.status == "over"
    commitment = select(Turn.commitment).where(Turn.battle_id == battle.id, Turn.turn == turn)
    made = (
        select(*RULING_COLUMNS)
        .where(Ruling.battle_id == battle.id, Ruling.turn == turn, Ruling.stage == "open")
        .order_by(Ruling.id)
    )
    position = position_json(session, battle.id, turn)
    last = {} if is_over else last_revisions(session, battle.id, turn)
    return {
        "turn": turn,
        "seed_commitment": session.execute(commitment).scalar_one_or_none(),
        "seals": [
            {"seat": seat, "revision": sheet.revision, "digest": sheet.digest}
            for seat, sheet in sorted(last.items())
            if not sheet.is_empty
        ],
        "rulings": [ruling_json(ruling) for ruling in session.execute(made)],
        "position": position if is_over else cut(battle, position, PUBLIC),
    }


def _log(session: Session, battle: BattleRow, viewer: Viewer) -> list[Json]:
    return [
        {
            "at": moment(line.at),
            "turn": line.turn,
            "who": line.who,
            "what": line.what,
            "params": line.params,
            **({"name": line.name} if line.name else {}),
        }
        for line in logbook.shown(session, battle, viewer, limit=None)
    ]


def _whole(session: Session, row: Battle, seats: Any) -> Json:
    kept = ("seat", "key_hash", "key_generation", "ready_turn", "ready_revision", "key_salt")
    return {
        "master_hash": row.master_hash,
        "version": row.version,
        "seats": [{name: _value(name, getattr(seat, name)) for name in (*kept, *MANNED)} for seat in seats],
        "turns": _rows(session, Turn, row.id, Turn.turn),
        "sheets": _rows(session, Sheet, row.id, Sheet.turn, Sheet.seat, Sheet.revision, Sheet.request),
        "states": _rows(session, State, row.id, State.turn),
        "events": _rows(session, Events, row.id, Events.turn),
        "rulings": _rows(session, Ruling, row.id, Ruling.id),
        "ties": _rows(session, Tie, row.id, Tie.id),
        "passes": _rows(session, Pass, row.id, Pass.id),
        **talkarchive.secret(session, row.id),
        "branches": [_branch(session, row) for row in session.execute(_LEFT, {"battle": row.id})],
    }


def _branch(session: Session, row: Any) -> Json:
    """A line that was left, with all that is kept of it."""
    told = ("line", "back_to", "turn", "status", "reason", "taken_as")
    return {
        **{name: getattr(row, name) for name in told},
        "left_at": moment(row.left_at),
        "turns": _rows(session, Turn, row.kept_as, Turn.turn),
        "sheets": _rows(session, Sheet, row.kept_as, Sheet.turn, Sheet.seat, Sheet.revision, Sheet.request),
        "states": _rows(session, State, row.kept_as, State.turn),
        "events": _rows(session, Events, row.kept_as, Events.turn),
        "rulings": _rows(session, Ruling, row.kept_as, Ruling.id),
        "sayings": talkarchive.said(session, row.kept_as),
    }


def _rows(session: Session, table: Any, battle_id: str, *order: Any) -> list[Json]:
    names = COLUMNS[table]
    query = select(*(getattr(table, name) for name in names)).where(table.battle_id == battle_id).order_by(*order)
    return [
        {name: _value(name, value) for name, value in zip(names, found, strict=True)} for found in session.execute(query)
    ]


def _value(name: str, value: Any) -> Json:
    if name in AS_JSON and value is not None:
        return loads(value)
    if isinstance(value, datetime):
        return moment(value)
    return value.hex() if isinstance(value, bytes) else value
