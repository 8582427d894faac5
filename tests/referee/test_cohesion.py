"""A battle of the first ruleset through the referee, from its making to its last record."""

from __future__ import annotations

import random
from typing import Any

import pytest

from app.engine.ruleset import Ruling
from app.referee import battles, keys, moderation, orders, publication, scenarios, turns
from app.referee.errors import RefereeError
from app.referee.verification import verify, verify_chain
from app.referee.views import PUBLIC, NewBattle, Viewer
from app.store.db import Database
from tests.times import NOW


def made(db: Database, key: str = "first-skirmish", **given: Any) -> tuple[NewBattle, Viewer, dict[str, Viewer]]:
    new = battles.create(db, scenario=scenarios.frozen(key), now=NOW, **given)
    seats = {seat: keys.viewer_by_key(db, key) for seat, key in new.seat_keys.items()}
    return new, keys.viewer_by_key(db, new.master_key), seats


def play_a_turn(db: Database, new: NewBattle, seats: dict[str, Viewer], chance: random.Random) -> None:
    shown = battles.battle(db, new.id, PUBLIC, NOW)
    for request in shown.ruleset.requests(shown.state):
        fields = shown.ruleset.dump_order(shown.ruleset.choose(shown.state, request, chance.randrange))
        orders.enter(
            db, new.id, request.seat, seats[request.seat], turn=shown.turn, revision=0, fields=fields, ready=True, now=NOW
        )


@pytest.mark.parametrize("key", [line.key for line in scenarios.known()])
def test_a_battle_of_random_orders_ends_and_every_record_holds(db: Database, key: str) -> None:
    new, _, seats = made(db, key)
    chance = random.Random(key)
    while battles.battle(db, new.id, PUBLIC, NOW).status == "open":
        play_a_turn(db, new, seats, chance)
    shown = battles.battle(db, new.id, PUBLIC, NOW)
    assert shown.outcome.is_over
    records = [publication.record(db, new.id, turn, PUBLIC) for turn in range(1, shown.turn + 1)]
    assert [finding for record in records for finding in verify(record) if not finding.holds] == []
    assert [finding for finding in verify_chain(records) if not finding.holds] == []
    assert records[-1]["winner"] == shown.outcome.winner


def test_a_changed_die_order_or_seed_is_found(sqlite_db: Database) -> None:
    new, _, seats = made(sqlite_db)
    for _ in range(3):
        play_a_turn(sqlite_db, new, seats, random.Random(1))
    record = publication.record(sqlite_db, new.id, 3, PUBLIC)
    assert all(finding.holds for finding in verify(record))
    address = next(iter(record["dice"]))
    changed = [
        {**record, "dice": {**record["dice"], address: [7 - face for face in record["dice"][address]]}},
        {**record, "sheets": [{**record["sheets"][0], "orders": {}}, *record["sheets"][1:]]},
        {**record, "seed": {**record["seed"], "secret": "00" * 32}},
        {**record, "seed": {**record["seed"], "seed": "00" * 32}},
    ]
    assert [all(finding.holds for finding in verify(one)) for one in changed] == [False] * 4


def test_orders_of_a_unit_that_a_ruling_took_away_fall_away_and_the_turn_still_runs(db: Database) -> None:
    new, master, seats = made(db, early=False)
    shown = battles.battle(db, new.id, PUBLIC, NOW)
    seat, unit = next((unit.seat, unit.id) for unit in shown.state.units.values())
    orders.enter(db, new.id, seat, seats[seat], turn=1, revision=0, fields={unit: {}}, now=NOW)
    moderation.rule(db, new.id, master, Ruling(({"unit": unit, "remove": True},), "it was never there"), NOW)
    assert unit not in battles.battle(db, new.id, PUBLIC, NOW).state.units
    turns.resolve_now(db, new.id, master, turn=1, now=NOW)
    record = publication.record(db, new.id, 1, PUBLIC)
    assert [sheet["orders"] for sheet in record["sheets"]] == [{unit: {}}]
    assert [finding for finding in verify(record) if not finding.holds] == []


def test_the_desk_sees_how_many_units_have_orders(sqlite_db: Database) -> None:
    new, master, seats = made(sqlite_db)
    shown = battles.battle(sqlite_db, new.id, PUBLIC, NOW)
    seat = shown.seats[0].seat
    own = [unit.id for unit in shown.state.units.values() if unit.seat == seat]
    fields = {own[0]: {}, own[1]: {}}
    orders.enter(sqlite_db, new.id, seat, seats[seat], turn=1, revision=0, fields=fields, now=NOW)
    told = battles.battle(sqlite_db, new.id, master, NOW).seats
    assert [(one.ordered, one.controlled) for one in told] == [(2, len(own)), (0, len(own))]


def test_another_seats_unit_and_a_cell_off_the_board_are_refused_together(sqlite_db: Database) -> None:
    new, _, seats = made(sqlite_db)
    shown = battles.battle(sqlite_db, new.id, PUBLIC, NOW)
    seat = shown.seats[0].seat
    mine = next(unit.id for unit in shown.state.units.values() if unit.seat == seat)
    other = next(unit.id for unit in shown.state.units.values() if unit.seat != seat)
    fields = {mine: {"move": ["ZZ99"]}, other: {}, "X1": {}}
    with pytest.raises(RefereeError) as refused:
        orders.enter(sqlite_db, new.id, seat, seats[seat], turn=1, revision=0, fields=fields, now=NOW)
    assert {problem.code for problem in refused.value.problems} == {"off-board", "not-yours", "unknown-unit"}
