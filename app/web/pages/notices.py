"""What somebody is told, where and when: chosen by a seat's holder beside his orders, by the game master at his desk. And
the links in letters, which need no key. All forms come to the page's own address and say by `action` what they want."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.language import NAMES, Translator
from app.referee import battles, persons, subscriptions, ties, undelivered
from app.referee.errors import RefereeError
from app.referee.undelivered import Failure
from app.web import noticecards, tiewords, zones
from app.web.context import Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.noticecards import Reader, WayCard, WayForm
from app.web.parts import battle_title
from app.web.security import account_of, master_of, seat_of

router = APIRouter()


@dataclass(frozen=True)
class FailureLine:
    id: int
    whom: str
    how: str
    at: datetime
    due_at: datetime | None
    error: str


@dataclass(frozen=True)
class OfAccount:
    """What the reader's account does for this seat or desk: its ways, unless it wants to hear nothing of the battle."""

    ways: tuple[str, ...]
    is_hushed: bool


@dataclass(frozen=True, kw_only=True)
class NoticesPage(Page):
    """`seat`: None at the desk. `failures`: of all persons, for the game master alone."""

    template: ClassVar[str] = "notices/notices.html"
    battle_id: str
    title: str
    seat: str | None
    name: str
    action: str
    zone: str
    ways: tuple[WayCard, ...]
    of_account: OfAccount | None
    forms: tuple[WayForm, ...]
    has_mail: bool
    failures: tuple[FailureLine, ...]
    languages: tuple[tuple[str, str], ...]
    zones: tuple[tuple[str, str], ...]
    told: str
    trouble: str


@dataclass(frozen=True, kw_only=True)
class LinkPage(Page):
    """`what`: `confirm` or `end`; `place`: the masked address; empty: the link is used up. `is_done`: just now."""

    template: ClassVar[str] = "notices/link.html"
    what: str
    place: str
    is_done: bool


@page_route(router, "/b/{battle_id}/seat/{seat}/notices")
def own(request: Request, here: Here, battle_id: str, seat: str, told: str = "") -> HTMLResponse:
    return render(_page(request, _of_seat(request, here, battle_id, seat), seat, told=told))


@router.post("/b/{battle_id}/seat/{seat}/notices", include_in_schema=False)
def act_own(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    return _act(request, _of_seat(request, here, battle_id, seat), seat, typed(body))


@page_route(router, "/b/{battle_id}/desk/notices")
def desk(request: Request, here: Here, battle_id: str, told: str = "") -> HTMLResponse:
    return render(_page(request, _of_desk(request, here, battle_id), None, told=told))


@router.post("/b/{battle_id}/desk/notices", include_in_schema=False)
def act_desk(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    return _act(request, _of_desk(request, here, battle_id), None, typed(body))


@page_route(router, "/notices/{what}/{token}")
def link(request: Request, here: Here, what: str, token: str) -> HTMLResponse:
    """Looks only: programs that read mail follow links."""
    return _link(here, request, what, token, is_done=False)


@router.post("/notices/{what}/{token}", include_in_schema=False)
def follow(request: Request, here: Here, what: str, token: str) -> HTMLResponse:
    """The button of that page; and the one click of a mail program, whose body says nothing more (RFC 8058)."""
    page = _link(here, request, what, token, is_done=True)
    (subscriptions.confirm if what == "confirm" else subscriptions.end_by_link)(here.db, token)
    return page


def _link(here: House, request: Request, what: str, token: str, *, is_done: bool) -> HTMLResponse:
    if what not in {"confirm", "end"}:
        raise RefereeError("no-page")
    place = subscriptions.asked(here.db, token) or ""
    answer = render(LinkPage(frame=frame_of(request), what=what, place=place, is_done=is_done))
    answer.headers["cache-control"] = "no-store"
    return answer


def _of_seat(request: Request, here: House, battle_id: str, seat: str) -> Reader:
    return Reader(here, frame_of(request), battle_id, seat_of(here, request, battle_id, seat), is_master=False)


def _of_desk(request: Request, here: House, battle_id: str) -> Reader:
    return Reader(here, frame_of(request), battle_id, master_of(here, request, battle_id), is_master=True)


def _path(battle_id: str, seat: str | None) -> str:
    return f"/b/{battle_id}/" + ("desk/notices" if seat is None else f"seat/{quote(seat, safe='')}/notices")


def _act(request: Request, reader: Reader, seat: str | None, fields: Fields) -> Response:
    battle_id = reader.viewer.battle_id or ""
    if fields["action"] in ("hush", "heard"):
        return _hush(request, reader.here, battle_id, seat, is_quiet=fields["action"] == "hush")
    if fields["action"] == "retry" and seat is None:
        ties.retry(reader.here.db, battle_id, reader.viewer, fields.whole("sent") or 0, reader.here.now())
        told, trouble, status = "retry", "", 200
    else:
        told, trouble, status = noticecards.act(reader, fields)
    if not trouble:
        return RedirectResponse(f"{_path(battle_id, seat)}?told={told}", status_code=303)
    return render(_page(request, reader, seat, trouble=trouble, given=fields), status=status)


def _hush(request: Request, here: House, battle_id: str, seat: str | None, *, is_quiet: bool) -> Response:
    """By the reader's account alone: a link says nothing for it."""
    account = account_of(here, request)
    if account is None:
        raise RefereeError("not-yours")
    persons.hush(here.db, account, battle_id, here.now(), is_quiet=is_quiet)
    return RedirectResponse(f"{_path(battle_id, seat)}?told={'hush' if is_quiet else 'heard'}", status_code=303)


def _page(
    request: Request,
    reader: Reader,
    seat: str | None,
    *,
    told: str = "",
    trouble: str = "",
    given: Mapping[str, str] | None = None,
) -> NoticesPage:
    here, words, battle_id = reader.here, reader.frame.words, reader.viewer.battle_id or ""
    view = battles.battle(here.db, battle_id, reader.viewer, here.now())
    reader = replace(reader, zone=view.zone)
    names = {seat.seat: words.text(seat.name) for seat in view.seats}
    failed: tuple[Failure, ...] = ()
    if seat is None:
        failed = undelivered.failures(here.db, battle_id, reader.viewer, here.now())
    return NoticesPage(
        frame=reader.frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), words),
        seat=seat,
        name=names.get(seat or "", ""),
        action=_path(battle_id, seat),
        zone=view.zone,
        ways=noticecards.ways(reader, given or {}),
        of_account=_of_account(request, here, battle_id, seat, words),
        forms=noticecards.forms(reader, given or {}),
        has_mail=bool(here.settings.smtp_host),
        failures=tuple(_failure(one, names, words) for one in failed),
        languages=tuple(NAMES.items()),
        zones=tuple((zone, words.zone(zone)) for zone in zones.OFFERED),
        told=told if told in noticecards.TOLD else "",
        trouble=trouble,
    )


def _of_account(request: Request, here: House, battle_id: str, seat: str | None, words: Translator) -> OfAccount | None:
    account = account_of(here, request)
    if account is None or not persons.acts(here.db, account, battle_id, here.now(), seat=seat):
        return None
    ways = tuple(
        f"{words.gettext(tiewords.WAYS[one.kind][0])}, {one.place}"
        for one in subscriptions.listing(here.db, None, account)
        if one.state == "works"
    )
    return OfAccount(ways, battle_id in persons.hushed(here.db, account))


def _failure(one: Failure, names: Mapping[str, str], words: Translator) -> FailureLine:
    whom = words.gettext("the game master") if one.seat is None else names.get(one.seat, one.seat)
    if one.is_asker:
        whom = words.gettext("somebody who asks for a seat")
    how = f"{words.gettext(tiewords.WAYS[one.kind][0])}, {one.place}"
    return FailureLine(one.id, whom, how, one.at, one.due_at, tiewords.error(one.error, words))
