"""Pages of a book as values. Each template has one frozen context, and nothing else reaches it. All links are relative."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from typing import ClassVar

from jinja2 import Environment
from markupsafe import Markup

from app.language import LANGUAGES, templates, translator
from app.reports.rules import Section
from app.reports.scores import Score


@dataclass(frozen=True)
class Sign:
    sign: Markup
    text: str


@dataclass(frozen=True)
class Board:
    """A drawn field, as the macros of the site's pages want it."""

    svg: Markup
    shape: str
    legend: tuple[Sign, ...]
    width: int
    height: int


@dataclass(frozen=True)
class SeatLine:
    """`arms`: the file of its coat of arms, or empty."""

    name: str
    side: str
    holder: str
    arms: str = ""


@dataclass(frozen=True)
class TurnLine:
    turn: int
    headline: str
    score: str


@dataclass(frozen=True)
class LogLine:
    at: datetime
    who: str
    text: str


@dataclass(frozen=True)
class SwitchLine:
    title: str
    rule: str
    value: str
    words: str
    is_usual: bool


@dataclass(frozen=True)
class Orders:
    """The orders of a seat in their canonical text; `text` empty: it entered none."""

    seat: str
    text: str
    digest: str
    revision: int


@dataclass(frozen=True)
class Cover:
    """What stands around every page."""

    language: str
    title: str
    battle: str
    last: int
    zone: str
    zone_name: str
    written_at: datetime
    has_film: bool
    has_talk: bool = False


@dataclass(frozen=True, kw_only=True)
class Page:
    template: ClassVar[str]
    cover: Cover


@dataclass(frozen=True, kw_only=True)
class IndexPage(Page):
    template: ClassVar[str] = "book/index.jinja"
    result: str
    notes: Markup
    sides: tuple[Score, ...]
    seats: tuple[SeatLine, ...]
    turns: tuple[TurnLine, ...]
    board: Board
    log: tuple[LogLine, ...]


@dataclass(frozen=True, kw_only=True)
class TurnPage(Page):
    template: ClassVar[str] = "book/turn.jinja"
    turn: int
    resolved_at: datetime
    sides: tuple[Score, ...]
    after: Board
    before: Board
    report: Markup
    orders: tuple[Orders, ...]
    commitment: str
    secret: str
    seed: str


@dataclass(frozen=True, kw_only=True)
class RulesPage(Page):
    """`spoken`: the language of the rules, which is not always that of the book."""

    template: ClassVar[str] = "book/rules.jinja"
    spoken: str
    switches: tuple[SwitchLine, ...]
    sections: tuple[Section, ...]
    text: Markup


@dataclass(frozen=True, kw_only=True)
class ProofsPage(Page):
    template: ClassVar[str] = "book/proofs.jinja"
    program: str
    turns: tuple[int, ...]


@dataclass(frozen=True)
class TalkLine:
    """A message of the public thread. `state`: empty, `deleted`, `hidden` (`reason` says why)."""

    number: int
    who: str
    role: str
    arms: str
    turn: int
    at: datetime
    is_changed: bool
    text: Markup
    state: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class TalkPage(Page):
    template: ClassVar[str] = "book/talk.jinja"
    lines: tuple[TalkLine, ...]


def written(page: Page) -> str:
    """A page's HTML, in the language of the book."""
    values: Mapping[str, object] = {field.name: getattr(page, field.name) for field in fields(page)}
    return environment(page.cover.language).get_template(page.template).render(values)


@lru_cache(maxsize=len(LANGUAGES))
def environment(language: str) -> Environment:
    """Templates of one language, with the book's filters."""
    words = translator(language)
    made = templates.strict(words)
    made.filters["moment"] = lambda at, zone="UTC": Markup('<time datetime="{}">{}</time>').format(
        at.isoformat(), words.moment(at, zone)
    )
    return made
