"""The parts of an adjudication case that are no position: every value is looked at, and a mistake is told with its place."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from app.engine.ruleset import Json
from app.rulesets.cohesion.doctrine import WAYS
from app.rulesets.cohesion.unreadable import Mistakes, Where, fail

_EXPECTED: Final = ("units", "gone", "points", "winner", "rejected", "dice")
_VALUES: Final = ("at", "strength", "upper", "lower", "cohesion")
_PARTS: Final = ("shoot", "melee", "withdraw", "move")


def orders(given: Json) -> Json:
    """Orders whose parts may be written as none, and so may a unit's whole order."""
    told = {}
    mistakes = Mistakes()
    for unit_id, order in _units(given, ("orders",), "orders are a mapping of units"):
        where = ("orders", unit_id)
        if not isinstance(order, Mapping | None):
            mistakes.add(where, "an order is a mapping of its parts")
            continue
        told[unit_id] = {part: value for part, value in (order or {}).items() if value is not None}
        for part, value in told[unit_id].items():
            if part not in _PARTS:
                mistakes.add((*where, str(part)), f"an order has no such part; it knows {', '.join(_PARTS)}")
            elif part == "move" and not (isinstance(value, list) and all(isinstance(cell, str) for cell in value)):
                mistakes.add((*where, part), "a move is a list of cells, as [C4, C3]")
            elif part != "move" and not isinstance(value, str):
                mistakes.add((*where, part), "here the name of a unit or a cell is expected")
    mistakes.end()
    return told


def doctrines(given: Json, seats: Collection[str]) -> dict[str, str]:
    """Seat -> the doctrine that its units follow which are given no order."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise fail(("doctrines",), "doctrines are a mapping of seats")
    mistakes = Mistakes()
    for seat, name in given.items():
        where = ("doctrines", str(seat))
        if seat not in seats:
            mistakes.add(where, f"there is no such seat; known are {', '.join(seats)}")
        elif name not in tuple(WAYS):
            mistakes.add(where, f"a seat has one of these: {', '.join(WAYS)}")
    mistakes.end()
    return dict(given)


def title(given: Json) -> str:
    if isinstance(given, (Mapping, list)):
        raise fail(("title",), "a title is a text")
    return "" if given is None else str(given)


def dice(given: Json, where: Where) -> dict[str, tuple[int, ...]]:
    """Address -> faces (DICE-3)."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise fail(where, "dice are a mapping of addresses")
    read: dict[str, tuple[int, ...]] = {}
    mistakes = Mistakes()
    for address, faces in given.items():
        if not isinstance(address, str):
            mistakes.add(where, f"the address {address} is not a text")
        elif not isinstance(faces, list) or not all(_is_whole(face) and face > 0 for face in faces):
            mistakes.add((*where, address), "the faces of dice are a list of whole numbers from 1 up")
        else:
            read[address] = tuple(int(face) for face in faces)
    mistakes.end()
    return read


def seed(case: Mapping[str, Json]) -> bytes | None:
    given = case.get("seed")
    if given is None:
        return None
    if case.get("dice"):
        raise fail(("seed",), "a case has either dice or a seed")
    if not isinstance(given, str):
        raise fail(("seed",), "a seed is hexadecimal, in quotes")
    try:
        return bytes.fromhex(given)
    except ValueError:
        raise fail(("seed",), f"{given[:80]} is not hexadecimal") from None


def expectation(given: Json) -> dict[str, Any]:
    """What must come out, of the kinds that come out: a number that was written as a text would never be equal to one."""
    if not isinstance(given, Mapping):
        raise fail(("expect",), "what is expected is a mapping")
    mistakes = Mistakes()
    for key, value in given.items():
        with mistakes:
            if key not in _EXPECTED:
                raise fail(("expect", str(key)), f"nothing of that name can be expected; known are {', '.join(_EXPECTED)}")
            _READERS[key](value, ("expect", key))
    mistakes.end()
    return {**given, "dice": dice(given.get("dice"), ("expect", "dice"))}


def texts(given: Json, *where: str) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise fail(where, "here a list of texts is expected")
    return [str(text) for text in given]


def _values(given: Json, where: Where) -> None:
    mistakes = Mistakes()
    for unit_id, values in _units(given, where):
        with mistakes:
            for name, value in _mapping(values, (*where, unit_id)).items():
                with mistakes:
                    _value(name, value, (*where, unit_id, str(name)))
    mistakes.end()


def _value(name: str, value: Json, where: Where) -> None:
    if name not in _VALUES:
        raise fail(where, f"a unit's values are {', '.join(_VALUES)}")
    if name != "at":
        _number(value, where)
    elif not isinstance(value, str):
        raise fail(where, "here a cell is expected, as C4")


def _scores(given: Json, where: Where) -> None:
    for side, score in _mapping(given, where).items():
        _number(score, (*where, str(side)))


def _refusals(given: Json, where: Where) -> None:
    for unit_id, parts in _units(given, where):
        for part, code in _mapping(parts, (*where, unit_id)).items():
            if not isinstance(code, str):
                raise fail((*where, unit_id, str(part)), "here a code is expected, as off-board")


def _gone(given: Json, where: Where) -> None:
    texts(given, *where)


def _winner(given: Json, where: Where) -> None:
    if given is not None and not isinstance(given, str):
        raise fail(where, "a winner is a side, draw or null")


def _faces(given: Json, where: Where) -> None:
    dice(_mapping(given, where), where)


_READERS: Final = {
    "units": _values,
    "gone": _gone,
    "points": _scores,
    "winner": _winner,
    "rejected": _refusals,
    "dice": _faces,
}


def _units(given: Json, where: Where, why: str = "here a mapping is expected") -> list[tuple[str, Json]]:
    """What is said of each unit."""
    for unit_id in _mapping(given, where, why):
        if not isinstance(unit_id, str):
            raise fail((*where, str(unit_id)), "the name of a unit is a text; put it in quotes")
    return list(given.items())


def _mapping(given: Json, where: Where, why: str = "here a mapping is expected") -> Mapping[Any, Json]:
    if not isinstance(given, Mapping):
        raise fail(where, why)
    return given


def _number(given: Json, where: Where) -> None:
    if not _is_whole(given):
        raise fail(where, "here a whole number is expected")


def _is_whole(given: Json) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)
