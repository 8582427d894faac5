"""A picture as a value: what stands where, with classes, ids and titles. No theme, no SVG, no game words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

Point = tuple[float, float]
"""x to the right, y down, in units in which a hex has the radius 1 (centre to corner)."""


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One cell. `texture`: how its ground is drawn (`open`, `rough`, `building`, `impassable`, `custom`, `custom1` ..)."""

    label: str
    centre: Point
    corners: tuple[Point, ...]
    texture: str = "open"
    colour: str | None = None
    classes: tuple[str, ...] = ()
    title: str = ""


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's counter. `symbol` is a key of the writer's drawn marks; sides differ by form, never by colour alone."""

    id: str
    cell: str
    centre: Point
    code: str
    values: str
    symbol: str = ""
    side_index: int = 0
    colour: str = "#cccccc"
    states: tuple[str, ...] = ()
    """`uncontrolled`, `entered`, `caught`, `damaged` …, each drawn as a mark of its own form."""
    parts: tuple[str, ...] = ()
    """The values of a counter's sections, the highest first, drawn as storeys (`6`, `5`)."""
    title: str = ""


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """A home edge: a line along the board's border with the side's colour and name."""

    side_index: int
    colour: str
    points: tuple[Point, ...]
    title: str = ""


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """A line with a meaning: a path, a shot, a line of sight."""

    id: str = ""
    points: tuple[Point, ...] = ()
    classes: tuple[str, ...] = ()
    title: str = ""


class Legend(msgspec.Struct, frozen=True, kw_only=True):
    texture: str
    colour: str | None
    text: str


class SideMark(msgspec.Struct, frozen=True, kw_only=True):
    """A side in the legend: its form, its colour, its name."""

    side_index: int
    colour: str
    text: str


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A whole picture, in reading order. Points lie in the board's box, 0, 0 to width, height; the writer adds margins."""

    title: str
    description: str = ""
    width: float
    height: float
    cells: tuple[Cell, ...] = ()
    counters: tuple[Counter, ...] = ()
    edges: tuple[Edge, ...] = ()
    routes: tuple[Route, ...] = ()
    legend: tuple[Legend, ...] = ()
    column_labels: tuple[tuple[Point, str], ...] = ()
    row_labels: tuple[tuple[Point, str], ...] = ()
    sides: tuple[SideMark, ...] = ()
    outline: tuple[Point, ...] = ()
    """The border of the board, once around."""
    key: tuple[Counter, ...] = ()
    """A counter of each type that is on the board, unhurt; its title is the type's name."""
    reading: str = ""
    """What the values on a counter are, in words."""


def mark(scene: Scene, states: Mapping[str, tuple[str, ...]]) -> Scene:
    """The same picture with more states on some counters, by unit id: who has entered, who was caught."""
    counters = tuple(
        msgspec.structs.replace(c, states=tuple(dict.fromkeys(c.states + states[c.id]))) if c.id in states else c
        for c in scene.counters
    )
    return msgspec.structs.replace(scene, counters=counters)


def overlay(scene: Scene, routes: Iterable[Route]) -> Scene:
    """The same picture with more lines on it."""
    return msgspec.structs.replace(scene, routes=scene.routes + tuple(routes))
