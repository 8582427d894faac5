"""A battle's time: schedules kept, deadlines moved, pauses, reminders, grace; who is told of what."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, select, update

from app.referee import (
    battles,
    clock,
    deadlines,
    orders,
    pausing,
    programs,
    publication,
    rewinding,
    schedule,
    seen,
    timing,
    turns,
)
from app.referee.errors import RefereeError
from app.referee.options import Options
from app.referee.rows import battle_row
from app.referee.schedule import Schedule, made
from app.referee.views import Viewer
from app.rulesets.registry import RULESETS
from app.store.db import Database
from app.store.models import OUTBOX, SUBSCRIPTIONS, Battle, Master, Reminder
from tests.referee.table import Table, everything, lay
from tests.times import DAY, HOUR, NOW

MINUTE = timedelta(minutes=1)
OUTAGE = 15 * MINUTE
WEEKLY = made(times=["tue 21:00", "fri 21:00"])
FIRST, SECOND, THIRD = (datetime.fromisoformat(f"2026-12-0{day}T18:00+00:00") for day in (1, 4, 8))


def sweep(table: Table, now: datetime) -> int:
    return deadlines.sweep(table.db, now, outage=OUTAGE)


def awake(table: Table, since: datetime, until: datetime) -> None:
    while since < until:
        sweep(table, since)
        since += 5 * MINUTE
    sweep(table, until)


def subscribe(table: Table, *seats: str) -> None:
    """Each seat, and the game master, by a webhook that nobody ever calls."""
    with table.db.write() as session:
        for number, seat in enumerate((*seats, None)):
            values: dict[str, Any] = {
                "role": "seat" if seat else "master",
                "battle_id": table.id,
                "seat": seat,
                "generation": 1,
                "kind": "webhook",
                "place": "here.example",
                "target": "{}",
                "language": "en",
                "zone": "UTC",
                "topics": '["turns","reminders"]',
                "token": f"{table.id}-{number}",
                "created_at": NOW,
            }
            session.execute(insert(SUBSCRIPTIONS).values(**values))


def told(table: Table, what: str) -> list[tuple[str | None, dict[str, Any]]]:
    """Notices of a kind: to which seat (None: the game master), with what facts."""
    with table.db.read() as session:
        rows = session.execute(
            select(SUBSCRIPTIONS.c.seat, OUTBOX.c.facts)
            .join(SUBSCRIPTIONS, SUBSCRIPTIONS.c.id == OUTBOX.c.subscription_id)
            .where(OUTBOX.c.battle_id == table.id)
            .order_by(OUTBOX.c.id)
        ).all()
    found = [(seat, msgspec.json.decode(facts)) for seat, facts in rows]
    return [(seat, {k: v for k, v in facts.items() if k != "code"}) for seat, facts in found if facts["code"] == what]


def plays(table: Table, *, is_playing: bool = True) -> Viewer:
    """The game master, marked as one who plays."""
    with table.db.write() as session:
        session.execute(update(Master).where(Master.battle_id == table.id).values(plays=is_playing))
    return _playing(table.master, is_playing)


def _playing(viewer: Viewer, is_playing: bool) -> Viewer:
    return replace(viewer, plays=is_playing)


def last_log(table: Table) -> tuple[str, str, dict[str, Any]]:
    line = table.show().log[-1]
    return line.who, line.what, dict(line.params)


# Schedules


def test_a_schedule_is_kept_early_late_and_over_a_review(db: Database) -> None:
    table = lay(db, planned=WEEKLY, zone="Europe/Moscow")
    assert table.show().deadline == FIRST
    for seat in "ABC":
        table.enter(seat, 3, ready=True, now=NOW + HOUR)
    assert (table.show().turn, table.show().deadline) == (2, SECOND)
    awake(table, SECOND - HOUR, SECOND + MINUTE)
    assert (table.show().turn, table.show().deadline) == (3, THIRD)
    reviewed = lay(db, planned=WEEKLY, zone="Europe/Moscow", review=True)
    reviewed.resolve(FIRST + MINUTE)
    assert reviewed.show().ahead[0] == SECOND
    publication.publish(db, reviewed.id, reviewed.master, turn=1, now=FIRST + 10 * HOUR)
    assert reviewed.show().deadline == SECOND


def test_hours_keep_to_their_grid_over_a_review(db: Database) -> None:
    table = lay(db, turn_hours=72, review=True)
    table.resolve(NOW + 72 * HOUR + MINUTE)
    publication.publish(db, table.id, table.master, turn=1, now=NOW + 90 * HOUR)
    assert table.show().deadline == NOW + 144 * HOUR


def test_a_first_deadline_of_ones_own_is_followed_by_the_schedule(db: Database) -> None:
    table = lay(db, planned=WEEKLY, zone="Europe/Moscow", deadline=NOW + 3 * DAY)
    assert (table.show().deadline, table.show().ahead[0]) == (NOW + 3 * DAY, SECOND)
    late = lay(db, planned=WEEKLY, zone="Europe/Moscow", deadline=SECOND)
    assert late.show().ahead[0] == THIRD


def test_a_schedule_is_changed_from_the_next_turn_or_at_once(db: Database) -> None:
    table = lay(db, turn_hours=48)
    subscribe(table, "A")
    timing.set_schedule(db, table.id, table.master, WEEKLY, NOW, zone="Europe/Moscow")
    shown = table.show()
    assert (shown.deadline, shown.schedule, shown.zone, shown.turn_hours) == (NOW + 48 * HOUR, WEEKLY, "Europe/Moscow", None)
    assert shown.ahead[0] == SECOND
    who, what, params = last_log(table)
    assert (who, what) == ("master", "schedule-set")
    assert params["was"] == {"hours": 48, "times": [], "skip": [], "zone": "UTC"}
    assert params["is"]["times"] == ["tue 21:00", "fri 21:00"]
    timing.set_schedule(db, table.id, table.master, WEEKLY, NOW, at_once=True)
    assert table.show().deadline == FIRST
    assert [seat for seat, _ in told(table, "schedule-changed")] == ["A", None]
    assert last_log(table)[1:] == ("deadline-set", {"old": "2026-12-02T12:00:00Z", "new": "2026-12-01T18:00:00Z"})
    before = everything(db)
    timing.set_schedule(db, table.id, table.master, WEEKLY, NOW)
    assert everything(db) == before
    timing.set_schedule(db, table.id, table.master, Schedule(), NOW)
    assert (table.show().deadline, table.show().ahead) == (FIRST, ())


def test_the_master_alone_changes_it_and_never_to_one_that_does_not_come(db: Database) -> None:
    table = lay(db, turn_hours=48)
    for viewer in (Viewer(), table.seats["A"], lay(db).master):
        with pytest.raises(RefereeError, match="not-yours"):
            timing.set_schedule(db, table.id, viewer, WEEKLY, NOW)
        for verb in (pausing.pause, pausing.go_on):
            with pytest.raises(RefereeError, match="not-yours"):
                verb(db, table.id, viewer, NOW)
        with pytest.raises(RefereeError, match="not-yours"):
            timing.extend(db, table.id, viewer, HOUR, NOW)
    never = made(times=["tue 21:00"], skip=["2026-01-01/2040-01-01"])
    with pytest.raises(RefereeError, match="bad-schedule"):
        timing.set_schedule(db, table.id, table.master, never, NOW)
    with pytest.raises(RefereeError, match="bad-deadline"):
        timing.set_schedule(db, table.id, table.master, WEEKLY, NOW, zone="Mars/Olympus")
    with pytest.raises(RefereeError, match="bad-schedule"):
        lay(db, planned=never)


class _Law:
    """`moment` by a law that was made after the deadline was computed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, shift: timedelta) -> None:
        real = schedule.moment
        monkeypatch.setattr(schedule, "moment", lambda wall, zone: real(wall, zone) + shift)


@pytest.mark.parametrize("shift", [HOUR, -HOUR])
def test_a_stored_wall_time_follows_the_zones_law(db: Database, monkeypatch: pytest.MonkeyPatch, shift: timedelta) -> None:
    table, by_hand = lay(db, planned=WEEKLY, zone="Europe/Moscow"), lay(db, planned=WEEKLY, zone="Europe/Moscow")
    battles.set_deadline(db, by_hand.id, by_hand.master, FIRST + MINUTE, NOW)
    subscribe(table, "A")
    sweep(table, NOW)
    assert table.show().deadline == FIRST
    _Law(monkeypatch, shift)
    sweep(table, NOW + 5 * MINUTE)
    assert (table.show().deadline, by_hand.show().deadline) == (FIRST + shift, FIRST + MINUTE)
    assert last_log(table)[:2] == ("clock", "zone-changed")
    assert [seat for seat, _ in told(table, "deadline-moved")] == ["A", None]
    before = table.show().version
    sweep(table, NOW + 10 * MINUTE)
    assert table.show().version == before


# Moving a deadline


def test_extended_and_brought_forward_told_to_all_with_old_and_new(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    subscribe(table, "A", "B")
    timing.extend(db, table.id, table.master, 12 * HOUR, NOW, reason="A holiday.")
    assert table.show().deadline == NOW + 36 * HOUR
    assert last_log(table) == (
        "master",
        "extended",
        {"old": "2026-12-01T12:00:00Z", "new": "2026-12-02T00:00:00Z", "reason": "A holiday."},
    )
    timing.extend(db, table.id, table.master, -30 * HOUR, NOW)
    assert table.show().deadline == NOW + 6 * HOUR
    assert last_log(table)[1] == "shortened"
    facts = [{"old": "2026-12-01T12:00:00Z", "new": "2026-12-02T00:00:00Z"}]
    facts += [{"old": "2026-12-02T00:00:00Z", "new": "2026-11-30T18:00:00Z"}]
    assert told(table, "deadline-moved") == [(seat, fact) for fact in facts for seat in ("A", "B", None)]


def test_a_deadline_that_is_set_to_what_it_is_is_no_news(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    subscribe(table, "A")
    before = everything(db)
    timing.set_deadline(db, table.id, table.master, NOW + DAY, NOW)
    assert everything(db) == before


@pytest.mark.parametrize("by", [timedelta(), -DAY, -2 * DAY, 366 * 25 * DAY])
def test_a_deadline_is_not_moved_to_where_none_can_be(db: Database, by: timedelta) -> None:
    table = lay(db, deadline=NOW + DAY)
    before = everything(db)
    with pytest.raises(RefereeError, match="bad-deadline"):
        timing.extend(db, table.id, table.master, by, NOW)
    assert everything(db) == before


def test_what_is_not_there_is_not_extended(db: Database) -> None:
    table = lay(db)
    with pytest.raises(RefereeError, match="no-deadline"):
        timing.extend(db, table.id, table.master, HOUR, NOW)
    reviewed = lay(db, review=True)
    reviewed.resolve()
    for verb in (pausing.pause, lambda *a: timing.extend(db, reviewed.id, reviewed.master, HOUR, NOW)):
        with pytest.raises(RefereeError, match="closed"):
            verb(db, reviewed.id, reviewed.master, NOW)
    with pytest.raises(RefereeError, match="bad-reason"):
        pausing.pause(db, table.id, table.master, NOW, reason="x" * 3000)


# Pauses


def test_a_pause_gives_back_exactly_what_was_left(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY, turn_hours=24)
    subscribe(table, "A")
    begun = NOW + HOUR + timedelta(microseconds=7)
    assert pausing.pause(db, table.id, table.master, begun, reason="Ill.")
    shown = table.show()
    assert (shown.status, shown.deadline, shown.ahead[0]) == ("paused", None, NOW + 2 * DAY)
    assert shown.pause is not None
    assert (shown.pause.until, shown.pause.left) == (None, NOW + DAY - begun)
    assert last_log(table)[1:] == ("paused", {"deadline": "2026-12-01T12:00:00Z", "until": None, "reason": "Ill."})
    awake(table, NOW + 3 * DAY, NOW + 3 * DAY + HOUR)
    assert (table.show().status, table.show().turn) == ("paused", 1)
    ended = NOW + 5 * DAY + timedelta(microseconds=3)
    pausing.go_on(db, table.id, table.master, ended)
    assert table.show().deadline == ended + (NOW + DAY - begun)
    assert (table.show().status, table.show().pause) == ("open", None)
    assert [seat for seat, _ in told(table, "paused")] == [seat for seat, _ in told(table, "resumed")] == ["A", None]
    with pytest.raises(RefereeError, match="not-open"):
        pausing.go_on(db, table.id, table.master, ended)


def test_a_pause_with_an_end_ends_at_it_however_late_it_is_seen(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    pausing.pause(db, table.id, table.master, NOW + HOUR, until=NOW + 3 * DAY)
    awake(table, NOW + 3 * DAY - 10 * MINUTE, NOW + 3 * DAY - MINUTE)
    assert table.show().status == "paused"
    sweep(table, NOW + 3 * DAY + 5 * MINUTE)
    assert (table.show().status, table.show().deadline) == ("open", NOW + 3 * DAY + 23 * HOUR)
    assert last_log(table)[:2] == ("clock", "resumed")


def test_a_pause_that_ended_in_an_outage_leaves_what_fell_due_held(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    pausing.pause(db, table.id, table.master, NOW + 23 * HOUR, until=NOW + 2 * DAY)
    sweep(table, NOW + DAY)
    assert sweep(table, NOW + 3 * DAY) == 0
    assert (table.show().status, table.show().deadline, table.show().turn) == ("held", NOW + 2 * DAY + HOUR, 1)


def test_orders_are_taken_in_a_pause_and_nothing_is_resolved(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    pausing.pause(db, table.id, table.master, NOW)
    for seat in "ABC":
        assert not table.enter(seat, 3, ready=True, now=NOW + 5 * DAY).resolved
    assert not turns.resolve_if_due(db, table.id, NOW + 5 * DAY)
    for act in (
        lambda: turns.resolve_now(db, table.id, table.master, turn=1, now=NOW),
        lambda: battles.set_deadline(db, table.id, table.master, NOW + DAY, NOW),
        lambda: timing.extend(db, table.id, table.master, HOUR, NOW),
        lambda: pausing.pause(db, table.id, table.master, NOW),
        lambda: timing.set_schedule(db, table.id, table.master, WEEKLY, NOW, at_once=True),
    ):
        with pytest.raises(RefereeError, match="paused"):
            act()
    pausing.go_on(db, table.id, table.master, NOW + 5 * DAY)
    assert (table.show().turn, table.show().turns[0].resolved_by) == (2, "ready")


def test_a_battle_without_a_deadline_is_paused_too(db: Database) -> None:
    table = lay(db)
    pausing.pause(db, table.id, table.master, NOW)
    for seat in "ABC":
        table.enter(seat, 3, ready=True)
    assert table.show().pause is not None
    assert table.show().pause.left is None  # type: ignore[union-attr]
    pausing.go_on(db, table.id, table.master, NOW + DAY)
    assert table.show().turn == 2


def test_who_plays_cannot_pause_alone(db: Database) -> None:
    """Seats A and C are of one side, B of the other."""
    table = lay(db, deadline=NOW + DAY)
    playing = plays(table)
    subscribe(table, "B")
    assert not pausing.pause(db, table.id, playing, NOW, until=NOW + 2 * DAY, reason="Away.")
    shown = table.show()
    assert (shown.status, shown.deadline) == ("open", NOW + DAY)
    assert shown.asked_pause is not None
    assert (shown.asked_pause.until, shown.asked_pause.sides) == (NOW + 2 * DAY, ())
    assert [seat for seat, _ in told(table, "pause-asked")] == ["B", None]
    for viewer in (playing, Viewer(), lay(db).master):
        with pytest.raises(RefereeError, match="not-yours"):
            pausing.answer_pause(db, table.id, viewer, NOW, agree=True)
    assert not pausing.answer_pause(db, table.id, table.seats["A"], NOW, agree=True)
    assert not pausing.answer_pause(db, table.id, table.seats["C"], NOW, agree=True)
    assert table.show().status == "open"
    assert pausing.answer_pause(db, table.id, table.seats["B"], NOW + HOUR, agree=True)
    shown = table.show()
    assert shown.pause is not None
    assert (shown.status, shown.pause.until, shown.pause.left) == ("paused", NOW + 2 * DAY, 23 * HOUR)
    assert [line.what for line in shown.log][-4:] == ["pause-asked", *["pause-agreed"] * 2, "paused"]


def test_who_plays_stops_the_clock_no_other_way_either(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    playing = plays(table)
    with pytest.raises(RefereeError, match="pause-instead"):
        timing.set_deadline(db, table.id, playing, None, NOW)
    timing.set_deadline(db, table.id, playing, NOW + 2 * DAY, NOW)
    assert table.show().deadline == NOW + 2 * DAY
    timing.set_deadline(db, table.id, _playing(table.master, False), None, NOW)
    timing.set_deadline(db, table.id, playing, None, NOW)


def test_a_side_that_programs_and_nobody_command_is_not_waited_for(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    programs.choose(db, table.id, "B", table.master, "random", NOW)
    pausing.pause(db, table.id, plays(table), NOW)
    assert pausing.answer_pause(db, table.id, table.seats["A"], NOW, agree=True)
    assert table.show().status == "paused"


def test_a_master_who_does_not_play_agrees_alone_and_anybody_may_decline(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    playing = plays(table)
    pausing.pause(db, table.id, playing, NOW)
    assert pausing.answer_pause(db, table.id, _playing(table.master, False), NOW, agree=True)
    pausing.go_on(db, table.id, table.master, NOW)
    for viewer in (table.seats["B"], playing):
        pausing.pause(db, table.id, playing, NOW)
        pausing.answer_pause(db, table.id, viewer, NOW, agree=False)
        assert table.show().asked_pause is None
        with pytest.raises(RefereeError, match="no-pause"):
            pausing.answer_pause(db, table.id, table.seats["A"], NOW, agree=True)


def test_what_was_asked_falls_with_its_turn_and_its_end(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    playing = plays(table)
    pausing.pause(db, table.id, playing, NOW)
    table.resolve()
    assert table.show().asked_pause is None
    with pytest.raises(RefereeError, match="no-pause"):
        pausing.answer_pause(db, table.id, table.seats["A"], NOW, agree=True)
    pausing.pause(db, table.id, playing, NOW, until=NOW + HOUR)
    pausing.answer_pause(db, table.id, table.seats["A"], NOW, agree=True)
    with pytest.raises(RefereeError, match="bad-deadline"):
        pausing.answer_pause(db, table.id, table.seats["B"], NOW + 2 * HOUR, agree=True)


# Reminders


def test_the_silent_are_reminded_once_and_nobody_else(db: Database) -> None:
    table = lay(db, deadline=NOW + 3 * DAY)
    subscribe(table, "A", "B", "C")
    table.enter("A", 3)
    table.ready("B")
    awake(table, NOW, NOW + 2 * DAY - 10 * MINUTE)
    assert told(table, "reminder") == []
    awake(table, NOW + 2 * DAY - 10 * MINUTE, NOW + 2 * DAY + HOUR)
    assert told(table, "reminder") == [("C", {"seat": "C", "deadline": "2026-12-03T12:00:00Z"})]
    awake(table, NOW + 2 * DAY + HOUR, NOW + 3 * DAY - MINUTE)
    assert len(told(table, "reminder")) == 1


def test_the_incomplete_are_reminded(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    table = lay(db, deadline=NOW + DAY)
    subscribe(table, "A")
    for seat in "ABC":
        table.enter(seat, 3)
    more = replace(table.show().ruleset, tally=lambda state, request, guess: (int(guess is not None), 2))
    monkeypatch.setitem(RULESETS, "guessing", more)
    with db.read() as session:
        assert clock.unfinished(session, battle_row(session, table.id)) == ("A", "B", "C")


def test_a_short_turn_is_not_reminded_before_its_half(db: Database) -> None:
    table = lay(db, deadline=NOW + 10 * HOUR)
    subscribe(table, "A")
    awake(table, NOW, NOW + 5 * HOUR - 5 * MINUTE)
    assert told(table, "reminder") == []
    awake(table, NOW + 5 * HOUR, NOW + 5 * HOUR + 5 * MINUTE)
    assert len(told(table, "reminder")) == 1


def test_nobody_is_reminded_where_the_master_wants_none(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY, options=Options(remind_hours=0))
    subscribe(table, "A")
    awake(table, NOW + 20 * HOUR, NOW + 21 * HOUR)
    assert told(table, "reminder") == []


def test_who_was_reminded_of_a_time_that_moved_is_told_and_reminded_anew(db: Database) -> None:
    table = lay(db, deadline=NOW + 2 * DAY)
    subscribe(table, "A", "B", "C")
    table.enter("A", 3)
    awake(table, NOW + DAY, NOW + DAY + HOUR)
    assert [seat for seat, _ in told(table, "reminder")] == ["B", "C"]
    table.enter("B", 3, now=NOW + DAY + HOUR)
    timing.extend(db, table.id, table.master, 2 * DAY, NOW + DAY + HOUR)
    moved = {"old": "2026-12-02T12:00:00Z", "deadline": "2026-12-04T12:00:00Z"}
    assert told(table, "reminder-corrected") == [("B", moved), ("C", moved)]
    assert [seat for seat, _ in told(table, "deadline-moved")] == ["A", "B", "C", None]
    awake(table, NOW + 3 * DAY, NOW + 3 * DAY + HOUR)
    assert [seat for seat, _ in told(table, "reminder")] == ["B", "C", "C"]
    assert len(told(table, "reminder-corrected")) == 2
    pausing.pause(db, table.id, table.master, NOW + 3 * DAY + HOUR)
    assert told(table, "reminder-corrected")[2:] == [("C", {"old": "2026-12-04T12:00:00Z", "deadline": None})]


def test_a_rewind_puts_right_what_was_said_and_reminds_anew(db: Database) -> None:
    table = lay(db, turn_hours=48)
    subscribe(table, "A")
    awake(table, NOW + 24 * HOUR, NOW + 25 * HOUR)
    assert len(told(table, "reminder")) == 1
    rewinding.rewind(db, table.id, table.master, to=1, reason="The map was wrong.", now=NOW + 25 * HOUR)
    assert table.show().deadline == NOW + 73 * HOUR
    moved = {"old": "2026-12-02T12:00:00Z", "deadline": "2026-12-03T13:00:00Z"}
    assert told(table, "reminder-corrected") == [("A", moved)]
    awake(table, NOW + 49 * HOUR, NOW + 50 * HOUR)
    assert told(table, "reminder")[-1] == ("A", {"seat": "A", "deadline": "2026-12-03T13:00:00Z"})


def test_two_servers_remind_once(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    subscribe(table, "A", "B", "C")
    _at_once(lambda: sweep(table, NOW + 20 * HOUR), lambda: sweep(table, NOW + 20 * HOUR))
    assert [seat for seat, _ in told(table, "reminder")] == ["A", "B", "C"]
    with db.read() as session:
        assert len(session.execute(select(Reminder.seats)).all()) == 1


# Outages


def test_a_held_battle_goes_on_by_itself_after_its_grace(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR, turn_hours=24, options=Options(grace_minutes=60))
    patient = lay(db, deadline=NOW + HOUR, turn_hours=24)
    subscribe(table, "A")
    sweep(table, NOW)
    assert sweep(table, NOW + 3 * HOUR) == 0
    assert (table.show().status, patient.show().status) == ("held", "held")
    assert [seat for seat, _ in told(table, "held")] == ["A", None]
    table.enter("A", 3, now=NOW + 3 * HOUR)
    awake(table, NOW + 3 * HOUR, NOW + 4 * HOUR - MINUTE)
    assert table.show().status == "held"
    assert sweep(table, NOW + 4 * HOUR) == 1
    shown = table.show()
    assert (shown.status, shown.turn, shown.deadline) == ("open", 2, NOW + 25 * HOUR)
    assert shown.turns[0].resolved_by == "deadline"
    assert [line.what for line in shown.log][-2:] == ["gone-on-by-itself", "resolved"]
    assert [seat for seat, _ in told(table, "gone-on")] == ["A", None]
    assert (patient.show().status, patient.show().turn) == ("held", 1)


def test_the_masters_word_comes_before_the_grace(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR, options=Options(grace_minutes=60))
    sweep(table, NOW)
    sweep(table, NOW + 3 * HOUR)
    timing.extend(db, table.id, table.master, 2 * DAY, NOW + 3 * HOUR)
    awake(table, NOW + 3 * HOUR, NOW + 5 * HOUR)
    assert (table.show().status, table.show().turn, table.show().deadline) == ("open", 1, NOW + 2 * DAY + HOUR)


# Races


def _at_once(*acts: Any) -> list[Any]:
    """All acts in threads of their own; what each returned or raised."""
    together = threading.Barrier(len(acts))
    found: list[Any] = [None] * len(acts)

    def run(place: int, act: Any) -> None:
        together.wait()
        try:
            found[place] = act()
        except Exception as failure:
            found[place] = failure

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize("_round", range(4))
def test_a_pause_a_sweep_and_the_last_to_be_ready_meet_and_one_of_them_is_first(db: Database, _round: int) -> None:
    table = lay(db, deadline=NOW + HOUR)
    sweep(table, NOW + 50 * MINUTE)
    for seat in "AB":
        table.enter(seat, 3, ready=True)
    table.enter("C", 3)
    results = _at_once(
        lambda: pausing.pause(db, table.id, table.master, NOW + 59 * MINUTE),
        lambda: sweep(table, NOW + HOUR),
        lambda: orders.set_ready(db, table.id, "C", table.seats["C"], turn=1, ready=True, now=NOW + 59 * MINUTE),
    )
    shown = table.show()
    resolved = [line for line in shown.log if line.what == "resolved"]
    if shown.turn == 1:
        assert (shown.status, resolved) == ("paused", [])
        assert results[0] is True
    else:
        assert (shown.turn, len(resolved)) == (2, 1)
        assert shown.status == ("paused" if results[0] is True else "open")
    assert all(not isinstance(r, Exception) or isinstance(r, RefereeError) for r in results), results


@pytest.mark.parametrize("_round", range(3))
def test_a_pause_ends_once_whoever_ends_it(db: Database, _round: int) -> None:
    table = lay(db, deadline=NOW + DAY)
    pausing.pause(db, table.id, table.master, NOW, until=NOW + HOUR)
    results = _at_once(
        lambda: pausing.go_on(db, table.id, table.master, NOW + HOUR),
        lambda: sweep(table, NOW + HOUR),
        lambda: sweep(table, NOW + HOUR),
    )
    assert [line.what for line in table.show().log].count("resumed") == 1
    assert table.show().deadline == NOW + DAY + HOUR
    assert all(not isinstance(r, Exception) or isinstance(r, RefereeError) for r in results), results


# The rows


def test_a_row_that_was_made_before_schedules_goes_on(db: Database) -> None:
    moved = lay(db, planned=WEEKLY, zone="Europe/Moscow")
    with db.write() as session:
        session.execute(
            update(Battle).where(Battle.id == moved.id).values(turn_hours=24, schedule=None, slot=None, slot_due=None)
        )
    turns.resolve_if_due(db, moved.id, FIRST)
    assert moved.show().deadline == FIRST + DAY


def test_a_form_that_is_sent_twice_moves_the_deadline_once(db: Database) -> None:
    table = lay(db, turn_hours=24)
    before = seen.time(table.show())
    timing.extend(db, table.id, table.master, 24 * HOUR, NOW, before=before)
    with pytest.raises(RefereeError, match="stale"):
        timing.extend(db, table.id, table.master, 24 * HOUR, NOW, before=before)
    with pytest.raises(RefereeError, match="stale"):
        timing.set_deadline(db, table.id, table.master, None, NOW, before=before)
    assert table.show().deadline == NOW + 2 * DAY
    before = seen.time(table.show())
    table.resolve()
    with pytest.raises(RefereeError, match="stale"):
        timing.extend(db, table.id, table.master, 24 * HOUR, NOW, before=before)
