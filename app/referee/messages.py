"""Messages and channels as rows: read, changed, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, bindparam, insert, select, update
from sqlalchemy.orm import Session

from app.referee.channels import Room, Who, answers_to
from app.referee.errors import RefereeError
from app.referee.rows import loads, run
from app.reports import prose
from app.store.models import CHANNELS, MESSAGES, READ_MARKS

CHANGED_WITHIN = timedelta(hours=1)
"""So long a writer may change or take back what he wrote."""

AT_ONCE = timedelta(minutes=2)
"""So long the same words are the same message, if nothing was said since: a press too many, a page that was sent again."""


PAGE = 50


M = MESSAGES.c


C = CHANNELS.c


R = READ_MARKS.c


IN_CHANNEL = and_(M.battle_id == bindparam("battle"), M.channel == bindparam("channel"))


_ROWS = select(*M).where(IN_CHANNEL)


_ONE = _ROWS.where(M.number == bindparam("number"))


CHANNEL_STATE = select(C.last, C.changes).where(C.battle_id == bindparam("battle"), C.channel == bindparam("channel"))


READ_MARK = select(R.number).where(
    R.battle_id == bindparam("battle"), R.channel == bindparam("channel"), R.reader == bindparam("reader")
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


def stretch(session: Session, at: dict[str, Any], before: int | None, since: int | None, limit: int) -> list[Any]:
    """One more than asked for, if there is one, so that it is known."""
    if since is not None:
        return list(run(session, _ROWS.where(M.number >= since).order_by(M.number).limit(limit + 1), **at))
    query = _ROWS if before is None else _ROWS.where(M.number < before)
    return list(reversed(run(session, query.order_by(M.number.desc()).limit(limit + 1), **at).all()))


def message_view(row: Any, here: Room, now: datetime) -> MessageView:
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


def message_row(session: Session, battle_id: str, here: Room, number: int) -> Any:
    row = run(session, _ONE, battle=battle_id, channel=here.key, number=number).one_or_none() if number < 2**31 else None
    if row is None:
        raise RefereeError("no-message")
    return row


def just_said(session: Session, battle_id: str, here: Room, text: str, now: datetime) -> int | None:
    """The channel's last message, if these are its words and its writer has just said them. The battle's row is locked."""
    last = run(session, _ROWS.order_by(M.number.desc()).limit(1), battle=battle_id, channel=here.key).one_or_none()
    if last is None or here.me is None or last.writer != here.me.key or last.text != text:
        return None
    return int(last.number) if last.hidden_at is None and now - last.written_at <= AT_ONCE else None


def own_row(session: Session, battle_id: str, here: Room, number: int, now: datetime) -> Any:
    row = message_row(session, battle_id, here, number)
    if here.me is None or row.writer != here.me.key:
        raise RefereeError("not-yours")
    if not _is_changeable(row, now):
        raise RefereeError("too-late")
    return row


def set_message(session: Session, battle_id: str, channel: str, number: int, **values: Any) -> None:
    mine = and_(M.battle_id == battle_id, M.channel == channel, M.number == number)
    run(session, update(MESSAGES).where(mine).values(**values))
    step(session, battle_id, channel, new=False)


def step(session: Session, battle_id: str, channel: str, *, new: bool) -> int:
    """One change more, and with a new message its number. The battle's row is locked."""
    found = run(session, CHANNEL_STATE, battle=battle_id, channel=channel).one_or_none()
    if found is None:
        run(session, insert(CHANNELS), battle_id=battle_id, channel=channel, last=1, changes=1)
        return 1
    last = found.last + 1 if new else found.last
    mine = and_(C.battle_id == battle_id, C.channel == channel)
    run(session, update(CHANNELS).where(mine).values(last=last, changes=found.changes + 1))
    return int(last)


def last_read(session: Session, at: Mapping[str, Any], me: Who | None) -> int:
    if me is None:
        return 0
    return int(run(session, READ_MARK, **at, reader=me.key).scalar_one_or_none() or 0)


def mentioned(text: str, people: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(target, name) for name in prose.called(text, tuple(people)) for target in people[name]]
