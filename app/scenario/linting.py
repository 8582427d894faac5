"""What is allowed in a scenario and yet looks like an oversight: warnings on a scenario that holds."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from app.engine.fields import Fields
from app.rulesets.cohesion.position import Ground, ground
from app.rulesets.cohesion.setup import setup
from app.rulesets.cohesion.state import State

UNLIKE: Final = 4
"""Sides are of unlike value if they differ by more than one part in so many of the richer one's value."""


def lint(fields: Fields, frozen: dict[str, Any]) -> None:
    """The warnings on a frozen scenario of `cohesion`, left in `fields`."""
    state = setup(frozen).state
    _leaving(fields, state)
    _pieces(fields, state)
    _values(fields, state)
    _never_used(fields, frozen, state)
    _seats(fields, frozen, state)


def _leaving(fields: Fields, state: State) -> None:
    here = ground(state.board)
    for unit in state.units.values():
        if all(near in here.shut for near in here.grid.neighbours[unit.at]):
            fields.wrong("cannot-leave", ("units", unit.id, "at"), warning=True, cell=here.grid.labels[unit.at])


def _pieces(fields: Fields, state: State) -> None:
    here = ground(state.board)
    pieces = pieces_of(here)
    if len(pieces) > 1:
        smallest = min(pieces, key=len)
        label = here.grid.labels[min(smallest)]
        fields.wrong("board-in-pieces", ("board", "map"), warning=True, count=len(pieces), cell=label, cells=len(smallest))


def pieces_of(here: Ground) -> list[set[int]]:
    """The parts of a board between which nobody can go, each as its cells that can be entered."""
    left = set(range(len(here.grid))) - here.shut
    pieces: list[set[int]] = []
    while left:
        piece: set[int] = set()
        front = {left.pop()}
        while front:
            piece |= front
            front = {near for cell in front for near in here.grid.neighbours[cell]} & left
            left -= front
        pieces.append(piece)
    return pieces


def _values(fields: Fields, state: State) -> None:
    worth = Counter(dict.fromkeys(state.points, 0))
    for unit in state.units.values():
        worth[unit.side] += state.types[unit.type].value
    (rich, most), *_, (poor, least) = worth.most_common()
    if (most - least) * UNLIKE > most:
        fields.wrong("unlike-value", ("units",), warning=True, rich=rich, most=most, poor=poor, least=least)
    for side, value in worth.items():
        if value < state.goal:
            fields.wrong("goal-out-of-reach", ("goal",), warning=True, goal=state.goal, side=side, value=value)


def _never_used(fields: Fields, frozen: dict[str, Any], state: State) -> None:
    used = {unit.type for unit in state.units.values()}
    for key in frozen["types"]:
        if key not in used:
            fields.wrong("type-never-used", ("types", key), warning=True, value=key)
    drawn = set(state.board.terrain.values())
    for key in frozen["board"]["kinds"]:
        if key not in drawn:
            fields.wrong("ground-never-used", ("terrain", key), warning=True, value=key)


def _seats(fields: Fields, frozen: dict[str, Any], state: State) -> None:
    held = {unit.seat for unit in state.units.values()}
    for side in frozen["sides"]:
        if side not in state.seats.values():
            fields.wrong("side-without-seat", ("sides", side), warning=True, value=side)
    for seat in state.seats:
        if seat not in held:
            fields.wrong("seat-without-units", ("contingents", seat), warning=True, value=seat)
    homes = [given["home"] for given in frozen["sides"].values()]
    if len(set(homes)) < len(homes):
        fields.wrong("same-home", ("sides",), warning=True, home=homes[0])
