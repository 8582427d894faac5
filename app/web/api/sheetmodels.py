"""Sheets in the JSON API: orders, what may be chosen, what was refused. What the ruleset reads stays free JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from app.referee.orders import LONGEST_TEXT, NONCE
from app.web.api.fields import Answer, Body, Flag, Tree, Whole, clean_text


class NewSheet(Body):
    """Either `orders`, as the adjudication cases have them, or `text`. `nonce`: random hexadecimal digits of the sender's
    own for the sheet's seal, so that the server has no choice in it; where the battle's seed is known it is not used."""

    turn: Whole
    revision: Whole
    orders: Tree | None = None
    text: Annotated[str, Field(json_schema_extra={"maxLength": LONGEST_TEXT}), BeforeValidator(clean_text)] | None = None
    ready: Flag = False
    nonce: Annotated[str, Field(pattern=NONCE)] | None = None

    @model_validator(mode="after")
    def one_form(self) -> NewSheet:
        if (self.orders is None) == (self.text is None):
            raise PydanticCustomError("one_of", "Give either orders or text")
        return self


class UnitOptions(Answer):
    id: str
    options: dict[str, Any]


class Receipt(Answer):
    digest: str
    nonce: str
    canonical: str


class Sheet(Answer):
    turn: int
    revision: int
    ready: bool
    orders: dict[str, Any]
    units: list[UnitOptions]
    receipt: Receipt | None
    entered_at: datetime | None


class Trouble(Answer):
    """A refused part of a sheet, or a warning: `field` is the way to it, `unit` and `part` its first two steps."""

    unit: str | None
    part: str | None
    field: list[str]
    code: str
    text: str
    params: dict[str, str | int]


class Misread(Answer):
    """A place in a text that was not understood; line and column count from 1."""

    line: int
    column: int
    fragment: str
    code: str
    text: str
    candidates: list[str]


class Entered(Answer):
    turn: int
    revision: int
    ready: bool
    orders: dict[str, Any]
    problems: list[Trouble]
    warnings: list[Trouble]
    receipt: Receipt | None
    resolved: bool
