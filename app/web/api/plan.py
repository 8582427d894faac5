"""A side's plan of the open turn, for its commanders alone."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query
from pydantic import BeforeValidator

from app.referee import plans
from app.referee.views import Viewer
from app.reports import glance
from app.web.api import examples, fields, planmodels
from app.web.api.document import KEYED, BattleId, SeatId, digits, refusals
from app.web.api.reading import OneOfEach
from app.web.api.who import Known
from app.web.house import Here, House, Language
from app.web.reply import Reply, moment

router = APIRouter(prefix="/api/v1/battles/{id}/seats/{seat}", tags=["sheets"], route_class=OneOfEach)
SEEN = ("no-key", "not-yours", "no-battle", "no-seat")
DrawingId = Annotated[
    str, Path(alias="drawing", description="The `id` of a drawing.", pattern="^[0-9a-f]{1,32}$", examples=["5f0c"])
]
Turn = Annotated[int, Query(ge=1, le=fields.MOST_TURNS, description="The open turn.", examples=[1]), BeforeValidator(digits)]


@router.get(
    "/plan",
    summary="What a seat may know of its side's plan for the open turn",
    operation_id="plan",
    openapi_extra=KEYED,
    response_model=planmodels.Plan,
    responses=refusals(*SEEN),
)
def read(here: Here, who: Known, language: Language, battle_id: BattleId, seat: SeatId) -> Reply:
    """For that seat alone. `allies` are the other seats of its side, if the battle shares plans (`shared`); `findings` what
    should be looked at in the orders that are known, `movement` who goes when, `enemies` those who may go among them, by
    speed. Nothing of it is ever told to the other side or to the public; the game master may not ask this."""
    return _told(here, who, language, battle_id, seat)


@router.post(
    "/plan/drawings",
    summary="Draw an arrow, a mark or a note on the side's plan",
    operation_id="draw",
    openapi_extra=KEYED,
    status_code=201,
    response_model=planmodels.Plan,
    responses=refusals(
        *SEEN, "not-json", "bad-request", "too-large", "bad-body", "stale", "not-open", "bad-drawing", "many-drawings"
    ),
)
def draw(
    here: Here,
    who: Known,
    language: Language,
    battle_id: BattleId,
    seat: SeatId,
    body: Annotated[planmodels.NewDrawing, Body(openapi_examples=examples.NEW_DRAWING)],
) -> Reply:
    """Answers with the plan as it is then. A drawing is gone with its turn."""
    cells = tuple(body.cells)
    plans.draw(here.db, battle_id, seat, who, turn=body.turn, kind=body.kind, cells=cells, text=body.text, now=here.now())
    return _told(here, who, language, battle_id, seat, status=201)


@router.delete(
    "/plan/drawings/{drawing}",
    summary="Take one of the seat's own drawings away",
    operation_id="erase",
    openapi_extra=KEYED,
    response_model=planmodels.Plan,
    responses=refusals(*SEEN, "no-page", "too-large", "bad-body", "stale", "not-open"),
)
def erase(
    here: Here, who: Known, language: Language, battle_id: BattleId, seat: SeatId, drawing: DrawingId, turn: Turn
) -> Reply:
    """Answers with the plan as it is then. One that is gone already, or another seat's, is left as it is."""
    plans.erase(here.db, battle_id, seat, who, turn=turn, drawing=drawing, now=here.now())
    return _told(here, who, language, battle_id, seat)


def _told(here: House, who: Viewer, language: str, battle_id: str, seat: str, *, status: int = 200) -> Reply:
    plan = plans.plan(here.db, battle_id, seat, who)
    seen = plan.glance
    return Reply(
        {
            "turn": plan.turn,
            "open": plan.is_open,
            "shared": plan.is_shared,
            "allies": [
                {"seat": a.seat, "revision": a.revision, "entered_at": moment(a.entered_at), "orders": a.orders}
                for a in plan.allies
            ],
            "findings": [
                {
                    "code": one.code,
                    "unit": one.unit,
                    "others": list(one.others),
                    "cell": one.cell,
                    "rule": one.rule,
                    "sure": one.sure,
                    "text": glance.words(one, str, language),
                }
                for one in seen.findings
            ],
            "movement": [
                {
                    "phase": group.phase,
                    "speed": group.speed,
                    "length": group.length,
                    "units": list(group.units),
                    "retreats": list(group.retreats),
                }
                for group in seen.going
            ],
            "enemies": [{"speed": speed, "units": list(units)} for speed, units in seen.awaited],
            "drawings": [
                {
                    "id": one.id,
                    "seat": one.seat,
                    "kind": one.kind,
                    "cells": list(one.cells),
                    "text": one.text,
                    "drawn_at": moment(one.drawn_at),
                }
                for one in plan.drawings
            ],
        },
        status,
        headers={"Cache-Control": "no-store", "Content-Language": language},
    )
