"""Bodies read so that nothing in them is lost: of a key that stands twice in an object, JSON's readers keep the last."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.responses import Response


class Twice(HTTPException):
    """A key that stands twice in one object."""

    def __init__(self, key: str) -> None:
        super().__init__(422)
        self.key = key


class OneOfEach(APIRoute):
    """The route of a call with a body. Which of two orders for one unit was meant, nobody can know. Raises `Twice`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def read(request: Request) -> Response:
            return await handle(_Request(request.scope, request.receive))

        return read


class _Request(Request):
    async def json(self) -> Any:
        return json.loads(await self.body(), object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(key for key, _ in pairs)
        raise Twice(next(key for key in found if times[key] > 1))
    return found
