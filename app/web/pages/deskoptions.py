"""The options of a battle at the desk: changed by form, each change told in the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import battles, flow, turns
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.web import optionform, refusals
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Here, House, page_route, typed
from app.web.optionform import OptionField
from app.web.parts import Trouble, battle_title
from app.web.security import master_of

router = APIRouter()


@dataclass(frozen=True, kw_only=True)
class OptionsPage(Page):
    template: ClassVar[str] = "deskoptions/deskoptions.html"
    battle_id: str
    title: str
    is_over: bool
    early: bool
    review: bool
    options: tuple[OptionField, ...]
    told: str
    troubles: tuple[Trouble, ...]


@page_route(router, "/b/{battle_id}/desk/options")
def show(request: Request, here: Here, battle_id: str, told: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(here, frame_of(request), battle_id, viewer, told=told))


@router.post("/b/{battle_id}/desk/options", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer = master_of(here, request, battle_id)
    frame, fields = frame_of(request), typed(body)
    if fields["action"] == "flow":
        flow.set_flow(here.db, battle_id, viewer, here.now(), early=fields.is_on("early"), review=fields.is_on("review"))
        turns.resolve_if_due(here.db, battle_id, here.now())
        return RedirectResponse(f"/b/{battle_id}/desk/options?told=kept", status_code=303)
    view = battles.battle(here.db, battle_id, viewer, here.now())
    chosen, troubles = optionform.read(fields, view.options, frame.words)
    status = 422
    if not troubles:
        try:
            battles.set_options(here.db, battle_id, viewer, chosen, here.now())
        except RefereeError as refused:
            troubles = (Trouble(refusals.told(refused, frame.language)),)
            status = refusals.status(refused.code)
        else:
            return RedirectResponse(f"/b/{battle_id}/desk/options?told=kept", status_code=303)
    return render(_page(here, frame, battle_id, viewer, troubles=troubles, given=fields), status=status)


def _page(
    here: House,
    frame: Frame,
    battle_id: str,
    viewer: Viewer,
    *,
    told: str = "",
    troubles: tuple[Trouble, ...] = (),
    given: Mapping[str, str] | None = None,
) -> OptionsPage:
    view = battles.battle(here.db, battle_id, viewer, here.now())
    return OptionsPage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), frame.words),
        is_over=view.status == "over",
        early=view.early,
        review=view.review,
        options=optionform.fields_of(view.options, frame.words, given),
        told="kept" if told == "kept" else "",
        troubles=troubles,
    )
