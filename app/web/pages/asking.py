"""How an asking stands, for whoever asked: by his ticket, or by the account that his browser is signed in to. Here he takes
it back, takes what is offered, chooses with his side, and finds the links of his seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.posting.kinds import BadTarget
from app.referee import askerways, askingrows, askings, battles, choosing
from app.referee.askerways import AskerWay
from app.referee.askingrows import Asker
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.web import openseats, refusals, tiewords
from app.web.battlecards import Stand, stand
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.openseats import TableCard
from app.web.parts import battle_title
from app.web.security import TICKET_COOKIE, account_of, address_of, keep_ticket

router = APIRouter()
TOLD = ("asked", "asked-mail", "no-letter", "mail", "no-mail", "withdrawn", "taken", "claimed", "settled")


@dataclass(frozen=True)
class SeatLink:
    """`url`: to be copied; empty: his account opens it."""

    seat: str
    name: str
    url: str
    page: str


@dataclass(frozen=True, kw_only=True)
class AskingPage(Page):
    """`here`: the page's own address; `link`: the whole of it, where it is a secret that must be kept."""

    template: ClassVar[str] = "openings/asking.html"
    stand: Stand
    here: str
    link: str
    name: str
    status: str
    wish: str
    place: int
    seat: str
    side: str
    until: datetime | None
    answer: tuple[str, ...]
    words: tuple[str, ...]
    seats: tuple[SeatLink, ...]
    table: TableCard | None
    way: AskerWay | None
    """Where the answer goes; for whoever asked with an account it is told there."""
    may_tell: bool
    """An address for the answer may be given here."""
    told: str
    trouble: str


@dataclass(frozen=True, kw_only=True)
class LostPage(Page):
    """A browser that knows neither a ticket nor an account of him who asked."""

    template: ClassVar[str] = "openings/lost.html"
    battle_id: str
    title: str


@dataclass(frozen=True)
class Place:
    """Whose asking it is, and where."""

    asker: Asker
    battle_id: str
    path: str
    link: str


@dataclass(frozen=True)
class Asked:
    here: House
    place: Place
    fields: Fields
    language: str


@page_route(router, "/q/{ticket}")
def by_ticket(request: Request, here: Here, ticket: str, told: str = "") -> HTMLResponse:
    """The browser keeps the ticket, so that a letter, in which no key stands, leads its reader here."""
    place = _ticket(here, request, ticket)
    answer = _shown(here, frame_of(request), place, told=told)
    keep_ticket(answer, here.settings, place.battle_id, ticket)
    return answer


@router.post("/q/{ticket}", include_in_schema=False)
def act_by_ticket(request: Request, here: Here, ticket: str, body: Body) -> Response:
    return _act(here, request, _ticket(here, request, ticket), typed(body))


@page_route(router, "/b/{battle_id}/asking")
def by_account(request: Request, here: Here, battle_id: str, told: str = "") -> Response:
    account, ticket = account_of(here, request), request.cookies.get(TICKET_COOKIE)
    if account is not None and (not ticket or battle_id in {one[0] for one in askings.of_account(here.db, account)}):
        return _shown(here, frame_of(request), _own(battle_id, account.account_id), told=told)
    if ticket:
        return RedirectResponse(f"/q/{quote(ticket, safe='')}", status_code=303)
    frame = frame_of(request)
    battle = battles.battle(here.db, battle_id, PUBLIC, here.now())
    title = battle_title(battle.title, battle.scenario.get("title"), frame.words)
    return render(LostPage(frame=frame, battle_id=battle_id, title=title))


@router.post("/b/{battle_id}/asking", include_in_schema=False)
def act_by_account(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    account = account_of(here, request)
    if account is None:
        raise RefereeError("not-yours")
    return _act(here, request, _own(battle_id, account.account_id), typed(body))


def _own(battle_id: str, account_id: int | None) -> Place:
    return Place(Asker(account_id=account_id), battle_id, f"/b/{battle_id}/asking", "")


def _ticket(here: House, request: Request, ticket: str) -> Place:
    """Wrong tickets are counted as wrong keys are."""
    wait = here.tries.wait(address_of(request))
    if wait:
        raise RefereeError("too-often", params={"seconds": wait})
    try:
        found = askings.mine(here.db, Asker(ticket=ticket))
    except RefereeError:
        here.tries.failed(address_of(request), ticket)
        raise
    path = f"/q/{quote(ticket, safe='')}"
    return Place(Asker(ticket=ticket), found.battle_id, path, here.link(path))


def _act(here: House, request: Request, place: Place, fields: Fields) -> Response:
    frame = frame_of(request)
    action = pressed(ACTIONS, fields)
    try:
        told = action(Asked(here, place, fields, frame.language))
    except BadTarget as refused:
        return _shown(here, frame, place, trouble=tiewords.why(refused.field, refused.why, frame.words), http=422)
    except RefereeError as refused:
        trouble = refusals.told(refused, frame.language)
        return _shown(here, frame, place, trouble=trouble, http=refusals.status(refused.code))
    return RedirectResponse(f"{place.path}?told={told}", status_code=303)


def _withdraw(asked: Asked) -> str:
    askings.withdraw(asked.here.db, asked.place.asker, asked.here.now(), battle_id=asked.place.battle_id)
    return "withdrawn"


def _take(asked: Asked) -> str:
    askings.take_offer(asked.here.db, asked.place.asker, asked.here.now(), battle_id=asked.place.battle_id)
    return "taken"


def _claim(asked: Asked) -> str:
    now, place = asked.here.now(), asked.place
    choosing.claim(asked.here.db, place.asker, asked.fields["seat"], now, battle_id=place.battle_id)
    return "claimed"


def _give_way(asked: Asked) -> str:
    choosing.give_way(asked.here.db, asked.place.asker, asked.fields["seat"], battle_id=asked.place.battle_id)
    return "claimed"


def _agree(asked: Asked) -> str:
    agreed = asked.fields["action"] == "agree"
    now, place = asked.here.now(), asked.place
    is_settled = choosing.agree(asked.here.db, place.asker, now, is_agreed=agreed, battle_id=place.battle_id)
    return "settled" if is_settled else "claimed"


def _propose(asked: Asked) -> str:
    member, _sign, other = asked.fields["theirs"].partition(":")
    if not (member.isascii() and member.isdigit() and len(member) < 10):
        raise RefereeError("no-swap")
    db, now, place = asked.here.db, asked.here.now(), asked.place
    choosing.propose(db, place.asker, asked.fields["mine"], int(member), other, now, battle_id=place.battle_id)
    return "claimed"


def _answer(asked: Asked) -> str:
    accepts = asked.fields["action"] == "exchange"
    db, now, place = asked.here.db, asked.here.now(), asked.place
    number = asked.fields.whole("proposal") or 0
    choosing.answer(db, place.asker, number, now, accepts=accepts, battle_id=place.battle_id)
    return "claimed"


def _tell_there(asked: Asked) -> str:
    if not asked.here.settings.smtp_host:
        raise RefereeError("bad-request")
    address, now = asked.fields.line("mail"), asked.here.now()
    askerways.tell_there(asked.here.db, asked.place.asker.ticket, address, now, language=asked.language)
    return "mail"


def _tell_nowhere(asked: Asked) -> str:
    askerways.tell_nowhere(asked.here.db, asked.place.asker.ticket)
    return "no-mail"


ACTIONS: Mapping[str, Callable[[Asked], str]] = {
    "withdraw": _withdraw,
    "mail": _tell_there,
    "no-mail": _tell_nowhere,
    "take": _take,
    "claim": _claim,
    "give-way": _give_way,
    "agree": _agree,
    "disagree": _agree,
    "propose": _propose,
    "exchange": _answer,
    "no-exchange": _answer,
}


def _shown(here: House, frame: Frame, place: Place, *, told: str = "", trouble: str = "", http: int = 200) -> HTMLResponse:
    view = askings.mine(here.db, place.asker, place.battle_id)
    battle = battles.battle(here.db, place.battle_id, PUBLIC, here.now())
    table = choosing.table(here.db, place.asker, place.battle_id)
    keys = askings.seat_links(here.db, place.asker.ticket) if place.asker.ticket and view.seats else {}
    way = askerways.of_asker(here.db, place.asker.ticket) if place.asker.ticket else None
    is_alive = view.status in askingrows.LIVE and not view.seats
    scenario, language = battle.scenario, frame.language
    answer = render(
        AskingPage(
            frame=frame,
            stand=stand(battle, frame.words),
            here=place.path,
            link=place.link,
            name=view.name,
            status=view.status,
            wish=openseats.wish(view, scenario, frame.words),
            place=view.place,
            seat=openseats.seat_name(view.seat, scenario, language) if view.seat else "",
            side=openseats.side_name(view.side, scenario, language) if view.side else "",
            until=view.until,
            answer=openseats.lines(view.answer),
            words=openseats.lines(view.words),
            seats=tuple(
                SeatLink(
                    seat,
                    openseats.seat_name(seat, scenario, language),
                    here.link(f"/k/{keys[seat]}") if seat in keys else "",
                    f"/b/{battle.id}/seat/{quote(seat, safe='')}",
                )
                for seat in view.seats
            ),
            table=openseats.table_card(table, scenario, language, view.id) if table else None,
            way=way,
            may_tell=bool(place.asker.ticket and here.settings.smtp_host and is_alive),
            told=told if told in TOLD else "",
            trouble=trouble,
        ),
        status=http,
    )
    answer.headers["cache-control"] = "no-store"
    return answer
