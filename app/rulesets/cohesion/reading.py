"""Fields of a form or an API body -> a sheet. Any JSON is answered with a sheet or with every problem at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from app.engine.fields import shown
from app.engine.ruleset import Json, Problem, Refused, Request
from app.geometry.hex import parse_label
from app.rulesets.cohesion.orders import HOLD, Sheet, UnitOrder
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.ways import shortest

PARTS: Final = ("shoot", "melee", "withdraw", "move")
MAX_ID: Final = 40
MAX_PATH: Final = 200
MAX_UNITS: Final = 5000

_LOOK_ALIKE = str.maketrans("АВСЕНКМОРТХУІЈЅ", "ABCEHKMOPTXYIJS")
_BETWEEN = re.compile(r"[\s,;>→⇒‐‑‒–—−-]+")


def read_cell(text: str) -> str | None:
    """A cell as players write it -> its label: lower case and Cyrillic letters that look like Latin ones are forgiven.
    None for what is no cell of any board."""
    label = text.strip().upper().translate(_LOOK_ALIKE)
    return label if parse_label(label) is not None else None


def read(state: State, _: Request, fields: Json) -> Sheet:
    """`{unit: {shoot?, melee?, withdraw?, move?}}` -> a sheet, as API bodies and forms have it.

    A move is a list of cells, or a text: `C4-C5`, `C4 C5`, or one cell alone, which means a shortest path to it
    (ORDER-2). None and empty texts are "none". Raises `Refused` with every field that is not well formed.
    """
    if not isinstance(fields, Mapping):
        raise Refused([Problem("not-a-mapping", (), {"value": shown(fields)})])
    if len(fields) > MAX_UNITS:
        raise Refused([Problem("too-many-units", (), {"count": len(fields), "most": MAX_UNITS})])
    problems: list[Problem] = []
    orders: dict[str, UnitOrder] = {}
    for unit_id, parts in fields.items():
        if not isinstance(unit_id, str) or not 0 < len(unit_id) <= MAX_ID or not unit_id.isprintable():
            problems.append(_wrong("unknown-unit", shown(unit_id), "unit"))
        elif not isinstance(parts, Mapping):
            problems.append(_wrong("not-a-mapping", unit_id, "unit", value=shown(parts)))
        else:
            orders[unit_id] = _order(state, unit_id, parts, problems) if parts else HOLD
    if problems:
        raise Refused(problems)
    return Sheet(orders)


def _order(state: State, unit_id: str, parts: Mapping[object, Json], problems: list[Problem]) -> UnitOrder:
    shoot = melee = withdraw = move = None
    for part, given in parts.items():
        if part == "move":
            move = given
        elif part == "shoot":
            shoot = _target(unit_id, part, given, problems)
        elif part == "melee":
            melee = _target(unit_id, part, given, problems)
        elif part == "withdraw":
            withdraw = _cell(unit_id, given, problems)
        else:
            problems.append(_wrong("unknown-part", unit_id, shown(part), known=", ".join(PARTS)))
    path = () if move is None else _path(state, unit_id, move, withdraw, problems)
    return UnitOrder(shoot=shoot, melee=melee, withdraw=withdraw, move=path)


def _target(unit_id: str, part: str, given: Json, problems: list[Problem]) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str):
        problems.append(_wrong("not-a-unit", unit_id, part, value=shown(given)))
        return None
    target = given.strip()
    if len(target) > MAX_ID or not target.isprintable():
        problems.append(_wrong("target-gone", unit_id, part, target=shown(target)))
        return None
    return target or None


def _cell(unit_id: str, given: Json, problems: list[Problem]) -> str | None:
    if given is None or given == "":
        return None
    if not isinstance(given, str):
        problems.append(_wrong("not-a-cell", unit_id, "withdraw", value=shown(given)))
        return None
    if not given.strip():
        return None
    label = read_cell(given[:MAX_ID])
    if label is None:
        problems.append(_wrong("not-a-cell", unit_id, "withdraw", value=shown(given)))
    return label


def _path(state: State, unit_id: str, given: Json, withdraw: str | None, problems: list[Problem]) -> tuple[str, ...]:
    if given is None or given == "" or given == []:
        return ()
    if not isinstance(given, (str, list, tuple)):
        problems.append(_wrong("not-a-path", unit_id, "move", value=shown(given)))
        return ()
    pieces = [piece for piece in _BETWEEN.split(given[: MAX_PATH * 8]) if piece] if isinstance(given, str) else list(given)
    if len(pieces) > MAX_PATH or (isinstance(given, str) and len(given) > MAX_PATH * 8):
        problems.append(_wrong("path-too-long", unit_id, "move", steps=len(pieces), speed=MAX_PATH))
        return ()
    path: list[str] = []
    cells, labels = state.board.grid.cells, state.board.grid.labels
    for piece in pieces:
        cell = cells.get(piece) if isinstance(piece, str) else None
        if cell is not None:  # written as the board has it: the board's own text is kept, and found again at a glance
            path.append(labels[cell])
            continue
        label = read_cell(piece[:MAX_ID]) if isinstance(piece, str) else None
        if label is None:
            problems.append(_wrong("not-a-cell", unit_id, "move", value=shown(piece)))
            return ()
        path.append(label)
    return _meant(state, unit_id, path, withdraw) if isinstance(given, str) else tuple(path)


def _meant(state: State, unit_id: str, path: list[str], withdraw: str | None) -> tuple[str, ...]:
    """A typed path may begin with the cell of departure, and a cell alone means a shortest path."""
    unit = state.units.get(unit_id)
    if unit is None or not path:
        return tuple(path)
    grid = state.board.grid
    start = withdraw if withdraw is not None and grid.cell(withdraw) is not None else grid.labels[unit.at]
    if len(path) > 1 and path[0] == start:
        path = path[1:]
        if len(path) > 1:
            return tuple(path)
    return shortest(state, unit_id, path[0], start=start) if len(path) == 1 else tuple(path)


def _wrong(code: str, unit_id: str, part: str, **params: str | int) -> Problem:
    return Problem(code, (unit_id, part), {"unit": unit_id, **params})
