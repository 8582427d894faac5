"""The whole log of a battle: everything that anyone with power did, for all to read, filtered by what it was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from app.language import Translator
from app.language import marked as _
from app.referee import battles, moderation
from app.referee.views import LogLine
from app.reports.logwords import log_words, who_words
from app.web.context import Page, frame_of, render
from app.web.deps import Here, page_route
from app.web.parts import battle_title
from app.web.security import as_any

router = APIRouter()

GROUPS: dict[str, tuple[str, frozenset[str]]] = {
    "rulings": (_("Rulings"), frozenset({"ruled", "rerolled", "set-aside"})),
    "lines": (_("Rewinds"), frozenset({"rewound", "taken-up"})),
    "looks": (_("Looks at sealed orders"), frozenset({"looked"})),
    "behalf": (_("On behalf of a seat"), frozenset({"orders-on-behalf", "ready-on-behalf", "holder-named", "key-renewed"})),
    "turns": (_("Turns"), frozenset({"made", "resolved", "published", "imported", "imported-whole"})),
    "options": (_("Options"), frozenset({"option-set"})),
}
"""By key: its name, and the codes that it holds; whatever is in none of them is `other`."""
OTHER = "other"
OTHER_NAME = _("Time and people")


@dataclass(frozen=True)
class Line:
    at: datetime
    turn: int
    who: str
    text: str
    is_sealed: bool
    """Others do not see it, as it is of a draft."""


@dataclass(frozen=True)
class Group:
    key: str
    name: str
    count: int
    is_chosen: bool


@dataclass(frozen=True, kw_only=True)
class LogPage(Page):
    template: ClassVar[str] = "logs/logs.html"
    battle_id: str
    title: str
    zone: str
    groups: tuple[Group, ...]
    lines: tuple[Line, ...]
    total: int
    is_all: bool


@page_route(router, "/b/{battle_id}/log")
def log(request: Request, here: Here, battle_id: str, what: str = "") -> HTMLResponse:
    """Newest first. `what`: one of the groups; anything else: all."""
    frame = frame_of(request)
    words, viewer = frame.words, as_any(here, request, battle_id)
    view = battles.battle(here.db, battle_id, viewer, here.now())
    lines = moderation.log(here.db, battle_id, viewer)
    chosen = what if what in {*GROUPS, OTHER} else ""
    shown = [line for line in reversed(lines) if not chosen or _group(line) == chosen]
    return render(
        LogPage(
            frame=frame,
            battle_id=battle_id,
            title=battle_title(view.title, view.scenario.get("title"), words),
            zone=view.zone,
            groups=_groups(lines, chosen, words),
            lines=tuple(
                Line(
                    line.at,
                    line.turn,
                    who_words(line.who, frame.language, line.name),
                    log_words(line.what, line.params, frame.language, scenario=view.scenario, zone=view.zone),
                    line.is_sealed,
                )
                for line in shown
            ),
            total=len(lines),
            is_all=not chosen,
        )
    )


def _group(line: LogLine) -> str:
    return next((key for key, (_name, codes) in GROUPS.items() if line.what in codes), OTHER)


def _groups(lines: tuple[LogLine, ...], chosen: str, words: Translator) -> tuple[Group, ...]:
    """Those that have a line."""
    names = {**{key: name for key, (name, _codes) in GROUPS.items()}, OTHER: OTHER_NAME}
    counts = {key: sum(_group(line) == key for line in lines) for key in names}
    return tuple(Group(key, words.gettext(names[key]), counts[key], key == chosen) for key in names if counts[key])
