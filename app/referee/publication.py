"""What is made known of a resolved turn: its publication, its events and positions, its record with the proof."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from app.engine.events import addresses
from app.engine.ruleset import Json
from app.referee import clock, doctrines, logbook, moderation, notices, outbox, sayings, seen, turns
from app.referee.access import is_judge, master_only, seat_of
from app.referee.errors import RefereeError
from app.referee.logbook import moment
from app.referee.rows import BattleRow, battle_row, change, dumps, loads, locked, position, position_json
from app.referee.sheets import Sealed, sealed
from app.referee.turnviews import RulingView, TurnView
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Battle, Events, Ruling, State, Turn

RECORD_FORMAT = 1


def publish(db: Database, battle_id: str, viewer: Viewer, *, turn: int, now: datetime, before: str | None = None) -> None:
    """Make the draft under review known to all, and open the next turn, whose deadline keeps to the schedule. `before`: the
    draft as he read it (`seen.rulings`); None: whatever another game master has ruled since.
    Raises `RefereeError`: no-battle, not-yours, not-under-review, stale."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        if battle.status != "review":
            raise RefereeError("not-under-review", current={"turn": battle.turn})
        seen.check(battle, seen.rulings(session, battle), before)
        if turn != battle.turn:
            raise RefereeError("stale", current={"turn": battle.turn})
        state = position(session, battle, turn + 1)
        outcome = battle.ruleset.outcome(state)
        known = {"points": dumps(dict(outcome.points)), "winner": outcome.winner}
        is_over = not battle.ruleset.requests(state)
        if is_over:
            change(session, battle, status="over", deadline=None, **known)
        else:
            change(session, battle, status="open", turn=turn + 1, **known, **clock.opening(battle, now))
        session.execute(
            update(Turn)
            .where(Turn.battle_id == battle_id, Turn.turn == turn)
            .values(published_at=now)
            .execution_options(synchronize_session=False)
        )
        if not is_over:
            turns.open_turn(session, battle_id, turn + 1, battle.given_seed, now, line=battle.line)
        logbook.note(session, battle_id, turn, "master", "published", now, by=viewer)
        outbox.announce(session, battle_id, turn, now)
        notices.tell_of_turn(session, battle_id, turn, now)
        moderation.tell_of_rulings(session, battle, now, turn=turn, stage="review")


def turn(db: Database, battle_id: str, turn: int | Literal["latest"], viewer: Viewer) -> TurnView:
    """A published turn, or the one under review for its game master, cut to what the viewer may know.
    Raises `RefereeError`: no-battle, no-turn."""
    with db.read() as session:
        return turn_of(session, battle_row(session, battle_id), turn, viewer)


def turn_of(session: Session, battle: BattleRow, turn: int | Literal["latest"], viewer: Viewer) -> TurnView:
    """`turn`, in the caller's transaction."""
    battle_id = battle.id
    last_published = session.execute(
        select(func.max(Turn.turn)).where(Turn.battle_id == battle_id, Turn.published_at.is_not(None))
    ).scalar_one()
    row = _resolved(session, battle, turn, viewer)
    scenario = session.execute(select(Battle.scenario).where(Battle.id == battle_id)).scalar_one()
    before = position(session, battle, row.turn)
    made = [_ruling(battle, found) for found in session.execute(_rulings(battle.id, row.turn))]
    corrected = any(ruling.stage == "open" for ruling in made)
    opening = _as_it_opened(session, battle, row.turn) if corrected else before
    after = battle.ruleset.load_state(loads(_end(session, battle_id, row.turn)))
    told = _events(session, battle, row.turn, viewer)
    sheets = sealed(session, battle, row.turn, viewer)
    ruleset = battle.ruleset
    if not is_judge(battle, viewer):
        seat = seat_of(battle, viewer)
        before, after, opening = ruleset.view(before, seat), ruleset.view(after, seat), ruleset.view(opening, seat)
    return TurnView(
        battle_id=battle_id,
        title=battle.title,
        ruleset=ruleset,
        scenario=loads(scenario),
        turn=row.turn,
        published_at=row.published_at,
        resolved_at=row.resolved_at,
        resolved_by=row.resolved_by,
        before=before,
        after=after,
        events=tuple(told),
        points=loads(row.points),
        winner=row.winner,
        last_published=last_published or 0,
        orders={seat: loads(sheet.orders) for seat, sheet in sheets.items() if not sheet.is_empty},
        opening=opening,
        rulings=tuple(made),
        by_others=_by_others(sheets.values(), doctrines.read(row.doctrines)),
        on_behalf=tuple(seat for seat, sheet in sheets.items() if sheet.entered_by == "master"),
        sayings=sayings.of_turn(session, battle, row.turn, viewer),
    )


def record(db: Database, battle_id: str, turn: int | Literal["latest"], viewer: Viewer) -> Json:
    """The record of a turn, by which anyone may check it: `before`, the sheets' orders and the seed give `after`.

    `before` holds the rulings of the open turn, `events` and `after` those on the draft under review. Where a ruleset
    keeps things hidden, they are left out while the battle goes on, and the record replays when it is over: of a turn in
    which something was told to some alone, also the seed (empty), by which hidden dice could be rolled again.
    Raises `RefereeError`: no-battle, no-turn.
    """
    with db.read() as session:
        return record_of(session, battle_row(session, battle_id), turn, viewer)


def record_of(session: Session, battle: BattleRow, turn: int | Literal["latest"], viewer: Viewer) -> Json:
    """`record`, in the caller's transaction."""
    row = _resolved(session, battle, turn, viewer)
    number = row.turn
    before, after = position_json(session, battle.id, number), loads(_end(session, battle.id, number))
    stored = session.execute(
        select(Events.body, Events.dice).where(Events.battle_id == battle.id, Events.turn == number)
    ).one()
    events, dice, withheld = loads(stored.body), loads(stored.dice), False
    if battle.status != "over" and not is_judge(battle, viewer):
        before, after = cut(battle, before, viewer), cut(battle, after, viewer)
        told = _events(session, battle, number, viewer)
        withheld = len(told) != len(events)
        if withheld:
            events = [battle.ruleset.dump_event(event) for event in told]
            dice = {address: faces for address, faces in dice.items() if address in addresses(told)}
    counted = {(seat, request, revision) for seat, request, revision in loads(row.counted)}
    sheets = [
        sheet
        for sheet in sealed(session, battle, number, viewer).values()
        if (sheet.seat, sheet.request, sheet.revision) in counted
    ]
    rulings = [ruling_json(made) for made in session.execute(_rulings(battle.id, number))]
    return {
        "format": RECORD_FORMAT,
        "battle": battle.sealed_as,
        "ruleset": battle.ruleset.key,
        "version": row.version,
        "turn": number,
        "seed": {"secret": "", "seed": ""} if withheld else {"secret": row.secret.hex(), "seed": row.seed},
        "seed_commitment": row.commitment,
        "sheets": [
            {
                "seat": sheet.seat,
                "request": sheet.request,
                "revision": sheet.revision,
                "entered_at": moment(sheet.entered_at),
                "entered_by": sheet.entered_by,
                **({"entered_name": sheet.entered_name} if sheet.entered_name else {}),
                "orders": loads(sheet.orders),
                "nonce": sheet.nonce,
                "digest": sheet.digest,
            }
            for sheet in sheets
        ],
        **({"doctrines": followed} if (followed := doctrines.read(row.doctrines)) else {}),
        "before": before,
        "events": events,
        "dice": dice,
        "after": after,
        "points": loads(row.points),
        "winner": row.winner,
        "rulings": rulings,
        "resolved_at": moment(row.resolved_at),
        "resolved_by": row.resolved_by,
        "published_at": moment(row.published_at),
    }


def _by_others(sheets: Iterable[Sealed], followed: list[Json]) -> tuple[tuple[str, str, str], ...]:
    entered = [
        (sheet.seat, "shared" if sheet.entered_by == "seat" else sheet.entered_by, sheet.entered_name or "")
        for sheet in sheets
        if sheet.entered_by in ("deputy", "program") or (sheet.entered_by == "seat" and sheet.entered_name)
    ]
    return (*entered, *((one["seat"], "doctrine", one["doctrine"]) for one in followed))


def _resolved(session: Session, battle: BattleRow, turn: int | Literal["latest"], viewer: Viewer) -> Any:
    shown = Turn.resolved_at if is_judge(battle, viewer) else Turn.published_at
    query = select(
        Turn.turn,
        Turn.secret,
        Turn.commitment,
        Turn.resolved_at,
        Turn.resolved_by,
        Turn.published_at,
        Turn.seed,
        Turn.counted,
        Turn.points,
        Turn.winner,
        Turn.version,
        Turn.doctrines,
    ).where(Turn.battle_id == battle.id, shown.is_not(None))
    if turn == "latest":
        query = query.order_by(Turn.turn.desc()).limit(1)
    else:
        query = query.where(Turn.turn == turn)
    row = session.execute(query).one_or_none()
    if row is None:
        raise RefereeError("no-turn")
    return row


def _end(session: Session, battle_id: str, turn: int) -> str:
    """The state with which a turn ended, before any ruling of the turn after it."""
    return session.execute(select(State.body).where(State.battle_id == battle_id, State.turn == turn + 1)).scalar_one()


def _events(session: Session, battle: BattleRow, turn: int, viewer: Viewer) -> list[Any]:
    """The events of a turn that a viewer is told."""
    body = session.execute(select(Events.body).where(Events.battle_id == battle.id, Events.turn == turn)).scalar_one()
    events = [battle.ruleset.load_event(event) for event in loads(body)]
    if is_judge(battle, viewer):
        return events
    seat = seat_of(battle, viewer)
    told = []
    for event in events:
        audience = battle.ruleset.audience(event)
        if audience is None or seat in audience:
            told.append(event)
    return told


def cut(battle: BattleRow, stored: Json, viewer: Viewer) -> Json:
    """A position as a viewer may know it; as it is stored, where nothing is hidden from him."""
    ruleset = battle.ruleset
    state = ruleset.load_state(stored)
    view = ruleset.view(state, seat_of(battle, viewer))
    return stored if view is state or view == state else ruleset.dump_state(view)


def _rulings(battle_id: str, turn: int) -> Any:
    return select(*RULING_COLUMNS).where(Ruling.battle_id == battle_id, Ruling.turn == turn).order_by(Ruling.id)


RULING_COLUMNS = (
    *(Ruling.changes, Ruling.reason, Ruling.rule, Ruling.stage),
    *(Ruling.events, Ruling.made_at, Ruling.kind, Ruling.facts),
)


def _ruling(battle: BattleRow, made: Any) -> RulingView:
    told = tuple(battle.ruleset.load_event(event) for event in loads(made.events))
    return RulingView(made.kind, made.stage, made.reason, made.rule, told, loads(made.facts), made.made_at)


def _as_it_opened(session: Session, battle: BattleRow, turn: int) -> Any:
    """The position of a turn before any ruling upon it."""
    query = select(State.body).where(State.battle_id == battle.id, State.turn == turn)
    return battle.ruleset.load_state(loads(session.execute(query).scalar_one()))


def ruling_json(made: Any) -> Json:
    """A ruling as a record tells it: `kind` and `facts` only of one that is no plain amendment."""
    more = {} if made.kind == "amend" else {"kind": made.kind, "facts": loads(made.facts)}
    return {
        "changes": loads(made.changes),
        "reason": made.reason,
        "rule": made.rule,
        "stage": made.stage,
        "events": loads(made.events),
        "made_at": moment(made.made_at),
        **more,
    }
