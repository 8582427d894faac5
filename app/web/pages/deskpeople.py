"""The desk's page of people: the game masters of a battle. Every form comes to the page's own address and says by `action`
what it wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import askings, battles, masters
from app.referee.errors import RefereeError
from app.referee.views import MasterView, Viewer
from app.web import refusals
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.parts import battle_title
from app.web.security import master_key, master_of

router = APIRouter()
TOLD = ("described", "removed")


@dataclass(frozen=True, kw_only=True)
class DeskPeoplePage(Page):
    template: ClassVar[str] = "desk/people.html"
    battle_id: str
    title: str
    asking: int
    """So many ask for a seat and wait for an answer."""
    masters: tuple[MasterView, ...]
    me: MasterView
    has_key: bool
    """Whether the browser holds a game master's key: without one, no link can be made."""
    new_link: str
    """Just made, shown this once."""
    new_name: str
    """Of a helper, as it was typed."""
    my_name: str
    plays: bool
    told: str
    trouble: str


@page_route(router, "/b/{battle_id}/desk/people")
def page(request: Request, here: Here, battle_id: str, told: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(here, request, frame_of(request), battle_id, viewer, told=told))


@router.post("/b/{battle_id}/desk/people", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer, frame, fields = master_of(here, request, battle_id), frame_of(request), typed(body)
    action = pressed(ACTIONS, fields)
    try:
        return action(Asked(here, request, frame, battle_id, viewer, fields))
    except RefereeError as refused:
        trouble = refusals.told(refused, frame.language)
        page = _page(here, request, frame, battle_id, viewer, trouble=trouble, given=fields)
        return render(page, status=refusals.status(refused.code))


@dataclass(frozen=True)
class Asked:
    here: House
    request: Request
    frame: Frame
    battle_id: str
    viewer: Viewer
    fields: Fields


def _add(asked: Asked) -> Response:
    here, now = asked.here, asked.here.now()
    name = asked.fields.line("name")
    key = masters.add(here.db, asked.battle_id, asked.viewer, master_key(asked.request), name, now)
    link = here.link(f"/k/{key}")
    return render(_page(here, asked.request, asked.frame, asked.battle_id, asked.viewer, new_link=link))


def _remove(asked: Asked) -> Response:
    number = asked.fields.whole("number") or 0
    masters.remove(asked.here.db, asked.battle_id, asked.viewer, number, asked.here.now())
    if number == asked.viewer.master:
        return RedirectResponse(f"/b/{asked.battle_id}", status_code=303)
    return _told(asked, "removed")


def _describe(asked: Asked) -> Response:
    masters.describe(
        asked.here.db,
        asked.battle_id,
        asked.viewer,
        name=asked.fields.line("name"),
        plays=asked.fields.is_on("plays"),
        now=asked.here.now(),
    )
    return _told(asked, "described")


ACTIONS: Mapping[str, Callable[[Asked], Response]] = {"add": _add, "remove": _remove, "describe": _describe}


def _told(asked: Asked, what: str) -> Response:
    return RedirectResponse(f"/b/{asked.battle_id}/desk/people?told={what}", status_code=303)


def _page(
    here: House,
    request: Request,
    frame: Frame,
    battle_id: str,
    viewer: Viewer,
    *,
    told: str = "",
    trouble: str = "",
    new_link: str = "",
    given: Fields | None = None,
) -> DeskPeoplePage:
    view = battles.battle(here.db, battle_id, viewer, here.now())
    number = viewer.master or masters.FIRST
    me = next(master for master in view.masters if master.number == number)
    adding, describing = (given if given and given["action"] == action else None for action in ("add", "describe"))
    return DeskPeoplePage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), frame.words),
        asking=sum(one.status == "asked" for one in askings.of_battle(here.db, battle_id, viewer)),
        masters=view.masters,
        me=me,
        has_key=bool(master_key(request)),
        new_link=new_link,
        new_name=adding["name"] if adding else "",
        my_name=describing["name"] if describing else me.name or "",
        plays=describing.is_on("plays") if describing else me.plays,
        told=told if told in TOLD else "",
        trouble=trouble,
    )
