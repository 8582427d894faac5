"""The sheets of a side at a glance: what is said of them is what the rules make of them."""

from __future__ import annotations

from random import Random

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.dice import SeededDice
from app.engine.glance import Finding, Glance, Going
from app.rulesets.cohesion.events import Caught, Contested, Moved, MoveDropped, Retreated, WithdrawalDropped, Withdrew
from app.rulesets.cohesion.glance import glance
from app.rulesets.cohesion.orders import HOLD, Sheet, UnitOrder
from app.rulesets.cohesion.position import position
from app.rulesets.cohesion.quiet import MOST_TURNS, MOST_UNITS, quiet_turns
from app.rulesets.cohesion.sequence import advance
from app.rulesets.cohesion.state import State
from app.rulesets.cohesion.ways import reach, ways
from tests.rulesets.cohesion.boards import battle
from tests.rulesets.cohesion.random_battles import legal_orders, random_state

some = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
STARTS = [f"{column}{row}" for row in (1, 3) for column in "ACEGIKMO"]
TWO_SEATS = {"south": "south", "south-2": "south", "north": "north"}


def moves(**paths: str) -> Sheet:
    """`S1="B4-B3"` moves, `S1=""` holds."""
    return Sheet({unit: UnitOrder(move=tuple(path.split("-")) if path else ()) for unit, path in paths.items()})


def told(state: State, **sheets: Sheet) -> list[Finding]:
    return list(glance(state, sheets).findings)


def test_ORDER_6_each_unit_without_an_order_is_named_and_an_uncontrolled_one_is_not() -> None:
    state = battle({"S1": "LM C5", "S2": "LM E5", "S3": "LM G5", "N1": "LM A1"}, changed={"S3": {"cohesion": 0}})
    assert told(state, south=moves(S1="")) == [Finding("no-order", "S2", rule="ORDER-6")]


def test_MOVE_5_two_of_one_group_into_one_cell() -> None:
    state = battle({"S1": "HM C5", "S2": "HM E5", "N1": "LM A1"})
    assert told(state, south=moves(S1="D5", S2="D5")) == [Finding("same-cell", "S1", ("S2",), "D5", "MOVE-5")]


def test_MOVE_2_the_one_that_goes_sooner_has_the_cell() -> None:
    state = battle({"S1": "HM C5", "S2": "LR E5", "N1": "LM A9"})
    assert told(state, south=moves(S1="D5", S2="D5")) == [Finding("friend-first", "S1", ("S2",), "D5", "MOVE-2")]


def test_MOVE_2_a_friend_in_the_way_goes_later() -> None:
    state = battle({"S1": "LR C5", "S2": "HM D5", "N1": "LM A9"})
    assert told(state, south=moves(S1="D5-E5", S2="D6")) == [Finding("friend-later", "S1", ("S2",), "D5", "MOVE-2")]


def test_a_friend_that_goes_sooner_makes_room() -> None:
    state = battle({"S1": "HM C5", "S2": "LR D5", "N1": "LM A9"})
    assert told(state, south=moves(S1="D5", S2="D6")) == []


def test_MOVE_4_two_do_not_change_places_and_a_ring_of_three_turns() -> None:
    state = battle({"S1": "HM C5", "S2": "HM D5", "S3": "HM C6", "N1": "LM I9"})
    assert told(state, south=moves(S1="D5", S2="C5", S3="")) == [Finding("friends-swap", "S1", ("S2",), "D5", "MOVE-4")]
    assert told(state, south=moves(S1="D5", S2="C6", S3="C5")) == []


def test_MOVE_4_a_friend_in_the_way_stays_or_is_not_known() -> None:
    state = battle({"S1": "LR C5", "S2": "HM D5", "N1": "LM I9"}, seats=TWO_SEATS, changed={"S2": {"seat": "south-2"}})
    assert told(state, south=moves(S1="D5")) == [Finding("friend-unknown", "S1", ("S2",), "D5", "UNIT-5")]
    both = {"south": moves(S1="D5"), "south-2": moves(S2="")}
    assert list(glance(state, both).findings) == [Finding("friend-stays", "S1", ("S2",), "D5", "MOVE-4")]
    silent = {"south": moves(S1="D5"), "south-2": Sheet()}
    assert [found.code for found in glance(state, silent).findings] == ["no-order", "friend-stays"]


def test_UNIT_5_an_enemy_in_the_way_if_it_stays() -> None:
    state = battle({"S1": "LM C5", "N1": "HM D5"})
    assert told(state, south=moves(S1="D5")) == [Finding("enemy-there", "S1", ("N1",), "D5", "UNIT-5")]


def test_who_is_stopped_by_one_who_lost_a_lot_may_be_stopped() -> None:
    state = battle({"S1": "HM C5", "S2": "HM E5", "S3": "HM B5", "N1": "LM I9"})
    assert told(state, south=moves(S1="D5", S2="D5", S3="C5")) == [
        Finding("same-cell", "S1", ("S2",), "D5", "MOVE-5"),
        Finding("friend-stopped", "S3", ("S1",), "C5", "MOVE-4", sure=False),
    ]


def test_MOVE_7_a_faster_enemy_may_come_beside_it_first() -> None:
    state = battle({"S1": "HM E7", "N1": "LR E2", "N2": "HM E5", "N3": "LM A1"})
    assert told(state, south=moves(S1="E8")) == [Finding("may-be-caught", "S1", ("N1",), "E7", "MOVE-7")]
    assert told(state, south=moves(S1="")) == []


def test_PR_a_charge_without_an_enemy_beside_its_end_is_held_back() -> None:
    state = battle({"S1": "PR C5", "N1": "LM I9"})
    assert told(state, south=moves(S1="D5-E5")) == [Finding("charge-held", "S1", (), "D5", "PR")]


def test_WITHDRAW_4_a_withdrawal_that_comes_to_another_cell() -> None:
    state = battle({"S1": "LM C5", "S2": "LM E5", "N1": "LM C4", "N2": "LM E4"})
    sheet = Sheet({"S1": UnitOrder(withdraw="D7"), "S2": UnitOrder(withdraw="D7")})
    assert Finding("same-cell", "S1", ("S2",), "D7", "MOVE-5") in told(state, south=sheet)


def test_MOVE_2_the_order_of_movement() -> None:
    units = {"S1": "LR C5", "S2": "LM E5", "S3": "LM G5", "S4": "HM A5", "S5": "LM A8", "N1": "LR A1", "N2": "PR C1"}
    state = battle(units, changed={"S5": {"cohesion": 0}})
    found = glance(state, {"south": moves(S1="D5", S2="E6-E7", S3="G6", S4="A6")})
    assert found.going == (
        Going("movement", 4, 1, ("S1",)),
        Going("movement", 2, 1, ("S3",)),
        Going("movement", 2, 2, ("S2", "S5"), ("S5",)),
        Going("movement", 1, 1, ("S4",)),
    )
    assert found.awaited == ((4, ("N1",)), (2, ("N2",)), (1, ("N2",)))


def test_WITHDRAW_5_withdrawals_stand_before_the_moves() -> None:
    state = battle({"S1": "LM C5", "N1": "HM C4"})
    found = glance(state, {"south": Sheet({"S1": UnitOrder(withdraw="C7", move=("C8",))})})
    assert found.going == (Going("withdrawal", 2, 2, ("S1",)), Going("movement", 2, 1, ("S1",)))


def test_nobody_asks_for_nothing() -> None:
    assert glance(battle({"S1": "LM C5", "N1": "HM C4"}), {}) == Glance()


def test_no_more_ways_of_the_lots_are_followed_than_a_limit() -> None:
    units = {f"S{number}": f"HM {cell}" for number, cell in enumerate(STARTS)}
    state = battle({**units, "N1": "LM A9"}, size="16x9")
    pairs = zip(list(units)[::2], list(units)[1::2], strict=True)
    cells = ["B1", "F1", "J1", "N1", "B3", "F3", "J3", "N3"]
    orders = {unit: UnitOrder(move=(cell,)) for pair, cell in zip(pairs, cells, strict=True) for unit in pair}
    found = glance(state, {"south": Sheet(orders)})
    assert 2 ** len(cells) > MOST_TURNS
    assert (found.is_whole, len(found.findings)) == (False, len(cells))
    assert not any(one.sure for one in found.findings)


def test_of_a_large_battle_fewer_ways_of_the_lots_are_followed() -> None:
    chance = Random(3)
    state = random_state(chance, columns=40, rows=40, units=400, wild=0.7)
    sheets = {seat: sheet for seat, sheet in legal_orders(chance, state).items() if state.seats[seat] == "south"}
    turns, is_whole = quiet_turns(state, sheets)
    assert (len(turns) * len(state.units), is_whole) == (MOST_UNITS, False)


def peaceful(state: State) -> State:
    return msgspec.structs.replace(state, rulings=msgspec.structs.replace(state.rulings, missing_orders="holds"))


def crowded(chance: Random) -> tuple[State, dict[str, Sheet]]:
    """A small board full of units, and the sheets of one side without attacks."""
    size = chance.randint(4, 8)
    state = peaceful(
        random_state(chance, columns=size, rows=size, units=chance.randint(4, 24), wild=chance.choice((0.0, 0.2)))
    )
    quiet = {
        seat: Sheet({u: msgspec.structs.replace(order, shoot=None, melee=None) for u, order in sheet.orders.items()})
        for seat, sheet in legal_orders(chance, state).items()
        if state.seats[seat] == "south"
    }
    return state, quiet


@some
@given(st.integers(0, 2**32), st.binary(min_size=1, max_size=8))
def test_what_is_said_of_contests_and_stops_is_what_happens(number: int, seed: bytes) -> None:
    """Two into one cell is told exactly when the turn, with these orders and enemies that stand, comes to a contest with a
    friend in it; a friend in the way exactly when the turn stops a move at one. Lots excepted, where both may be."""
    state, sheets = crowded(Random(number))
    found = glance(state, sheets)
    events = advance(state, sheets, SeededDice(seed)).events
    units = state.units
    contests = {
        (event.cell, event.units)
        for event in events
        if isinstance(event, Contested) and any(units[unit].side == "south" for unit in event.units)
    }
    stopped = {
        (event.unit, event.by)
        for event in events
        if (isinstance(event, Moved) and event.stopped in {"blocked", "room"})
        or (isinstance(event, MoveDropped) and event.reason == "blocked")
        if units[event.unit].side == "south"
    }
    said = {
        (one.cell, tuple(sorted((one.unit, *one.others)))): one.sure for one in found.findings if one.code == "same-cell"
    }
    barred: dict[tuple[str, str | None], bool] = {}
    for one in found.findings:
        if one.code.startswith(("friend-", "enemy-there", "uncontrolled-there")):
            barred[one.unit, one.others[0]] = one.sure or barred.get((one.unit, one.others[0]), False)
        if one.code == "friends-swap":
            barred[one.unit, one.others[0]] = barred[one.others[0], one.unit] = one.sure
    assert {key for key, sure in said.items() if sure} <= contests
    assert {key for key, sure in barred.items() if sure} <= stopped
    if found.is_whole:
        assert contests <= set(said)
        assert stopped <= set(barred)


@some
@given(st.integers(0, 2**32))
def test_units_go_in_the_order_that_is_told(number: int) -> None:
    state, sheets = crowded(Random(number))
    found = glance(state, sheets)
    place = {(going.phase, unit): at for at, going in enumerate(found.going) for unit in going.units}
    assert [going.phase for going in found.going] == sorted((going.phase for going in found.going), reverse=True)
    kinds = {Moved: "movement", MoveDropped: "movement", Retreated: "movement"}
    gone = [
        place[kinds[type(event)], event.unit]
        for event in advance(state, sheets, SeededDice(b"order")).events
        if isinstance(event, Moved | Retreated)
        or (isinstance(event, MoveDropped) and event.reason in {"blocked", "contest"})
    ]
    assert gone == sorted(gone)
    went = {
        event.unit
        for event in advance(state, sheets, SeededDice(b"order")).events
        if isinstance(event, Withdrew | WithdrawalDropped)
    }
    assert went == {unit for going in found.going if going.phase == "withdrawal" for unit in going.units}


@some
@given(st.integers(0, 2**32))
def test_MOVE_7_just_those_enemies_are_named_that_can_catch_a_lone_mover(number: int) -> None:
    """One unit moves and all others of its side hold: each enemy by itself makes each of its moves."""
    chance = Random(number)
    state = peaceful(random_state(chance, columns=7, rows=7, units=chance.randint(2, 12), wild=0.0))
    here = position(state)
    movers = [unit for unit in state.units.values() if unit.seat == "south" and reach(here, unit)]
    ends = {unit.id: tuple(ways(here, unit, unit.at, reach(here, unit)).values()) for unit in movers}
    movers = [unit for unit in movers if ends[unit.id]]
    if not movers:
        return
    mover = chance.choice(movers)
    still = {unit.id: HOLD for unit in state.units.values()}
    own = Sheet({**still, mover.id: UnitOrder(move=chance.choice(ends[mover.id]))})
    own = Sheet({u: order for u, order in own.orders.items() if state.units[u].seat == "south"})
    found = glance(state, {"south": own})
    named = {enemy for one in found.findings if one.code == "may-be-caught" and one.unit == mover.id for enemy in one.others}
    caught = set()
    for enemy in (unit for unit in state.units.values() if unit.side == "north"):
        for way in ways(here, enemy, enemy.at, reach(here, enemy)).values():
            sheets = {"south": own, enemy.seat: Sheet({enemy.id: UnitOrder(move=way)})}
            events = advance(state, sheets, SeededDice(b"catch")).events
            caught |= {event.by for event in events if isinstance(event, Caught) and event.unit == mover.id}
    assert named == caught
