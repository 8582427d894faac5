"""Messages: the public thread of a battle, a channel for each side, one from each seat to the game masters.

Nothing said in a channel changes the battle's row, its version or its pulse: whoever may not read it is told nothing, not
even that there is something. Only the public thread is part of what all may know.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, insert, select, update
from sqlalchemy.orm import Session

from app.referee import logbook, names, notices
from app.referee.access import master_only, seat_of, seat_only
from app.referee.channels import PUBLIC_THREAD, Kind, Room, Where, Who, answers_to, callable_by, room
from app.referee.errors import RefereeError
from app.referee.messages import (
    CHANNEL_STATE,
    PAGE,
    READ_MARK,
    MessageView,
    R,
    just_said,
    last_read,
    mentioned,
    message_row,
    message_view,
    own_row,
    set_message,
    step,
    stretch,
)
from app.referee.rows import BattleRow, battle_row, change, dumps, locked, run
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import MESSAGES, READ_MARKS


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
        last, mark = run(session, CHANNEL_STATE, **at).one_or_none() or (0, 0)
        rows = stretch(session, at, before, since, limit)
        read = last_read(session, at, here.me)
        people = callable_by(session, battle, here)
    shown = rows[:limit] if since is not None else rows[-limit:]
    more = len(rows) > limit
    return Thread(
        kind=here.kind,
        key=here.key,
        messages=tuple(message_view(row, here, now) for row in shown),
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
        found = run(session, CHANNEL_STATE, battle=battle_id, channel=here.key).one_or_none()
    return found.changes if found else 0


def one(db: Database, battle_id: str, where: Where, viewer: Viewer, number: int, now: datetime) -> MessageView:
    """Raises as `see` does, and `RefereeError("no-message")`."""
    with db.read() as session:
        here = room(session, battle_row(session, battle_id), where, viewer)
        return message_view(message_row(session, battle_id, here, number), here, now)


def write(db: Database, battle_id: str, where: Where, viewer: Viewer, *, text: str, now: datetime) -> int:
    """Its number. A form that is sent twice counts once: the same words that its writer has just said, if nothing was said
    since, are that message. Raises `RefereeError`: no-battle, not-yours, no-seat, bad-message."""
    said = names.message(text)
    with db.write() as session:
        battle = locked(session, battle_id)
        here = _heard(session, battle, where, viewer, now)
        me = _writer(here)
        repeated = just_said(session, battle_id, here, said, now)
        if repeated is not None:
            return repeated
        people = callable_by(session, battle, here)
        mentions = mentioned(said, people)
        number = step(session, battle_id, here.key, new=True)
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
        here = _heard(session, battle, where, viewer, now)
        row = own_row(session, battle_id, here, number, now)
        if row.text == said:
            return
        mentions = mentioned(said, callable_by(session, battle, here))
        set_message(session, battle_id, here.key, number, text=said, mentions=dumps(mentions), edited_at=now)


def take_back(db: Database, battle_id: str, where: Where, viewer: Viewer, number: int, now: datetime) -> None:
    """Its words go; that there was something stays to be seen. Raises as `edit` does."""
    with db.write() as session:
        here = _heard(session, locked(session, battle_id), where, viewer, now)
        own_row(session, battle_id, here, number, now)
        set_message(session, battle_id, here.key, number, text="", mentions="[]", deleted_at=now)


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
        if here.me is None or last_read(session, at, here.me) >= number:
            return
        last = run(session, CHANNEL_STATE, **at).one_or_none()
    if last is None:
        return
    with db.write() as session:
        locked(session, battle_id)
        _mark_read(session, battle_id, here.key, here.me.key, min(number, last.last))


def _heard(session: Session, battle: BattleRow, where: Where, viewer: Viewer, now: datetime) -> Room:
    """Where somebody wants to write. Raises `RefereeError("not-yours")`, too, where his seat is his no more."""
    here = room(session, battle, where, viewer)
    seat = seat_of(battle, viewer)
    if seat is not None:
        seat_only(session, battle, viewer, seat, now)
    return here


def _writer(here: Room) -> Who:
    if here.me is None or not here.may_write:
        raise RefereeError("not-yours")
    return here.me


def _moderate(db: Database, battle_id: str, viewer: Viewer, number: int, now: datetime, why: str | None) -> None:
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        row = message_row(session, battle_id, room(session, battle, Where(), viewer), number)
        if row.deleted_at is not None or (why is None) == (row.hidden_at is None):
            raise RefereeError("no-message")
        hidden = {"hidden_at": now if why is not None else None, "hidden_reason": why}
        set_message(session, battle_id, PUBLIC_THREAD, number, **hidden)
        change(session, battle)
        params: dict[str, Any] = {"number": number, "reason": why}
        what = "message-shown" if why is None else "message-hidden"
        told = {"number": number} if why is None else params
        logbook.note(session, battle_id, battle.turn, "master", what, now, told, by=viewer)


def _mark_read(
    session: Session, battle_id: str, channel: str, reader: str, number: int, *, only_from: int | None = None
) -> None:
    """`only_from`: if he had read so far (who answers without having seen what came meanwhile has not read it)."""
    was = run(session, READ_MARK, battle=battle_id, channel=channel, reader=reader).scalar_one_or_none()
    if was is None and only_from in (None, 0):
        run(session, insert(READ_MARKS), battle_id=battle_id, channel=channel, reader=reader, number=number)
    elif was is not None and was < number and only_from in (None, was):
        mine = and_(R.battle_id == battle_id, R.channel == channel, R.reader == reader)
        run(session, update(READ_MARKS).where(mine).values(number=number))


def _tell(
    session: Session, battle: BattleRow, here: Room, me: Who, number: int, called: Collection[str], now: datetime
) -> None:
    """That there is something new: once until its reader has looked, and once more if he is called by name meanwhile.
    However often somebody calls, nobody's mailbox is filled by it."""
    marks = {
        row.reader: row.number
        for row in run(session, select(R.reader, R.number).where(R.battle_id == battle.id, R.channel == here.key))
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
