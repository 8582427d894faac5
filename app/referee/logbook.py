"""The log of a battle: everything done by anyone with power, shown to all. Codes only; words are made when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from sqlalchemy import bindparam, insert, select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee.rows import dumps, loads, run
from app.referee.views import LogLine
from app.store.models import LOG

CODES: Mapping[str, tuple[str, ...]] = {
    "made": (),
    "holder-named": ("seat", "holder"),
    "key-renewed": ("seat", "generation"),
    "orders-on-behalf": ("seat", "revision"),
    "ready-on-behalf": ("seat", "ready"),
    "deadline-set": ("old", "new"),
    "held": ("deadline", "seen"),
    "gone-on": (),
    "gone-on-by-itself": ("deadline", "minutes"),
    "extended": ("old", "new", "reason"),
    "shortened": ("old", "new", "reason"),
    "paused": ("deadline", "until", "reason"),
    "resumed": ("old", "new"),
    "pause-asked": ("until", "reason"),
    "pause-agreed": ("seat",),
    "pause-declined": ("seat",),
    "schedule-set": ("was", "is"),
    "zone-changed": ("old", "new"),
    "option-set": ("option", "was", "is"),
    "resolved": ("by",),
    "published": (),
    "ruled": ("reason", "rule", "stage"),
    "imported": ("origin", "exported"),
    "imported-whole": ("origin", "exported"),
}
"""What is logged, and the parameters of each: moments as RFC 3339 or None; `by` as in `Turn.resolved_by`."""

Who = Literal["master", "clock", "seat"]

_NOTE = insert(LOG)
_LINES = (
    select(LOG.c.at, LOG.c.turn, LOG.c.who, LOG.c.what, LOG.c.params)
    .where(LOG.c.battle_id == bindparam("battle"))
    .order_by(LOG.c.id.desc())
)


def note(
    session: Session, battle_id: str, turn: int, who: Who, what: str, now: datetime, params: Mapping[str, Json] | None = None
) -> None:
    """Write a line, in the transaction of what it tells."""
    given = dict(params or {})
    if tuple(given) != CODES[what]:
        raise ValueError(f"{what} is logged with {CODES[what]}, not with {tuple(given)}")
    run(session, _NOTE, battle_id=battle_id, turn=turn, at=now, who=who, what=what, params=dumps(given))


def lines(session: Session, battle_id: str, *, limit: int | None) -> tuple[LogLine, ...]:
    """The newest lines, oldest of them first. `limit` None: all."""
    rows = run(session, _LINES.limit(limit), battle=battle_id)
    return tuple(reversed([LogLine(at, turn, who, what, loads(params)) for at, turn, who, what, params in rows]))


def moment(at: datetime | None) -> str | None:
    """RFC 3339, UTC."""
    return None if at is None else at.isoformat().replace("+00:00", "Z")
