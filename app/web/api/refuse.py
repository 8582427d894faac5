"""Every refusal of the API in one shape: `{code, text, params, id}`, with what belongs to the code beside it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.engine.ruleset import Fault, Json, Problem
from app.language import marked as _
from app.language import translated
from app.referee.errors import RefereeError
from app.reports import problems as spoken
from app.store.away import Away
from app.web import refusals
from app.web.api.reading import Twice
from app.web.house import language_of
from app.web.reply import Reply

log = structlog.get_logger("fieldpost.api")

PLACES = {"id": "no-battle", "n": "no-turn", "seat": "no-seat", "line": "no-branch", "asking": "no-asking"}
"""What is missing when this part of an address is none that could be."""
STATUSES = {400: "bad-request", 401: "no-key", 403: "not-yours", 404: "no-page", 405: "no-method", 413: "too-large"}

BODY = {
    "missing": _("is missing"),
    "extra_forbidden": _("is not known here"),
    "int_type": _("should be a whole number"),
    "int_from_float": _("should be a whole number"),
    "bool_type": _("should be true or false"),
    "string_type": _("should be a text"),
    "string_unicode": _("holds signs that cannot be kept"),
    "string_too_long": _("is too long"),
    "string_too_short": _("is empty"),
    "too_short": _("is empty"),
    "too_long": _("is too long"),
    "too_deep": _("is nested too deep"),
    "finite_number": _("should be a number"),
    "greater_than_equal": _("is too small"),
    "less_than_equal": _("is too large"),
    "timezone_aware": _("should be a moment with its zone, as 2026-12-01T20:00:00Z"),
    "datetime_from_date_parsing": _("should be a moment with its zone, as 2026-12-01T20:00:00Z"),
    "datetime_parsing": _("should be a moment with its zone, as 2026-12-01T20:00:00Z"),
    "dict_type": _("should be an object"),
    "model_attributes_type": _("should be an object"),
    "list_type": _("should be a list"),
    "twice": _("stands twice in one object"),
    "one_of": _("should hold either the one or the other of two fields, and not both"),
}
OTHERWISE = _("is not as it should be")
AGAIN_SECONDS = "30"
"""When to ask again a database that was away."""


def install(app: FastAPI) -> None:
    """Puts the shape on everything that the framework and the referee refuse, and on what breaks."""
    app.add_exception_handler(RefereeError, _refereed)
    app.add_exception_handler(Away, _away)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(Twice, _twice)
    app.add_exception_handler(HTTPException, _by_status)
    app.add_exception_handler(Exception, _broken)


def refusal(
    request: Request,
    code: str,
    *,
    params: Mapping[str, str | int] | None = None,
    beside: Mapping[str, Json] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """The answer, with its number, which is written to the log."""
    number, language = number_of(request), language_of(request)
    status = refusals.status(code)
    log.info("refused", id=number, code=code, status=status, method=request.method)
    body = {"code": code, "text": refusals.words(code, language, params), "params": dict(params or {}), "id": number}
    given = {"Content-Language": language, "Cache-Control": "no-store", "Vary": "Accept-Language", **(headers or {})}
    return Reply({**body, **(beside or {})}, status, given)


def away(error: Exception, answer: Response) -> Response:
    """The answer while the database gives none; why it does not is for the log alone."""
    log.error("database away", why=str(error))
    answer.headers["Retry-After"] = AGAIN_SECONDS
    return answer


def number_of(request: Request) -> str:
    """The number under which the server's log knows this request."""
    given = request.scope.get("state", {}).get("request_id")
    return str(given) if given else secrets.token_hex(6)


def troubles(problems: Iterable[Problem], language: str) -> list[Json]:
    """Problems or warnings as the contract has them."""
    return [
        {
            "unit": p.field[0] if p.field else None,
            "part": p.field[1] if len(p.field) > 1 else None,
            "field": list(p.field),
            "code": p.code,
            "text": spoken.words(p, language),
            "params": dict(p.params),
        }
        for p in problems
    ]


def misread(faults: Iterable[Fault], language: str) -> list[Json]:
    """Places in a text that were not understood."""
    return [
        {
            "line": f.line,
            "column": f.column,
            "fragment": f.fragment,
            "code": f.code,
            "text": spoken.fault_words(f, language),
            "candidates": list(f.candidates),
        }
        for f in faults
    ]


async def _refereed(request: Request, error: Exception) -> Reply:
    assert isinstance(error, RefereeError)
    language, beside, headers = language_of(request), {}, {}
    if refusals.status(error.code) == 422:
        beside = {
            "problems": troubles((p for p in error.problems if not p.warning), language),
            "warnings": troubles((p for p in error.problems if p.warning), language),
            "faults": misread(error.faults, language),
            "asides": list(error.asides),
        }
    if error.current is not None:
        beside["current"] = error.current
    if error.code == "no-key":
        headers["WWW-Authenticate"] = "Bearer"
    if "seconds" in error.params:
        headers["Retry-After"] = str(error.params["seconds"])
    return refusal(request, error.code, params=error.params, beside=beside, headers=headers)


async def _not_valid(request: Request, error: Exception) -> Reply:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["loc"][0] == "path":
        return refusal(request, PLACES.get(str(first["loc"][-1]), "no-page"))
    if first["type"] == "json_invalid" or (first["loc"] == ("body",) and _no_object(first)):
        return refusal(request, "not-json")
    language = language_of(request)
    problems = [_body_problem(e, language) for e in error.errors()[:50]]
    return refusal(request, "bad-body", beside={"problems": problems, "warnings": [], "faults": [], "asides": []})


async def _twice(request: Request, error: Exception) -> Reply:
    assert isinstance(error, Twice)
    problem = _body_problem({"loc": ("body", error.key), "type": "twice"}, language_of(request))
    return refusal(request, "bad-body", beside={"problems": [problem], "warnings": [], "faults": [], "asides": []})


def _no_object(error: Mapping[str, Any]) -> bool:
    """No body at all, or one that was not sent as JSON."""
    return error["type"] == "missing" or isinstance(error.get("input"), bytes)


def _body_problem(error: Mapping[str, Any], language: str) -> Json:
    field = [str(step)[:80] for step in error["loc"][1:]]
    name = ".".join(field)
    said = translated(BODY.get(error["type"], OTHERWISE), language)
    text = f"{name}: {said}" if name else said
    return {"unit": None, "part": None, "field": field, "code": error["type"], "text": text, "params": {}}


async def _away(request: Request, error: Exception) -> Response:
    return away(error, refusal(request, "unavailable"))


async def _by_status(request: Request, error: Exception) -> Reply:
    assert isinstance(error, HTTPException)
    return refusal(request, STATUSES.get(error.status_code, "bad-request"), headers=error.headers)


async def _broken(request: Request, error: Exception) -> Reply:  # noqa: ARG001
    return refusal(request, "broken")
