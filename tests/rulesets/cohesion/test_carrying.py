"""From one battle to the next: who fell by whom, and what units bring over."""

from __future__ import annotations

import pytest

from app.engine.ruleset import Carried, Fallen, Refused, Rest
from app.rulesets.cohesion.carrying import carry, fallen
from app.rulesets.cohesion.events import Destroyed, Lost
from tests.rulesets.cohesion.boards import battle

SCENARIO = {
    "types": {},
    "units": {
        "A": {"type": "LM", "contingent": "north", "at": "B2", "strength": 1},
        "W": {"type": "WS", "contingent": "north", "at": "B4"},
    },
}
PLACE = {"type": "LM", "contingent": "north", "at": "B2"}


def test_losses_come_over_as_they_are_and_the_scenarios_own_values_do_not_count() -> None:
    state = battle({"N1": "LM C5"}, changed={"N1": {"strength": 2, "cohesion": 0}})
    assert carry(state, SCENARIO, [Carried("A", "N1")], "as-is") == {"A": {**PLACE, "strength": 2, "cohesion": 0}}


def test_a_unit_without_losses_has_the_start_of_its_type() -> None:
    assert carry(battle({"N1": "LM C5"}), SCENARIO, [Carried("A", "N1")], "as-is") == {"A": PLACE}


def test_after_a_rally_cohesion_is_whole_and_strength_is_not() -> None:
    state = battle({"N1": "LM C5"}, changed={"N1": {"strength": 2, "cohesion": 0}})
    assert carry(state, SCENARIO, [Carried("A", "N1")], "rallied") == {"A": {**PLACE, "strength": 2}}


def test_cohesion_above_the_start_is_kept_by_every_rest() -> None:
    place = {"type": "PR", "contingent": "north", "at": "B2"}
    state = battle({"N1": "PR C5"}, changed={"N1": {"cohesion": 5}})
    assert (state.types["PR"].cohesion_start, state.types["PR"].cohesion_max) == (3, 6)
    rests: tuple[Rest, ...] = ("as-is", "rallied", "half")
    for rest in rests:
        assert carry(state, {"units": {"P": place}}, [Carried("P", "N1")], rest) == {"P": {**place, "cohesion": 5}}


@pytest.mark.parametrize(("lost", "back"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2)])
def test_half_of_what_was_lost_comes_back_rounded_down(lost: int, back: int) -> None:
    full = battle({"N1": "LM C5"}).units["N1"].strength
    state = battle({"N1": "LM C5"}, changed={"N1": {"strength": full - lost}})
    brought = carry(state, SCENARIO, [Carried("A", "N1")], "half")["A"]
    assert brought is not None
    assert brought.get("strength", full) == full - lost + back


def test_each_part_of_a_war_strider_heals_by_itself() -> None:
    state = battle({"N1": "WS C5"}, changed={"N1": {"upper": 3, "lower": 0, "strength": 3}})
    brought = carry(state, SCENARIO, [Carried("W", "N1")], "half")["W"]
    assert brought == {"type": "WS", "contingent": "north", "at": "B4", "upper": 4, "lower": 3}


def test_who_was_destroyed_is_left_out_or_comes_back_with_a_stated_strength() -> None:
    state = battle({"N1": "LM C5"})
    gone = [Carried("A", "gone"), Carried("W", "striden", 8)]
    brought = carry(state, SCENARIO, gone, "as-is")
    assert brought == {"A": None, "W": {"type": "WS", "contingent": "north", "at": "B4", "lower": 2}}


@pytest.mark.parametrize(
    ("carried", "code"),
    [
        (Carried("W", "N1"), "carry-other-type"),
        (Carried("A", "N1", 2), "carry-stands"),
        (Carried("A", "gone", 99), "carry-back"),
        (Carried("A", "gone", 0), "carry-back"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(carried: Carried, code: str) -> None:
    with pytest.raises(Refused) as refused:
        carry(battle({"N1": "LM C5"}), SCENARIO, [carried], "as-is")
    assert [(p.code, p.field) for p in refused.value.problems] == [(code, (carried.place,))]


def test_a_unit_falls_to_all_seats_that_struck_it_in_its_last_phase() -> None:
    seats = {"north": "north", "left": "south", "right": "south"}
    changed = {"S1": {"seat": "left"}, "S2": {"seat": "right"}, "S3": {"seat": "right"}}
    state = battle({"N1": "LM C5", "S1": "LM C6", "S2": "LR D6", "S3": "LR E6"}, seats=seats, changed=changed)
    after = battle({"S1": "LM C6", "S2": "LR D6", "S3": "LR E6"}, seats=seats, changed=changed)
    events = [
        Lost(unit="N1", phase="shooting", strength=1, by=("S2",)),
        Lost(unit="N1", phase="melee", strength=4, by=("S1",)),
        Destroyed(unit="N1", cell="C5", phase="melee", scorer="south", value=2),
    ]
    assert fallen(state, events, after) == (Fallen("N1", "north", ("left",), "south", 2),)
    events[1] = Lost(unit="N1", phase="melee", strength=4, by=("S1", "S3"))
    assert fallen(state, events, after)[0].by == ("left", "right")
    events[1] = Lost(unit="N1", phase="melee", strength=4)
    assert fallen(state, events, after)[0].by == ()


def test_who_was_put_back_by_a_ruling_has_not_fallen() -> None:
    state = battle({"N1": "LM C5", "S1": "LM C6"})
    assert fallen(state, [Destroyed(unit="N1", cell="C5", phase="melee", scorer="south", value=1)], state) == ()
