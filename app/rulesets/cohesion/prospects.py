"""What one unit may do now and what may come of it: for a field on which orders are given (sections 5 to 8)."""

from __future__ import annotations

from app.engine.ruleset import Json
from app.rulesets.cohesion.odds import Odds, odds
from app.rulesets.cohesion.orderform import unit_options
from app.rulesets.cohesion.position import Position, position
from app.rulesets.cohesion.sight import blockers, can_see
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.cohesion.ways import reach, ways, withdrawals


def prospects(state: State, unit_id: str) -> Json:
    """For other programs. `moves`: the shortest way to each cell in reach; `withdraw`: the cells of a withdrawal, each with
    the moves from there; `near`: the cells that border on each cell of a path, `stop`: where a move must end, `held`: who
    stands on such cells now; `targets` with their odds; `hidden`: enemies in range that cannot be seen, and what is in the
    way; `close`: enemies so close that it may not shoot (SHOOT-6). Raises `KeyError` for no such unit.
    """
    here = position(state)
    unit = here.state.units[unit_id]
    unit_type, labels = here.types[unit.type], here.grid.labels
    shooting = unit_type.shooting
    may = unit_options(state, unit_id)
    steps = reach(here, unit) if unit.cohesion else 0
    back = withdrawals(here, unit) if may.withdraw else []
    beside = here.enemies_beside(unit.at, unit.side)
    kept = bool(shooting and unit.cohesion and len(beside) > shooting.adjacent_enemies)
    ground = _ground(here, (unit.at, *back), steps)
    return {
        "unit": unit_id,
        "cell": labels[unit.at],
        "steps": steps,
        "moves": [list(way) for way in may.move],
        "withdraw": [
            {"cell": labels[cell], "moves": [list(way) for way in ways(here, unit, cell, steps).values()]} for cell in back
        ],
        "near": {labels[c]: [labels[n] for n in here.grid.neighbours[c] if n not in here.ground.shut] for c in ground},
        "stop": [labels[c] for c in ground if c in here.ground.stop],
        "held": {labels[c]: here.held[c].id for c in ground if c in here.held and c != unit.at},
        "targets": _targets(here, unit, may.shoot, may.melee),
        "hidden": [] if kept else _hidden(here, unit),
        "close": [enemy.id for enemy in beside] if kept else [],
        "moving_steps": None if shooting is None else shooting.moving_steps,
    }


def _ground(here: Position, starts: tuple[int, ...], steps: int) -> list[int]:
    """The cells that a path from one of these may enter, sorted, the starts among them."""
    found = {cell for start in starts for cell in (start, *(here.grid.disc(start, steps) if steps else ()))}
    return sorted(found - here.ground.shut)


def _targets(here: Position, unit: Unit, shoot: tuple[str, ...], melee: tuple[str, ...]) -> list[Json]:
    told = []
    shooting = here.types[unit.type].shooting
    for target_id in dict.fromkeys((*shoot, *melee)):
        target = here.state.units[target_id]
        shot = blow = None
        if target_id in shoot:
            still = odds(here, unit, target, "shooting")
            moving = odds(here, unit, target, "shooting", moving=True) if shooting and shooting.moving is not None else None
            shot = {"still": _odds(still), "moving": None if moving is None else _odds(moving)}
        if target_id in melee:
            may_go = target.cohesion > 0 and here.types[target.type].withdraws and withdrawals(here, target)
            gone = odds(here, unit, target, "melee", withdraws=True) if may_go else None
            blow = {"stays": _odds(odds(here, unit, target, "melee")), "withdraws": None if gone is None else _odds(gone)}
        told.append(
            {
                "unit": target_id,
                "cell": here.grid.labels[target.at],
                "range": here.grid.distance(unit.at, target.at),
                "shoot": shot,
                "melee": blow,
            }
        )
    return told


def _hidden(here: Position, unit: Unit) -> list[Json]:
    shooting = here.types[unit.type].shooting
    if shooting is None or unit.cohesion == 0:
        return []
    told = []
    for cell in here.grid.disc(unit.at, shooting.range):
        enemy = here.held.get(cell)
        if enemy is None or enemy.side == unit.side or can_see(here, unit.at, cell, shooting.ignores):
            continue
        by = [
            {"cell": here.grid.labels[at], "unit": here.held[at].id if at in here.held else None, "ground": _kind(here, at)}
            for at in blockers(here, unit.at, cell)
        ]
        far = here.grid.distance(unit.at, cell)
        told.append({"unit": enemy.id, "cell": here.grid.labels[cell], "range": far, "by": by})
    return told


def _kind(here: Position, cell: int) -> str | None:
    return here.state.board.terrain.get(cell) if cell in here.ground.blind else None


def _odds(of: Odds) -> Json:
    """Numbers for a display: dice, how they are read, and chances as parts of one."""
    how = of.how
    return {
        "dice": of.attack.dice,
        "mode": how.mode if how else None,
        "single": how.single if how else False,
        "counts": how.counts if how else None,
        "also": how.also if how else False,
        "first": how.first if how else None,
        "second": how.second if how else None,
        "reached": how.reached if how else None,
        "rules": list(how.modifiers if how else of.attack.modifiers),
        "cohesion": float(of.expected_cohesion),
        "strength": float(of.expected_strength),
        "breaks": float(of.breaks),
        "destroys": float(of.destroys),
    }
