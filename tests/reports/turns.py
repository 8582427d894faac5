"""Real turns for the reports: every adjudication case, and random battles of the first scenario's types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml import YAML

from app.engine.dice import ScriptedDice, SeededDice
from app.engine.events import Event
from app.engine.play import dice_from, pick_from
from app.rulesets.cohesion.cases import read_case, sealed
from app.rulesets.cohesion.orderform import choose, requests
from app.rulesets.cohesion.sequence import advance
from app.rulesets.cohesion.setup import setup
from app.rulesets.cohesion.state import State
from app.scenario.reading import read_scenario

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "cohesion"
SIDES = {
    "north": {"name": {"en": "North", "ru": "Север"}, "home": "top", "colour": "#ddd"},
    "south": {"name": {"en": "South", "ru": "Юг"}, "home": "bottom", "colour": "#4a4"},
}
BARE = {"ruleset": "cohesion", "sides": SIDES}
"""As much of a scenario as a case has."""


class Told(NamedTuple):
    """A turn as the reports are given it."""

    name: str
    before: State
    after: State
    events: tuple[Event, ...]
    scenario: dict  # type: ignore[type-arg]
    opening: State | None = None
    corrections: tuple[Event, ...] = ()


@cache
def from_cases() -> tuple[Told, ...]:
    return tuple(_cases())


def _cases() -> Iterator[Told]:
    for file in sorted(CASES.glob("*.yaml")):
        for given in YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8")):
            case = read_case(given)
            sheets, _ = sealed(case)
            dice = ScriptedDice(case.dice) if case.seed is None else SeededDice(case.seed)
            step = advance(case.state, sheets, dice)
            yield Told(f"{file.stem} {case.name}", case.state, step.state, step.events, BARE)


@cache
def from_battle(name: str = "visage-and-throne", seed: bytes = b"reports", most: int = 40) -> tuple[Told, ...]:
    """A battle of players who choose by chance, to its end."""
    reading = read_scenario((ROOT / "scenarios" / "cohesion" / f"{name}.yaml").read_text(encoding="utf-8"))
    assert reading.frozen is not None, reading.problems
    scenario = reading.frozen
    step = setup(scenario)
    state, opening = step.state, step.events
    dice, turns = dice_from(seed), []
    pick = pick_from(seed, "reports")
    while asked := requests(state):
        step = advance(state, {request.id: choose(state, request, pick) for request in asked}, dice(state.turn))
        turns.append(Told(f"{name} {state.turn}", state, step.state, (*opening, *step.events), scenario))
        state, opening = step.state, ()
        if len(turns) == most:
            break
    return tuple(turns)
