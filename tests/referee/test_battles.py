"""Battles: made, listed, shown, named, given a deadline."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.referee import battles, orders
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.store.db import Database
from tests.referee import guessing
from tests.referee.table import everything, lay
from tests.times import DAY, HOUR, NOW


def test_a_new_battle_awaits_orders_for_its_first_turn(db: Database) -> None:
    table = lay(db)
    shown = table.show()
    assert re.fullmatch("[a-hjkmnp-z2-9]{10}", table.id)
    assert (shown.title, shown.status, shown.turn, shown.deadline) == ("A guess", "open", 1, None)
    assert [(s.seat, s.side, s.awaited, s.entered, s.ready, s.revision) for s in shown.seats] == [
        ("A", "red", True, False, False, 0),
        ("B", "blue", True, False, False, 0),
        ("C", "red", True, False, False, 0),
    ]
    assert [(s.side, s.name["ru"], s.points) for s in shown.sides] == [("red", "Красные", 0), ("blue", "Синие", 0)]
    assert re.fullmatch("[0-9a-f]{64}", shown.seed_commitment)
    assert [line.what for line in shown.log] == ["made"]
    assert shown.turns == ()


def test_a_battle_that_is_not_there_is_no_battle(db: Database) -> None:
    for battle_id in ("nowhere", "", "x" * 500, "й", "a'b", "a\0b", "\ud800"):
        with pytest.raises(RefereeError, match="no-battle"):
            battles.battle(db, battle_id, PUBLIC, NOW)


def test_rulings_are_laid_over_the_scenarios_and_the_defaults(db: Database) -> None:
    table = lay(db, scenario={"rulings": {"ties": "on"}}, rulings={"dice": "kind"})
    assert table.show().rulings == {"ties": "on", "dice": "kind"}
    assert table.show().scenario["rulings"] == {"ties": "on", "dice": "kind"}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"rulings": {"x": "y"}}, "bad-ruling"),
        ({"rulings": {"ties": "y"}}, "bad-ruling"),
        ({"title": ""}, "bad-title"),
        ({"title": " \t "}, "bad-title"),
        ({"title": "\u200b"}, "bad-title"),
        ({"title": "\u3164\u2800"}, "bad-title"),
        ({"title": "\u00a0\u0301\u2060"}, "bad-title"),
        ({"title": "a\nb"}, "bad-title"),
        ({"title": "a\x00b"}, "bad-title"),
        ({"title": "a\u2028b"}, "bad-title"),
        ({"title": "\udc80"}, "bad-title"),
        ({"title": "x" * 201}, "bad-title"),
        ({"deadline": NOW}, "bad-deadline"),
        ({"deadline": NOW - HOUR}, "bad-deadline"),
        ({"deadline": NOW + 5000 * DAY}, "bad-deadline"),
        ({"deadline": (NOW + DAY).replace(tzinfo=None)}, "bad-deadline"),
        ({"turn_hours": 0}, "bad-deadline"),
        ({"turn_hours": -1}, "bad-deadline"),
        ({"turn_hours": 10**9}, "bad-deadline"),
        ({"zone": "Nowhere/Land"}, "bad-deadline"),
        ({"zone": "../../etc/passwd"}, "bad-deadline"),
        ({"zone": ""}, "bad-deadline"),
        ({"zone": "localtime"}, "bad-deadline"),
        ({"zone": "posixrules"}, "bad-deadline"),
        ({"zone": "x" * 1000}, "bad-deadline"),
        ({"seed": "xyz"}, "bad-seed"),
        ({"seed": ""}, "bad-seed"),
        ({"seed": "abc"}, "bad-seed"),
        ({"seed": "ab" * 65}, "bad-seed"),
        ({"scenario": {"ruleset": "chess"}}, "bad-scenario"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_made(db: Database, given: dict[str, Any], code: str) -> None:
    before = everything(db)
    with pytest.raises(RefereeError) as refused:
        lay(db, **given)
    assert refused.value.code == code
    assert everything(db) == before


@pytest.mark.parametrize(
    "title", ["«Ё» <b>&amp;</b>", 'it\'s "quoted"', "🏴‍☠️ emoji", "\u200fשלום\u200f", "x" * 200, "%(x)s {y}"]
)
def test_a_title_may_hold_any_sign_that_is_seen(db: Database, title: str) -> None:
    assert lay(db, title=f"  {title} ").show().title == title


def test_the_first_deadline_is_given_or_counted_from_now(db: Database) -> None:
    assert lay(db, turn_hours=36).show().deadline == NOW + 36 * HOUR
    assert lay(db, turn_hours=36, deadline=NOW + DAY).show().deadline == NOW + DAY
    assert lay(db, deadline=NOW + DAY, zone="Europe/Moscow").show().zone == "Europe/Moscow"


def test_a_given_seed_is_told_and_every_secret_comes_from_it(db: Database) -> None:
    shown = lay(db, seed="00FF").show()
    assert shown.given_seed == "00ff"
    assert shown.seed_commitment == hashlib.sha256(hashlib.sha256(b"\x00\xff:1").digest()).hexdigest()


def test_secrets_differ_from_battle_to_battle(db: Database) -> None:
    assert lay(db).show().seed_commitment != lay(db).show().seed_commitment


def test_a_scenario_that_is_over_at_once_makes_a_battle_that_is_over(db: Database) -> None:
    table = lay(db, scenario={"idle": ["A", "B", "C"]})
    assert (table.show().status, table.show().turn, table.show().deadline) == ("over", 0, None)
    with pytest.raises(RefereeError, match="closed"):
        table.enter("A", 1)


def test_the_list_has_the_newest_first_and_what_is_over_last(db: Database) -> None:
    old, mid, over, new = (
        lay(db, title=title, now=NOW + n * HOUR, scenario={"goal": 1 if title == "over" else 100})
        for n, title in enumerate(("old", "mid", "over", "new"))
    )
    for seat in "ABC":
        over.enter(seat, 6)
    over.resolve()
    mid.enter("A", 3)
    mid.enter("A", 4)
    mid.enter("B", 3)
    found = battles.listing(db)
    assert [line.title for line in found] == ["new", "mid", "old", "over"]
    assert [(line.entered, line.seats) for line in found] == [(0, 3), (2, 3), (0, 3), (0, 3)]
    assert [line.winner for line in found] == [None, None, None, "red"]
    assert found[3].points == {"red": 2, "blue": 1}
    assert [line.title for line in battles.listing(db, limit=2)] == ["new", "mid"]
    assert {table.id for table in (old, mid, over, new)} == {line.id for line in found}


def test_an_empty_list_is_empty(db: Database) -> None:
    assert battles.listing(db) == ()


def test_a_seat_names_its_holder(db: Database) -> None:
    table = lay(db)
    battles.name_holder(db, table.id, "A", table.seats["A"], " Лев «Ё» <b> ", NOW)
    assert [seat.holder for seat in table.show().seats] == ["Лев «Ё» <b>", None, None]
    assert [line.what for line in table.show().log] == ["made"]
    battles.name_holder(db, table.id, "A", table.master, "", NOW)
    assert [seat.holder for seat in table.show().seats] == [None, None, None]
    assert table.show().log[-1].params == {"seat": "A", "holder": None}


def test_a_holder_is_named_by_no_other_and_not_anyhow(db: Database) -> None:
    table = lay(db)
    kept = everything(db)
    for seat, viewer, holder, code in (
        ("A", table.seats["B"], "Ann", "not-yours"),
        ("A", PUBLIC, "Ann", "not-yours"),
        ("A", lay(db).seats["A"], "Ann", "not-yours"),
        ("Z", table.master, "Ann", "no-seat"),
        ("a\0b", table.master, "Ann", "no-seat"),
        ("\ud800", table.master, "Ann", "no-seat"),
        ("A", table.seats["A"], "x" * 81, "bad-name"),
        ("A", table.seats["A"], "a\x07", "bad-name"),
    ):
        with pytest.raises(RefereeError, match=code):
            battles.name_holder(db, table.id, seat, viewer, holder, NOW)
    assert [row for row in kept["seats"] if row not in everything(db)["seats"]] == []


def test_the_master_sets_the_deadline_and_all_are_told(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    battles.set_deadline(db, table.id, table.master, NOW + 2 * DAY, NOW)
    assert table.show().deadline == NOW + 2 * DAY
    assert table.show().log[-1].params == {"old": "2026-12-01T12:00:00Z", "new": "2026-12-02T12:00:00Z"}
    battles.set_deadline(db, table.id, table.master, None, NOW)
    assert table.show().deadline is None


@pytest.mark.parametrize("deadline", [NOW, NOW - timedelta(seconds=1), NOW + 9999 * DAY, datetime(2027, 1, 1)])  # noqa: DTZ001
def test_a_deadline_lies_ahead(db: Database, deadline: datetime) -> None:
    table = lay(db)
    with pytest.raises(RefereeError, match="bad-deadline"):
        battles.set_deadline(db, table.id, table.master, deadline, NOW)


def test_only_the_master_sets_it(db: Database) -> None:
    table = lay(db)
    for viewer in (PUBLIC, table.seats["A"], lay(db).master):
        with pytest.raises(RefereeError, match="not-yours"):
            battles.set_deadline(db, table.id, viewer, NOW + DAY, NOW)
        with pytest.raises(RefereeError, match="not-yours"):
            battles.go_on(db, table.id, viewer, NOW)


def test_a_battle_that_is_not_held_cannot_go_on(db: Database) -> None:
    table = lay(db)
    with pytest.raises(RefereeError, match="not-open"):
        battles.go_on(db, table.id, table.master, NOW)


def test_how_many_things_have_orders_is_known_to_the_seat_and_the_master_alone(db: Database) -> None:
    table = lay(db)
    table.enter("A", 3)
    counts = {
        name: [(seat.ordered, seat.controlled) for seat in table.show(viewer).seats]
        for name, viewer in (
            ("A", table.seats["A"]),
            ("B", table.seats["B"]),
            ("master", table.master),
            ("who plays", replace(table.master, plays=True)),
            ("public", PUBLIC),
        )
    }
    assert counts == {
        "A": [(1, 1), (None, None), (None, None)],
        "B": [(None, None), (0, 1), (None, None)],
        "master": [(1, 1), (0, 1), (0, 1)],
        "who plays": [(None, None)] * 3,
        "public": [(None, None)] * 3,
    }


def test_a_seat_to_which_the_step_has_no_request_is_not_awaited(db: Database) -> None:
    table = lay(db, scenario={"idle": ["B"]})
    assert [seat.awaited for seat in table.show().seats] == [True, False, True]
    with pytest.raises(RefereeError, match="not-open"):
        table.enter("B", 1)
    with pytest.raises(RefereeError, match="not-open"):
        table.ready("B")
    assert orders.sheet(db, table.id, "B", table.seats["B"]).request is None


def test_the_scenario_is_frozen(db: Database) -> None:
    told = guessing.scenario()
    new = battles.create(db, scenario=told, now=NOW)
    told["sides"]["red"]["name"]["en"] = "Changed"
    assert battles.battle(db, new.id, PUBLIC, NOW).scenario["sides"]["red"]["name"]["en"] == "Red"
