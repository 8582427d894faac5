"""Fields of forms and API bodies: what is forgiven, what is refused, and that no JSON is anything else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.ruleset import Refused
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.orders import HOLD, Sheet, UnitOrder
from app.rulesets.cohesion.reading import read, read_cell
from tests.rulesets.cohesion.boards import asked, battle

STATE = battle({"S1": "LM E5", "S2": "LR C7", "N1": "HM E4"})


def order(parts: Any, unit_id: str = "S1") -> UnitOrder:
    return read(STATE, asked(), {unit_id: parts}).orders[unit_id]


def refusals(fields: Any) -> list[tuple[tuple[str, ...], str]]:
    with pytest.raises(Refused) as refused:
        read(STATE, asked(), fields)
    assert refused.value.problems
    return [(problem.field, problem.code) for problem in refused.value.problems]


def test_the_shape_of_the_api() -> None:
    fields = {"S1": {"shoot": "N1", "melee": "N1", "withdraw": "E7", "move": ["E8", "E9"]}, "S2": {}}
    assert read(STATE, asked(), fields) == Sheet({"S1": UnitOrder("N1", "N1", "E7", ("E8", "E9")), "S2": HOLD})


def test_what_is_left_empty_is_none() -> None:
    assert order({"shoot": "", "melee": None, "withdraw": " ", "move": ""}) == HOLD
    assert order({"move": []}) == HOLD
    assert order({"move": "  "}) == HOLD


@pytest.mark.parametrize(
    ("typed", "label"), [("c5", "C5"), (" C5 ", "C5"), ("С5", "C5"), ("в12", "B12"), ("аа1", "AA1"), ("н2", "H2")]
)
def test_cells_as_players_type_them(typed: str, label: str) -> None:
    assert read_cell(typed) == label


@pytest.mark.parametrize("typed", ["", "C", "5", "C05", "C-5", "Ж5", "C5C", "ABCD1", "C12345", "🙂1", "²1"])
def test_what_is_no_cell(typed: str) -> None:
    assert read_cell(typed) is None


@pytest.mark.parametrize("typed", ["D5-C5", "D5 C5", "d5, c5", "D5→C5", "D5 -> C5", "D5 — С5", "E5-D5-C5", "Е5 d5 c5"])
def test_ORDER_2_paths_as_players_type_them(typed: str) -> None:
    assert order({"move": typed}).move == ("D5", "C5")


def test_ORDER_2_one_cell_alone_means_a_shortest_path() -> None:
    assert order({"move": "E7"}).move == ("D6", "E7")
    assert order({"move": "d5"}).move == ("D5",)
    assert order({"move": "E5-E6-E7"}).move == ("E6", "E7")
    assert order({"move": "C7-C3"}, "S2").move == ("B6", "B5", "B4", "C3")


def test_ORDER_2_a_path_after_a_withdrawal_starts_from_its_cell() -> None:
    assert order({"withdraw": "E7", "move": "E9"}).move == ("D8", "E9")
    assert order({"withdraw": "E7", "move": "E7-E8"}).move == ("E8",)


def test_ORDER_3_a_list_of_cells_is_taken_at_its_word() -> None:
    assert order({"move": ["E7"]}).move == ("E7",)


def test_a_path_that_cannot_be_is_read_and_left_to_the_check() -> None:
    for typed, code in [("A1", "path-too-long"), ("Z99", "off-board"), ("E5", "path-broken")]:
        sheet = read(STATE, asked(), {"S1": {"move": typed}})
        assert [p.code for p in check(STATE, asked(), sheet) if not p.warning] == [code]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (None, [((), "not-a-mapping")]),
        ([], [((), "not-a-mapping")]),
        ("S1", [((), "not-a-mapping")]),
        ({"S1": None}, [(("S1", "unit"), "not-a-mapping")]),
        ({"S1": "hold"}, [(("S1", "unit"), "not-a-mapping")]),
        ({"": {}}, [(("", "unit"), "unknown-unit")]),
        ({"x" * 500: {}}, [(("x" * 60 + "…", "unit"), "unknown-unit")]),
        ({"\ud800": {}}, [(("·", "unit"), "unknown-unit")]),
        ({"S1": {"fly": 1}}, [(("S1", "fly"), "unknown-part")]),
        ({"S1": {"shoot": 1, "melee": ["N1"]}}, [(("S1", "shoot"), "not-a-unit"), (("S1", "melee"), "not-a-unit")]),
        ({"S1": {"shoot": "y" * 99}}, [(("S1", "shoot"), "target-gone")]),
        ({"S1": {"shoot": "N\u202e1"}}, [(("S1", "shoot"), "target-gone")]),
        ({"S1": {"withdraw": "behind"}}, [(("S1", "withdraw"), "not-a-cell")]),
        ({"S1": {"withdraw": 5}}, [(("S1", "withdraw"), "not-a-cell")]),
        ({"S1": {"move": 7}}, [(("S1", "move"), "not-a-path")]),
        ({"S1": {"move": {"0": "C5"}}}, [(("S1", "move"), "not-a-path")]),
        ({"S1": {"move": ["C5", None]}}, [(("S1", "move"), "not-a-cell")]),
        ({"S1": {"move": [["C5"]]}}, [(("S1", "move"), "not-a-cell")]),
        ({"S1": {"move": "C5 to C6"}}, [(("S1", "move"), "not-a-cell")]),
        ({"S1": {"move": ["C5"] * 300}}, [(("S1", "move"), "path-too-long")]),
        ({"S1": {"move": "C5 " * 100_000}}, [(("S1", "move"), "path-too-long")]),
        ({f"U{n}": {} for n in range(6000)}, [((), "too-many-units")]),
    ],
)
def test_what_is_not_well_formed_is_refused_with_its_field(fields: Any, expected: list[tuple[tuple[str, ...], str]]) -> None:
    assert refusals(fields) == expected


def test_every_malformed_field_is_told_at_once() -> None:
    assert len(refusals({"S1": {"shoot": 1, "withdraw": [], "move": 3}, "S2": 4, "N1": {"melee": {}}})) == 5


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=12)
    | st.sampled_from(["N1", "C5"]),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=8), part, max_size=4),
    max_leaves=12,
)
PARTS = st.dictionaries(st.sampled_from(["shoot", "melee", "withdraw", "move", "?"]), JSON, max_size=5)


@given(JSON | st.dictionaries(st.sampled_from(["S1", "S2", "N1", "X"]), PARTS | JSON, max_size=4))
def test_any_JSON_gives_a_sheet_that_can_be_checked_or_is_refused_in_words(fields: Any) -> None:
    problems: tuple[Any, ...]
    try:
        sheet = read(STATE, asked(), fields)
        problems = check(STATE, asked(), sheet)
        assert msgspec.convert(msgspec.to_builtins(sheet), Sheet) == sheet
    except Refused as refused:
        problems = refused.problems
        assert problems
    msgspec.json.encode(problems)
