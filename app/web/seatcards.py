"""What may be chosen for a seat, and who shares it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.referee.views import BattleView
from app.reports import seatwords
from app.web.parts import capital


@dataclass(frozen=True)
class Choice:
    key: str
    title: str
    text: str
    is_chosen: bool


@dataclass(frozen=True)
class SharerCard:
    id: int
    name: str
    since: datetime


def doctrine_choices(view: BattleView, chosen: str, language: str) -> tuple[Choice, ...]:
    """Every doctrine of the game."""
    return tuple(
        Choice(name, capital(seatwords.doctrine(name, language)), seatwords.doctrine_text(name, language), name == chosen)
        for name in view.ruleset.doctrines
    )
