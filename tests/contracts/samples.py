"""Every ruleset that there is, and `duel`, each with what its tests need to know: scenarios and a fair ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from app.engine.events import Event
from app.engine.play import Played, chooser, dice_from, drive, pick_from
from app.engine.ruleset import AnyRuleset, Json, Request, Ruling, Step
from app.referee import scenarios
from app.rulesets.registry import RULESETS
from tests.contracts.duel import ruleset as duel

MAX_STEPS = 600


@dataclass(frozen=True)
class Sample:
    """`ruling`: a correction that any state of a battle under way can take."""

    ruleset: AnyRuleset
    scenarios: tuple[Json, ...]
    ruling: Callable[[Any], Ruling]


@dataclass(frozen=True)
class Battle:
    """A battle that was played by chance."""

    sample: Sample
    scenario: Json
    opening: Step[Any]
    steps: tuple[Played[Any, Any], ...]

    @property
    def ruleset(self) -> AnyRuleset:
        return self.sample.ruleset

    @property
    def states(self) -> list[Any]:
        return [self.opening.state, *(played.step.state for played in self.steps)]

    @property
    def events(self) -> list[Event]:
        return [*self.opening.events, *(event for played in self.steps for event in played.step.events)]

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(self.scenario["contingents"])

    def asked(self) -> Iterator[tuple[Any, Request, Any]]:
        """State, request and the answer that was given."""
        for played in self.steps:
            for request in played.requests:
                yield played.before, request, played.orders[request.id]


def _weaker(state: Any) -> Ruling:
    """Of `cohesion`: the first unit has a single point of cohesion left."""
    return Ruling(({"unit": next(iter(state.units)), "cohesion": 1},), "it was misread", "LOSS-1")


def _wounded(state: Any) -> Ruling:
    """Of `duel`: the first fighter can take a single hit more."""
    return Ruling(({"fighter": next(iter(state.fighters)), "hits": 1},), "it was misread")


RULINGS: dict[str, Callable[[Any], Ruling]] = {"cohesion": _weaker, "duel": _wounded}
"""A ruleset that is registered needs a line here."""

KEYS = (*RULESETS, "duel")


@cache
def sample(key: str) -> Sample:
    if key == "duel":
        two_sides = duel.scenario(seats={"ash": "red", "birch": "green", "cedar": "red", "elm": "green"})
        return Sample(duel.RULESET, (duel.scenario(), two_sides), RULINGS["duel"])
    known = tuple(line.frozen for line in scenarios.known() if line.ruleset == key)
    return Sample(RULESETS[key], known, RULINGS[key])


@cache
def battle(key: str, place: int = 0, seed: int = 0, max_steps: int = MAX_STEPS) -> Battle:
    """A random battle of the ruleset's scenario at that place, from its start; the same for the same arguments."""
    known = sample(key)
    scenario = known.scenarios[place]
    return play(known, scenario, b"%d" % seed, max_steps)


def play(known: Sample, scenario: Json, seed: bytes, max_steps: int, *, silent: str | None = None) -> Battle:
    """`silent`: a seat that never answers."""
    ruleset = known.ruleset
    opening = ruleset.setup(scenario)
    chosen = chooser(ruleset, pick_from(seed, "everybody"))
    steps = drive(
        ruleset,
        opening.state,
        lambda state, request: None if request.seat == silent else chosen(state, request),
        dice_from(seed),
        max_steps,
    )
    return Battle(known, scenario, opening, tuple(steps))


def by_json(value: Json) -> Json:
    """The same tree after a way through JSON text."""
    return msgspec.json.decode(msgspec.json.encode(value))


def text(value: Json) -> bytes:
    return msgspec.json.encode(value)
