"""Lines in character: sealed as orders are, published with the report, and no part of what is proved."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from app.referee import battles, orders, publication, rewinding, sayings
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC, Viewer
from app.store.db import Database
from tests.referee.table import Table, everything, lay
from tests.times import HOUR, NOW

SECRET = "For the *king* of the hill!"


def say(table: Table, seat: str, text: str, **given: Any) -> None:
    told = {"turn": table.show().turn, "now": NOW, **given}
    sayings.say(table.db, table.id, seat, table.seats[seat], text=text, **told)


def refused(code: str) -> Any:
    return pytest.raises(RefereeError, match=f"^{code}$")


def said(table: Table, turn: int = 1, who: Viewer = PUBLIC) -> list[tuple[str, str | None, str]]:
    told = publication.turn(table.db, table.id, turn, who).sayings
    return [(one.seat, one.holder, one.text) for one in told]


def test_words_are_published_with_the_turn_in_order_of_the_seats(db: Database) -> None:
    table = lay(db)
    battles.name_holder(db, table.id, "A", table.seats["A"], "Ann", NOW)
    say(table, "C", "Onwards.")
    say(table, "A", "Something else.")
    say(table, "A", SECRET)
    table.resolve()
    assert said(table) == [("A", "Ann", SECRET), ("C", None, "Onwards.")]
    assert sayings.own(db, table.id, "A", table.seats["A"]).text == "", "the next turn begins without words"
    assert SECRET not in repr(publication.record(db, table.id, 1, PUBLIC))


def test_nobody_reads_them_before_and_they_change_nothing_that_is_known(db: Database) -> None:
    table = lay(db, review=True)
    others = [PUBLIC, table.master, table.seats["B"], table.seats["C"], Viewer("account", account_id=1)]
    before = [table.show(who) for who in others]
    say(table, "A", SECRET)
    assert [table.show(who) for who in others] == before
    assert sayings.own(db, table.id, "A", table.seats["A"]).text == SECRET
    for who in others:
        with refused("not-yours"):
            sayings.own(db, table.id, "A", who)
        with refused("not-yours"):
            sayings.say(db, table.id, "A", who, turn=1, text="Mine.", now=NOW)
    table.resolve()
    with refused("no-turn"):
        said(table, who=table.seats["B"])
    assert [text for *_, text in said(table, who=table.master)] == [SECRET], "a draft is his to read"
    publication.publish(db, table.id, table.master, turn=1, now=NOW)
    assert [text for *_, text in said(table)] == [SECRET]


def test_they_are_taken_while_orders_are(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    with refused("stale"):
        say(table, "A", "Late.", turn=2)
    with refused("not-open"):
        say(table, "A", "Late.", now=NOW + HOUR + timedelta(seconds=1))
    say(table, "A", "Soon.")
    say(table, "A", "  ")
    table.resolve()
    assert said(table) == []


@pytest.mark.parametrize("text", ["x" * 501, "a\u202eb", "\u200b"])
def test_what_cannot_be_seen_or_is_too_long_is_refused(db: Database, text: str) -> None:
    table = lay(db)
    with refused("bad-saying"):
        say(table, "A", text)
    assert everything(db)["sayings"] == []


def test_words_of_a_turn_that_is_taken_back_stay_with_its_line(db: Database) -> None:
    table = lay(db)
    say(table, "A", "The first time.")
    table.resolve()
    say(table, "A", "Never published.")
    rewinding.rewind(db, table.id, table.master, to=1, reason="again", now=NOW)
    assert sayings.own(db, table.id, "A", table.seats["A"]).text == ""
    say(table, "A", "The second time.")
    table.resolve()
    assert [text for *_, text in said(table)] == ["The second time."]
    left = rewinding.turn(db, table.id, 1, 1).sayings
    assert [(one.seat, one.text) for one in left] == [("A", "The first time.")]
    with refused("no-turn"):
        rewinding.turn(db, table.id, 1, 2)


def test_words_are_no_orders(db: Database) -> None:
    table = lay(db)
    say(table, "A", SECRET)
    assert orders.sheet(db, table.id, "A", table.seats["A"]).revision == 0
    assert not any(seat.entered for seat in table.show().seats)
