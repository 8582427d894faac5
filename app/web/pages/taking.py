"""A game master whose browser opens a seat as well: closed, until he has said before all that he plays it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.referee import battles, masters
from app.referee.errors import RefereeError
from app.web.context import Page, frame_of, render
from app.web.deps import Here, page_route
from app.web.parts import battle_title, capital
from app.web.security import opens, unsaid

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class TakingPage(Page):
    template: ClassVar[str] = "taking/taking.html"
    battle_id: str
    title: str
    seat: str
    name: str
    is_over: bool
    plays: bool
    """Whether he has said so of another seat."""
    may_look: bool


@page_route(router, "/b/{battle_id}/seat/{seat}/taking")
def ask(request: Request, here: Here, battle_id: str, seat: str) -> Response:
    if opens(here, request, battle_id, seat) is None:
        raise RefereeError("not-yours")
    master = unsaid(here, request, battle_id, seat)
    if master is None:
        return _on(battle_id, seat)
    frame = frame_of(request)
    view = battles.battle(here.db, battle_id, master, here.now())
    mine = next(one for one in view.seats if one.seat == seat)
    return render(
        TakingPage(
            frame=frame,
            battle_id=battle_id,
            title=battle_title(view.title, view.scenario.get("title"), frame.words),
            seat=seat,
            name=capital(frame.words.text(mine.name)),
            is_over=view.status == "over",
            plays=master.plays,
            may_look=view.options.looks != "never" and not master.plays and mine.entered,
        )
    )


@router.post("/b/{battle_id}/seat/{seat}/taking", include_in_schema=False)
def take(request: Request, here: Here, battle_id: str, seat: str) -> Response:
    if opens(here, request, battle_id, seat) is None:
        raise RefereeError("not-yours")
    master = unsaid(here, request, battle_id, seat)
    if master is not None:
        masters.play(here.db, battle_id, seat, master, here.now())
    return _on(battle_id, seat)


def _on(battle_id: str, seat: str) -> Response:
    return RedirectResponse(f"/b/{battle_id}/seat/{quote(seat, safe='')}", status_code=303)
