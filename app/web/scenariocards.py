"""A scenario that the server knows, as a page offers it."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from app.language import Translator
from app.referee.scenarios import ScenarioLine
from app.web.markdown import html


@dataclass(frozen=True)
class ScenarioCard:
    key: str
    title: str
    size: str
    notes: Markup


def card(line: ScenarioLine, words: Translator) -> ScenarioCard:
    return ScenarioCard(
        key=line.key, title=words.text(line.title), size=_size(line, words), notes=html(words.text(line.notes))
    )


def _size(line: ScenarioLine, words: Translator) -> str:
    """`28 units, 6 seats, a board of 15×13, to 6 points`."""
    units = words.ngettext("%(num)s unit", "%(num)s units", line.units)
    seats = words.ngettext("%(num)s seat", "%(num)s seats", line.seats)
    board = words.gettext("a board of %(size)s", size=line.size.replace("x", "×"))
    told = [units, seats, board]
    if line.frozen.get("goal"):
        told.append(words.ngettext("to %(num)s point", "to %(num)s points", int(line.frozen["goal"])))
    return ", ".join(told)
