"""Kinds of fields in the bodies of the JSON API, and what all bodies and answers have in common."""

from __future__ import annotations

from datetime import datetime
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

MOST_TURNS = 1_000_000
DEEPEST = 40
LONGEST_FILE = 200_000
LARGEST_WHOLE = 2**53
"""Beyond it, whole numbers are not the same in all programs."""


def _no_bool_no_text(value: Any) -> Any:
    if isinstance(value, bool | str):
        raise PydanticCustomError("int_type", "Input should be a valid integer")
    return value


def _true_or_false(value: Any) -> Any:
    if not isinstance(value, bool):
        raise PydanticCustomError("bool_type", "Input should be a valid boolean")
    return value


def _a_moment(value: Any) -> Any:
    """Text alone: a bare number would be read as seconds since 1970."""
    if not isinstance(value, str | datetime):
        raise PydanticCustomError("timezone_aware", "Input should have timezone info")
    return value


def _storable(value: Any, depth: int = 0) -> Any:
    """Free JSON that can be kept and written out again: no NaN, no NUL, no half of a surrogate pair, no whole
    number that other programs would round, not too deep."""
    if depth > DEEPEST:
        raise PydanticCustomError("too_deep", "Input is nested too deep")
    if isinstance(value, str):
        _clean(value)
    elif isinstance(value, int):
        if abs(value) > LARGEST_WHOLE:
            raise PydanticCustomError("less_than_equal", "Input is too large")
    elif isinstance(value, float):
        if not isfinite(value):
            raise PydanticCustomError("finite_number", "Input should be a finite number")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _clean(key)
            _storable(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _storable(inner, depth + 1)
    return value


def _clean(text: str) -> str:
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise PydanticCustomError("string_unicode", "Input should be a valid text")
    return text


def clean_text(value: Any) -> Any:
    return _clean(value) if isinstance(value, str) else value


def _clean_prose(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_FILE:
        raise PydanticCustomError("string_too_long", "Input is too long")
    return clean_text(value)


Whole = Annotated[int, Field(ge=0, le=MOST_TURNS), BeforeValidator(_no_bool_no_text)]
Hours = Annotated[int, Field(ge=1, le=24 * 366), BeforeValidator(_no_bool_no_text)]
Flag = Annotated[bool, BeforeValidator(_true_or_false)]
Moment = Annotated[
    AwareDatetime, BeforeValidator(_a_moment), WithJsonSchema({"type": "string", "format": "date-time"}, mode="validation")
]
Line = Annotated[str, Field(max_length=200), BeforeValidator(clean_text)]
WeekTime = Annotated[str, Field(pattern="^(mon|tue|wed|thu|fri|sat|sun) ([01][0-9]|2[0-3]):[0-5][0-9]$")]
"""A time of each week by the clock of the battle's zone: `tue 21:00`."""
DaysOff = Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}(/[0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
"""`2026-12-31`, or `2026-12-31/2027-01-08`, both ends included."""
Prose = Annotated[str, BeforeValidator(_clean_prose)]
Tree = Annotated[dict[str, Any], BeforeValidator(_storable)]
Trees = Annotated[list[Any], Field(min_length=1, max_length=200), BeforeValidator(_storable)]
Status = Literal["open", "review", "held", "paused", "over"]
"""Of a battle."""


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Answer(BaseModel):
    """What the server says: more fields may come with later versions."""
