"""The game master's judgement: a correction of the position, dice rolled again, an event set aside; all told to all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json, Refused, Ruling
from app.referee import drafts, logbook, names, notices, seen
from app.referee.access import judge_only, master_only
from app.referee.drafts import Draft
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, battle_row, change, dumps, hold, locked, position
from app.referee.views import LogLine, Viewer
from app.referee.working import Made, Worked
from app.store import models
from app.store.db import Database
from app.store.models import Events, State, Turn

RULE_MAX = 40


@dataclass(frozen=True)
class Preview:
    """What a correction would do: the position before and after it, and the events that would be told."""

    before: Any
    after: Any
    events: tuple[Any, ...]


def rule(db: Database, battle_id: str, viewer: Viewer, ruling: Ruling, now: datetime, *, before: str | None = None) -> None:
    """Amend the position of the open turn, or the draft under review. Orders that were entered stay, and what has become
    impossible is dropped when it is carried out. `before`: what he had before him (`seen.rulings`), here and below.
    Raises `RefereeError`: no-battle, not-yours, closed, bad-ruling, stale (`before`)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        stage = _stage(battle, viewer)
        seen.check(battle, seen.rulings(session, battle), before)
        made = _worded(ruling.changes, ruling.reason, ruling.rule)
        if stage == "review":
            draft = drafts.read(session, battle)
            _on_draft(session, battle, _attempt(draft, Made("amend", _awaiting(made, battle))), now, viewer)
            return
        state, events = _amended(session, battle, made)
        _amend_opening(session, battle, state)
        _keep(session, battle, Made("amend", made), stage, events, {}, now, viewer)


def reroll(
    db: Database,
    battle_id: str,
    viewer: Viewer,
    *,
    address: str,
    reason: str,
    rule: str | None,
    now: datetime,
    before: str | None = None,
) -> None:
    """Roll the dice of one address of the draft again; the turn is worked out anew, with all other dice as they were.
    Raises `RefereeError`: no-battle, not-yours, not-under-review, bad-ruling (`no-such-die`, `dice-first`), stale."""
    with db.write() as session:
        battle = _under_review(session, battle_id, viewer)
        seen.check(battle, seen.rulings(session, battle), before)
        draft = drafts.read(session, battle)
        made = Made("reroll", _worded(({"reroll": address},), reason, rule))
        _on_draft(session, battle, _attempt(draft, made), now, viewer)


def set_aside(
    db: Database,
    battle_id: str,
    viewer: Viewer,
    *,
    event: int,
    of: int,
    reason: str,
    rule: str | None,
    now: datetime,
    before: str | None = None,
) -> None:
    """Take back what one event of the draft did; what came after it stays. `event`: its place from 0; `of`: how many events
    the draft had when it was looked at. Raises `RefereeError`: no-battle, not-yours, not-under-review, stale, bad-ruling
    (`no-such-event`, `nothing-came-of-it`, `unit-gone`, `moved-on`, and what `amend` refuses)."""
    with db.write() as session:
        battle = _under_review(session, battle_id, viewer)
        seen.check(battle, seen.rulings(session, battle), before)
        draft = drafts.read(session, battle)
        if of != len(draft.worked.events):
            raise RefereeError("stale", current={"turn": battle.turn})
        try:
            changes = draft.undone(event)
        except Refused as refused:
            raise RefereeError("bad-ruling", problems=refused.problems) from refused
        made = Made("set-aside", _awaiting(_worded(changes, reason, rule), battle), event)
        _on_draft(session, battle, _attempt(draft, made), now, viewer)


def preview(db: Database, battle_id: str, viewer: Viewer, changes: Sequence[Json]) -> Preview:
    """What `rule` would do, without doing it. Raises `RefereeError`: no-battle, not-yours, closed, bad-ruling."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        stage = _stage(battle, viewer)
        made = _awaiting(Ruling(tuple(changes), ""), battle) if stage == "review" else Ruling(tuple(changes), "")
        before = position(session, battle, battle.turn + (stage == "review"))
        try:
            step = battle.ruleset.amend(before, made)
        except Refused as refused:
            raise RefereeError("bad-ruling", problems=refused.problems) from refused
        return Preview(before, step.state, tuple(step.events))


def standing(db: Database, battle_id: str, viewer: Viewer) -> Any:
    """The position that a ruling would amend: of the open turn, or the end of the draft under review.
    Raises `RefereeError`: no-battle, not-yours, closed."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        stage = _stage(battle, viewer)
        return position(session, battle, battle.turn + (stage == "review"))


def log(db: Database, battle_id: str, viewer: Viewer | None = None) -> tuple[LogLine, ...]:
    """Everything done by anyone with power, oldest first; for all to see, save rulings on a draft, which are told with it.
    Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        return logbook.shown(session, battle_row(session, battle_id), viewer or Viewer(), limit=None)


def _stage(battle: BattleRow, viewer: Viewer) -> str:
    master_only(battle, viewer)
    if battle.status in AWAITING:
        return "open"
    if battle.status == "review":
        judge_only(battle, viewer)
        return "review"
    raise RefereeError("closed", current={"turn": battle.turn})


def _under_review(session: Session, battle_id: str, viewer: Viewer) -> BattleRow:
    battle = locked(session, battle_id)
    judge_only(battle, viewer)
    if battle.status != "review":
        raise RefereeError("not-under-review", current={"turn": battle.turn})
    return battle


def _worded(changes: Sequence[Json], reason: str, rule: str | None) -> Ruling:
    return Ruling(tuple(changes), names.reason(reason), _rule(rule))


def _awaiting(ruling: Ruling, battle: BattleRow) -> Ruling:
    return Ruling(ruling.changes, ruling.reason, ruling.rule, battle.turn + 1)


def _amended(session: Session, battle: BattleRow, made: Ruling) -> tuple[Any, list[Json]]:
    try:
        dumps(list(made.changes))
        step = battle.ruleset.amend(position(session, battle, battle.turn), made)
    except Refused as refused:
        raise RefereeError("bad-ruling", problems=refused.problems) from refused
    except UnicodeEncodeError as bad:  # half of a surrogate pair, which no database holds
        raise RefereeError("bad-ruling") from bad
    return step.state, [battle.ruleset.dump_event(event) for event in step.events]


@dataclass(frozen=True)
class _Attempt:
    made: Made
    worked: Worked
    facts: Json


def _attempt(draft: Draft, made: Made) -> _Attempt:
    """The draft with one ruling more. Raises `RefereeError("bad-ruling")`."""
    try:
        dumps(list(made.ruling.changes))
        worked = draft.with_ruling(made)
    except Refused as refused:
        raise RefereeError("bad-ruling", problems=refused.problems) from refused
    except UnicodeEncodeError as bad:  # as above
        raise RefereeError("bad-ruling") from bad
    facts: Json = {}
    if made.kind == "reroll":
        address = made.ruling.changes[0]["reroll"]
        before, after = draft.worked.dice[address], worked.dice.get(address, [])
        facts = {"address": address, "before": list(before), "after": list(after)}
    elif made.event is not None:
        facts = {"event": made.event, "told": draft.ruleset.dump_event(draft.worked.events[made.event])}
    return _Attempt(made, worked, facts)


def _on_draft(session: Session, battle: BattleRow, attempt: _Attempt, now: datetime, by: Viewer) -> None:
    """The draft's end, its events and dice change: nobody has seen it yet."""
    ruleset, turn, worked = battle.ruleset, battle.turn, attempt.worked
    outcome = ruleset.outcome(worked.state)
    hold(session, battle)
    mine = {"synchronize_session": False}
    events = [ruleset.dump_event(event) for event in worked.events]
    session.execute(
        update(Events)
        .where(Events.battle_id == battle.id, Events.turn == turn)
        .values(body=dumps(events), dice=dumps(worked.dice))
        .execution_options(**mine)
    )
    session.execute(
        update(State)
        .where(State.battle_id == battle.id, State.turn == turn + 1)
        .values(body=dumps(ruleset.dump_state(worked.state)))
        .execution_options(**mine)
    )
    session.execute(
        update(Turn)
        .where(Turn.battle_id == battle.id, Turn.turn == turn)
        .values(points=dumps(dict(outcome.points)), winner=outcome.winner)
        .execution_options(**mine)
    )
    told = [ruleset.dump_event(event) for event in worked.told[-1]]
    _keep(session, battle, attempt.made, "review", told, attempt.facts, now, by)


def _amend_opening(session: Session, battle: BattleRow, state: object) -> None:
    """The ruling may end the battle: then the open turn is never played, and the one before it was the last."""
    ruleset = battle.ruleset
    outcome = ruleset.outcome(state)
    known = {"points": dumps(dict(outcome.points)), "winner": outcome.winner}
    if ruleset.requests(state):
        change(session, battle, **known)
    else:
        change(session, battle, status="over", turn=battle.turn - 1, deadline=None, **known)
    session.execute(
        update(State)
        .where(State.battle_id == battle.id, State.turn == battle.turn)
        .values(amended=dumps(ruleset.dump_state(state)))
        .execution_options(synchronize_session=False)
    )


def _keep(
    session: Session, battle: BattleRow, made: Made, stage: str, events: list[Json], facts: Json, now: datetime, by: Viewer
) -> None:
    """The ruling's row and its line in the log; of one on a draft people are told when that is published."""
    ruling = made.ruling
    session.execute(
        insert(models.Ruling).values(
            battle_id=battle.id,
            turn=battle.turn,
            reason=ruling.reason,
            rule=ruling.rule,
            changes=dumps(list(ruling.changes)),
            stage=stage,
            events=dumps(events),
            made_at=now,
            kind=made.kind,
            facts=dumps(facts),
        )
    )
    params: dict[str, Json] = {"reason": ruling.reason, "rule": ruling.rule, "stage": stage}
    what = {"amend": "ruled", "reroll": "rerolled", "set-aside": "set-aside"}[made.kind]
    if made.kind == "reroll":
        params["address"] = facts["address"]
    logbook.note(session, battle.id, battle.turn, "master", what, now, params, by=by)
    if stage == "open":
        tell_of_rulings(session, battle, now, turn=battle.turn, stage=stage)


def tell_of_rulings(session: Session, battle: BattleRow, now: datetime, *, turn: int, stage: str) -> None:
    """Notices of the rulings of a turn, each told once: those of the open turn when they are made, those of a draft when it
    is published."""
    mine = (models.Ruling.battle_id == battle.id, models.Ruling.turn == turn)
    here = select(models.Ruling.reason, models.Ruling.stage).where(*mine).order_by(models.Ruling.id)
    for number, (reason, made_at_stage) in enumerate(session.execute(here).all(), start=1):
        if made_at_stage == stage:
            key = f"ruled/{battle.line}/{turn}/{number}"
            notices.tell(session, battle, "ruled", now, turn=turn, facts={"reason": reason}, key=key)


def _rule(text: str | None) -> str | None:
    if text is None or not text.strip():
        return None
    cleaned = names.reason(text)
    if len(cleaned) > RULE_MAX or "\n" in cleaned:
        raise RefereeError("bad-ruling", params={"reason": "rule", "max": RULE_MAX})
    return cleaned
