"""What the OpenAPI document says beside the calls themselves: the parts of an address, and every call's refusals."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Path
from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

from app.referee.names import MESSAGE_MAX, SAYING_MAX
from app.referee.orders import LONGEST_TEXT
from app.web import refusals as table
from app.web.api import fields, refusalmodels


def digits(value: Any) -> Any:
    """A number as an address writes it: neither `1.0` nor blanks nor the digits of other scripts."""
    if isinstance(value, str) and not re.fullmatch("[1-9][0-9]{0,6}", value):
        raise PydanticCustomError("int_type", "Input should be a valid integer")
    return value


BattleId = Annotated[str, Path(alias="id", description="A battle.", pattern="^[A-Za-z0-9_-]{1,16}$", examples=["b7Kq2mXw"])]
SeatId = Annotated[
    str, Path(alias="seat", description="A seat of the battle.", pattern=r"^[^\x00-\x1f/]{1,80}$", examples=["north-left"])
]
TurnNumber = Annotated[
    int,
    Path(alias="n", description="The number of a turn.", ge=1, le=fields.MOST_TURNS, examples=[1]),
    BeforeValidator(digits),
]

TOKEN = "token"  # noqa: S105
SCHEMES = {
    TOKEN: {
        "type": "http",
        "scheme": "bearer",
        "description": "An account's token (`fieldpost token NAME`), a seat's secret key, or a game master's key.",
    }
}
OPEN: dict[str, Any] = {"security": []}
"""For all, and a token changes nothing."""
PUBLIC_VIEW: dict[str, Any] = {"security": [{}, {TOKEN: []}]}
"""For all; with a token, what its holder may know."""
KEYED: dict[str, Any] = {"security": [{TOKEN: []}]}

PARAMS: dict[str, dict[str, str | int]] = {
    "unknown-game": {"game": "chariots"},
    "too-often": {"seconds": 42},
    "long-text": {"most": LONGEST_TEXT},
    "bad-reason": {"most": 2000},
    "bad-words": {"most": 600},
    "too-many": {"most": 100},
    "bad-message": {"max": MESSAGE_MAX},
    "bad-saying": {"max": SAYING_MAX},
}
BESIDE: dict[str, dict[str, Any]] = {
    "stale": {"current": {"turn": 3, "revision": 2}},
    "bad-orders": {
        "problems": [
            {
                "unit": "S-LM1",
                "part": "move",
                "field": ["S-LM1", "move"],
                "code": "path-too-long",
                "text": "The path has more steps than the unit's speed.",
                "params": {},
            }
        ],
        "warnings": [],
        "faults": [],
        "asides": [],
    },
}
MEANINGS = {
    400: "Not JSON, or no request that can be read",
    401: "No token, or none that is known",
    403: "Not yours",
    404: "Not there",
    409: "Stale, or closed",
    413: "Too large",
    422: "Not acceptable; nothing was kept",
    429: "Too many wrong tokens from this address",
    501: "The battle is played by rules that this server does not have",
    503: "The database gives no answer just now",
}
FOLLOWING = {"no-key": "too-often", "no-battle": "unknown-game"}
"""Whoever may be refused by the one may be refused by the other."""
SVG: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The picture",
        "content": {"image/svg+xml": {"schema": {"type": "string"}, "example": "<svg xmlns='http://www.w3.org/2000/svg'/>"}},
    }
}


def refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The refusals of a call by status, each code with an example in English; everybody's, while the database is away."""
    found: dict[int | str, dict[str, Any]] = {}
    for code in (*codes, *(after for before, after in FOLLOWING.items() if before in codes), "unavailable"):
        status = table.status(code)
        at = found.setdefault(status, _response(status))
        at["content"]["application/json"]["examples"][code] = {"value": _example(code)}
    return found


def _response(status: int) -> dict[str, Any]:
    model = {422: refusalmodels.BodyRefusal, 409: refusalmodels.StaleRefusal}.get(status, refusalmodels.Refusal)
    response: dict[str, Any] = {
        "description": MEANINGS[status],
        "model": model,
        "content": {"application/json": {"examples": {}}},
    }
    if status in {429, 503}:
        response["headers"] = {
            "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
        }
    return response


def _example(code: str) -> dict[str, Any]:
    params = PARAMS.get(code, {})
    lists: dict[str, Any] = {"problems": [], "warnings": [], "faults": [], "asides": []} if table.status(code) == 422 else {}
    example = {"code": code, "text": table.words(code, "en", params), "params": params, "id": "5f2b9c01d4e6"}
    return {**example, **lists, **BESIDE.get(code, {})}
