"""The game master's rulings: on the open turn, on a draft, told to all."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.ruleset import Ruling
from app.referee import battles, freshness, moderation, publication, seen, showing
from app.referee.errors import RefereeError
from app.referee.showing import LOG_SHOWN
from app.referee.views import PUBLIC
from app.store.db import Database
from tests.referee.table import Table, everything, lay
from tests.times import HOUR, NOW


def rule(table: Table, points: dict[str, int], *, winner: str | None = None, **given: Any) -> None:
    ruling = Ruling(({"points": points, "winner": winner},), given.get("reason", "seen amiss"), given.get("rule"))
    moderation.rule(table.db, table.id, given.get("viewer", table.master), ruling, NOW)


def test_a_ruling_changes_the_open_turn_and_all_are_told(db: Database) -> None:
    table = lay(db)
    version = table.show().version
    rule(table, {"red": 5}, reason=" two lines\r\nof «reason» ", rule="WIN-1")
    shown = table.show(PUBLIC)
    assert (shown.state.points, shown.sides[0].points, shown.version) == ({"red": 5, "blue": 0}, 5, version + 1)
    assert shown.log[-1].params == {"reason": "two lines\nof «reason»", "rule": "WIN-1", "stage": "open"}
    assert battles.listing(db)[0].points == {"red": 5, "blue": 0}


def test_the_turn_begins_where_the_ruling_put_it(db: Database) -> None:
    table = lay(db)
    rule(table, {"red": 5})
    rule(table, {"blue": 2})
    table.resolve()
    assert publication.turn(db, table.id, 1, PUBLIC).before.points == {"red": 5, "blue": 2}
    record = publication.record(db, table.id, 1, table.master)
    assert record["before"]["points"] == {"red": 5, "blue": 2}
    assert [made["changes"] for made in record["rulings"]] == [
        [{"points": {"red": 5}, "winner": None}],
        [{"points": {"blue": 2}, "winner": None}],
    ]
    assert [event["event"] for made in record["rulings"] for event in made["events"]] == ["amended", "amended"]


def test_a_ruling_of_the_next_turn_leaves_the_record_of_the_last_as_it_was(db: Database) -> None:
    table = lay(db)
    table.resolve()
    before = publication.record(db, table.id, 1, PUBLIC)
    rule(table, {"red": 5})
    assert publication.record(db, table.id, 1, PUBLIC) == before
    assert publication.turn(db, table.id, 1, PUBLIC).after.points == {"red": 0, "blue": 0}


def test_orders_that_were_entered_stay(db: Database) -> None:
    table = lay(db)
    table.enter("A", 3, ready=True)
    rule(table, {"red": 5})
    seat = table.show().seats[0]
    assert (seat.entered, seat.ready, seat.revision) == (True, True, 1)


def test_a_ruling_on_a_draft_goes_into_the_turn_and_is_unknown_before_it_is_published(db: Database) -> None:
    table = lay(db, review=True)
    table.resolve()
    rule(table, {"blue": 4})
    assert table.show().state.points == {"red": 0, "blue": 0}
    draft = publication.turn(db, table.id, 1, table.master)
    assert (draft.after.points, draft.points) == ({"red": 0, "blue": 4}, {"red": 0, "blue": 4})
    assert type(draft.events[-1]).__name__ == "Amended"
    publication.publish(db, table.id, table.master, turn=1, now=NOW)
    assert (table.show().turn, table.show().state.points) == (2, {"red": 0, "blue": 4})
    assert table.show().turns[0].points == {"red": 0, "blue": 4}


def test_a_draft_under_review_can_be_saved_from_its_end_or_brought_to_it(db: Database) -> None:
    for ruled in ("saved", "ended"):
        table = lay(db, review=True, scenario={"goal": 1 if ruled == "saved" else 100})
        for seat in "ABC":
            table.enter(seat, 6)
        table.resolve()
        rule(table, {"red": 0, "blue": 0}, winner=None if ruled == "saved" else "blue")
        publication.publish(db, table.id, table.master, turn=1, now=NOW)
        assert (table.show().status, table.show().turn) == (("open", 2) if ruled == "saved" else ("over", 1))


def test_a_ruling_may_end_the_battle_and_the_open_turn_is_never_played(db: Database) -> None:
    table = lay(db)
    table.resolve()
    table.enter("A", 3)
    rule(table, {"blue": 9}, winner="blue")
    shown = table.show()
    assert (shown.status, shown.turn, shown.outcome.winner, shown.state.points["blue"]) == ("over", 1, "blue", 9)
    assert [line.turn for line in shown.turns] == [1]
    with pytest.raises(RefereeError, match="no-turn"):
        publication.turn(db, table.id, 2, table.master)
    with pytest.raises(RefereeError, match="closed"):
        rule(table, {"red": 1})


def test_it_may_end_even_before_the_first_turn(db: Database) -> None:
    table = lay(db)
    rule(table, {}, winner="draw")
    assert (table.show().status, table.show().turn, table.show().outcome.winner) == ("over", 0, "draw")


@pytest.mark.parametrize(
    ("changes", "problems"),
    [
        (({"points": {"green": 1}},), ["bad-change", "and-more"]),
        (("nonsense",), ["bad-change", "and-more"]),
        (({"note": "\ud800"},), []),
    ],
)
def test_what_cannot_be_ruled_is_refused_and_nothing_changes(db: Database, changes: Any, problems: list[str]) -> None:
    table = lay(db)
    before = everything(db)
    with pytest.raises(RefereeError) as refused:
        moderation.rule(db, table.id, table.master, Ruling(changes, "reason"), NOW)
    assert (refused.value.code, [problem.code for problem in refused.value.problems]) == ("bad-ruling", problems)
    assert everything(db) == before


@pytest.mark.parametrize(
    ("reason", "number"),
    [("", None), (" \n ", None), ("x" * 2001, None), ("a\x00b", None), ("ok", "x" * 41), ("ok", "a\nb")],
)
def test_a_ruling_has_a_reason_in_words(db: Database, reason: str, number: str | None) -> None:
    table = lay(db)
    before = everything(db)
    with pytest.raises(RefereeError, match="bad-ruling"):
        rule(table, {"red": 1}, reason=reason, rule=number)
    assert everything(db) == before


def test_none_but_the_master_rules(db: Database) -> None:
    table = lay(db)
    for viewer in (PUBLIC, table.seats["A"], lay(db).master):
        with pytest.raises(RefereeError, match="not-yours"):
            rule(table, {"red": 1}, viewer=viewer)


def test_the_log_has_everything_and_a_battle_its_newest_lines(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "LOG_SHOWN", 2)
    table = lay(db)
    for points in range(4):
        rule(table, {"red": points}, reason=f"number {points}")
    assert [line.what for line in moderation.log(db, table.id)] == ["made"] + ["ruled"] * 4
    assert [line.params["reason"] for line in table.show().log] == ["number 2", "number 3"]


def test_a_ruling_on_a_draft_takes_no_place_in_the_log_that_others_read(db: Database) -> None:
    """A line that is missing among the newest would tell that something was done."""
    table = lay(db, review=True)
    for _ in range(LOG_SHOWN):
        battles.set_deadline(db, table.id, table.master, NOW + HOUR, NOW)
        battles.set_deadline(db, table.id, table.master, None, NOW)
    table.resolve()
    before = table.show().log
    moderation.rule(db, table.id, table.master, Ruling(({"points": {"red": 2}},), "seen amiss"), NOW)
    assert len(before) == LOG_SHOWN
    assert table.show().log == before
    assert table.show(table.master).log[-1].what == "ruled"


def test_nobody_can_count_by_the_battles_pulse_what_is_ruled_upon_a_draft(db: Database) -> None:
    table = lay(db, review=True)
    table.resolve()
    seen = (freshness.version(db, table.id), freshness.pulses(db, (table.id,)), table.show())
    rule(table, {"red": 5})
    rule(table, {"red": 6})
    assert (freshness.version(db, table.id), freshness.pulses(db, (table.id,)), table.show()) == seen
    publication.publish(db, table.id, table.master, turn=1, now=NOW)
    assert freshness.version(db, table.id) == seen[0] + 1


def test_a_form_that_is_sent_twice_or_late_rules_once(db: Database) -> None:
    table = lay(db, review=True)
    before = seen.rulings_of(db, table.id)
    ruling = Ruling(({"points": {"blue": 1}, "winner": None},), "seen amiss")
    moderation.rule(db, table.id, table.master, ruling, NOW, before=before)
    for late in (before, "", "1/1/review/1"):
        with pytest.raises(RefereeError, match="stale"):
            moderation.rule(db, table.id, table.master, ruling, NOW, before=late)
    table.enter("A", 3)
    now_open = seen.rulings_of(db, table.id)
    table.resolve()
    with pytest.raises(RefereeError, match="stale"):
        moderation.rule(db, table.id, table.master, ruling, NOW, before=now_open)
    die: dict[str, Any] = {"address": "1/A/guess", "reason": "off the table", "rule": None, "now": NOW}
    drafted = seen.rulings_of(db, table.id)
    moderation.reroll(db, table.id, table.master, **die, before=drafted)
    with pytest.raises(RefereeError, match="stale"):
        moderation.reroll(db, table.id, table.master, **die, before=drafted)
    aside: dict[str, Any] = {"event": 0, "of": 1, "reason": "off the table", "rule": None, "now": NOW}
    with pytest.raises(RefereeError, match="stale"):
        moderation.set_aside(db, table.id, table.master, **aside, before=drafted)


def test_a_draft_that_another_has_ruled_on_since_is_not_published_unread(db: Database) -> None:
    table = lay(db, review=True)
    rule(table, {"blue": 1})
    table.resolve()
    read = seen.rulings_of(db, table.id)
    rule(table, {"red": 5})
    with pytest.raises(RefereeError, match="stale"):
        publication.publish(db, table.id, table.master, turn=1, now=NOW, before=read)
    publication.publish(db, table.id, table.master, turn=1, now=NOW, before=seen.rulings_of(db, table.id))
    assert table.show().sides[0].points == 5
