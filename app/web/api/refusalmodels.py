"""Refusals of the JSON API."""

from __future__ import annotations

from app.web.api.fields import Answer
from app.web.api.sheetmodels import Misread, Trouble


class Refusal(Answer):
    """Every refusal: `code` is stable, `text` in the reader's language, `id` stands in the server's log."""

    code: str
    text: str
    params: dict[str, str | int]
    id: str


class BodyRefusal(Refusal):
    """Something in the body is not acceptable: every problem at once."""

    problems: list[Trouble] = []
    warnings: list[Trouble] = []
    faults: list[Misread] = []
    asides: list[int] = []
    """Lines of the text (from 1) that are certainly no orders."""


class Current(Answer):
    turn: int
    revision: int | None = None


class StaleRefusal(Refusal):
    """With `stale`: what the caller should have seen."""

    current: Current | None = None
