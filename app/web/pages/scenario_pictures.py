"""Scenarios as they are shown for choosing: a card, and a picture of the board as it is set up."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.drawing.svg import svg
from app.referee import scenarios
from app.rulesets.registry import RULESETS
from app.web.context import language_of
from app.web.deps import page_route

router = APIRouter()


@page_route(router, "/scenarios/{key}.svg")
def picture(request: Request, key: str) -> Response:
    """The board of a known scenario before the first turn, in the reader's language."""
    body, etag = _drawn(key, language_of(request))
    headers = {"etag": etag, "cache-control": "no-cache", "vary": "Accept-Language, Cookie"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="image/svg+xml", headers=headers)


@lru_cache(maxsize=64)
def _drawn(key: str, language: str) -> tuple[bytes, str]:
    frozen = scenarios.frozen(key)
    ruleset = RULESETS[frozen["ruleset"]]
    view = ruleset.view(ruleset.setup(frozen).state, None)
    body = svg(ruleset.scene(view, language, frozen), standalone=True).encode("utf-8")
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
