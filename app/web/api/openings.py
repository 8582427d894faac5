"""Open seats: which there are, asking for one, and the game master's answer."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Request
from pydantic import BeforeValidator

from app.engine.ruleset import Json
from app.language import pick
from app.referee import askings, openings
from app.referee.askingrows import AskingView
from app.referee.views import Viewer
from app.web.api import openingmodels
from app.web.api.document import KEYED, OPEN, PUBLIC_VIEW, BattleId, digits, refusals
from app.web.api.reading import OneOfEach
from app.web.api.who import Anyone, Known
from app.web.house import Here, House, Language
from app.web.reply import Reply, moment
from app.web.security import address_of

router = APIRouter(tags=["open seats"], route_class=OneOfEach)
GIVEN = ("not-json", "bad-request", "no-key", "not-yours", "no-battle", "too-large", "bad-body", "bad-words")
NO_STORE = {"Cache-Control": "no-store", "Vary": "Authorization"}
Number = Annotated[
    int,
    Path(alias="asking", description="The number of an asking.", ge=1, le=9_999_999, examples=[1]),
    BeforeValidator(digits),
]


@router.get(
    "/api/v1/open",
    summary="Battles that look for players",
    operation_id="openBattles",
    openapi_extra=OPEN,
    response_model=openingmodels.SoughtBattles,
    responses=refusals("bad-request"),
)
def sought(here: Here) -> Reply:
    """The newest opening first. As a feed: `/open.atom`."""
    told = [
        {
            "id": line.id,
            "url": here.link(f"/b/{line.id}/open"),
            "title": line.title,
            "words": line.words,
            "open": line.open,
            "seats": line.seats,
            "units": line.units,
            "turn": line.turn,
            "deadline": moment(line.deadline),
            "zone": line.zone,
        }
        for line in openings.looking(here.db)
    ]
    return Reply({"battles": told}, headers={"Cache-Control": "no-cache"})


@router.get(
    "/api/v1/battles/{id}/open",
    summary="The open seats of a battle",
    operation_id="openSeats",
    openapi_extra=OPEN,
    response_model=openingmodels.OpenSeats,
    responses=refusals("no-battle"),
)
def seats(here: Here, language: Language, battle_id: BattleId) -> Reply:
    """Those that may be asked for now; none: the battle looks for nobody."""
    opening, found = openings.of_battle(here.db, battle_id)
    told = [
        {
            "seat": seat.seat,
            "side": seat.side,
            "name": pick(seat.name, language),
            "choosing": seat.choosing,
            "offered": seat.offered,
        }
        for seat in found
    ]
    headers = {"Content-Language": language, "Cache-Control": "no-cache", "Vary": "Accept-Language"}
    return Reply({"words": opening.words if opening.is_open else "", "seats": told}, headers=headers)


@router.post(
    "/api/v1/battles/{id}/askings",
    summary="Ask for a seat",
    operation_id="ask",
    openapi_extra=PUBLIC_VIEW,
    status_code=201,
    response_model=openingmodels.Ticket,
    responses=refusals(*GIVEN, "bad-name", "not-sought", "asked-already", "too-many"),
)
def ask(
    request: Request,
    here: Here,
    who: Anyone,
    battle_id: BattleId,
    body: Annotated[openingmodels.NewAsking, Body(openapi_examples=openingmodels.ASK)],
) -> Reply:
    """With an account's token the account asks; else whoever has the ticket. The game masters alone see it."""
    account = None
    if who.account_id is not None:
        account = Viewer("account", account_id=who.account_id, name=body.name or who.name)
    want = "seat" if body.seat is not None else "side" if body.side is not None else "any"
    ticket = askings.ask(
        here.db,
        battle_id,
        here.now(),
        account=account,
        name=body.name,
        reach=body.reach,
        words=body.words,
        want=want,
        what=body.seat or body.side or "",
        address=address_of(request),
    )
    url = here.link(f"/q/{ticket}" if ticket else f"/b/{battle_id}/asking")
    return Reply({"ticket": ticket or None, "url": url}, 201, NO_STORE)


@router.get(
    "/api/v1/battles/{id}/askings",
    summary="Who asks for a seat",
    operation_id="askings",
    openapi_extra=KEYED,
    response_model=openingmodels.Askings,
    responses=refusals("no-key", "not-yours", "no-battle"),
)
def listed(here: Here, who: Known, battle_id: BattleId) -> Reply:
    """For game masters; in the order in which they came."""
    return _askings(here, battle_id, who)


@router.post(
    "/api/v1/battles/{id}/askings/{asking}",
    summary="Accept, keep on the waiting list, or decline",
    operation_id="answerAsking",
    openapi_extra=KEYED,
    response_model=openingmodels.Askings,
    responses=refusals(*GIVEN, "no-asking", "asking-over", "not-sought", "side-full"),
)
def answer(
    here: Here,
    who: Known,
    battle_id: BattleId,
    asking: Number,
    body: Annotated[openingmodels.AskingAnswer, Body(openapi_examples=openingmodels.ANSWER)],
) -> Reply:
    """For game masters. A seat that is given has a new key: it is his alone who asked, and the old one stops working."""
    now = here.now()
    if body.do == "accept":
        given = {"seat": body.seat, "side": body.side}
        askings.accept(here.db, battle_id, who, asking, now, answer=body.words, fresh=body.fresh, **given)
    else:
        status = "listed" if body.do == "list" else "declined"
        askings.answer(here.db, battle_id, who, asking, now, status=status, word=body.words)
    return _askings(here, battle_id, who)


def _askings(here: House, battle_id: str, who: Viewer) -> Reply:
    return Reply({"askings": [_told(one) for one in askings.of_battle(here.db, battle_id, who)]}, headers=NO_STORE)


def _told(one: AskingView) -> dict[str, Any] | Json:
    return {
        "id": one.id,
        "name": one.name,
        "account": one.has_account,
        "reach": one.reach,
        "words": one.words,
        "want": one.want,
        "what": one.what,
        "status": one.status,
        "place": one.place,
        "offered": one.seat,
        "until": moment(one.until),
        "side": one.side,
        "seats": list(one.seats),
        "asked_at": moment(one.asked_at),
    }
