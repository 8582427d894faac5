"""The clock: what is due, what fell due while no server was awake."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from app.referee import battles, deadlines, orders, turns
from app.referee.errors import RefereeError
from app.referee.options import Options
from app.rulesets.registry import RULESETS
from app.store.db import Database
from app.store.models import Heartbeat
from tests.referee import guessing
from tests.referee.table import Table, everything, lay
from tests.times import DAY, HOUR, NOW

MINUTE = timedelta(minutes=1)
OUTAGE = 15 * MINUTE


def sweep(table: Table, now: Any) -> int:
    return deadlines.sweep(table.db, now, outage=OUTAGE)


def awake(table: Table, since: Any, until: Any) -> int:
    """A server that sweeps every five minutes."""
    resolved = 0
    while since <= until:
        resolved += sweep(table, since)
        since += 5 * MINUTE
    return resolved


def test_what_is_due_is_resolved_once(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    lay(db, deadline=NOW + DAY)
    lay(db)
    assert awake(table, NOW, NOW + HOUR - MINUTE) == 0
    assert sweep(table, NOW + HOUR) == 1
    assert sweep(table, NOW + HOUR) == 0
    assert table.show().turns[0].resolved_by == "deadline"


def test_a_sweep_with_nothing_to_do_writes_seldom(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    sweep(table, NOW)
    before = everything(db)
    sweep(table, NOW + timedelta(seconds=1))
    assert everything(db) == before
    sweep(table, NOW + 2 * MINUTE)
    assert everything(db)["heartbeats"] != before["heartbeats"]


def test_what_fell_due_in_an_outage_is_held(db: Database) -> None:
    table, later = lay(db, deadline=NOW + HOUR), lay(db, deadline=NOW + DAY)
    sweep(table, NOW)
    assert sweep(table, NOW + 3 * HOUR) == 0
    assert (table.show().status, later.show().status) == ("held", "open")
    assert table.show().log[-1].what == "held"
    assert table.show().log[-1].params == {"deadline": "2026-11-30T13:00:00Z", "seen": "2026-11-30T12:00:00Z"}
    assert sweep(table, NOW + 3 * HOUR + MINUTE) == 0


def test_a_short_sleep_is_no_outage(db: Database) -> None:
    table = lay(db, deadline=NOW + 10 * MINUTE)
    sweep(table, NOW)
    assert sweep(table, NOW + OUTAGE) == 1


def test_no_time_at_all_holds_nothing(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    deadlines.sweep(db, NOW, outage=timedelta())
    assert deadlines.sweep(db, NOW + DAY, outage=timedelta()) == 1
    assert table.show().turn == 2


def test_the_very_first_sweep_knows_of_no_outage(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    assert sweep(table, NOW + DAY) == 1


def test_while_held_orders_are_kept_and_nothing_is_resolved_by_itself(db: Database) -> None:
    table = held(db)
    late = NOW + 3 * HOUR
    for seat in "ABC":
        assert not table.enter(seat, 3, ready=True, now=late).resolved
    assert not turns.resolve_if_due(db, table.id, late)
    shown = table.show(now=late)
    assert (shown.status, shown.turn, [seat.ready for seat in shown.seats]) == ("held", 1, [True] * 3)
    assert orders.sheet(db, table.id, "A", table.seats["A"]).orders == {"number": 3}


def held(db: Database) -> Table:
    table = lay(db, deadline=NOW + HOUR, turn_hours=24)
    sweep(table, NOW)
    sweep(table, NOW + 3 * HOUR)
    assert table.show().status == "held"
    return table


def test_when_it_goes_on_what_is_past_is_due(db: Database) -> None:
    table = held(db)
    battles.go_on(db, table.id, table.master, NOW + 3 * HOUR)
    assert (table.show().status, table.show().turn) == ("open", 1)
    assert sweep(table, NOW + 3 * HOUR + MINUTE) == 1
    assert (table.show().turn, table.show().deadline) == (2, NOW + DAY + HOUR)
    assert [line.what for line in table.show().log][-2:] == ["gone-on", "resolved"]


def test_or_the_master_gives_it_a_new_deadline_first(db: Database) -> None:
    table = held(db)
    late = NOW + 3 * HOUR
    battles.set_deadline(db, table.id, table.master, late + HOUR, late)
    assert table.show().status == "held"
    battles.go_on(db, table.id, table.master, late)
    assert awake(table, late, late + 59 * MINUTE) == 0
    assert sweep(table, late + HOUR) == 1


def test_or_resolves_it_himself(db: Database) -> None:
    table = held(db)
    table.resolve(NOW + 3 * HOUR)
    assert (table.show().status, table.show().turn) == ("open", 2)


def test_a_second_outage_while_held_changes_nothing(db: Database) -> None:
    table = held(db)
    before = everything(db)["battles"]
    sweep(table, NOW + 9 * DAY)
    assert everything(db)["battles"] == before
    with pytest.raises(RefereeError, match="not-yours"):
        battles.go_on(db, table.id, table.seats["A"], NOW)


def test_a_clock_that_goes_backwards_changes_no_heartbeat(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    sweep(table, NOW + 30 * MINUTE)
    before = everything(db)["heartbeats"]
    sweep(table, NOW)
    assert everything(db)["heartbeats"] == before


def test_a_clock_that_was_set_years_ahead_and_back_is_forgotten(db: Database) -> None:
    """Else nobody is reminded of anything, nor is an outage seen, until the time has caught up."""
    table = lay(db, deadline=NOW + HOUR)
    sweep(table, NOW - MINUTE)
    with db.write() as session:
        session.execute(update(Heartbeat).values(seen_at=NOW + 300 * DAY))
    sweep(table, NOW)
    assert sweep(table, NOW + 3 * HOUR) == 0
    assert table.show().status == "held"


def test_it_is_told_when_a_held_battle_goes_on_by_itself(db: Database) -> None:
    waits = held(db)
    assert waits.show().goes_on is None
    table = lay(db, deadline=NOW + 4 * HOUR, options=Options(grace_minutes=90))
    sweep(table, NOW + 5 * HOUR)
    assert table.show().goes_on == NOW + 6 * HOUR + 30 * MINUTE
    sweep(table, NOW + 6 * HOUR + 30 * MINUTE)
    assert table.show().goes_on is None


def test_a_battle_that_cannot_be_resolved_does_not_keep_the_others_from_it(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setitem(RULESETS, "broken", replace(guessing.RULESET, key="broken", advance=broken))
    bad = lay(db, scenario={"ruleset": "broken"}, deadline=NOW + MINUTE)
    good = lay(db, deadline=NOW + HOUR)
    with pytest.raises(ExceptionGroup) as failed:
        sweep(good, NOW + HOUR)
    assert [type(failure) for failure in failed.value.exceptions] == [ZeroDivisionError]
    assert failed.value.exceptions[0].__notes__ == [f"battle {bad.id}"]
    assert (bad.show().turn, good.show().turn) == (1, 2)


def test_a_server_that_died_before_it_resolved_what_all_had_answered_is_made_good(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, prompt, waiting = lay(db), lay(db, "prompt"), lay(db)
    with monkeypatch.context() as patch:
        patch.setattr(turns, "resolve_if_due", lambda *given: False)
        for seat in "ABC":
            table.enter(seat, 3, ready=True)
            prompt.enter(seat, 3)
        waiting.enter("A", 3, ready=True)
    assert sweep(table, NOW) == 2
    assert [battle.show().turn for battle in (table, prompt, waiting)] == [2, 2, 1]
