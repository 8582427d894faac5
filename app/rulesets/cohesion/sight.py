"""Who sees whom, and who is in range (SHOOT-1 to SHOOT-6)."""

from __future__ import annotations

from app.rulesets.cohesion.position import Position
from app.rulesets.cohesion.state import Shooting, Unit


def can_see(position: Position, start: int, end: int, ignores: int = 0) -> bool:
    """Whether the line of sight from centre to centre is free, `ignores` obstacles not counted (SHOOT-2 to SHOOT-4)."""
    line = position.grid.line(start, end)
    opaque = position.opaque
    if not opaque.isdisjoint(line.crossed):
        return ignores > 0 and obstacles(position, start, end) <= ignores
    if opaque.isdisjoint(line.left) and opaque.isdisjoint(line.right):
        return True
    return obstacles(position, start, end) <= ignores


def obstacles(position: Position, start: int, end: int) -> int:
    """How many obstacles count between two cells: those crossed, and of those beside a border the side with fewer; on
    the board's edge the inner side alone (SHOOT-3, SHOOT-4)."""
    line = position.grid.line(start, end)
    opaque = position.opaque
    crossed = sum(cell in opaque for cell in line.crossed)
    left = sum(cell in opaque for cell in line.left)
    right = sum(cell in opaque for cell in line.right)
    if not line.left:
        return crossed + right
    if not line.right:
        return crossed + left
    return crossed + min(left, right)


def blockers(position: Position, start: int, end: int) -> tuple[int, ...]:
    """The cells whose obstacles `obstacles` counts, in canonical order: those crossed, and those beside a border where both
    of its sides hold some, or where it has but one side."""
    line = position.grid.line(start, end)
    opaque = position.opaque
    left, right = opaque.intersection(line.left), opaque.intersection(line.right)
    beside = left | right if (left or not line.left) and (right or not line.right) else frozenset[int]()
    return tuple(sorted(opaque.intersection(line.crossed) | beside))


def targets(position: Position, unit: Unit, shooting: Shooting) -> list[Unit]:
    """The enemies that a unit may shoot at, nearest first, then in canonical order of their cells."""
    if len(position.enemies_beside(unit.at, unit.side)) > shooting.adjacent_enemies:
        return []
    held, side, at, ignores = position.held, unit.side, unit.at, shooting.ignores
    return [
        enemy
        for cell in position.grid.disc(at, shooting.range)
        if cell in held and (enemy := held[cell]).side != side and can_see(position, at, cell, ignores)
    ]
