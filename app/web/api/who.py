"""Who is asking: bearer tokens alone. Cookies say nothing here, so that another site cannot use them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from app.referee import accounts
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC, Viewer
from app.web.house import Here
from app.web.security import address_of, viewer_by_link


def viewer(request: Request, here: Here) -> Viewer:
    """The public without a token; else who the token says. Wrong tokens are counted for each address."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if not scheme:
        return PUBLIC
    if scheme.lower() != "bearer":
        raise RefereeError("no-key")
    found = viewer_by_link(here, address_of(request), token.strip())
    battle_id = request.path_params.get("id")
    if found.kind == "account" and isinstance(battle_id, str):
        return accounts.acting(here.db, found, battle_id, here.now(), seat=request.path_params.get("seat")) or found
    seat = request.path_params.get("seat")
    if (
        found.kind == "seat"
        and found.through != "deputy"
        and found.battle_id == battle_id
        and seat not in (None, found.seat)
    ):
        for deputy in accounts.standing_in(here.db, found.battle_id or "", here.now(), (found.seat or "",), seat=seat):
            return deputy
    return found


def known(found: Annotated[Viewer, Depends(viewer)]) -> Viewer:
    """Somebody with a token: for calls that the public may not make at all."""
    if found.kind == "public":
        raise RefereeError("no-key")
    return found


Anyone = Annotated[Viewer, Depends(viewer)]
Known = Annotated[Viewer, Depends(known)]
