"""ORDER-3: what is refused, by which code, and what is only warned of."""

from __future__ import annotations

import pytest

from app.engine.ruleset import Problem
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.orders import HOLD, Sheet, UnitOrder
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.typeform import read_type, type_form
from app.rulesets.cohesion.types import unit_types
from tests.rulesets.cohesion.boards import asked, battle

FIELD = battle(
    {
        "S1": "LM D5",
        "S2": "HM C5",
        "S3": "CC G8",
        "S4": "PR G5",
        "S5": "LM I9",
        "S6": "XS A9",
        "S7": "LM I5",
        "N1": "HM D4",
        "N2": "XS G4",
        "N3": "LM A6",
        "N4": "HM C3",
    },
    terrain={"E5": "rough", "E4": "impassable", "D6": "building"},
    changed={"S7": {"cohesion": 0}, "N4": {"seat": "elsewhere"}},
)


def told(order: UnitOrder, unit_id: str = "S1", state: State = FIELD, *, warnings: bool = False) -> dict[str, str]:
    problems = check(state, asked(), Sheet({unit_id: order}))
    return {problem.field[1]: problem.code for problem in problems if problem.warning == warnings}


@pytest.mark.parametrize(
    ("unit_id", "code"), [("X9", "unknown-unit"), ("N1", "not-yours"), ("N4", "not-yours"), ("S7", "uncontrolled")]
)
def test_ORDER_3_what_is_wrong_with_the_unit_is_told_alone(unit_id: str, code: str) -> None:
    everything_wrong = UnitOrder(shoot="Q", melee="Q", withdraw="Z9", move=("Z9",))
    assert told(everything_wrong, unit_id) == {"unit": code}
    assert told(HOLD, unit_id) == {"unit": code}


@pytest.mark.parametrize(
    ("unit_id", "order", "code"),
    [
        ("S2", UnitOrder(shoot="Q1"), "target-gone"),
        ("S2", UnitOrder(shoot="S1"), "own-target"),
        ("S1", UnitOrder(shoot="S1"), "own-target"),
        ("S2", UnitOrder(shoot="N2", move=("B5",)), "cannot-shoot"),
        ("S3", UnitOrder(shoot="N3", move=("G7",)), "shooting-on-the-move"),
        ("S4", UnitOrder(shoot="N1", move=("H5", "H4")), "shooting-on-the-move"),
        ("S1", UnitOrder(shoot="N2"), "out-of-range"),
        ("S3", UnitOrder(shoot="N3"), "out-of-range"),
    ],
)
def test_ORDER_3_shots_that_are_refused(unit_id: str, order: UnitOrder, code: str) -> None:
    assert told(order, unit_id) == {"shoot": code}


def test_SHOOT_6_enemies_adjacent_come_before_the_range() -> None:
    state = battle({"S1": "XS D5", "N1": "LM D4", "N2": "LM C4", "N3": "LM A1"})
    assert told(UnitOrder(shoot="N3"), state=state) == {"shoot": "enemies-adjacent"}


def test_SHOOT_2_no_line_of_sight() -> None:
    state = battle({"S1": "XS D5", "N1": "LM F5", "N2": "LM E5"})
    assert told(UnitOrder(shoot="N1"), state=state) == {"shoot": "no-line-of-sight"}


@pytest.mark.parametrize(("target", "code"), [("Q1", "target-gone"), ("S2", "own-target"), ("N2", "not-adjacent")])
def test_MELEE_1_attacks_that_are_refused(target: str, code: str) -> None:
    assert told(UnitOrder(melee=target)) == {"melee": code}
    assert told(UnitOrder(melee="N1")) == {}


def test_a_type_without_melee_cannot_fight() -> None:
    form = type_form(unit_types()["LM"])
    del form["melee"]
    state = battle({"S1": "XX D5", "N1": "LM D4"}, types={"XX": read_type("XX", form)})
    assert told(UnitOrder(melee="N1"), state=state) == {"melee": "cannot-fight"}


@pytest.mark.parametrize(
    ("unit_id", "order", "code"),
    [
        ("S1", UnitOrder(melee="N1", withdraw="C7"), "withdraw-and-melee"),
        ("S2", UnitOrder(withdraw="C7"), "cannot-withdraw"),
        ("S5", UnitOrder(withdraw="I8"), "withdraw-blocked"),
        ("S1", UnitOrder(withdraw="C6"), "withdraw-not-back"),
        ("S1", UnitOrder(withdraw="D3"), "withdraw-not-back"),
        ("S1", UnitOrder(withdraw="Z99"), "withdraw-not-back"),
    ],
)
def test_WITHDRAW_3_withdrawals_that_are_refused(unit_id: str, order: UnitOrder, code: str) -> None:
    assert told(order, unit_id) == {"withdraw": code}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        (("D5", "E9", "J1"), "off-board"),
        (("hello",), "off-board"),
        (("D7", "D6", "D5", "D4"), "path-broken"),
        (("D5",), "path-broken"),
        (("C4", "D5"), "path-broken"),
        (("C4", "C5", "C4"), "path-broken"),
        (("E5", "E4", "E3"), "path-too-long"),
        (("E4",), "path-broken"),
        (("D6", "D7"), "path-must-stop"),
        (("E5", "E4"), "path-impassable"),
        (("E5", "F5"), "path-must-stop"),
    ],
)
def test_ORDER_3_moves_that_are_refused_by_the_first_code_in_the_list(path: tuple[str, ...], code: str) -> None:
    assert told(UnitOrder(move=path)) == {"move": code}


def test_PR_a_move_of_two_steps_is_never_too_long_and_one_of_three_is() -> None:
    assert told(UnitOrder(move=("H5", "H4")), "S4") == {}
    assert told(UnitOrder(move=("G6", "G7")), "S4") == {}
    assert told(UnitOrder(move=("G6", "G7", "H7")), "S4") == {"move": "path-too-long"}


def test_MOVE_1_the_speed_is_that_of_now() -> None:
    state = battle({"S1": "WS D5"}, changed={"S1": {"lower": 2, "strength": 8}})
    assert told(UnitOrder(move=("D6",)), state=state) == {}
    assert told(UnitOrder(move=("D6", "D7")), state=state) == {"move": "path-too-long"}


def test_ORDER_2_the_path_starts_from_the_withdrawal_if_that_is_accepted() -> None:
    assert told(UnitOrder(withdraw="C7", move=("C8",))) == {}
    assert told(UnitOrder(withdraw="C7", move=("D6",))) == {"move": "path-broken"}
    assert told(UnitOrder(withdraw="D9", move=("C4",))) == {"withdraw": "withdraw-not-back"}


def test_every_refused_part_is_told() -> None:
    assert told(UnitOrder(shoot="N2", melee="N2", move=("A1",))) == {
        "shoot": "out-of-range",
        "melee": "not-adjacent",
        "move": "path-broken",
    }


def test_all_units_of_a_sheet_are_told_of_and_the_words_have_their_figures() -> None:
    sheet = Sheet({"S1": UnitOrder(shoot="N2"), "S2": UnitOrder(move=("C4", "C3", "C2"))})
    assert check(FIELD, asked(), sheet) == (
        Problem("out-of-range", ("S1", "shoot"), {"unit": "S1", "target": "N2", "distance": 4, "range": 2}),
        Problem("path-too-long", ("S2", "move"), {"unit": "S2", "steps": 3, "speed": 1}),
    )


def test_ORDER_3_a_cell_that_is_held_now_is_a_warning() -> None:
    problems = check(FIELD, asked(), Sheet({"S2": UnitOrder(move=("D5",))}))
    held = Problem("cell-held-now", ("S2", "move"), {"unit": "S2", "cell": "D5", "holder": "S1"}, warning=True)
    assert problems == (held,)


def test_UNIT_5_passing_over_a_passable_unit_is_nothing_to_warn_of() -> None:
    state = battle({"S1": "LM D6", "N1": "LM D5"}, changed={"N1": {"cohesion": 0}})
    assert check(state, asked(), Sheet({"S1": UnitOrder(move=("D5", "D4"))})) == ()
    assert told(UnitOrder(move=("D5",)), state=state, warnings=True) == {"move": "cell-held-now"}


def test_two_of_ones_own_units_to_one_cell_are_warned() -> None:
    state = battle({"S1": "LM D6", "S2": "LM D8", "S3": "HM A1"})
    orders = {"S1": UnitOrder(withdraw="D8", move=("D7",)), "S2": UnitOrder(move=("D7",))}
    problems = [p for p in check(state, asked(), Sheet(orders)) if p.code == "same-cell"]
    assert [(p.field, p.params["other"], p.warning) for p in problems] == []
    orders["S1"] = UnitOrder(move=("D7",))
    problems = [p for p in check(state, asked(), Sheet(orders)) if p.code == "same-cell"]
    assert [(p.field, p.params["other"], p.warning) for p in problems] == [
        (("S1", "move"), "S2", True),
        (("S2", "move"), "S1", True),
    ]


def test_ATTACK_1_an_attack_without_dice_is_warned() -> None:
    state = battle({"S1": "LM D6", "N1": "LM D4"}, changed={"S1": {"strength": 2}})
    assert told(UnitOrder(shoot="N1", move=("D7",)), state=state, warnings=True) == {"shoot": "no-dice"}
    assert told(UnitOrder(shoot="N1"), state=state, warnings=True) == {}


def test_PR_a_charge_at_nobody_is_warned() -> None:
    assert told(UnitOrder(move=("G6", "G7")), "S4", warnings=True) == {"move": "no-enemy-to-charge"}
    assert told(UnitOrder(move=("H5", "H4")), "S4", warnings=True) == {}


def test_orders_that_hold_are_fine() -> None:
    assert check(FIELD, asked(), Sheet({"S1": HOLD, "S2": HOLD})) == ()
    assert check(FIELD, asked(), Sheet()) == ()
