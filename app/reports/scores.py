"""The sides of a battle with their points, as pages of the site and of a book show them."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.ruleset import Json, Outcome
from app.language import Translator, capital


@dataclass(frozen=True)
class Score:
    """`index`: the side's place in the scenario, from 0. `goal` 0: points alone do not win."""

    name: str
    index: int
    colour: str
    points: int
    goal: int
    is_winner: bool


def scores(scenario: Json, outcome: Outcome, words: Translator) -> tuple[Score, ...]:
    """In the order of the scenario."""
    return tuple(
        Score(
            capital(words.text(side["name"])),
            index,
            side["colour"],
            outcome.points.get(key, 0),
            outcome.goal or 0,
            key == outcome.winner,
        )
        for index, (key, side) in enumerate(scenario["sides"].items())
    )
