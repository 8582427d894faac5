"""More time: a seat asks for it, on a page of its own; the game master's answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import battles, moretime, seen, timing
from app.referee.errors import RefereeError
from app.referee.moretime import MOST_HOURS, Asked
from app.referee.views import BattleView, Viewer
from app.web import refusals
from app.web.battlecards import Stand, stand
from app.web.context import Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.moretime import TimeCard, cards
from app.web.parts import capital
from app.web.security import master_of, seat_of

router = APIRouter()
TOLD = ("asked", "taken-back")
USUAL = "24"


@dataclass(frozen=True, kw_only=True)
class MoreTimePage(Page):
    template: ClassVar[str] = "moretime/moretime.html"
    stand: Stand
    seat: str
    name: str
    asked: TimeCard | None
    """What this seat has asked for and waits for."""
    may_ask: bool
    hours: str
    reason: str
    most: int
    told: str
    trouble: str


@page_route(router, "/b/{battle_id}/seat/{seat}/more-time")
def page(request: Request, here: Here, battle_id: str, seat: str, told: str = "") -> HTMLResponse:
    viewer = seat_of(here, request, battle_id, seat)
    return render(_page(here, request, battle_id, seat, viewer, told=told))


@router.post("/b/{battle_id}/seat/{seat}/more-time", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    viewer, fields = seat_of(here, request, battle_id, seat), typed(body)
    action = pressed(ACTIONS, fields)
    try:
        told = action(here, battle_id, seat, viewer, fields)
    except RefereeError as refused:
        trouble = refusals.told(refused, frame_of(request).language)
        shown = _page(here, request, battle_id, seat, viewer, trouble=trouble, given=fields)
        return render(shown, status=refusals.status(refused.code))
    return RedirectResponse(f"/b/{battle_id}/seat/{quote(seat, safe='')}/more-time?told={told}", status_code=303)


def _ask(here: House, battle_id: str, seat: str, viewer: Viewer, fields: Fields) -> str:
    hours = fields.whole("hours") or 0
    moretime.ask(here.db, battle_id, seat, viewer, hours=hours, now=here.now(), reason=fields["reason"])
    return "asked"


def _take_back(here: House, battle_id: str, seat: str, viewer: Viewer, _fields: Fields) -> str:
    moretime.take_back(here.db, battle_id, seat, viewer, here.now())
    return "taken-back"


ACTIONS: Mapping[str, Callable[[House, str, str, Viewer, Fields], str]] = {"ask": _ask, "take-back": _take_back}


@router.post("/b/{battle_id}/desk/more-time", include_in_schema=False)
def answer(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    """The game master extends by what was asked for, or declines."""
    viewer, fields = master_of(here, request, battle_id), typed(body)
    action = pressed(ANSWERS, fields)
    try:
        told = action(here, battle_id, viewer, fields)
    except RefereeError as refused:
        if refused.code not in ("no-asking", "stale"):
            raise
        told = "answered"
    return RedirectResponse(f"/b/{battle_id}/desk/time?told={told}", status_code=303)


def _give(here: House, battle_id: str, viewer: Viewer, fields: Fields) -> str:
    """Only as it was read: meanwhile it may have been answered, and other hours asked for."""
    before = seen.time(battles.battle(here.db, battle_id, viewer, here.now()))
    waits = next(iter(_own(moretime.asked(here.db, battle_id), fields["seat"])), None)
    if waits is None or waits.hours != fields.whole("hours"):
        raise RefereeError("no-asking")
    timing.extend(here.db, battle_id, viewer, timedelta(hours=waits.hours), here.now(), before=before)
    return "extended"


def _decline(here: House, battle_id: str, viewer: Viewer, fields: Fields) -> str:
    moretime.decline(here.db, battle_id, fields["seat"], viewer, here.now())
    return "declined"


ANSWERS: Mapping[str, Callable[[House, str, Viewer, Fields], str]] = {"give": _give, "decline": _decline}


def _page(
    here: House,
    request: Request,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    *,
    told: str = "",
    trouble: str = "",
    given: Fields | None = None,
) -> MoreTimePage:
    frame, now = frame_of(request), here.now()
    view = battles.battle(here.db, battle_id, viewer, now)
    waiting = moretime.asked(here.db, battle_id)
    return MoreTimePage(
        frame=frame,
        stand=stand(view, frame.words),
        seat=seat,
        name=capital(frame.words.text(next(one.name for one in view.seats if one.seat == seat))),
        asked=next(iter(cards(_own(waiting, seat), view, frame.words)), None),
        may_ask=_may_ask(view, now),
        hours=given.line("hours") if given else USUAL,
        reason=given["reason"] if given else "",
        most=MOST_HOURS,
        told=told if told in TOLD else "",
        trouble=trouble,
    )


def _own(waiting: tuple[Asked, ...], seat: str) -> tuple[Asked, ...]:
    return tuple(one for one in waiting if one.seat == seat)


def _may_ask(view: BattleView, now: datetime) -> bool:
    return view.status == "open" and view.deadline is not None and view.deadline > now
