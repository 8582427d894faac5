"""Refusals as pages: a status, a sentence, what to do about it. Programs get theirs from the API."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.language import marked as _
from app.language import translated
from app.referee.errors import RefereeError
from app.store.away import Away
from app.web import refusals
from app.web.api import refuse
from app.web.context import Page, frame_of, render

FOR_PROGRAMS = re.compile(r"/api(/|$)|/b/[^/]+/t/[^/]+\.[a-z]+$")
MISSING_PLACE = {"battle_id": "no-battle", "turn": "no-turn", "seat": "no-seat", "key": "no-key"}
BY_STATUS = {400: "bad-request", 401: "no-key", 403: "not-yours", 404: "no-page", 405: "no-method", 413: "too-large"}

ADVICE = {
    "no-key": _(
        "A link holds a long key at its end: copy it whole, without a full stop or a bracket behind it. If it was renewed, "
        "only the newest one works; ask your game master for it."
    ),
    "not-yours": _("This page belongs to a seat or to the game master. Open the link that you were given; then come back."),
    "leads-here": _(
        "Open the seat's own page: it asks you. What you want to do for somebody else's seat is done at the desk."
    ),
    "no-battle": _("Look at the address again, or find the battle on the first page."),
    "no-turn": _("Published turns stand on the battle's page; the open one comes when it is resolved."),
    "no-seat": _("The battle's page names all its seats."),
    "no-page": _("The address may have been cut short. The first page leads to everything."),
    "no-method": _("This address is only for forms. Go back, and use the button there."),
    "stale": _("Go back to the battle's page to see how it stands now."),
    "closed": _("The battle's page shows the new turn."),
    "too-large": _("A million characters would be some two hundred pages. Cut it down, and send it again."),
    "large-arms": _(
        "Go back and send a smaller copy: a part cut out of it, or a screenshot of it, will do. 128 by 128 pixels are kept."
    ),
    "too-often": _("From your address came many wrong keys. Open your link again in a minute."),
    "foreign-origin": _("What was sent came from a page of another site. Open this site, and press the button there."),
    "unknown-game": _("Ask the host of this server: with the program's version that had those rules, the battle goes on."),
    "unavailable": _("Go back: your browser may still hold what you typed. What was saved before stands."),
    "broken": _("Nothing that you saved before is lost. Try again; if it stays so, tell the host the number below."),
}


@dataclass(frozen=True, kw_only=True)
class RefusedPage(Page):
    template: ClassVar[str] = "errors/refused.html"
    status: int
    text: str
    advice: str | None
    battle_id: str | None
    """Where the way back leads to, if it was a battle's page."""
    request_id: str


def install(app: FastAPI) -> None:
    """Pages for everything that the framework and the referee refuse. The API is an application of its own."""
    app.add_exception_handler(RefereeError, _refereed)
    app.add_exception_handler(Away, _away)
    app.add_exception_handler(HTTPException, _by_status)
    app.add_exception_handler(RequestValidationError, _misplaced)


def refusal(request: Request, code: str, params: dict[str, str | int] | None = None) -> Response:
    """A refusal for whoever asks: JSON or a page."""
    if is_for_programs(request):
        return refuse.refusal(request, code, params=params)
    return page(request, code, params)


def page(request: Request, code: str, params: dict[str, str | int] | None = None) -> Response:
    frame = frame_of(request)
    advice = ADVICE.get(code)
    within = re.match(r"/b/([^/]+)/", request.url.path)
    answer = render(
        RefusedPage(
            frame=frame,
            status=refusals.status(code),
            text=refusals.words(code, frame.language, params),
            advice=translated(advice, frame.language) if advice else None,
            battle_id=within[1] if within and code != "no-battle" else None,
            request_id=request.scope.get("state", {}).get("request_id", ""),
        ),
        status=refusals.status(code),
    )
    if params and "seconds" in params:
        answer.headers["retry-after"] = str(params["seconds"])
    return answer


def is_for_programs(request: Request) -> bool:
    return FOR_PROGRAMS.search(request.url.path) is not None


async def _refereed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefereeError)
    return page(request, error.code, error.params)


async def _away(request: Request, error: Exception) -> Response:
    return refuse.away(error, page(request, "unavailable"))


async def _by_status(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return page(request, BY_STATUS.get(error.status_code, "bad-request"))


async def _misplaced(request: Request, error: Exception) -> Response:
    """A part of the address that no battle, turn or seat could have."""
    assert isinstance(error, RequestValidationError)
    return page(request, MISSING_PLACE.get(str(error.errors()[0]["loc"][-1]), "no-page"))
