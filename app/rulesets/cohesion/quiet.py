"""A turn in which nobody strikes and no enemy moves: what orders come to by themselves, however the lots fall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from app.engine.events import Event
from app.rulesets.cohesion.movement import Travel, groups_of, move_groups
from app.rulesets.cohesion.orders import Sheet
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.turn import Turn
from app.rulesets.cohesion.withdrawal import withdraw

MOST_TURNS = 64
"""So many ways of the lots are followed: each lost or won contest, each way of a retreat is one more."""
MOST_UNITS = 2000
"""And of large battles fewer, so that all of them together move no more units than this."""
LEAST_TURNS = 4


class Quiet(NamedTuple):
    """`before`: the state when the movement begins, withdrawals made; `groups`: who moves then, by speed and length."""

    events: tuple[Event, ...]
    before: State
    groups: Mapping[tuple[int, int], list[Travel]]


def quiet_turns(state: State, sheets: Mapping[str, Sheet]) -> tuple[list[Quiet], bool]:
    """Every way that the withdrawals and moves of these sheets may take; False beside them: there are more than are
    followed."""
    still = {seat: _without_attacks(sheet) for seat, sheet in sheets.items()}
    found: list[Quiet] = []
    script: list[int] | None = []
    most = max(LEAST_TURNS, min(MOST_TURNS, MOST_UNITS // max(1, len(state.units))))
    while script is not None and len(found) < most:
        lots = _Lots(script)
        found.append(_quiet(Turn(state, still, lots)))
        script = lots.next_script()
    return found, script is None


def _quiet(turn: Turn) -> Quiet:
    withdraw(turn)
    # A draft hands out its own dict of units, which the moves go on to change.
    before = msgspec.structs.replace(turn.draft.frozen(), units=dict(turn.units))
    groups = groups_of(turn)
    planned = {key: list(group) for key, group in groups.items()}
    move_groups(turn, groups)
    return Quiet(tuple(turn.events), before, planned)


def _without_attacks(sheet: Sheet) -> Sheet:
    return Sheet({unit: msgspec.structs.replace(order, shoot=None, melee=None) for unit, order in sheet.orders.items()})


class _Lots:
    """Dice that fall as a script says, and where it ends as the first alternative has it."""

    def __init__(self, script: list[int]) -> None:
        self.rolled: dict[str, list[int]] = {}
        self._script = script
        self._taken: list[tuple[int, int]] = []

    def roll(self, _address: str, count: int, _sides: int = 6) -> tuple[int, ...]:
        """In a quiet turn these are the sections of a strider that bleeds (WS): the lower part or the upper."""
        return tuple(6 if self._take(2) else 1 for _ in range(count))

    def pick(self, _address: str, alternatives: int) -> int:
        return self._take(alternatives) if alternatives > 1 else 0

    def _take(self, alternatives: int) -> int:
        place = len(self._taken)
        choice = self._script[place] if place < len(self._script) else 0
        self._taken.append((choice, alternatives))
        return choice

    def next_script(self) -> list[int] | None:
        """The next way after the one that was taken; None: it was the last."""
        for place in range(len(self._taken) - 1, -1, -1):
            choice, alternatives = self._taken[place]
            if choice + 1 < alternatives:
                return [*(taken for taken, _ in self._taken[:place]), choice + 1]
        return None
