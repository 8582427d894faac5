"""The game master's judgement: rulings, the way back to the start of a turn, and what was left behind."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Path, Request, Response
from pydantic import BeforeValidator

from app.engine.ruleset import Ruling
from app.referee import moderation, rewinding
from app.referee.logbook import moment
from app.web.api import battlemodels, examples, fields, recordmodels, rulingmodels
from app.web.api.document import KEYED, OPEN, BattleId, TurnNumber, digits, refusals
from app.web.api.reading import OneOfEach
from app.web.api.turns import JSON_TYPE, stands
from app.web.api.who import Known
from app.web.house import Here
from app.web.reply import Reply, as_bytes, kept

router = APIRouter(tags=["turns"], route_class=OneOfEach)
LineNumber = Annotated[
    int,
    Path(alias="line", description="The number of a line that was left.", ge=1, le=fields.MOST_TURNS, examples=[1]),
    BeforeValidator(digits),
]
GIVEN = ("not-json", "bad-request", "no-key", "not-yours", "no-battle")


@router.post(
    "/api/v1/battles/{id}/rulings",
    summary="Correct the open turn, or the turn under review",
    operation_id="rule",
    openapi_extra=KEYED,
    response_model=battlemodels.Stands,
    responses=refusals(
        *GIVEN, "closed", "stale", "not-under-review", "plays-himself", "too-large", "bad-body", "bad-ruling"
    ),
)
def rule(
    here: Here,
    who: Known,
    battle_id: BattleId,
    body: Annotated[rulingmodels.NewRuling, Body(openapi_examples=examples.RULING)],
) -> Reply:
    """For the game master; logged for all with its reason. Each change is an event of its own in the turn's record. A die
    that is rolled again, and an event that is set aside, are of the turn under review."""
    reason, number, now = body.reason, body.rule, here.now()
    if body.reroll is not None:
        moderation.reroll(here.db, battle_id, who, address=body.reroll, reason=reason, rule=number, now=now)
    elif body.set_aside is not None:
        event, of = body.set_aside.event, body.set_aside.of
        moderation.set_aside(here.db, battle_id, who, event=event, of=of, reason=reason, rule=number, now=now)
    else:
        moderation.rule(here.db, battle_id, who, Ruling(tuple(body.changes or ()), reason, number), now)
    return stands(here, battle_id, who)


@router.post(
    "/api/v1/battles/{id}/rewind",
    summary="Take the battle back to the start of a turn",
    operation_id="rewind",
    openapi_extra=KEYED,
    response_model=battlemodels.Stands,
    responses=refusals(*GIVEN, "no-turn", "stale", "publish-first", "too-large", "bad-body", "bad-ruling"),
)
def rewind(
    here: Here,
    who: Known,
    battle_id: BattleId,
    body: Annotated[rulingmodels.NewRewind, Body(openapi_examples=examples.REWIND)],
) -> Reply:
    """For the game master; told to all. What was played from there on is kept as a branch; sealed orders that were not
    published stay sealed for ever, and dice come from fresh secrets."""
    rewinding.rewind(here.db, battle_id, who, to=body.to, reason=body.reason, played=body.played, now=here.now())
    return stands(here, battle_id, who)


@router.get(
    "/api/v1/battles/{id}/branches",
    summary="The lines of a battle that were left",
    operation_id="branches",
    openapi_extra=OPEN,
    response_model=rulingmodels.Branches,
    responses=refusals("no-battle"),
)
def branches(here: Here, battle_id: BattleId) -> Reply:
    """Oldest first; a line more with each rewind, and with each line that is taken up again."""
    left = rewinding.branches(here.db, battle_id)
    told = [
        {
            "line": line.line,
            "back_to": line.back_to,
            "turn": line.turn,
            "status": line.status,
            "reason": line.reason,
            "left_at": moment(line.left_at),
            "taken_as": line.taken_as,
        }
        for line in left
    ]
    return Reply({"line": len(left) + 1, "branches": told}, headers={"Cache-Control": "no-cache"})


@router.get(
    "/api/v1/battles/{id}/branches/{line}/turns/{n}",
    summary="The record of a published turn of a line that was left",
    operation_id="branchRecord",
    openapi_extra=OPEN,
    response_model=recordmodels.Record,
    responses=refusals("no-battle", "no-branch", "no-turn"),
)
def branch_record(here: Here, request: Request, battle_id: BattleId, line: LineNumber, turn: TurnNumber) -> Response:
    """As everybody may know it, whoever asks; it verifies like any other."""
    return kept(request, as_bytes(rewinding.record(here.db, battle_id, line, turn)), JSON_TYPE)


@router.post(
    "/api/v1/battles/{id}/branches/{line}/take-up",
    summary="Go on from the end of a line that was left",
    operation_id="takeUp",
    openapi_extra=KEYED,
    response_model=battlemodels.Stands,
    responses=refusals(*GIVEN, "no-branch", "stale", "publish-first", "too-large", "bad-body", "bad-ruling"),
)
def take_up(
    here: Here,
    who: Known,
    battle_id: BattleId,
    line: LineNumber,
    body: Annotated[rulingmodels.TakeUp, Body(openapi_examples=examples.TAKE_UP)],
) -> Reply:
    """For the game master; told to all. The line that was played is kept as a branch in its turn. The open turn opens anew:
    orders that were sealed in it stay sealed."""
    rewinding.take_up(here.db, battle_id, who, line=line, reason=body.reason, played=body.played, now=here.now())
    return stands(here, battle_id, who)
