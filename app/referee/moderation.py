"""The game master's judgement: a correction of the position, told to all."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from app.engine.ruleset import Json, Refused, Ruling
from app.referee import logbook, names
from app.referee.access import master_only
from app.referee.errors import RefereeError
from app.referee.rows import AWAITING, BattleRow, battle_row, change, dumps, loads, locked, position
from app.referee.views import LogLine, Viewer
from app.store import models
from app.store.db import Database
from app.store.models import Events, State, Turn

RULE_MAX = 40


def rule(db: Database, battle_id: str, viewer: Viewer, ruling: Ruling, now: datetime) -> None:
    """Amend the position of the open turn, or the draft under review. Orders that were entered stay, and what has become
    impossible is dropped when it is carried out. Raises `RefereeError`: no-battle, not-yours, closed, bad-ruling."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        if battle.status in AWAITING:
            stage, opening = "open", battle.turn
        elif battle.status == "review":
            stage, opening = "review", battle.turn + 1
        else:
            raise RefereeError("closed", current={"turn": battle.turn})
        made = Ruling(ruling.changes, names.reason(ruling.reason), _rule(ruling.rule))
        try:
            changes = dumps(list(made.changes))
            step = battle.ruleset.amend(position(session, battle, opening), made)
        except Refused as refused:
            raise RefereeError("bad-ruling", problems=refused.problems) from refused
        except UnicodeEncodeError as bad:  # half of a surrogate pair, which no database holds
            raise RefereeError("bad-ruling") from bad
        events = [battle.ruleset.dump_event(event) for event in step.events]
        if stage == "open":
            _amend_opening(session, battle, step.state)
        else:
            _amend_draft(session, battle, step.state, events)
        session.execute(
            insert(models.Ruling).values(
                battle_id=battle_id,
                turn=battle.turn,
                reason=made.reason,
                rule=made.rule,
                changes=changes,
                stage=stage,
                events=dumps(events),
                made_at=now,
            )
        )
        params = {"reason": made.reason, "rule": made.rule, "stage": stage}
        logbook.note(session, battle_id, battle.turn, "master", "ruled", now, params)


def log(db: Database, battle_id: str) -> tuple[LogLine, ...]:
    """Everything done by anyone with power, oldest first; for all to see. Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle_row(session, battle_id)
        return logbook.lines(session, battle_id, limit=None)


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


def _amend_draft(session: Session, battle: BattleRow, state: object, events: list[Json]) -> None:
    """The draft's own end changes, and its events go on: nobody has seen it yet."""
    ruleset, turn = battle.ruleset, battle.turn
    outcome = ruleset.outcome(state)
    change(session, battle)
    mine = {"synchronize_session": False}
    told = session.execute(select(Events.body).where(Events.battle_id == battle.id, Events.turn == turn)).scalar_one()
    session.execute(
        update(Events)
        .where(Events.battle_id == battle.id, Events.turn == turn)
        .values(body=dumps([*loads(told), *events]))
        .execution_options(**mine)
    )
    session.execute(
        update(State)
        .where(State.battle_id == battle.id, State.turn == turn + 1)
        .values(body=dumps(ruleset.dump_state(state)))
        .execution_options(**mine)
    )
    session.execute(
        update(Turn)
        .where(Turn.battle_id == battle.id, Turn.turn == turn)
        .values(points=dumps(dict(outcome.points)), winner=outcome.winner)
        .execution_options(**mine)
    )


def _rule(text: str | None) -> str | None:
    if text is None or not text.strip():
        return None
    cleaned = names.reason(text)
    if len(cleaned) > RULE_MAX or "\n" in cleaned:
        raise RefereeError("bad-ruling", params={"reason": "rule", "max": RULE_MAX})
    return cleaned
