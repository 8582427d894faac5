"""The log of a battle: everything done by anyone with power, shown to all. Codes only; words are made when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from sqlalchemy import bindparam, insert, select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json
from app.referee.access import is_judge
from app.referee.rows import BattleRow, dumps, loads, run
from app.referee.views import LogLine, Viewer
from app.store.models import BRANCHES, LOG

CODES: Mapping[str, tuple[str, ...]] = {
    "made": (),
    "holder-named": ("seat", "holder"),
    "key-renewed": ("seat", "generation"),
    "key-own": ("seat",),
    "master-added": ("master",),
    "master-removed": ("master",),
    "master-plays": ("master", "plays"),
    "master-seat": ("master", "seat", "number", "generation"),
    "extended-for-silence": ("old", "new", "seats"),
    "seat-offered": ("seat",),
    "seat-not-offered": ("seat",),
    "seat-replaced": ("seat", "holder", "orders"),
    "seat-removed": ("seat", "orders"),
    "seat-handed-over": ("seat", "holder", "orders"),
    "seat-shared": ("seat", "with"),
    "seat-not-shared": ("seat", "with"),
    "leave-named": ("seat", "begins", "until", "deputy"),
    "deputy-began": ("seat", "until", "deputy"),
    "away-began": ("seat", "until"),
    "leave-ended": ("seat", "early"),
    "deputy-gone": ("seat",),
    "program-chosen": ("seat", "program"),
    "doctrine-on-behalf": ("seat",),
    "doctrine-followed": ("seat", "doctrine"),
    "players-sought": ("open",),
    "players-not-sought": (),
    "sides-choose": ("settled",),
    "seat-given": ("seat", "holder"),
    "side-settled": ("side",),
    "contingents-swapped": ("seat", "other", "fresh"),
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
    "time-asked": ("seat", "hours", "reason"),
    "time-taken-back": ("seat",),
    "time-declined": ("seat",),
    "pause-asked": ("until", "reason"),
    "pause-agreed": ("seat",),
    "pause-declined": ("seat",),
    "schedule-set": ("was", "is"),
    "zone-changed": ("old", "new"),
    "option-set": ("option", "was", "is"),
    "resolved": ("by",),
    "published": (),
    "ruled": ("reason", "rule", "stage"),
    "rerolled": ("reason", "rule", "stage", "address"),
    "set-aside": ("reason", "rule", "stage"),
    "rewound": ("to", "reason", "line"),
    "taken-up": ("reason", "line"),
    "looked": ("seat", "revision"),
    "message-hidden": ("number", "reason"),
    "message-shown": ("number",),
    "arms-removed": ("seat",),
    "tied": ("kind",),
    "untied": ("kind",),
    "joined-campaign": ("campaign", "title"),
    "left-campaign": ("campaign", "title"),
    "imported": ("origin", "exported"),
    "imported-whole": ("origin", "exported"),
}
"""What is logged, and the parameters of each: moments as RFC 3339 or None; `by` as in `Turn.resolved_by`."""

Who = Literal["master", "clock", "seat"]

_NOTE = insert(LOG)
_LINES = (
    select(LOG.c.at, LOG.c.turn, LOG.c.who, LOG.c.what, LOG.c.params, LOG.c.name)
    .where(LOG.c.battle_id == bindparam("battle"))
    .order_by(LOG.c.id.desc())
)


def note(
    session: Session,
    battle_id: str,
    turn: int,
    who: Who,
    what: str,
    now: datetime,
    params: Mapping[str, Json] | None = None,
    *,
    by: Viewer | None = None,
) -> int:
    """Write a line, in the transaction of what it tells: its number. `by`: the game master, told by his name if he has
    one."""
    given = dict(params or {})
    if tuple(given) != CODES[what]:
        raise ValueError(f"{what} is logged with {CODES[what]}, not with {tuple(given)}")
    name = by.name if by is not None and who == "master" else None
    told = {"battle_id": battle_id, "turn": turn, "at": now, "who": who, "what": what, "params": dumps(given), "name": name}
    key = run(session, _NOTE, **told).inserted_primary_key
    return int(key[0]) if key is not None else 0


def lines(session: Session, battle_id: str, *, limit: int | None) -> tuple[LogLine, ...]:
    """The newest lines, oldest of them first. `limit` None: all."""
    rows = run(session, _LINES.limit(limit), battle=battle_id)
    return tuple(reversed([LogLine(at, turn, who, what, loads(params), name) for at, turn, who, what, params, name in rows]))


ON_A_DRAFT = frozenset({"ruled", "rerolled", "set-aside"})
LEAVING = frozenset({"rewound", "taken-up"})
"""What is written when a line is left, once for each of the battle's branches."""
_LEFT = (
    select(BRANCHES.c.turn, BRANCHES.c.status)
    .where(BRANCHES.c.battle_id == bindparam("battle"))
    .order_by(BRANCHES.c.line.desc())
)


def shown(session: Session, battle: BattleRow, viewer: Viewer, *, limit: int | None) -> tuple[LogLine, ...]:
    """`lines` as a viewer may know them: what was ruled upon a draft, and which doctrine was followed in it, is told when
    the draft is. Of a draft that was left, never: its rulings to the game master alone, its doctrines not even to him.

    What is not told takes no place among the newest: nobody can count it."""
    asked = limit
    while True:
        found = lines(session, battle.id, limit=asked)
        told = _told(session, battle, viewer, found)
        if limit is None or asked is None or len(told) >= limit or len(found) < asked:
            return told if limit is None else told[-limit:]
        asked += limit - len(told)


def _told(session: Session, battle: BattleRow, viewer: Viewer, found: tuple[LogLine, ...]) -> tuple[LogLine, ...]:
    left = iter(run(session, _LEFT, battle=battle.id).all() if battle.line > 1 else ())
    draft, is_left = (battle.turn if battle.status == "review" else 0), False
    told: list[LogLine] = []
    for line in reversed(found):
        is_sealed = line.turn == draft and _is_of_draft(line)
        if not is_sealed or (is_judge(battle, viewer) and not (is_left and line.what == "doctrine-followed")):
            told.append(replace(line, is_sealed=True) if is_sealed else line)
        if line.what in LEAVING:
            branch, is_left = next(left, None), True
            draft = branch.turn + 1 if branch is not None and branch.status == "review" else 0
    return tuple(reversed(told))


def _is_of_draft(line: LogLine) -> bool:
    """A ruling upon a draft, or a doctrine that was followed in it."""
    return (line.what in ON_A_DRAFT and line.params.get("stage") == "review") or line.what == "doctrine-followed"


def moment(at: datetime | None) -> str | None:
    """RFC 3339, UTC."""
    return None if at is None else at.isoformat().replace("+00:00", "Z")
