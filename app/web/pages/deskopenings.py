"""The desk's page of open seats: what the battle looks for, who asks, what sides that choose have on their table. Every form
comes to the page's own address and says by `action` what it wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import askingrows, askings, battles, choosing, openings, waiting
from app.referee.askingrows import AskingView
from app.referee.errors import RefereeError
from app.referee.openings import OFFER_HOURS_MAX, Opening, OpenSeat
from app.referee.views import BattleView, Viewer
from app.web import openseats, refusals, zones
from app.web.battlecards import Stand, stand
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.openingforms import Answer, OpeningTyped, answer_typed, opening_typed
from app.web.openseats import STANDINGS, TableCard
from app.web.parts import Trouble, capital
from app.web.security import master_of

router = APIRouter()
TOLD = ("set", "given", "joined", "listed", "declined", "settled")
FIELD_OF = {
    "bad-words": "words",
    "bad-offer": "hours",
    "bad-deadline": "settle-by",
    "side-full": "seats",
    "no-choosing": "choosing",
}


@dataclass(frozen=True)
class SeatTick:
    seat: str
    name: str
    side: str
    holder: str
    is_on: bool


@dataclass(frozen=True)
class AskCard:
    """`next_for`: the free seats for which he is the next on the waiting list."""

    id: int
    name: str
    has_account: bool
    reach: str
    words: tuple[str, ...]
    wish: str
    status: str
    standing: str
    place: int
    seat: str
    until: datetime | None
    side: str
    answer: tuple[str, ...]
    asked_at: datetime
    seats: str
    next_for: str
    waits: bool
    may_go: bool
    """He was accepted to a side that has not settled: he can still be put out of it."""


@dataclass(frozen=True, kw_only=True)
class DeskOpeningsPage(Page):
    template: ClassVar[str] = "openings/desk.html"
    stand: Stand
    seats: tuple[SeatTick, ...]
    form: OpeningTyped
    seats_found: str
    """Which were open when the form was made."""
    most_hours: int
    is_first: bool
    gifts: tuple[tuple[str, str], ...]
    """What may be given to who asks: as a form sends it, and by name."""
    waiting: tuple[AskCard, ...]
    typed: Answer
    accepted: tuple[AskCard, ...]
    past: tuple[AskCard, ...]
    tables: tuple[TableCard, ...]
    link: str
    told: str
    troubles: tuple[Trouble, ...]


@dataclass(frozen=True)
class Asked:
    here: House
    battle: BattleView
    viewer: Viewer
    fields: Fields
    now: datetime


@page_route(router, "/b/{battle_id}/desk/openings")
def show(request: Request, here: Here, battle_id: str, told: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(here, frame_of(request), battle_id, viewer, told=told))


@router.post("/b/{battle_id}/desk/openings", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer, frame, fields = master_of(here, request, battle_id), frame_of(request), typed(body)
    action = pressed(ACTIONS, fields)
    now = here.now()
    try:
        told = action(Asked(here, battles.battle(here.db, battle_id, viewer, now), viewer, fields, now))
    except RefereeError as refused:
        text = refusals.told(refused, frame.language)
        anchor = FIELD_OF.get(refused.code, "") if fields["action"] == "set" else ""
        page = _page(here, frame, battle_id, viewer, troubles=(Trouble(text, anchor),), given=fields)
        return render(page, status=refusals.status(refused.code))
    return RedirectResponse(f"/b/{battle_id}/desk/openings?told={told}", status_code=303)


def _set(asked: Asked) -> str:
    fields, battle = asked.fields, asked.battle
    text, settle_by = fields.line("settle_by"), None
    if text:
        settle_by = zones.parse_local(text, battle.zone)
        if settle_by is None:
            raise RefereeError("bad-deadline")
    hours = 0 if not fields["hours"].strip() else fields.whole("hours")
    if hours is None:
        raise RefereeError("bad-offer", params={"most": OFFER_HOURS_MAX})
    chosen = Opening(
        is_open=fields.is_on("is_open"),
        words=fields["words"],
        seats=_ticked(asked),
        choosing=fields.is_on("choosing"),
        settle_by=settle_by,
        waits=fields.is_on("waits"),
        swaps=fields.is_on("swaps"),
        offer_hours=hours,
    )
    openings.set_up(asked.here.db, battle.id, asked.viewer, chosen, asked.now)
    return "set"


def _ticked(asked: Asked) -> tuple[str, ...]:
    """The seats that are open as he says. Which he has left as he found them stay as they are now: one may have been given
    meanwhile, and it would be taken from its commander."""
    fields, known = asked.fields, [seat.seat for seat in asked.battle.seats]
    ticked = {seat for seat in known if fields.is_on(f"seat:{seat}")}
    if "was:seats" not in fields:
        return tuple(seat for seat in known if seat in ticked)
    now, found = set(openings.of_battle(asked.here.db, asked.battle.id)[0].seats), set(fields["was:seats"].split())
    changed = ticked ^ found
    return tuple(seat for seat in known if seat in (ticked if seat in changed else now))


def _accept(asked: Asked) -> str:
    kind, what = openseats.wanted(asked.fields["gift"])
    number = asked.fields.whole("asking") or 0
    given = {"seat": what} if kind == "seat" else {"side": what}
    askings.accept(
        asked.here.db,
        asked.battle.id,
        asked.viewer,
        number,
        asked.now,
        answer=asked.fields["answer"],
        fresh=asked.fields.is_on("fresh"),
        **given,
    )
    return "given" if kind == "seat" else "joined"


def _answer(asked: Asked) -> str:
    status = {"list": "listed", "decline": "declined"}[asked.fields["action"]]
    number, word = asked.fields.whole("asking") or 0, asked.fields["answer"]
    askings.answer(asked.here.db, asked.battle.id, asked.viewer, number, asked.now, status=status, word=word)
    return status


def _settle(asked: Asked) -> str:
    choosing.say_so(asked.here.db, asked.battle.id, asked.viewer, asked.fields["side"], asked.now)
    return "settled"


ACTIONS: Mapping[str, Callable[[Asked], str]] = {
    "set": _set,
    "accept": _accept,
    "list": _answer,
    "decline": _answer,
    "settle": _settle,
}


def _page(
    here: House,
    frame: Frame,
    battle_id: str,
    viewer: Viewer,
    *,
    told: str = "",
    troubles: tuple[Trouble, ...] = (),
    given: Fields | None = None,
) -> DeskOpeningsPage:
    fields = given if given is not None and given["action"] == "set" else None
    words = frame.words
    view = battles.battle(here.db, battle_id, viewer, here.now())
    opening, free = openings.of_battle(here.db, battle_id)
    gifts = _gifts(view, opening, free, frame)
    found = askings.of_battle(here.db, battle_id, viewer)
    nexts = waiting.nexts(here.db, battle_id)
    cards = tuple(_card(one, view, frame, nexts.get(one.id, ())) for one in found)
    sides = {side.side: capital(words.text(side.name)) for side in view.sides}
    ticked = {seat.seat for seat in view.seats if fields.is_on(f"seat:{seat.seat}")} if fields else set(opening.seats)
    return DeskOpeningsPage(
        frame=frame,
        stand=stand(view, words),
        seats=tuple(
            SeatTick(s.seat, capital(words.text(s.name)), sides.get(s.side, s.side), s.holder or "", s.seat in ticked)
            for s in view.seats
        ),
        form=opening_typed(opening, view.zone, fields),
        seats_found=fields["was:seats"] if fields and "was:seats" in fields else " ".join(opening.seats),
        most_hours=OFFER_HOURS_MAX,
        is_first=view.turn == 1 and view.status in ("open", "held", "paused"),
        gifts=gifts,
        waiting=tuple(card for card in cards if card.waits),
        typed=answer_typed(given, [card.id for card in cards if card.waits]) if given is not None else Answer(),
        accepted=tuple(card for card in cards if card.status == "accepted"),
        past=tuple(card for card in reversed(cards) if not card.waits and card.status != "accepted"),
        tables=tuple(
            openseats.table_card(table, view.scenario, frame.language)
            for table in choosing.tables(here.db, battle_id, viewer)
            if table.members
        ),
        link=here.link(f"/b/{battle_id}/open"),
        told=told if told in TOLD else "",
        troubles=troubles,
    )


def _gifts(view: BattleView, opening: Opening, free: tuple[OpenSeat, ...], frame: Frame) -> tuple[tuple[str, str], ...]:
    words = frame.words
    open_now = {seat.seat for seat in free} | set(opening.seats)
    found = []
    for side in view.sides:
        seats = [seat for seat in view.seats if seat.side == side.side and seat.seat in open_now]
        name = capital(words.text(side.name))
        is_choosing = opening.choosing and side.side not in opening.settled and view.turn == 1
        if is_choosing and any(seat.seat in opening.seats for seat in seats):
            found.append((f"side:{side.side}", words.gettext("Side: %(name)s", name=name)))
        found += [(f"seat:{seat.seat}", f"{capital(words.text(seat.name))} · {name}") for seat in seats]
    return tuple(found)


def _card(one: AskingView, view: BattleView, frame: Frame, nexts: tuple[str, ...]) -> AskCard:
    words, scenario = frame.words, view.scenario

    def name(seat: str) -> str:
        return openseats.seat_name(seat, scenario, frame.language)

    return AskCard(
        id=one.id,
        name=one.name,
        has_account=one.has_account,
        reach=one.reach,
        words=openseats.lines(one.words),
        wish=openseats.wish(one, scenario, words),
        status=one.status,
        standing=words.gettext(STANDINGS[one.status]),
        place=one.place,
        seat=name(one.seat) if one.seat else "",
        until=one.until,
        side=openseats.side_name(one.side, scenario, frame.language) if one.side else "",
        answer=openseats.lines(one.answer),
        asked_at=one.asked_at,
        seats=words.list([name(seat) for seat in one.seats]) if one.seats else "",
        next_for=words.list([name(seat) for seat in nexts]) if nexts else "",
        waits=one.status in askingrows.WAITING,
        may_go=one.status == "accepted" and one.side is not None and not one.seats,
    )
