"""The switch of language: a choice that the browser keeps, and back to where the reader was."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from app.language import LANGUAGES
from app.web.context import LANGUAGE_COOKIE
from app.web.deps import Here, page_route
from app.web.security import is_secure

router = APIRouter()
YEAR = 365 * 24 * 3600


@page_route(router, "/language/{language}")
async def choose(here: Here, language: str, to: str = "/") -> Response:
    """`to` is a path of this site; anything else leads to the first page."""
    answer = RedirectResponse(to if _is_ours(to) else "/", status_code=303, headers={"cache-control": "no-store"})
    if language in LANGUAGES:
        answer.set_cookie(
            LANGUAGE_COOKIE, language, max_age=YEAR, path="/", secure=is_secure(here.settings), httponly=True, samesite="lax"
        )
    return answer


def _is_ours(to: str) -> bool:
    """One slash at the start and nothing that a browser would read as another host or a second header."""
    return to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable() and "\\" not in to
