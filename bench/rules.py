"""The rules at work: a turn, its growth with the number of units, what may be chosen."""

from __future__ import annotations

from app.rulesets.cohesion.orderform import unit_options
from bench import diplomats, field
from bench.field import RULES, Given, resolve
from bench.measure import Figure, Side, figure, in_turns, loop


def turn() -> list[Figure]:
    usual, thick, there = field.usual(), field.thickest(), diplomats.full()
    ours, most = Side(resolve, usual.given, repeats=20), Side(resolve, thick.given, repeats=20)
    theirs = Side(lambda game: diplomats.turn(game, there.orders), there.game, repeats=4)
    mine, worst, other, fixed = in_turns(ours, most, theirs, loop())
    name = f"a turn of {usual.units} units: orders read, checked, resolved"
    against = f"`diplomacy`: a turn of {there.units} units"
    return [
        figure(name, mine, against, other, 1 / 5),
        figure(name + " (the thickest of many)", worst, against, other),
        figure(name, mine, "the fixed loop", fixed),
    ]


def growth() -> list[Figure]:
    """One turn at a time, with cold caches: as on a server that has done other things since the turn before, and so that
    what grows is the work, and not what a small turn saves when it is repeated at once."""
    small = field.usual()
    middle, great = field.tiled(small, 5, 2), field.tiled(small, 10, 10)
    cold = [Side(resolve, position.given, is_cold=True) for position in (small, middle, great)]
    warm = [Side(resolve, position.given, great.units // position.units) for position in (small, middle, great)]
    found = []
    for sides, bar, how in ((cold, 11, ""), (warm, None, " (repeated at once)")):
        first, second, third = in_turns(*sides, rounds=31 if bar else 9)
        found += [
            figure(f"a turn of {middle.units} units{how}", second, f"of {small.units} units", first, bar),
            figure(f"a turn of {great.units} units{how}", third, f"of {middle.units} units", second, bar),
        ]
    return found


def choices() -> list[Figure]:
    here, there = field.usual(), diplomats.full()
    one = next(iter(here.kept.units))
    ours = Side(all_options, here.given, repeats=20)
    unit = Side(lambda given: unit_options(given.state, one), here.given, repeats=200)
    theirs = Side(lambda game: game.get_all_possible_orders(), there.game, repeats=4)
    mine, single, other = in_turns(ours, unit, theirs)
    against = f"`diplomacy`: get_all_possible_orders, {there.units} units"
    return [
        figure(f"all that {here.units} units may choose", mine, against, other, 1 / 3),
        figure("all that one unit may choose", single, against, other, 1 / 60),
    ]


def all_options(given: Given) -> None:
    for request in RULES.requests(given.state):
        RULES.options(given.state, request)
