"""More time: asked for by a seat before all, answered by whatever gives the turn more time, or declined."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from app.referee import battles, moderation, moretime, pausing, rewinding, seating, timing
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.store.db import Database
from app.store.models import SUBSCRIPTIONS
from tests.referee.table import Table, everything, lay
from tests.referee.test_timing import subscribe, told
from tests.times import DAY, HOUR, NOW


def ask(table: Table, seat: str = "A", hours: int = 24, **given: Any) -> None:
    moretime.ask(table.db, table.id, seat, table.seats[seat], **{"hours": hours, "now": NOW, **given})


def waiting(table: Table) -> list[tuple[str, int, str | None]]:
    return [(one.seat, one.hours, one.reason) for one in moretime.asked(table.db, table.id)]


def refused(code: str) -> Any:
    return pytest.raises(RefereeError, match=f"^{code}$")


def test_a_seat_asks_before_all_and_an_extension_answers_every_seat(db: Database) -> None:
    table = lay(db, turn_hours=48)
    subscribe(table, "A", "B")
    with db.write() as session:
        session.execute(update(SUBSCRIPTIONS).values(topics='["turns","desk"]'))
    ask(table, reason=" a night shift ")
    ask(table, "B", 12)
    assert waiting(table) == [("A", 24, "a night shift"), ("B", 12, None)]
    line = moderation.log(db, table.id)[-2]
    assert (line.what, line.who, line.params) == (
        "time-asked",
        "seat",
        {"seat": "A", "hours": 24, "reason": "a night shift"},
    )
    asked = [(seat, facts["seat"]) for seat, facts in told(table, "time-asked")]
    assert asked == [(None, "A"), (None, "B")], "the game master alone"
    assert table.show().deadline == NOW + 2 * DAY
    timing.extend(db, table.id, table.master, timedelta(hours=24), NOW)
    assert waiting(table) == []


def test_it_is_declined_or_taken_back_and_the_seat_alone_is_told(db: Database) -> None:
    table = lay(db, turn_hours=48)
    subscribe(table, "A", "B")
    ask(table)
    with refused("asked-already"):
        ask(table, hours=48)
    for who in (table.seats["A"], PUBLIC):
        with refused("not-yours"):
            moretime.decline(db, table.id, "A", who, NOW)
    moretime.decline(db, table.id, "A", table.master, NOW)
    assert [seat for seat, _ in told(table, "time-declined")] == ["A"]
    with refused("no-asking"):
        moretime.decline(db, table.id, "A", table.master, NOW)
    ask(table)
    moretime.take_back(db, table.id, "A", table.seats["A"], NOW)
    with refused("no-asking"):
        moretime.take_back(db, table.id, "A", table.seats["A"], NOW)
    ask(table)
    moretime.take_back(db, table.id, "A", table.seats["A"], NOW)
    with refused("too-many"):
        ask(table)
    ask(table, "B")
    assert waiting(table) == [("B", 24, None)]


def test_what_moves_the_deadline_nearer_answers_nothing_and_what_gives_time_does(db: Database) -> None:
    table = lay(db, turn_hours=48)
    ask(table)
    timing.extend(db, table.id, table.master, -HOUR, NOW)
    battles.set_deadline(db, table.id, table.master, NOW + DAY, NOW)
    assert waiting(table) == [("A", 24, None)]
    battles.set_deadline(db, table.id, table.master, NOW + 3 * DAY, NOW)
    assert waiting(table) == []
    ask(table)
    pausing.pause(db, table.id, table.master, NOW)
    pausing.go_on(db, table.id, table.master, NOW)
    assert waiting(table) == []


def test_what_was_asked_for_falls_with_its_turn_and_with_a_line_that_is_left(db: Database) -> None:
    table = lay(db, turn_hours=48)
    ask(table)
    table.resolve()
    assert waiting(table) == []
    ask(table)
    rewinding.rewind(db, table.id, table.master, to=1, reason="So.", now=NOW)
    assert waiting(table) == []
    table.resolve()
    assert (table.show().turn, waiting(table)) == (2, [])


def test_what_cannot_be_asked_is_refused_and_nothing_changes(db: Database) -> None:
    table = lay(db, turn_hours=48)
    before = everything(db)
    for hours in (0, -1, moretime.MOST_HOURS + 1):
        with refused("bad-hours"):
            ask(table, hours=hours)
    with refused("bad-reason"):
        ask(table, reason="x" * 3000)
    with refused("closed"):
        ask(table, now=NOW + 2 * DAY)
    for who in (table.master, table.seats["B"], PUBLIC):
        with refused("not-yours"):
            moretime.ask(db, table.id, "A", who, hours=24, now=NOW)
    assert everything(db) == before
    own = table.seats["A"]
    seating.renew(db, table.id, "A", own, NOW)
    with refused("not-yours"):
        moretime.ask(db, table.id, "A", own, hours=24, now=NOW)
    battles.set_deadline(db, table.id, table.master, None, NOW)
    with refused("no-deadline"):
        ask(table, "B")
    pausing.pause(db, table.id, table.master, NOW)
    with refused("paused"):
        ask(table, "B")
