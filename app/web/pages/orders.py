"""A seat's orders: the form, what is saved of it, and what is wrong with it. The game master has the same form for a seat
that cannot come, and sees nothing that the seat itself has sealed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.language import Translator
from app.referee import battles, orders
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.reports import problems as spoken
from app.web import orderform, refusals
from app.web.context import Frame, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.orderspage import Attempt, see, show
from app.web.security import as_master, as_seat
from app.web.unitcards import by_place

router = APIRouter()


@page_route(router, "/b/{battle_id}/seat/{seat}")
def own(request: Request, here: Here, battle_id: str, seat: str, saved: int = 0) -> Response:
    viewer = _own(here, request, battle_id, seat)
    seen = see(here, frame_of(request), battle_id, seat, viewer)
    return render(show(seen, Attempt(told="saved" if saved and saved == seen.revision else "")))


@router.post("/b/{battle_id}/seat/{seat}", include_in_schema=False)
def save_own(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    viewer = _own(here, request, battle_id, seat)
    return _save(here, frame_of(request), battle_id, seat, viewer, typed(body))


@page_route(router, "/b/{battle_id}/desk/orders/{seat}")
def on_behalf(request: Request, here: Here, battle_id: str, seat: str) -> Response:
    return render(show(see(here, frame_of(request), battle_id, seat, _master(here, request, battle_id)), Attempt()))


@router.post("/b/{battle_id}/desk/orders/{seat}", include_in_schema=False)
def save_on_behalf(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    return _save(here, frame_of(request), battle_id, seat, _master(here, request, battle_id), typed(body))


def _own(here: House, request: Request, battle_id: str, seat: str) -> Viewer:
    viewer = as_seat(here, request, battle_id, seat)
    if viewer is None:
        raise RefereeError("not-yours")
    return viewer


def _master(here: House, request: Request, battle_id: str) -> Viewer:
    viewer = as_master(here, request, battle_id)
    if viewer is None:
        raise RefereeError("not-yours")
    return viewer


def _save(here: House, frame: Frame, battle_id: str, seat: str, viewer: Viewer, fields: Fields) -> Response:
    """What the pressed button says: `save`, `ready`, `text`, `text-ready`, `set-ready`, `unset-ready`, `name`."""
    action, now = fields["action"], here.now()
    try:
        if action == "name":
            battles.name_holder(here.db, battle_id, seat, viewer, fields.line("holder"), now)
            return _back(battle_id, seat, viewer)
        if action in {"set-ready", "unset-ready"}:
            turn = fields.whole("turn") or 0
            resolved = orders.set_ready(here.db, battle_id, seat, viewer, turn=turn, ready=action == "set-ready", now=now)
            return _resolved(battle_id) if resolved else _back(battle_id, seat, viewer)
        return _enter(here, frame, battle_id, seat, viewer, fields)
    except RefereeError as refused:
        if refusals.status(refused.code) < 409:
            raise
        attempt = _refused(refused, fields, frame.words)
        seen = see(here, frame, battle_id, seat, viewer)
        return render(show(seen, attempt), status=refusals.status(refused.code))


def _enter(here: House, frame: Frame, battle_id: str, seat: str, viewer: Viewer, fields: Fields) -> Response:
    action = fields["action"]
    ready = action in {"ready", "text-ready"}
    given: dict[str, Any] = {
        "turn": fields.whole("turn") or 0,
        "revision": fields.whole("revision") or 0,
        "ready": ready,
        "now": here.now(),
    }
    if action.startswith("text"):
        entered = orders.enter(here.db, battle_id, seat, viewer, text=fields["text"], **given)
    else:
        reading = orderform.read(_filled(fields), frame.words)
        if reading.troubles:
            return _contradictory(here, frame, battle_id, seat, viewer, fields, reading, given)
        entered = orders.enter(here.db, battle_id, seat, viewer, fields=reading.orders, **given)
    if entered.resolved:
        return _resolved(battle_id)
    return _back(battle_id, seat, viewer, saved=entered.revision)


def _contradictory(
    here: House,
    frame: Frame,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    fields: Fields,
    reading: orderform.Reading,
    given: Mapping[str, Any],
) -> Response:
    """The form contradicts itself in places: shown together with all that the rules have against the rest."""
    places = {place: [text] for place, text in reading.troubles.items()}
    try:
        orders.check(here.db, battle_id, seat, viewer, fields=reading.orders, **given)
    except RefereeError as refused:
        if refused.code != "bad-orders":
            raise
        attempt = _refused(refused, fields, frame.words)
        places = {place: places.get(place, []) + attempt.places.get(place, []) for place in {**places, **attempt.places}}
    attempt = Attempt(told="bad-orders", fields=fields, places=places)
    return render(show(see(here, frame, battle_id, seat, viewer), attempt), status=422)


def _refused(refused: RefereeError, fields: Fields, words: Translator) -> Attempt:
    problems = tuple(p for p in refused.problems if not p.warning)
    return Attempt(
        told=refused.code,
        fields=fields,
        places=by_place(problems, lambda problem: spoken.words(problem, words.language)),
        faults=refused.faults,
        sentence=refusals.words(refused.code, words.language, refused.params),
    )


def _filled(fields: Fields) -> dict[str, orderform.Filled]:
    """The fields of each unit that the form named."""
    units = dict.fromkeys(name.removeprefix("unit:") for name in fields if name.startswith("unit:"))
    return {unit: orderform.filled_by(fields, unit) for unit in units}


def _resolved(battle_id: str) -> Response:
    return RedirectResponse(f"/b/{battle_id}?told=resolved", status_code=303)


def _back(battle_id: str, seat: str, viewer: Viewer, *, saved: int = 0) -> Response:
    if viewer.kind == "master":
        told = f"?told=entered&seat={quote(seat, safe='')}" if saved else ""
        return RedirectResponse(f"/b/{battle_id}/desk{told}", status_code=303)
    told = f"?saved={saved}" if saved else ""
    return RedirectResponse(f"/b/{battle_id}/seat/{quote(seat, safe='')}{told}", status_code=303)
