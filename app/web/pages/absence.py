"""A seat's own page of absence: leave and deputy, standing doctrine, sharing, handing over. Every form comes to the page's
own address and says by `action` what it wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, cast
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import accounts, battles, doctrines, leave, seating
from app.referee.errors import RefereeError
from app.referee.leave import Deputy
from app.referee.views import Viewer
from app.web import refusals, seatforms, zones
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.leaves import LeaveCard, leave_card
from app.web.parts import battle_title, capital
from app.web.seatcards import Choice, SharerCard, doctrine_choices
from app.web.seatforms import Asked
from app.web.security import account_of, keep_key, seat_of

router = APIRouter()
TOLD = ("leave", "back", "doctrine", "unshared")
DEPUTIES = ("nobody", "seat", "account", "link")


@dataclass(frozen=True, kw_only=True)
class AbsencePage(Page):
    template: ClassVar[str] = "absence/absence.html"
    battle_id: str
    title: str
    seat: str
    name: str
    zone: str
    is_over: bool
    through: str
    """`own`, `shared` or `deputy`: what the reader may do."""
    leave: LeaveCard | None
    friends: tuple[Choice, ...]
    """Other seats of the side."""
    doctrines: tuple[Choice, ...]
    """Empty: the game has none."""
    follows: bool
    """Whether the battle lets doctrines be followed."""
    sharers: tuple[SharerCard, ...]
    may_hand_over: bool
    zones: tuple[tuple[str, str], ...]
    typed: Mapping[str, str]
    new_link: str
    new_for: str
    told: str
    trouble: str


@page_route(router, "/b/{battle_id}/seat/{seat}/absence")
def page(request: Request, here: Here, battle_id: str, seat: str, told: str = "") -> HTMLResponse:
    viewer = seat_of(here, request, battle_id, seat)
    return render(_page(here, request, battle_id, seat, viewer, told=told))


@router.post("/b/{battle_id}/seat/{seat}/absence", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    viewer, fields = seat_of(here, request, battle_id, seat), typed(body)
    action = pressed(ACTIONS, fields)
    try:
        return action(Asked(here, request, battle_id, seat, viewer, fields))
    except RefereeError as refused:
        trouble = refusals.told(refused, frame_of(request).language)
        shown = _page(here, request, battle_id, seat, viewer, trouble=trouble, given=fields)
        return render(shown, status=refusals.status(refused.code))


def _take(asked: Asked) -> Response:
    here, fields, now = asked.here, asked.fields, asked.here.now()
    zone = fields.line("zone")
    if zone not in zones.known():
        raise RefereeError("bad-leave")
    begins = zones.parse_local(fields["begins"], zone) if fields["begins"].strip() else now
    ends = zones.parse_local(fields["ends"], zone)
    if begins is None or ends is None:
        raise RefereeError("bad-leave")
    kind = fields["deputy"] if fields["deputy"] in DEPUTIES else "nobody"
    of = {"seat": fields["deputy-seat"], "account": fields.line("deputy-account"), "link": fields.line("deputy-name")}
    deputy = Deputy(cast(Literal["nobody", "seat", "account", "link"], kind), of.get(kind, ""))
    key = leave.take(
        here.db, asked.battle_id, asked.seat, asked.viewer, begins=begins, ends=ends, zone=zone, deputy=deputy, now=now
    )
    if key is None:
        return _told(asked, "leave")
    return _with_link(asked, key, "deputy")


def _back(asked: Asked) -> Response:
    leave.back(asked.here.db, asked.battle_id, asked.seat, asked.viewer, asked.here.now())
    if asked.viewer.through == "deputy":
        return RedirectResponse(f"/b/{asked.battle_id}", status_code=303)
    return _told(asked, "back")


def _doctrine(asked: Asked) -> Response:
    seatforms.choose_doctrine(asked)
    return _told(asked, "doctrine")


def _share(asked: Asked) -> Response:
    return _with_link(asked, seatforms.share(asked), "sharer")


def _unshare(asked: Asked) -> Response:
    seatforms.unshare(asked)
    return _told(asked, "unshared")


def _renew(asked: Asked) -> Response:
    """The new key goes into the browser at once, and is shown for all others."""
    here = asked.here
    key = seating.renew(here.db, asked.battle_id, asked.seat, asked.viewer, here.now())
    answer = _with_link(asked, key, "self")
    keep_key(answer, here.settings, asked.viewer, key)
    return answer


def _hand_over(asked: Asked) -> Response:
    key = seating.hand_over(
        asked.here.db,
        asked.battle_id,
        asked.seat,
        asked.viewer,
        holder=asked.fields.line("holder"),
        orders=cast(seating.Orders, asked.fields["orders"]),
        now=asked.here.now(),
    )
    return _with_link(asked, key, "heir")


ACTIONS: Mapping[str, Callable[[Asked], Response]] = {
    "leave": _take,
    "back": _back,
    "doctrine": _doctrine,
    "share": _share,
    "unshare": _unshare,
    "renew": _renew,
    "hand-over": _hand_over,
}


def _told(asked: Asked, what: str) -> Response:
    to = f"/b/{asked.battle_id}/seat/{quote(asked.seat, safe='')}/absence?told={what}"
    return RedirectResponse(to, status_code=303)


def _with_link(asked: Asked, key: str, for_whom: str) -> Response:
    """The page with a link that is shown this once."""
    link = asked.here.link(f"/k/{key}")
    return render(
        _page(asked.here, asked.request, asked.battle_id, asked.seat, asked.viewer, new_link=link, new_for=for_whom)
    )


def _page(
    here: House,
    request: Request,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    *,
    told: str = "",
    trouble: str = "",
    given: Fields | None = None,
    new_link: str = "",
    new_for: str = "",
) -> AbsencePage:
    frame: Frame = frame_of(request)
    words = frame.words
    view = battles.battle(here.db, battle_id, viewer, here.now())
    mine = next(one for one in view.seats if one.seat == seat)
    account = account_of(here, request)
    own = doctrines.own(here.db, battle_id, seat, viewer)
    zone = view.zone
    if account is not None:
        zone = accounts.view(here.db, account).zone
    names = ("begins", "ends", "zone", "deputy", "deputy-seat", "deputy-account", "deputy-name", "name", "holder", "orders")
    texts = {name.replace("-", "_"): given[name] if given is not None else "" for name in names}
    texts["zone"] = texts["zone"] or zone
    return AbsencePage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), words),
        seat=seat,
        name=capital(words.text(mine.name)),
        zone=view.zone,
        is_over=view.status == "over",
        through="gone" if new_for == "heir" else viewer.through,
        leave=leave_card(mine, view, words),
        friends=tuple(
            Choice(one.seat, capital(words.text(one.name)), one.holder or "", one.seat == texts["deputy_seat"])
            for one in view.seats
            if one.side == mine.side and one.seat != seat and not one.is_vacant
        ),
        doctrines=doctrine_choices(view, own.doctrine if own else "", frame.language),
        follows=view.options.doctrine,
        sharers=tuple(
            SharerCard(one.id, one.name, one.since)
            for one in seating.sharers(here.db, battle_id, viewer)
            if one.seat == seat
        ),
        may_hand_over=view.options.hand_over,
        zones=tuple((one, words.zone(one)) for one in zones.OFFERED),
        typed=texts,
        new_link=new_link,
        new_for=new_for,
        told=told if told in TOLD else "",
        trouble=trouble,
    )
