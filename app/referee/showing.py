"""A battle as a viewer may see it, and the list of battles. As many statements and rows at turn 100 as at turn 2."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.engine.ruleset import Json, Request
from app.referee import clock, logbook, masters, passes, pausing, timing, turns
from app.referee.access import is_judge, is_seat, seat_of
from app.referee.rows import AWAITING, BattleRow, SeatRow, asked, battle_row, loads, position, seats, shown_turn
from app.referee.sheets import EMPTIED, Last, is_ready, last_revisions
from app.referee.views import BattleLine, BattleView, LeaveView, SeatView, SideView, Viewer
from app.store.db import Database
from app.store.models import LEFT, Battle, Seat, Sheet, Turn

TURNS_SHOWN = 20
LOG_SHOWN = 30
"""With a battle come its newest turns and log lines: `turns.history` and `moderation.log` have them all."""


def listing(db: Database, *, limit: int = 50, skip: int = 0) -> tuple[BattleLine, ...]:
    """Battles, newest first, those under way before those that are over; without the first `skip` of them."""
    is_under_way, is_over = Battle.status.not_in(("over", LEFT)), Battle.status == "over"
    columns = select(
        Battle.id,
        Battle.title,
        Battle.ruleset,
        Battle.scenario_key,
        Battle.status,
        Battle.turn,
        Battle.deadline,
        Battle.zone,
        Battle.created_at,
        Battle.winner,
        Battle.points,
    ).order_by(Battle.created_at.desc(), Battle.id)
    with db.read() as session:
        rows = session.execute(columns.where(is_under_way).limit(limit).offset(skip)).all()
        if len(rows) < limit:
            before = session.execute(select(func.count()).where(is_under_way)).scalar_one() if skip else 0
            left = columns.where(is_over).limit(limit - len(rows)).offset(max(0, skip - before))
            rows = [*rows, *session.execute(left)]
        ids = [row.id for row in rows]
        seated = select(Seat.battle_id, func.count()).where(Seat.battle_id.in_(ids)).group_by(Seat.battle_id)
        entered = (
            select(Sheet.battle_id, func.count(func.distinct(Sheet.seat)))
            .join(Battle, (Battle.id == Sheet.battle_id) & (Battle.turn == Sheet.turn))
            .where(Sheet.battle_id.in_(ids), Sheet.entered_by != EMPTIED)
            .group_by(Sheet.battle_id)
        )
        count = dict(session.execute(seated).all())
        have = dict(session.execute(entered).all())
    return tuple(
        BattleLine(
            id=row.id,
            title=row.title,
            ruleset=row.ruleset,
            scenario_key=row.scenario_key,
            status=row.status,
            turn=row.turn,
            deadline=row.deadline,
            zone=row.zone,
            created_at=row.created_at,
            winner=row.winner,
            points=loads(row.points),
            entered=have.get(row.id, 0) if row.status in AWAITING else 0,
            seats=count.get(row.id, 0),
        )
        for row in rows
    )


def battle(db: Database, battle_id: str, viewer: Viewer, now: datetime) -> BattleView:
    """A battle as it stands, cut to what the viewer may know. Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        row = battle_row(session, battle_id)
        scenario = loads(session.execute(select(Battle.scenario).where(Battle.id == battle_id)).scalar_one())
        state = position(session, row, shown_turn(row))
        commitment = session.execute(
            select(Turn.commitment).where(Turn.battle_id == battle_id, Turn.turn == row.turn)
        ).scalar_one_or_none()
        seat_views = _seats(session, row, scenario, state, viewer, now)
        turn_lines = turns.lines(session, row, viewer, limit=TURNS_SHOWN)
        log_lines = logbook.shown(session, row, viewer, limit=LOG_SHOWN)
        known = masters.masters(session, battle_id)
    outcome = row.ruleset.outcome(state)
    return BattleView(
        id=row.id,
        title=row.title,
        ruleset=row.ruleset,
        scenario=scenario,
        status=row.status,  # type: ignore[arg-type]
        turn=row.turn,
        version=row.version,
        deadline=row.deadline,
        zone=row.zone,
        turn_hours=row.turn_hours,
        review=row.review,
        early=row.early,
        given_seed=row.given_seed,
        seed_commitment=commitment or "",
        created_at=row.created_at,
        sides=tuple(
            SideView(side=key, name=side["name"], colour=side["colour"], points=outcome.points.get(key, 0))
            for key, side in scenario["sides"].items()
        ),
        seats=seat_views,
        turns=turn_lines,
        log=log_lines,
        rulings=scenario["rulings"],
        state=state if is_judge(row, viewer) else row.ruleset.view(state, seat_of(row, viewer)),
        outcome=outcome,
        schedule=row.schedule,
        pause=pausing.pause_of(row),
        asked_pause=pausing.asked_of(row),
        goes_on=clock.grace_ends(row.options, row.held_at) if row.status == "held" else None,
        ahead=tuple(due.deadline for due in timing.times_of(row, now).ahead),
        options=row.options,
        line=row.line,
        masters=known,
        talk=row.talk,
    )


def _seats(
    session: Session, battle: BattleRow, scenario: Json, state: Any, viewer: Viewer, now: datetime
) -> tuple[SeatView, ...]:
    is_past = battle.status == "open" and battle.deadline is not None and battle.deadline <= now
    requests = asked(battle, state) if battle.status in AWAITING and not is_past else {}
    last = last_revisions(session, battle.id, battle.turn)
    away = passes.leaves(session, battle.id, now)
    return tuple(
        _seat(battle, scenario, row, requests.get(row.seat), last.get(row.seat), state, viewer, away.get(row.seat))
        for row in seats(session, battle.id)
    )


def _seat(
    battle: BattleRow,
    scenario: Mapping[str, Any],
    row: SeatRow,
    request: Request | None,
    last: Last | None,
    state: Any,
    viewer: Viewer,
    leave: LeaveView | None,
) -> SeatView:
    ordered, controlled = None, None
    ruleset = battle.ruleset
    if ruleset.tally and request and (is_judge(battle, viewer) or is_seat(battle, viewer, row.seat)):
        controlled = ruleset.tally(state, request, None)[1]
        ordered = last.ordered if last else 0
    return SeatView(
        seat=row.seat,
        side=row.side,
        name=scenario["contingents"][row.seat]["name"],
        holder=row.holder,
        awaited=request is not None,
        entered=last is not None and not last.is_empty,
        ready=is_ready(row, battle.turn, last),
        digest=last.digest if last and not last.is_empty else None,
        revision=last.revision if last else 0,
        ordered=ordered,
        controlled=controlled,
        is_vacant=row.vacant_at is not None,
        offered_at=row.offered_at,
        program=row.program,
        leave=leave,
        doctrine_digest=row.doctrine_digest,
        arms=row.arms,
    )
