"""What is allowed and looks like an oversight."""

from __future__ import annotations

import pytest

from app.scenario import read_scenario
from tests.scenario.files import GOOD, changed


def warnings(text: str) -> list[tuple[str, str]]:
    reading = read_scenario(text)
    assert reading.problems == ()
    assert all(warning.warning and "line" in warning.params for warning in reading.warnings)
    return [(warning.code, str(warning.params["key"])) for warning in reading.warnings]


def test_a_good_file_is_not_warned_of() -> None:
    assert warnings(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("    . . . # .", "    # . . # .", None),
        ("type: SW", "type: HM", ("type-never-used", "types.SW")),
        ("    . . . m .", "    . . . r .", ("ground-never-used", "terrain.marsh")),
        ("type: CC", "type: LM", None),
        ("type: CC", "type: WS", ("unlike-value", "units")),
        ("goal: 2", "goal: 5", ("goal-out-of-reach", "goal")),
        ("home: bottom", "home: top", ("same-home", "sides")),
        ("contingents:\n", "contingents:\n  idle: {side: south, name: idle}\n", ("seat-without-units", "contingents.idle")),
    ],
)
def test_an_oddity_is_warned_of(old: str, new: str, expected: tuple[str, str] | None) -> None:
    text = changed(old, new)
    if expected is None:
        text = text.replace("at: A3", "at: B1")
        assert warnings(text) == []
    else:
        assert expected in warnings(text)


def test_a_side_without_a_seat_is_warned_of() -> None:
    text = changed("side: south", "side: north")
    assert ("side-without-seat", "sides.south") in warnings(text)


def test_a_unit_that_could_never_leave_and_a_board_in_pieces_are_warned_of() -> None:
    walls = GOOD.replace("    . . . m .\n     . B r . .", "    . # . m .\n     # B r . .")
    assert warnings(walls) == [("board-in-pieces", "board.map"), ("cannot-leave", "units.N-SW1.at")]
