"""The scenarios that are shipped: as the players expect them, fair, and worth playing."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from app.config import shipped
from app.engine.dice import SeededDice
from app.engine.events import event_key
from app.rulesets.cohesion.position import ground
from app.rulesets.cohesion.ruleset import COHESION
from app.rulesets.cohesion.setup import setup
from app.rulesets.cohesion.state import State
from app.scenario import read_scenario
from app.scenario.linting import pieces_of
from app.scenario.reading import Reading

FILES = {file.stem: file for file in shipped("scenarios").glob("cohesion/*.yaml")}
ARMIES = {
    "north-left": {"LM": 1, "XS": 1, "ET": 1},
    "north-centre": {"HM": 4, "PH": 1, "LM": 1, "XS": 1, "WS": 1},
    "north-right": {"LM": 1, "XS": 1, "ET": 1},
    "south-left": {"LR": 1, "UR": 1, "CC": 1},
    "south-centre": {"LM": 5, "PR": 2, "LR": 1},
    "south-right": {"LR": 1, "UR": 1, "CC": 1},
}


def read(key: str) -> Reading:
    return read_scenario(FILES[key].read_text(encoding="utf-8"))


def state(key: str) -> State:
    return setup(read(key).frozen).state


@pytest.fixture(params=sorted(FILES))
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_shipped_scenario_holds_and_nothing_is_warned_of(key: str) -> None:
    reading = read(key)
    assert (reading.problems, reading.warnings) == ((), ())
    assert reading.frozen["key"] == key
    assert set(reading.frozen["notes"]) == {"en", "ru"}


def test_the_battle_of_the_two_realms_has_the_28_units_of_the_issue() -> None:
    battle = state("visage-and-throne")
    found: dict[str, Counter[str]] = {seat: Counter() for seat in battle.seats}
    for unit in battle.units.values():
        found[unit.seat][unit.type] += 1
    assert found == ARMIES
    assert len(battle.units) == 28
    assert (battle.goal, battle.board.columns, battle.board.rows, battle.board.layout) == (6, 15, 13, "pointy")
    assert battle.board.home == {"north": "top", "south": "bottom"}


def test_left_and_right_are_a_sides_own() -> None:
    """Seen with a side's own centre at the bottom: the north's left wing stands in the east, the south's in the west."""
    battle = state("visage-and-throne")
    columns = {seat: [u.at % 15 for u in battle.units.values() if u.seat == seat] for seat in battle.seats}
    assert (
        min(columns["north-left"])
        > max(columns["north-centre"])
        > min(columns["north-centre"])
        > max(columns["north-right"])
    )
    assert (
        max(columns["south-left"])
        < min(columns["south-centre"])
        < max(columns["south-centre"])
        < min(columns["south-right"])
    )


def test_the_small_one_is_five_a_side_on_nine_by_nine_the_same_for_both() -> None:
    battle = state("first-skirmish")
    armies: dict[str, Counter[str]] = {side: Counter() for side in battle.points}
    for unit in battle.units.values():
        armies[unit.side][unit.type] += 1
    assert armies["north"] == armies["south"]
    assert sum(armies["north"].values()) == 5
    assert (battle.board.columns, battle.board.rows, list(battle.seats)) == (9, 9, ["north", "south"])


def test_the_ground_is_the_same_for_both_sides(key: str) -> None:
    board = state(key).board
    mirrored = {
        (board.rows - 1 - cell // board.columns) * board.columns + cell % board.columns: kind
        for cell, kind in board.terrain.items()
    }
    assert mirrored == board.terrain
    assert {"rough", "building", "impassable"} <= set(board.terrain.values())


def test_neither_side_is_walled_in(key: str) -> None:
    battle = state(key)
    assert len(pieces_of(ground(battle.board))) == 1
    rows = {
        side: {unit.at // battle.board.columns for unit in battle.units.values() if unit.side == side}
        for side in battle.points
    }
    assert max(rows["north"]) + 3 < min(rows["south"])


def test_the_sides_are_in_contact_by_turn_two_or_three(key: str) -> None:
    """In most battles played by chance somebody shoots or strikes in the second or third turn, and hardly in the first."""
    first = Counter(_played(key, seed, until="attacked")[1] for seed in range(20))
    assert sum(first[turn] for turn in (2, 3)) >= 15
    assert first[1] <= 2


def test_every_kind_of_event_comes_up_in_play() -> None:
    seen: set[str] = set()
    for seed in range(25):
        seen |= _played("visage-and-throne", seed)[0]
    missed = {
        *("battle-began", "turn-began", "phase-began", "rolled", "attacked", "attack-dropped", "lost", "destroyed", "broke"),
        *("encouraged", "withdrew", "contested", "moved", "move-dropped", "caught", "retreated", "recovered", "turn-ended"),
        *("battle-ended",),
    } - seen
    assert missed == set()


def test_battles_played_by_chance_come_to_an_end_and_either_side_wins_some(key: str) -> None:
    winners = Counter()
    for seed in range(25):
        winners[_played(key, seed)[2]] += 1
    assert None not in winners
    assert min(winners["north"], winners["south"]) >= 4


def _played(key: str, seed: int, until: str | None = None) -> tuple[set[str], int, str | None]:
    """Kinds of events, the last turn and the winner of a battle of random orders, to its end or to an event."""
    chance = Random(seed)
    step = setup(read(key).frozen)
    battle = step.state
    seen = {event_key(event) for event in step.events}
    while (asked := COHESION.requests(battle)) and battle.turn < 60 and until not in seen:
        orders = {request.id: COHESION.choose(battle, request, chance.randrange) for request in asked}
        turn = battle.turn
        step = COHESION.advance(battle, orders, SeededDice(b"%d/%d" % (seed, turn)))
        battle = step.state
        seen |= {event_key(event) for event in step.events}
        if until in seen:
            return seen, turn, battle.winner
    return seen, battle.turn, battle.winner
