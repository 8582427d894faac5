"""What several pages show of a battle: where it stands, its sides and seats, its turns."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.language import Translator
from app.referee import freshness
from app.referee.views import BattleView, SeatView, TurnLine
from app.reports import seatwords
from app.reports.scores import Score, scores
from app.web import happenings, talking, zones
from app.web.leaves import LeaveCard, leave_card
from app.web.parts import battle_title, capital


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
    """While paused or held: when the battle goes on by itself; None: when the game master says so."""
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
        until=view.pause.until if view.pause else view.goes_on,
        left=zones.span(view.pause.left, words) if view.pause and view.pause.left is not None else "",
        published=view.last_published,
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


def _mark(seat: SeatView) -> str:
    return "ready" if seat.ready else "entered" if seat.entered else ""


def sides(view: BattleView, words: Translator) -> tuple[Score, ...]:
    return scores(view.scenario, view.outcome, words)


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
