"""The game master's rulings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body

from app.engine.ruleset import Ruling
from app.referee import moderation
from app.web.api import examples, models
from app.web.api.document import KEYED, BattleId, refusals
from app.web.api.house import Here
from app.web.api.reply import Reply
from app.web.api.turns import stands
from app.web.api.who import Known

router = APIRouter(tags=["turns"])


@router.post(
    "/api/v1/battles/{id}/rulings",
    summary="Correct the open turn, or the turn under review",
    operation_id="rule",
    openapi_extra=KEYED,
    response_model=models.Stands,
    responses=refusals(
        *("not-json", "bad-request", "no-key", "not-yours", "no-battle", "closed", "too-large"), *("bad-body", "bad-ruling")
    ),
)
def rule(
    here: Here, who: Known, battle_id: BattleId, body: Annotated[models.NewRuling, Body(openapi_examples=examples.RULING)]
) -> Reply:
    """For the game master; logged for all with its reason. Each change is an event of its own in the turn's record."""
    ruling = Ruling(tuple(body.changes), body.reason, body.rule)
    moderation.rule(here.db, battle_id, who, ruling, here.now())
    return stands(here, battle_id, who)
