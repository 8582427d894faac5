"""What commanders said with their orders, as a part of a report: every format writes it as it writes the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from app.engine.ruleset import Json
from app.language import capital, pick
from app.reports import prose
from app.reports.tree import Entry, Group, Name, Report, Section, Sentence, Text, Words, clean
from app.reports.voice import voice


class Saying(Protocol):
    """Markdown, emphasis alone. `holder`: the commander's name, if he gave one."""

    @property
    def seat(self) -> str: ...
    @property
    def holder(self) -> str | None: ...
    @property
    def text(self) -> str: ...


def with_sayings(told: Report, sayings: Sequence[Saying], scenario: Json) -> Report:
    """The report with one section more at its end; the same report where nobody said anything."""
    if not sayings:
        return told
    entries = tuple(
        Entry(id=f"saying-{number}", kind="saying", sentence=_sentence(saying, scenario, told.language))
        for number, saying in enumerate(sayings, start=1)
    )
    title = voice(told.language).word("In their own words")
    return replace(told, sections=(*told.sections, Section("sayings", title, (Group("", entries),))))


def speaker(saying: Saying, scenario: Json, language: str) -> str:
    """Who says it: the seat, and who commands it."""
    given = ((scenario or {}).get("contingents") or {}).get(saying.seat) or {}
    name = clean(pick(given.get("name"), language)) or clean(saying.seat)
    name = capital(name)
    return f"{clean(saying.holder)} ({name})" if saying.holder else name


def _sentence(saying: Saying, scenario: Json, language: str) -> Sentence:
    plain = " ".join(prose.plain(saying.text).split())
    return (Name(speaker(saying, scenario, language)), Text(": "), Words(plain, saying.text))
