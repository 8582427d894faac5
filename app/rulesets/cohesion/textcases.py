"""Cases of text orders: a position, the units of a seat, texts, and the orders they mean or the errors they get."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from app.engine.ruleset import Json, Refused, Request, Unreadable
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.codec import dump_order, load_state
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.textorders import read_text

_ITEM: Final = ("position", "seat_units", "cases")
_CASE: Final = ("text", "orders", "errors", "refused", "note")
_ERROR: Final = ("line", "column", "code", "fragment", "candidates")
_SEAT: Final = "ours"


class TextCase(msgspec.Struct, frozen=True):
    """One text and what must come of it: exactly one of `orders` (as read, whatever the check would say of them), `errors`,
    `refused` (well formed, but the check says unit -> part -> code) is given."""

    state: State
    request: Request
    text: str
    orders: dict[str, Any] | None = None
    errors: tuple[dict[str, Any], ...] | None = None
    refused: dict[str, dict[str, str]] | None = None


class TextResult(msgspec.Struct, frozen=True):
    """What came of it: `orders`; or `errors`, of the text (line, column, code, fragment, candidates) or, where a refusal is
    expected, of the check (unit, part, code). `ok`: as expected."""

    ok: bool
    orders: dict[str, Any] | None = None
    errors: tuple[dict[str, Any], ...] | None = None


def read_items(given: Json) -> Iterator[TextCase]:
    """The cases of a file's list, in order. Raises `Unreadable`: where and why."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise Unreadable("a file of text orders is a list")
    for number, item in enumerate(given, 1):
        yield from _item(item, f"item {number}")


def run(case: TextCase) -> TextResult:
    """Reads the text, and checks what is well formed if a refusal is expected."""
    try:
        sheet = read_text(case.state, case.request, case.text)
    except Refused as refused:
        errors = tuple(
            {"line": f.line, "column": f.column, "code": f.code, "fragment": f.fragment, "candidates": list(f.candidates)}
            for f in refused.faults
        )
        return TextResult(ok=case.errors is not None and _match(case.errors, errors), errors=errors)
    orders = dump_order(sheet)
    if case.refused is not None:
        problems = [p for p in check(case.state, case.request, sheet) if not p.warning]
        told: dict[str, dict[str, str]] = {}
        for problem in problems:
            told.setdefault(problem.field[0], {})[problem.field[1]] = problem.code
        errors = tuple({"unit": p.field[0], "part": p.field[1], "code": p.code} for p in problems)
        return TextResult(ok=bool(told) and case.refused == told, errors=errors)
    return TextResult(ok=case.orders == orders, orders=orders)


def _match(expected: tuple[dict[str, Any], ...], errors: tuple[dict[str, Any], ...]) -> bool:
    """Each expected error is the error in its place, as far as it is told."""
    if len(expected) != len(errors):
        return False
    return all(all(error.get(k) == v for k, v in told.items()) for told, error in zip(expected, errors, strict=True))


def _item(item: Json, where: str) -> Iterator[TextCase]:
    _keys(item, _ITEM, where)
    for key in _ITEM:
        if key not in item:
            raise Unreadable(f"{where}: there is no {key}")
    if not isinstance(item["cases"], Sequence) or isinstance(item["cases"], str):
        raise Unreadable(f"{where}: cases are a list")
    state, request = _seated(load_state(item["position"]), item["seat_units"], where)
    for number, case in enumerate(item["cases"], 1):
        yield _case(case, state, request, f"{where}, case {number}")


def _case(case: Json, state: State, request: Request, where: str) -> TextCase:
    _keys(case, _CASE, where)
    if not isinstance(case.get("text"), str):
        raise Unreadable(f"{where}: text is a text")
    if sum(key in case for key in ("orders", "errors", "refused")) != 1:
        raise Unreadable(f"{where}: one of orders, errors, refused is expected")
    errors = case.get("errors")
    if errors is not None:
        if not isinstance(errors, Sequence) or isinstance(errors, str):
            raise Unreadable(f"{where}: errors are a list")
        for error in errors:
            _keys(error, _ERROR, where)
    for key in ("orders", "refused"):
        if not isinstance(case.get(key, {}), Mapping):
            raise Unreadable(f"{where}: {key} are a mapping by unit")
    return TextCase(
        state,
        request,
        case["text"],
        orders=case.get("orders"),
        errors=None if errors is None else tuple(dict(error) for error in errors),
        refused=case.get("refused"),
    )


def _seated(state: State, seat_units: Json, where: str) -> tuple[State, Request]:
    """The state with these units in a seat of their own; units of their side that are not named get another."""
    if not isinstance(seat_units, Sequence) or isinstance(seat_units, str) or not seat_units:
        raise Unreadable(f"{where}: seat_units are a list of units")
    for unit_id in seat_units:
        if unit_id not in state.units:
            raise Unreadable(f"{where}: there is no unit {unit_id}")
    side = state.units[seat_units[0]].side
    units = {
        unit.id: msgspec.structs.replace(unit, seat=_SEAT) if unit.id in seat_units else unit
        for unit in state.units.values()
    }
    seated = msgspec.structs.replace(state, units=units, seats={_SEAT: side, **state.seats})
    return seated, Request(id=_SEAT, seat=_SEAT, kind="orders")


def _keys(given: Json, known: tuple[str, ...], where: str) -> None:
    if not isinstance(given, Mapping):
        raise Unreadable(f"{where}: a mapping is expected")
    for key in given:
        if key not in known:
            raise Unreadable(f"{where}: {key} is not known; known are {', '.join(known)}")
