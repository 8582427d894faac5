"""The ten types of section 3 as the table has them, and the form in which types are written."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from app.engine.ruleset import Refused
from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.state import Terrain
from app.rulesets.cohesion.typeform import read_terrain, read_type, terrain_form, type_form
from app.rulesets.cohesion.types import speed, start_unit, terrain_kinds, type_of, unit_types
from tests.rulesets.cohesion.boards import battle

TABLE = {
    # key: strength, cohesion max and start, first, second, special, speed, shooting (range, dice), on the move, melee, value
    "LM": (6, 3, 3, 3, 5, False, 2, (2, 3), 2, 3, 1),
    "HM": (6, 6, 6, 4, 6, False, 1, None, None, 3, 1),
    "XS": (3, 6, 6, 3, 6, False, 2, (3, 3), 2, 2, 1),
    "PH": (3, 12, 12, 4, 6, False, 2, None, None, 3, 2),
    "ET": (3, 6, 6, 3, 5, True, 2, (3, 3), 2, 6, 2),
    "WS": (12, 6, 6, 3, 5, True, 3, (3, 3), 2, 3, 3),
    "LR": (3, 3, 3, 4, 6, False, 4, (2, 2), 1, 3, 1),
    "UR": (3, 6, 6, 5, 6, False, 2, (3, 2), 1, 3, 1),
    "PR": (6, 6, 3, 4, 6, False, 1, (2, 2), 2, 3, 1),
    "CC": (3, 6, 6, 3, 5, True, 2, (5, 2), None, 2, 2),
}
GOOD: dict[str, Any] = {
    "name": {"en": "swamp walkers", "ru": "болотники"},
    "code": {"en": "SW", "ru": "Б.Л"},
    "strength": 4,
    "cohesion": {"max": 5, "start": 2},
    "toughness": {"first": 3, "second": 5},
    "speed": "half(strength)",
}


@pytest.mark.parametrize("key", TABLE)
def test_UNIT_the_table_of_types(key: str) -> None:
    strength, highest, start, first, second, special, steps, shooting, moving, melee, value = TABLE[key]
    unit_type = unit_types()[key]
    unit = start_unit(unit_type, id="X", type=key, side="south", seat="south", at=0)
    assert (unit.strength, unit_type.cohesion_max, unit.cohesion) == (strength, highest, start)
    assert (unit_type.toughness.first, unit_type.toughness.second, unit_type.toughness.special) == (first, second, special)
    assert evaluate(unit_type.speed, unit) == steps
    shoots = unit_type.shooting
    assert (shoots and (shoots.range, evaluate(shoots.dice, unit))) == shooting
    assert (shoots and shoots.moving and evaluate(shoots.moving, unit)) == moving
    assert unit_type.melee is not None
    assert evaluate(unit_type.melee.dice, unit) == melee
    assert unit_type.value == value


def test_the_types_are_the_ten_of_the_rules_in_their_order() -> None:
    assert tuple(unit_types()) == tuple(TABLE)


def test_what_is_special_of_some_types() -> None:
    types = unit_types()
    assert {key for key, t in types.items() if t.withdraws} == {"LM", "LR"}
    assert {key for key, t in types.items() if t.shooting and t.shooting.power == "terrifying"} == {"WS", "CC"}
    assert {key for key, t in types.items() if t.melee and t.melee.power == "terrifying"} == {"WS"}
    assert {key for key, t in types.items() if t.toughness.ordinary_counts == "second"} == {"WS"}
    assert {key for key, t in types.items() if (t.passes, t.passable) == ("all", "own")} == {"PH"}
    raiders, carts = types["PR"], types["CC"]
    assert (raiders.charge_speed, raiders.retreat_speed, raiders.shooting and raiders.shooting.moving_steps) == ("2", "2", 1)
    assert carts.shooting is not None
    assert (carts.shooting.ignores, carts.shooting.adjacent_enemies, carts.shooting.moving) == (1, 0, None)


def test_codes_of_both_languages_are_unlike() -> None:
    codes = [code for t in unit_types().values() for code in set(t.code.values())]
    assert len(codes) == len(set(codes)) == 20


def test_WS_a_strider_slows_with_its_lower_part() -> None:
    state = battle({"N1": "WS D4"}, changed={"N1": {"lower": 3, "strength": 9}})
    assert speed(state, state.units["N1"]) == 2
    assert type_of(state, state.units["N1"]).sections == {"lower": 6, "upper": 6}


def test_TERRAIN_the_kinds_that_are_built_in() -> None:
    kinds = terrain_kinds()
    assert tuple(kinds) == ("open", "building", "rough", "impassable")
    assert (kinds["building"].must_stop, kinds["building"].special_toughness, kinds["building"].blocks_sight) == (True,) * 3
    assert (kinds["rough"].must_stop, kinds["rough"].half_melee, kinds["rough"].blocks_sight) == (True, True, False)
    assert (kinds["impassable"].enter, kinds["impassable"].blocks_sight) == (False, False)
    assert all(set(kind.name) == {"en", "ru"} for kind in kinds.values())


@pytest.mark.parametrize("key", TABLE)
def test_a_form_reads_back_to_its_type(key: str) -> None:
    assert read_type(key, type_form(unit_types()[key])) == unit_types()[key]


def test_a_form_of_ground_reads_back() -> None:
    marsh = Terrain(name={"en": "marsh", "ru": "болото"}, must_stop=True, enter=True, colour="#7a8")
    assert read_terrain("marsh", terrain_form(marsh)) == marsh


def test_a_small_type_may_leave_out_what_it_cannot_do() -> None:
    read = read_type("SW", GOOD)
    assert (read.cohesion_max, read.cohesion_start, read.shooting, read.melee, read.value) == (5, 2, None, None, 1)


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"strength": 0}, ("SW", "strength"), "out-of-bounds"),
        ({"strength": True}, ("SW", "strength"), "not-a-number"),
        ({"strength": "0x10"}, ("SW", "strength"), "not-a-number"),
        ({"sections": {"upper": 1, "lower": 1}}, ("SW", "sections"), "strength-or-sections"),
        ({"cohesion": {"max": 5, "start": 6}}, ("SW", "cohesion", "start"), "out-of-bounds"),
        ({"cohesion": []}, ("SW", "cohesion"), "not-a-number"),
        ({"toughness": {"first": 5, "second": 4}}, ("SW", "toughness", "second"), "second-below-first"),
        ({"toughness": 3}, ("SW", "toughness"), "not-a-mapping"),
        ({"speed": "fast"}, ("SW", "speed"), "bad-formula"),
        ({"speed": "strength * 9"}, ("SW", "speed"), "formula-too-large"),
        ({"speed": "half(lower)"}, ("SW", "speed"), "formula-without-sections"),
        ({"speed": 99}, ("SW", "speed"), "out-of-bounds"),
        ({"shooting": {"range": 2}}, ("SW", "shooting", "dice"), "missing-key"),
        ({"shooting": {"range": 2, "dice": 1, "power": "dire"}}, ("SW", "shooting", "power"), "not-one-of"),
        ({"melee": {"dice": {}}}, ("SW", "melee", "dice"), "not-a-text"),
        ({"withdraws": "perhaps"}, ("SW", "withdraws"), "not-yes-or-no"),
        ({"code": {"en": "5W", "ru": "Б"}}, ("SW", "code", "en"), "bad-code"),
        ({"name": {"en": "x"}}, ("SW", "name", "ru"), "missing-key"),
        ({"name": "\u202e"}, ("SW", "name"), "bad-characters"),
        ({"flies": True}, ("SW", "flies"), "unknown-key"),
    ],
)
def test_a_mistake_in_a_form_is_told_with_its_place(change: dict[str, Any], field: tuple[str, ...], code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_type("SW", GOOD | change)
    assert (field, code) in [(problem.field, problem.code) for problem in refused.value.problems]


def test_all_mistakes_of_a_form_are_told_at_once() -> None:
    with pytest.raises(Refused) as refused:
        read_type("SW", GOOD | {"strength": -1, "speed": "(", "value": "dear"})
    assert len(refused.value.problems) == 3


@pytest.mark.parametrize("junk", [None, 1, True, "x", [], [1], {}, {"name": None}, {1: 2}, {"name": {"en": 1}}, 10**300])
def test_no_junk_is_read_as_a_type(junk: Any) -> None:
    with pytest.raises(Refused):
        read_type("SW", junk)


def test_types_are_data_that_can_be_stored() -> None:
    whole = msgspec.json.encode({key: type_form(t) for key, t in unit_types().items()})
    assert {key: read_type(key, form) for key, form in msgspec.json.decode(whole).items()} == unit_types()
