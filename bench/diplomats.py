"""A turn of the `diplomacy` package: 34 units on the standard map, all of them ordered."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

from diplomacy import Game

UNITS = 34
SEEDS = 40


@dataclass(frozen=True)
class Position:
    state: Any
    orders: dict[str, list[str]]

    def game(self) -> Any:
        """A game of its own that stands there."""
        game = Game()
        game.set_state(self.state)
        return game

    @property
    def units(self) -> int:
        return sum(map(len, self.orders.values()))


@cache
def full() -> Position:
    """The first game played by chance in whose movement phase 34 units stand, and orders for them by chance."""
    for seed in range(SEEDS):
        chance = random.Random(seed)
        game = Game()
        for _ in range(90):
            if game.is_game_done:
                break
            orders = _orders(game, chance)
            if game.phase_type == "M" and sum(map(len, orders.values())) >= UNITS:
                return Position(game.get_state(), orders)
            turn(game, orders)
    raise LookupError(f"no game of {SEEDS} came to {UNITS} units")


def _orders(game: Any, chance: random.Random) -> dict[str, list[str]]:
    possible = game.get_all_possible_orders()
    return {
        power: [chance.choice(possible[place]) for place in game.get_orderable_locations(power) if possible[place]]
        for power in game.powers
    }


def turn(game: Any, orders: dict[str, list[str]]) -> None:
    """All orders given, checked and resolved."""
    for power, given in orders.items():
        game.set_orders(power, given)
    game.process()
