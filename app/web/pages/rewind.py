"""Back to the start of a turn: the form at the desk, and the pages of lines that were left, which all may read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import battles, rewinding
from app.referee.errors import RefereeError
from app.referee.rewinding import BranchLine
from app.referee.views import PUBLIC, Viewer
from app.reports import html as reports
from app.web import refusals
from app.web.battlecards import TurnCard, turn_card
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Here, House, page_route, typed
from app.web.parts import Drawing, battle_title, drawing
from app.web.reply import as_bytes
from app.web.security import as_any, master_of

router = APIRouter()
TOLD = ("rewound", "taken-up")


@dataclass(frozen=True)
class BranchCard:
    """`going_on`: the line that went on from its end, if one did."""

    line: int
    back_to: int
    turn: int
    reason: str
    left_at: datetime
    going_on: int | None


@dataclass(frozen=True, kw_only=True)
class RewindPage(Page):
    template: ClassVar[str] = "rewind/rewind.html"
    battle_id: str
    title: str
    zone: str
    played: int
    """The line that is played now."""
    turns: tuple[int, ...]
    """The turns to whose start the battle may go back, newest first."""
    chosen: int
    reason: str
    branches: tuple[BranchCard, ...]
    told: str
    trouble: str


@dataclass(frozen=True, kw_only=True)
class LinesPage(Page):
    template: ClassVar[str] = "rewind/lines.html"
    battle_id: str
    title: str
    zone: str
    branches: tuple[BranchCard, ...]


@dataclass(frozen=True, kw_only=True)
class LinePage(Page):
    template: ClassVar[str] = "rewind/line.html"
    battle_id: str
    title: str
    zone: str
    branch: BranchCard
    turns: tuple[TurnCard, ...]


@dataclass(frozen=True, kw_only=True)
class LeftTurnPage(Page):
    template: ClassVar[str] = "rewind/turn.html"
    battle_id: str
    title: str
    branch: BranchCard
    turn: int
    last: int
    after: Drawing
    before: Drawing
    report: Markup


@page_route(router, "/b/{battle_id}/desk/rewind")
def form(request: Request, here: Here, battle_id: str, told: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_form(here, frame_of(request), battle_id, viewer, told=told))


@router.post("/b/{battle_id}/desk/rewind", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer = master_of(here, request, battle_id)
    frame, fields = frame_of(request), typed(body)
    reason, to, line = fields["reason"], fields.whole("to") or 0, fields.whole("line") or 0
    played = fields.whole("played")
    try:
        if fields["action"] == "rewind":
            rewinding.rewind(here.db, battle_id, viewer, to=to, reason=reason, now=here.now(), played=played)
            told = "rewound"
        elif fields["action"] == "take-up":
            rewinding.take_up(here.db, battle_id, viewer, line=line, reason=reason, now=here.now(), played=played)
            told = "taken-up"
        else:
            raise RefereeError("bad-request")
    except RefereeError as refused:
        text = refusals.told(refused, frame.language)
        if refused.code == "bad-ruling":
            text = frame.words.gettext("Say why: all will read it. 2,000 characters at most.")
        page = _form(here, frame, battle_id, viewer, trouble=text, reason=reason, chosen=to)
        return render(page, status=refusals.status(refused.code))
    return RedirectResponse(f"/b/{battle_id}/desk/rewind?told={told}", status_code=303)


def _form(
    here: House,
    frame: Frame,
    battle_id: str,
    viewer: Viewer,
    *,
    told: str = "",
    trouble: str = "",
    reason: str = "",
    chosen: int = 0,
) -> RewindPage:
    view = battles.battle(here.db, battle_id, viewer, here.now())
    last = view.turn
    return RewindPage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), frame.words),
        zone=view.zone,
        played=view.line,
        turns=tuple(range(last, 0, -1)) or (1,),
        chosen=chosen,
        reason=reason,
        branches=_cards(rewinding.branches(here.db, battle_id)),
        told=told if told in TOLD else "",
        trouble=trouble,
    )


@page_route(router, "/b/{battle_id}/lines")
def lines(request: Request, here: Here, battle_id: str) -> HTMLResponse:
    """All lines that were left, for everybody."""
    frame = frame_of(request)
    view = battles.battle(here.db, battle_id, PUBLIC, here.now())
    return render(
        LinesPage(
            frame=frame,
            battle_id=battle_id,
            title=battle_title(view.title, view.scenario.get("title"), frame.words),
            zone=view.zone,
            branches=_cards(rewinding.branches(here.db, battle_id)),
        )
    )


@page_route(router, "/b/{battle_id}/lines/{line}")
def line(request: Request, here: Here, battle_id: str, line: str) -> HTMLResponse:
    frame = frame_of(request)
    view = battles.battle(here.db, battle_id, as_any(here, request, battle_id), here.now())
    branch, turns = rewinding.branch(here.db, battle_id, _number(line, "no-branch"))
    return render(
        LinePage(
            frame=frame,
            battle_id=battle_id,
            title=battle_title(view.title, view.scenario.get("title"), frame.words),
            zone=view.zone,
            branch=_card(branch),
            turns=tuple(turn_card(told, frame.words) for told in reversed(turns)),
        )
    )


@router.api_route("/b/{battle_id}/lines/{line}/t/{turn}.json", methods=["GET", "HEAD"], include_in_schema=False)
def record(here: Here, battle_id: str, line: str, turn: str) -> Response:
    """The record of a published turn of a line that was left, as a file."""
    told = rewinding.record(here.db, battle_id, _number(line, "no-branch"), _number(turn, "no-turn"))
    return Response(as_bytes(told), media_type="application/json", headers={"cache-control": "public, no-cache"})


@page_route(router, "/b/{battle_id}/lines/{line}/t/{turn}")
def left_turn(request: Request, here: Here, battle_id: str, line: str, turn: str) -> HTMLResponse:
    """A published turn of a line that was left: read-only, whoever looks."""
    frame = frame_of(request)
    number = _number(line, "no-branch")
    view = rewinding.turn(here.db, battle_id, number, _number(turn, "no-turn"))
    branch, _ = rewinding.branch(here.db, battle_id, number)
    told = reports.turn_report(view, frame.language, rules_url=f"/b/{battle_id}/rules")
    return render(
        LeftTurnPage(
            frame=frame,
            battle_id=battle_id,
            title=battle_title(view.title, view.scenario.get("title"), frame.words),
            branch=_card(branch),
            turn=view.turn,
            last=branch.turn,
            after=drawing(view.ruleset, view.after, frame.language, view.scenario),
            before=drawing(view.ruleset, view.before, frame.language, view.scenario, prefix="a-"),
            report=Markup(told),  # noqa: S704  (escaped by its writer)
        )
    )


def _number(text: str, code: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7 and text[0] != "0"):
        raise RefereeError(code)
    return int(text)


def _cards(found: tuple[BranchLine, ...]) -> tuple[BranchCard, ...]:
    return tuple(_card(branch) for branch in found)


def _card(branch: BranchLine) -> BranchCard:
    return BranchCard(branch.line, branch.back_to, branch.turn, branch.reason, branch.left_at, branch.taken_as)
