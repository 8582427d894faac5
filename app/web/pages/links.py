"""Secret links: the key in the address goes into a cookie, and the reader on to his page."""

from __future__ import annotations

from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.config import BadSetting
from app.referee.errors import RefereeError
from app.store.away import Away
from app.web.deps import Here, page_route
from app.web.security import address_of, keep_key, viewer_by_link

router = APIRouter()


@page_route(router, "/k/{key}")
def follow(request: Request, here: Here, key: str) -> Response:
    """Wrong keys are counted for each address; an account's token opens no page."""
    viewer = viewer_by_link(here, address_of(request), key)
    if viewer.campaign_id is not None:
        to = f"/c/{viewer.campaign_id}/desk"
    elif viewer.battle_id is not None:
        to = f"/b/{viewer.battle_id}/" + ("desk" if viewer.seat is None else f"seat/{quote(viewer.seat, safe='')}")
    else:
        raise RefereeError("no-key")
    answer = RedirectResponse(to, status_code=303, headers={"cache-control": "no-store"})
    keep_key(answer, here.settings, viewer, key)
    return answer


@page_route(router, "/healthz")
def healthz(here: Here) -> Response:
    """For whoever watches the server: it answers, and its database does."""
    try:
        here.db.revision()
    except BadSetting as failure:
        raise Away(str(failure)) from failure
    return Response("ok", media_type="text/plain", headers={"cache-control": "no-store"})
