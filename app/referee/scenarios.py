"""Scenarios that this server knows, and scenario files that a game master brings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from app.config import shipped
from app.engine.ruleset import Json
from app.referee.errors import RefereeError
from app.scenario import read_scenario


@dataclass(frozen=True)
class ScenarioLine:
    """A shipped scenario. `frozen` is its JSON as a battle keeps it."""

    key: str
    ruleset: str
    title: Mapping[str, str]
    notes: Mapping[str, str]
    frozen: Json
    size: str
    seats: int
    units: int


def known() -> tuple[ScenarioLine, ...]:
    """The shipped scenarios, the one with the fewest units first. `frozen` is shared: read it, never change it."""
    return tuple(_shipped().values())


def frozen(key: str) -> Json:
    """A fresh copy of a shipped scenario's frozen JSON. Raises `RefereeError("no-scenario")`."""
    line = _shipped().get(key)
    if line is None:
        raise RefereeError("no-scenario", params={"scenario": key[:60]})
    return json.loads(json.dumps(line.frozen))


def read_file(given: Json) -> Json:
    """A scenario file's text, or JSON of the same shape, -> frozen JSON. Raises `RefereeError("bad-scenario")` with every
    mistake, `line`, `column` and `key` in the params."""
    reading = read_scenario(given)
    if reading.frozen is None:
        raise RefereeError("bad-scenario", problems=reading.problems)
    return reading.frozen


@cache
def _shipped() -> dict[str, ScenarioLine]:
    lines = []
    for file in sorted(shipped("scenarios").glob("*/*.yaml")):
        reading = read_scenario(file.read_text(encoding="utf-8"))
        if reading.frozen is None:
            raise ValueError(f"{file.name}: {reading.problems[0]}")
        lines.append(_line(reading.frozen))
    return {line.key: line for line in sorted(lines, key=lambda line: (line.units, line.key))}


def _line(read: Json) -> ScenarioLine:
    return ScenarioLine(
        key=read["key"],
        ruleset=read["ruleset"],
        title=read["title"],
        notes=read["notes"],
        frozen=read,
        size=read["board"]["size"],
        seats=len(read["contingents"]),
        units=len(read["units"]),
    )
