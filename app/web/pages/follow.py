"""`GET /b/{id}/follow`: server-sent events that hint that the battle's public page has changed, and say no more."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.referee import freshness
from app.referee.errors import RefereeError
from app.web.api.house import House
from app.web.following import Following, News
from app.web.security import address_of

router = APIRouter()
RETRY_SECONDS = 60


async def follow(request: Request) -> Response:
    """The same for everybody, whatever keys he holds. 503 where too many listen already."""
    battle_id = request.path_params["battle_id"]
    house: House = request.app.state.house
    following: Following = request.app.state.following
    pulse = (await run_in_threadpool(freshness.pulses, house.db, (battle_id,))).get(battle_id)
    if pulse is None:
        raise RefereeError("no-battle")
    if request.method == "HEAD":
        return Response(media_type=News.media_type, headers={"cache-control": "no-store"})
    ear = following.admit(battle_id, address_of(request), pulse)
    if ear is None:
        return Response(status_code=503, headers={"retry-after": str(RETRY_SECONDS), "cache-control": "no-store"})
    return News(following, ear)


router.add_route("/b/{battle_id}/follow", follow, methods=["GET"], include_in_schema=False)
