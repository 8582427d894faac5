"""Turns resolved, published and read: the record, and the picture of a published turn."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, Response

from app.drawing.svg import svg
from app.referee import battles, publication, turns
from app.referee.views import PUBLIC, Viewer
from app.web.api import battlemodels, recordmodels
from app.web.api.document import KEYED, OPEN, PUBLIC_VIEW, SVG, BattleId, TurnNumber, refusals
from app.web.api.who import Anyone, Known
from app.web.exhibits import board_of, headed
from app.web.house import Here, House, Language
from app.web.reply import Reply, as_bytes, kept

router = APIRouter(tags=["turns"])
files = APIRouter(tags=["files"])
Which = Annotated[
    str,
    Path(
        description="The number of a turn, or `latest`. 0: the board as it was set up (the picture only).",
        pattern="^(latest|0|[1-9][0-9]{0,5})$",
        examples=["latest"],
        alias="n",
    ),
]
JSON_TYPE = "application/json"
SVG_TYPE = "image/svg+xml"


@router.get(
    "/api/v1/battles/{id}/turns/{n}",
    summary="The record of a published turn",
    operation_id="record",
    openapi_extra=PUBLIC_VIEW,
    response_model=recordmodels.Record,
    responses=refusals("no-key", "no-battle", "no-turn"),
)
def record(here: Here, who: Anyone, request: Request, battle_id: BattleId, turn: TurnNumber) -> Response:
    """A case and its proof in one: `before`, the sheets' orders and `seed` give `after`. The game master sees a turn under
    review as well. `fieldpost verify` checks a record offline."""
    told = publication.record(here.db, battle_id, turn, who)
    return kept(request, as_bytes(told), JSON_TYPE, public=who.kind == "public")


@router.post(
    "/api/v1/battles/{id}/turns/{n}/resolve",
    summary="Resolve the open turn now, whoever is silent",
    operation_id="resolve",
    openapi_extra=KEYED,
    response_model=battlemodels.Stands,
    responses=refusals("no-key", "not-yours", "no-battle", "no-turn", "stale", "closed", "not-open", "too-large"),
)
def resolve(here: Here, who: Known, battle_id: BattleId, turn: TurnNumber) -> Reply:
    """For the game master."""
    turns.resolve_now(here.db, battle_id, who, turn=turn, now=here.now())
    return stands(here, battle_id, who)


@router.post(
    "/api/v1/battles/{id}/turns/{n}/publish",
    summary="Publish a turn under review",
    operation_id="publish",
    openapi_extra=KEYED,
    response_model=battlemodels.Stands,
    responses=refusals("no-key", "not-yours", "no-battle", "no-turn", "stale", "not-under-review", "too-large"),
)
def publish(here: Here, who: Known, battle_id: BattleId, turn: TurnNumber) -> Reply:
    """For the game master."""
    publication.publish(here.db, battle_id, who, turn=turn, now=here.now())
    return stands(here, battle_id, who)


@files.get(
    "/b/{id}/t/{n}.json",
    summary="The record of a published turn, as a file",
    operation_id="recordFile",
    openapi_extra=OPEN,
    response_model=recordmodels.Record,
    responses=refusals("no-battle", "no-turn"),
)
def record_file(here: Here, request: Request, battle_id: BattleId, turn: Which) -> Response:
    """The same as the call, for the public, with `latest`."""
    told = publication.record(here.db, battle_id, _which(turn), PUBLIC)
    return kept(request, as_bytes(told), JSON_TYPE)


@files.get(
    "/b/{id}/t/{n}.svg",
    summary="The board after a published turn, as a picture",
    operation_id="picture",
    openapi_extra=OPEN,
    response_class=Response,
    responses={**refusals("no-battle", "no-turn"), **SVG},
)
def picture(here: Here, request: Request, language: Language, battle_id: BattleId, turn: Which) -> Response:
    """Names and titles are in the language of `Accept-Language`. Before any turn is published, `latest` is the start."""
    board = board_of(here, battle_id, turn, lambda: None)
    drawn = svg(headed(board, language), standalone=True)
    return kept(request, drawn.encode("utf-8"), SVG_TYPE, language=language)


def stands(here: House, battle_id: str, who: Viewer) -> Reply:
    """Where the battle stands after a call changed it."""
    view = battles.battle(here.db, battle_id, who, here.now())
    return Reply({"id": view.id, "status": view.status, "turn": view.turn}, headers={"Cache-Control": "no-store"})


def _which(turn: str) -> int | Literal["latest"]:
    return "latest" if turn == "latest" else int(turn)
