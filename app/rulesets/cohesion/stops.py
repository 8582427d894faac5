"""What stops a side's orders in a quiet turn, read off its events (sections 8 and 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.engine.glance import Finding
from app.rulesets.cohesion.events import Caught, Contested, Moved, MoveDropped, WithdrawalDropped, Withdrew
from app.rulesets.cohesion.quiet import Quiet
from app.rulesets.cohesion.state import State, Unit

ENDED = {"held-back": ("charge-held", "PR"), "cut": ("move-cut", "MOVE-1")}
DROPPED = {"not-adjacent": ("move-lost", "MOVE-1"), "no-speed": ("no-speed", "MOVE-1")}


@dataclass(frozen=True)
class Side:
    """Who asks: a side, and those of its seats whose orders are known."""

    state: State
    key: str
    seats: frozenset[str]

    def has(self, unit: Unit) -> bool:
        """Whether it is of the side; its orders need not be known."""
        return unit.side == self.key

    def enemies(self) -> list[Unit]:
        """Those that take orders."""
        return [unit for unit in self.state.units.values() if unit.side != self.key and unit.cohesion > 0]


def stops(side: Side, quiet: Quiet) -> Iterator[Finding]:
    """Each thing that does not come off as it is ordered, once."""
    units = side.state.units
    blocked: dict[str, tuple[str, Finding]] = {}
    for event in quiet.events:
        if isinstance(event, Contested):
            if any(side.has(units[unit]) for unit in event.units):
                mine = sorted(event.units, key=lambda unit: (not side.has(units[unit]), unit))
                yield Finding("same-cell", mine[0], tuple(mine[1:]), event.cell, event.rule)
        elif isinstance(event, Withdrew | WithdrawalDropped | Caught | Moved | MoveDropped) and side.has(units[event.unit]):
            by = event.by if isinstance(event, Moved | MoveDropped) and _is_blocked(event) else None
            found = _of(event)
            if by is not None and by in units and isinstance(event, Moved | MoveDropped):
                blocked[event.unit] = by, _barred(side, quiet, event, units[by])
            elif found is not None:
                yield found
    yield from _with_swaps(blocked)


def _is_blocked(event: Moved | MoveDropped) -> bool:
    return (event.stopped if isinstance(event, Moved) else event.reason) in {"blocked", "room"}


def _of(event: Withdrew | WithdrawalDropped | Caught | Moved | MoveDropped) -> Finding | None:
    if isinstance(event, Withdrew):
        return Finding("withdraws-elsewhere", event.unit, (), event.path[-1], event.rule) if event.named else None
    if isinstance(event, WithdrawalDropped):
        return Finding("withdrawal-lost", event.unit, rule=event.rule)
    if isinstance(event, Caught):
        return Finding("caught", event.unit, (event.by,), None, event.rule)
    if _is_blocked(event):
        return Finding("path-shut", event.unit, (), event.by, "TERRAIN-3")
    known = ENDED.get(event.stopped or "") if isinstance(event, Moved) else DROPPED.get(event.reason)
    if known is None:
        return None
    cell = event.path[-1] if isinstance(event, Moved) else None
    return Finding(known[0], event.unit, (), cell, known[1])


def _barred(side: Side, quiet: Quiet, event: Moved | MoveDropped, holder: Unit) -> Finding:
    """Why the unit in the way is there when the mover comes."""
    made = len(event.path) if isinstance(event, Moved) else 0
    cell = _cell(side, quiet, event.ordered[made:], holder)
    if holder.cohesion == 0:
        code, rule = "uncontrolled-there", "UNIT-5"
    elif not side.has(holder):
        code, rule = "enemy-there", "UNIT-5"
    elif holder.seat not in side.seats:
        code, rule = "friend-unknown", "UNIT-5"
    else:
        own, others = _group(quiet, event.unit), _group(quiet, holder.id)
        if others is None:
            code, rule = "friend-stays", "MOVE-4"
        elif own is None or own == others:
            code, rule = "friend-stopped", "MOVE-4"
        elif others > own:
            code, rule = "friend-later", "MOVE-2"
        else:
            code, rule = "friend-first", "MOVE-2"
    return Finding(code, event.unit, (holder.id,), cell, rule)


def _cell(side: Side, quiet: Quiet, left: tuple[str, ...], holder: Unit) -> str | None:
    """The cell that could not be entered: where the holder stands or comes to stand, else the next one."""
    labels = side.state.board.grid.labels
    ends = {event.path[-1] for event in quiet.events if isinstance(event, Moved | Withdrew) and event.unit == holder.id}
    stood = {labels[holder.at], *ends}
    return next((label for label in left if label in stood), left[0] if left else None)


def _group(quiet: Quiet, unit: str) -> tuple[int, int] | None:
    """The place of a unit's group in the order of movement (MOVE-2): smaller goes first. None: it does not move."""
    for (speed, length), group in quiet.groups.items():
        if any(travel.unit.id == unit for travel in group):
            return -speed, length
    return None


def _with_swaps(blocked: dict[str, tuple[str, Finding]]) -> Iterator[Finding]:
    """Two that stop each other want each other's cells (MOVE-4): told once."""
    for unit, (by, found) in blocked.items():
        if found.code == "friend-stopped" and by in blocked and blocked[by][0] == unit and blocked[by][1].code == found.code:
            if unit < by:
                yield Finding("friends-swap", unit, (by,), found.cell, "MOVE-4")
        else:
            yield found
