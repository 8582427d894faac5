"""A battle's time: its schedule, the open turn's deadline, pauses."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Body

from app.engine.ruleset import Json
from app.referee import battles, pausing, timing
from app.referee.schedule import made, plain
from app.referee.views import BattleView, Viewer
from app.web.api import battlemodels, examples, timemodels
from app.web.api.document import KEYED, OPEN, BattleId, refusals
from app.web.api.reading import OneOfEach
from app.web.api.turns import stands
from app.web.api.who import Known
from app.web.house import Here, House
from app.web.reply import Reply, moment

router = APIRouter(tags=["time"], route_class=OneOfEach)
GIVEN = ("not-json", "bad-request", "no-key", "not-yours", "no-battle", "too-large", "bad-body")


@router.get(
    "/api/v1/battles/{id}/schedule",
    summary="When turns are due",
    operation_id="schedule",
    openapi_extra=OPEN,
    response_model=timemodels.Times,
    responses=refusals("no-battle"),
)
def schedule(here: Here, battle_id: BattleId) -> Reply:
    """`ahead`: the deadlines of the five turns after the open one, if each is resolved at its own. The same as a calendar:
    `/b/{id}/deadlines.ics`."""
    return _times(here, battle_id)


@router.put(
    "/api/v1/battles/{id}/schedule",
    summary="Change the schedule",
    operation_id="setSchedule",
    openapi_extra=KEYED,
    response_model=timemodels.Times,
    responses=refusals(*GIVEN, "closed", "paused", "bad-schedule", "bad-deadline"),
)
def set_schedule(
    here: Here,
    who: Known,
    battle_id: BattleId,
    body: Annotated[timemodels.NewSchedule, Body(openapi_examples=examples.SCHEDULE)],
) -> Reply:
    """For the game master; told to all. It holds from the next turn on; `at_once`: for the open one too."""
    chosen = made(body.hours, body.times, body.skip)
    timing.set_schedule(here.db, battle_id, who, chosen, here.now(), zone=body.zone, at_once=body.at_once)
    return _times(here, battle_id)


@router.post(
    "/api/v1/battles/{id}/deadline",
    summary="Move the open turn's deadline",
    operation_id="moveDeadline",
    openapi_extra=KEYED,
    response_model=timemodels.Times,
    responses=refusals(*GIVEN, "closed", "paused", "no-deadline", "pause-instead", "bad-deadline", "bad-reason"),
)
def move_deadline(
    here: Here,
    who: Known,
    battle_id: BattleId,
    body: Annotated[timemodels.NewDeadline, Body(openapi_examples=examples.DEADLINE)],
) -> Reply:
    """For the game master; told to all with the old and the new time."""
    if body.by_hours is not None:
        timing.extend(here.db, battle_id, who, timedelta(hours=body.by_hours), here.now(), reason=body.reason)
    else:
        timing.set_deadline(here.db, battle_id, who, body.deadline, here.now())
    return _times(here, battle_id)


@router.post(
    "/api/v1/battles/{id}/pause",
    summary="Pause the battle",
    operation_id="pause",
    openapi_extra=KEYED,
    response_model=timemodels.Times,
    responses=refusals(*GIVEN, "closed", "paused", "bad-deadline", "bad-reason"),
)
def pause(
    here: Here, who: Known, battle_id: BattleId, body: Annotated[timemodels.NewPause, Body(openapi_examples=examples.PAUSE)]
) -> Reply:
    """For the game master; told to all. One who plays in the battle himself only asks for it: `asked` in the answer."""
    pausing.pause(here.db, battle_id, who, here.now(), until=body.until, reason=body.reason)
    return _times(here, battle_id)


@router.post(
    "/api/v1/battles/{id}/pause/answer",
    summary="Agree to a pause that is asked for, or decline it",
    operation_id="answerPause",
    openapi_extra=KEYED,
    response_model=timemodels.Times,
    responses=refusals(*GIVEN, "no-pause", "bad-deadline"),
)
def answer_pause(
    here: Here,
    who: Known,
    battle_id: BattleId,
    body: Annotated[timemodels.PauseAnswer, Body(openapi_examples=examples.PAUSE_ANSWER)],
) -> Reply:
    """For any seat, and for a game master who does not play. It begins when a seat of each side has agreed, or that game
    master has; who asked for it can take it back (`agree` false)."""
    pausing.answer_pause(here.db, battle_id, who, here.now(), agree=body.agree)
    return _times(here, battle_id)


@router.post(
    "/api/v1/battles/{id}/go-on",
    summary="End a pause, or go on after an outage",
    operation_id="goOn",
    openapi_extra=KEYED,
    response_model=battlemodels.Stands,
    responses=refusals("no-key", "not-yours", "no-battle", "not-open", "too-large"),
)
def go_on(here: Here, who: Known, battle_id: BattleId) -> Reply:
    """For the game master; told to all. After a pause the turn has exactly what was left of its time."""
    pausing.go_on(here.db, battle_id, who, here.now())
    return stands(here, battle_id, who)


def times_json(view: BattleView) -> Json:
    """A battle's time as the contract has it."""
    paused, asked = view.pause, view.asked_pause
    return {
        "status": view.status,
        "turn": view.turn,
        "deadline": moment(view.deadline),
        "zone": view.zone,
        "schedule": plain(view.schedule),
        "ahead": [moment(at) for at in view.ahead],
        "paused": None
        if paused is None
        else {
            "since": moment(paused.since),
            "until": moment(paused.until),
            "left_seconds": None if paused.left is None else paused.left.total_seconds(),
        },
        "asked": None
        if asked is None
        else {"until": moment(asked.until), "reason": asked.reason, "agreed": list(asked.sides)},
    }


def _times(here: House, battle_id: str) -> Reply:
    view = battles.battle(here.db, battle_id, Viewer(), here.now())
    return Reply(times_json(view), headers={"Cache-Control": "no-cache"})
