"""The log of a battle as a page shows it: what people with power, and the clock, have done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.language import Translator
from app.referee.views import BattleView
from app.reports.logwords import log_words


@dataclass(frozen=True)
class Happening:
    at: datetime
    turn: int
    by: str
    """The game master who did it, by name; empty: he has given none, or it was not he."""
    text: str
    is_sealed: bool
    """Others do not see it, as it is of a draft."""


def told(battle: BattleView, words: Translator) -> tuple[Happening, ...]:
    """Newest first."""
    return tuple(
        Happening(
            line.at,
            line.turn,
            line.name or "",
            log_words(line.what, line.params, words.language, scenario=battle.scenario, zone=battle.zone),
            line.is_sealed,
        )
        for line in reversed(battle.log)
    )


def resolved_how(by: str | None, words: Translator) -> str:
    """Why a turn was resolved when it was; nothing where that is not known."""
    return log_words("resolved", {"by": by}, words.language) if by else ""
