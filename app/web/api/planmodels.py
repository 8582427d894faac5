"""A side's plan in the JSON API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from app.web.api.fields import Answer, Body, Whole, clean_text


class NewDrawing(Body):
    """`cells`: for an arrow the two to twelve that it leads over, else one. A note has some words."""

    turn: Whole
    kind: Literal["arrow", "mark", "note"]
    cells: Annotated[
        list[Annotated[str, Field(max_length=8), BeforeValidator(clean_text)]], Field(min_length=1, max_length=12)
    ]
    text: Annotated[str, Field(max_length=120), BeforeValidator(clean_text)] = ""


class PlanFinding(Answer):
    """Something that the side should see in its orders. `sure`: it comes to that however the lots fall, if no enemy moves
    and nobody loses his orders; `cell`, `others` and `rule` as the words name them."""

    code: str
    unit: str
    others: list[str]
    cell: str | None
    rule: str
    sure: bool
    text: str


class PlanGroup(Answer):
    """Units that go together; `retreats`: those of them that nobody orders to."""

    phase: str
    speed: int
    length: int
    units: list[str]
    retreats: list[str]


class PlanEnemies(Answer):
    speed: int
    units: list[str]


class PlanAlly(Answer):
    """Another seat of the side. `orders` as last entered, {} for nothing yet."""

    seat: str
    revision: int
    entered_at: datetime | None
    orders: dict[str, Any]


class PlanDrawing(Answer):
    id: str
    seat: str
    kind: Literal["arrow", "mark", "note"]
    cells: list[str]
    text: str
    drawn_at: datetime


class Plan(Answer):
    turn: int
    open: bool
    shared: bool
    allies: list[PlanAlly]
    findings: list[PlanFinding]
    movement: list[PlanGroup]
    enemies: list[PlanEnemies]
    drawings: list[PlanDrawing]
