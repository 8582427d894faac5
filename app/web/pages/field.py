"""What one unit of a seat may do now, for the field on which the orders are given. The page without it is whole."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.referee import battles
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.web.context import frame_of
from app.web.deps import Here, House
from app.web.fieldwords import told
from app.web.security import as_master, as_seat
from app.web.unitcards import Desk

router = APIRouter()


@router.get("/b/{battle_id}/seat/{seat}/unit/{unit}", include_in_schema=False)
def own(request: Request, here: Here, battle_id: str, seat: str, unit: str) -> Response:
    return _answer(request, here, as_seat(here, request, battle_id, seat), battle_id, seat, unit)


@router.get("/b/{battle_id}/desk/orders/{seat}/unit/{unit}", include_in_schema=False)
def on_behalf(request: Request, here: Here, battle_id: str, seat: str, unit: str) -> Response:
    return _answer(request, here, as_master(here, request, battle_id), battle_id, seat, unit)


def _answer(request: Request, here: House, viewer: Viewer | None, battle_id: str, seat: str, unit: str) -> Response:
    """Raises `RefereeError`: not-yours (of another seat, or no such unit), not-open, no-battle, no-page."""
    if viewer is None:
        raise RefereeError("not-yours")
    battle = battles.battle(here.db, battle_id, viewer, here.now())
    ruleset, frame = battle.ruleset, frame_of(request)
    if battle.status in {"review", "over"}:
        raise RefereeError("not-open")
    if ruleset.prospects is None:
        raise RefereeError("no-page")
    asked = next((one for one in ruleset.requests(battle.state) if one.seat == seat), None)
    if asked is None or unit not in {entry["id"] for entry in ruleset.options_json(battle.state, asked)}:
        raise RefereeError("not-yours")
    desk = Desk.of(battle, frame.words)
    answer = told(desk, ruleset.prospects(battle.state, unit))
    return JSONResponse(
        {"turn": battle.turn, **answer},
        headers={"cache-control": "private, no-cache", "vary": "Accept-Language, Cookie"},
    )
