"""Withdrawals (section 8), movement and retreats (sections 10 and 11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.rulesets.cohesion.second.army import Troop
from tests.rulesets.cohesion.second.board import Cell
from tests.rulesets.cohesion.second.sheet import ways_back

if TYPE_CHECKING:
    from tests.rulesets.cohesion.second.referee import Referee


@dataclass(eq=False)
class Walker:
    """`pace`: the speed by which it goes and catches; `group`: when it goes. The cell that it holds is its troop's."""

    troop: Troop
    path: tuple[Cell, ...] = ()
    pace: int = 0
    group: tuple[int, int] = (0, 0)
    flees: bool = False
    caught: bool = False
    made: int = 0
    enters: bool = False
    stopped: bool = False


def withdraw(battle: Referee) -> None:
    """WITHDRAW-4, WITHDRAW-5."""
    going = [battle.troops[unit_id] for unit_id in sorted(battle.orders) if "withdraw" in battle.orders[unit_id]]
    for speed in sorted({troop.speed for troop in going}, reverse=True):
        walkers = [Walker(troop, _way_back(battle, troop)) for troop in going if troop.speed == speed]
        for steps in (1, 2):
            _walk(battle, [walker for walker in walkers if len(walker.path) == steps], "withdrawal")


def _way_back(battle: Referee, troop: Troop) -> tuple[Cell, ...]:
    named = battle.field.cell[battle.orders[troop.id]["withdraw"]]
    two, one = ways_back(battle, troop)
    if two:
        last = named if named in two else battle.dice.pick("withdrawal", troop.id, "withdraw", list(two))
        return two[last]
    if one:
        return (named if named in one else battle.dice.pick("withdrawal", troop.id, "withdraw", one),)
    return ()


def move(battle: Referee) -> None:
    """MOVE-1, MOVE-2, MOVE-7, ROUT-3 to ROUT-5."""
    waiting = [walker for unit_id in sorted(battle.troops) if (walker := _walker(battle, unit_id)) is not None]
    while waiting:
        now = min((walker.group for walker in waiting), key=lambda group: (-group[0], group[1]))
        group = [walker for walker in waiting if walker.group == now]
        waiting = [walker for walker in waiting if walker.group != now]
        for walker in group:
            _begin(battle, walker)
        _walk(battle, group, "movement")
        for walker in group:
            _catch(battle, walker, waiting)
        for walker in group:
            unmade = walker.pace - walker.made
            if walker.flees and unmade and battle.wound("movement", walker.troop, unmade):
                battle.destroy(walker.troop)
        battle.look_for_victor()
        if battle.winner is not None:
            return


def _walker(battle: Referee, unit_id: str) -> Walker | None:
    troop = battle.troops[unit_id]
    if troop.cohesion == 0:
        pace = 2 if troop.type == "PR" else troop.speed
        return Walker(troop, pace=pace, group=(pace, pace), flees=True) if pace else None
    path = [battle.field.cell[name] for name in battle.orders.get(unit_id, {}).get("move", ())]
    if not path or path[0] not in battle.field.near[troop.at]:
        return None
    pace = 2 if troop.type == "PR" and len(path) == 2 else troop.speed
    path = path[:pace]
    return Walker(troop, tuple(path), pace, (pace, len(path))) if path else None


def _begin(battle: Referee, walker: Walker) -> None:
    troop = walker.troop
    if walker.caught:
        walker.path = ()
    elif walker.flees:
        walker.path = _way_home(battle, troop, walker.pace)
    elif troop.type == "PR" and len(walker.path) == 2 and not battle.foes_beside(walker.path[-1], troop.side):
        walker.path, walker.pace = walker.path[:1], 1


def _way_home(battle: Referee, troop: Troop, steps: int) -> tuple[Cell, ...]:
    """ROUT-2: every way is written out, and the best are kept."""
    field, held, home = battle.field, battle.holders(), battle.field.home[troop.side]
    ways: list[tuple[Cell, ...]] = [(troop.at,)]
    found: list[tuple[Cell, ...]] = []
    for _ in range(steps):
        ways = [
            (*way, near)
            for way in ways
            for near in field.near[way[-1]]
            if near not in way and home[near] <= home[way[-1]] and field.terrain.get(near) != "impassable"
            if near not in held or troop.may_pass(held[near])
        ]
        found += [way[1:] for way in ways if home[way[-1]] < home[way[-2]] and way[-1] not in held]
    if not found:
        return ()
    best = min((home[way[-1]], len(way)) for way in found)
    return tuple(
        battle.dice.pick("movement", troop.id, "retreat", sorted(w for w in found if (home[w[-1]], len(w)) == best))
    )


def _catch(battle: Referee, walker: Walker, waiting: list[Walker]) -> None:
    if not walker.made or (walker.flees and not battle.rules("uncontrolled-catch", "yes")):
        return
    for other in waiting:
        beside = other.troop.at in battle.field.near[walker.troop.at] and other.troop.side != walker.troop.side
        spared = other.flees and battle.rules("caught-rout", "exempt")
        if beside and other.pace < walker.pace and not spared:
            other.caught = True


def _walk(battle: Referee, group: list[Walker], phase: str) -> None:
    """MOVE-3 to MOVE-6."""
    step = 0
    while active := [walker for walker in group if not walker.stopped and step < len(walker.path)]:
        held = battle.holders()
        for walker in active:
            walker.enters = True
        _drop(active, held, step)
        for cell in sorted({walker.path[step] for walker in active}):
            rivals = sorted([w for w in active if w.enters and w.path[step] == cell], key=lambda walker: walker.troop.id)
            if len(rivals) > 1:
                winner = battle.dice.pick(phase, battle.field.label[cell], "contest", rivals)
                for walker in rivals:
                    walker.enters = walker is winner
                    walker.stopped = walker is not winner
        _drop(active, held, step)
        for walker in active:
            goal = walker.path[step]
            if walker.enters:
                walker.troop.at, walker.made = goal, step + 1
            elif step + 1 == len(walker.path) or goal not in held or not walker.troop.may_pass(held[goal]):
                walker.stopped = True
        step += 1


def _drop(active: list[Walker], held: dict[Cell, Troop], step: int) -> None:
    """Those who cannot enter, until nothing changes (MOVE-4, MOVE-5)."""
    by_troop = {walker.troop.id: walker for walker in active}

    def can_enter(walker: Walker) -> bool:
        holder = held.get(walker.path[step])
        if holder is None:
            return True
        leaving = by_troop.get(holder.id)
        return leaving is not None and leaving.enters and leaving.path[step] != walker.troop.at

    while out := [walker for walker in active if walker.enters and not can_enter(walker)]:
        for walker in out:
            walker.enters = False
