"""What a host sees of his server, and what of it is an alarm."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, update

from app.referee import deadlines, outbox, overview
from app.referee.errors import RefereeError
from app.referee.overview import Overview
from app.store.db import Database
from app.store.models import OUTBOX, Battle
from tests.referee.table import lay
from tests.times import DAY, HOUR, NOW

LATE = timedelta(minutes=10)
MINUTE = timedelta(minutes=1)


def look(db: Database, now: datetime = NOW) -> Overview:
    return overview.overview(db, now, late=LATE)


def beat(db: Database, now: datetime = NOW) -> None:
    deadlines.sweep(db, now, outage=timedelta(minutes=15))


def codes(seen: Overview) -> list[str]:
    return [alarm.code for alarm in seen.alarms]


def write(db: Database, key: str, now: datetime = NOW, **given: Any) -> None:
    with db.write() as session:
        outbox.write(session, key, "turn", now)
        if given:
            session.execute(update(OUTBOX).where(OUTBOX.c.key == key).values(**given))


def test_a_server_whose_clock_runs_has_no_alarm(db: Database) -> None:
    beat(db)
    seen = look(db)
    assert (seen.swept_at, seen.alarms) == (NOW, ())


def test_a_clock_that_stands_is_an_alarm(db: Database) -> None:
    assert codes(look(db)) == ["no-sweep"]
    beat(db)
    assert codes(look(db, NOW + LATE - MINUTE)) == []
    assert codes(look(db, NOW + LATE)) == ["no-sweep"]


def test_a_turn_that_nobody_resolved_is_an_alarm(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    assert [line.id for line in look(db).coming] == [table.id]
    beat(db, NOW + HOUR - MINUTE)
    seen = look(db, NOW + HOUR + LATE - 2 * MINUTE)
    assert (seen.coming, seen.overdue, codes(seen)) == ((), (), [])
    seen = look(db, NOW + HOUR + LATE)
    assert [line.id for line in seen.overdue] == [table.id]
    assert "turns-late" in codes(seen)


def test_a_battle_that_is_held_waits_for_a_person_and_is_no_alarm(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    with db.write() as session:
        session.execute(update(Battle).where(Battle.id == table.id).values(status="held"))
    beat(db, NOW + DAY)
    seen = look(db, NOW + DAY)
    assert (seen.held, seen.overdue, codes(seen)) == (1, (), [])


def test_each_stage_of_the_outbox_is_told_apart(db: Database) -> None:
    beat(db)
    write(db, "waits", due_at=NOW + HOUR)
    write(db, "just-due")
    write(db, "late", due_at=NOW - LATE)
    write(db, "in-hand", claim="x", due_at=NOW + MINUTE, attempts=1)
    write(db, "lease-over", claim="x", due_at=NOW - HOUR, attempts=1)
    write(db, "given-up", due_at=None, error='{"code": "refused"}')
    write(db, "given-up-long-ago", NOW - 30 * DAY, due_at=None, error='{"code": "refused"}')
    write(db, "arrived", due_at=None, done_at=NOW)
    write(db, "arrived-long-ago", due_at=None, done_at=NOW - 2 * DAY)
    seen = look(db)
    assert seen.counts == {"waiting": 2, "running": 1, "late": 2, "failed": 1, "done": 1}
    assert [line.stage for line in seen.sendings] == ["late", "late", "failed", "running", "waiting", "waiting"]
    (alarm,) = seen.alarms
    assert (alarm.code, alarm.count, alarm.since) == ("posts-late", 2, NOW - HOUR)
    assert seen.sendings[2].error == {"code": "refused"}


def test_what_was_given_up_is_tried_again_at_the_hosts_word(db: Database) -> None:
    write(db, "given-up", due_at=None, error='{"code": "refused"}', attempts=6)
    (line,) = look(db).sendings
    overview.send_again(db, line.id, NOW)
    (line,) = look(db).sendings
    assert (line.stage, line.attempts) == ("waiting", 0)
    errand = outbox.claim(db, NOW)
    assert errand is not None
    assert errand.id == line.id
    with pytest.raises(RefereeError, match="no-page"):
        overview.send_again(db, line.id, NOW)


def test_the_lists_are_bounded(db: Database) -> None:
    rows = [
        {"key": f"k{n}", "mark": f"m{n}", "what": "turn", "facts": "{}", "created_at": NOW, "due_at": NOW} for n in range(60)
    ]
    with db.write() as session:
        session.execute(insert(OUTBOX), rows)
    seen = look(db)
    assert len(seen.sendings) == overview.SHOWN
    assert seen.counts["waiting"] == 60
