"""Messages by the JSON API, and what a commander says with his orders."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Path, Query
from pydantic import BeforeValidator

from app.referee import sayings, talk
from app.referee.channels import Where
from app.referee.errors import RefereeError
from app.referee.talk import Thread
from app.referee.views import Viewer
from app.web.api import talkmodels
from app.web.api.document import KEYED, PUBLIC_VIEW, BattleId, SeatId, digits, refusals
from app.web.api.reading import OneOfEach
from app.web.api.who import Anyone, Known
from app.web.house import Here, House
from app.web.reply import Reply, moment
from app.web.talking import of_account

router = APIRouter(tags=["talk"], route_class=OneOfEach)
BODY = ("not-json", "bad-request", "no-key", "not-yours", "no-battle", "too-large", "bad-body", "too-often")
Channel = Annotated[Literal["side", "master"], Path(description="`side`, or `master`: with the game masters.")]
Number = Annotated[int | None, Query(ge=1, le=10**6, description="The number of a message."), BeforeValidator(digits)]
NO_STORE = {"Cache-Control": "no-store", "Vary": "Authorization"}


@router.get(
    "/api/v1/battles/{id}/talk",
    summary="The public thread",
    operation_id="publicThread",
    openapi_extra=PUBLIC_VIEW,
    response_model=talkmodels.Thread,
    responses=refusals("no-key", "no-battle", "bad-body"),
)
def public(here: Here, who: Anyone, battle_id: BattleId, before: Number = None) -> Reply:
    """The newest fifty messages, oldest of them first; `before` a number, those before it. Nothing is marked as read."""
    return _told(here, battle_id, Where(), who, before)


@router.post(
    "/api/v1/battles/{id}/talk",
    summary="Write in the public thread",
    operation_id="writePublicly",
    openapi_extra=KEYED,
    status_code=201,
    response_model=talkmodels.Written,
    responses=refusals(*BODY, "bad-message"),
)
def write_publicly(
    here: Here,
    who: Known,
    battle_id: BattleId,
    body: Annotated[talkmodels.NewMessage, Body(openapi_examples=talkmodels.MESSAGE)],
) -> Reply:
    """For commanders and game masters; for anybody with an account, if the battle's options have it."""
    writer = of_account(here, who, battle_id) if who.kind == "account" else who
    return _written(here, battle_id, Where(), writer, body.text)


@router.get(
    "/api/v1/battles/{id}/seats/{seat}/talk/{channel}",
    summary="A channel of a seat",
    operation_id="channel",
    openapi_extra=KEYED,
    response_model=talkmodels.Thread,
    responses=refusals("no-key", "not-yours", "no-battle", "no-seat", "bad-body"),
)
def channel(here: Here, who: Known, battle_id: BattleId, seat: SeatId, channel: Channel, before: Number = None) -> Reply:
    """`side`: for the seat, what its side's commanders say to each other; nobody else is told that there is anything.
    `master`: for the seat and the game masters, those excepted who play in the battle."""
    return _told(here, battle_id, _where(channel, seat, who), who, before)


@router.post(
    "/api/v1/battles/{id}/seats/{seat}/talk/{channel}",
    summary="Write in a channel of a seat",
    operation_id="write",
    openapi_extra=KEYED,
    status_code=201,
    response_model=talkmodels.Written,
    responses=refusals(*BODY, "no-seat", "bad-message"),
)
def write(
    here: Here,
    who: Known,
    battle_id: BattleId,
    seat: SeatId,
    channel: Channel,
    body: Annotated[talkmodels.NewMessage, Body(openapi_examples=talkmodels.MESSAGE)],
) -> Reply:
    return _written(here, battle_id, _where(channel, seat, who), who, body.text)


@router.get(
    "/api/v1/battles/{id}/seats/{seat}/words",
    summary="What a seat will be saying with the open turn",
    operation_id="words",
    openapi_extra=KEYED,
    response_model=talkmodels.OwnWords,
    responses=refusals("no-key", "not-yours", "no-battle", "no-seat"),
)
def words(here: Here, who: Known, battle_id: BattleId, seat: SeatId) -> Reply:
    """For that seat alone, until the turn is published: then they stand in its report. They are no part of its record."""
    return _own(here, battle_id, seat, who)


@router.put(
    "/api/v1/battles/{id}/seats/{seat}/words",
    summary="Say something with the open turn",
    operation_id="say",
    openapi_extra=KEYED,
    response_model=talkmodels.OwnWords,
    responses=refusals(*BODY, "no-seat", "stale", "not-open", "bad-saying"),
)
def say(
    here: Here,
    who: Known,
    battle_id: BattleId,
    seat: SeatId,
    body: Annotated[talkmodels.NewWords, Body(openapi_examples=talkmodels.WORDS)],
) -> Reply:
    sayings.say(here.db, battle_id, seat, who, turn=body.turn, text=body.text, now=here.now())
    return _own(here, battle_id, seat, who)


def _where(channel: Literal["side", "master"], seat: str, who: Viewer) -> Where:
    """Raises `RefereeError("not-yours")`: another seat's."""
    if who.kind == "seat" and who.seat != seat:
        raise RefereeError("not-yours")
    return Where(channel, seat)


def _own(here: House, battle_id: str, seat: str, who: Viewer) -> Reply:
    own = sayings.own(here.db, battle_id, seat, who)
    return Reply({"turn": own.turn, "open": own.is_open, "text": own.text, "said_at": moment(own.said_at)}, headers=NO_STORE)


def _written(here: House, battle_id: str, where: Where, who: Viewer, text: str) -> Reply:
    wait = here.talking.spend(f"{battle_id}/{who.seat or who.kind}/{who.account_id}", 1)
    if wait:
        raise RefereeError("too-often", params={"seconds": wait})
    number = talk.write(here.db, battle_id, where, who, text=text, now=here.now())
    return Reply({"number": number}, 201, NO_STORE)


def _told(here: House, battle_id: str, where: Where, who: Viewer, before: int | None) -> Reply:
    return Reply(thread_json(talk.see(here.db, battle_id, where, who, here.now(), before=before)), headers=NO_STORE)


def thread_json(thread: Thread) -> dict[str, Any]:
    """A stretch of a channel as the contract has it."""
    return {
        "channel": thread.kind,
        "messages": [
            {
                "number": one.number,
                "writer": one.writer,
                "name": one.name,
                "turn": one.turn,
                "text": one.text,
                "mentions": list(one.mentions),
                "written_at": moment(one.written_at),
                "edited_at": moment(one.edited_at),
                "deleted_at": moment(one.deleted_at),
                "hidden_at": moment(one.hidden_at),
                "hidden_reason": one.hidden_reason,
            }
            for one in thread.messages
        ],
        "last": thread.last,
        "earlier": thread.has_earlier,
        "later": thread.has_later,
        "people": list(thread.people),
    }
