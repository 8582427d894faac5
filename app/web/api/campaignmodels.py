"""Bodies and answers of the calls about campaigns."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from app.web.api.battlemodels import Desk
from app.web.api.fields import Answer, Body, Line, Prose

BattleName = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,16}$")]


class Descriptions(Body):
    """Markdown; one language is enough."""

    en: Annotated[Prose, Field(max_length=20_000)] = ""
    ru: Annotated[Prose, Field(max_length=20_000)] = ""


class NewCampaign(Body):
    title: Line
    description: Descriptions | None = None


def _key(value: Any) -> Any:
    """A key alone or the link that holds it."""
    return value.rpartition("/")[2] if isinstance(value, str) else value


class NewJoined(Body):
    """`key`: a game master's of the battle; left out, the caller is an account that leads it."""

    battle: BattleName
    key: Annotated[Line, BeforeValidator(_key)] | None = None
    label: Line = ""


class MadeCampaign(Answer):
    id: str
    url: str
    desk: Desk


class CampaignSide(Answer):
    side: str
    name: str
    colour: str


class CampaignBattle(Answer):
    """`counts_as`: a side of the battle -> a side of the campaign."""

    id: str
    url: str
    label: str
    place: int
    title: str
    ruleset: str
    status: str
    turn: int
    deadline: str | None
    zone: str
    winner: str | None
    points: dict[str, int]
    counts_as: dict[str, str]


class Standing(Answer):
    """`made` and `given`: points; of a commander, what destroyed and lost units were worth."""

    name: str
    battles: int
    won: int
    drawn: int
    lost: int
    made: int
    given: int
    destroyed: int
    fallen: int


class SideStanding(Standing):
    side: str


class Standings(Answer):
    sides: list[SideStanding]
    commanders: list[Standing]


class CampaignRuling(Answer):
    kind: str
    subject: str
    changes: dict[str, int]
    reason: str
    by: str | None
    made_at: str


class Campaign(Answer):
    id: str
    url: str
    title: str
    description: str
    sides: list[CampaignSide]
    battles: list[CampaignBattle]
    standings: Standings
    rulings: list[CampaignRuling]
