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
from app.posting import services
from app.posting.kinds import KINDS, BadTarget
from app.referee import battles, subscriptions, ties
from app.referee.errors import RefereeError
from app.referee.subscriptions import Failure, SubscriptionView
from app.referee.views import Viewer
from app.web import noticeforms, refusals, tiewords, zones
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.noticeforms import WishForm
from app.web.pages.ties import SECRETS, FormField
from app.web.parts import battle_title
from app.web.security import master_of, seat_of

router = APIRouter()
TOLD = ("added", "asked", "changed", "removed", "trial", "retry")


@dataclass(frozen=True)
class WayCard:
    """A way to the reader, with its form."""

    id: int
    kind: str
    place: str
    state: str
    error: str
    last: datetime | None
    waiting: int
    form: WishForm
    is_open: bool


@dataclass(frozen=True)
class WayForm:
    kind: str
    title: str
    hint: str
    fields: tuple[FormField, ...]
    form: WishForm
    is_open: bool


@dataclass(frozen=True)
class FailureLine:
    id: int
    whom: str
    how: str
    at: datetime
    due_at: datetime | None
    error: str


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


@dataclass(frozen=True)
class Reader:
    """Who looks at his notices: the holder of a seat, or (None) the game master."""

    here: House
    frame: Frame
    battle_id: str
    seat: str | None
    viewer: Viewer

    @property
    def action(self) -> str:
        path = f"/b/{self.battle_id}/"
        return path + ("desk/notices" if self.seat is None else f"seat/{quote(self.seat, safe='')}/notices")


@page_route(router, "/b/{battle_id}/seat/{seat}/notices")
def own(request: Request, here: Here, battle_id: str, seat: str, told: str = "") -> HTMLResponse:
    viewer = seat_of(here, request, battle_id, seat)
    return render(_page(Reader(here, frame_of(request), battle_id, seat, viewer), told=told))


@router.post("/b/{battle_id}/seat/{seat}/notices", include_in_schema=False)
def act_own(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    viewer = seat_of(here, request, battle_id, seat)
    return _act(Reader(here, frame_of(request), battle_id, seat, viewer), typed(body))


@page_route(router, "/b/{battle_id}/desk/notices")
def desk(request: Request, here: Here, battle_id: str, told: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(Reader(here, frame_of(request), battle_id, None, viewer), told=told))


@router.post("/b/{battle_id}/desk/notices", include_in_schema=False)
def act_desk(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer = master_of(here, request, battle_id)
    return _act(Reader(here, frame_of(request), battle_id, None, viewer), typed(body))


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


def _act(reader: Reader, fields: Fields) -> Response:
    trouble, status, words = "", 422, reader.frame.words
    try:
        told, wrong = _do(reader, fields)
        trouble = words.gettext(noticeforms.TROUBLES[wrong]) if wrong else ""
    except BadTarget as refused:
        told, trouble = "", tiewords.why(refused.field, refused.why, words)
    except RefereeError as refused:
        told, status = "", refusals.status(refused.code)
        trouble = refusals.told(refused, reader.frame.language)
    if not trouble:
        return RedirectResponse(f"{reader.action}?told={told}", status_code=303)
    return render(_page(reader, trouble=trouble, typed=fields), status=status)


def _do(reader: Reader, fields: Fields) -> tuple[str, str]:
    """What was done, or what is wrong with the wishes."""
    here, action = reader.here, fields["action"]
    mine = (here.db, reader.battle_id, reader.viewer)
    way = fields.whole("way") or 0
    if action == "remove":
        subscriptions.remove(*mine, way)
        return "removed", ""
    if action == "trial":
        subscriptions.try_out(*mine, way, here.now())
        return "trial", ""
    if action == "retry" and reader.seat is None:
        ties.retry(*mine, fields.whole("sent") or 0, here.now())
        return "retry", ""
    if action not in {"add", "change"}:
        raise RefereeError("bad-request")
    wishes, wrong = noticeforms.read(fields)
    if wishes is None:
        return "", wrong
    if action == "change":
        subscriptions.change(*mine, way, wishes, here.now())
        return "changed", ""
    subscriptions.add(
        *mine,
        kind=fields["kind"],
        given=fields,
        wishes=wishes,
        allow_private=here.settings.allow_private_targets,
        has_mail=bool(here.settings.smtp_host),
        now=here.now(),
    )
    return "asked" if fields["kind"] == "mail" else "added", ""


def _page(reader: Reader, *, told: str = "", trouble: str = "", typed: Mapping[str, str] | None = None) -> NoticesPage:
    here, words, given = reader.here, reader.frame.words, typed or {}
    view = battles.battle(here.db, reader.battle_id, reader.viewer, here.now())
    names = {seat.seat: words.text(seat.name) for seat in view.seats}
    failed: tuple[Failure, ...] = ()
    if reader.seat is None:
        failed = subscriptions.failures(here.db, reader.battle_id, reader.viewer, here.now())
    return NoticesPage(
        frame=reader.frame,
        battle_id=reader.battle_id,
        title=battle_title(view.title, view.scenario.get("title"), words),
        seat=reader.seat,
        name=names.get(reader.seat or "", ""),
        action=reader.action,
        zone=view.zone,
        ways=tuple(_way(reader, one, given) for one in subscriptions.listing(here.db, reader.battle_id, reader.viewer)),
        forms=tuple(_form(reader, kind, view.zone, given) for kind in _offered(here)),
        has_mail=bool(here.settings.smtp_host),
        failures=tuple(_failure(one, names, words) for one in failed),
        languages=tuple(NAMES.items()),
        zones=tuple((zone, words.zone(zone)) for zone in zones.OFFERED),
        told=told if told in TOLD else "",
        trouble=trouble,
    )


def _offered(here: House) -> list[str]:
    absent = {"mail"} if not here.settings.smtp_host else set()
    if not services.is_installed():
        absent.add("apprise")
    return [kind for kind in subscriptions.KINDS if kind not in absent]


def _way(reader: Reader, one: SubscriptionView, given: Mapping[str, str]) -> WayCard:
    words, is_typed = reader.frame.words, given.get("action") == "change" and given.get("way") == str(one.id)
    for_master = reader.seat is None
    form = noticeforms.form(one.wishes, words, for_master=for_master)
    if is_typed:
        form = noticeforms.again(given, words, for_master=for_master)
    return WayCard(
        id=one.id,
        kind=words.gettext(tiewords.WAYS[one.kind][0]),
        place=one.place,
        state=one.state,
        error=tiewords.error(one.error, words),
        last=one.last,
        waiting=one.waiting,
        form=form,
        is_open=is_typed,
    )


def _form(reader: Reader, kind: str, zone: str, given: Mapping[str, str]) -> WayForm:
    """What was typed and refused stands in its form again, but for what opens a place."""
    words, for_master = reader.frame.words, reader.seat is None
    is_open = given.get("action") == "add" and given.get("kind") == kind
    form = noticeforms.blank(reader.frame.language, zone, words, for_master=for_master)
    if is_open:
        form = noticeforms.again(given, words, for_master=for_master)
    names = ("address",) if kind == "mail" else KINDS[kind].fields
    shown = {name: given.get(name, "") for name in ("address", "chat")} if is_open else {}
    title, hint = tiewords.WAYS[kind]
    asked = tuple(replace(_field(name, words), value=shown.get(name, "")) for name in names)
    return WayForm(kind, words.gettext(title), words.gettext(hint), asked, form, is_open)


def _field(name: str, words: Translator) -> FormField:
    label, hint = tiewords.FIELDS[name]
    looks = "password" if name in SECRETS else "email" if name == "address" else "text"
    return FormField(name, words.gettext(label), words.gettext(hint) if hint else "", looks, "")


def _failure(one: Failure, names: Mapping[str, str], words: Translator) -> FailureLine:
    whom = words.gettext("the game master") if one.seat is None else names.get(one.seat, one.seat)
    how = f"{words.gettext(tiewords.WAYS[one.kind][0])}, {one.place}"
    return FailureLine(one.id, whom, how, one.at, one.due_at, tiewords.error(one.error, words))
