"""A battle played by functions alone: for tests, simulation and fuzzing alike. What the referee does, without people."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

from app.engine.dice import Dice, SeededDice
from app.engine.events import Event
from app.engine.ruleset import Json, O, Pick, Request, Ruleset, S, Step

Answer = Callable[[S, Request], O | None]
"""A player: what he may know of the state, the request -> his answer; None: he is silent."""


@dataclass(frozen=True)
class Played(Generic[S, O]):
    """One step as it was played: where it began, who was asked, what was answered (by request id; the silent are left
    out), what followed, and the dice that were rolled."""

    number: int
    before: S
    requests: tuple[Request, ...]
    orders: Mapping[str, O]
    step: Step[S]
    dice: Dice


def drive(
    ruleset: Ruleset[S, O], state: S, answer: Answer[Any, O], dice_for_step: Callable[[int], Dice], max_steps: int
) -> Iterator[Played[S, O]]:
    """Ask and resolve until the battle is over, or `max_steps` steps are played. Steps are counted from 1. A player is
    shown the state as his seat may know it."""
    for number in range(1, max_steps + 1):
        requests = ruleset.requests(state)
        if not requests:
            return
        given = {request.id: answer(ruleset.view(state, request.seat), request) for request in requests}
        orders = {key: order for key, order in given.items() if order is not None}
        dice = dice_for_step(number)
        step = ruleset.advance(state, orders, dice)
        yield Played(number, state, requests, orders, step, dice)
        state = step.state


def replay(ruleset: Ruleset[S, O], state: S, told: Iterable[Iterable[Event]]) -> Iterator[S]:
    """The state after each step, from the events of each step alone."""
    for events in told:
        state = ruleset.evolve(state, events)
        yield state


def chooser(ruleset: Ruleset[S, O], pick: Pick) -> Callable[[S, Request], O]:
    """A player who takes a legal answer by chance."""
    return lambda state, request: ruleset.choose(state, request, pick)


def random_play(
    ruleset: Ruleset[S, O], scenario: Json, pick: Pick, seed: bytes, max_steps: int
) -> tuple[Step[S], tuple[Played[S, O], ...]]:
    """A battle from a frozen scenario, all seats played by chance: how it was set up, and its steps."""
    opening = ruleset.setup(scenario)
    player = chooser(ruleset, pick)
    return opening, tuple(drive(ruleset, opening.state, player, dice_from(seed), max_steps))


def dice_from(seed: bytes) -> Callable[[int], SeededDice]:
    """Dice for each step, all from one seed and independent of each other."""
    return lambda number: SeededDice(_derived(seed, f"step {number}"))


def pick_from(seed: bytes, name: str) -> Pick:
    """Chance for a player that is a program, the same each time: by seed and by the player's name."""
    return partial(SeededDice(_derived(seed, f"player {name}")).pick, "pick")


def _derived(seed: bytes, purpose: str) -> bytes:
    return hmac.digest(seed, purpose.encode(), "sha256")
