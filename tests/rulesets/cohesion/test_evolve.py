"""What each event changes, and that most change nothing."""

from __future__ import annotations

import msgspec
import pytest

from app.engine.events import Event
from app.rulesets.cohesion.events import (
    AnyEvent,
    BattleBegan,
    BattleEnded,
    Broke,
    Caught,
    Contested,
    Destroyed,
    Encouraged,
    Lost,
    Moved,
    MoveDropped,
    OrdersFilled,
    PhaseBegan,
    Recovered,
    Retreated,
    Rolled,
    TurnBegan,
    TurnEnded,
    WithdrawalDropped,
    Withdrew,
)
from app.rulesets.cohesion.evolve import CHANGES, evolve, unit_form, unit_of_form
from tests.rulesets.cohesion.boards import battle

STATE = battle({"S1": "LM D6", "N1": "WS D4"}, changed={"S1": {"cohesion": 1}})


def after(*events: Event) -> dict[str, object]:
    """The values of S1 afterwards, and of the state, that differ from before."""
    state = evolve(STATE, events)
    told: dict[str, object] = {
        name: getattr(state, name) for name in ("turn", "points", "winner") if getattr(state, name) != getattr(STATE, name)
    }
    if "S1" in state.units:
        one, other = state.units["S1"], STATE.units["S1"]
        told |= {f: getattr(one, f) for f in one.__struct_fields__ if getattr(one, f) != getattr(other, f)}
    else:
        told["gone"] = True
    return told


@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (Lost(unit="S1", phase="melee", strength=2, cohesion=1), {"strength": 4, "cohesion": 0}),
        (Encouraged(unit="S1", fallen="N1", gain=1), {"cohesion": 2}),
        (Encouraged(unit="S1", fallen="N1", gain=0), {}),
        (Recovered(unit="S1", gain=2, by=("S2", "S3")), {"cohesion": 3}),
        (Moved(unit="S1", start="D6", path=("D5", "C5")), {"at": 4 * 9 + 2}),
        (Withdrew(unit="S1", start="D6", path=("D7",)), {"at": 6 * 9 + 3}),
        (Retreated(unit="S1", start="D6", path=("D7",), speed=2), {"at": 6 * 9 + 3}),
        (Retreated(unit="S1", start="D6", path=(), speed=2, reason="blocked"), {}),
        (
            Destroyed(unit="S1", cell="D6", phase="melee", scorer="north", value=2),
            {"gone": True, "points": {"north": 2, "south": 0}},
        ),
        (TurnBegan(turn=1), {}),
        (TurnEnded(turn=1), {"turn": 2}),
        (BattleEnded(winner="draw", points={}, phase="melee"), {"winner": "draw"}),
    ],
)
def test_what_an_event_changes(event: Event, changes: dict[str, object]) -> None:
    assert after(event) == changes


@pytest.mark.parametrize(
    "event",
    [
        BattleBegan(units=("S1",)),
        OrdersFilled(unit="S1"),
        PhaseBegan(phase="melee"),
        Rolled(address="1/melee/S1/attack", purpose="attack", subject="S1", faces=(1,)),
        Broke(unit="S1", phase="melee"),
        Contested(cell="D5", units=("S1", "S2"), winner="S1"),
        MoveDropped(unit="S1", ordered=("D5",), reason="blocked"),
        WithdrawalDropped(unit="S1", reason="gone", rule="LOSS-2"),
        Caught(unit="S1", by="N1"),
    ],
)
def test_what_is_only_told_changes_nothing(event: Event) -> None:
    assert evolve(STATE, [event]) == STATE


def test_every_event_that_changes_something_is_one_of_the_ruleset() -> None:
    assert set(CHANGES) <= set(AnyEvent.__args__)


def test_WS_the_parts_of_a_strider_fall_with_its_strength() -> None:
    strider = evolve(STATE, [Lost(unit="N1", phase="melee", strength=3, upper=1, lower=2)]).units["N1"]
    assert (strider.strength, strider.upper, strider.lower) == (9, 5, 4)


def test_events_apply_in_their_order_and_the_state_stays_as_it_was() -> None:
    before = msgspec.to_builtins(STATE.units)
    moves = [Moved(unit="S1", start="D6", path=("D5",)), Moved(unit="S1", start="D5", path=("E5",))]
    assert after(*moves) == {"at": 4 * 9 + 4}
    assert msgspec.to_builtins(STATE.units) == before


def test_an_event_of_a_unit_that_is_not_there_raises() -> None:
    with pytest.raises(KeyError):
        evolve(STATE, [Lost(unit="X", phase="melee", strength=1)])
    with pytest.raises(KeyError):
        evolve(STATE, [Moved(unit="S1", start="D6", path=("Z99",))])


def test_a_unit_s_form_and_back() -> None:
    for unit in STATE.units.values():
        form = unit_form(STATE.board, unit, has_sections=unit.type == "WS")
        assert unit_of_form(STATE.board, unit.id, form) == unit
    with pytest.raises(KeyError):
        unit_of_form(STATE.board, "S1", {"type": "LM", "side": "south", "seat": "south", "at": "Z99", "cohesion": 1})
