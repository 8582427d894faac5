"""A side's plan of the open turn, for its commanders alone."""

from __future__ import annotations

from fastapi import APIRouter

from app.referee import plans
from app.reports import glance
from app.web.api import models
from app.web.api.document import KEYED, BattleId, SeatId, refusals
from app.web.api.house import Here, Language
from app.web.api.reply import Reply, moment
from app.web.api.who import Known

router = APIRouter(prefix="/api/v1/battles/{id}/seats/{seat}", tags=["sheets"])


@router.get(
    "/plan",
    summary="What a seat may know of its side's plan for the open turn",
    operation_id="plan",
    openapi_extra=KEYED,
    response_model=models.Plan,
    responses=refusals("no-key", "not-yours", "no-battle", "no-seat"),
)
def read(here: Here, who: Known, language: Language, battle_id: BattleId, seat: SeatId) -> Reply:
    """For that seat alone. `allies` are the other seats of its side, if the battle shares plans (`shared`); `findings` what
    should be looked at in the orders that are known, `movement` who goes when, `enemies` those who may go among them, by
    speed. Nothing of it is ever told to the other side or to the public; the game master may not ask this."""
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
        headers={"Cache-Control": "no-store", "Content-Language": language},
    )
