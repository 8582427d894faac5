"""What game masters have ruled before, over all battles: every ruling that is known to all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, or_, select
from sqlalchemy.orm import Session

from app.engine.ruleset import AnyRuleset, Json
from app.referee.rows import loads, run
from app.rulesets.registry import RULESETS
from app.store import models
from app.store.db import Database
from app.store.models import BATTLES, LEFT, TURNS, core

MOST = 50
"""So many are found at once."""
LONGEST_QUERY = 200
_CHUNK, _FARTHEST = 500, 20_000
"""The newest rulings are looked through, so many at once and so many at most: no database folds the letters of every
language, and no ruling is long."""
_R, _B, _T = core(models.Ruling).c, BATTLES.c, TURNS.c
_KNOWN = (
    select(_R.id, _R.battle_id, _B.title, _B.ruleset, _R.turn, _R.reason, _R.rule, _R.stage, _R.kind, _R.made_at)
    .join_from(core(models.Ruling), BATTLES, and_(_B.id == _R.battle_id, _B.status != LEFT))
    .join(TURNS, and_(_T.battle_id == _R.battle_id, _T.turn == _R.turn), isouter=True)
    .where(or_(_R.stage == "open", _T.published_at.is_not(None)), _R.id < bindparam("before"))
    .order_by(_R.id.desc())
    .limit(_CHUNK)
)
_WHOLE = select(_R.id, _R.events, _R.facts, _B.scenario).join_from(core(models.Ruling), BATTLES, _B.id == _R.battle_id)


@dataclass(frozen=True)
class Precedent:
    """`is_published`: its turn has a report. `events`: what it did, as values of the ruleset; `scenario` names the sides."""

    id: int
    battle_id: str
    title: str
    ruleset: AnyRuleset
    turn: int
    reason: str
    rule: str | None
    stage: str
    kind: str
    made_at: datetime
    events: tuple[Any, ...]
    facts: Json
    scenario: Json


@dataclass(frozen=True)
class Found:
    """Newest first. `before`: the number from which the next page goes on; None: there are no more."""

    precedents: tuple[Precedent, ...]
    before: int | None


def search(db: Database, *, q: str = "", rule: str = "", before: int | None = None) -> Found:
    """Rulings whose reason, rule or battle's title hold every word of `q`, and that name `rule` (any, where it is empty)."""
    words = q[:LONGEST_QUERY].casefold().split()
    wanted = rule.strip()[:LONGEST_QUERY].casefold()
    with db.read() as session:
        hits: list[Any] = []
        for row in _newest(session, before):
            if row.ruleset not in RULESETS:
                continue
            if wanted and (row.rule or "").casefold() != wanted:
                continue
            told = f"{row.reason}\n{row.rule or ''}\n{row.title}".casefold()
            if all(word in told for word in words):
                hits.append(row)
            if len(hits) > MOST:
                break
        shown = hits[:MOST]
        whole = {row.id: row for row in session.execute(_WHOLE.where(_R.id.in_([row.id for row in shown])))}
    found = tuple(_precedent(row, whole[row.id]) for row in shown)
    return Found(found, found[-1].id if len(hits) > MOST else None)


def numbers(db: Database) -> frozenset[str]:
    """The rules that a ruling has named which is known to all, as they were written."""
    known = _KNOWN.with_only_columns(_R.rule).order_by(None).limit(None).where(_R.rule.is_not(None)).distinct()
    with db.read() as session:
        return frozenset(run(session, known, before=2**31 - 1).scalars())


def _newest(session: Session, before: int | None) -> Iterator[Any]:
    last = 2**31 - 1 if before is None else max(0, min(before, 2**31 - 1))
    for _ in range(_FARTHEST // _CHUNK):
        rows = run(session, _KNOWN, before=last).all()
        yield from rows
        if len(rows) < _CHUNK:
            return
        last = rows[-1].id


def _precedent(row: Any, whole: Any) -> Precedent:
    ruleset = RULESETS[row.ruleset]
    return Precedent(
        id=row.id,
        battle_id=row.battle_id,
        title=row.title,
        ruleset=ruleset,
        turn=row.turn,
        reason=row.reason,
        rule=row.rule,
        stage=row.stage,
        kind=row.kind,
        made_at=row.made_at,
        events=tuple(ruleset.load_event(event) for event in loads(whole.events)),
        facts=loads(whole.facts),
        scenario=loads(whole.scenario),
    )
