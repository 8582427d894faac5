"""The game master's desk: links, who is silent, resolve, review and publish, the deadline. Every form of it comes to the
desk's own address and says by `action` what it wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.referee import battles, publication, seen, timing, turns
from app.referee.errors import RefereeError
from app.referee.views import BattleView, Viewer
from app.reports import differing
from app.reports import html as reports
from app.reports.scores import Score
from app.web import happenings, moretime, refusals, talking, zones
from app.web.battlecards import SeatCard, Stand, TurnCard, seats, sides, stand, turn_card
from app.web.context import Frame, Page, frame_of, render
from app.web.deps import Body, Fields, Here, House, page_route, pressed, typed
from app.web.happenings import Happening
from app.web.moretime import TimeCard
from app.web.parts import Drawing, drawing
from app.web.rulingcards import RulingCard, ruling_cards
from app.web.security import master_key, master_of
from app.web.tiecards import TieCard, tie_cards

router = APIRouter()
TOLD = ("entered", "resolved", "published", "deadline", "gone-on")


@dataclass(frozen=True)
class Link:
    seat: str
    name: str
    url: str


@dataclass(frozen=True)
class Draft:
    """A resolved turn that waits to be published."""

    turn: int
    after: Drawing
    report: Markup
    differences: tuple[str, ...]
    """What has changed since the turn began."""
    rulings: tuple[RulingCard, ...]
    seen: str
    """As `seen.rulings`: what is published by its button."""


@dataclass(frozen=True, kw_only=True)
class DeskPage(Page):
    template: ClassVar[str] = "desk/desk.html"
    stand: Stand
    sides: tuple[Score, ...]
    seats: tuple[SeatCard, ...]
    silent: tuple[str, ...]
    is_new: bool
    """No turn is published yet: its links have still to be sent. Later they are found under Seats."""
    links: tuple[Link, ...]
    own_link: str
    public_link: str
    turns: tuple[TurnCard, ...]
    draft: Draft | None
    talk: tuple[talking.TalkLink, ...]
    deadline_text: str
    time_seen: str
    """As `seen.time`."""
    more_time: tuple[TimeCard, ...]
    ties: tuple[TieCard, ...]
    log: tuple[Happening, ...]
    told: str
    told_about: str
    trouble: str
    may_look: bool
    """Whether the options ever let the game master read sealed orders."""


@page_route(router, "/b/{battle_id}/desk")
def desk(request: Request, here: Here, battle_id: str, told: str = "", seat: str = "") -> HTMLResponse:
    viewer = master_of(here, request, battle_id)
    return render(_page(here, request, frame_of(request), battle_id, viewer, told=told, about=seat))


@router.post("/b/{battle_id}/desk", include_in_schema=False)
def act(request: Request, here: Here, battle_id: str, body: Body) -> Response:
    viewer = master_of(here, request, battle_id)
    frame, fields = frame_of(request), typed(body)
    action = pressed(ACTIONS, fields)
    try:
        told = action(here, Asked(request, battle_id, viewer, fields))
    except RefereeError as refused:
        text = refusals.told(refused, frame.language)
        page = _page(here, request, frame, battle_id, viewer, trouble=text, deadline_text=fields["deadline"])
        return render(page, status=refusals.status(refused.code))
    return RedirectResponse(f"/b/{battle_id}/desk?told={told}", status_code=303)


@dataclass(frozen=True)
class Asked:
    request: Request
    battle_id: str
    viewer: Viewer
    fields: Fields


def _resolve(here: House, asked: Asked) -> str:
    turns.resolve_now(here.db, asked.battle_id, asked.viewer, turn=asked.fields.whole("turn") or 0, now=here.now())
    return "resolved"


def _publish(here: House, asked: Asked) -> str:
    turn, before = asked.fields.whole("turn") or 0, asked.fields["seen"] or None
    publication.publish(here.db, asked.battle_id, asked.viewer, turn=turn, now=here.now(), before=before)
    return "published"


def _set_deadline(here: House, asked: Asked) -> str:
    battle = battles.battle(here.db, asked.battle_id, asked.viewer, here.now())
    deadline = zones.parse_local(asked.fields.line("deadline"), battle.zone)
    if deadline is None:
        raise RefereeError("bad-deadline")
    timing.set_deadline(here.db, asked.battle_id, asked.viewer, deadline, here.now(), before=asked.fields["seen"] or None)
    return "deadline"


def _clear_deadline(here: House, asked: Asked) -> str:
    timing.set_deadline(here.db, asked.battle_id, asked.viewer, None, here.now(), before=asked.fields["seen"] or None)
    return "deadline"


def _go_on(here: House, asked: Asked) -> str:
    battles.go_on(here.db, asked.battle_id, asked.viewer, here.now())
    return "gone-on"


ACTIONS: Mapping[str, Callable[[House, Asked], str]] = {
    "resolve": _resolve,
    "publish": _publish,
    "set-deadline": _set_deadline,
    "clear-deadline": _clear_deadline,
    "go-on": _go_on,
}


def _page(
    here: House,
    request: Request,
    frame: Frame,
    battle_id: str,
    viewer: Viewer,
    *,
    told: str = "",
    about: str = "",
    trouble: str = "",
    deadline_text: str = "",
) -> DeskPage:
    words = frame.words
    view = battles.battle(here.db, battle_id, viewer, here.now())
    own = master_key(request)  # none: by his account, in a browser that has not opened the desk's link
    keys = battles.seat_keys(here.db, battle_id, own) if own else {}
    names = {seat.seat: words.text(seat.name) for seat in view.seats}
    return DeskPage(
        frame=frame,
        stand=stand(view, words),
        sides=sides(view, words),
        seats=seats(view, words),
        silent=_silent(view, names),
        is_new=not any(turn.published_at for turn in view.turns),
        links=tuple(Link(seat, names.get(seat, seat), here.link(f"/k/{key}")) for seat, key in keys.items()),
        own_link=here.link(f"/k/{own}") if own else "",
        public_link=here.link(f"/b/{battle_id}"),
        turns=tuple(turn_card(line, words) for line in reversed(view.turns)),
        draft=_draft(here, frame, view, viewer),
        talk=talking.links(here, view, (viewer,), words),
        deadline_text=deadline_text or zones.local_text(_suggested(view, here.now()), view.zone),
        time_seen=seen.time(view),
        more_time=moretime.asked(here, view, words),
        ties=tie_cards(here, battle_id, viewer, words),
        log=happenings.told(view, words),
        told=told if told in TOLD else "",
        told_about=names.get(about, ""),
        trouble=trouble,
        may_look=view.options.looks != "never" and not viewer.plays,
    )


def _silent(view: BattleView, names: Mapping[str, str]) -> tuple[str, ...]:
    """The seats that are awaited and have entered nothing."""
    return tuple(names[seat.seat] for seat in view.seats if seat.awaited and not seat.entered)


def _suggested(view: BattleView, now: datetime) -> datetime | None:
    """The deadline as it is, for the field; nothing where there is none or it is past."""
    return view.deadline if view.deadline is not None and view.deadline > now else None


def _draft(here: House, frame: Frame, view: BattleView, viewer: Viewer) -> Draft | None:
    if view.status != "review" or viewer.plays:
        return None
    before = seen.rulings_of(here.db, view.id)
    turn = publication.turn(here.db, view.id, view.turn, viewer)
    told = reports.turn_report(turn, frame.language, rules_url=f"/b/{view.id}/rules")
    return Draft(
        turn=turn.turn,
        after=drawing(turn.ruleset, turn.after, frame.language, turn.scenario, prefix="d-"),
        report=Markup(told),  # noqa: S704  (escaped by its writer)
        differences=differing.differences(turn.ruleset.key, turn.before, turn.after, turn.scenario, frame.language),
        rulings=ruling_cards(turn, frame.words),
        seen=before,
    )
