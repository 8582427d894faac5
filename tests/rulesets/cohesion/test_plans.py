"""What a sheet intends, as lines over the field."""

from __future__ import annotations

from app.rulesets.cohesion.codec import load_state
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.plans import planned

STATE = load_state(
    {
        "units": {
            "S1": {"type": "LM", "side": "south", "at": "C5"},
            "S2": {"type": "LM", "side": "south", "at": "E6"},
            "N1": {"type": "XS", "side": "north", "at": "C4"},
        }
    }
)


def _lines(**orders: UnitOrder) -> list[tuple[str, list[str]]]:
    labels = {STATE.board.grid.centre(cell): label for label, cell in STATE.board.grid.cells.items()}
    return [(route.classes[0], [labels[p] for p in route.points]) for route in planned(STATE, Sheet(orders))]


def test_attacks_lead_to_their_targets() -> None:
    assert _lines(S1=UnitOrder(shoot="N1", melee="N1")) == [("shot", ["C5", "C4"]), ("melee", ["C5", "C4"])]


def test_a_move_starts_where_a_withdrawal_ends() -> None:
    order = UnitOrder(withdraw="C6", move=("C7", "D7"))
    assert _lines(S1=order) == [("withdraw", ["C5", "C6"]), ("move", ["C6", "C7", "D7"])]


def test_who_holds_has_no_line() -> None:
    assert _lines(S1=UnitOrder(), S2=UnitOrder(move=("E5",))) == [("move", ["E6", "E5"])]


def test_what_the_board_does_not_have_is_left_out() -> None:
    assert _lines(S1=UnitOrder(shoot="N9", move=("Z99", "C6")), X=UnitOrder(move=("C6",))) == [("move", ["C5", "C6"])]
