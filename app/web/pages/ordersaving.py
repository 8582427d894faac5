"""What the orders page saves by itself, and how it learns what another page of the same seat has saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from app.engine.ruleset import Json, Problem
from app.referee import orders
from app.referee.errors import RefereeError
from app.referee.turnviews import Entered
from app.web import refusals
from app.web.context import Frame, frame_of
from app.web.deps import Body, Here, typed
from app.web.orderseen import Seen, see
from app.web.ordersender import Sender
from app.web.orderspage import desk_of
from app.web.ordertext import filled_units, orders_by_unit
from app.web.security import seat_of
from app.web.sheetjson import contradictions, places, sheet

router = APIRouter()
MOST_LOOKS = 4
"""So often a sheet is looked at again without the units that were refused: reading, the rules, and what depends on them."""
GONE_ON = frozenset({"stale", "closed", "not-open"})
"""Refusals with which the sheet is sent that counts instead."""


@router.get("/b/{battle_id}/seat/{seat}/sheet", include_in_schema=False)
def own_sheet(request: Request, here: Here, battle_id: str, seat: str) -> Response:
    frame = frame_of(request)

    def told() -> dict[str, Json]:
        return {"sheet": sheet(see(here, frame, battle_id, seat, seat_of(here, request, battle_id, seat)), here.now())}

    return _answered(frame, told)


@router.post("/b/{battle_id}/seat/{seat}/keep", include_in_schema=False)
def keep_own(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    """The form as it stands (its text is not read). Units that the rules refuse, or that the form itself wants to leave
    (`leave:UNIT`), stay as they were saved before; the rest is a new revision if it says anything new. Pressed `ready`
    everything must be in order; `unready` takes that back."""
    frame = frame_of(request)
    fields = typed(body)
    return _answered(
        frame, lambda: _kept(Sender(here, frame, battle_id, seat, seat_of(here, request, battle_id, seat), fields))
    )


class _NotKept(Exception):
    """A refusal with what the page needs beside its words."""

    def __init__(self, code: str, told: dict[str, Json]) -> None:
        self.code = code
        self.told = told


def _answered(frame: Frame, tell: Callable[[], dict[str, Json]]) -> Response:
    """JSON, also where something is refused: `{code, says}`, with a sheet where another one counts."""
    headers = {"cache-control": "no-store", "content-language": frame.language}
    more: dict[str, Json] = {}
    params: dict[str, Any] = {}
    try:
        return JSONResponse(tell(), headers=headers)
    except _NotKept as refused:
        code, more = refused.code, refused.told
    except RefereeError as refused:
        code, params = refused.code, refused.params
    if "seconds" in params:
        headers["retry-after"] = str(params["seconds"])
    told = {"code": code, "says": refusals.words(code, frame.language, params), **more}
    return JSONResponse(told, refusals.status(code), headers)


@dataclass
class _Look:
    """A form against what is saved."""

    given: dict[str, Json]
    saved: dict[str, Json]
    left: set[str]
    """Units that stay as they are saved."""
    refused: list[Problem] = field(default_factory=list)

    @property
    def orders(self) -> dict[str, Json]:
        there = {unit: order for unit, order in self.given.items() if unit not in self.left}
        return there | {unit: self.saved[unit] for unit in self.left if unit in self.saved}


def _kept(sender: Sender) -> dict[str, Json]:
    if sender.fields["action"] not in {"save", "ready", "unready"}:
        raise RefereeError("bad-request")
    try:
        return _entered(sender)
    except RefereeError as refused:
        if refused.code not in GONE_ON:
            raise
        raise _NotKept(refused.code, {"sheet": _sheet(sender, _seen(sender))}) from refused


def _entered(sender: Sender) -> dict[str, Json]:
    """Raises `RefereeError` or `_NotKept`, with nothing kept."""
    before = orders.sheet(sender.here.db, sender.battle_id, sender.seat, sender.viewer)
    reading = sender.form_alone()
    left = {unit for unit in filled_units(sender.fields) if sender.fields.is_on(f"leave:{unit}")}
    look = _Look(
        given=dict(reading.orders),
        saved=orders_by_unit(before.orders or {}),
        left=left | {unit for unit, _part in reading.troubles},
    )
    checked = _checked(sender, look)
    seen = _seen(sender)
    refused = [*contradictions(reading.troubles, desk_of(seen)), *places(look.refused, desk_of(seen))]
    if checked is None or (sender.ready and look.left):
        raise _NotKept("bad-orders", {"refused": refused, "left": sorted(look.left), "sheet": _sheet(sender, seen)})
    is_new = orders_by_unit(checked.orders) != look.saved
    resolved = False
    if is_new:
        resolved = sender.enter(fields=look.orders).resolved
    elif sender.ready or sender.fields["action"] == "unready":
        resolved = sender.set_ready(sender.ready)
    return {
        "new": is_new,
        "left": sorted(look.left),
        "refused": refused,
        "resolved": f"/b/{sender.battle_id}?told=resolved" if resolved else "",
        "sheet": _sheet(sender, _seen(sender)),
    }


def _checked(sender: Sender, look: _Look) -> Entered | None:
    """The sheet without what the rules refuse; None: it is refused even so."""
    for _ in range(MOST_LOOKS):
        try:
            return sender.check(look.orders)
        except RefereeError as refused:
            if refused.code != "bad-orders":
                raise
            wrong = [problem for problem in refused.problems if not problem.warning]
            look.refused += [problem for problem in wrong if problem not in look.refused]
            units = {problem.field[0] for problem in wrong if problem.field} - look.left
            if not units:
                return None
            look.left |= units
    return None


def _seen(sender: Sender) -> Seen:
    return see(sender.here, sender.frame, sender.battle_id, sender.seat, sender.viewer)


def _sheet(sender: Sender, seen: Seen) -> dict[str, Json]:
    return sheet(seen, sender.here.now())
