"""A resolved step worked out from what is kept of it: its orders, its seed, the rulings on its draft. Pure.

The resolution of a turn is `work` without rulings; a re-roll works it out anew; whoever verifies a record does the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from app.engine.dice import SecondDice
from app.engine.events import Event
from app.engine.ruleset import AnyRuleset, Json, Problem, Refused, Ruling, Step

Kind = Literal["amend", "reroll", "set-aside"]


@dataclass(frozen=True)
class Made:
    """A ruling on a draft. Changes of a re-roll: `[{"reroll": ADDRESS}]`. `event`: the place, from 0, of one that is set
    aside, among all events of the draft as it stood before this ruling."""

    kind: Kind
    ruling: Ruling
    event: int | None = None


@dataclass(frozen=True)
class Worked:
    """`told`: the events of each ruling, in their order; they stand at the end of `events`."""

    state: Any
    events: tuple[Event, ...]
    dice: Mapping[str, list[int]]
    told: tuple[tuple[Event, ...], ...] = field(default=())


def work(ruleset: AnyRuleset, before: Any, orders: Mapping[str, Any], seed: bytes, made: Sequence[Made] = ()) -> Worked:
    """All that happened, with every ruling on the draft carried out in order. Raises `Refused`: what `amend` and `undo`
    refuse, `no-such-die`, `no-such-event`, `dice-first` (a die under an amendment), `not-in-this-game`."""
    worked = _played(ruleset, before, orders, seed, {})
    again: Counter[str] = Counter()
    told: list[tuple[Event, ...]] = []
    for place, one in enumerate(made):
        if one.kind == "reroll":
            if any(earlier.kind != "reroll" for earlier in made[:place]):
                raise Refused([Problem("dice-first")])
            address = rerolled(one.ruling.changes)
            first = worked.dice.get(address)
            if not first:
                raise Refused([Problem("no-such-die", params={"address": address[:80]})])
            if ruleset.reroll is None:
                raise Refused([Problem("not-in-this-game")])
            again[address] += 1
            worked = _played(ruleset, before, orders, seed, again)
            told.append((ruleset.reroll(address, first, worked.dice.get(address, ()), one.ruling),))
            worked = _with(worked, worked.state, told)
            continue
        step = amended(ruleset, before, worked, one)
        told.append(step.events)
        worked = _with(worked, step.state, told)
    return worked


def follow(ruleset: AnyRuleset, before: Any, orders: Mapping[str, Any], doctrines: Mapping[str, str]) -> dict[str, Any]:
    """Orders by request, those of seats with a doctrine (by seat) filled in where they leave something open. A doctrine
    knows what its seat may know."""
    filled = dict(orders)
    if ruleset.doctrine is None:
        return filled
    for request in ruleset.requests(before):
        name = doctrines.get(request.seat)
        if name is not None:
            view = ruleset.view(before, request.seat)
            filled[request.id] = ruleset.doctrine(view, request, name, filled.get(request.id))
    return filled


def amended(ruleset: AnyRuleset, before: Any, worked: Worked, made: Made) -> Step[Any]:
    """One ruling more upon the result, of any kind but a re-roll. Raises `Refused`."""
    if made.kind == "set-aside" and not _same(undone(ruleset, before, worked, made.event), made.ruling.changes):
        raise Refused([Problem("no-such-event")])
    return ruleset.amend(worked.state, made.ruling)


def undone(ruleset: AnyRuleset, before: Any, worked: Worked, event: int | None) -> tuple[Json, ...]:
    """The changes that take an event of the draft back. Raises `Refused`."""
    if ruleset.undo is None:
        raise Refused([Problem("not-in-this-game")])
    if event is None or not 0 <= event < len(worked.events):
        raise Refused([Problem("no-such-event")])
    state = ruleset.evolve(before, worked.events[:event])
    return ruleset.undo(state, worked.events[event], worked.state)


def rerolled(changes: Sequence[Json]) -> str:
    """The address of a re-roll. Raises `Refused`."""
    match list(changes):
        case [{"reroll": str(address), **rest}] if not rest:
            return address
    raise Refused([Problem("no-such-die", params={"address": ""})])


def _played(ruleset: AnyRuleset, before: Any, orders: Mapping[str, Any], seed: bytes, again: Mapping[str, int]) -> Worked:
    dice = SecondDice(seed, again)
    step = ruleset.advance(before, orders, dice)
    return Worked(step.state, step.events, dice.rolled)


def _with(worked: Worked, state: Any, told: list[tuple[Event, ...]]) -> Worked:
    """The result with what its rulings tell behind the turn's own events. A re-roll has worked the turn out anew, and all
    rulings before it were re-rolls, whose events follow; otherwise the last ruling's alone are new."""
    done = sum(len(events) for events in worked.told)
    own = worked.events[: len(worked.events) - done]
    rulings = tuple(event for events in told for event in events)
    return Worked(state, (*own, *rulings), worked.dice, tuple(told))


def _same(one: Sequence[Json], other: Sequence[Json]) -> bool:
    return msgspec.json.encode(list(one), order="sorted") == msgspec.json.encode(list(other), order="sorted")
