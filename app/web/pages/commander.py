"""A commander: his name, his coat of arms, and what he says with this turn's orders. The pictures themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from app.drawing.arms import LARGEST
from app.referee import arms, battles, names, sayings
from app.referee.errors import RefereeError
from app.referee.views import SeatView, Viewer
from app.reports import prose
from app.web import refusals
from app.web.battlecards import Stand, stand
from app.web.context import Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.parts import capital
from app.web.security import as_master, seat_of
from app.web.talking import arms_url

router = APIRouter()
PATH = r"/b/[^/]+/seat/[^/]+/arms"
"""Where the one form goes that holds a file."""
LARGEST_FORM = LARGEST + 100_000
YEAR = 365 * 24 * 3600
TOLD = ("named", "said", "unsaid", "arms", "no-arms")


@dataclass(frozen=True, kw_only=True)
class CommanderPage(Page):
    template: ClassVar[str] = "commander/commander.html"
    stand: Stand
    seat: str
    name: str
    holder: str
    arms: str
    turn: int
    is_open: bool
    text: str
    said: Markup
    """What is kept of it, as the report will show it."""
    most: int
    megabytes: int
    told: str
    trouble: str
    place: str
    """Which form the trouble belongs to."""


async def _picture(request: Request) -> bytes:
    """The file of a form; nothing where none was chosen. Read on the loop, decoded in the endpoint's own thread."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "multipart/form-data":
        raise HTTPException(400)
    async with request.form(max_files=1, max_fields=8, max_part_size=1000) as form:
        file = form.get("picture")
        return await file.read(LARGEST + 1) if isinstance(file, UploadFile) else b""


Picture = Annotated[bytes, Depends(_picture)]


@page_route(router, "/b/{battle_id}/seat/{seat}/commander")
def commander(request: Request, here: Here, battle_id: str, seat: str, told: str = "") -> Response:
    viewer = seat_of(here, request, battle_id, seat)
    return render(_page(here, request, battle_id, seat, viewer, told=told if told in TOLD else ""))


@router.post("/b/{battle_id}/seat/{seat}/commander", include_in_schema=False)
def change(request: Request, here: Here, battle_id: str, seat: str, body: Body) -> Response:
    """`name`, `say`, or `remove-arms`."""
    viewer, fields = seat_of(here, request, battle_id, seat), typed(body)
    try:
        told = _act(here, battle_id, seat, viewer, fields)
    except RefereeError as refused:
        status = refusals.status(refused.code)
        if status < 409:
            raise
        text = refusals.told(refused, frame_of(request).language)
        page = _page(here, request, battle_id, seat, viewer, fields=fields, trouble=text, place=fields["action"])
        return render(page, status=status)
    return _back(battle_id, seat, told)


@router.post("/b/{battle_id}/seat/{seat}/arms", include_in_schema=False)
def give_arms(request: Request, here: Here, battle_id: str, seat: str, body: Picture) -> Response:
    viewer = seat_of(here, request, battle_id, seat)
    try:
        wait = here.talking.spend(f"{battle_id}/{seat}/arms", 2)
        if wait:
            raise RefereeError("too-often", params={"seconds": wait})
        arms.give(here.db, battle_id, seat, viewer, body, here.now())
    except RefereeError as refused:
        status = refusals.status(refused.code)
        if status < 409:
            raise
        text = refusals.told(refused, frame_of(request).language)
        page = _page(here, request, battle_id, seat, viewer, trouble=text, place="arms")
        return render(page, status=status)
    return _back(battle_id, seat, "arms")


@router.post("/b/{battle_id}/desk/arms/{seat}", include_in_schema=False)
def take_arms(request: Request, here: Here, battle_id: str, seat: str) -> Response:
    """By a game master; logged for all."""
    judge = as_master(here, request, battle_id)
    if judge is None:
        raise RefereeError("not-yours")
    arms.remove(here.db, battle_id, seat, judge, here.now())
    return RedirectResponse(f"/b/{battle_id}#seats", status_code=303)


@router.api_route("/b/{battle_id}/arms/{digest}.webp", methods=["GET", "HEAD"], include_in_schema=False)
def picture(here: Here, battle_id: str, digest: str) -> Response:
    body = arms.picture(here.db, battle_id, digest)
    headers = {"cache-control": f"public, max-age={YEAR}, immutable", "etag": f'"{digest[:32]}"'}
    return Response(body, media_type="image/webp", headers=headers)


def _act(here: House, battle_id: str, seat: str, viewer: Viewer, fields: Fields) -> str:
    now = here.now()
    if fields["action"] == "name":
        battles.name_holder(here.db, battle_id, seat, viewer, fields.line("holder"), now)
        return "named"
    if fields["action"] == "say":
        turn, text = fields.whole("turn") or 0, fields["text"]
        sayings.say(here.db, battle_id, seat, viewer, turn=turn, text=text, now=now)
        return "said" if text.strip() else "unsaid"
    if fields["action"] == "remove-arms":
        arms.remove(here.db, battle_id, seat, viewer, now)
        return "no-arms"
    raise RefereeError("bad-request")


def _back(battle_id: str, seat: str, told: str) -> Response:
    return RedirectResponse(f"/b/{battle_id}/seat/{quote(seat, safe='')}/commander?told={told}", status_code=303)


def _page(
    here: House,
    request: Request,
    battle_id: str,
    seat: str,
    viewer: Viewer,
    *,
    fields: Fields | None = None,
    told: str = "",
    trouble: str = "",
    place: str = "",
) -> CommanderPage:
    frame = frame_of(request)
    battle = battles.battle(here.db, battle_id, viewer, here.now())
    mine: SeatView = next(one for one in battle.seats if one.seat == seat)
    said = sayings.own(here.db, battle_id, seat, viewer)
    return CommanderPage(
        frame=frame,
        stand=stand(battle, frame.words),
        seat=seat,
        name=capital(frame.words.text(mine.name)),
        holder=fields["holder"] if fields and place == "name" else mine.holder or "",
        arms=arms_url(battle_id, mine.arms),
        turn=said.turn,
        is_open=said.is_open,
        text=fields["text"] if fields and place == "say" else said.text,
        said=prose.inline(said.text),
        most=names.SAYING_MAX,
        megabytes=LARGEST // 1_000_000,
        told=told,
        trouble=trouble,
        place=place,
    )
