"""Messages as a page shows them: who wrote, what he is, what may be done with them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from app.language import Translator
from app.referee.channels import Where
from app.referee.messages import MessageView
from app.referee.talk import Thread
from app.referee.views import BattleView, Viewer
from app.reports import prose
from app.web import talking
from app.web.context import Frame
from app.web.deps import House
from app.web.parts import capital
from app.web.talking import arms_url

MOST_NAMES = 40


@dataclass(frozen=True)
class Line:
    """A message. `state`: empty, `deleted`, `hidden`."""

    number: int
    who: str
    role: str
    arms: str
    text: Markup
    source: str
    turn: int
    written_at: datetime
    edited_at: datetime | None
    state: str
    reason: str
    is_mine: bool
    may_change: bool
    calls_me: bool
    is_new: bool
    may_hide: bool


@dataclass(frozen=True)
class Visit:
    """Somebody in a channel."""

    here: House
    frame: Frame
    battle: BattleView
    where: Where
    all: tuple[Viewer, ...]
    viewer: Viewer

    @property
    def url(self) -> str:
        return talking.url_of(self.battle.id, self.where)


def names_here(visit: Visit, thread: Thread) -> tuple[str, ...]:
    """By which names one can call here, as they are in the reader's language: people, seats, sides, the game masters."""
    words, battle = visit.frame.words, visit.battle
    spoken = {seat.holder for seat in battle.seats} | {capital(name) for name in talking.names_of(battle, words).values()}
    spoken |= {master.name for master in battle.masters} | {words.gettext("game master")}
    own = visit.viewer.name
    return tuple(name for name in thread.people if not spoken.isdisjoint({name, capital(name)}) and name != own)[:MOST_NAMES]


def line_of(visit: Visit, thread: Thread, one: MessageView, *, may_hide: bool) -> Line:
    battle = visit.battle
    who, role, digest = writer_of(visit, one)
    link, turns = f"/b/{battle.id}/t/{{}}", battle.last_published
    return Line(
        number=one.number,
        who=who,
        role=role,
        arms=arms_url(battle.id, digest),
        text=prose.message(one.text, turn_link=link, turns=turns, mentions=one.mentions),
        source=one.text,
        turn=one.turn,
        written_at=one.written_at,
        edited_at=one.edited_at,
        state="deleted" if one.deleted_at else "hidden" if one.hidden_at else "",
        reason=one.hidden_reason or "",
        is_mine=one.is_mine,
        may_change=one.may_change,
        calls_me=one.calls_me,
        is_new=thread.me is not None and one.number > thread.read and not one.is_mine,
        may_hide=may_hide,
    )


def writer_of(visit: Visit, one: MessageView) -> tuple[str, str, str | None]:
    """A writer's name, what he is, and his arms."""
    words, battle = visit.frame.words, visit.battle
    kind, _, of = one.writer.partition("/")
    if kind == "seat":
        seat = next((seat for seat in battle.seats if seat.seat == of), None)
        name = capital(words.text(seat.name)) if seat else of
        return (one.name, name, seat.arms if seat else None) if one.name else (name, "", seat.arms if seat else None)
    if kind == "master":
        judge = words.gettext("Game master")
        return (one.name, judge, None) if one.name else (judge, "", None)
    return one.name or "", words.gettext("spectator"), None


def called(battle: BattleView, viewer: Viewer, words: Translator) -> str:
    if viewer.kind == "seat":
        seat = capital(talking.names_of(battle, words).get(f"seat/{viewer.seat}", viewer.seat or ""))
        return f"{viewer.name} ({seat})" if viewer.name else seat
    if viewer.kind == "master":
        return viewer.name or words.gettext("Game master")
    return words.gettext("%(name)s (account)", name=viewer.name or "")
