"""Notices: who is told, once, when it suits him, and nothing that only one side knows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from app.referee import masters, notices, publication, rows
from app.reports.noticewords import CODES, TOPICS
from app.store.db import Database
from app.store.models import OUTBOX, SEATS, SUBSCRIPTIONS
from tests.referee.table import Table, lay
from tests.times import NOW

FACTS: dict[str, Any] = {
    "deadline": NOW + timedelta(days=2),
    "old": NOW + timedelta(days=1),
    "new": NOW + timedelta(days=2),
    "until": None,
    "seat": "A",
    "other": "B",
    "whom": "A",
    "count": 2,
    "hours": 24,
    "reason": "A die fell off the table",
}


def subscribe(db: Database, battle_id: str, seat: str | None, **given: Any) -> int:
    values = {
        "role": "seat" if seat else "master",
        "battle_id": battle_id,
        "seat": seat,
        "generation": 1,
        "kind": "mail",
        "place": "a@example.org",
        "target": "{}",
        "language": "en",
        "zone": "UTC",
        "topics": rows.dumps(sorted(TOPICS)),
        "token": f"{battle_id}-{seat}-{sorted(given.items())!r}"[:64],
        "created_at": NOW,
        **given,
    }
    with db.write() as session:
        made: int = session.execute(insert(SUBSCRIPTIONS).values(**values).returning(SUBSCRIPTIONS.c.id)).scalar_one()
    return made


def tell(table: Table, what: str, now: datetime = NOW, **given: Any) -> None:
    given = {"key": f"{what}/1", "facts": {name: FACTS[name] for name in CODES[what].facts}, **given}
    with table.db.write() as session:
        notices.tell(session, rows.battle_row(session, table.id), what, now, **given)


def told(db: Database) -> dict[int, list[datetime]]:
    """When what is due, by subscription."""
    found: dict[int, list[datetime]] = {}
    with db.read() as session:
        for row in session.execute(select(OUTBOX).where(OUTBOX.c.what == "notice").order_by(OUTBOX.c.id)):
            found.setdefault(row.subscription_id, []).append(row.due_at)
    return found


def test_all_who_subscribed_are_told_in_the_transaction_of_what_it_tells(db: Database) -> None:
    table = lay(db)
    seat, master = subscribe(db, table.id, "A"), subscribe(db, table.id, None)
    subscribe(db, lay(db).id, "A")
    with db.write() as session:
        notices.tell(session, rows.battle_row(session, table.id), "held", NOW, facts={"until": None}, key="held/1")
        session.rollback()
    assert told(db) == {}
    tell(table, "held")
    assert told(db) == {seat: [NOW], master: [NOW]}


def test_only_the_seats_named_are_told_and_masters_where_it_is_said(db: Database) -> None:
    table = lay(db)
    north, south, master = (subscribe(db, table.id, seat) for seat in ("A", "B", None))
    tell(table, "reminder", seats={"B"})
    assert set(told(db)) == {south}
    tell(table, "all-ready", seats=(), masters=True)
    assert set(told(db)) == {south, master}
    tell(table, "held", seats=["A"], masters=True)
    assert {who: len(lines) for who, lines in told(db).items()} == {south: 1, master: 2, north: 1}


def test_a_key_is_told_once_to_each(db: Database) -> None:
    table = lay(db)
    subscribe(db, table.id, "A")
    for _ in range(2):
        tell(table, "held", key="held/1")
        tell(table, "held", key="x" * 300)
    assert [len(lines) for lines in told(db).values()] == [2]


def test_who_is_not_confirmed_or_did_not_choose_it_or_holds_an_old_key_is_not_told(db: Database) -> None:
    table = lay(db)
    subscribe(db, table.id, "A", confirm="c")
    subscribe(db, table.id, "A", topics='["messages"]')
    subscribe(db, table.id, "A", stopped='{"code":"x"}')
    old = subscribe(db, table.id, "B")
    tell(table, "turn-opened")
    assert set(told(db)) == {old}
    with db.write() as session:
        session.execute(update(SEATS).where(SEATS.c.seat == "B").values(key_generation=2))
    tell(table, "turn-opened", key="turn-opened/2")
    assert len(told(db)[old]) == 1


def test_what_is_told_with_other_facts_than_the_code_has_is_a_bug(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    with pytest.raises(ValueError, match="paused is told with"):
        tell(table, "paused", facts={"until": None, "orders": "secret"})


def test_a_seat_that_changes_hands_takes_its_subscriptions_and_what_waits_for_them(db: Database) -> None:
    table = lay(db)
    subscribe(db, table.id, "A")
    south = subscribe(db, table.id, "B")
    tell(table, "held")
    with db.write() as session:
        notices.forget(session, table.id, seat="A")
    assert set(told(db)) == {south}
    with db.read() as session:
        assert session.execute(select(SUBSCRIPTIONS.c.id)).scalars().all() == [south]


@pytest.mark.parametrize(
    ("wishes", "now", "due"),
    [
        ({}, "2026-11-30T23:00", "2026-11-30T23:00"),
        ({"digest_hour": 7}, "2026-11-30T23:00", "2026-12-01T07:00"),
        ({"digest_hour": 7, "zone": "Europe/Moscow"}, "2026-11-30T23:00", "2026-12-01T04:00"),
        ({"digest_hour": 7}, "2026-11-30T07:00", "2026-12-01T07:00"),
        ({"quiet_from": 22 * 60, "quiet_to": 7 * 60}, "2026-11-30T22:00", "2026-12-01T07:00"),
        ({"quiet_from": 22 * 60, "quiet_to": 7 * 60}, "2026-12-01T06:59", "2026-12-01T07:00"),
        ({"quiet_from": 22 * 60, "quiet_to": 7 * 60}, "2026-12-01T07:00", "2026-12-01T07:00"),
        ({"quiet_from": 60, "quiet_to": 120}, "2026-12-01T01:30", "2026-12-01T02:00"),
        ({"quiet_from": 60, "quiet_to": 60}, "2026-12-01T01:00", "2026-12-01T01:00"),
        ({"digest_hour": 3, "quiet_from": 0, "quiet_to": 450}, "2026-11-30T20:00", "2026-12-01T07:30"),
        # 29 March 2026: Berlin has no 02:30; 25 October: it has 02:30 twice
        ({"zone": "Europe/Berlin", "quiet_from": 0, "quiet_to": 150}, "2026-03-29T00:30", "2026-03-29T01:30"),
        ({"zone": "Europe/Berlin", "quiet_from": 0, "quiet_to": 420}, "2026-10-24T23:00", "2026-10-25T06:00"),
        ({"zone": "Europe/Berlin", "digest_hour": 8}, "2026-03-28T12:00", "2026-03-29T06:00"),
    ],
)
def test_it_is_due_when_it_suits(sqlite_db: Database, wishes: dict[str, Any], now: str, due: str) -> None:
    table = lay(sqlite_db)
    one = subscribe(sqlite_db, table.id, "A", **wishes)
    tell(table, "held", datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert told(sqlite_db)[one] == [datetime.fromisoformat(due).replace(tzinfo=UTC)]


@pytest.mark.parametrize(("hours", "at_once"), [(4, True), (9, True), (10, False)])
def test_a_reminder_is_not_held_back_beyond_its_deadline(sqlite_db: Database, hours: int, at_once: bool) -> None:
    table, now = lay(sqlite_db), datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
    one = subscribe(sqlite_db, table.id, "A", quiet_from=22 * 60, quiet_to=7 * 60)
    tell(table, "reminder", now, facts={"seat": "A", "deadline": now + timedelta(hours=hours)})
    assert told(sqlite_db)[one] == [now if at_once else now + timedelta(hours=9)]


def codes(db: Database, subscription_id: int) -> list[str]:
    with db.read() as session:
        lines = select(OUTBOX.c.facts).where(OUTBOX.c.subscription_id == subscription_id).order_by(OUTBOX.c.id)
        return [rows.loads(facts)["code"] for facts in session.execute(lines).scalars()]


def test_a_resolved_turn_is_told_with_the_next_one_and_a_draft_only_when_it_is_published(db: Database) -> None:
    table, under_review = lay(db), lay(db, review=True)
    one, other = subscribe(db, table.id, "A"), subscribe(db, under_review.id, "A")
    table.resolve()
    under_review.resolve()
    assert codes(db, one) == ["turn-published", "turn-opened"]
    assert codes(db, other) == []
    publication.publish(db, under_review.id, under_review.master, turn=1, now=NOW)
    assert codes(db, other) == ["turn-published", "turn-opened"]


def test_the_last_turn_tells_that_the_battle_is_over(db: Database) -> None:
    table = lay(db, scenario={"goal": 1})
    one = subscribe(db, table.id, "A")
    while table.show().status == "open":
        for seat in table.seats:
            if table.show().status == "open":
                table.enter(seat, 6)
                table.ready(seat)
    assert codes(db, one)[-2:] == ["turn-published", "battle-over"]


def test_the_game_master_is_told_once_that_all_are_ready_and_nobody_resolves(db: Database) -> None:
    table = lay(db, early=False)
    seat, master = subscribe(db, table.id, "A"), subscribe(db, table.id, None)
    for name in table.seats:
        table.enter(name, 3)
        assert codes(db, master) == []
        table.ready(name)
    table.ready("A", is_ready=False)
    table.ready("A")
    assert codes(db, master) == ["all-ready"]
    assert codes(db, seat) == []


def test_a_game_master_who_goes_is_told_no_more_and_leaves_nothing_to_his_successor(db: Database) -> None:
    table = lay(db)
    helper = {"own_key": table.new.master_key, "now": NOW}
    masters.add(db, table.id, table.master, name="Boris", **helper)
    one = subscribe(db, table.id, None, generation=2)
    tell(table, "held")
    assert codes(db, one) == ["held"]
    masters.remove(db, table.id, table.master, 2, NOW)
    masters.add(db, table.id, table.master, name="Vera", **helper)
    tell(table, "held", key="held/2")
    assert told(db) == {}


def test_what_one_seat_enters_is_told_to_no_other(db: Database) -> None:
    table = lay(db)
    one = subscribe(db, table.id, "A")
    for number in (1, 2):
        table.enter("B", number)
        table.ready("B")
        table.ready("B", is_ready=False)
    assert codes(db, one) == []
