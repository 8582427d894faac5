"""A scenario that the server knows, as a page offers it."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from app.language import Translator
from app.referee.scenarios import ScenarioLine
from app.reports.rules import game_name
from app.rulesets.registry import RULESETS
from app.web.markdown import html


@dataclass(frozen=True)
class ScenarioCard:
    key: str
    game: str
    """The key of its ruleset."""
    title: str
    size: str
    notes: Markup


def card(line: ScenarioLine, words: Translator) -> ScenarioCard:
    return ScenarioCard(
        key=line.key,
        game=line.ruleset,
        title=words.text(line.title),
        size=_size(line, words),
        notes=html(words.text(line.notes)),
    )


def _size(line: ScenarioLine, words: Translator) -> str:
    """`28 units, 6 seats, a board of 15×13, to 6 points`; where several games are played here, the game's name first."""
    units = words.ngettext("%(num)s unit", "%(num)s units", line.units)
    seats = words.ngettext("%(num)s seat", "%(num)s seats", line.seats)
    board = words.gettext("a board of %(size)s", size=line.size.replace("x", "×"))
    game = [game_name(line.ruleset, words.language)] if len(RULESETS) > 1 else []
    told = [*game, units, seats, board]
    if line.frozen.get("goal"):
        told.append(words.ngettext("to %(num)s point", "to %(num)s points", int(line.frozen["goal"])))
    return ", ".join(told)
