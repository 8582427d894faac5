"""Pieces of pages as values: a line of trouble, a drawn board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from app.drawing.scene import Legend, Scene, SideMark
from app.drawing.svg import emblem, state_swatch, svg, swatch
from app.engine.ruleset import AnyRuleset, Json
from app.language import Translator
from app.language import capital as capital


@dataclass(frozen=True)
class Trouble:
    """A mistake in a form, and the id of the field that it is about (empty: none)."""

    text: str
    anchor: str = ""


@dataclass(frozen=True)
class Sign:
    sign: Markup
    text: str


@dataclass(frozen=True)
class Line:
    """A unit in a list beside the board."""

    id: str
    emblem: Markup
    code: str
    cell: str
    values: str
    title: str
    states: tuple[str, ...]


@dataclass(frozen=True)
class Drawing:
    """A board for a page: its picture, its legend, its units side by side."""

    svg: Markup
    shape: str
    """`wide` or `tall`, for the room that it is given."""
    legend: tuple[Sign, ...]
    units: tuple[Line, ...]
    key: tuple[Sign, ...]
    """A counter of each type, and the type's name."""
    reading: str
    """What stands on a counter."""


def drawing(
    ruleset: AnyRuleset, view: Any, language: str, scenario: Json, *, prefix: str = "b-", interactive: bool = False
) -> Drawing:
    """The picture of a view. Everything in it that people wrote was escaped by the writer."""
    return drawn(ruleset.scene(view, language, scenario), prefix=prefix, interactive=interactive)


def drawn(scene: Scene, *, prefix: str = "b-", interactive: bool = False) -> Drawing:
    return Drawing(
        svg=_safe(svg(scene, standalone=False, id_prefix=prefix, interactive=interactive)),
        shape="wide" if scene.width > scene.height * 1.4 else "tall",
        legend=tuple(Sign(_safe(swatch(entry)), entry.text) for entry in _signs(scene)),
        units=tuple(
            Line(
                c.id,
                _safe(emblem(c)),
                c.code,
                c.cell,
                c.values,
                c.title,
                c.states,
            )
            for c in scene.counters
        ),
        key=tuple(Sign(_safe(emblem(c)), c.title) for c in scene.key),
        reading=scene.reading,
    )


def entered(drawing: Drawing, words: Translator) -> Drawing:
    """With the sign of those whose orders are in, in the legend of a board on which they bear it."""
    sign = Sign(_safe(state_swatch("entered")), words.gettext("orders in"))
    return replace(drawing, legend=(*drawing.legend, sign))


def battle_title(title: str, scenario_title: Mapping[str, str] | None, words: Translator) -> str:
    """A battle's title; the scenario's own in the reader's language, where the battle was not given another."""
    if scenario_title and title in scenario_title.values():
        return words.text(scenario_title)
    return title


def _signs(scene: Scene) -> list[SideMark | Legend]:
    return [*scene.sides, *scene.legend]


def _safe(picture: str) -> Markup:
    return Markup(picture)  # noqa: S704  (the only SVG writer escapes every text)
