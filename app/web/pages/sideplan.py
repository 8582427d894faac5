"""A side's plan on the orders page: looked at again while somebody plans, drawn on. For the seat alone."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from app.engine.ruleset import Json
from app.referee import battles, plans
from app.referee.errors import RefereeError
from app.web import orderform, refusals
from app.web.context import frame_of
from app.web.deps import Body, Fields, Here, typed
from app.web.ordersender import Sender
from app.web.ordertext import filled_units
from app.web.security import seat_of
from app.web.sideplan import cells_of, look, parts, typed_drawing

router = APIRouter()
PLACE = "#side-plan"


@router.get("/b/{battle_id}/seat/{seat}/plan", include_in_schema=False)
def own(request: Request, here: Here, battle_id: str, seat: str) -> Response:
    """With the tag that the page has of it, nothing where nothing has changed."""
    viewer = seat_of(here, request, battle_id, seat)
    tag = f'"{plans.mark(here.db, battle_id, seat, viewer)}"'
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"etag": tag, "cache-control": "no-store"})
    return _told(Sender(here, frame_of(request), battle_id, seat, viewer, typed(b"")))


@router.post("/b/{battle_id}/seat/{seat}/plan", include_in_schema=False)
def change(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    """`check`: the warnings of the form as it stands. `draw`, `erase`: JSON where that is asked for, else the page.
    `draw-beside`, `erase-beside`: the same, sent along with the form of the orders, which is shown again as it stands."""
    sender = Sender(here, frame_of(request), battle_id, seat, seat_of(here, request, battle_id, seat), typed(body))
    by_script = request.headers.get("accept", "").startswith("application/json")
    try:
        if sender.fields["action"] == "check":
            _count(sender)
            return _told(sender, orderform.read(filled_units(sender.fields), sender.frame.words).orders)
        if _beside(sender.fields):
            _act_beside(sender)
            return sender.with_form(None, 200)
        _act(sender)
    except RefereeError as refused:
        words = refusals.told(refused, sender.frame.language)
        if by_script:
            return _refused(sender, refused, words)
        if refusals.status(refused.code) < 409:
            raise
        if _beside(sender.fields):
            return sender.with_form(typed_drawing(sender.fields, words, "draw-"), refusals.status(refused.code))
        return sender.undrawn(typed_drawing(sender.fields, words), refusals.status(refused.code))
    if by_script:
        return _told(sender)
    return RedirectResponse(f"/b/{battle_id}/seat/{quote(seat, safe='')}{PLACE}", status_code=303)


def _act(sender: Sender) -> None:
    """Raises `RefereeError`: bad-request for a button that is not on the page, and whatever forbids to draw."""
    fields = sender.fields
    where = (sender.here.db, sender.battle_id, sender.seat, sender.viewer)
    if fields["erase"]:
        plans.erase(*where, turn=sender.turn, drawing=fields["erase"], now=sender.here.now())
    elif fields["action"] == "draw":
        cells, text = cells_of(fields["cells"]), fields.line("text")
        plans.draw(*where, turn=sender.turn, kind=fields["kind"], cells=cells, text=text, now=sender.here.now())
    else:
        raise RefereeError("bad-request")


def _beside(fields: Fields) -> bool:
    return bool(fields["erase-beside"]) or fields["action"] == "draw-beside"


def _act_beside(sender: Sender) -> None:
    """Raises `RefereeError`: whatever forbids to draw."""
    fields = sender.fields
    where = (sender.here.db, sender.battle_id, sender.seat, sender.viewer)
    if fields["erase-beside"]:
        plans.erase(*where, turn=sender.turn, drawing=fields["erase-beside"], now=sender.here.now())
        return
    cells, text = cells_of(fields["draw-cells"]), fields.line("draw-text")
    plans.draw(*where, turn=sender.turn, kind=fields["draw-kind"], cells=cells, text=text, now=sender.here.now())


def _count(sender: Sender) -> None:
    """Raises `RefereeError("too-often")`."""
    wait = sender.here.readings.spend(f"{sender.battle_id}/{sender.seat}/plan", 1)
    if wait:
        raise RefereeError("too-often", params={"seconds": wait})


def _told(sender: Sender, fields: Json | None = None) -> Response:
    language = sender.frame.language
    battle = battles.battle(sender.here.db, sender.battle_id, sender.viewer, sender.here.now())
    plan = look(sender.here, sender.frame.words, battle, sender.viewer, fields=fields)
    headers = {"cache-control": "no-store", "content-language": language, "vary": "Accept-Language, Cookie"}
    told: dict[str, Json] = {"open": plan is not None}
    if plan is not None:
        told |= {"turn": plan.turn, **parts(plan, language)}
        headers["etag"] = f'"{plan.mark}"'
    return JSONResponse(told, headers=headers)


def _refused(sender: Sender, refused: RefereeError, words: str) -> Response:
    headers = {"cache-control": "no-store", "content-language": sender.frame.language}
    if "seconds" in refused.params:
        headers["retry-after"] = str(refused.params["seconds"])
    return JSONResponse({"code": refused.code, "says": words}, refusals.status(refused.code), headers)
