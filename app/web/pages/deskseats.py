"""The desk's page of seats: who holds each, given to another, taken away, shared, offered, filled by a program. Every form
comes to the page's own address and says by `action` what it wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, cast
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import battles, leave, programs, seating
from app.referee.errors import RefereeError
from app.referee.views import BattleView, SeatView, Viewer
from app.reports import seatwords
from app.web import refusals, seatforms
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.leaves import LeaveCard, leave_card
from app.web.parts import battle_title, capital
from app.web.seatcards import Choice, SharerCard, doctrine_choices
from app.web.seatforms import Asked
from app.web.security import master_key, master_of

router = APIRouter()
TOLD = ("removed", "offered", "withdrawn", "program", "unshared", "back", "doctrine")


@dataclass(frozen=True)
class DeskSeat:
    """A seat as the game master deals with it. `link` empty: none that the desk can make, or nobody has it."""

    seat: str
    name: str
    side: str
    holder: str
    link: str
    is_vacant: bool
    is_offered: bool
    program: str
    programs: tuple[Choice, ...]
    doctrines: tuple[Choice, ...]
    """Of a vacant seat."""
    has_doctrine: bool
    leave: LeaveCard | None
    sharers: tuple[SharerCard, ...]


@dataclass(frozen=True, kw_only=True)
class DeskSeatsPage(Page):
    template: ClassVar[str] = "desk/seats.html"
    battle_id: str
    title: str
    zone: str
    is_over: bool
    seats: tuple[DeskSeat, ...]
    has_key: bool
    new_link: str
    about: str
    """The seat of which something is told."""
    typed: Mapping[str, str]
    typed_seat: str
    told: str
    trouble: str


@page_route(router, "/b/{battle_id}/desk/seats")
def page(request: Request, here: Here, battle_id: str, told: str = "", seat: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(here, request, battle_id, viewer, told=told, about=seat))


@router.post("/b/{battle_id}/desk/seats", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer, fields = master_of(here, request, battle_id), typed(body)
    action = pressed(ACTIONS, fields)
    asked = Asked(here, request, battle_id, fields["seat"], viewer, fields)
    try:
        return action(asked)
    except RefereeError as refused:
        trouble = refusals.told(refused, frame_of(request).language)
        shown = _page(here, request, battle_id, viewer, trouble=trouble, given=fields)
        return render(shown, status=refusals.status(refused.code))


def _give(asked: Asked) -> Response:
    key = seating.give(
        asked.here.db,
        asked.battle_id,
        asked.seat,
        asked.viewer,
        master_key(asked.request),
        holder=asked.fields.line("holder"),
        orders=cast(seating.Orders, asked.fields["orders"]),
        now=asked.here.now(),
    )
    return _with_link(asked, key)


def _renew(asked: Asked) -> Response:
    """Its commander stays; his link was lost, or has got into the wrong hands."""
    own, now = master_key(asked.request), asked.here.now()
    key = battles.renew_key(asked.here.db, asked.battle_id, asked.seat, own, now, by=asked.viewer)
    return _with_link(asked, key)


def _remove(asked: Asked) -> Response:
    orders = cast(seating.Orders, asked.fields["orders"])
    seating.remove(asked.here.db, asked.battle_id, asked.seat, asked.viewer, orders=orders, now=asked.here.now())
    return _told(asked, "removed")


def _offer(asked: Asked) -> Response:
    seating.offer(asked.here.db, asked.battle_id, asked.seat, asked.viewer, asked.here.now())
    return _told(asked, "offered")


def _withdraw(asked: Asked) -> Response:
    seating.withdraw(asked.here.db, asked.battle_id, asked.seat, asked.viewer, asked.here.now())
    return _told(asked, "withdrawn")


def _program(asked: Asked) -> Response:
    chosen = asked.fields["program"] or None
    programs.choose(asked.here.db, asked.battle_id, asked.seat, asked.viewer, chosen, asked.here.now())
    return _told(asked, "program")


def _doctrine(asked: Asked) -> Response:
    seatforms.choose_doctrine(asked)
    return _told(asked, "doctrine")


def _share(asked: Asked) -> Response:
    return _with_link(asked, seatforms.share(asked))


def _unshare(asked: Asked) -> Response:
    seatforms.unshare(asked)
    return _told(asked, "unshared")


def _back(asked: Asked) -> Response:
    leave.back(asked.here.db, asked.battle_id, asked.seat, asked.viewer, asked.here.now())
    return _told(asked, "back")


ACTIONS: Mapping[str, Callable[[Asked], Response]] = {
    "give": _give,
    "renew": _renew,
    "remove": _remove,
    "offer": _offer,
    "withdraw": _withdraw,
    "program": _program,
    "doctrine": _doctrine,
    "share": _share,
    "unshare": _unshare,
    "back": _back,
}


def _told(asked: Asked, what: str) -> Response:
    about = quote(asked.seat, safe="")
    return RedirectResponse(f"/b/{asked.battle_id}/desk/seats?told={what}&seat={about}", status_code=303)


def _with_link(asked: Asked, key: str) -> Response:
    """The page with a link that is just made."""
    link = asked.here.link(f"/k/{key}")
    return render(_page(asked.here, asked.request, asked.battle_id, asked.viewer, new_link=link, about=asked.seat))


def _page(
    here: House,
    request: Request,
    battle_id: str,
    viewer: Viewer,
    *,
    told: str = "",
    about: str = "",
    trouble: str = "",
    given: Fields | None = None,
    new_link: str = "",
) -> DeskSeatsPage:
    frame = frame_of(request)
    view = battles.battle(here.db, battle_id, viewer, here.now())
    own = master_key(request)
    keys = battles.seat_keys(here.db, battle_id, own) if own else {}
    sharers = seating.sharers(here.db, battle_id, viewer)
    names = {one.seat: capital(frame.words.text(one.name)) for one in view.seats}
    return DeskSeatsPage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), frame.words),
        zone=view.zone,
        is_over=view.status == "over",
        seats=tuple(_seat(here, frame, view, one, keys.get(one.seat, ""), sharers) for one in view.seats),
        has_key=bool(own),
        new_link=new_link,
        about=names.get(about, ""),
        typed={name: given[name] if given is not None else "" for name in ("holder", "orders", "name", "action")},
        typed_seat=given["seat"] if given is not None else "",
        told=told if told in TOLD else "",
        trouble=trouble,
    )


def _seat(
    here: House, frame: Frame, view: BattleView, seat: SeatView, key: str, sharers: tuple[seating.Sharer, ...]
) -> DeskSeat:
    words, language = frame.words, frame.language
    side = next((one.name for one in view.sides if one.side == seat.side), {})
    return DeskSeat(
        seat=seat.seat,
        name=capital(words.text(seat.name)),
        side=capital(words.text(side)),
        holder=seat.holder or "",
        link=here.link(f"/k/{key}") if key and not seat.is_vacant else "",
        is_vacant=seat.is_vacant,
        is_offered=seat.offered_at is not None,
        program=seatwords.program(seat.program, language) if seat.program else "",
        programs=tuple(
            Choice(name, capital(seatwords.program(name, language)), "", name == seat.program) for name in programs.PROGRAMS
        ),
        doctrines=doctrine_choices(view, "", language) if seat.is_vacant else (),
        has_doctrine=seat.doctrine_digest is not None,
        leave=leave_card(seat, view, words),
        sharers=tuple(SharerCard(one.id, one.name, one.since) for one in sharers if one.seat == seat.seat),
    )
