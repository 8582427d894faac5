"""A battle's time in the JSON API: schedule, deadline, pauses."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from app.web.api.fields import (
    Answer,
    Body,
    DaysOff,
    Flag,
    Hours,
    Line,
    Moment,
    Status,
    WeekTime,
    _no_bool_no_text,
    clean_text,
)


class NewSchedule(Body):
    """Either `hours`, or `times` of the week; neither: deadlines are set by hand. `skip`: days off, or stretches of them, on
    which no deadline falls. `zone`: left out, it stays."""

    hours: Hours | None = None
    times: Annotated[list[WeekTime], Field(max_length=50)] = []
    skip: Annotated[list[DaysOff], Field(max_length=100)] = []
    zone: Line | None = None
    at_once: Flag = False


class NewDeadline(Body):
    """Either `deadline`, a moment to come (null: none), or `by_hours`, so many later, or earlier if negative."""

    deadline: Moment | None = None
    by_hours: Annotated[int, Field(ge=-24 * 366, le=24 * 366), BeforeValidator(_no_bool_no_text)] | None = None
    reason: Annotated[str, Field(max_length=2000), BeforeValidator(clean_text)] | None = None

    @model_validator(mode="after")
    def one_way(self) -> NewDeadline:
        if {"deadline", "by_hours"} <= self.model_fields_set or not {"deadline", "by_hours"} & self.model_fields_set:
            raise PydanticCustomError("one_of", "Give either deadline or by_hours")
        return self


class NewPause(Body):
    """`until` left out: until the game master says so."""

    until: Moment | None = None
    reason: Annotated[str, Field(max_length=2000), BeforeValidator(clean_text)] | None = None


class PauseAnswer(Body):
    agree: Flag


class Schedule(Answer):
    hours: int | None
    times: list[str]
    skip: list[str]


class Paused(Answer):
    since: datetime
    until: datetime | None
    left_seconds: Annotated[float | None, Field(description="Of the open turn's time; null: it had no deadline.")]


class AskedFor(Answer):
    until: datetime | None
    reason: str | None
    agreed: Annotated[list[str], Field(description="The sides that have agreed so far.")]


class Times(Answer):
    """A battle's time."""

    status: Status
    turn: int
    deadline: datetime | None
    zone: str
    schedule: Schedule
    ahead: list[datetime]
    paused: Paused | None
    asked: AskedFor | None
