"""The record of a published turn in the JSON API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from app.web.api.fields import Answer


class Secret(Answer):
    secret: str
    seed: str


class SealedSheet(Answer):
    seat: str
    request: str
    revision: int
    entered_at: datetime
    entered_by: Literal["seat", "master", "deputy", "program"]
    entered_name: Annotated[
        str | None, Field(description="Of a deputy, or of one of those who share the seat; else left out.")
    ] = None
    orders: dict[str, Any]
    nonce: str
    digest: str


class Followed(Answer):
    """A standing doctrine that filled in what its seat left open, with its seal."""

    seat: str
    doctrine: str
    nonce: str
    digest: str


class MadeRuling(Answer):
    changes: list[Any]
    reason: str
    rule: str | None
    stage: Literal["open", "review"]
    events: list[dict[str, Any]]
    made_at: datetime
    kind: Annotated[
        Literal["amend", "reroll", "set-aside"], Field(description="Left out of an amendment, which is the usual thing.")
    ] = "amend"
    facts: Annotated[
        dict[str, Any], Field(description="Of a re-roll: address, before, after. Of an event set aside: event, told.")
    ] = {}


class Record(Answer):
    format: int
    battle: str
    ruleset: str
    version: str
    turn: int
    seed: Secret
    seed_commitment: str
    sheets: list[SealedSheet]
    doctrines: Annotated[
        list[Followed], Field(description="Standing doctrines that were followed; left out where there were none.")
    ] = []
    before: dict[str, Any]
    events: list[dict[str, Any]]
    dice: dict[str, list[int]]
    after: dict[str, Any]
    points: dict[str, int]
    winner: str | None
    rulings: list[MadeRuling]
    resolved_at: datetime
    resolved_by: Literal["deadline", "ready", "prompt", "master"]
    published_at: datetime | None
