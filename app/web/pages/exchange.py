"""A commander proposes to another of his side to exchange their contingents, and answers what is proposed to him."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import battles, swapping
from app.referee.errors import RefereeError
from app.referee.swapping import Exchange
from app.referee.views import Viewer
from app.web import openseats, refusals
from app.web.battlecards import Stand, stand
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.security import seat_of

router = APIRouter()
TOLD = ("proposed", "answered")


@dataclass(frozen=True)
class Other:
    seat: str
    name: str
    holder: str


@dataclass(frozen=True)
class Proposed:
    """`other`: the contingent that the reader would have by it."""

    id: int
    other: str
    fresh: bool


@dataclass(frozen=True, kw_only=True)
class ExchangePage(Page):
    template: ClassVar[str] = "openings/exchange.html"
    stand: Stand
    seat: str
    name: str
    is_allowed: bool
    others: tuple[Other, ...]
    own: tuple[Proposed, ...]
    asked: tuple[Proposed, ...]
    told: str
    trouble: str


@page_route(router, "/b/{battle_id}/seat/{seat}/exchange")
def page(request: Request, here: Here, battle_id: str, seat: str, told: str = "") -> HTMLResponse:
    viewer = seat_of(here, request, battle_id, seat)
    return render(_page(here, frame_of(request), battle_id, seat, viewer, told=told))


@router.post("/b/{battle_id}/seat/{seat}/exchange", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    """Done, it leads to the battle's page: the seat is another's now."""
    viewer, frame, fields = seat_of(here, request, battle_id, seat), frame_of(request), typed(body)
    try:
        told = _done(here, battle_id, seat, viewer, fields)
    except RefereeError as refused:
        if refused.code != "no-swap":
            raise
        trouble = refusals.told(refused, frame.language)
        shown = _page(here, frame, battle_id, seat, viewer, trouble=trouble)
        return render(shown, status=refusals.status(refused.code))
    if told == "exchanged":
        return RedirectResponse(f"/b/{battle_id}", status_code=303)
    return RedirectResponse(f"/b/{battle_id}/seat/{quote(seat, safe='')}/exchange?told={told}", status_code=303)


def _done(here: House, battle_id: str, seat: str, viewer: Viewer, fields: Fields) -> str:
    action, now = fields["action"], here.now()
    if action == "propose":
        swapping.propose(here.db, battle_id, seat, viewer, fields["other"], now, fresh=fields.is_on("fresh"))
        return "proposed"
    if action not in ("exchange", "no-exchange"):
        raise RefereeError("bad-request")
    accepts = action == "exchange"
    swapping.answer(here.db, battle_id, seat, viewer, fields.whole("proposal") or 0, now, accepts=accepts)
    return "exchanged" if accepts else "answered"


def _page(
    here: House, frame: Frame, battle_id: str, seat: str, viewer: Viewer, *, told: str = "", trouble: str = ""
) -> ExchangePage:
    view = battles.battle(here.db, battle_id, viewer, here.now())
    found = swapping.of_seat(here.db, battle_id, seat, viewer)
    holders = {one.seat: one.holder or "" for one in view.seats}

    def name(which: str) -> str:
        return openseats.seat_name(which, view.scenario, frame.language)

    def shown(exchanges: tuple[Exchange, ...]) -> tuple[Proposed, ...]:
        return tuple(Proposed(one.id, name(one.other if one.seat == seat else one.seat), one.fresh) for one in exchanges)

    return ExchangePage(
        frame=frame,
        stand=stand(view, frame.words),
        seat=seat,
        name=name(seat),
        is_allowed=found.is_allowed,
        others=tuple(Other(other, name(other), holders[other]) for other in found.others),
        own=shown(found.own),
        asked=shown(found.asked),
        told=told if told in TOLD else "",
        trouble=trouble,
    )
