"""A turn while it is resolved: who stands where, whose orders are still in force, and what has been told so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from app.engine.dice import Dice
from app.engine.events import Event
from app.rulesets.cohesion.events import BattleEnded, Destroyed, Rolled
from app.rulesets.cohesion.evolve import CHANGES, Draft
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.position import ground
from app.rulesets.cohesion.state import Phase, State, Unit, UnitType

Purpose = Literal["attack", "reroll", "section", "contest", "retreat", "withdraw"]


class Turn:
    """What the phases work on. Only `tell` changes the units and the points, by the event that is told.

    `held`: cell -> the unit that holds it. `orders`: the orders still in force, of controlled units, sorted by unit;
    `spoilt`: those that were lost (LOSS-3, MELEE-2), and that the report still has to account for. `shaken`: every unit
    that has been at cohesion 0 in this turn, whether or not it still is.
    """

    __slots__ = (
        "board",
        "dice",
        "draft",
        "events",
        "goal",
        "grid",
        "ground",
        "held",
        "labels",
        "number",
        "orders",
        "rulings",
        "shaken",
        "spoilt",
        "types",
        "units",
    )

    def __init__(self, state: State, sealed: Mapping[str, Sheet], dice: Dice) -> None:
        self.draft = Draft(state)
        self.units: Mapping[str, Unit] = self.draft.units
        self.types: dict[str, UnitType] = state.types
        self.rulings = state.rulings
        self.goal = state.goal
        self.number = state.turn
        self.ground = ground(state.board)
        self.grid = self.ground.grid
        self.labels = self.grid.labels
        self.dice = dice
        self.events: list[Event] = []
        self.held: dict[int, str] = {unit.at: unit.id for unit in state.units.values()}
        self.orders: dict[str, UnitOrder] = _in_force(state, sealed)
        self.spoilt: dict[str, UnitOrder] = {}
        self.shaken: set[str] = {unit.id for unit in state.units.values() if unit.cohesion == 0}

    @property
    def is_over(self) -> bool:
        return self.draft.winner is not None

    def tell(self, event: Event) -> None:
        """An event happens: it is told, and the board follows it."""
        self.events.append(event)
        change = CHANGES.get(type(event))
        if change is not None:
            change(self.draft, event)

    def way(self, cells: tuple[int, ...]) -> tuple[str, ...]:
        labels = self.labels
        return tuple([labels[cell] for cell in cells])

    def roll(self, phase: Phase, purpose: Purpose, subject: str, count: int) -> tuple[int, ...]:
        """Dice with six faces at the address of DICE-1, told in one event."""
        address = f"{self.number}/{phase}/{subject}/{purpose}"
        faces = self.dice.roll(address, count)
        self.events.append(Rolled(address=address, purpose=purpose, subject=subject, faces=faces))
        return faces

    def pick(self, phase: Phase, purpose: Purpose, subject: str, alternatives: int) -> int:
        """One of 0 .. alternatives-1 by lot (DICE-2); among one nothing is rolled."""
        if alternatives == 1:
            return 0
        address = f"{self.number}/{phase}/{subject}/{purpose}"
        picked = self.dice.pick(address, alternatives)
        self.events.append(
            Rolled(address=address, purpose=purpose, subject=subject, faces=(picked + 1,), sides=alternatives)
        )
        return picked

    def uncontrolled(self) -> list[Unit]:
        """The units that are at cohesion 0 now (UNIT-2), sorted."""
        units = self.units
        return [units[unit_id] for unit_id in sorted(self.shaken) if unit_id in units and units[unit_id].cohesion == 0]

    def spoil(self, unit_id: str) -> None:
        """The rest of a unit's orders is lost (LOSS-3)."""
        order = self.orders.pop(unit_id, None)
        if order is not None:
            self.spoilt[unit_id] = order

    def destroy(self, unit: Unit, phase: Phase) -> None:
        """The unit leaves the board, and the other side scores (LOSS-2, POINTS-1)."""
        scorer = next(side for side in self.draft.points if side != unit.side)
        del self.held[unit.at]
        self.spoil(unit.id)
        self.tell(
            Destroyed(
                unit=unit.id,
                cell=self.labels[unit.at],
                phase=phase,
                scorer=scorer,
                value=self.types[unit.type].value,
            )
        )

    def check_victory(self, phase: Phase) -> None:
        """WIN-1, WIN-2: after each phase and each group of the movement."""
        points = self.draft.points
        highest = max(points.values())
        if highest < self.goal:
            return
        best = [side for side, score in points.items() if score == highest]
        if len(best) > 1 and self.rulings.tie == "on":
            return
        self.tell(
            BattleEnded(
                winner=best[0] if len(best) == 1 else "draw",
                points=dict(points),
                phase=phase,
                rule="WIN-1" if sum(score >= self.goal for score in points.values()) == 1 else "WIN-2",
            )
        )


def _in_force(state: State, sealed: Mapping[str, Sheet]) -> dict[str, UnitOrder]:
    """Orders that count: of units that are there, controlled, and the seat's own. Others were sealed for another board."""
    units = state.units
    found = {}
    for seat, sheet in sealed.items():
        for unit_id, order in sheet.orders.items():
            unit = units.get(unit_id)
            if unit is not None and unit.seat == seat and unit.cohesion > 0:
                found[unit_id] = order
    return {unit_id: found[unit_id] for unit_id in sorted(found)}
