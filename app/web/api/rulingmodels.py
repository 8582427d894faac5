"""Rulings, rewinds and the lines that were left, in the JSON API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from app.web.api.fields import Answer, Body, Line, Status, Trees, Whole, clean_text

Reason = Annotated[str, Field(min_length=1, max_length=2000), BeforeValidator(clean_text)]


class SetAside(Body):
    """`event`: its place in the record's `events`, from 0; `of`: how many the record had when it was looked at."""

    event: Whole
    of: Whole


class NewRuling(Body):
    """One of three: `changes`, which have the shape that the ruleset takes; or, of the turn under review, the address of a
    die that is rolled again (`reroll`), or an event that is set aside."""

    changes: Trees | None = None
    reroll: Line | None = None
    set_aside: SetAside | None = None
    reason: Reason
    rule: Annotated[str, Field(max_length=40), BeforeValidator(clean_text)] | None = None

    @model_validator(mode="after")
    def one_kind(self) -> NewRuling:
        if sum(given is not None for given in (self.changes, self.reroll, self.set_aside)) != 1:
            raise PydanticCustomError("one_of", "Give one of changes, reroll and set_aside")
        return self


class NewRewind(Body):
    """The battle goes on from the start of turn `to`. `played`: the line that the caller takes for the one that is played,
    so that a call that is sent twice leaves one line and not two."""

    to: Whole
    reason: Reason
    played: Whole | None = None


class TakeUp(Body):
    """`played`: as in a rewind."""

    reason: Reason
    played: Whole | None = None


class Branch(Answer):
    """A line of the battle that was left. `turn`: its last published turn; `taken_as`: the line that went on from there."""

    line: int
    back_to: int
    turn: int
    status: Status
    reason: str
    left_at: datetime
    taken_as: int | None


class Branches(Answer):
    line: Annotated[int, Field(description="The line that is played; it began as 1.")]
    branches: list[Branch]
