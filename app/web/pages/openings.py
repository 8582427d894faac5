"""Battles that look for players, as a page and a feed; and the page of one of them, where a seat is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.language import LANGUAGES, translator
from app.posting import mail
from app.referee import askerways, askings, battles, openings
from app.referee.errors import RefereeError
from app.referee.logbook import moment
from app.referee.views import PUBLIC
from app.web import openseats, refusals
from app.web.battlecards import Stand, stand
from app.web.context import Frame, Page, environment, frame_of, language_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.feeds import KIND, clean
from app.web.openseats import SeatChoice, SoughtCard
from app.web.parts import Trouble
from app.web.security import account_of, address_of

router = APIRouter()
FIELD_OF = {"bad-name": "name", "bad-mail": "mail", "bad-words": "words", "not-sought": "want"}


@dataclass(frozen=True, kw_only=True)
class OpenPage(Page):
    template: ClassVar[str] = "openings/open.html"
    battles: tuple[SoughtCard, ...]
    open_battles: bool


@dataclass(frozen=True)
class Typed:
    name: str = ""
    reach: str = ""
    mail: str = ""
    words: str = ""


@dataclass(frozen=True, kw_only=True)
class AskPage(Page):
    """`account`: by which name it asks; empty: none is signed in."""

    template: ClassVar[str] = "openings/ask.html"
    stand: Stand
    words: tuple[str, ...]
    choices: tuple[SeatChoice, ...]
    pace: str
    account: str
    has_asked: bool
    has_mail: bool
    typed: Typed
    troubles: tuple[Trouble, ...]


@page_route(router, "/open")
def listed(request: Request, here: Here) -> HTMLResponse:
    frame = frame_of(request)
    found = openseats.sought(here, frame.words)
    return render(OpenPage(frame=frame, battles=found, open_battles=here.settings.open_battles))


@router.api_route("/open.atom", methods=["GET", "HEAD"], include_in_schema=False)
def feed(request: Request, here: Here, lang: str = "") -> Response:
    language = lang if lang in LANGUAGES else language_of(request)
    found = openseats.sought(here, translator(language))
    latest = max((card.since for card in found), default=datetime.fromisoformat("2026-01-01T00:00:00Z"))
    values = {"url": here.link("/open"), "base": here.link(""), "language": language, "battles": found, "moment": moment}
    body = environment(language).get_template("openings/open.atom").render(updated=moment(latest), **values)
    headers = {"cache-control": "public, no-cache", "content-language": language, "vary": "Accept-Language, Cookie"}
    return Response(clean(body).encode("utf-8"), media_type=KIND, headers=headers)


@page_route(router, "/b/{battle_id}/open")
def form(request: Request, here: Here, battle_id: str, want: str = "any") -> HTMLResponse:
    return render(_page(here, request, frame_of(request), battle_id, Typed(), want))


@router.post("/b/{battle_id}/open", include_in_schema=False)
def ask(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    """Leads to where the asking is seen: the ticket's own address, or the account's page of this battle."""
    frame, fields = frame_of(request), typed(body)
    want, what = openseats.wanted(fields["want"])
    written = _typed(fields)
    account = account_of(here, request)
    wait = here.tries.wait(f"asking {address_of(request)}")
    try:
        if wait:
            raise RefereeError("too-often", params={"seconds": wait})
        is_told = bool(written.mail and account is None and here.settings.smtp_host)
        if is_told and mail.address(written.mail) is None:
            raise RefereeError("bad-mail")
        ticket = askings.ask(
            here.db,
            battle_id,
            here.now(),
            account=account,
            name=written.name,
            reach=written.reach,
            words=written.words,
            want=want,
            what=what,
            address=address_of(request),
        )
    except RefereeError as refused:
        if refused.code == "no-battle":
            raise
        trouble = Trouble(refusals.told(refused, frame.language), FIELD_OF.get(refused.code, ""))
        page = _page(here, request, frame, battle_id, written, fields["want"], (trouble,))
        return render(page, status=refusals.status(refused.code))
    here.tries.failed(f"asking {address_of(request)}", ticket or battle_id)
    if not ticket:
        return RedirectResponse(f"/b/{battle_id}/asking?told=asked", status_code=303)
    told = "asked"
    if is_told:
        try:
            askerways.tell_there(here.db, ticket, written.mail, here.now(), language=frame.language)
            told = "asked-mail"
        except RefereeError:  # letters enough went there today; he has his ticket, and its page says that nothing is sent
            told = "no-letter"
    return RedirectResponse(f"/q/{ticket}?told={told}", status_code=303)


def _typed(fields: Fields) -> Typed:
    return Typed(fields.line("name"), fields.line("reach"), fields.line("mail"), fields["words"])


def _page(
    here: House,
    request: Request,
    frame: Frame,
    battle_id: str,
    written: Typed,
    want: str,
    troubles: tuple[Trouble, ...] = (),
) -> AskPage:
    words = frame.words
    view = battles.battle(here.db, battle_id, PUBLIC, here.now())
    opening, seats = openings.of_battle(here.db, battle_id)
    account = account_of(here, request)
    asked = {one[0] for one in askings.of_account(here.db, account)} if account else set()
    found = openseats.choices(seats, words, want) if seats else ()
    if found and not any(choice.is_on for choice in found):
        found = openseats.choices(seats, words, "any")
    return AskPage(
        frame=frame,
        stand=stand(view, words),
        words=openseats.lines(opening.words) if opening.is_open else (),
        choices=found,
        pace=openseats.pace(view.schedule, words),
        account=(account.name or "") if account else "",
        has_asked=battle_id in asked,
        has_mail=bool(here.settings.smtp_host),
        typed=written,
        troubles=troubles,
    )
