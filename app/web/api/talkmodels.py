"""Bodies of the calls by which one talks, as the OpenAPI document shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi.openapi.models import Example
from pydantic import BeforeValidator, Field

from app.referee.names import MESSAGE_MAX, SAYING_MAX
from app.web.api.fields import Answer, Body, Whole, clean_text

Text = Annotated[str, Field(min_length=1, max_length=MESSAGE_MAX), BeforeValidator(clean_text)]
Words = Annotated[str, Field(max_length=SAYING_MAX), BeforeValidator(clean_text)]


class NewMessage(Body):
    """`text`: Markdown. `@` before a name calls somebody who reads the channel."""

    text: Text


class NewWords(Body):
    """`text`: Markdown, emphasis alone; empty: nothing is said. `turn`: the open one."""

    turn: Whole
    text: Words


class Message(Answer):
    """`writer`: `seat/SEAT`, `master/NUMBER` or `account/NUMBER`; `name`: as he was called when he wrote it. `text` is empty
    where the message was taken back, or hidden by a game master (`hidden_reason` says why)."""

    number: int
    writer: str
    name: str | None
    turn: int
    text: str
    mentions: list[str]
    written_at: datetime
    edited_at: datetime | None
    deleted_at: datetime | None
    hidden_at: datetime | None
    hidden_reason: str | None


class Thread(Answer):
    """`last`: the number of the channel's last message. `people`: the names that a message can call here."""

    channel: Literal["public", "side", "master"]
    messages: list[Message]
    last: int
    earlier: bool
    later: bool
    people: list[str]


class Written(Answer):
    number: int


class OwnWords(Answer):
    """`open`: they may still be changed."""

    turn: int
    open: bool
    text: str
    said_at: datetime | None


MESSAGE = {"message": Example(summary="A message", value={"text": "Your *guns* are late, @South."})}
WORDS = {"words": Example(summary="A few words", value={"turn": 1, "text": "To the bridge, **all** of you!"})}
