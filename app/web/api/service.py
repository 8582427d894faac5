"""The JSON API as an application of its own: its refusals, its document, its limit on bodies."""

from __future__ import annotations

import re
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute, Match
from starlette.types import Message, Receive, Scope, Send

from app.web.api import battles, campaigns, moderating, openings, plan, refuse, scenarios, sheets, talk, timing, turns
from app.web.api.document import SCHEMES
from app.web.api.examples import ANSWERS
from app.web.house import House
from app.web.middleware import BodyLimit

LARGEST_BODY = 512 * 1024
ABOUT = """\
Fieldpost: wargames by post, with sealed orders, open dice and a game master.

**Who is asking.** `Authorization: Bearer TOKEN`: an account's token, a seat's secret key, or a game master's key. Without a
token: the public view. Cookies say nothing here.

*Entered*: the seat has saved orders for this turn; the last revision counts. *Ready*: it has nothing to add. *Silent*:
nothing entered for a unit at the deadline. All times are UTC, RFC 3339. Texts come in the language of `Accept-Language`
(`en`, `ru`).

Every refusal is `{code, text, params, id}`: the code is stable, the id stands in the server's log.
"""
FILES = re.compile(r"/b/[^/]+/t/[^/]+\.(json|svg)")


class ApiRoutes(BaseRoute):
    """Hands everything under `/api`, and the files of a published turn, to the API."""

    def __init__(self, api: FastAPI) -> None:
        self.api = api

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] != "http":
            return Match.NONE, {}
        path = scope["path"]
        ours = path == "/api" or path.startswith("/api/") or FILES.fullmatch(path) is not None
        return (Match.FULL if ours else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "HEAD":
            await self.api(scope, receive, send)
            return

        async def headers_alone(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        # The framework's routes know GET alone; what a link's checker asks is GET without the body.
        await self.api({**scope, "method": "GET"}, receive, headers_alone)


def service(house: House) -> FastAPI:
    """The API, to be put into the server by `ApiRoutes`, or served alone in tests."""
    api = FastAPI(
        title="Fieldpost",
        version="1",
        description=ABOUT,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        strict_content_type=False,
    )
    api.state.house = house
    for part in (scenarios, battles, sheets, plan, turns, moderating, timing, talk, campaigns, openings):
        api.include_router(part.router)
    api.include_router(turns.files)
    api.add_middleware(BodyLimit, refuse=refuse.refusal, largest=LARGEST_BODY)
    refuse.install(api)
    _document(api)
    return api


def _document(api: FastAPI) -> None:
    """Adds the answers' examples, from which the framework would leave out whatever is null, and takes out what it adds on
    its own: its validation error, which nobody ever gets here."""

    def openapi() -> dict[str, Any]:
        if api.openapi_schema is None:
            told = get_openapi(title=api.title, version=api.version, description=ABOUT, routes=api.routes)
            told["components"]["securitySchemes"] = SCHEMES
            for unused in ("HTTPValidationError", "ValidationError"):
                told["components"]["schemas"].pop(unused, None)
            for calls in told["paths"].values():
                for call in calls.values():
                    _mend(call["responses"])
            api.openapi_schema = told
        return api.openapi_schema

    api.openapi = openapi  # type: ignore[method-assign]


def _mend(responses: dict[str, Any]) -> None:
    for status in list(responses):
        told = responses[status].get("content", {}).get("application/json")
        if told is None:
            continue
        model = told["schema"]["$ref"].rpartition("/")[2]
        if model == "HTTPValidationError":
            del responses[status]
        elif status < "300":
            responses[status]["description"] = "As asked"
            told["example"] = ANSWERS[model]
