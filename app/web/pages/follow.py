"""`GET /b/{id}/follow`: server-sent events that hint that the battle's public page has changed, and say no more. Which the
change is, a page asks of `GET /b/{id}/stand`, the little that it needs to say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.referee import battles, freshness
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.web.battlecards import Stand, stand
from app.web.context import Page, frame_of, render
from app.web.deps import Here, page_route
from app.web.following import Following, News
from app.web.house import House
from app.web.security import address_of

router = APIRouter()
RETRY_SECONDS = 60


@dataclass(frozen=True, kw_only=True)
class StandPart(Page):
    """A piece of a page."""

    template: ClassVar[str] = "follow/stand.html"
    stand: Stand


@page_route(router, "/b/{battle_id}/stand")
def standing(request: Request, here: Here, battle_id: str) -> HTMLResponse:
    frame = frame_of(request)
    view = battles.battle(here.db, battle_id, PUBLIC, here.now())
    return render(StandPart(frame=frame, stand=stand(view, frame.words)))


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
