"""Battles in the JSON API: to be made, and as they stand."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from app.web.api.fields import Answer, Body, DaysOff, Flag, Hours, Line, Moment, Prose, Status, Tree, WeekTime


class Deadlines(Body):
    """When turns are due. `first` alone: later deadlines are set by hand; `hours` alone: the first falls so many hours from
    now; `times` of the week instead of hours: at the first that leaves time enough; none of them: turns are resolved when
    all are ready, or when the game master says so. `skip`: days off."""

    first: Moment | None = None
    hours: Hours | None = None
    times: Annotated[list[WeekTime], Field(max_length=50)] = []
    skip: Annotated[list[DaysOff], Field(max_length=100)] = []
    zone: Line = "UTC"


class NewBattle(Body):
    """Either `scenario`, a key that the server knows, or `scenario_file`, as a mapping or as the file's text."""

    scenario: Line | None = None
    scenario_file: Tree | Prose | None = None
    title: Line | None = None
    rulings: Annotated[dict[Line, Line], Field(max_length=100)] = {}
    deadlines: Deadlines | None = None
    review: Flag = False
    early: Flag = True
    seed: Annotated[str, Field(max_length=128)] | None = None

    @model_validator(mode="after")
    def one_scenario(self) -> NewBattle:
        if (self.scenario is None) == (self.scenario_file is None):
            raise PydanticCustomError("one_of", "Give either scenario or scenario_file")
        return self


class OpenRuling(Answer):
    """A point that the rules of the scenario's game leave open: a key for `rulings` of a new battle, the values that it may
    have, and which `holds` where nothing is said."""

    key: str
    rule: str
    values: list[str]
    holds: str


class Scenario(Answer):
    key: str
    ruleset: str
    title: str
    titles: dict[str, str]
    notes: str
    rulings: list[OpenRuling]


class Scenarios(Answer):
    scenarios: list[Scenario]


class Seat(Answer):
    seat: str
    key: str
    url: str


class Desk(Answer):
    key: str
    url: str


class Made(Answer):
    id: str
    url: str
    desk: Desk
    seats: list[Seat]


class SideStands(Answer):
    side: str
    name: str
    colour: str
    points: int


class Leave(Answer):
    """`deputy`: his name, if it is known; `deputy_seat`: he is the holder of that seat. Both null: nobody stands in."""

    begins: datetime
    ends: datetime
    zone: str
    deputy: str | None
    deputy_seat: str | None


class SeatStands(Answer):
    """What stands last is left out where there is nothing to tell."""

    seat: str
    side: str
    name: str
    holder: str | None
    awaited: bool
    entered: bool
    ready: bool
    digest: str | None
    revision: int
    vacant: Annotated[bool, Field(description="It has no holder: nobody waits for it.")] = False
    offered_at: Annotated[datetime | None, Field(description="Since when it is offered to others.")] = None
    program: Annotated[str | None, Field(description="The program that fills it.")] = None
    doctrine_digest: Annotated[str | None, Field(description="The seal of its standing doctrine.")] = None
    leave: Annotated[Leave | None, Field(description="To come, or under way.")] = None


class Result(Answer):
    winner: str | None
    points: dict[str, int]
    goal: int | None


class Battle(Answer):
    id: str
    url: str
    title: str
    ruleset: str
    version: str
    status: Status
    turn: int
    deadline: datetime | None
    zone: str
    sides: list[SideStands]
    seats: list[SeatStands]
    state: dict[str, Any]
    outcome: Result
    rulings: dict[str, str]
    seed_commitment: str
    given_seed: str | None
    last_published: Annotated[int, Field(description="The newest turn that has a record; 0: none yet.")]


class Stands(Answer):
    """Where a battle stands after something was done to it."""

    id: str
    status: Status
    turn: int
