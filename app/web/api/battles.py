"""A battle made, and a battle seen."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body

from app.engine.ruleset import Json
from app.language import pick
from app.referee import battles, scenarios
from app.referee.errors import RefereeError
from app.referee.schedule import made as made_schedule
from app.referee.views import BattleView, SeatView
from app.web.api import battlemodels, examples
from app.web.api.document import KEYED, PUBLIC_VIEW, BattleId, refusals
from app.web.api.reading import OneOfEach
from app.web.api.who import Anyone, Known
from app.web.house import Here, House, Language
from app.web.reply import Reply, moment

BAD = ("bad-title", "bad-ruling", "bad-deadline", "bad-schedule", "bad-seed")
router = APIRouter(tags=["battles"], route_class=OneOfEach)


@router.post(
    "/api/v1/battles",
    summary="Make a battle",
    operation_id="makeBattle",
    openapi_extra=KEYED,
    status_code=201,
    response_model=battlemodels.Made,
    responses=refusals(
        "not-json", "bad-request", "no-key", "not-yours", "no-scenario", "too-large", "bad-body", "bad-scenario", *BAD
    ),
)
def make(
    here: Here, who: Known, body: Annotated[battlemodels.NewBattle, Body(openapi_examples=examples.NEW_BATTLE)]
) -> Reply:
    """Needs an account's token; that account is the battle's game master. Keys are told in this answer and never again, save
    to whoever shows the desk's key."""
    if who.kind != "account" or who.account_id is None:
        raise RefereeError("not-yours")
    when = body.deadlines or battlemodels.Deadlines()
    made = battles.create(
        here.db,
        scenario=_scenario(body),
        now=here.now(),
        title=body.title,
        rulings=body.rulings,
        deadline=when.first,
        planned=made_schedule(when.hours, when.times, when.skip),
        zone=when.zone,
        review=body.review,
        early=body.early,
        seed=body.seed,
        account_id=who.account_id,
    )
    url = here.link(f"/b/{made.id}")
    desk = {"key": made.master_key, "url": here.link(f"/k/{made.master_key}")}
    seats = [{"seat": seat, "key": key, "url": here.link(f"/k/{key}")} for seat, key in made.seat_keys.items()]
    headers = {"Location": here.link(f"/api/v1/battles/{made.id}"), "Cache-Control": "no-store"}
    return Reply({"id": made.id, "url": url, "desk": desk, "seats": seats}, 201, headers)


@router.get(
    "/api/v1/battles/{id}",
    summary="A battle as it stands",
    operation_id="battle",
    openapi_extra=PUBLIC_VIEW,
    response_model=battlemodels.Battle,
    responses=refusals("no-key", "no-battle"),
)
def stands(here: Here, who: Anyone, language: Language, battle_id: BattleId) -> Reply:
    """`state` is the position at the opening of the open turn, cut to what the caller may know."""
    view = battles.battle(here.db, battle_id, who, here.now())
    headers = {"Content-Language": language, "Cache-Control": "no-cache", "Vary": "Accept-Language, Authorization"}
    return Reply(battle_json(view, here, language), headers=headers)


def battle_json(view: BattleView, here: House, language: str) -> Json:
    """A battle as the contract has it."""
    return {
        "id": view.id,
        "url": here.link(f"/b/{view.id}"),
        "title": view.title,
        "ruleset": view.ruleset.key,
        "version": view.ruleset.version,
        "status": view.status,
        "turn": view.turn,
        "deadline": moment(view.deadline),
        "zone": view.zone,
        "sides": [
            {"side": s.side, "name": pick(s.name, language), "colour": s.colour, "points": s.points} for s in view.sides
        ],
        "seats": [
            {
                "seat": s.seat,
                "side": s.side,
                "name": pick(s.name, language),
                "holder": s.holder,
                "awaited": s.awaited,
                "entered": s.entered,
                "ready": s.ready,
                "digest": s.digest,
                "revision": s.revision,
                **absence_json(s),
            }
            for s in view.seats
        ],
        "state": view.ruleset.dump_state(view.state),
        "outcome": outcome_json(view),
        "rulings": dict(view.rulings),
        "seed_commitment": view.seed_commitment,
        "given_seed": view.given_seed,
        "last_published": view.last_published,
    }


def absence_json(seat: SeatView) -> dict[str, Any]:
    """What is told of a seat that has no holder, is offered, filled by a program, on leave, or has a doctrine: each key only
    where there is something."""
    leave = seat.leave
    found = {
        "vacant": seat.is_vacant,
        "offered_at": moment(seat.offered_at),
        "program": seat.program,
        "doctrine_digest": seat.doctrine_digest,
        "leave": leave
        and {
            "begins": moment(leave.begins_at),
            "ends": moment(leave.ends_at),
            "zone": leave.zone,
            "deputy": leave.deputy,
            "deputy_seat": leave.deputy_seat,
        },
    }
    return {name: value for name, value in found.items() if value}


def outcome_json(view: BattleView) -> dict[str, Any]:
    return {"winner": view.outcome.winner, "points": dict(view.outcome.points), "goal": view.outcome.goal}


def _scenario(body: battlemodels.NewBattle) -> Json:
    if body.scenario is not None:
        return scenarios.frozen(body.scenario)
    return scenarios.read_file(body.scenario_file)
