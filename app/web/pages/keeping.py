"""A seat or a desk is taken up into the account that the browser is signed in to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.referee import battles, holding
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.web import refusals
from app.web.context import Page, frame_of, render
from app.web.deps import Body, Here, House, page_route, typed
from app.web.openseats import seat_name
from app.web.parts import battle_title
from app.web.security import account_of, master_of, seat_of

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class KeepPage(Page):
    """`seat` empty: the desk."""

    template: ClassVar[str] = "account/keep.html"
    battle_id: str
    title: str
    seat: str
    name: str
    """Of the seat."""
    account: str
    trouble: str


@page_route(router, "/b/{battle_id}/keep")
def page(request: Request, here: Here, battle_id: str, seat: str = "") -> Response:
    viewer = _link(here, request, battle_id, seat)
    account = account_of(here, request)
    if account is None:
        to = f"/b/{battle_id}/keep" + (f"?seat={quote(seat, safe='')}" if seat else "")
        return RedirectResponse(f"/account?to={quote(to, safe='')}", status_code=303)
    return render(_page(here, request, battle_id, seat, viewer, account))


@router.post("/b/{battle_id}/keep", include_in_schema=False)
def keep(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    seat = typed(body)["seat"]
    viewer = _link(here, request, battle_id, seat)
    account = account_of(here, request)
    if account is None:
        return RedirectResponse("/account", status_code=303)
    try:
        holding.take_up(here.db, battle_id, account, viewer, here.now())
    except RefereeError as refused:
        trouble = refusals.told(refused, frame_of(request).language)
        page = _page(here, request, battle_id, seat, viewer, account, trouble=trouble)
        return render(page, status=refusals.status(refused.code))
    return RedirectResponse("/account?told=changed", status_code=303)


def _link(here: House, request: Request, battle_id: str, seat: str) -> Viewer:
    return seat_of(here, request, battle_id, seat) if seat else master_of(here, request, battle_id)


def _page(
    here: House, request: Request, battle_id: str, seat: str, viewer: Viewer, account: Viewer, *, trouble: str = ""
) -> KeepPage:
    frame = frame_of(request)
    view = battles.battle(here.db, battle_id, viewer, here.now())
    return KeepPage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), frame.words),
        seat=seat,
        name=seat_name(seat, view.scenario, frame.language) if seat else "",
        account=account.name or "",
        trouble=trouble,
    )
