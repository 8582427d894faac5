"""What a sheet intends, as lines over the field: before anything of it has happened."""

from __future__ import annotations

from app.drawing.scene import Route
from app.rulesets.cohesion.orders import Sheet
from app.rulesets.cohesion.state import State


def planned(state: State, sheet: Sheet) -> tuple[Route, ...]:
    """Shots, melees, withdrawals and moves, in the order of the sheet. What the board does not have is left out."""
    grid, lines = state.board.grid, []
    for unit_id, order in sheet.orders.items():
        unit = state.units.get(unit_id)
        if unit is None:
            continue
        for kind, target in (("shot", order.shoot), ("melee", order.melee)):
            if target in state.units:
                lines.append(Route(points=(grid.centre(unit.at), grid.centre(state.units[target].at)), classes=(kind,)))
        start = unit.at
        for kind, path in (("withdraw", (order.withdraw,) if order.withdraw else ()), ("move", order.move)):
            cells = [start, *(cell for cell in map(grid.cell, path) if cell is not None)]
            if len(cells) > 1:
                lines.append(Route(points=tuple(map(grid.centre, cells)), classes=(kind,)))
            start = cells[-1]
    return tuple(lines)
