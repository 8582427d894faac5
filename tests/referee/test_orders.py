"""Sealed sheets: entered, ready, silent; stale, closed, refused."""

from __future__ import annotations

from typing import Any

import pytest

from app.referee import battles, orders, proof, publication, turns
from app.referee.errors import RefereeError
from app.referee.turnviews import Receipt
from app.referee.views import PUBLIC
from app.store.db import Database
from tests.referee.table import Table, everything, lay
from tests.times import DAY, HOUR, NOW


def seat(table: Table, name: str) -> Any:
    return next(view for view in table.show().seats if view.seat == name)


def test_what_is_entered_is_the_seats_sheet(db: Database) -> None:
    table = lay(db)
    entered = table.enter("A", 3)
    assert (entered.turn, entered.revision, entered.ready, entered.orders, entered.resolved) == (
        1,
        1,
        False,
        {"number": 3},
        False,
    )
    sheet = orders.sheet(db, table.id, "A", table.seats["A"])
    assert (sheet.turn, sheet.revision, sheet.ready, sheet.request, sheet.orders) == (1, 1, False, "A", {"number": 3})
    assert (sheet.options, sheet.entered_at) == ((1, 2, 3, 4, 5, 6), NOW)
    assert sheet.options_json == [{"id": "number", "options": [1, 2, 3, 4, 5, 6]}]
    assert sheet.receipt == entered.receipt
    assert (seat(table, "A").entered, seat(table, "A").ready, seat(table, "A").revision) == (True, False, 1)


def test_a_sheet_with_nothing_entered_is_empty(db: Database) -> None:
    table = lay(db)
    sheet = orders.sheet(db, table.id, "A", table.seats["A"])
    assert (sheet.revision, sheet.orders, sheet.receipt, sheet.entered_at, sheet.ready) == (0, {}, None, None, False)


def test_the_receipt_proves_what_was_entered(db: Database) -> None:
    table = lay(db)
    receipt = table.enter("A", 3).receipt
    assert receipt is not None
    text = f'{{"battle":"{table.id}","nonce":"{receipt.nonce}","orders":{{"number":3}},"revision":1,"seat":"A","turn":1}}'
    assert (receipt.canonical, receipt.digest) == (text, proof.digest(text))
    assert seat(table, "A").digest == receipt.digest


def test_each_save_is_a_revision_and_the_last_one_counts(db: Database) -> None:
    table = lay(db)
    revisions = [table.enter("A", number).revision for number in (1, 2, 6)]
    assert revisions == [1, 2, 3]
    assert orders.sheet(db, table.id, "A", table.seats["A"]).orders == {"number": 6}
    table.resolve()
    (guessed,) = [e for e in events(table) if e["event"] == "guessed" and e["seat"] == "A"]
    assert guessed["number"] == 6


def events(table: Table, turn: int = 1) -> list[Any]:
    found: list[Any] = publication.record(table.db, table.id, turn, table.master)["events"]
    return found


def test_two_revisions_of_the_same_orders_have_digests_of_their_own(db: Database) -> None:
    table = lay(db)
    first, second = table.enter("A", 3).receipt, table.enter("A", 3).receipt
    assert first is not None
    assert second is not None
    assert first.nonce != second.nonce
    assert first.digest != second.digest


def _with_nonce(table: Table, nonce: str) -> Receipt:
    entered = orders.enter(
        table.db, table.id, "A", table.seats["A"], turn=1, revision=0, fields={"number": 3}, nonce=nonce, now=NOW
    )
    assert entered.receipt is not None
    return entered.receipt


def test_a_nonce_of_the_senders_own_seals_the_sheet(db: Database) -> None:
    table = lay(db)
    receipt = _with_nonce(table, "c0ffee" * 8)
    text = f'{{"battle":"{table.id}","nonce":"{"c0ffee" * 8}","orders":{{"number":3}},"revision":1,"seat":"A","turn":1}}'
    assert (receipt.nonce, receipt.digest) == ("c0ffee" * 8, proof.digest(text))
    table.resolve()
    (sheet,) = publication.record(table.db, table.id, 1, table.master)["sheets"]
    assert sheet["nonce"] == "c0ffee" * 8


def test_where_all_know_the_seed_nobody_chooses_the_dice_by_his_nonce(db: Database) -> None:
    assert _with_nonce(lay(db, seed="00ff"), "c0ffee" * 8).nonce != "c0ffee" * 8


def test_any_new_revision_clears_ready(db: Database) -> None:
    table = lay(db)
    table.enter("A", 3, ready=True)
    assert seat(table, "A").ready
    table.enter("A", 4)
    assert not seat(table, "A").ready
    assert not orders.sheet(db, table.id, "A", table.seats["A"]).ready


def test_who_has_entered_nothing_may_be_ready_and_a_revision_clears_that_too(db: Database) -> None:
    table = lay(db)
    table.ready("A")
    assert (seat(table, "A").ready, seat(table, "A").entered) == (True, False)
    assert orders.sheet(db, table.id, "A", table.seats["A"]).ready
    table.enter("A", 4)
    assert not seat(table, "A").ready


def test_ready_may_be_taken_back(db: Database) -> None:
    table = lay(db)
    table.enter("A", 3, ready=True)
    table.ready("A", is_ready=False)
    assert not seat(table, "A").ready


def test_ready_is_of_one_turn(db: Database) -> None:
    table = lay(db)
    table.ready("A")
    table.resolve()
    assert not seat(table, "A").ready


@pytest.mark.parametrize(("turn", "revision"), [(1, 0), (1, 2), (0, 1), (2, 1), (2, 0), (-1, 1), (1, -1)])
@pytest.mark.parametrize("verb", [orders.enter, orders.check])
def test_another_turn_or_revision_is_stale_and_nothing_is_kept(db: Database, verb: Any, turn: int, revision: int) -> None:
    table = lay(db)
    table.enter("A", 3)
    before = everything(db)
    with pytest.raises(RefereeError) as refused:
        verb(db, table.id, "A", table.seats["A"], turn=turn, revision=revision, fields={"number": 4}, ready=True, now=NOW)
    assert (refused.value.code, refused.value.current) == ("stale", {"turn": 1, "revision": 1})
    assert everything(db) == before


def test_readiness_for_another_turn_is_stale(db: Database) -> None:
    table = lay(db)
    with pytest.raises(RefereeError) as refused:
        orders.set_ready(db, table.id, "A", table.seats["A"], turn=2, ready=True, now=NOW)
    assert (refused.value.code, refused.value.current) == ("stale", {"turn": 1, "revision": 0})


@pytest.mark.parametrize("verb", [orders.enter, orders.check])
def test_refused_orders_are_told_with_every_problem_and_nothing_is_kept(db: Database, verb: Any) -> None:
    table = lay(db)
    before = everything(db)
    with pytest.raises(RefereeError) as refused:
        verb(db, table.id, "A", table.seats["A"], turn=1, revision=0, fields={"number": 9}, now=NOW)
    assert refused.value.code == "bad-orders"
    assert [problem.code for problem in refused.value.problems] == ["out-of-range", "and-more"]
    assert everything(db) == before


@pytest.mark.parametrize(
    "fields", [{}, [], "x", 1, {"number": "3"}, {"number": True}, {"number": 3, "more": 1}, {"number": None}]
)
def test_malformed_fields_are_bad_orders(db: Database, fields: Any) -> None:
    table = lay(db)
    with pytest.raises(RefereeError) as refused:
        orders.enter(db, table.id, "A", table.seats["A"], turn=1, revision=0, fields=fields, now=NOW)
    assert (refused.value.code, [p.code for p in refused.value.problems]) == ("bad-orders", ["not-a-guess"])


def test_a_text_is_read_too_and_its_faults_are_told(db: Database) -> None:
    table = lay(db)
    kept = orders.enter(db, table.id, "A", table.seats["A"], turn=1, revision=0, text="5", now=NOW)
    assert kept.orders == {"number": 5}
    with pytest.raises(RefereeError) as refused:
        orders.enter(db, table.id, "A", table.seats["A"], turn=1, revision=1, text="five \ud800", now=NOW)
    assert (refused.value.code, [f.code for f in refused.value.faults]) == ("bad-orders", ["not-a-number"])


def test_a_warning_is_told_and_the_orders_are_kept(db: Database) -> None:
    table = lay(db)
    assert [problem.code for problem in table.enter("A", 6).warnings] == ["too-easy"]
    assert seat(table, "A").entered


def test_check_answers_as_enter_would_and_keeps_nothing(db: Database) -> None:
    table = lay(db)
    before = everything(db)
    checked = orders.check(db, table.id, "A", table.seats["A"], turn=1, revision=0, fields={"number": 6}, now=NOW)
    assert (checked.revision, checked.receipt, checked.orders) == (0, None, {"number": 6})
    assert [problem.code for problem in checked.warnings] == ["too-easy"]
    assert everything(db) == before


def test_nobody_enters_or_reads_for_another_seat(db: Database) -> None:
    table, other = lay(db), lay(db)
    table.enter("A", 3)
    before = everything(db)
    for viewer in (PUBLIC, table.seats["B"], other.seats["A"], other.master):
        for act in (
            lambda v: table.enter("A", 4, by=v),
            lambda v: orders.sheet(db, table.id, "A", v),
            lambda v: orders.set_ready(db, table.id, "A", v, turn=1, ready=True, now=NOW),
            lambda v: orders.check(db, table.id, "A", v, turn=1, revision=1, fields={"number": 4}, now=NOW),
        ):
            with pytest.raises(RefereeError, match="not-yours"):
                act(viewer)
    with pytest.raises(RefereeError, match="not-yours"):
        orders.sheet(db, table.id, "A", table.master)
    assert everything(db) == before


def test_a_seat_that_is_not_there_is_no_seat(db: Database) -> None:
    table = lay(db)
    for name in ("Z", "", "a\0b", "\ud800", "A' OR 1=1"):
        with pytest.raises(RefereeError, match="no-seat"):
            orders.sheet(db, table.id, name, table.master)
        with pytest.raises(RefereeError, match="no-seat"):
            orders.enter(db, table.id, name, table.master, turn=1, revision=0, fields={"number": 1}, now=NOW)


def test_the_master_enters_on_behalf_of_a_seat_and_all_are_told(db: Database) -> None:
    table = lay(db)
    table.enter("A", 3, by=table.master)
    assert orders.sheet(db, table.id, "A", table.seats["A"]).orders == {"number": 3}
    orders.set_ready(db, table.id, "A", table.master, turn=1, ready=True, now=NOW)
    assert [(line.who, line.what, line.params) for line in table.show(PUBLIC).log][1:] == [
        ("master", "orders-on-behalf", {"seat": "A", "revision": 1}),
        ("master", "ready-on-behalf", {"seat": "A", "ready": True}),
    ]


def test_a_battle_that_is_over_or_under_review_takes_no_orders(db: Database) -> None:
    for table in (lay(db, review=True), lay(db, scenario={"goal": 1})):
        for name in "ABC":
            table.enter(name, 6)
        table.resolve()
        before = everything(db)
        with pytest.raises(RefereeError, match="closed"):
            table.enter("A", 3)
        with pytest.raises(RefereeError, match="closed"):
            table.ready("A")
        assert everything(db) == before
        assert orders.sheet(db, table.id, "A", table.seats["A"]).options is None


def test_after_the_deadline_no_orders_are_taken_even_before_the_clock_comes(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    table.enter("A", 3, now=NOW + HOUR * 0.999)
    for now in (NOW + HOUR, NOW + DAY):
        with pytest.raises(RefereeError, match="closed"):
            table.enter("A", 4, now=now)
        with pytest.raises(RefereeError, match="closed"):
            table.ready("A", now=now)
    assert not any(view.awaited for view in table.show(now=NOW + DAY).seats)


def test_orders_come_as_fields_or_as_text(db: Database) -> None:
    table = lay(db)
    given: tuple[tuple[Any, str | None], ...] = ((None, None), ({"number": 1}, "1"))
    for fields, text in given:
        with pytest.raises(ValueError, match="fields or as text"):
            orders.enter(db, table.id, "A", table.seats["A"], turn=1, revision=0, now=NOW, fields=fields, text=text)


def test_a_change_of_the_battle_between_reading_and_keeping_is_looked_at_again(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = lay(db)
    looked: list[int] = []
    judge = orders._judge

    def judge_and_change(session: Any, battle: Any, *more: Any) -> Any:
        looked.append(battle.version)
        if len(looked) == 1:
            battles.set_deadline(db, table.id, table.master, NOW + DAY, NOW)
        return judge(session, battle, *more)

    monkeypatch.setattr(orders, "_judge", judge_and_change)
    assert table.enter("A", 3).revision == 1
    assert looked == [1, 2]


def test_a_turn_resolved_between_reading_and_keeping_makes_the_sheet_stale(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = lay(db)
    judge = orders._judge

    def judge_and_resolve(*given: Any) -> Any:
        found = judge(*given)
        turns.resolve_now(db, table.id, table.master, turn=1, now=NOW)
        return found

    monkeypatch.setattr(orders, "_judge", judge_and_resolve)
    with pytest.raises(RefereeError) as refused:
        table.enter("A", 3)
    assert (refused.value.code, refused.value.current) == ("stale", {"turn": 2, "revision": 0})
    assert everything(db)["sheets"] == []
