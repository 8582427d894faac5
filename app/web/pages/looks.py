"""A seat's sealed sheet at the desk, where the battle's options have it. Asking is a form: the look is told to all before
anything is shown, and a page that is merely opened again looks at nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.referee import battles, looking
from app.referee.errors import RefereeError
from app.referee.looking import Looked
from app.referee.views import Viewer
from app.web import refusals
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Here, House, page_route
from app.web.parts import battle_title, capital
from app.web.security import master_of

router = APIRouter()


@dataclass(frozen=True)
class SheetCard:
    turn: int
    revision: int
    text: str
    entered_at: datetime
    on_behalf: bool


@dataclass(frozen=True, kw_only=True)
class LookPage(Page):
    template: ClassVar[str] = "looks/looks.html"
    battle_id: str
    title: str
    zone: str
    seat: str
    name: str
    looks: str
    is_entered: bool
    sheet: SheetCard | None
    trouble: str


@page_route(router, "/b/{battle_id}/desk/looks/{seat}")
def ask(request: Request, here: Here, battle_id: str, seat: str) -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(here, frame_of(request), battle_id, viewer, seat))


@router.post("/b/{battle_id}/desk/looks/{seat}", include_in_schema=False)
def look(request: Request, here: Here, battle_id: str, seat: str) -> Response:
    viewer = master_of(here, request, battle_id)
    frame = frame_of(request)
    try:
        seen = looking.look(here.db, battle_id, seat, viewer, language=frame.language, now=here.now())
    except RefereeError as refused:
        text = refusals.told(refused, frame.language)
        page = _page(here, frame, battle_id, viewer, seat, trouble=text)
        return render(page, status=refusals.status(refused.code))
    answer = render(_page(here, frame, battle_id, viewer, seat, seen=seen))
    answer.headers["cache-control"] = "private, no-store"
    return answer


def _card(seen: Looked) -> SheetCard:
    return SheetCard(seen.turn, seen.revision, seen.text, seen.entered_at, seen.entered_by == "master")


def _page(
    here: House,
    frame: Frame,
    battle_id: str,
    viewer: Viewer,
    seat: str,
    *,
    seen: Looked | None = None,
    trouble: str = "",
) -> LookPage:
    words = frame.words
    view = battles.battle(here.db, battle_id, viewer, here.now())
    card = next((one for one in view.seats if one.seat == seat), None)
    if card is None:
        raise RefereeError("no-seat")
    return LookPage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), words),
        zone=view.zone,
        seat=seat,
        name=capital(words.text(card.name)),
        looks=view.options.looks,
        is_entered=card.entered,
        sheet=_card(seen) if seen else None,
        trouble=trouble,
    )
