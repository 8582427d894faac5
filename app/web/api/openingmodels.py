"""Bodies of the calls about open seats, as the OpenAPI document shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi.openapi.models import Example
from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from app.referee.askings import REACH_MAX
from app.referee.openings import WORDS_MAX
from app.web.api.fields import Answer, Body, Flag, Line, clean_text

Key = Annotated[str, Field(min_length=1, max_length=80), BeforeValidator(clean_text)]
Words = Annotated[str, Field(max_length=WORDS_MAX), BeforeValidator(clean_text)]


class NewAsking(Body):
    """`seat` or `side`: what is asked for; neither: whatever is free. `name`: needed without an account. `reach`: how the
    game master may reach him; the server sends nothing there."""

    seat: Key | None = None
    side: Key | None = None
    name: Line = ""
    reach: Annotated[str, Field(max_length=REACH_MAX), BeforeValidator(clean_text)] = ""
    words: Words = ""

    @model_validator(mode="after")
    def one_wish(self) -> NewAsking:
        if self.seat is not None and self.side is not None:
            raise PydanticCustomError("one_of", "Give seat or side, not both")
        return self


class AskingAnswer(Body):
    """`do`: `accept` with a `seat`, or with a `side` that chooses among itself; `list` keeps him on the waiting list.
    `fresh`: what is entered for the open turn falls away; else he has it."""

    do: Literal["accept", "list", "decline"]
    seat: Key | None = None
    side: Key | None = None
    words: Words = ""
    fresh: Flag = False

    @model_validator(mode="after")
    def one_gift(self) -> AskingAnswer:
        if self.do == "accept" and (self.seat is None) == (self.side is None):
            raise PydanticCustomError("one_of", "Give seat or side, not both")
        return self


class SoughtBattle(Answer):
    id: str
    url: str
    title: str
    words: str
    open: Annotated[int, Field(description="Seats that may be asked for.")]
    seats: int
    units: int
    turn: int
    deadline: datetime | None
    zone: str


class SoughtBattles(Answer):
    battles: list[SoughtBattle]


class OpenSeat(Answer):
    seat: str
    side: str
    name: str
    choosing: Annotated[bool, Field(description="The side settles itself whose it is: ask for the side.")]
    offered: Annotated[bool, Field(description="It was another's, who is silent or gone.")]


class OpenSeats(Answer):
    words: str
    seats: list[OpenSeat]


class Ticket(Answer):
    ticket: Annotated[str | None, Field(description="A secret, told this once; null: the account is the ticket.")]
    url: Annotated[str, Field(description="Where he sees how it stands, and finds his seat.")]


class Asking(Answer):
    id: int
    name: str
    account: bool
    reach: str
    words: str
    want: Literal["seat", "side", "any"]
    what: str
    status: Literal["asked", "listed", "offered", "accepted", "declined", "withdrawn", "lapsed"]
    place: Annotated[int, Field(description="On the waiting list, from 1; 0: not on it.")]
    offered: str | None
    until: datetime | None
    side: str | None
    seats: list[str]
    asked_at: datetime


class Askings(Answer):
    askings: list[Asking]


ASK = {
    "seat": Example(
        summary="A seat, without an account", value={"seat": "south", "name": "Vera", "words": "I play at night."}
    )
}
ANSWER = {
    "accept": Example(summary="The seat is given", value={"do": "accept", "seat": "south", "words": "Welcome!"}),
    "list": Example(summary="Kept on the waiting list", value={"do": "list"}),
}
