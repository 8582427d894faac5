"""Every address of the server that gives something, and what onlookers are given at each: to see that a secret act changes
nothing of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from fastapi import FastAPI
from starlette.routing import Route
from starlette.testclient import TestClient

from app.web.api.service import ApiRoutes
from app.web.pages import ROUTERS

Seen = dict[tuple[str, str], tuple[int, str]]
"""By onlooker and address: the status, and what was told (of a refusal nothing)."""
NO_ANSWER = ("/follow",)
"""Endings of streams, which never end; what they tell is `freshness.pulses`."""
_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")
_FALLBACK = ("1",)


def patterns(app: FastAPI) -> tuple[str, ...]:
    """The paths of all routes with GET, of the pages and of the API."""
    pages = [
        route.path
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, Route) and "GET" in (route.methods or ())
    ]
    (api,) = (route.api for route in app.router.routes if isinstance(route, ApiRoutes))
    calls = [path for path, methods in api.openapi()["paths"].items() if "get" in methods]
    assert len(pages) > 40
    assert len(calls) > 8
    return tuple(dict.fromkeys([*pages, *calls, str(api.openapi_url)]))


def addresses(app: FastAPI, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """`values`: by parameter, what is asked for; of a parameter that is not named, `1`."""
    for pattern in patterns(app):
        if pattern.endswith(NO_ANSWER):
            continue
        names = list(dict.fromkeys(_PARAMETER.findall(pattern)))
        for chosen in product(*(values.get(name, _FALLBACK) for name in names)):
            given = dict(zip(names, chosen, strict=True))
            yield _PARAMETER.sub(lambda found, given=given: given[found[1]], pattern)  # type: ignore[misc]


def forget(app: FastAPI) -> None:
    """The server keeps no page: each is made anew. Pictures stay, by the digest of all that is drawn."""
    app.state.pages._pages.clear()
    app.state.readers._known.clear()


def seen(
    app: FastAPI, onlookers: Mapping[str, TestClient], asked: Sequence[str], *, plain: Callable[[str], str] = str
) -> Seen:
    """What each is given at each address. `plain`: leaves out of a text what all may know of the act."""
    found: Seen = {}
    forget(app)
    for name, client in onlookers.items():
        for address in asked:
            answer = client.get(address)
            is_text = "image" not in answer.headers.get("content-type", "") or "svg" in answer.headers["content-type"]
            told = plain(answer.text) if is_text else answer.content.hex()
            found[name, address] = (answer.status_code, told if answer.status_code < 400 else "")
    return found


def differences(before: Seen, after: Seen) -> list[str]:
    """Where two of them are not alike, and how."""
    found = []
    for key in sorted({*before, *after}):
        old, new = before.get(key, (0, "")), after.get(key, (0, ""))
        if old != new:
            start = next((place for place, pair in enumerate(zip(old[1], new[1], strict=False)) if pair[0] != pair[1]), 0)
            stretch = slice(max(0, start - 60), start + 120)
            found.append(f"{' '.join(key)}: {old[0]} {old[1][stretch]!r} -> {new[0]} {new[1][stretch]!r}")
    return found
