"""The movement phase: who goes when, and who is caught (section 10 of the rules)."""

from __future__ import annotations

from app.rulesets.cohesion.events import Caught, Moved, MoveDropped, PhaseBegan
from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.marching import Mover, march
from app.rulesets.cohesion.rout import bleed, choose_way, retreat_speed, settle_retreat
from app.rulesets.cohesion.state import Unit
from app.rulesets.cohesion.turn import Turn


class Travel(Mover, gc=False, eq=False):
    """A unit's move or retreat. `speed`: in the order of movement; `short`: what it may make if it does not charge (PR)."""

    speed: int = 0
    ordered: tuple[str, ...] = ()
    cut: bool = False
    short: int | None = None
    held_back: bool = False
    retreats: bool = False
    caught: bool = False


def move(turn: Turn) -> None:
    """Groups of one speed and one length, the faster first, then the shorter (MOVE-2). After each, those that its units
    caught lose their moves, retreats are paid for, and a victor is looked for."""
    turn.tell(PhaseBegan(phase="movement"))
    move_groups(turn, groups_of(turn))


def move_groups(turn: Turn, groups: dict[tuple[int, int], list[Travel]]) -> None:
    """The same from the groups that were found."""
    waiting = {travel.at: travel for group in groups.values() for travel in group}
    for speed, length in sorted(groups, key=lambda group: (-group[0], group[1])):
        group = [t for t in groups[speed, length] if t.retreats or not t.caught]
        if not group:
            continue
        turn.tell(PhaseBegan(phase="movement", speed=speed, length=length))
        for travel in group:
            del waiting[travel.at]
        _prepare(turn, group)
        march(turn, group, "movement")
        for travel in group:
            _tell(turn, travel)
        if waiting:
            _catch(turn, group, waiting)
        for travel in group:
            if travel.retreats:
                bleed(turn, travel, travel.speed)
        turn.check_victory("movement")
        if turn.is_over:
            return


def groups_of(turn: Turn) -> dict[tuple[int, int], list[Travel]]:
    """Who moves, by speed and length. Those whose move is lost already are told first."""
    for unit_id in sorted(turn.spoilt):
        if unit_id in turn.units and turn.spoilt[unit_id].move:
            turn.tell(MoveDropped(unit=unit_id, ordered=turn.spoilt[unit_id].move, reason="orders-lost"))
    travels = [
        travel
        for unit_id, order in turn.orders.items()
        if order.move and (travel := _planned(turn, turn.units[unit_id], order.move)) is not None
    ]
    routed = turn.uncontrolled()
    for unit in routed:
        speed = retreat_speed(turn.types[unit.type], unit)
        if speed:
            travels.append(Travel(unit, (), unit.at, speed=speed, retreats=True))
    if routed:
        travels.sort(key=lambda t: t.unit.id)
    groups: dict[tuple[int, int], list[Travel]] = {}
    for travel in travels:
        length = travel.speed if travel.retreats else len(travel.path)
        groups.setdefault((travel.speed, length), []).append(travel)
    return groups


def _planned(turn: Turn, unit: Unit, ordered: tuple[str, ...]) -> Travel | None:
    """MOVE-1: the path as it may begin, cut to the unit's speed. None: it is dropped."""
    path = _sound(turn, unit.at, ordered)
    if not path:
        turn.tell(MoveDropped(unit=unit.id, ordered=ordered, reason="not-adjacent", rule="MOVE-1"))
        return None
    unit_type = turn.types[unit.type]
    speed = usual = evaluate(unit_type.speed, unit)
    if unit_type.charge_speed is not None and len(path) > usual:
        speed = max(usual, evaluate(unit_type.charge_speed, unit))
    if speed == 0:
        turn.tell(MoveDropped(unit=unit.id, ordered=ordered, reason="no-speed", rule="MOVE-1"))
        return None
    return Travel(
        unit,
        tuple(path[:speed]),
        unit.at,
        speed=speed,
        ordered=ordered,
        cut=speed < len(ordered) or len(path) < len(ordered),
        short=usual if speed > usual else None,
    )


def _sound(turn: Turn, before: int, ordered: tuple[str, ...]) -> list[int]:
    """The cells of a path up to where it breaks, or enters ground that the board was corrected to have since it was sealed.
    Empty: its first cell is not adjacent to where the unit now stands (`before`)."""
    cells, neighbours, stop = turn.grid.cells, turn.grid.neighbours, turn.ground.stop
    sound: list[int] = []
    for label in ordered:
        cell = cells.get(label)
        if cell is None or cell not in neighbours[before]:
            break
        sound.append(cell)
        if cell in stop:
            break
        before = cell
    return sound


def _prepare(turn: Turn, group: list[Travel]) -> None:
    """When a group begins to move: retreats find their way, charges that lead to no enemy are held back (PR)."""
    for travel in group:
        if travel.retreats:
            if not travel.caught:
                travel.path = choose_way(turn, travel.unit, travel.speed)
        elif travel.short is not None and not _beside_enemy(turn, travel.path[-1], travel.unit.side):
            travel.held_back = True
            travel.path = travel.path[: travel.short]


def _beside_enemy(turn: Turn, cell: int, side: str) -> bool:
    held, units = turn.held, turn.units
    return any(near in held and units[held[near]].side != side for near in turn.grid.neighbours[cell])


def _tell(turn: Turn, travel: Travel) -> None:
    if travel.retreats:
        settle_retreat(turn, travel, travel.speed, caught=travel.caught)
        return
    unit = travel.unit
    if not travel.made:
        reason = "contest" if travel.stopped == "contest" else "blocked"
        rule = "MOVE-5" if reason == "contest" else "MOVE-4"
        turn.tell(MoveDropped(unit=unit.id, ordered=travel.ordered, reason=reason, by=travel.by, rule=rule))
        return
    stopped: str | None = travel.stopped
    if stopped is None:
        stopped = "held-back" if travel.held_back else "cut" if travel.cut else None
    path = turn.way(travel.path[: travel.made])
    turn.tell(
        Moved(
            unit=unit.id,
            start=turn.labels[unit.at],
            path=path,
            ordered=travel.ordered if len(travel.ordered) > len(path) else (),
            stopped=stopped,
            by=travel.by if travel.stopped is not None else None,
        )
    )


def _catch(turn: Turn, group: list[Travel], waiting: dict[int, Travel]) -> None:
    """MOVE-7: those that have not moved yet, are slower, and find an enemy beside them who has just come. `waiting`: cell ->
    who has not moved from it yet."""
    rulings, neighbours, not_moved = turn.rulings, turn.grid.neighbours, waiting.keys()
    for travel in group:
        if not travel.made or (travel.retreats and rulings.uncontrolled_catch == "no"):
            continue
        # A raider held back made no move of two steps, so its speed is its usual one (PR).
        speed = travel.short if travel.held_back and travel.short is not None else travel.speed
        around = neighbours[travel.at]
        if not_moved.isdisjoint(around):
            continue
        for near in around:
            slower = waiting.get(near)
            if slower is None or slower.caught or slower.unit.side == travel.unit.side or slower.speed >= speed:
                continue
            if slower.retreats and rulings.caught_rout == "exempt":
                continue
            slower.caught = True
            turn.tell(
                Caught(
                    unit=slower.unit.id,
                    by=travel.unit.id,
                    retreating=slower.retreats,
                    ordered=slower.ordered,
                    rule="ROUT-4" if slower.retreats else "MOVE-7",
                )
            )
