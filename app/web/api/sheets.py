"""A seat's sealed sheet: read, entered, checked without being kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body

from app.engine.ruleset import Json
from app.referee import orders
from app.referee.turnviews import Entered, Receipt
from app.web.api import examples, sheetmodels
from app.web.api.document import KEYED, BattleId, SeatId, refusals
from app.web.api.reading import OneOfEach
from app.web.api.refuse import troubles
from app.web.api.who import Known
from app.web.house import Here, Language
from app.web.reply import Reply, moment

router = APIRouter(prefix="/api/v1/battles/{id}/seats/{seat}", tags=["sheets"], route_class=OneOfEach)
REFUSED = (
    "not-json",
    "bad-request",
    "no-key",
    "not-yours",
    "no-battle",
    "no-seat",
    "stale",
    "closed",
    "unsettled",
    "not-open",
    "too-large",
    "bad-body",
    "bad-orders",
    "long-text",
)
Filled = Annotated[sheetmodels.NewSheet, Body(openapi_examples=examples.NEW_SHEET)]
SECRET = {"Cache-Control": "no-store"}


@router.get(
    "/sheet",
    summary="The seat's own sheet for the open turn",
    operation_id="sheet",
    openapi_extra=KEYED,
    response_model=sheetmodels.Sheet,
    responses=refusals("no-key", "not-yours", "no-battle", "no-seat"),
)
def read(here: Here, who: Known, battle_id: BattleId, seat: SeatId) -> Reply:
    """For that seat alone. `units` are those of the seat that take orders now, with all that each may choose. One that
    takes none (in `cohesion` at cohesion 0) is not among them, and is refused if the sheet names it."""
    sheet = orders.sheet(here.db, battle_id, seat, who)
    return Reply(
        {
            "turn": sheet.turn,
            "revision": sheet.revision,
            "ready": sheet.ready,
            "orders": sheet.orders or {},
            "units": [unit for unit in sheet.options_json or [] if not unit.get("idle")],
            "receipt": _receipt(sheet.receipt),
            "entered_at": moment(sheet.entered_at),
        },
        headers=SECRET,
    )


@router.put(
    "/sheet",
    summary="Enter orders: a new revision of the sheet",
    operation_id="enter",
    openapi_extra=KEYED,
    response_model=sheetmodels.Entered,
    responses=refusals(*REFUSED),
)
def enter(here: Here, who: Known, language: Language, battle_id: BattleId, seat: SeatId, body: Filled) -> Reply:
    """`turn` is the open turn and `revision` the last that the caller has seen, 0 at first. The whole sheet is replaced: a
    unit that is not named is silent. The game master may enter for a seat, which is logged for all."""
    entered = orders.enter(
        here.db,
        battle_id,
        seat,
        who,
        turn=body.turn,
        revision=body.revision,
        fields=body.orders,
        text=body.text,
        ready=body.ready,
        nonce=body.nonce,
        now=here.now(),
    )
    return _entered(entered, language)


@router.post(
    "/check",
    summary="What PUT would answer; nothing is kept",
    operation_id="check",
    openapi_extra=KEYED,
    response_model=sheetmodels.Entered,
    responses=refusals(*REFUSED),
)
def check(here: Here, who: Known, language: Language, battle_id: BattleId, seat: SeatId, body: Filled) -> Reply:
    """The receipt is null, since nothing was sealed."""
    checked = orders.check(
        here.db,
        battle_id,
        seat,
        who,
        turn=body.turn,
        revision=body.revision,
        fields=body.orders,
        text=body.text,
        ready=body.ready,
        now=here.now(),
    )
    return _entered(checked, language)


def _entered(entered: Entered, language: str) -> Reply:
    return Reply(
        {
            "turn": entered.turn,
            "revision": entered.revision,
            "ready": entered.ready,
            "orders": entered.orders,
            "problems": [],
            "warnings": troubles(entered.warnings, language),
            "receipt": _receipt(entered.receipt),
            "resolved": entered.resolved,
        },
        headers={**SECRET, "Content-Language": language},
    )


def _receipt(receipt: Receipt | None) -> Json:
    if receipt is None:
        return None
    return {"digest": receipt.digest, "nonce": receipt.nonce, "canonical": receipt.canonical}
