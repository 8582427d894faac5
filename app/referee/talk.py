"""Messages: the public thread of a battle, a channel for each side, one from each seat to the game masters.

Nothing said in a channel changes the battle's row, its version or its pulse: whoever may not read it is told nothing, not
even that there is something. Only the public thread is part of what all may know.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, bindparam, insert, select, update
from sqlalchemy.orm import Session

from app.referee import logbook, names, notices
from app.referee.access import master_only
from app.referee.channels import PUBLIC_THREAD, Kind, Room, Where, Who, answers_to, callable_by, room, who
from app.referee.errors import RefereeError
from app.referee.rows import BattleRow, battle_row, change, dumps, loads, locked, run
from app.referee.views import Viewer
from app.reports import prose
from app.store.db import Database
from app.store.models import CHANNELS, MESSAGES, READ_MARKS

CHANGED_WITHIN = timedelta(hours=1)
"""So long a writer may change or take back what he wrote."""
PAGE = 50
MOST_COUNTED = 100
"""Unread messages are counted so far."""
_M, _C, _R = MESSAGES.c, CHANNELS.c, READ_MARKS.c
_HERE = and_(_M.battle_id == bindparam("battle"), _M.channel == bindparam("channel"))
_ROWS = select(*_M).where(_HERE)
_ONE = _ROWS.where(_M.number == bindparam("number"))
_CHANNEL = select(_C.last, _C.changes).where(_C.battle_id == bindparam("battle"), _C.channel == bindparam("channel"))
_READ = select(_R.number).where(
    _R.battle_id == bindparam("battle"), _R.channel == bindparam("channel"), _R.reader == bindparam("reader")
)


@dataclass(frozen=True)
class MessageView:
    """`text`: empty where it was taken back, or hidden from this viewer. `mentions`: the names that call somebody. `may`:
    whether the viewer may still change it."""

    number: int
    writer: str
    name: str | None
    turn: int
    text: str
    mentions: tuple[str, ...]
    calls_me: bool
    written_at: datetime
    edited_at: datetime | None
    deleted_at: datetime | None
    hidden_at: datetime | None
    hidden_reason: str | None
    is_mine: bool
    may_change: bool


@dataclass(frozen=True)
class Thread:
    """A stretch of a channel, oldest first. `mark` changes with whatever is written or changed in it; `read`: how far the
    viewer had read. `people`: by name, whom a message can call here. `readers`: how many game masters read it."""

    kind: Kind
    key: str
    messages: tuple[MessageView, ...]
    last: int
    mark: int
    read: int
    has_earlier: bool
    has_later: bool
    may_write: bool
    people: Mapping[str, tuple[str, ...]]
    masters: int
    me: str | None


@dataclass(frozen=True)
class Unread:
    """Of a channel that a viewer may read. `count` goes no further than `MOST_COUNTED`; `calls`: those that call him."""

    kind: Kind
    of: str
    """The side or the seat; of the public thread nothing."""
    count: int
    calls: int
    last: int


def see(
    db: Database,
    battle_id: str,
    where: Where,
    viewer: Viewer,
    now: datetime,
    *,
    before: int | None = None,
    since: int | None = None,
    limit: int = PAGE,
) -> Thread:
    """The newest messages; `before` a number, or `since` a number. Raises `RefereeError`: no-battle, not-yours, no-seat."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        here = room(session, battle, where, viewer)
        at = {"battle": battle_id, "channel": here.key}
        last, mark = run(session, _CHANNEL, **at).one_or_none() or (0, 0)
        rows = _stretch(session, at, before, since, limit)
        read = _read(session, at, here.me)
        people = callable_by(session, battle, here)
    shown = rows[:limit] if since is not None else rows[-limit:]
    more = len(rows) > limit
    return Thread(
        kind=here.kind,
        key=here.key,
        messages=tuple(_view(row, here, now) for row in shown),
        last=last,
        mark=mark,
        read=read,
        has_earlier=more if since is None else since > 1,
        has_later=more if since is not None else bool(shown) and shown[-1].number < last,
        may_write=here.may_write,
        people=people,
        masters=len(here.masters),
        me=here.me.key if here.me else None,
    )


def mark(db: Database, battle_id: str, where: Where, viewer: Viewer) -> int:
    """`Thread.mark` without the thread. Raises as `see` does."""
    with db.read() as session:
        here = room(session, battle_row(session, battle_id), where, viewer)
        found = run(session, _CHANNEL, battle=battle_id, channel=here.key).one_or_none()
    return found.changes if found else 0


def one(db: Database, battle_id: str, where: Where, viewer: Viewer, number: int, now: datetime) -> MessageView:
    """Raises as `see` does, and `RefereeError("no-message")`."""
    with db.read() as session:
        here = room(session, battle_row(session, battle_id), where, viewer)
        return _view(_row(session, battle_id, here, number), here, now)


def write(db: Database, battle_id: str, where: Where, viewer: Viewer, *, text: str, now: datetime) -> int:
    """Its number. Raises `RefereeError`: no-battle, not-yours, no-seat, bad-message."""
    said = names.message(text)
    with db.write() as session:
        battle = locked(session, battle_id)
        here = room(session, battle, where, viewer)
        me = _writer(here)
        people = callable_by(session, battle, here)
        mentions = _mentions(said, people)
        number = _step(session, battle_id, here.key, new=True)
        values = {"battle_id": battle_id, "channel": here.key, "number": number, "writer": me.key, "name": me.name}
        values |= {"turn": battle.turn, "text": said, "mentions": dumps(mentions), "written_at": now}
        run(session, insert(MESSAGES), **values)
        _mark_read(session, battle_id, here.key, me.key, number, only_from=number - 1)
        _tell(session, battle, here, me, number, {target for target, _ in mentions}, now)
    return number


def edit(db: Database, battle_id: str, where: Where, viewer: Viewer, number: int, *, text: str, now: datetime) -> None:
    """Raises `RefereeError`: no-battle, not-yours, no-seat, no-message, too-late, bad-message."""
    said = names.message(text)
    with db.write() as session:
        battle = locked(session, battle_id)
        here = room(session, battle, where, viewer)
        row = _own(session, battle_id, here, number, now)
        if row.text == said:
            return
        mentions = _mentions(said, callable_by(session, battle, here))
        _set(session, battle_id, here.key, number, text=said, mentions=dumps(mentions), edited_at=now)


def take_back(db: Database, battle_id: str, where: Where, viewer: Viewer, number: int, now: datetime) -> None:
    """Its words go; that there was something stays to be seen. Raises as `edit` does."""
    with db.write() as session:
        here = room(session, locked(session, battle_id), where, viewer)
        _own(session, battle_id, here, number, now)
        _set(session, battle_id, here.key, number, text="", mentions="[]", deleted_at=now)


def hide(db: Database, battle_id: str, viewer: Viewer, number: int, *, reason: str, now: datetime) -> None:
    """A game master hides a message of the public thread; logged for all with his reason.
    Raises `RefereeError`: no-battle, not-yours, no-message, bad-reason."""
    why = names.why(reason)
    _moderate(db, battle_id, viewer, number, now, why)


def unhide(db: Database, battle_id: str, viewer: Viewer, number: int, now: datetime) -> None:
    """What was hidden is shown again, and logged. Raises as `hide` does."""
    _moderate(db, battle_id, viewer, number, now, None)


def mark_read(db: Database, battle_id: str, where: Where, viewer: Viewer, number: int) -> None:
    """Read as far as `number`; never less far than before. Raises as `see` does."""
    with db.read() as session:
        here = room(session, battle_row(session, battle_id), where, viewer)
        at = {"battle": battle_id, "channel": here.key}
        if here.me is None or _read(session, at, here.me) >= number:
            return
        last = run(session, _CHANNEL, **at).one_or_none()
    if last is None:
        return
    with db.write() as session:
        locked(session, battle_id)
        _mark_read(session, battle_id, here.key, here.me.key, min(number, last.last))


def unread(db: Database, battle_id: str, viewer: Viewer) -> tuple[Unread, ...]:
    """Of every channel that a viewer may read and in which something was said, and of his own channels always. Nothing for
    the public. Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        me = who(session, battle, viewer)
        if me is None:
            return ()
        known = {row.channel: row.last for row in run(session, _KNOWN, battle=battle_id)}
        return tuple(_unread(session, battle_id, key, me, known.get(key, 0)) for key in _channels_of(me, viewer, known))


_KNOWN = select(_C.channel, _C.last).where(_C.battle_id == bindparam("battle")).order_by(_C.channel)
_NEW = (
    select(_M.mentions)
    .where(
        _HERE,
        _M.number > bindparam("read"),
        _M.writer != bindparam("reader"),
        _M.deleted_at.is_(None),
        _M.hidden_at.is_(None),
    )
    .order_by(_M.number.desc())
    .limit(MOST_COUNTED)
)


def _channels_of(me: Who, viewer: Viewer, known: Collection[str]) -> list[str]:
    if me.side is not None:
        return [PUBLIC_THREAD, f"side/{me.side}", f"master/{viewer.seat}"]
    if me.key.startswith("master/") and not viewer.plays:
        return [PUBLIC_THREAD, *(key for key in sorted(known) if key.startswith("master/"))]
    return [PUBLIC_THREAD]


def _unread(session: Session, battle_id: str, key: str, me: Who, last: int) -> Unread:
    kind, _, of = key.partition("/")
    at = {"battle": battle_id, "channel": key}
    read = _read(session, at, me) if last else 0
    new = [loads(row.mentions) for row in run(session, _NEW, **at, read=read, reader=me.key)] if last > read else []
    mine = answers_to(me)
    calls = sum(any(target in mine for target, _ in mentions) for mentions in new)
    return Unread(kind, of, len(new), calls, last)  # type: ignore[arg-type]


def _stretch(session: Session, at: dict[str, Any], before: int | None, since: int | None, limit: int) -> list[Any]:
    """One more than asked for, if there is one, so that it is known."""
    if since is not None:
        return list(run(session, _ROWS.where(_M.number >= since).order_by(_M.number).limit(limit + 1), **at))
    query = _ROWS if before is None else _ROWS.where(_M.number < before)
    return list(reversed(run(session, query.order_by(_M.number.desc()).limit(limit + 1), **at).all()))


def _view(row: Any, here: Room, now: datetime) -> MessageView:
    mine = here.me is not None and row.writer == here.me.key
    sees = row.hidden_at is None or mine or (here.me is not None and here.me.key.startswith("master/"))
    mentions = loads(row.mentions) if sees else []
    called = answers_to(here.me)
    return MessageView(
        number=row.number,
        writer=row.writer,
        name=row.name,
        turn=row.turn,
        text=row.text if sees else "",
        mentions=tuple(dict.fromkeys(name for _, name in mentions)),
        calls_me=not mine and any(target in called for target, _ in mentions),
        written_at=row.written_at,
        edited_at=row.edited_at,
        deleted_at=row.deleted_at,
        hidden_at=row.hidden_at,
        hidden_reason=row.hidden_reason,
        is_mine=mine,
        may_change=mine and _is_changeable(row, now),
    )


def _is_changeable(row: Any, now: datetime) -> bool:
    return row.deleted_at is None and row.hidden_at is None and now - row.written_at <= CHANGED_WITHIN


def _writer(here: Room) -> Who:
    if here.me is None or not here.may_write:
        raise RefereeError("not-yours")
    return here.me


def _row(session: Session, battle_id: str, here: Room, number: int) -> Any:
    row = run(session, _ONE, battle=battle_id, channel=here.key, number=number).one_or_none() if number < 2**31 else None
    if row is None:
        raise RefereeError("no-message")
    return row


def _own(session: Session, battle_id: str, here: Room, number: int, now: datetime) -> Any:
    row = _row(session, battle_id, here, number)
    if here.me is None or row.writer != here.me.key:
        raise RefereeError("not-yours")
    if not _is_changeable(row, now):
        raise RefereeError("too-late")
    return row


def _moderate(db: Database, battle_id: str, viewer: Viewer, number: int, now: datetime, why: str | None) -> None:
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        row = _row(session, battle_id, room(session, battle, Where(), viewer), number)
        if row.deleted_at is not None or (why is None) == (row.hidden_at is None):
            raise RefereeError("no-message")
        hidden = {"hidden_at": now if why is not None else None, "hidden_reason": why}
        _set(session, battle_id, PUBLIC_THREAD, number, **hidden)
        change(session, battle)
        params: dict[str, Any] = {"number": number, "reason": why}
        what = "message-shown" if why is None else "message-hidden"
        told = {"number": number} if why is None else params
        logbook.note(session, battle_id, battle.turn, "master", what, now, told, by=viewer)


def _set(session: Session, battle_id: str, channel: str, number: int, **values: Any) -> None:
    mine = and_(_M.battle_id == battle_id, _M.channel == channel, _M.number == number)
    run(session, update(MESSAGES).where(mine).values(**values))
    _step(session, battle_id, channel, new=False)


def _step(session: Session, battle_id: str, channel: str, *, new: bool) -> int:
    """One change more, and with a new message its number. The battle's row is locked."""
    found = run(session, _CHANNEL, battle=battle_id, channel=channel).one_or_none()
    if found is None:
        run(session, insert(CHANNELS), battle_id=battle_id, channel=channel, last=1, changes=1)
        return 1
    last = found.last + 1 if new else found.last
    mine = and_(_C.battle_id == battle_id, _C.channel == channel)
    run(session, update(CHANNELS).where(mine).values(last=last, changes=found.changes + 1))
    return int(last)


def _read(session: Session, at: Mapping[str, Any], me: Who | None) -> int:
    if me is None:
        return 0
    return int(run(session, _READ, **at, reader=me.key).scalar_one_or_none() or 0)


def _mark_read(
    session: Session, battle_id: str, channel: str, reader: str, number: int, *, only_from: int | None = None
) -> None:
    """`only_from`: if he had read so far (who answers without having seen what came meanwhile has not read it)."""
    was = run(session, _READ, battle=battle_id, channel=channel, reader=reader).scalar_one_or_none()
    if was is None and only_from in (None, 0):
        run(session, insert(READ_MARKS), battle_id=battle_id, channel=channel, reader=reader, number=number)
    elif was is not None and was < number and only_from in (None, was):
        mine = and_(_R.battle_id == battle_id, _R.channel == channel, _R.reader == reader)
        run(session, update(READ_MARKS).where(mine).values(number=number))


def _mentions(text: str, people: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(target, name) for name in prose.called(text, tuple(people)) for target in people[name]]


def _tell(
    session: Session, battle: BattleRow, here: Room, me: Who, number: int, called: Collection[str], now: datetime
) -> None:
    """That there is something new: once until its reader has looked, and once more if he is called by name meanwhile.
    However often somebody calls, nobody's mailbox is filled by it."""
    marks = {
        row.reader: row.number
        for row in run(session, select(_R.reader, _R.number).where(_R.battle_id == battle.id, _R.channel == here.key))
    }

    def tell(reader: str, names: Collection[str], seats: tuple[str, ...], master: int | None) -> None:
        read = marks.get(reader, 0)
        key = f"message/{here.key}/{'@' if set(names) & set(called) else ''}{read}"
        whom: dict[str, Any] = {"seats": seats, "master": master, "by": me.key}
        notices.tell(session, battle, "message", now, facts={"count": number - read}, key=key, **whom)

    for seat in here.members:
        reader = Who(f"seat/{seat.seat}", None, seat.side)
        if reader.key != me.key:
            tell(reader.key, answers_to(reader), (seat.seat,), None)
    if not me.key.startswith("master/"):
        for one in here.masters:
            tell(f"master/{one.number}", {"masters", f"master/{one.number}"}, (), one.number)
