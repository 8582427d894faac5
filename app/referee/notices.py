"""Notices to persons: written in the transaction of what they tell, one line of the outbox for each subscription that it
concerns."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, delete, exists, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee import persons, quiet
from app.referee.logbook import moment
from app.referee.rows import BattleRow, battle_row, dumps, loads, run
from app.reports.noticewords import ALWAYS, ASKED, CODES, MASTER
from app.store import waking
from app.store.models import ASKINGS, MASTERS, OUTBOX, PASSES, SEATS, SUBSCRIPTIONS

KEY_MAX = 120
_U, _O, _S, _M, _P, _A = SUBSCRIPTIONS.c, OUTBOX.c, SEATS.c, MASTERS.c, PASSES.c, ASKINGS.c
ALIVE = or_(
    and_(
        _U.role == "seat",
        exists().where(_S.battle_id == _U.battle_id, _S.seat == _U.seat, _S.key_generation == _U.generation),
        or_(_U.pass_id.is_(None), exists().where(_P.id == _U.pass_id)),
    ),
    and_(_U.role == "master", exists().where(_M.battle_id == _U.battle_id, _M.number == _U.generation)),
    _U.role.in_(("account", "asking")),
)
"""Not of a key that was renewed, of a pass that has ended, nor of a game master who has gone."""
IN_TIME = or_(
    _U.pass_id.is_(None),
    exists().where(_P.id == _U.pass_id, or_(_P.ends_at.is_(None), _P.ends_at > bindparam("now"))),
)
"""Of a deputy in his time alone."""
_WISHES = tuple(_U[name] for name in ("id", "role", "topics", "zone", "digest_hour", "quiet_from", "quiet_to"))
_WORKS = (_U.confirm.is_(None), _U.stopped.is_(None))
_TOLD = (
    select(*_WISHES, _U.seat, _U.generation, _U.pass_id)
    .where(_U.battle_id == bindparam("battle"), _U.role.in_(("seat", "master")), *_WORKS, ALIVE, IN_TIME)
    .order_by(_U.id)
)
_ASKS = select(*_WISHES).where(_U.role == "asking", _U.asking_id == bindparam("asking"), *_WORKS).order_by(_U.id)


def tell(
    session: Session,
    battle: BattleRow,
    what: str,
    now: datetime,
    *,
    turn: int | None = None,
    seats: Collection[str] | None = None,
    masters: bool = False,
    master: int | None = None,
    facts: Mapping[str, Any] | None = None,
    by: str = "",
    key: str,
) -> None:
    """Tell of `what` (a code of `noticewords.CODES`, with exactly its facts; moments aware), in the caller's transaction.

    `seats` None: all who subscribed, game masters too; else the holders of these seats alone. `masters`: game masters
    beside them; `master`: this one of them alone. `turn`: the battle's own, where none is named. `key` (by custom
    `what/turn`) is told once to each, however often it is called; a key that belongs to one battle need not name it.
    `by`: who wrote, as talk names him: the ways of his account are left out.
    """
    given, turn = _facts(what, facts), turn or battle.turn
    meant = None if seats is None else {*seats, MASTER} if masters or master is not None else set(seats)

    def is_meant(place: str, number: int | None) -> bool:
        return meant is None or (place in meant and (place != MASTER or master in (None, number)))

    rows = run(session, _TOLD, battle=battle.id, now=now).all()
    for row in rows:
        if is_meant(MASTER if row.role == "master" else row.seat, row.generation):
            _line(session, row, battle, what, now, turn=turn, facts=given, key=key)
    for row, places in persons.ways(session, battle.id, now, rows, by):
        if hears := sorted(place for place, number in places.items() if is_meant(place, number)):
            _line(session, row, battle, what, now, turn=turn, facts={**given, HEARS: hears}, key=key)


HEARS = "hears"
"""In the facts of a line to an account: the places for which it is told. No format shows it."""


def tell_asker(
    session: Session, battle: BattleRow, asking: Any, what: str, now: datetime, facts: Mapping[str, Any] | None = None
) -> None:
    """Tell somebody who asked for a seat how that stands: by the ways of his account, or to the address that he gave with
    his ticket. `asking`: its row. Whatever he wishes to be told of, this he asked for."""
    given = _facts(what, facts)
    key = f"{what}/{asking.id}/{given.get('seat', '')}/{now.isoformat()}"
    rows = list(run(session, _ASKS, asking=asking.id))
    if asking.account_id is not None:
        rows += persons.of_account(session, battle.id, asking.account_id)
    for row in rows:
        _line(session, row, battle, what, now, turn=None, facts=given, key=key)


def _facts(what: str, facts: Mapping[str, Any] | None) -> dict[str, Any]:
    given = {name: moment(value) if isinstance(value, datetime) else value for name, value in (facts or {}).items()}
    if set(given) != set(CODES[what].facts):
        raise ValueError(f"{what} is told with {CODES[what].facts}, not with {tuple(given)}")
    return given


def _line(
    session: Session,
    row: Any,
    battle: BattleRow,
    what: str,
    now: datetime,
    *,
    turn: int | None,
    facts: Mapping[str, Any],
    key: str,
) -> None:
    """If it is what its reader would hear of, and when it suits him."""
    topic = CODES[what].topic
    if topic in (ALWAYS, ASKED) or topic in loads(row.topics):
        due = quiet.due(row, what, facts, now)
        write(session, row.id, what, now, due=due, battle=battle, turn=turn, facts=facts, key=key)


def tell_of_turn(session: Session, battle_id: str, turn: int, now: datetime) -> None:
    """A turn is published, and with it the next one opened, or the battle over."""
    battle = battle_row(session, battle_id)
    tell(session, battle, "turn-published", now, turn=turn, key=f"turn-published/{battle.line}/{turn}")
    if battle.status == "over":
        tell(session, battle, "battle-over", now, key=f"battle-over/{battle.line}/{turn}")
    elif battle.status == "open":
        facts = {"deadline": battle.deadline}
        tell(session, battle, "turn-opened", now, facts=facts, key=f"turn-opened/{battle.line}/{battle.turn}")


def write(
    session: Session,
    subscription_id: int,
    what: str,
    now: datetime,
    *,
    due: datetime,
    battle: BattleRow | None,
    turn: int | None,
    facts: Mapping[str, Json],
    key: str,
) -> None:
    """A line for one subscription; nothing, if it has one of this key already. `battle` None: of no battle, but of the
    way itself."""
    place = "" if battle is None else battle.id if battle.line == 1 else f"{battle.id}~{battle.line}"
    values = {
        "key": _key(subscription_id, place, key),
        "mark": secrets.token_hex(8),
        "what": "notice",
        "battle_id": None if battle is None else battle.id,
        "turn": turn,
        "subscription_id": subscription_id,
        "facts": dumps({"code": what, **facts}),
        "created_at": now,
        "due_at": due,
        "attempts": 0,
    }
    dialect = sqlite if session.connection().dialect.name == "sqlite" else postgresql
    run(session, dialect.insert(OUTBOX).values(**values).on_conflict_do_nothing(index_elements=[_O.key]))
    waking.ring(session)


def forget(session: Session, battle_id: str, *, seat: str | None = None, master: int | None = None) -> None:
    """A seat changes hands, or a game master goes: whatever was set up with those keys ends, and what was on its way there
    falls away."""
    theirs = and_(_U.role == "seat", _U.seat == seat) if seat else and_(_U.role == "master", _U.generation == master)
    end(session, [row.id for row in run(session, select(_U.id).where(_U.battle_id == battle_id, theirs))])


def forget_pass(session: Session, pass_id: int) -> None:
    """A deputy's time is over, or a key that was shared is taken back: nothing goes to its holder any more."""
    end(session, [row.id for row in run(session, select(_U.id).where(_U.pass_id == pass_id))])


OF_MORE_SEATS = dumps(["reminders"])
"""What is told beside the first seat for each further one of the same person."""


def adopt(session: Session, asking_id: int, seat: str, generation: int) -> None:
    """Who asked has a seat: what was to tell him of the answer tells him of the seat. Of a second one it reminds him."""
    rows = run(session, select(SUBSCRIPTIONS).where(_U.asking_id == asking_id, ALIVE).order_by(_U.id)).all()
    theirs = {"role": "seat", "seat": seat, "generation": generation}
    is_first = any(row.role == "asking" for row in rows)
    for row in rows:
        if row.role == "asking":
            run(session, update(SUBSCRIPTIONS).where(_U.id == row.id).values(**theirs))
        elif not is_first and row.pass_id is None:
            copied = {**row._asdict(), **theirs, "topics": OF_MORE_SEATS, "token": secrets.token_urlsafe(24)}
            copied |= {"confirm": None, "asking_id": None}
            del copied["id"]
            if row.confirm is None:
                run(session, insert(SUBSCRIPTIONS).values(**copied))


def forget_asker(session: Session, asking_id: int) -> None:
    """Where his asking is over, and nothing is on its way to him any more: his address was for that alone."""
    waits = exists().where(_O.subscription_id == _U.id, _O.done_at.is_(None), _O.due_at.is_not(None))
    over = exists().where(_A.id == _U.asking_id, _A.status.in_(("declined", "withdrawn", "lapsed")))
    gone = select(_U.id).where(_U.role == "asking", _U.asking_id == asking_id, over, ~waits)
    end(session, [row.id for row in run(session, gone)])


def fall_away(session: Session, outgoing_id: int, subscription_id: int | None) -> None:
    """A line whose reader is gone; and with a renewed key, whatever else waits for its old one."""
    run(session, delete(OUTBOX).where(_O.id == outgoing_id, _O.done_at.is_(None)))
    if subscription_id is not None:
        gone = select(_U.id).where(_U.id == subscription_id, ~ALIVE)
        end(session, [row.id for row in run(session, gone)])


def stop(session: Session, subscription_id: int, error: Mapping[str, Json]) -> None:
    """Nothing more goes there until its owner says so; what waits falls away."""
    run(session, update(SUBSCRIPTIONS).where(_U.id == subscription_id).values(stopped=dumps(dict(error))))
    waiting = (_O.subscription_id == subscription_id, _O.done_at.is_(None), _O.due_at.is_not(None))
    run(session, delete(OUTBOX).where(*waiting))


def end(session: Session, ids: Collection[int]) -> None:
    """End subscriptions, and what was on its way to them."""
    if ids:
        run(session, delete(OUTBOX).where(_O.subscription_id.in_(ids), _O.done_at.is_(None)))
        run(session, delete(SUBSCRIPTIONS).where(_U.id.in_(ids)))


def _key(subscription_id: int, battle_id: str, key: str) -> str:
    plain = f"n/{subscription_id}/{battle_id}/{key}"
    if len(plain) <= KEY_MAX:
        return plain
    return f"n/{subscription_id}/{hashlib.sha256(plain.encode()).hexdigest()}"
