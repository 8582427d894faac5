"""What is asked of a seat, what its units may choose, and what silence means (section 5 of the rules)."""

from __future__ import annotations

from collections.abc import Collection

from app.engine.ruleset import Json, Pick, Request
from app.rulesets.cohesion.orders import HOLD, Sheet, UnitOptions, UnitOrder
from app.rulesets.cohesion.position import Position, position
from app.rulesets.cohesion.sight import targets
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.cohesion.ways import Way, reach, ways, withdrawals


def requests(state: State) -> tuple[Request, ...]:
    """One sealed request for each seat that has a controlled unit, in the order of the seats; none once there is a winner.

    Where no seat has one, every seat that has units is asked, and where no unit is left, every seat: only WIN-1 or the
    game master ends a battle, and until then turns go on.
    """
    if state.winner is not None:
        return ()
    with_units, able = set(), set()
    for unit in state.units.values():
        with_units.add(unit.seat)
        if unit.cohesion > 0:
            able.add(unit.seat)
    asked = able or with_units or set(state.seats)
    return tuple(Request(id=seat, seat=seat, kind="orders") for seat in state.seats if seat in asked)


def options(state: State, request: Request) -> tuple[UnitOptions, ...]:
    """What each unit of the seat may choose on the board as it stands; empty choices for an uncontrolled one."""
    here = position(state)
    return tuple(_options(here, unit) for unit in state.units.values() if unit.seat == request.seat)


def unit_options(state: State, unit_id: str) -> UnitOptions:
    """The same for one unit, whoever holds it: what a click asks. Raises `KeyError` for no such unit."""
    return _options(position(state), state.units[unit_id])


def moves_after_withdrawal(state: State, unit_id: str, cell: str) -> tuple[Way, ...]:
    """The moves open to a unit once it has withdrawn to a cell (ORDER-2), as `UnitOptions.move` has them."""
    here = position(state)
    start = here.grid.cell(cell)
    return () if start is None else _moves(here, state.units[unit_id], start)


def options_json(state: State, request: Request) -> Json:
    """The options for other programs: `[{"id", "options": {"shoot", "melee", "withdraw", "move"}}]`, with `"idle": true`
    of a unit that takes no orders now (UNIT-2)."""
    return [
        {
            **({"idle": True} if state.units[given.id].cohesion == 0 else {}),
            "id": given.id,
            "options": {
                "shoot": list(given.shoot),
                "melee": list(given.melee),
                "withdraw": list(given.withdraw),
                "move": [list(way) for way in given.move],
            },
        }
        for given in options(state, request)
    ]


def default(state: State, request: Request) -> Sheet:
    """The sheet of a seat that says nothing at all (ORDER-6)."""
    others = [unit.id for unit in state.units.values() if unit.seat != request.seat]
    return Sheet(silent_orders(state, others))


def tally(state: State, request: Request, sheet: Sheet | None) -> tuple[int, int]:
    """How many of the seat's controlled units a sheet gives an order ("hold" is one), of how many (ORDER-6)."""
    able = {unit.id for unit in state.units.values() if unit.seat == request.seat and unit.cohesion > 0}
    return len(able.intersection(sheet.orders if sheet else ())), len(able)


def silent_orders(state: State, ordered: Collection[str]) -> dict[str, UnitOrder]:
    """What the ruling `missing-orders` says for each controlled unit that is not in `ordered` (ORDER-6)."""
    if state.rulings.missing_orders == "holds":
        return {unit.id: HOLD for unit in state.units.values() if unit.cohesion > 0 and unit.id not in ordered}
    here = position(state)
    return {unit.id: fights(here, unit) for unit in state.units.values() if unit.cohesion > 0 and unit.id not in ordered}


def choose(state: State, request: Request, pick: Pick) -> Sheet:
    """A legal order for each controlled unit of the seat, by chance, prone to fight and to close in on the enemy."""
    here = position(state)
    foes = [unit for unit in state.units.values() if unit.side != state.seats[request.seat]]
    return Sheet(
        {
            unit.id: _any_order(here, unit, foes, pick)
            for unit in state.units.values()
            if unit.seat == request.seat and unit.cohesion > 0
        }
    )


def _options(here: Position, unit: Unit) -> UnitOptions:
    if unit.cohesion == 0:
        return UnitOptions(unit.id)
    unit_type, labels = here.types[unit.type], here.grid.labels
    shooting = unit_type.shooting
    beside = here.enemies_beside(unit.at, unit.side) if unit_type.melee is not None else ()
    return UnitOptions(
        unit.id,
        tuple([enemy.id for enemy in targets(here, unit, shooting)]) if shooting is not None else (),
        tuple([enemy.id for enemy in beside]),
        tuple([labels[cell] for cell in withdrawals(here, unit)]) if unit_type.withdraws else (),
        _moves(here, unit, unit.at),
    )


def _moves(here: Position, unit: Unit, start: int) -> tuple[Way, ...]:
    return tuple(ways(here, unit, start, reach(here, unit)).values())


def fights(here: Position, unit: Unit) -> UnitOrder:
    """Holds, and melees the weakest enemy beside it (ORDER-6)."""
    foes = here.enemies_beside(unit.at, unit.side)
    if not foes or here.types[unit.type].melee is None:
        return HOLD
    return UnitOrder(melee=min(foes, key=lambda foe: (foe.strength, foe.id)).id)


def _any_order(here: Position, unit: Unit, foes: list[Unit], pick: Pick) -> UnitOrder:
    may = _options(here, unit)
    shooting = here.types[unit.type].shooting
    shoot = may.shoot[pick(len(may.shoot))] if may.shoot and pick(6) else None
    melee = may.melee[pick(len(may.melee))] if may.melee and pick(6) else None
    withdraw = None
    if melee is None and may.melee and may.withdraw and pick(3):
        withdraw = may.withdraw[pick(len(may.withdraw))]
    if melee is not None and pick(4):
        return UnitOrder(shoot=shoot, melee=melee)
    moves = moves_after_withdrawal(here.state, unit.id, withdraw) if withdraw else may.move
    if shoot is not None and shooting is not None:
        if shooting.moving is None:
            moves = ()
        elif shooting.moving_steps is not None:
            moves = tuple(way for way in moves if len(way) <= shooting.moving_steps)
    return UnitOrder(shoot=shoot, melee=melee, withdraw=withdraw, move=_towards(here, moves, foes, pick))


def _towards(here: Position, moves: tuple[Way, ...], foes: list[Unit], pick: Pick) -> Way:
    """Of three moves taken by chance the one that ends nearest to an enemy taken by chance; now and then none."""
    if not moves or pick(8) == 0:
        return ()
    some = [moves[pick(len(moves))] for _ in range(3)]
    if not foes:
        return some[0]
    goal = foes[pick(len(foes))].at
    return min(some, key=lambda way: here.grid.distance(here.grid.cells[way[-1]], goal))
