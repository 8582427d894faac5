"""What is new for somebody in each channel that he reads."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app.referee.channels import PUBLIC_THREAD, Kind, Who, answers_to, who
from app.referee.messages import IN_CHANNEL, C, M, last_read
from app.referee.rows import battle_row, loads, run
from app.referee.views import Viewer
from app.store.db import Database

MOST_COUNTED = 100
"""Unread messages are counted so far."""


@dataclass(frozen=True)
class Unread:
    """Of a channel that a viewer may read. `count` goes no further than `MOST_COUNTED`; `calls`: those that call him."""

    kind: Kind
    of: str
    """The side or the seat; of the public thread nothing."""
    count: int
    calls: int
    last: int


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


_KNOWN = select(C.channel, C.last).where(C.battle_id == bindparam("battle")).order_by(C.channel)


_NEW = (
    select(M.mentions)
    .where(
        IN_CHANNEL,
        M.number > bindparam("read"),
        M.writer != bindparam("reader"),
        M.deleted_at.is_(None),
        M.hidden_at.is_(None),
    )
    .order_by(M.number.desc())
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
    read = last_read(session, at, me) if last else 0
    new = [loads(row.mentions) for row in run(session, _NEW, **at, read=read, reader=me.key)] if last > read else []
    mine = answers_to(me)
    calls = sum(any(target in mine for target, _ in mentions) for mentions in new)
    return Unread(kind, of, len(new), calls, last)  # type: ignore[arg-type]
