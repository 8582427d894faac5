"""The game master's rulings at his desk: values, units, ground, points and the result amended by form, with a preview before
anything is made; dice of a draft rolled again, its events set aside. All forms come to the page's own address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.ruleset import Json, Problem, Refused, Ruling
from app.referee import battles, moderation, seen
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.reports import differing, problems
from app.reports.rules import book
from app.web import refusals
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, typed
from app.web.draftforms import DraftForms, draft_forms
from app.web.parts import Drawing, battle_title, drawing
from app.web.rulingforms import Forms, forms
from app.web.security import master_of

router = APIRouter()
TOLD = ("made", "rerolled", "set-aside")
LONGEST_CHANGES = 100_000


@dataclass(frozen=True, kw_only=True)
class RulingsPage(Page):
    template: ClassVar[str] = "deskrulings/deskrulings.html"
    battle_id: str
    title: str
    turn: int
    stage: str
    """`open`, `review`, or empty: there is nothing to rule on."""
    seen: str
    """As `seen.rulings`."""
    is_unread: bool
    """A draft lies there that he may not see: he plays himself."""
    drawing: Drawing
    forms: Forms | None
    draft: DraftForms | None
    gathered: str
    """The changes so far, JSON; empty: none."""
    changes: tuple[str, ...]
    """What they would do, in words."""
    reason: str
    rule: str
    rule_example: str
    """A number of the battle's own rules; empty: they have none."""
    told: str
    troubles: tuple[str, ...]


@dataclass(frozen=True)
class _Asked:
    """What the form holds. `changes`: gathered so far."""

    fields: Mapping[str, str]
    changes: tuple[Json, ...] = ()
    unit: str = ""
    troubles: tuple[str, ...] = ()


@page_route(router, "/b/{battle_id}/desk/rulings")
def show(request: Request, here: Here, battle_id: str, told: str = "", unit: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(here, frame_of(request), battle_id, viewer, _Asked({}, unit=unit), told=told))


@router.post("/b/{battle_id}/desk/rulings", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer = master_of(here, request, battle_id)
    frame, fields = frame_of(request), typed(body)
    try:
        asked = _Asked(fields, _gathered(fields["changes"]), fields["pick"] or fields["unit"])
        done = _act(here, battle_id, viewer, fields, asked)
    except RefereeError as refused:
        asked = _Asked(fields, _soft(fields["changes"]), fields["unit"], _troubles(refused, frame))
        return render(_page(here, frame, battle_id, viewer, asked), status=refusals.status(refused.code))
    if isinstance(done, str):
        return RedirectResponse(f"/b/{battle_id}/desk/rulings?told={done}", status_code=303)
    return render(_page(here, frame, battle_id, viewer, done))


def _act(here: House, battle_id: str, viewer: Viewer, fields: Fields, asked: _Asked) -> str | _Asked:
    """What was done, or the form as it goes on."""
    reason, rule, now, before = fields["reason"], fields.line("rule") or None, here.now(), fields["seen"] or None
    ruled: dict[str, Any] = {"reason": reason, "rule": rule, "now": now, "before": before}
    match fields["action"]:
        case "choose":
            return asked
        case "drop":
            return replace(asked, changes=())
        case "preview":
            return _Asked(_kept(fields), (*asked.changes, *_read(here, battle_id, viewer, fields, asked)), "")
        case "make":
            moderation.rule(here.db, battle_id, viewer, Ruling(asked.changes, reason, rule), now, before=before)
            return "made"
        case "reroll":
            address = fields["address"]
            moderation.reroll(here.db, battle_id, viewer, address=address, **ruled)
            return "rerolled"
        case "set-aside":
            event, of = fields.whole("event"), fields.whole("of")
            event = -1 if event is None else event
            moderation.set_aside(here.db, battle_id, viewer, event=event, of=of or 0, **ruled)
            return "set-aside"
    raise RefereeError("bad-request")


def _read(here: House, battle_id: str, viewer: Viewer, fields: Fields, asked: _Asked) -> tuple[Json, ...]:
    """The changes of the form upon those gathered before; all of them are tried. Raises `RefereeError`."""
    view = battles.battle(here.db, battle_id, viewer, here.now())
    if view.ruleset.amend_read is None:
        raise RefereeError("bad-ruling")
    state = _standing(here, battle_id, viewer, asked.changes)
    try:
        changes = view.ruleset.amend_read(state, fields)
    except Refused as refused:
        if asked.changes and [problem.code for problem in refused.problems] == ["no-changes"]:
            return ()
        raise RefereeError("bad-ruling", problems=refused.problems) from refused
    moderation.preview(here.db, battle_id, viewer, (*asked.changes, *changes))
    return changes


def _standing(here: House, battle_id: str, viewer: Viewer, changes: tuple[Json, ...]) -> Any:
    if changes:
        return moderation.preview(here.db, battle_id, viewer, changes).after
    return moderation.standing(here.db, battle_id, viewer)


def _kept(fields: Fields) -> Mapping[str, str]:
    """Of what was typed, what belongs to the ruling and not to one change of it."""
    return {name: fields[name] for name in ("reason", "rule")}


def _gathered(text: str) -> tuple[Json, ...]:
    """Raises `RefereeError("bad-request")`."""
    if not text:
        return ()
    try:
        read = json.loads(text) if len(text) <= LONGEST_CHANGES else None
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, list):
        raise RefereeError("bad-request")
    return tuple(read)


def _soft(text: str) -> tuple[Json, ...]:
    try:
        return _gathered(text)
    except RefereeError:
        return ()


def _troubles(refused: RefereeError, frame: Frame) -> tuple[str, ...]:
    """Every problem in words; of a reason that is missing or too long, that."""
    if refused.problems:
        return tuple(dict.fromkeys(problems.words(_named(problem), frame.language) for problem in refused.problems))
    if refused.code == "bad-ruling":
        words = frame.words
        return (words.gettext("A ruling needs a reason, 2,000 characters at most; a rule's number, if any, is short."),)
    return (refusals.told(refused, frame.language),)


def _named(problem: Problem) -> Problem:
    """Said as of a correction, not as of orders."""
    return Problem(problem.code, problem.field, {"key": ".".join(problem.field), **problem.params}, problem.warning)


def _page(here: House, frame: Frame, battle_id: str, viewer: Viewer, asked: _Asked, *, told: str = "") -> RulingsPage:
    words, before_him = frame.words, seen.rulings_of(here.db, battle_id)
    view = battles.battle(here.db, battle_id, viewer, here.now())
    is_unread = view.status == "review" and viewer.plays
    stage = "" if is_unread or view.status == "over" else "review" if view.status == "review" else "open"
    before = moderation.standing(here.db, battle_id, viewer) if stage else view.state
    changes, after, troubles = asked.changes, before, asked.troubles
    if changes and stage:
        try:
            after = moderation.preview(here.db, battle_id, viewer, changes).after
        except RefereeError as refused:  # the battle has gone on since they were gathered
            changes, troubles = (), (*troubles, *_troubles(refused, frame))
    lines = differing.differences(view.ruleset.key, before, after, view.scenario, frame.language) if changes else ()
    return RulingsPage(
        frame=frame,
        battle_id=battle_id,
        title=battle_title(view.title, view.scenario.get("title"), words),
        turn=view.turn,
        stage=stage,
        seen=before_him,
        is_unread=is_unread,
        drawing=drawing(view.ruleset, after, frame.language, view.scenario),
        forms=forms(view, after, frame, typed=asked.fields, chosen=asked.unit) if stage else None,
        draft=draft_forms(here, view, viewer, frame.language, asked.fields) if stage == "review" else None,
        gathered=json.dumps(list(changes), ensure_ascii=False) if changes else "",
        changes=lines,
        reason=asked.fields.get("reason", ""),
        rule=asked.fields.get("rule", ""),
        rule_example=book(frame.language, view.ruleset.key).example,
        told=told if told in TOLD else "",
        troubles=troubles,
    )
