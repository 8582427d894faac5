"""What an account's holder is told of all that it holds: chosen once, beside what a seat or a desk chooses for itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.language import NAMES
from app.referee import accounts, holding, persons, scenarios
from app.referee.views import Viewer
from app.web import noticecards, zones
from app.web.context import Page, frame_of, render
from app.web.deps import Body, Here, House, page_route, typed
from app.web.noticecards import Reader, WayCard, WayForm
from app.web.parts import battle_title
from app.web.security import account_of

router = APIRouter()
PATH = "/account/notices"


@dataclass(frozen=True)
class HushedLine:
    id: str
    title: str


@dataclass(frozen=True, kw_only=True)
class AccountNoticesPage(Page):
    template: ClassVar[str] = "notices/account.html"
    name: str
    ways: tuple[WayCard, ...]
    forms: tuple[WayForm, ...]
    has_mail: bool
    hushed: tuple[HushedLine, ...]
    languages: tuple[tuple[str, str], ...]
    zones: tuple[tuple[str, str], ...]
    told: str
    trouble: str


@page_route(router, PATH)
def page(request: Request, here: Here, told: str = "") -> Response:
    account = account_of(here, request)
    if account is None:
        return RedirectResponse(f"/account?to={PATH}", status_code=303)
    return render(_page(_reader(request, here, account), {}, told=told))


@router.post(PATH, include_in_schema=False)
def act(request: Request, here: Here, body: Body) -> Response:
    account, fields = account_of(here, request), typed(body)
    if account is None:
        return RedirectResponse(f"/account?to={PATH}", status_code=303)
    if fields["action"] == "heard":
        persons.hush(here.db, account, fields["battle"], here.now(), is_quiet=False)
        return RedirectResponse(f"{PATH}?told=heard", status_code=303)
    reader = _reader(request, here, account)
    told, trouble, status = noticecards.act(reader, fields)
    if not trouble:
        return RedirectResponse(f"{PATH}?told={told}", status_code=303)
    return render(_page(reader, fields, trouble=trouble), status=status)


def _reader(request: Request, here: House, account: Viewer) -> Reader:
    seen = accounts.view(here.db, account)
    return Reader(here, frame_of(request), None, account, is_master=True, zone=seen.zone, address=seen.mail or "")


def _page(reader: Reader, given: Mapping[str, str], *, told: str = "", trouble: str = "") -> AccountNoticesPage:
    here, words = reader.here, reader.frame.words
    return AccountNoticesPage(
        frame=reader.frame,
        name=reader.viewer.name or "",
        ways=noticecards.ways(reader, given),
        forms=noticecards.forms(reader, given),
        has_mail=bool(here.settings.smtp_host),
        hushed=_hushed(reader),
        languages=tuple(NAMES.items()),
        zones=tuple((zone, words.zone(zone)) for zone in zones.OFFERED),
        told=told if told in noticecards.TOLD else "",
        trouble=trouble,
    )


def _hushed(reader: Reader) -> tuple[HushedLine, ...]:
    titles = {line.key: line.title for line in scenarios.known()}
    hushed = persons.hushed(reader.here.db, reader.viewer)
    return tuple(
        HushedLine(battle.id, battle_title(battle.title, titles.get(battle.scenario_key), reader.frame.words))
        for battle in holding.battles(reader.here.db, reader.viewer, reader.here.now())
        if battle.id in hushed
    )
