"""A campaign's beginning, and its game masters' desk. Every form comes to the page's own address, and says by `action`
what it wants."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.ruleset import Json
from app.referee import accounts, campaignbattles, campaigns
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.web import refusals
from app.web.campaignforms import Asked, own_key, page, typed_sides
from app.web.campaignwords import COUNTED
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.security import account_of, address_of, campaign_of, keep_key, viewer_by_link

router = APIRouter()
KEY = re.compile(r"(?:^|/k/)([\w-]{20,100})/?$")
BATTLE = re.compile(r"(?:^|/b/)([A-Za-z0-9]{1,16})(?:/[a-z/]*)?$")


@dataclass(frozen=True, kw_only=True)
class NewCampaignPage(Page):
    template: ClassVar[str] = "campaign/new.html"
    title: str
    english: str
    russian: str
    name: str
    trouble: str
    open_battles: bool


@page_route(router, "/campaigns/new")
def form(request: Request, here: Here) -> HTMLResponse:
    return render(_new(here, frame_of(request), Fields({})))


@router.post("/campaigns/new", include_in_schema=False)
def make(request: Request, here: Here, body: Body) -> Response:
    frame, fields = frame_of(request), typed(body)
    if not here.settings.open_battles:
        raise RefereeError("not-yours")
    try:
        made = campaigns.create(
            here.db,
            title=fields.line("title"),
            description={"en": fields["english"], "ru": fields["russian"]},
            name=fields.line("name"),
            now=here.now(),
        )
    except RefereeError as refused:
        trouble = refusals.told(refused, frame.language)
        return render(_new(here, frame, fields, trouble), status=refusals.status(refused.code))
    answer = RedirectResponse(f"/c/{made.id}/desk", status_code=303)
    keep_key(answer, here.settings, Viewer("campaign", campaign_id=made.id), made.key)
    return answer


@page_route(router, "/c/{campaign_id}/desk")
def desk(request: Request, here: Here, campaign_id: str, told: str = "") -> HTMLResponse:
    viewer = campaign_of(here, request, campaign_id)
    return render(page(Asked(here, request, frame_of(request), campaign_id, viewer, Fields({})), told=told))


@router.post("/c/{campaign_id}/desk", include_in_schema=False)
def act(request: Request, here: Here, campaign_id: str, body: Body) -> Response:
    viewer, frame, fields = campaign_of(here, request, campaign_id), frame_of(request), typed(body)
    action = pressed(ACTIONS, fields)
    asked = Asked(here, request, frame, campaign_id, viewer, fields)
    try:
        return action(asked)
    except RefereeError as refused:
        trouble = refusals.told(refused, frame.language)
        return render(page(asked, trouble=trouble), status=refusals.status(refused.code))


def _describe(asked: Asked) -> Response:
    told = {"en": asked.fields["english"], "ru": asked.fields["russian"]}
    title = asked.fields.line("title")
    campaigns.describe(asked.here.db, *asked.place, title=title, description=told, now=asked.here.now())
    return _told(asked, "described")


def _sides(asked: Asked) -> Response:
    made: dict[str, Json] = {}
    for side in typed_sides(asked.fields):
        if not (side.key or side.english or side.russian):
            continue
        if side.key in made:
            raise RefereeError("bad-sides", params={"most": campaignbattles.MOST_SIDES})
        name = {"en": side.english or side.russian, "ru": side.russian or side.english}
        made[side.key] = {"name": name, "colour": side.colour}
    campaignbattles.set_sides(asked.here.db, *asked.place, made, asked.here.now())
    return _told(asked, "sides")


def _join(asked: Asked) -> Response:
    """By the desk's link of the battle, or by its address, if the account that is signed in leads it."""
    here, given = asked.here, asked.fields.line("join")
    account = account_of(here, asked.request)
    address = BATTLE.search(given)
    leader = accounts.acting(here.db, account, address[1], now=here.now()) if account and address else None
    if leader is None:
        key = KEY.search(given)
        if key is None:
            raise RefereeError("no-key")
        leader = viewer_by_link(here, address_of(asked.request), key[1])
    if leader.kind != "master" or leader.battle_id is None:
        raise RefereeError("not-yours")
    label = asked.fields.line("join_label")
    campaignbattles.add_battle(here.db, *asked.place, leader.battle_id, leader, now=here.now(), label=label)
    return _told(asked, "joined")


def _arrange(asked: Asked) -> Response:
    fields = asked.fields
    sides = {name.removeprefix("side:"): fields.line(name) for name in fields if name.startswith("side:") and fields[name]}
    campaignbattles.arrange(
        asked.here.db,
        *asked.place,
        fields.line("battle"),
        now=asked.here.now(),
        label=fields.line("label"),
        place=fields.whole("place") or campaignbattles.MOST_BATTLES,
        sides=sides,
    )
    return _told(asked, "arranged")


def _remove_battle(asked: Asked) -> Response:
    campaignbattles.remove_battle(asked.here.db, *asked.place, asked.fields.line("battle"), asked.here.now())
    return _told(asked, "removed")


def _rule(asked: Asked) -> Response:
    fields = asked.fields
    kind, _, side = fields["subject"].partition(":")
    changes = {key: _whole(fields.line(f"add:{key}")) for key in COUNTED}
    subject = side if kind == "side" else fields.line("commander")
    campaignbattles.rule(
        asked.here.db,
        *asked.place,
        kind=kind,
        subject=subject,
        changes=changes,
        reason=fields["reason"],
        now=asked.here.now(),
    )
    return _told(asked, "ruled")


def _add_master(asked: Asked) -> Response:
    key = campaigns.add_master(asked.here.db, *asked.place, asked.fields.line("name"), asked.here.now())
    return render(page(asked, new_link=asked.here.link(f"/k/{key}"), is_done=True))


def _remove_master(asked: Asked) -> Response:
    number = asked.fields.whole("number") or 0
    campaigns.remove_master(asked.here.db, *asked.place, number, asked.here.now())
    if number == asked.viewer.master:
        return RedirectResponse(f"/c/{asked.campaign_id}", status_code=303)
    return _told(asked, "gone")


def _keep(asked: Asked) -> Response:
    account = account_of(asked.here, asked.request)
    if account is None:
        return RedirectResponse(f"/account?to=/c/{asked.campaign_id}/desk", status_code=303)
    campaigns.keep(asked.here.db, *asked.place, account)
    return _told(asked, "kept")


def _let_go(asked: Asked) -> Response:
    campaigns.keep(asked.here.db, *asked.place, None)
    if not own_key(asked):
        return RedirectResponse(f"/c/{asked.campaign_id}", status_code=303)
    return _told(asked, "let-go")


ACTIONS: Mapping[str, Callable[[Asked], Response]] = {
    "describe": _describe,
    "sides": _sides,
    "join": _join,
    "arrange": _arrange,
    "remove": _remove_battle,
    "rule": _rule,
    "add": _add_master,
    "remove-master": _remove_master,
    "keep": _keep,
    "let-go": _let_go,
}


def _told(asked: Asked, what: str) -> Response:
    return RedirectResponse(f"/c/{asked.campaign_id}/desk?told={what}", status_code=303)


def _whole(text: str) -> int:
    """`+2`, `-1` and `−1` alike; what is no number is too great, and refused."""
    plain = text.replace("−", "-")
    if not plain:
        return 0
    return int(plain) if re.fullmatch(r"[+-]?[0-9]{1,6}", plain) else campaignbattles.ADDED_MAX + 1


def _new(here: House, frame: Frame, fields: Fields, trouble: str = "") -> NewCampaignPage:
    return NewCampaignPage(
        frame=frame,
        title=fields["title"],
        english=fields["english"],
        russian=fields["russian"],
        name=fields["name"],
        trouble=trouble,
        open_battles=here.settings.open_battles,
    )
