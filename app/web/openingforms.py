"""What the forms of the desk's page of open seats hold: as it is kept, or as it was typed and refused."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from app.referee.openings import Opening
from app.web import zones
from app.web.deps import Fields


@dataclass(frozen=True)
class OpeningTyped:
    is_open: bool
    words: str
    choosing: bool
    settle_by: str
    waits: bool
    swaps: bool
    hours: str


@dataclass(frozen=True)
class Answer:
    """What was to be answered to one asking, and was refused; `asking` 0: nothing was."""

    asking: int = 0
    gift: str = ""
    word: str = ""
    fresh: bool = False
    is_lost: bool = False
    """Its form is gone, as it was answered meanwhile."""


def opening_typed(opening: Opening, zone: str, fields: Fields | None) -> OpeningTyped:
    if fields is not None:
        return OpeningTyped(
            fields.is_on("is_open"),
            fields["words"],
            fields.is_on("choosing"),
            fields.line("settle_by"),
            fields.is_on("waits"),
            fields.is_on("swaps"),
            fields["hours"],
        )
    settle_by = zones.local_text(opening.settle_by, zone) if opening.settle_by else ""
    hours = str(opening.offer_hours) if opening.offer_hours else ""
    return OpeningTyped(opening.is_open, opening.words, opening.choosing, settle_by, opening.waits, opening.swaps, hours)


def answer_typed(fields: Fields, waiting: Collection[int]) -> Answer:
    """`waiting`: the askings that have a form on the page."""
    asking = fields.whole("asking") or 0
    return Answer(asking, fields["gift"], fields["answer"], fields.is_on("fresh"), asking not in waiting)
