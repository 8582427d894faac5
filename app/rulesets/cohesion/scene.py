"""A view of the battle -> its picture as a value: names, colours and words in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from app.drawing.scene import Cell, Counter, Edge, Legend, Point, Scene, SideMark
from app.geometry.hex import Grid, cell_label
from app.rulesets.cohesion.state import Board, State, Unit, UnitType

COLOURS = ("#dfe3e6", "#6fae6a", "#dba547", "#86a5d6")
"""Of the sides, in their order, where the scenario names none."""

_BUILT_IN = ("rough", "building", "impassable")
_WORDS = {
    "en": {
        "turn": "turn {turn}",
        "over": "the battle is over",
        "size": "A field of {columns} by {rows} hexes with {units} units.",
        "score": "{side}: {points} of {goal}",
        "home": "Home edge: {side}",
        "values": "strength {strength} of {full}, cohesion {cohesion} of {most}",
        "upper": "upper",
        "lower": "lower",
        "uncontrolled": "uncontrolled",
        "reading": "The two numbers are strength and cohesion; at cohesion 0 a unit is uncontrolled (flag).",
    },
    "ru": {
        "turn": "ход {turn}",
        "over": "битва окончена",
        "size": "Поле {columns} на {rows} клеток, отрядов на поле: {units}.",
        "score": "{side}: {points} из {goal}",
        "home": "Свой край: {side}",
        "values": "сила {strength} из {full}, собранность {cohesion} из {most}",
        "upper": "верх",
        "lower": "низ",
        "uncontrolled": "не управляется",
        "reading": "Два числа — сила и собранность; при собранности 0 отряд не управляется (флажок).",
    },
}


def scene(view: State, language: str, scenario: Any) -> Scene:
    """The field as it stands. `scenario` (frozen, or None) gives the names and colours of sides and seats."""
    words = _WORDS.get(language, _WORDS["en"])
    frozen = scenario if isinstance(scenario, Mapping) else {}
    board = view.board
    sides = tuple(dict.fromkeys((*board.home, *view.seats.values())))
    colours = {side: _colour(frozen, side, i) for i, side in enumerate(sides)}
    names = {side: _name(frozen, "sides", side, language) for side in sides}
    seats = {seat: _name(frozen, "contingents", seat, language) for seat in view.seats}
    grid = board.grid
    textures = _textures(board)
    across, down = grid.size
    turn = words["over"] if view.winner else words["turn"].format(turn=view.turn)
    title = text(frozen.get("title"), language, "")
    size = words["size"].format(columns=board.columns, rows=board.rows, units=len(view.units))
    scores = tuple(
        words["score"].format(side=names[side], points=view.points.get(side, 0), goal=view.goal) for side in sides
    )
    counters = tuple(
        _counter(unit, view, grid, sides.index(unit.side), colours[unit.side], (names, seats), language)
        for unit in sorted(view.units.values(), key=lambda u: (u.at, u.id))
    )
    return Scene(
        title=f"{title} · {turn}" if title else turn[:1].upper() + turn[1:],
        description=f"{size} {'; '.join(scores)}.",
        width=across,
        height=down,
        cells=_cells(board, grid, textures, language),
        counters=counters,
        key=_key(view, counters, language),
        reading=words["reading"],
        edges=tuple(
            Edge(
                side_index=sides.index(side),
                colour=colours[side],
                points=border(grid, edge),
                title=words["home"].format(side=names[side]),
            )
            for side, edge in board.home.items()
        ),
        legend=tuple(
            Legend(
                texture=textures[kind], colour=board.kinds[kind].colour, text=text(board.kinds[kind].name, language, kind)
            )
            for kind in board.kinds
            if kind in set(board.terrain.values()) and kind in textures
        ),
        sides=tuple(
            SideMark(side_index=i, colour=colours[side], text=score)
            for i, (side, score) in enumerate(zip(sides, scores, strict=True))
        ),
        column_labels=tuple(
            ((grid.centre(column)[0], y), cell_label(column, 0)[:-1])
            for y in (-0.72, down + 0.72)
            for column in range(board.columns)
        ),
        row_labels=tuple(
            ((x, grid.centre(row * board.columns)[1]), str(row + 1))
            for x in (-0.72, across + 0.72)
            for row in range(board.rows)
        ),
        outline=(
            *border(grid, "top"),
            *border(grid, "right"),
            *reversed(border(grid, "bottom")),
            *reversed(border(grid, "left")),
        ),
    )


def text(texts: Any, language: str, otherwise: str) -> str:
    """A text in a language, else in English, else in any, else the other one."""
    if not isinstance(texts, Mapping):
        return otherwise
    return next((t for t in (texts.get(language), texts.get("en"), *texts.values()) if isinstance(t, str) and t), otherwise)


def border(grid: Grid, edge: str) -> tuple[Point, ...]:
    """The line along an edge of the board: from the left, or from the top."""
    pointy = grid.layout == "pointy"
    columns, rows = grid.columns, grid.rows
    if edge in ("top", "bottom"):
        cells = range(columns) if edge == "top" else range(columns * (rows - 1), columns * rows)
        turns = {"top": (5, 0, 1) if pointy else (5, 0), "bottom": (4, 3, 2) if pointy else (3, 2)}[edge]
    else:
        cells = range(0, columns * rows, columns) if edge == "left" else range(columns - 1, columns * rows, columns)
        turns = {"left": (5, 4) if pointy else (5, 4, 3), "right": (1, 2) if pointy else (0, 1, 2)}[edge]
    return tuple(grid.corners(cell)[turn] for cell in cells for turn in turns)


def _cells(board: Board, grid: Grid, textures: dict[str, str], language: str) -> tuple[Cell, ...]:
    cells = []
    for cell, label in enumerate(grid.labels):
        kind = board.terrain.get(cell, "open")
        ground = board.kinds.get(kind)
        plain = kind not in textures or ground is None
        cells.append(
            Cell(
                label=label,
                centre=grid.centre(cell),
                corners=grid.corners(cell),
                texture=textures.get(kind, "open"),
                colour=None if plain or ground is None else ground.colour,
                title="" if plain or ground is None else f"{label}: {text(ground.name, language, kind)}",
            )
        )
    return tuple(cells)


def _textures(board: Board) -> dict[str, str]:
    """Kind of ground -> its texture; a scenario's own kinds get patterns in turn, so that colour alone tells nothing."""
    own = [kind for kind in board.kinds if kind not in _BUILT_IN and kind != "open"]
    return {k: k for k in _BUILT_IN} | {kind: f"custom{i % 4 or ''}" for i, kind in enumerate(own)}


def _counter(
    unit: Unit,
    view: State,
    grid: Grid,
    side_index: int,
    colour: str,
    names: tuple[dict[str, str], dict[str, str]],
    language: str,
) -> Counter:
    words = _WORDS.get(language, _WORDS["en"])
    kind = view.types[unit.type]
    cell = grid.labels[unit.at]
    of_sides, of_seats = names
    owner = of_sides[unit.side]
    if unit.seat in of_seats and of_seats[unit.seat] != unit.seat and of_seats[unit.seat] != owner:
        owner = f"{owner} ({of_seats[unit.seat]})"
    told = words["values"].format(strength=unit.strength, full=kind.strength, cohesion=unit.cohesion, most=kind.cohesion_max)
    sections = _sections(unit, kind)
    if sections:
        told += ", " + ", ".join(f"{words[part]} {points}" for part, points in sections)
    if unit.cohesion == 0:
        told += ", " + words["uncontrolled"]
    states = (*(("uncontrolled",) if unit.cohesion == 0 else ()), *(("damaged",) if unit.strength < kind.strength else ()))
    return Counter(
        id=unit.id,
        cell=cell,
        centre=grid.centre(unit.at),
        code=text(kind.code, language, unit.type),
        values=f"{unit.strength}/{unit.cohesion}",
        symbol=kind.symbol,
        side_index=side_index,
        colour=colour,
        states=states,
        parts=tuple(str(points) for _, points in sections),
        title=f"{unit.id}, {text(kind.name, language, unit.type)}, {cell}, {owner}; {told}",
    )


def _key(view: State, counters: tuple[Counter, ...], language: str) -> tuple[Counter, ...]:
    """The types on the board in the order of the rules' table; each as the first of its units would look unhurt."""
    firsts: dict[str, Counter] = {}
    for counter in counters:
        firsts.setdefault(view.units[counter.id].type, counter)
    return tuple(
        structs.replace(
            firsts[name],
            values=f"{kind.strength}/{kind.cohesion_max}",
            states=(),
            parts=tuple(str(kind.sections[part]) for part in ("upper", "lower")) if kind.sections else (),
            title=text(kind.name, language, name),
        )
        for name, kind in view.types.items()
        if name in firsts
    )


def _sections(unit: Unit, kind: UnitType) -> tuple[tuple[str, int], ...]:
    """WS: the parts of its strength, the upper one first; empty for a type without."""
    return (("upper", unit.upper), ("lower", unit.lower)) if kind.sections else ()


def _name(frozen: Mapping[str, Any], group: str, key: str, language: str) -> str:
    entry = frozen.get(group)
    entry = entry.get(key) if isinstance(entry, Mapping) else None
    return text(entry.get("name"), language, key) if isinstance(entry, Mapping) else key


def _colour(frozen: Mapping[str, Any], side: str, index: int) -> str:
    entry = frozen.get("sides")
    entry = entry.get(side) if isinstance(entry, Mapping) else None
    given = entry.get("colour") if isinstance(entry, Mapping) else None
    return given if isinstance(given, str) else COLOURS[index % len(COLOURS)]
