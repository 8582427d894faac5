"""Fields of the form -> orders, and back."""

from __future__ import annotations

import pytest

from app.language import translator
from app.web.deps import Fields, typed
from app.web.orderform import Filled, filled_by, filled_from, read

WORDS = translator("en")


@pytest.mark.parametrize(
    ("filled", "order"),
    [
        (Filled(shoot="N1"), {"shoot": "N1"}),
        (Filled(fight="melee:N1"), {"melee": "N1"}),
        (Filled(fight="withdraw:C7"), {"withdraw": "C7"}),
        (Filled(move="C4-D4"), {"move": "C4-D4"}),
        (Filled(path="с4 d4"), {"move": "с4 d4"}),
        (Filled(path="C4-D4", move="C4-D4"), {"move": "C4-D4"}),
        (Filled(fight="withdraw:C7", move="C6-C8"), {"withdraw": "C7", "move": "C8"}),
        (Filled(hold=True), {}),
        (Filled(hold=True, shoot="N1"), {"shoot": "N1"}),
    ],
)
def test_fields_are_read_as_an_order(filled: Filled, order: dict[str, str]) -> None:
    reading = read({"S1": filled}, WORDS)
    assert reading.orders == {"S1": order}
    assert reading.troubles == {}


def test_a_unit_whose_fields_are_empty_has_no_order() -> None:
    assert read({"S1": Filled(), "S2": Filled(hold=True)}, WORDS).orders == {"S2": {}}


@pytest.mark.parametrize(
    ("filled", "part"),
    [
        (Filled(hold=True, move="C4"), "hold"),
        (Filled(hold=True, path="C4"), "hold"),
        (Filled(move="C4", path="D5"), "move"),
        (Filled(fight="dance:N1"), "fight"),
        (Filled(fight="melee:"), "fight"),
    ],
)
def test_what_contradicts_itself_is_told_at_its_place(filled: Filled, part: str) -> None:
    assert list(read({"S1": filled}, WORDS).troubles) == [("S1", part)]


@pytest.mark.parametrize(
    "order",
    [{}, {"shoot": "N1"}, {"melee": "N1", "move": ["C4", "D4"]}, {"withdraw": "C7"}, {"move": ["C9", "D9"]}],
)
def test_a_saved_order_in_the_form_is_read_as_the_same_order(order: dict[str, object]) -> None:
    reading = read({"S1": filled_from(order, ("C4", "C4-D4"))}, WORDS)
    move = order.get("move")
    wanted = {**order, "move": "-".join(move)} if isinstance(move, list) else order
    assert reading.orders == {"S1": wanted}


def test_a_saved_move_that_is_not_offered_stands_as_typed() -> None:
    assert filled_from({"move": ["C9", "D9"]}, ("C4",)) == Filled(path="C9-D9")
    assert filled_from(None, ()) == Filled()


def test_fields_of_a_unit_are_found_by_its_id() -> None:
    fields = Fields({"shoot:S:1": "N1", "hold:S:1": "yes", "shoot:S": "N2"})
    assert filled_by(fields, "S:1") == Filled(shoot="N1", hold=True)


def test_a_form_is_read_whatever_its_bytes_are() -> None:
    fields = typed(b"a=%D1%84&b=%ff%fe&c=x%00y%0D%0Az&c=last+one&%00d=1")
    assert fields["a"] == "ф"
    assert fields["b"] == "\ufffd\ufffd"
    assert fields["c"] == "last one"
    assert fields["d"] == "1"
    assert fields["nothing"] == ""
    assert fields.whole("d") == 1
    assert fields.whole("a") is None
    assert typed(b"\xff\xfe").whole("x") is None
