"""Adjudication cases: a position, sealed orders and dice, and what must come out of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from app.engine.dice import Dice, DiceError, ScriptedDice, SeededDice
from app.engine.ruleset import Json, Request, Step
from app.rulesets.cohesion import caseform
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.codec import load_order, load_state
from app.rulesets.cohesion.doctrine import doctrine
from app.rulesets.cohesion.events import Destroyed
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.sequence import advance
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.unreadable import Mistakes, fail

_POSITION: Final = ("format", "board", "turn", "goal", "points", "rulings", "types", "seats", "units", "winner")
_KEYS: Final = ("case", "rules", "title", "notes", *_POSITION, "orders", "doctrines", "dice", "seed", "expect")
Rejected = dict[str, dict[str, str]]
"""Unit -> part -> code."""


class Case(msgspec.Struct, frozen=True):
    """A case that can be run. `dice` (address -> faces) or `seed`; `expect` None: there is nothing to compare with."""

    name: str
    state: State
    orders: dict[str, UnitOrder]
    doctrines: dict[str, str] = {}
    """By seat: what its units do that are given no order."""
    rules: tuple[str, ...] = ()
    title: str = ""
    dice: dict[str, tuple[int, ...]] = {}
    seed: bytes | None = None
    expect: dict[str, Any] | None = None


class Result(msgspec.Struct, frozen=True):
    """What came out. `error`: what was wrong with the dice, in words. Where they ran out, the turn did not come to its end
    (`ended`), and units, points and winner are those before it."""

    units: dict[str, dict[str, str | int]]
    gone: tuple[str, ...]
    points: dict[str, int]
    winner: str | None
    rejected: Rejected
    dice: dict[str, list[int]]
    error: str | None = None
    ended: bool = True


def read_case(given: Json) -> Case:
    """A case from its mapping. Raises `UnreadableAt` with every mistake."""
    if not isinstance(given, Mapping):
        raise fail((), "a case is a mapping")
    mistakes = Mistakes()
    for key in given:
        if key not in _KEYS:
            mistakes.add((str(key),), f"a case has no such part; it knows {', '.join(_KEYS)}")
    name = given.get("case")
    if not isinstance(name, str) or not name.strip():
        mistakes.add(("case",), "a case has a name")
    with mistakes:
        rules = tuple(caseform.texts(given.get("rules", []), "rules"))
    with mistakes:
        title = caseform.title(given.get("title"))
    with mistakes:
        orders = load_order({} if given.get("orders") is None else caseform.orders(given["orders"])).orders
    with mistakes:
        dice = caseform.dice(given.get("dice"), ("dice",))
    with mistakes:
        seed = caseform.seed(given)
    with mistakes:
        expect = None if given.get("expect") is None else caseform.expectation(given["expect"])
    with mistakes:
        state = load_state({key: given[key] for key in _POSITION if given.get(key) is not None})
        doctrines = caseform.doctrines(given.get("doctrines"), state.seats)
    mistakes.end()
    return Case(
        name=str(name),
        state=state,
        orders=orders,
        doctrines=doctrines,
        rules=rules,
        title=title,
        dice=dice,
        seed=seed,
        expect=expect,
    )


def sealed(case: Case) -> tuple[dict[str, Sheet], Rejected]:
    """The sheets of a case, doctrines followed, and the codes of what is refused, by unit."""
    sheets, rejected = seal(case.state, case.orders)
    for seat, name in case.doctrines.items():
        sheets[seat] = doctrine(case.state, Request(id=seat, seat=seat, kind="orders"), name, sheets.get(seat))
    return sheets, rejected


def run(case: Case) -> Result:
    """Check the orders, resolve the turn with those that are not refused, and gather what came out."""
    dice = ScriptedDice(case.dice) if case.seed is None else SeededDice(case.seed)
    sheets, rejected = sealed(case)
    step, error = _advance(case.state, sheets, dice)
    ended = step.state is not case.state or case.state.winner is not None
    types, labels = step.state.types, step.state.board.grid.labels
    units: dict[str, dict[str, str | int]] = {}
    for unit in step.state.units.values():
        parts = {"upper": unit.upper, "lower": unit.lower} if types[unit.type].sections else {"strength": unit.strength}
        units[unit.id] = {"at": labels[unit.at], "cohesion": unit.cohesion, **parts}
    return Result(
        units=units,
        gone=tuple(sorted(event.unit for event in step.events if isinstance(event, Destroyed))),
        points=dict(step.state.points),
        winner=step.state.winner,
        rejected=rejected,
        dice={address: faces for address, faces in dice.rolled.items() if faces},
        error=error,
        ended=ended,
    )


def seal(state: State, orders: Mapping[str, UnitOrder]) -> tuple[dict[str, Sheet], Rejected]:
    """The orders that stand, as a sheet for each seat, and the refusals. A refused order is no order."""
    by_seat: dict[str, dict[str, UnitOrder]] = {}
    strangers = next(iter(state.seats))
    for unit_id, order in orders.items():
        unit = state.units.get(unit_id)
        by_seat.setdefault(strangers if unit is None else unit.seat, {})[unit_id] = order
    rejected: Rejected = {}
    sheets: dict[str, Sheet] = {}
    for seat, given in by_seat.items():
        for problem in check(state, Request(id=seat, seat=seat, kind="orders"), Sheet(given)):
            if not problem.warning:
                unit_id, part = problem.field
                rejected.setdefault(unit_id, {})[part] = problem.code
        sheets[seat] = Sheet({unit_id: order for unit_id, order in given.items() if unit_id not in rejected})
    return sheets, rejected


def differences(case: Case, result: Result) -> tuple[str, ...]:
    """What came out otherwise than the case expects, in words. Empty: the case holds."""
    found = [] if result.error is None else [result.error]
    expect = case.expect
    if expect is None or not result.ended:
        return tuple(found)
    for unit_id, values in expect.get("units", {}).items():
        found += _unit_differences(unit_id, values, result)
    if "gone" in expect and sorted(expect["gone"]) != list(result.gone):
        found.append(f"gone: expected {_listed(sorted(expect['gone']))}, got {_listed(result.gone)}")
    for side, score in expect.get("points", {}).items():
        if result.points.get(side) != score:
            found.append(f"points of {side}: expected {score}, got {result.points.get(side, 'no such side')}")
    if "winner" in expect and expect["winner"] != result.winner:
        found.append(f"winner: expected {expect['winner'] or 'none'}, got {result.winner or 'none'}")
    rejected = expect.get("rejected", {})
    for unit_id in sorted({*rejected, *result.rejected}):
        wanted, got = rejected.get(unit_id, {}), result.rejected.get(unit_id, {})
        if wanted != got:
            found.append(f"rejected of {unit_id}: expected {_parts(wanted)}, got {_parts(got)}")
    for address, faces in expect.get("dice", {}).items():
        if result.dice.get(address, []) != list(faces):
            found.append(f"dice at {address}: expected {_listed(faces)}, got {_listed(result.dice.get(address, []))}")
    return tuple(found)


def result_json(result: Result) -> Json:
    """The result as `adjudicate --json` prints it."""
    return {
        "units": result.units,
        "gone": list(result.gone),
        "points": result.points,
        "winner": result.winner,
        "rejected": result.rejected,
        "dice": result.dice,
    }


def _advance(state: State, sheets: Mapping[str, Sheet], dice: Dice) -> tuple[Step[State], str | None]:
    try:
        step = advance(state, sheets, dice)
    except DiceError as bad:
        return Step(state), f"dice: {bad}"
    if isinstance(dice, ScriptedDice):
        rest = dice.left_over()
        if rest:
            told = "; ".join(f"{address}: {_listed(faces)}" for address, faces in rest.items())
            return step, f"dice left over: {told}"
    return step, None


def _unit_differences(unit_id: str, values: Mapping[str, Any], result: Result) -> list[str]:
    unit = result.units.get(unit_id)
    if unit is None:
        return [f"{unit_id}: expected on the board, but it is gone"]
    found = []
    for name, wanted in values.items():
        got = unit.get(name)
        if got is None and name == "strength":
            got = int(unit["upper"]) + int(unit["lower"])
        if got != wanted:
            found.append(f"{unit_id}.{name}: expected {wanted}, got {'no such value' if got is None else got}")
    return found


def _listed(values: Any) -> str:
    return "[" + ", ".join(str(value) for value in values) + "]"


def _parts(parts: Mapping[str, str]) -> str:
    return ", ".join(f"{part} {code}" for part, code in parts.items()) or "no refusal"
