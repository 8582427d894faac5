"""Silence, leave, deputies, doctrine, programs; who holds a seat."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from app.referee import (
    accounts,
    archive,
    battles,
    deadlines,
    doctrines,
    exporting,
    holding,
    importing,
    keys,
    leave,
    moderation,
    orders,
    programs,
    publication,
    rewinding,
    seating,
    subscriptions,
    turns,
    verification,
)
from app.referee.errors import RefereeError
from app.referee.leave import Deputy
from app.referee.options import Options
from app.referee.views import PUBLIC, SeatView, Viewer
from app.store.db import Database
from app.store.models import BATTLES, SEATS, SHEETS, SUBSCRIPTIONS, Master
from tests.referee.table import Table, everything, lay
from tests.referee.test_timing import subscribe, told
from tests.times import DAY, HOUR, NOW

MINUTE = timedelta(minutes=1)
OUTAGE = timedelta(minutes=15)


def awake(table: Table, since: datetime, until: datetime) -> None:
    """The clock goes on without an outage."""
    while since < until:
        deadlines.sweep(table.db, since, outage=OUTAGE)
        since += 5 * MINUTE
    deadlines.sweep(table.db, until, outage=OUTAGE)


def seat(table: Table, name: str, now: datetime = NOW) -> SeatView:
    return next(one for one in table.show(now=now).seats if one.seat == name)


def said(table: Table, what: str) -> list[dict[str, Any]]:
    """The lines of the log of one kind."""
    return [dict(line.params) for line in moderation.log(table.db, table.id) if line.what == what]


def refused(code: str) -> Any:
    return pytest.raises(RefereeError, match=f"^{code}$")


def by_key(table: Table, key: str, now: datetime = NOW) -> Viewer:
    return keys.viewer_by_key(table.db, key, now)


def signed_up(db: Database, name: str = "Dora") -> Viewer:
    account = accounts.sign_up(db, name, "correct horse battery", NOW, language="en")
    return Viewer("account", account_id=account, name=name)


def record(table: Table, turn: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = publication.record(table.db, table.id, turn, PUBLIC)
    return found


def holds(told_of: dict[str, Any]) -> bool:
    return all(finding.holds for finding in verification.verify(told_of))


# Silence


def test_a_silent_seat_has_one_extension_in_a_battle_told_with_old_and_new_time(db: Database) -> None:
    table = lay(db, turn_hours=24, early=False, options=Options(extend_hours=12))
    subscribe(table, "A", "B")
    for turn in (1, 2):
        for name in "AB":
            table.enter(name, 1, now=NOW + (turn - 1) * DAY + HOUR)
        if turn == 1:
            awake(table, NOW + DAY - HOUR, NOW + DAY)
            shown = table.show(now=NOW + DAY)
            assert (shown.turn, shown.deadline) == (1, NOW + 36 * HOUR)
            assert said(table, "extended-for-silence") == [
                {"old": "2026-12-01T12:00:00Z", "new": "2026-12-02T00:00:00Z", "seats": ["C"]}
            ]
            moved = {"old": "2026-12-01T12:00:00Z", "new": "2026-12-02T00:00:00Z"}
            assert told(table, "deadline-moved") == [("A", moved), ("B", moved), (None, moved)]
            awake(table, NOW + DAY + 5 * MINUTE, NOW + 36 * HOUR)
            assert table.show(now=NOW + 36 * HOUR).turn == 2
    deadline = table.show(now=NOW + 36 * HOUR).deadline
    assert deadline is not None
    awake(table, NOW + 36 * HOUR + 5 * MINUTE, deadline)
    assert table.show(now=deadline).turn == 3
    assert len(said(table, "extended-for-silence")) == 1


def test_nobody_is_extended_for_who_is_ready_has_entered_or_has_no_holder(db: Database) -> None:
    table = lay(db, turn_hours=24, early=False, options=Options(extend_hours=12))
    table.enter("A", 1)
    table.ready("B")
    seating.remove(db, table.id, "C", table.master, orders="keep", now=NOW)
    assert turns.resolve_if_due(db, table.id, NOW + DAY)
    without = lay(db, turn_hours=24)
    assert turns.resolve_if_due(db, without.id, NOW + DAY)
    late = lay(db, turn_hours=24, options=Options(extend_hours=12))
    assert turns.resolve_if_due(db, late.id, NOW + 3 * DAY)
    with db.read() as session:
        spent = session.execute(select(SEATS.c.extended_turn).where(SEATS.c.battle_id == late.id)).scalars().all()
    assert spent == [None, None, None]


def test_an_extension_a_last_answer_and_the_clock_at_once_resolve_a_turn_once(db: Database) -> None:
    table = lay(db, turn_hours=24, options=Options(extend_hours=12))
    table.enter("A", 1, ready=True)
    table.enter("B", 1, ready=True)
    deadline = NOW + DAY
    start = threading.Barrier(5)
    failed: list[Exception] = []

    def sweep() -> None:
        start.wait()
        try:
            turns.resolve_if_due(db, table.id, deadline)
        except Exception as failure:
            failed.append(failure)

    def answer() -> None:
        start.wait()
        try:
            table.enter("C", 1, ready=True, now=deadline, turn=1, revision=0)
        except RefereeError as failure:
            if failure.code not in ("closed", "stale"):
                failed.append(failure)

    threads = [threading.Thread(target=sweep) for _ in range(4)] + [threading.Thread(target=answer)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(said(table, "extended-for-silence")) == 1
    shown = table.show(now=deadline)
    assert (shown.turn, shown.deadline) in [(1, NOW + 36 * HOUR), (2, NOW + 60 * HOUR)]
    assert len(said(table, "resolved")) == shown.turn - 1


def test_a_seat_is_offered_after_so_many_silent_turns_in_a_row_and_kept_by_a_word(db: Database) -> None:
    table = lay(db, turn_hours=24, early=False, options=Options(offer_after=2))
    subscribe(table, "A")
    with db.write() as session:
        session.execute(update(SUBSCRIPTIONS).values(topics='["people"]'))
    for turn in (1, 2):
        at = NOW + turn * DAY
        table.enter("A", 1, now=at - HOUR)
        if turn == 1:
            table.enter("B", 1, now=at - HOUR)
        awake(table, at - MINUTE, at)
    assert seat(table, "C").offered_at == NOW + 2 * DAY
    assert (seat(table, "A").offered_at, seat(table, "B").offered_at) == (None, None)
    assert told(table, "seat-offered") == [("A", {"seat": "C"}), (None, {"seat": "C"})]
    table.enter("C", 1, now=NOW + 2 * DAY + HOUR)
    assert seat(table, "C").offered_at is None
    assert said(table, "seat-not-offered") == [{"seat": "C"}]


def test_a_turn_cut_short_and_a_rewind_are_held_against_nobody(db: Database) -> None:
    table = lay(db, turn_hours=24, options=Options(offer_after=2))
    for _ in range(3):
        table.resolve(NOW + HOUR)
    assert seat(table, "C").offered_at is None
    by_hand = lay(db, options=Options(offer_after=2))
    by_hand.resolve()
    rewinding.rewind(db, by_hand.id, by_hand.master, to=1, reason="Again", now=NOW)
    by_hand.resolve()
    assert seat(by_hand, "C").offered_at is None
    by_hand.resolve()
    assert seat(by_hand, "C").offered_at == NOW


def test_a_game_master_offers_and_withdraws_and_that_stays_whatever_the_holder_enters(db: Database) -> None:
    table = lay(db)
    for who in (PUBLIC, table.seats["A"], lay(db).master):
        with refused("not-yours"):
            seating.offer(db, table.id, "A", who, NOW)
    seating.offer(db, table.id, "A", table.master, NOW)
    table.enter("A", 1)
    assert seat(table, "A").offered_at == NOW
    seating.withdraw(db, table.id, "A", table.master, NOW)
    assert seat(table, "A").offered_at is None


# Leave


def on_leave(
    table: Table, deputy: Deputy, *, since: timedelta = DAY, until: timedelta = 3 * DAY, now: datetime = NOW
) -> str:
    key = leave.take(
        table.db,
        table.id,
        "A",
        table.seats["A"],
        begins=NOW + since,
        ends=NOW + until,
        zone="Europe/Moscow",
        deputy=deputy,
        now=now,
    )
    return key or ""


def test_a_deputy_by_link_gets_the_seat_for_exactly_his_time(db: Database) -> None:
    table = lay(db)
    subscribe(table, "B")
    with db.write() as session:
        session.execute(update(SUBSCRIPTIONS).values(topics='["people"]'))
    key = on_leave(table, Deputy("link", "Dora"))
    for early in (NOW, NOW + DAY - MINUTE):
        with refused("not-now"):
            by_key(table, key, early)
    with refused("no-key"):
        keys.viewer_by_key(db, key)
    assert seat(table, "A").leave is not None
    assert told(table, "deputy-began") == []
    awake(table, NOW + DAY, NOW + DAY)
    until = {"seat": "A", "until": "2026-12-03T12:00:00Z"}
    assert told(table, "deputy-began") == [("B", until), (None, until)]
    assert said(table, "deputy-began") == [{**until, "deputy": "Dora"}]
    dora = by_key(table, key, NOW + DAY)
    assert orders.sheet(db, table.id, "A", dora).revision == 0
    table.enter("A", 4, by=dora, now=NOW + DAY)
    assert by_key(table, key, NOW + 3 * DAY - MINUTE).seat == "A"
    with refused("not-yours"):
        table.enter("A", 5, by=dora, now=NOW + 3 * DAY)
    with refused("no-key"):
        by_key(table, key, NOW + 3 * DAY)
    awake(table, NOW + 3 * DAY, NOW + 3 * DAY)
    assert said(table, "leave-ended") == [{"seat": "A", "early": False}]
    assert seat(table, "A", NOW + 3 * DAY).leave is None
    with refused("no-key"):
        by_key(table, key, NOW + 2 * DAY)
    table.resolve(NOW + 3 * DAY)
    assert [(s["entered_by"], s["entered_name"]) for s in record(table)["sheets"]] == [("deputy", "Dora")]


def test_the_holder_of_another_seat_of_the_side_stands_in(db: Database) -> None:
    table = lay(db)
    battles.name_holder(db, table.id, "C", table.seats["C"], "Carl", NOW)
    for wrong, why in (("B", "side"), ("A", "seat"), ("Z", "seat")):
        with refused("bad-deputy") as raised:
            on_leave(table, Deputy("seat", wrong))
        assert raised.value.params == {"why": why}
    on_leave(table, Deputy("seat", "C"))
    assert accounts.standing_in(db, table.id, NOW, ("C",)) == ()
    (carl,) = accounts.standing_in(db, table.id, NOW + DAY, ("C",))
    assert (carl.seat, carl.name, carl.through) == ("A", "Carl", "deputy")
    table.enter("A", 3, by=carl, now=NOW + DAY)
    assert accounts.standing_in(db, table.id, NOW + 3 * DAY, ("C",)) == ()
    assert accounts.standing_in(db, table.id, NOW + DAY, ("B",)) == ()
    view = seat(table, "A", NOW + DAY).leave
    assert view is not None
    assert (view.deputy_seat, view.deputy, view.is_under_way) == ("C", "Carl", True)
    table.resolve(NOW + DAY)
    assert record(table)["sheets"][0]["entered_name"] == "Carl"


def test_who_stood_in_as_the_holder_of_a_seat_does_not_when_that_is_given_to_another(db: Database) -> None:
    table = lay(db)
    on_leave(table, Deputy("seat", "C"), since=timedelta())
    assert accounts.standing_in(db, table.id, NOW, ("C",))
    seating.give(db, table.id, "C", table.master, table.new.master_key, holder="New", orders="empty", now=NOW)
    assert accounts.standing_in(db, table.id, NOW, ("C",)) == ()
    assert said(table, "deputy-gone") == [{"seat": "A"}]


def test_an_account_stands_in_and_finds_the_battle_among_its_own(db: Database) -> None:
    table, dora = lay(db), signed_up(db)
    with refused("bad-deputy"):
        on_leave(table, Deputy("account", "Nobody"))
    on_leave(table, Deputy("account", "Dora"))
    for at, expected in ((NOW, ()), (NOW + DAY, ("A",)), (NOW + 3 * DAY, ())):
        assert accounts.seats_of(db, dora, table.id, at) == expected
        acting = accounts.acting(db, dora, table.id, at, seat="A")
        assert (acting.through if acting else None) == ("deputy" if expected else None)
        assert [held.id for held in holding.battles(db, dora, at)] == ([table.id] if expected else [])
    holding.take_up(db, table.id, dora, table.seats["B"], NOW)
    assert accounts.acting(db, dora, table.id, NOW + DAY, seat="A") is None
    with refused("bad-deputy"):
        on_leave(table, Deputy("account", "Dora"))


def test_a_game_master_who_stands_in_plays_from_then_on(db: Database) -> None:
    table, dora = lay(db), signed_up(db)
    holding.take_up(db, table.id, dora, table.master, NOW)
    on_leave(table, Deputy("account", "Dora"))
    with db.read() as session:
        assert session.execute(select(Master.plays).where(Master.battle_id == table.id)).scalar_one()
    assert said(table, "master-plays")


def test_the_holder_comes_back_early_and_the_deputy_is_out_at_once(db: Database) -> None:
    table = lay(db)
    key = on_leave(table, Deputy("link", "Dora"), since=timedelta())
    dora = by_key(table, key)
    with refused("not-yours"):
        leave.take(db, table.id, "A", dora, begins=NOW, ends=NOW + DAY, zone="UTC", deputy=Deputy("nobody"), now=NOW)
    table.enter("A", 2)
    leave.back(db, table.id, "A", table.seats["A"], NOW + HOUR)
    with refused("no-key"):
        by_key(table, key, NOW + HOUR)
    with refused("not-yours"):
        table.enter("A", 3, by=dora, now=NOW + HOUR)
    with refused("no-leave"):
        leave.back(db, table.id, "A", table.seats["A"], NOW + HOUR)
    assert said(table, "leave-ended") == [{"seat": "A", "early": True}]


def test_a_deputy_gives_the_seat_back_and_disposes_of_nothing(db: Database) -> None:
    table, account = lay(db, options=Options(hand_over=True, doctrine=True)), signed_up(db)
    key = on_leave(table, Deputy("link", "Dora"), since=timedelta())
    dora = by_key(table, key)
    for attempt in (
        lambda: seating.hand_over(db, table.id, "A", dora, holder="X", orders="keep", now=NOW),
        lambda: seating.share(db, table.id, "A", dora, name="X", now=NOW),
        lambda: doctrines.choose(db, table.id, "A", dora, "low", NOW),
        lambda: table.enter("B", 1, by=dora),
        lambda: orders.sheet(db, table.id, "C", dora),
        lambda: holding.take_up(db, table.id, account, dora, NOW),
        lambda: battles.name_holder(db, table.id, "A", dora, "Dora", NOW),
    ):
        with refused("not-yours"):
            attempt()
    leave.back(db, table.id, "A", dora, NOW)
    with refused("no-key"):
        by_key(table, key)


@pytest.mark.parametrize(
    ("since", "until", "zone"),
    [(2 * DAY, DAY, "UTC"), (DAY, DAY, "UTC"), (DAY, 900 * DAY, "UTC"), (-2 * DAY, -DAY, "UTC"), (DAY, 2 * DAY, "Moon/Sea")],
)
def test_dates_of_a_leave_are_to_come_and_in_order(
    sqlite_db: Database, since: timedelta, until: timedelta, zone: str
) -> None:
    table = lay(sqlite_db)
    before = everything(sqlite_db)
    with refused("bad-leave"):
        leave.take(
            sqlite_db,
            table.id,
            "A",
            table.seats["A"],
            begins=NOW + since,
            ends=NOW + until,
            zone=zone,
            deputy=Deputy("nobody"),
            now=NOW,
        )
    assert everything(sqlite_db) == before


def test_a_leave_without_a_deputy_is_told_and_takes_the_place_of_the_one_before(db: Database) -> None:
    table = lay(db)
    key = on_leave(table, Deputy("link", "Dora"), since=timedelta())
    on_leave(table, Deputy("nobody"), since=timedelta())
    with refused("no-key"):
        by_key(table, key)
    assert said(table, "away-began") == [{"seat": "A", "until": "2026-12-03T12:00:00Z"}]
    view = seat(table, "A").leave
    assert view is not None
    assert (view.deputy, view.deputy_seat) == (None, None)


# Doctrine


def test_a_silent_seat_follows_its_doctrine_and_the_record_replays(db: Database) -> None:
    table = lay(db, options=Options(doctrine=True))
    doctrines.choose(db, table.id, "A", table.seats["A"], "high", NOW)
    doctrines.choose(db, table.id, "B", table.seats["B"], "high", NOW)
    digest = seat(table, "A").doctrine_digest
    table.enter("B", 1)
    table.resolve()
    told_of = record(table)
    assert [(one["seat"], one["doctrine"], one["digest"]) for one in told_of["doctrines"]] == [("A", "high", digest)]
    assert [event.get("number") for event in told_of["events"] if event["event"] == "guessed"] == [6, 1, None]
    assert said(table, "doctrine-followed") == [{"seat": "A", "doctrine": "high"}]


def test_what_a_record_claims_of_a_doctrine_is_checked(db: Database) -> None:
    table = lay(db, options=Options(doctrine=True), scenario={"goal": 2})
    doctrines.choose(db, table.id, "A", table.seats["A"], "high", NOW)
    table.enter("B", 1)
    while table.show().status != "over":
        table.resolve()
    whole = record(table)
    assert holds(whole)
    (one,) = whole["doctrines"]
    for wrong in ({**one, "doctrine": "low"}, {**one, "nonce": "00"}, {**one, "seat": "B"}, {**one, "doctrine": "none"}):
        assert not holds({**whole, "doctrines": [wrong]})
    assert not holds({**whole, "doctrines": []})
    assert not holds({**whole, "doctrines": [one, one]})


def test_a_doctrine_is_as_secret_as_orders_until_it_is_followed(db: Database) -> None:
    table = lay(db, options=Options(doctrine=True), review=True)
    doctrines.choose(db, table.id, "A", table.seats["A"], "high", NOW)
    for who in (PUBLIC, table.seats["B"], table.seats["C"], table.master):
        with refused("not-yours"):
            doctrines.own(db, table.id, "A", who)
    mine = doctrines.own(db, table.id, "A", table.seats["A"])
    assert mine is not None
    assert mine.doctrine == "high"
    table.resolve()
    assert said(table, "doctrine-followed") == []
    assert [line.what for line in moderation.log(db, table.id, table.master)].count("doctrine-followed") == 1
    moderation.reroll(db, table.id, table.master, address="1/A/guess", reason="A fall", rule=None, now=NOW)
    publication.publish(db, table.id, table.master, turn=1, now=NOW)
    assert said(table, "doctrine-followed") == [{"seat": "A", "doctrine": "high"}]
    assert record(table)["events"][0]["number"] == 6


def test_no_doctrine_is_followed_where_the_battle_does_not_allow_it(db: Database) -> None:
    table = lay(db)
    doctrines.choose(db, table.id, "A", table.seats["A"], "high", NOW)
    table.resolve()
    assert "doctrines" not in record(table)
    assert record(table)["events"][0]["number"] is None


def test_a_doctrine_is_the_holders_to_choose_and_the_masters_where_there_is_none(db: Database) -> None:
    table = lay(db)
    for who in (PUBLIC, table.seats["B"], table.master):
        with refused("not-yours"):
            doctrines.choose(db, table.id, "A", who, "low", NOW)
    with refused("bad-request"):
        doctrines.choose(db, table.id, "A", table.seats["A"], "charge", NOW)
    seating.remove(db, table.id, "A", table.master, orders="empty", now=NOW)
    doctrines.choose(db, table.id, "A", table.master, "low", NOW)
    assert said(table, "doctrine-on-behalf") == [{"seat": "A"}]
    assert seat(table, "A").doctrine_digest


# Programs


def test_a_program_enters_its_sheet_as_soon_as_a_turn_opens_and_is_marked_as_one(db: Database) -> None:
    table = lay(db)
    with refused("not-yours"):
        programs.choose(db, table.id, "A", table.seats["A"], "random", NOW)
    with refused("bad-request"):
        programs.choose(db, table.id, "A", table.master, "clever", NOW)
    programs.choose(db, table.id, "A", table.master, "random", NOW)
    assert seat(table, "A").program == "random"
    assert said(table, "program-chosen") == [{"seat": "A", "program": "random"}]
    for turn in (1, 2):
        awake(table, NOW, NOW)
        assert (seat(table, "A").entered, seat(table, "A").ready) == (True, True)
        for name in "BC":
            table.enter(name, 1, ready=True)
        assert table.show().turn == turn + 1
        assert record(table, turn)["sheets"][0]["entered_by"] == "program"
    programs.choose(db, table.id, "A", table.master, None, NOW)
    awake(table, NOW, NOW)
    assert not seat(table, "A").entered


def test_a_program_is_shown_no_more_than_its_seat_may_know(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def player(ruleset: Any, seed: bytes) -> Any:
        def answer(state: Any, request: Any) -> Any:
            seen.append(state)
            return ruleset.default(state, request)

        return answer

    monkeypatch.setattr(programs, "PROGRAMS", {"random": player})
    table = lay(db)
    table.resolve()
    programs.choose(db, table.id, "A", table.master, "random", NOW)
    awake(table, NOW, NOW)
    assert [set(state.pockets) for state in seen] == [{"A"}]


def test_a_program_leaves_orders_alone_that_somebody_entered(db: Database) -> None:
    table = lay(db)
    programs.choose(db, table.id, "A", table.master, "random", NOW)
    table.enter("A", 3, by=table.master)
    awake(table, NOW, NOW)
    assert seat(table, "A").revision == 1
    table.resolve()
    assert record(table)["sheets"][0]["entered_by"] == "master"


def test_a_program_answers_even_where_no_sweep_came_between(db: Database) -> None:
    table = lay(db)
    programs.choose(db, table.id, "A", table.master, "random", NOW)
    table.resolve()
    assert [sheet["seat"] for sheet in record(table)["sheets"]] == ["A"]


# Who holds a seat


@pytest.mark.parametrize("what", ["keep", "empty"])
def test_a_seat_is_given_to_another_and_the_old_key_opens_nothing(db: Database, what: Any) -> None:
    table = lay(db, options=Options(doctrine=True))
    subscribe(table, "A")
    old_key, old = table.new.seat_keys["A"], table.seats["A"]
    table.enter("A", 4, ready=True)
    doctrines.choose(db, table.id, "A", old, "high", NOW)
    shared = seating.share(db, table.id, "A", old, name="Ann", now=NOW)
    account = signed_up(db)
    holding.take_up(db, table.id, account, old, NOW)
    key = seating.give(db, table.id, "A", table.master, table.new.master_key, holder="Zoe", orders=what, now=NOW)
    for dead in (old_key, shared):
        with refused("no-key"):
            by_key(table, dead)
    assert accounts.acting(db, account, table.id, NOW, seat="A") is None
    with refused("not-yours"):
        table.enter("A", 1, by=old)
    zoe = by_key(table, key)
    sheet = orders.sheet(db, table.id, "A", zoe)
    assert (sheet.orders if what == "keep" else sheet.revision) == ({"number": 4} if what == "keep" else 2)
    assert seat(table, "A").entered == (what == "keep")
    assert bool(seat(table, "A").doctrine_digest) == (what == "keep")
    assert subscriptions.listing(db, table.id, zoe) == ()
    turns.resolve_now(db, table.id, table.master, turn=1, now=NOW)
    assert all(name is None for name, _ in told(table, "turn-published"))
    assert [sheet["orders"] for sheet in record(table)["sheets"]] == ([{"number": 4}] if what == "keep" else [])
    assert said(table, "seat-replaced") == [{"seat": "A", "holder": "Zoe", "orders": what}]
    with db.read() as session:
        kept = session.execute(select(SHEETS.c.entered_by).where(SHEETS.c.battle_id == table.id)).scalars().all()
    assert kept == (["seat"] if what == "keep" else ["seat", "emptied"])


def test_what_becomes_of_orders_has_to_be_said(db: Database) -> None:
    table = lay(db)
    before = everything(db)
    for wrong in ("", "both"):
        with refused("bad-request"):
            seating.remove(db, table.id, "A", table.master, orders=wrong, now=NOW)  # type: ignore[arg-type]
    assert everything(db) == before


def test_nobody_waits_for_a_seat_without_a_holder_until_it_is_given(db: Database) -> None:
    table = lay(db)
    seating.remove(db, table.id, "A", table.master, orders="empty", now=NOW)
    assert seat(table, "A").is_vacant
    assert "A" not in battles.seat_keys(db, table.id, table.new.master_key)
    for name in "BC":
        table.enter(name, 1, ready=True)
    assert table.show().turn == 2
    key = seating.give(db, table.id, "A", table.master, table.new.master_key, holder="", orders="empty", now=NOW)
    assert battles.seat_keys(db, table.id, table.new.master_key)["A"] == key
    for name in "BC":
        table.enter(name, 1, ready=True)
    assert table.show().turn == 2
    table.enter("A", 1, by=by_key(table, key), ready=True)
    assert table.show().turn == 3


def test_a_battle_of_which_all_have_gone_waits_for_its_deadline(db: Database) -> None:
    table = lay(db, turn_hours=24)
    for name in "ABC":
        seating.remove(db, table.id, name, table.master, orders="empty", now=NOW)
    awake(table, NOW, NOW + HOUR)
    assert table.show(now=NOW + HOUR).turn == 1
    awake(table, NOW + HOUR, NOW + DAY)
    assert table.show(now=NOW + DAY).turn == 2


def test_a_commander_hands_his_seat_over_where_the_battle_allows_it(db: Database) -> None:
    table = lay(db)
    with refused("not-allowed"):
        seating.hand_over(db, table.id, "A", table.seats["A"], holder="Zoe", orders="empty", now=NOW)
    battles.set_options(db, table.id, table.master, Options(hand_over=True), NOW)
    for who in (table.master, table.seats["B"], PUBLIC):
        with refused("not-yours"):
            seating.hand_over(db, table.id, "A", who, holder="Zoe", orders="empty", now=NOW)
    key = seating.hand_over(db, table.id, "A", table.seats["A"], holder="Zoe", orders="empty", now=NOW)
    with refused("no-key"):
        by_key(table, table.new.seat_keys["A"])
    assert by_key(table, key).name == "Zoe"
    assert "A" not in battles.seat_keys(db, table.id, table.new.master_key)
    assert said(table, "seat-handed-over") == [{"seat": "A", "holder": "Zoe", "orders": "empty"}]


def test_a_commander_makes_a_key_that_nobody_else_knows_and_loses_nothing(db: Database) -> None:
    table = lay(db, turn_hours=24)
    subscribe(table, "A")
    own, account = table.seats["A"], signed_up(db)
    holding.take_up(db, table.id, account, own, NOW)
    ann = by_key(table, seating.share(db, table.id, "A", own, name="Ann", now=NOW))
    table.enter("A", 2)
    for who in (table.master, table.seats["B"], PUBLIC, ann):
        with refused("not-yours"):
            seating.renew(db, table.id, "A", who, NOW)
    key = seating.renew(db, table.id, "A", own, NOW)
    with refused("no-key"):
        by_key(table, table.new.seat_keys["A"])
    assert "A" not in battles.seat_keys(db, table.id, table.new.master_key)
    with refused("not-yours"):
        seating.renew(db, table.id, "A", own, NOW)
    assert orders.sheet(db, table.id, "A", by_key(table, key)).orders == {"number": 2}
    assert accounts.seats_of(db, account, table.id, NOW) == ("A",)
    assert [one.name for one in seating.sharers(db, table.id, by_key(table, key))] == ["Ann"]
    assert said(table, "key-own") == [{"seat": "A"}]
    table.resolve()
    assert [name for name, _ in told(table, "turn-published")] == ["A", None]
    battles.renew_key(db, table.id, "A", table.new.master_key, NOW)
    with refused("no-key"):
        by_key(table, key)


def test_a_seat_is_shared_by_a_key_that_can_be_taken_back(db: Database) -> None:
    table = lay(db)
    key = seating.share(db, table.id, "A", table.seats["A"], name="Ann", now=NOW)
    ann = by_key(table, key)
    table.enter("A", 2, by=ann)
    assert orders.sheet(db, table.id, "A", table.seats["A"]).orders == {"number": 2}
    (sharer,) = seating.sharers(db, table.id, table.seats["A"])
    assert seating.sharers(db, table.id, table.seats["B"]) == ()
    account = signed_up(db)
    with refused("not-yours"):
        holding.take_up(db, table.id, account, ann, NOW)
    with refused("not-yours"):
        seating.unshare(db, table.id, "A", ann, sharer.id, NOW)
    with refused("no-page"):
        seating.unshare(db, table.id, "B", table.master, sharer.id, NOW)
    seating.unshare(db, table.id, "A", table.seats["A"], sharer.id, NOW)
    with refused("no-key"):
        by_key(table, key)
    with refused("not-yours"):
        table.enter("A", 3, by=ann)
    assert said(table, "seat-shared") == said(table, "seat-not-shared") == [{"seat": "A", "with": "Ann"}]
    for number in range(seating.MOST_SHARED):
        seating.share(db, table.id, "A", table.master, name=f"Ann {number}", now=NOW)
    with refused("too-many"):
        seating.share(db, table.id, "A", table.master, name="Bea", now=NOW)


def test_no_two_keys_to_a_seat_bear_one_name(db: Database) -> None:
    """A form that is sent twice makes one key."""
    table = lay(db)
    seating.share(db, table.id, "A", table.seats["A"], name="Ann", now=NOW)
    with refused("name-taken"):
        seating.share(db, table.id, "A", table.master, name="ann", now=NOW)
    seating.share(db, table.id, "B", table.master, name="Ann", now=NOW)


def test_a_deputy_sees_no_address_of_the_holder_and_gets_notices_in_his_time_alone(db: Database) -> None:
    table = lay(db, turn_hours=24)
    subscribe(table, "A")
    key = on_leave(table, Deputy("link", "Dora"), since=timedelta())
    dora = by_key(table, key)
    assert subscriptions.listing(db, table.id, dora) == ()
    subscriptions.add(
        db,
        table.id,
        dora,
        kind="webhook",
        given={"url": "https://dora.example/hook", "secret": "0123456789abcdef"},
        wishes=subscriptions.Wishes("en", "UTC", ("turns",)),
        allow_private=False,
        has_mail=False,
        now=NOW,
    )
    assert len(subscriptions.listing(db, table.id, dora)) == 1
    assert len(subscriptions.listing(db, table.id, table.seats["A"])) == 1
    turns.resolve_now(db, table.id, table.master, turn=1, now=NOW)
    assert [name for name, _ in told(table, "turn-published")].count("A") == 2
    turns.resolve_now(db, table.id, table.master, turn=2, now=NOW + 3 * DAY)
    assert [name for name, _ in told(table, "turn-published")].count("A") == 3
    awake(table, NOW + 3 * DAY, NOW + 3 * DAY)
    assert [name for name, _ in told(table, "turn-published")].count("A") == 2


# Archives


def test_an_archive_takes_along_what_a_seat_has(db: Database) -> None:
    table = lay(db, turn_hours=24, options=Options(doctrine=True, offer_after=1))
    doctrines.choose(db, table.id, "A", table.seats["A"], "high", NOW)
    programs.choose(db, table.id, "B", table.master, "random", NOW)
    key = on_leave(table, Deputy("link", "Dora"), since=timedelta(), until=30 * DAY)
    assert b"high" not in archive.packed(exporting.export(db, table.id, whole=False, now=NOW))
    shared = seating.share(db, table.id, "C", table.seats["C"], name="Ann", now=NOW)
    turns.resolve_if_due(db, table.id, NOW + DAY)
    whole = archive.read(archive.packed(exporting.export(db, table.id, whole=True, now=NOW + DAY)))
    with db.write() as session:
        session.execute(BATTLES.delete().where(BATTLES.c.id == table.id))
    importing.bring_in(db, whole, now=NOW + DAY)
    assert by_key(table, key, NOW + DAY).name == "Dora"
    assert by_key(table, shared, NOW + DAY).seat == "C"
    assert seat(table, "B").program == "random"
    assert seat(table, "A", NOW + DAY).leave is not None
    assert [bool(seat(table, name).offered_at) for name in "ABC"] == [True, False, True]
    again = importing.bring_in(db, whole, now=NOW + DAY, again=True)
    assert by_key(table, key, NOW + DAY).battle_id == table.id
    assert again.new is not None
    public = archive.read(archive.packed(exporting.export(db, table.id, whole=False, now=NOW + DAY)))
    assert importing.bring_in(db, public, now=NOW + DAY, again=True).turns == 1
