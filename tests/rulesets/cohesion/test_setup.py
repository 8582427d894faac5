"""A frozen scenario becomes the state of turn 1."""

from __future__ import annotations

from typing import Any

from app.rulesets.cohesion.events import BattleBegan
from app.rulesets.cohesion.setup import SWITCHES, setup
from app.rulesets.cohesion.state import Rulings
from app.rulesets.cohesion.typeform import type_form
from app.rulesets.cohesion.types import unit_types

FROZEN: dict[str, Any] = {
    "format": 1,
    "ruleset": "cohesion",
    "key": "small",
    "title": {"en": "Small", "ru": "Малая"},
    "notes": {},
    "goal": 4,
    "board": {
        "size": "7x5",
        "layout": "flat",
        "home": {"east": "right", "west": "left"},
        "terrain": {"D3": "marsh", "A1": "building"},
        "kinds": {"marsh": {"name": {"en": "marsh", "ru": "болото"}, "must_stop": True}},
    },
    "types": {"OO": type_form(unit_types()["HM"]) | {"speed": "2", "code": {"en": "OO", "ru": "О.О"}}},
    "sides": {
        "east": {"name": {}, "home": "right", "colour": "#fff"},
        "west": {"name": {}, "home": "left", "colour": "#000"},
    },
    "contingents": {
        "e1": {"side": "east", "name": {}},
        "w1": {"side": "west", "name": {}},
        "w2": {"side": "west", "name": {}},
    },
    "units": {
        "E-WS1": {"type": "WS", "contingent": "e1", "at": "G2", "lower": 2},
        "W-OO1": {"type": "OO", "contingent": "w2", "at": "A2", "strength": 4},
        "W-PR1": {"type": "PR", "contingent": "w1", "at": "A3", "cohesion": 6},
    },
    "rulings": {"credit": "most", "tie": "on"},
}


def test_a_scenario_is_set_up() -> None:
    step = setup(FROZEN)
    state = step.state
    assert step.events == (BattleBegan(units=("E-WS1", "W-OO1", "W-PR1")),)
    assert (state.turn, state.goal, state.winner, state.points) == (1, 4, None, {"east": 0, "west": 0})
    assert (state.board.columns, state.board.rows, state.board.layout) == (7, 5, "flat")
    assert state.board.home == {"east": "right", "west": "left"}
    assert {state.board.grid.labels[cell]: kind for cell, kind in state.board.terrain.items()} == FROZEN["board"]["terrain"]
    assert state.board.kinds["marsh"].must_stop
    assert list(state.seats.items()) == [("e1", "east"), ("w1", "west"), ("w2", "west")]
    assert state.rulings == Rulings(credit="most", tie="on")


def test_UNIT_1_units_stand_with_start_values_or_the_scenarios_own() -> None:
    units = setup(FROZEN).state.units
    strider, own, raiders = units["E-WS1"], units["W-OO1"], units["W-PR1"]
    assert (strider.upper, strider.lower, strider.strength, strider.cohesion) == (6, 2, 8, 6)
    assert (own.strength, own.cohesion, own.side, own.seat) == (4, 6, "west", "w2")
    assert (raiders.strength, raiders.cohesion) == (6, 6)


def test_the_switches_are_those_of_the_state_with_the_same_defaults() -> None:
    defaults = Rulings()
    for switch in SWITCHES:
        assert getattr(defaults, switch.key.replace("-", "_")) == switch.default == switch.values[0]
    assert {switch.key.replace("-", "_") for switch in SWITCHES} == set(Rulings.__struct_fields__)
