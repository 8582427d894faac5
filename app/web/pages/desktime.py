"""The desk's page of time: the open turn's deadline moved, the battle paused, its schedule. Every form of it comes to the
page's own address and says by `action` what it wants. And the answer of a player to a pause that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import ClassVar

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import battles, pausing, seen, timing
from app.referee.errors import RefereeError
from app.referee.options import REMIND_MAX
from app.referee.schedule import HOURS_MAX, plain
from app.referee.views import BattleView, Viewer
from app.reports import schedulewords
from app.web import moretime, refusals, schedules, zones
from app.web.battlecards import AskedCard, Stand, asked_card, stand
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.moretime import TimeCard
from app.web.parts import Trouble
from app.web.schedules import ScheduleForm
from app.web.security import master_of, seat_of

router = APIRouter()
TOLD = ("extended", "shortened", "paused", "asked", "taken-back", "gone-on", "schedule", "options", "declined", "answered")
GRACE_MAX = 60 * 24 * 30


@dataclass(frozen=True)
class Typed:
    """What was typed into the forms that are not the schedule's."""

    step: str = ""
    reason: str = ""
    until: str = ""
    why: str = ""
    zone: str = ""
    at_once: bool = False
    remind: str = ""
    grace: str = ""


@dataclass(frozen=True, kw_only=True)
class TimePage(Page):
    template: ClassVar[str] = "desktime/desktime.html"
    stand: Stand
    asked: AskedCard | None
    more_time: tuple[TimeCard, ...]
    seen: str
    """As `seen.time`."""
    may_agree: bool
    """Whether the reader is a game master who does not play, and may agree to the pause alone."""
    schedule: str
    ahead: tuple[datetime, ...]
    form: ScheduleForm
    preview: tuple[datetime, ...]
    preview_zone: str
    preview_zone_name: str
    typed: Typed
    is_schedule: bool
    """Whether the schedule's form was sent: it stands open, with what was wrong in it."""
    zones: tuple[tuple[str, str], ...]
    remind_most: int
    grace_most: int
    told: str
    troubles: tuple[Trouble, ...]


@dataclass(frozen=True)
class Tried:
    """What came of a form: where to go on, or what is shown again."""

    told: str = ""
    troubles: tuple[Trouble, ...] = ()
    preview: tuple[datetime, ...] = ()
    status: int = 422


@dataclass(frozen=True)
class Asked:
    frame: Frame
    battle: BattleView
    viewer: Viewer
    fields: Fields
    now: datetime


@page_route(router, "/b/{battle_id}/desk/time")
def show(request: Request, here: Here, battle_id: str, told: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(here, frame_of(request), battle_id, viewer, Tried(told if told in TOLD else "")))


@router.post("/b/{battle_id}/desk/time", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer = master_of(here, request, battle_id)
    frame, fields = frame_of(request), typed(body)
    action = pressed(ACTIONS, fields)
    now = here.now()
    asked = Asked(frame, battles.battle(here.db, battle_id, viewer, now), viewer, fields, now)
    try:
        tried = action(here, asked)
    except RefereeError as refused:
        text = refusals.told(refused, frame.language)
        tried = Tried(troubles=(Trouble(text),), status=refusals.status(refused.code))
    if tried.told:
        return RedirectResponse(f"/b/{battle_id}/desk/time?told={tried.told}", status_code=303)
    return render(_page(here, frame, battle_id, viewer, tried, fields), status=tried.status)


@router.post("/b/{battle_id}/pause", include_in_schema=False)
def answer(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    """A seat agrees to the pause that its game master, who plays as well, has asked for; or declines."""
    fields = typed(body)
    if fields["action"] not in {"agree", "decline"}:
        raise RefereeError("bad-request")
    viewer = seat_of(here, request, battle_id, fields["seat"])
    pausing.answer_pause(here.db, battle_id, viewer, here.now(), agree=fields["action"] == "agree")
    return RedirectResponse(f"/b/{battle_id}", status_code=303)


def _move(here: House, asked: Asked) -> Tried:
    """Extend, or bring forward."""
    hours = asked.fields.whole("step")
    if hours is None or not 1 <= hours <= HOURS_MAX:
        words = asked.frame.words
        text = words.gettext("Give a whole number of hours, from 1 to %(most)s.", most=HOURS_MAX)
        return Tried(troubles=(Trouble(text, "step"),))
    is_longer = asked.fields["action"] == "extend"
    by = timedelta(hours=hours if is_longer else -hours)
    timing.extend(
        here.db,
        asked.battle.id,
        asked.viewer,
        by,
        asked.now,
        reason=asked.fields["reason"],
        before=asked.fields["seen"] or None,
    )
    return Tried("extended" if is_longer else "shortened")


def _pause(here: House, asked: Asked) -> Tried:
    text, until = asked.fields.line("until"), None
    if text:
        until = zones.parse_local(text, asked.battle.zone)
        if until is None or until <= asked.now:
            words = asked.frame.words
            told = words.gettext("The end of the pause is not a date and time to come, as 2026-12-01T20:00.")
            return Tried(troubles=(Trouble(told, "until"),))
    began = pausing.pause(here.db, asked.battle.id, asked.viewer, asked.now, until=until, reason=asked.fields["why"])
    return Tried("paused" if began else "asked")


def _take_back(here: House, asked: Asked) -> Tried:
    pausing.answer_pause(here.db, asked.battle.id, asked.viewer, asked.now, agree=False)
    return Tried("taken-back")


def _agree(here: House, asked: Asked) -> Tried:
    pausing.answer_pause(here.db, asked.battle.id, asked.viewer, asked.now, agree=True)
    return Tried("paused")


def _go_on(here: House, asked: Asked) -> Tried:
    pausing.go_on(here.db, asked.battle.id, asked.viewer, asked.now)
    return Tried("gone-on")


def _schedule(here: House, asked: Asked) -> Tried:
    """Kept, or (`action` preview) only shown."""
    words, fields = asked.frame.words, asked.fields
    zone = fields.line("zone") or asked.battle.zone
    if zone not in zones.known():
        return Tried(troubles=(Trouble(words.gettext("This time zone is not known. Choose one of the list."), "zone"),))
    chosen, troubles = schedules.parse(schedules.typed(fields, words), words)
    if troubles:
        return Tried(troubles=troubles)
    deadlines, troubles = schedules.preview(chosen, zone, words, asked.now)
    if fields["action"] == "preview":
        return Tried(preview=deadlines, troubles=troubles, status=422 if troubles else 200)
    if troubles and chosen:
        return Tried(troubles=troubles)
    timing.set_schedule(
        here.db, asked.battle.id, asked.viewer, chosen, asked.now, zone=zone, at_once=fields.is_on("at_once")
    )
    return Tried("schedule")


def _options(here: House, asked: Asked) -> Tried:
    words, fields = asked.frame.words, asked.fields
    remind, grace = fields.whole("remind"), fields.whole("grace")
    troubles = []
    if remind is None or remind > REMIND_MAX:
        text = words.gettext("Give a whole number of hours, from 0 to %(most)s.", most=REMIND_MAX)
        troubles.append(Trouble(text, "remind"))
    if grace is None or grace > GRACE_MAX:
        text = words.gettext("Give a whole number of minutes, from 0 to %(most)s.", most=GRACE_MAX)
        troubles.append(Trouble(text, "grace"))
    if troubles or remind is None or grace is None:
        return Tried(troubles=tuple(troubles))
    chosen = msgspec.structs.replace(asked.battle.options, remind_hours=remind, grace_minutes=grace)
    battles.set_options(here.db, asked.battle.id, asked.viewer, chosen, asked.now)
    return Tried("options")


ACTIONS: Mapping[str, Callable[[House, Asked], Tried]] = {
    "extend": _move,
    "shorten": _move,
    "pause": _pause,
    "take-back": _take_back,
    "agree": _agree,
    "go-on": _go_on,
    "preview": _schedule,
    "schedule": _schedule,
    "options": _options,
}


def _page(here: House, frame: Frame, battle_id: str, viewer: Viewer, tried: Tried, fields: Fields | None = None) -> TimePage:
    words, now = frame.words, here.now()
    view = battles.battle(here.db, battle_id, Viewer(), now)
    is_schedule = fields is not None and fields["action"] in {"preview", "schedule"}
    filled = _typed(view, fields)
    return TimePage(
        frame=frame,
        stand=stand(view, words),
        asked=asked_card(view, words),
        seen=seen.time(view),
        more_time=moretime.asked(here, view, words),
        may_agree=not viewer.plays,
        schedule=schedulewords.words(plain(view.schedule), frame.language),
        ahead=view.ahead,
        form=schedules.typed(fields, words) if is_schedule and fields else schedules.shown(view.schedule, words),
        preview=tried.preview,
        preview_zone=filled.zone if filled.zone in zones.known() else view.zone,
        preview_zone_name=words.zone(filled.zone if filled.zone in zones.known() else view.zone),
        typed=filled,
        is_schedule=is_schedule,
        zones=tuple((zone, words.zone(zone)) for zone in zones.OFFERED),
        remind_most=REMIND_MAX,
        grace_most=GRACE_MAX,
        told=tried.told,
        troubles=tried.troubles,
    )


def _typed(view: BattleView, fields: Fields | None) -> Typed:
    """What was typed stands in its form again; the others show what is kept."""
    kept = Typed(zone=view.zone, remind=str(view.options.remind_hours), grace=str(view.options.grace_minutes), step="24")
    action = fields["action"] if fields else ""
    if fields is None:
        return kept
    if action in {"extend", "shorten"}:
        return replace(kept, step=fields.line("step"), reason=fields["reason"])
    if action == "pause":
        return replace(kept, until=fields.line("until"), why=fields["why"])
    if action in {"preview", "schedule"}:
        return replace(kept, zone=fields.line("zone") or view.zone, at_once=fields.is_on("at_once"))
    if action == "options":
        return replace(kept, remind=fields.line("remind"), grace=fields.line("grace"))
    return kept
