"""The record of a published turn, as it is read to be checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from app.engine.ruleset import Json, Ruling
from app.referee.working import Made

FORMAT = 1


@dataclass(frozen=True)
class Finding:
    """One thing that was checked. `code` names it, whether it `holds` or not; `params` fill its words."""

    code: str
    holds: bool
    params: Mapping[str, str | int] = field(default_factory=dict)


class Secret(msgspec.Struct, frozen=True):
    secret: str
    seed: str


class Sealed(msgspec.Struct, frozen=True):
    """A sheet that counted. `request`: which of its seat's requests it answers, where it has several."""

    seat: str
    revision: int
    orders: Any
    nonce: str
    digest: str
    request: str | None = None


class Followed(msgspec.Struct, frozen=True):
    """A standing doctrine that filled in what its seat left open."""

    seat: str
    doctrine: str
    nonce: str
    digest: str


class MadeRuling(msgspec.Struct, frozen=True):
    changes: list[Any]
    reason: str
    rule: str | None = None
    stage: Literal["open", "review"] = "open"
    kind: Literal["amend", "reroll", "set-aside"] = "amend"
    facts: dict[str, Any] = {}
    events: list[Any] = []

    def ruling(self) -> Ruling:
        return Ruling(tuple(self.changes), self.reason, self.rule)

    def made(self, turn: int) -> Made:
        """As a ruling on the draft of a turn."""
        awaits = None if self.kind == "reroll" else turn + 1
        event = self.facts.get("event")
        number = event if type(event) is int else None
        return Made(self.kind, Ruling(tuple(self.changes), self.reason, self.rule, awaits), number)


class Record(msgspec.Struct, frozen=True):
    """What a record must hold to be checked at all; more may stand beside it."""

    battle: str
    ruleset: str
    version: str
    turn: int
    seed: Secret
    seed_commitment: str
    sheets: list[Sealed]
    before: dict[str, Any]
    events: list[Any]
    dice: dict[str, list[int]]
    after: dict[str, Any]
    points: dict[str, int]
    winner: str | None
    rulings: list[MadeRuling] = []
    doctrines: list[Followed] = []
    format: int = FORMAT


def same(one: Json, other: Json) -> bool:
    """Whether two trees are the same JSON, to the type: 1 is neither 1.0 nor true."""
    return json_text(one) == json_text(other)


def read(record: Json) -> Record | Finding:
    """A record's JSON, or why it is none that can be checked."""
    try:
        told = msgspec.convert(record, Record)
    except (msgspec.ValidationError, UnicodeError, RecursionError) as bad:
        return Finding("not-a-record", False, {"where": str(bad)})
    if told.format != FORMAT:
        return Finding("format", False, {"format": told.format, "known": FORMAT})
    if not told.seed.secret and not told.seed.seed:
        return Finding("withheld", False)
    return told


def bytes_of(hexadecimal: str) -> bytes:
    """Lower case alone, as `hex()` writes it, so that one secret has one form; anything else is no bytes at all."""
    try:
        found = bytes.fromhex(hexadecimal)
    except ValueError:
        return b""
    return found if found.hex() == hexadecimal else b""


def json_text(value: Json) -> str:
    """The one text of a tree; what is no JSON has a text like no other."""
    try:
        return json.dumps(msgspec.to_builtins(value), sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        return f"not JSON: {type(value).__name__} {id(value)}"
