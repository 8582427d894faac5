"""State and events -> state: the only place where the state of a battle changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from app.engine.events import Event
from app.engine.ruleset import Json
from app.rulesets.cohesion.events import (
    Amended,
    BattleEnded,
    Destroyed,
    Encouraged,
    Lost,
    Moved,
    Recovered,
    Retreated,
    TurnBegan,
    TurnEnded,
    Withdrew,
)
from app.rulesets.cohesion.state import Board, State, Unit


class Draft:
    """A state in the making: dicts of its own, changed by events alone. The state it was made from stays as it is."""

    __slots__ = ("board", "cells", "points", "state", "turn", "units", "winner")

    def __init__(self, state: State) -> None:
        self.state = state
        self.turn = state.turn
        self.board: Board = state.board
        self.units: dict[str, Unit] = dict(state.units)
        self.points: dict[str, int] = dict(state.points)
        self.winner = state.winner
        self.cells = state.board.grid.cells
        """Label -> cell."""

    def apply(self, event: Event) -> None:
        """What an event changes; most change nothing. Raises `KeyError` for a unit that is not there."""
        change = CHANGES.get(type(event))
        if change is not None:
            change(self, event)

    def frozen(self) -> State:
        state = self.state
        return State(
            self.turn,
            self.board,
            state.types,
            self.units,
            self.points,
            state.goal,
            state.rulings,
            state.seats,
            self.winner,
        )


def evolve(state: State, events: Iterable[Event]) -> State:
    """The state after the events, in order. One copy of the units for all of them."""
    draft = Draft(state)
    for event in events:
        draft.apply(event)
    return draft.frozen()


def unit_form(board: Board, unit: Unit, *, has_sections: bool) -> dict[str, Json]:
    """A unit as an adjudication case writes it, and as `Amended` tells it."""
    strength = {"upper": unit.upper, "lower": unit.lower} if has_sections else {"strength": unit.strength}
    return {
        "type": unit.type,
        "side": unit.side,
        "seat": unit.seat,
        "at": board.grid.labels[unit.at],
        **strength,
        "cohesion": unit.cohesion,
    }


def unit_of_form(board: Board, unit_id: str, form: Json) -> Unit:
    """The unit that `unit_form` wrote. Raises `KeyError` where it is not such a form."""
    upper, lower = form.get("upper", 0), form.get("lower", 0)
    strength = form["strength"] if "strength" in form else upper + lower
    return Unit(
        unit_id,
        form["type"],
        form["side"],
        form["seat"],
        board.grid.cells[form["at"]],
        strength,
        form["cohesion"],
        upper,
        lower,
    )


def _lost(draft: Draft, event: Lost) -> None:
    u = draft.units[event.unit]
    draft.units[u.id] = Unit(
        u.id,
        u.type,
        u.side,
        u.seat,
        u.at,
        u.strength - event.strength,
        u.cohesion - event.cohesion,
        u.upper - event.upper,
        u.lower - event.lower,
    )


def _gained(draft: Draft, event: Encouraged | Recovered) -> None:
    if event.gain:
        u = draft.units[event.unit]
        cohesion = u.cohesion + event.gain
        draft.units[u.id] = Unit(u.id, u.type, u.side, u.seat, u.at, u.strength, cohesion, u.upper, u.lower)


def _went(draft: Draft, event: Moved | Withdrew | Retreated) -> None:
    if event.path:
        u, cell = draft.units[event.unit], draft.cells[event.path[-1]]
        draft.units[u.id] = Unit(u.id, u.type, u.side, u.seat, cell, u.strength, u.cohesion, u.upper, u.lower)


def _destroyed(draft: Draft, event: Destroyed) -> None:
    del draft.units[event.unit]
    draft.points[event.scorer] = draft.points.get(event.scorer, 0) + event.value


def _turn_began(draft: Draft, event: TurnBegan) -> None:
    draft.turn = event.turn


def _turn_ended(draft: Draft, event: TurnEnded) -> None:
    draft.turn = event.turn + 1


def _battle_ended(draft: Draft, event: BattleEnded) -> None:
    draft.winner = event.winner


def _amended(draft: Draft, event: Amended) -> None:
    if event.target == "points":
        draft.points[event.key] = event.after
    elif event.target == "winner":
        draft.winner = event.after
    elif event.target == "terrain":
        draft.board = _ground_changed(draft, event.key, event.after)
    elif event.target == "dice":
        return
    elif event.after is None:
        del draft.units[event.key]
    else:
        draft.units[event.key] = unit_of_form(draft.board, event.key, event.after)


def _ground_changed(draft: Draft, label: str, kind: str) -> Board:
    cell = draft.cells[label]
    terrain = {c: k for c, k in draft.board.terrain.items() if c != cell}
    if kind != "open":
        terrain[cell] = kind
    return msgspec.structs.replace(draft.board, terrain=dict(sorted(terrain.items())))


CHANGES: dict[type[Event], Callable[[Draft, Any], None]] = {
    Lost: _lost,
    Encouraged: _gained,
    Recovered: _gained,
    Moved: _went,
    Withdrew: _went,
    Retreated: _went,
    Destroyed: _destroyed,
    TurnBegan: _turn_began,
    TurnEnded: _turn_ended,
    BattleEnded: _battle_ended,
    Amended: _amended,
}
