"""A side's plan of the open turn: what its commanders have entered, what they should see in it, what they draw.

A seat sees its own; those of its side too if the battle shares plans. Nobody else is told that there is anything.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Literal

from sqlalchemy import bindparam, delete, func, insert, select
from sqlalchemy.orm import Session

from app.engine.glance import Glance
from app.engine.ruleset import AnyRuleset, Json, Refused, Request
from app.referee.access import is_seat, seat_only
from app.referee.errors import RefereeError
from app.referee.rows import (
    AWAITING,
    BattleRow,
    asked,
    battle_row,
    dumps,
    is_storable,
    loads,
    locked,
    position,
    run,
    seat_row,
)
from app.referee.sheets import Allies, allies, last_revisions, sealed
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import BATTLES, DRAWINGS, Battle

Kind = Literal["arrow", "mark", "note"]
KINDS: tuple[Kind, ...] = ("arrow", "mark", "note")
MOST_DRAWINGS = 30
"""Of a seat in a turn."""
MOST_CELLS = 12
"""That an arrow leads over."""
LONGEST_NOTE = 120
"""Characters."""


@dataclass(frozen=True)
class Ally:
    """A seat of the side. `orders`: as last entered, {} for nothing yet; `entered_at` is None then."""

    seat: str
    revision: int
    entered_at: datetime | None
    orders: Json


@dataclass(frozen=True)
class DrawingView:
    id: str
    seat: str
    kind: Kind
    cells: tuple[str, ...]
    text: str
    drawn_at: datetime


@dataclass(frozen=True)
class PlanView:
    """What a seat may know of its side's plan. `is_open`: orders are awaited, so that something can be drawn."""

    turn: int
    is_open: bool
    is_shared: bool
    mark: str
    """Changes whenever anything here does."""
    allies: tuple[Ally, ...]
    """The other seats of the side whose orders may be known."""
    glance: Glance
    drawings: tuple[DrawingView, ...]


_DRAWINGS = (
    select(*(DRAWINGS.c[name] for name in ("id", "seat", "kind", "cells", "text", "drawn_at")))
    .join_from(DRAWINGS, BATTLES, (BATTLES.c.id == DRAWINGS.c.battle_id) & (BATTLES.c.line == DRAWINGS.c.line))
    .where(
        DRAWINGS.c.battle_id == bindparam("battle"),
        DRAWINGS.c.turn == bindparam("turn"),
        DRAWINGS.c.seat.in_(bindparam("seats", expanding=True)),
    )
    .order_by(DRAWINGS.c.drawn_at, DRAWINGS.c.id)
)


def plan(db: Database, battle_id: str, seat: str, viewer: Viewer, *, fields: Json | None = None) -> PlanView:
    """The plan as the holder of a seat may see it. `fields`: his orders as they stand on his page, in place of those that he
    has entered; a unit whose order is refused has none. Raises `RefereeError`: no-battle, no-seat, not-yours (the game
    master too)."""
    with db.read() as session:
        battle = _of_seat(session, battle_id, seat, viewer)
        known = allies(session, battle, battle.turn, viewer)
        sheets = sealed(session, battle, battle.turn, Allies(viewer))
        drawn = drawings(session, battle, viewer)
        is_open = battle.status in AWAITING
        state = position(session, battle, battle.turn) if is_open else None
    orders = {one: loads(sheet.orders) for one, sheet in sheets.items()}
    return PlanView(
        turn=battle.turn,
        is_open=is_open,
        is_shared=battle.options.shared_plan,
        mark=_mark(battle, {one: sheet.revision for one, sheet in sheets.items()}, [one.id for one in drawn]),
        allies=tuple(
            Ally(one, sheets[one].revision, sheets[one].entered_at, orders[one]) if one in sheets else Ally(one, 0, None, {})
            for one in known
            if one != seat
        ),
        glance=_glance(battle, state, known, orders, seat, fields) if is_open else Glance(),
        drawings=drawn,
    )


def mark(db: Database, battle_id: str, seat: str, viewer: Viewer) -> str:
    """`PlanView.mark` without the plan: reads no orders. Raises as `plan` does."""
    with db.read() as session:
        battle = _of_seat(session, battle_id, seat, viewer)
        known = allies(session, battle, battle.turn, viewer)
        last = last_revisions(session, battle_id, battle.turn)
        drawn = drawings(session, battle, viewer)
    return _mark(battle, {one: last[one].revision for one in known if one in last}, [one.id for one in drawn])


def drawings(session: Session, battle: BattleRow, viewer: Viewer) -> tuple[DrawingView, ...]:
    """The one function that reads what was drawn: on the open turn, by the seats whose plan the viewer may know."""
    known = allies(session, battle, battle.turn, viewer)
    if not known or battle.status not in AWAITING:
        return ()
    rows = run(session, _DRAWINGS, battle=battle.id, turn=battle.turn, seats=known)
    return tuple(DrawingView(row.id, row.seat, row.kind, tuple(loads(row.cells)), row.text, row.drawn_at) for row in rows)


def draw(
    db: Database,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    *,
    turn: int,
    kind: str,
    cells: tuple[str, ...],
    text: str = "",
    now: datetime,
) -> str:
    """Draw something on the plan of the open turn; gives its id. Raises `RefereeError`: no-battle, no-seat, not-yours,
    not-open, stale (another turn), bad-drawing, many-drawings."""
    with db.write() as session:
        battle = _written(session, battle_id, seat, viewer, turn, now)
        _sound(battle, session, kind, cells, text)
        mine = select(func.count()).where(
            DRAWINGS.c.battle_id == battle_id, DRAWINGS.c.turn == turn, DRAWINGS.c.seat == seat
        )
        if session.execute(mine).scalar_one() >= MOST_DRAWINGS:
            raise RefereeError("many-drawings", params={"most": MOST_DRAWINGS})
        line = session.execute(select(Battle.line).where(Battle.id == battle_id)).scalar_one()
        values = {"battle_id": battle_id, "line": line, "turn": turn, "seat": seat, "kind": kind, "text": text}
        key = secrets.token_hex(8)
        session.execute(insert(DRAWINGS).values(id=key, **values, cells=dumps(cells), drawn_at=now))
    return key


def erase(db: Database, battle_id: str, seat: str, viewer: Viewer, *, turn: int, drawing: str, now: datetime) -> None:
    """Take one of the seat's own drawings away; one that is gone already, or another's, is left as it is. Raises
    `RefereeError`: no-battle, no-seat, not-yours, not-open, stale."""
    with db.write() as session:
        _written(session, battle_id, seat, viewer, turn, now)
        own = (DRAWINGS.c.id == drawing, DRAWINGS.c.battle_id == battle_id, DRAWINGS.c.seat == seat, DRAWINGS.c.turn == turn)
        session.execute(delete(DRAWINGS).where(*own))


def _of_seat(session: Session, battle_id: str, seat: str, viewer: Viewer) -> BattleRow:
    battle = battle_row(session, battle_id)
    seat_row(session, battle_id, seat)
    if not is_seat(battle, viewer, seat):
        raise RefereeError("not-yours")
    return battle


def _written(session: Session, battle_id: str, seat: str, viewer: Viewer, turn: int, now: datetime) -> BattleRow:
    """The battle, locked: whoever draws may do so now."""
    battle = locked(session, battle_id)
    seat_row(session, battle_id, seat)
    seat_only(session, battle, viewer, seat, now)
    if battle.status not in AWAITING:
        raise RefereeError("not-open")
    if turn != battle.turn:
        raise RefereeError("stale", current={"turn": battle.turn})
    return battle


def _sound(battle: BattleRow, session: Session, kind: str, cells: tuple[str, ...], text: str) -> None:
    """Raises `RefereeError("bad-drawing")`."""
    has_cells = 2 <= len(cells) <= MOST_CELLS if kind == "arrow" else len(cells) == 1
    is_said = len(text) <= LONGEST_NOTE and (text.isprintable() or not text) and (kind != "note" or bool(text.strip()))
    if kind not in KINDS or not has_cells or not is_said or not all(map(is_storable, cells)):
        raise RefereeError("bad-drawing", params={"cells": MOST_CELLS, "most": LONGEST_NOTE})
    scenario = loads(session.execute(select(Battle.scenario).where(Battle.id == battle.id)).scalar_one())
    ruleset = battle.ruleset
    view = ruleset.view(position(session, battle, battle.turn), None)
    board = {cell.label for cell in ruleset.scene(view, "en", scenario).cells}
    repeats = any(one == other for one, other in pairwise(cells))
    if repeats or not board.issuperset(cells):
        raise RefereeError("bad-drawing", params={"cells": MOST_CELLS, "most": LONGEST_NOTE})


def _mark(battle: BattleRow, revisions: Mapping[str, int], drawn: list[str]) -> str:
    told = repr((battle.version, battle.turn, sorted(revisions.items()), drawn))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _glance(
    battle: BattleRow, state: Any, known: tuple[str, ...], orders: Mapping[str, Json], seat: str, fields: Json | None
) -> Glance:
    ruleset = battle.ruleset
    if ruleset.glance is None:
        return Glance()
    answers: dict[str, Any] = {}
    for one, request in asked(battle, state).items():
        if one not in known:
            continue
        if one == seat and fields is not None:
            answers[one] = _as_far_as_it_goes(ruleset, state, request, fields)
        else:
            answers[one] = ruleset.load_order(orders[one]) if one in orders else ruleset.read(state, request, {})
    return ruleset.glance(ruleset.view(state, seat), answers) if answers else Glance()


def _as_far_as_it_goes(ruleset: AnyRuleset, state: Any, request: Request, fields: Json) -> Any:
    """What the fields say, without the units whose orders are refused (a refused part takes its unit's order with it)."""
    left = dict(fields) if isinstance(fields, dict) else {}
    for _ in range(2):
        try:
            order = ruleset.read(state, request, left)
        except Refused as refused:
            wrong = {problem.field[0] for problem in refused.problems if problem.field}
        else:
            wrong = {problem.field[0] for problem in ruleset.check(state, request, order) if not problem.warning}
            if not wrong:
                return order
        if not wrong:
            break
        left = {unit: part for unit, part in left.items() if unit not in wrong}
    return ruleset.read(state, request, {})
