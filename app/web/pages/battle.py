"""A battle's own page: the board, the score, who has entered, the turns so far, what was done by whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

import msgspec
from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.drawing.scene import Scene
from app.language import Translator
from app.referee import battles, freshness, openings
from app.referee.schedule import plain
from app.referee.turns import history
from app.referee.views import BattleView, MasterView, SeatView, TurnLine
from app.reports import schedulewords, seatwords
from app.web import happenings, openseats, optionform, talking, zones
from app.web.campaignmark import Belongs, Brought, belongs, brought
from app.web.context import Page, frame_of, render
from app.web.deps import Here, page_route
from app.web.glance import Glance, glance
from app.web.happenings import Happening
from app.web.leaves import LeaveCard, leave_card
from app.web.markdown import html
from app.web.openseats import Seeking
from app.web.parts import Drawing, battle_title, capital, drawn, entered
from app.web.preview import Preview, preview
from app.web.rulings import Switch, switches
from app.web.security import as_any, held_seats

router = APIRouter()


@dataclass(frozen=True)
class SideCard:
    name: str
    index: int
    colour: str
    points: int
    goal: int
    is_winner: bool


@dataclass(frozen=True)
class SeatCard:
    seat: str
    name: str
    side: str
    holder: str
    is_awaited: bool
    is_entered: bool
    is_ready: bool
    is_mine: bool
    ordered: int | None
    controlled: int | None
    is_vacant: bool
    is_offered: bool
    program: str
    leave: LeaveCard | None
    doctrine_digest: str
    arms: str
    """The address of its coat of arms, or empty."""


@dataclass(frozen=True)
class TurnCard:
    turn: int
    resolved_at: datetime | None
    published: bool
    how: str
    score: str


@dataclass(frozen=True)
class SeatMark:
    """What all may know of a seat in the open turn: `ready`, `entered`, or empty."""

    seat: str
    name: str
    mark: str


@dataclass(frozen=True)
class Stand:
    """Where a battle stands, for every page that says so."""

    id: str
    title: str
    status: str
    turn: int
    deadline: datetime | None
    zone: str
    zone_name: str
    turn_hours: int | None
    early: bool
    review: bool
    winner: str
    """The winning side's name, `draw`, or empty."""
    until: datetime | None
    """While paused: when that ends; None: when the game master says so."""
    left: str
    """While paused: how much time the turn has left, in words; empty: it had no deadline."""
    published: int
    """The last turn that is published, as far as the page lists them; 0: none."""
    pulse: str
    """As `freshness.pulse`: what a page that follows the battle has shown so far."""
    marks: tuple[SeatMark, ...]
    all_ready: bool
    """Every seat of whom something is awaited is ready."""


@dataclass(frozen=True)
class AskedCard:
    """A pause that is asked for. `agreed`: the sides that have, by name."""

    until: datetime | None
    reason: str
    agreed: str


@dataclass(frozen=True, kw_only=True)
class BattlePage(Page):
    template: ClassVar[str] = "battle/battle.html"
    preview: Preview
    stand: Stand
    glance: Glance
    drawing: Drawing
    sides: tuple[SideCard, ...]
    seats: tuple[SeatCard, ...]
    turns: tuple[TurnCard, ...]
    has_older: bool
    notes: Markup
    changed: tuple[Switch, ...]
    """The rulings that differ from the usual."""
    asked: AskedCard | None
    answering: tuple[SeatCard, ...]
    """Of the reader's seats, those whose side has not agreed to the pause that is asked for."""
    schedule: str
    """In words; empty: deadlines are set by hand."""
    ahead: tuple[datetime, ...]
    log: tuple[Happening, ...]
    seeking: Seeking
    masters: tuple[MasterView, ...]
    """Those that have a name or play as well."""
    commitment: str
    given_seed: str | None
    is_master: bool
    talk: tuple[talking.TalkLink, ...]
    options: tuple[str, ...]
    """What players should know of the battle's options."""
    lines_left: int
    """How many lines were left behind by rewinds."""
    campaign: Belongs | None
    brought: Brought | None
    told: str
    """What has just been done by the reader: a key of the template's own sentences, or empty."""


@page_route(router, "/b/{battle_id}")
def battle(request: Request, here: Here, battle_id: str, told: str = "", turns: str = "") -> HTMLResponse:
    """With `turns=all` every turn is listed, else the newest."""
    frame = frame_of(request)
    viewer = as_any(here, request, battle_id)
    view = battles.battle(here.db, battle_id, viewer, here.now())
    lines = history(here.db, battle_id, viewer) if turns == "all" else view.turns
    mine = held_seats(here, request, battle_id)
    words = frame.words
    scene = view.ruleset.scene(view.state, frame.language, view.scenario)
    stands, scores, cards = stand(view, words), sides(view, words), seats(view, words, mine)
    return render(
        BattlePage(
            frame=frame,
            preview=preview(
                here.settings.url,
                battle_id,
                title=stands.title,
                language=frame.language,
                turn=max((line.turn for line in view.turns if line.published_at), default=0),
                is_turn=False,
                scores={side.name: side.points for side in scores},
                goal=view.outcome.goal,
                winner=stands.winner,
                scene=scene,
            ),
            stand=stands,
            glance=glance(here, request.app.state.pages, view, frame.language),
            drawing=_board(view, scene, words),
            sides=scores,
            seats=cards,
            turns=tuple(turn_card(line, words) for line in reversed(lines)),
            has_older=bool(lines) and lines[0].turn > 1,
            notes=html(words.text(view.scenario.get("notes"))),
            changed=tuple(s for s in switches(view.ruleset, dict(view.rulings), words) if not s.is_default),
            asked=asked_card(view, words),
            answering=_answering(view, cards),
            schedule=schedulewords.words(plain(view.schedule), frame.language) if view.schedule else "",
            ahead=view.ahead,
            log=happenings.told(view, words),
            seeking=openseats.seeking(*openings.of_battle(here.db, battle_id), words),
            masters=tuple(master for master in view.masters if master.name or master.plays),
            commitment=view.seed_commitment,
            given_seed=view.given_seed,
            is_master=viewer.kind == "master",
            talk=talking.links(here, view, talking.identities(here, request, view), words),
            options=optionform.told(view.options, words),
            lines_left=view.line - 1,
            campaign=belongs(here, battle_id),
            brought=brought(here, view.scenario, words),
            told=told if told == "resolved" else "",
        )
    )


def stand(view: BattleView, words: Translator) -> Stand:
    winner = view.outcome.winner or ""
    names = {side.side: words.text(side.name) for side in view.sides}
    return Stand(
        id=view.id,
        title=battle_title(view.title, view.scenario.get("title"), words),
        status=view.status,
        turn=view.turn,
        deadline=view.deadline,
        zone=view.zone,
        zone_name=words.zone(view.zone, view.deadline or (view.pause.until if view.pause else None)),
        turn_hours=view.turn_hours,
        early=view.early,
        review=view.review,
        winner=names.get(winner, winner),
        until=view.pause.until if view.pause else None,
        left=zones.span(view.pause.left, words) if view.pause and view.pause.left is not None else "",
        published=max((line.turn for line in view.turns if line.published_at is not None), default=0),
        pulse=freshness.pulse(view),
        marks=tuple(SeatMark(s.seat, capital(words.text(s.name)), _mark(s)) for s in view.seats),
        all_ready=any(s.awaited for s in view.seats) and all(s.ready for s in view.seats if s.awaited),
    )


def asked_card(view: BattleView, words: Translator) -> AskedCard | None:
    """The pause that is asked for in a battle."""
    asked = view.asked_pause
    if asked is None:
        return None
    names = [words.text(side.name) for side in view.sides if side.side in asked.sides]
    return AskedCard(asked.until, asked.reason or "", words.list(names) if names else "")


def _answering(view: BattleView, cards: tuple[SeatCard, ...]) -> tuple[SeatCard, ...]:
    if view.asked_pause is None:
        return ()
    waiting = {seat.seat for seat in view.seats if seat.side not in view.asked_pause.sides}
    return tuple(card for card in cards if card.is_mine and card.seat in waiting)


def _mark(seat: SeatView) -> str:
    return "ready" if seat.ready else "entered" if seat.entered else ""


def sides(view: BattleView, words: Translator) -> tuple[SideCard, ...]:
    return tuple(
        SideCard(
            capital(words.text(side.name)),
            i,
            side.colour,
            side.points,
            view.outcome.goal or 0,
            side.side == view.outcome.winner,
        )
        for i, side in enumerate(view.sides)
    )


def _board(view: BattleView, scene: Scene, words: Translator) -> Drawing:
    """While orders are open, the units of a seat that has entered its own bear a sign. Which of them it orders nobody is
    told."""
    units = getattr(view.state, "units", {})
    come = {seat.seat for seat in view.seats if seat.entered} if view.status in {"open", "held", "paused"} else set()
    signed = {c.id for c in scene.counters if c.id in units and units[c.id].seat in come}
    if not signed:
        return drawn(scene, interactive=True)
    told = words.gettext("orders in")
    counters = tuple(
        msgspec.structs.replace(c, states=(*c.states, "entered"), title=f"{c.title}; {told}") if c.id in signed else c
        for c in scene.counters
    )
    return entered(drawn(msgspec.structs.replace(scene, counters=counters), interactive=True), words)


def seats(view: BattleView, words: Translator, mine: frozenset[str] = frozenset()) -> tuple[SeatCard, ...]:
    names = {side.side: words.text(side.name) for side in view.sides}
    return tuple(
        SeatCard(
            seat=seat.seat,
            name=capital(words.text(seat.name)),
            side=capital(names.get(seat.side, seat.side)),
            holder=seat.holder or "",
            is_awaited=seat.awaited,
            is_entered=seat.entered,
            is_ready=seat.ready,
            is_mine=seat.seat in mine,
            ordered=seat.ordered,
            controlled=seat.controlled,
            is_vacant=seat.is_vacant,
            is_offered=seat.offered_at is not None,
            program=seatwords.program(seat.program, words.language) if seat.program else "",
            leave=leave_card(seat, view, words),
            doctrine_digest=seat.doctrine_digest or "",
            arms=talking.arms_url(view.id, seat.arms),
        )
        for seat in view.seats
    )


def turn_card(line: TurnLine, words: Translator) -> TurnCard:
    return TurnCard(
        turn=line.turn,
        resolved_at=line.resolved_at,
        published=line.published_at is not None,
        how=happenings.resolved_how(line.resolved_by, words),
        score=" : ".join(str(points) for points in line.points.values()),
    )
