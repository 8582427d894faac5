"""The two hardest rules against a slow and literal reading of their text."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from app.engine.dice import SeededDice
from app.rulesets.cohesion.evolve import Draft
from app.rulesets.cohesion.marching import Mover, march
from app.rulesets.cohesion.position import is_passable
from app.rulesets.cohesion.rout import choose_way, retreat_speed
from app.rulesets.cohesion.state import State, Unit
from app.rulesets.cohesion.turn import Turn
from tests.rulesets.cohesion.boards import battle
from tests.rulesets.cohesion.random_battles import random_state

SEED = b"literal"


class Chosen(SeededDice):
    """Dice that take a given alternative wherever they are asked to pick, and remember how many there were."""

    def __init__(self, number: int = 0) -> None:
        super().__init__(SEED)
        self.number = number
        self.alternatives = 1

    def pick(self, address: str, alternatives: int) -> int:
        self.alternatives = alternatives
        return self.number


def turn_of(state: State, dice: Any = None) -> Turn:
    return Turn(state, {}, dice or SeededDice(SEED))


def all_ways(state: State, unit: Unit, steps: int) -> list[tuple[int, ...]]:
    """ROUT-2 word by word: every path is written out, then the best are kept."""
    board = state.board
    home = board.grid.edge_distance(board.home[unit.side])
    held = {other.at: other for other in state.units.values()}
    found: list[tuple[int, ...]] = []

    def walk(path: tuple[int, ...]) -> None:
        if len(path) > 1 and home[path[-1]] < home[path[-2]] and path[-1] not in held:
            found.append(path[1:])
        if len(path) - 1 == steps:
            return
        for near in board.grid.neighbours[path[-1]]:
            if near in path or home[near] > home[path[-1]] or board.terrain.get(near) == "impassable":
                continue
            if near in held and not is_passable(state.types, unit, held[near]):
                continue
            walk((*path, near))

    walk((unit.at,))
    if not found:
        return []
    nearest = min(home[path[-1]] for path in found)
    near = [path for path in found if home[path[-1]] == nearest]
    shortest = min(len(path) for path in near)
    return sorted(path for path in near if len(path) == shortest)


@pytest.mark.parametrize("seed", range(60))
def test_ROUT_2_the_ways_home_are_those_of_the_text(seed: int) -> None:
    chance = Random(seed)
    size = chance.randint(3, 9)
    state = random_state(
        chance,
        columns=size,
        rows=chance.randint(3, 9),
        units=chance.randint(1, size * 3),
        layout=chance.choice(("pointy", "flat")),
        wild=chance.choice((0.2, 0.5, 0.9)),
    )
    for unit in state.units.values():
        if unit.cohesion:
            continue
        steps = retreat_speed(state.types[unit.type], unit)
        expected = all_ways(state, unit, steps)
        dice = Chosen()
        taken = [choose_way(turn_of(state, dice), unit, steps)]
        taken += [choose_way(turn_of(state, Chosen(number)), unit, steps) for number in range(1, dice.alternatives)]
        assert taken == (expected or [()])


class LiteralGroup:
    """MOVE-3 to MOVE-6 word by word. `held`: unit -> the cell that it holds; `going`: paths of those still on their way."""

    def __init__(self, state: State, paths: dict[str, tuple[int, ...]], dice: SeededDice) -> None:
        self.state, self.dice = state, dice
        self.held = {unit.id: unit.at for unit in state.units.values()}
        self.going = dict(paths)
        self.step = 0
        while self.going:
            self.make_step()

    def make_step(self) -> None:
        self.wants = {unit: path[self.step] for unit, path in self.going.items() if self.step < len(path)}
        self.enters = set(self.wants)
        self.stopped: set[str] = set()
        self.drop()
        self.settle()
        self.drop()
        for unit in self.enters:
            self.held[unit] = self.wants[unit]
        self.step += 1
        self.going = {unit: path for unit, path in self.going.items() if unit not in self.stopped and self.step < len(path)}

    def drop(self) -> None:
        """First those who cannot enter, until nothing changes."""
        changed = True
        while changed:
            changed = False
            for unit in sorted(self.enters):
                holder = next((h for h, cell in self.held.items() if cell == self.wants[unit] and h != unit), None)
                if holder is not None and not self.makes_room(holder, unit):
                    self.enters.discard(unit)
                    changed = True
                    last = self.step == len(self.going[unit]) - 1
                    units = self.state.units
                    if last or not is_passable(self.state.types, units[unit], units[holder]):
                        self.stopped.add(unit)

    def makes_room(self, holder: str, unit: str) -> bool:
        """The holder leaves in the same step for a cell that it will hold, and the two do not swap."""
        leaves = holder in self.enters and self.wants[holder] != self.held[holder]
        return leaves and self.wants[holder] != self.held[unit]

    def settle(self) -> None:
        contests: dict[int, list[str]] = {}
        for unit in sorted(self.enters):
            contests.setdefault(self.wants[unit], []).append(unit)
        for cell, rivals in sorted(contests.items()):
            if len(rivals) > 1:
                address = f"{self.state.turn}/movement/{self.state.board.grid.labels[cell]}/contest"
                losers = set(rivals) - {rivals[self.dice.pick(address, len(rivals))]}
                self.enters -= losers
                self.stopped |= losers


@pytest.mark.parametrize("seed", range(200))
def test_MOVE_4_MOVE_5_MOVE_6_a_group_moves_as_the_text_says(seed: int) -> None:
    chance = Random(seed)
    columns, rows = chance.randint(2, 6), chance.randint(2, 6)
    state = random_state(
        chance,
        columns=columns,
        rows=rows,
        units=chance.randint(2, columns * rows),
        layout=chance.choice(("pointy", "flat")),
        wild=0.0,
    )
    kinds = chance.choice((("PH", "LM", "LR"), ("PH",), ("LM",)))
    state = msgspec.structs.replace(
        state,
        units={
            unit.id: msgspec.structs.replace(
                unit, type=chance.choice(kinds), cohesion=chance.choice((0, 1, 1, 1)), upper=0, lower=0
            )
            for unit in state.units.values()
        },
    )
    length = chance.randint(1, 4)
    paths = {}
    for unit in state.units.values():
        if chance.random() < 0.75:
            path = [unit.at]
            for _ in range(length):
                ahead = [near for near in state.board.grid.neighbours[path[-1]] if near not in path]
                if ahead:
                    path.append(chance.choice(ahead))
            paths[unit.id] = tuple(path[1:])
    turn = turn_of(state)
    movers = [Mover(state.units[unit_id], path, state.units[unit_id].at) for unit_id, path in paths.items()]
    march(turn, movers, "movement")
    dice = SeededDice(SEED)
    literal = LiteralGroup(state, paths, dice)
    assert {mover.unit.id: mover.at for mover in movers} == {unit_id: literal.held[unit_id] for unit_id in paths}
    assert turn.dice.rolled == dice.rolled
    assert sorted(turn.held.values()) == sorted(state.units)
    for mover in movers:
        assert turn.held[mover.at] == mover.unit.id
        assert mover.at == (mover.path[mover.made - 1] if mover.made else mover.unit.at)


def test_MOVE_3_what_a_march_changes_is_told_by_events_alone() -> None:
    state = battle({"S1": "LM D6"})
    turn = turn_of(state)
    march(turn, [Mover(state.units["S1"], (state.board.grid.cells["D5"],), state.units["S1"].at)], "movement")
    assert turn.draft.frozen() == state == Draft(state).frozen()
