"""What the scenario files of each game hold beside what all of them hold: an explicit list, by ruleset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from app.engine.fields import Fields
from app.engine.ruleset import Json
from app.scenario import cohesion
from app.scenario.board import Spot
from app.scenario.linting import lint
from app.scenario.writing import write_scenario


class Form(NamedTuple):
    """A game's own part of a scenario file."""

    keys: tuple[str, ...]
    """Of its own, beside `format ruleset key title notes carry`."""
    needed: tuple[str, ...]
    check: Callable[[Fields, Mapping[str, Any]], tuple[dict[str, Any], dict[int, Spot]]]
    """What was read -> its frozen form, which holds only if no mistake was found, and the spots in a map of those that lie
    there."""
    lint: Callable[[Fields, dict[str, Any]], None] | None = None
    """Warnings on a frozen scenario. No function: nothing looks odd."""
    write: Callable[[Json], str] | None = None
    """A frozen scenario -> the text of a file that reads back to the same, by which one that came from elsewhere is checked.
    No function: what comes from elsewhere is not."""


FORMS: dict[str, Form] = {
    "cohesion": Form(cohesion.KEYS, cohesion.NEEDED, cohesion.check, lint, write_scenario),
}
