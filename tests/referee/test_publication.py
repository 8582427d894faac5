"""What is made known: review, turns as they may be seen, records that anyone can check."""

from __future__ import annotations

import json

import pytest

from app.engine.dice import SeededDice
from app.engine.ruleset import Ruling
from app.referee import battles, moderation, orders, proof, publication
from app.referee.errors import RefereeError
from app.referee.verification import verify, verify_chain
from app.referee.views import PUBLIC
from app.store.db import Database
from tests.referee import guessing
from tests.referee.guessing import RULESET
from tests.referee.table import Table, everything, lay
from tests.times import DAY, HOUR, NOW


def played(db: Database, **given: object) -> Table:
    """Turn 1 resolved: A guessed 3, B 6 on behalf, C was silent."""
    table = lay(db, **given)  # type: ignore[arg-type]
    table.enter("A", 2)
    table.enter("A", 3, now=NOW + HOUR)
    table.enter("B", 6, by=table.master)
    table.resolve(NOW + 2 * HOUR)
    return table


def test_without_review_a_turn_is_published_at_once(db: Database) -> None:
    table = played(db)
    view = publication.turn(db, table.id, 1, PUBLIC)
    assert (view.turn, view.published_at, view.resolved_by, view.last_published) == (1, NOW + 2 * HOUR, "master", 1)
    assert view.orders == {"A": {"number": 3}, "B": {"number": 6}}
    assert (view.before.turn, view.after.turn) == (1, 2)
    assert view.scenario["key"] == "guess"
    assert [event.number for event in view.events if isinstance(event, guessing.Guessed)] == [3, 6, None]


@pytest.mark.parametrize("turn", [0, 2, -1, 10**9])
def test_a_turn_that_is_not_published_is_no_turn(db: Database, turn: int) -> None:
    table = played(db)
    for verb in (publication.turn, publication.record):
        with pytest.raises(RefereeError, match="no-turn"):
            verb(db, table.id, turn, table.master)


def test_latest_is_the_last_that_the_viewer_may_see(db: Database) -> None:
    table = played(db, review=True)
    publication.publish(db, table.id, table.master, turn=1, now=NOW + DAY)
    table.resolve(NOW + DAY)
    assert publication.turn(db, table.id, "latest", PUBLIC).turn == 1
    draft = publication.turn(db, table.id, "latest", table.master)
    assert (draft.turn, draft.last_published, draft.published_at) == (2, 1, None)
    with pytest.raises(RefereeError, match="no-turn"):
        publication.turn(db, lay(db).id, "latest", PUBLIC)


def test_a_draft_under_review_is_seen_by_the_master_alone(db: Database) -> None:
    table = played(db, review=True)
    assert publication.turn(db, table.id, 1, table.master).orders["A"] == {"number": 3}
    assert publication.record(db, table.id, 1, table.master)["turn"] == 1
    for viewer in (PUBLIC, table.seats["A"], lay(db).master):
        for verb in (publication.turn, publication.record):
            with pytest.raises(RefereeError, match="no-turn"):
                verb(db, table.id, 1, viewer)
        shown = table.show(viewer)
        assert (shown.status, shown.turn, shown.turns, shown.state.turn) == ("review", 1, (), 1)
        assert not any(seat.awaited for seat in shown.seats)
        assert battles.listing(db)[0].points == {"red": 0, "blue": 0}
    assert [line.turn for line in table.show(table.master).turns] == [1]


def test_publishing_opens_the_next_turn_and_its_deadline_keeps_to_the_grid(db: Database) -> None:
    table = played(db, review=True, turn_hours=24)
    assert table.show().deadline is None
    publication.publish(db, table.id, table.master, turn=1, now=NOW + 3 * DAY)
    shown = table.show()
    assert (shown.status, shown.turn, shown.deadline) == ("open", 2, NOW + 4 * DAY)
    assert shown.turns[0].published_at == NOW + 3 * DAY
    assert shown.log[-1].what == "published"


def test_publishing_the_last_turn_ends_the_battle(db: Database) -> None:
    table = lay(db, review=True, scenario={"goal": 1})
    for seat in "ABC":
        table.enter(seat, 6)
    table.resolve()
    assert (table.show().status, table.show().outcome.winner, battles.listing(db)[0].winner) == ("review", None, None)
    publication.publish(db, table.id, table.master, turn=1, now=NOW)
    assert (table.show().status, table.show().outcome.winner, battles.listing(db)[0].winner) == ("over", "red", "red")


def test_what_is_not_under_review_is_not_published(db: Database) -> None:
    table, reviewed = played(db), played(db, review=True)
    before = everything(db)
    for battle, viewer, turn, code in (
        (table, table.master, 1, "not-under-review"),
        (reviewed, reviewed.master, 2, "stale"),
        (reviewed, reviewed.seats["A"], 1, "not-yours"),
        (reviewed, PUBLIC, 1, "not-yours"),
    ):
        with pytest.raises(RefereeError, match=code):
            publication.publish(db, battle.id, viewer, turn=turn, now=NOW)
    assert everything(db) == before


def test_a_record_has_the_shape_of_the_api(db: Database) -> None:
    table = played(db)
    record = publication.record(db, table.id, 1, table.master)
    assert json.loads(json.dumps(record)) == record
    assert set(record) >= {
        "turn", "seed", "seed_commitment", "sheets", "before", "events", "dice", "after", "points", "winner", "rulings",
        "battle", "ruleset", "version", "format",
    }  # fmt: skip
    assert (record["battle"], record["ruleset"], record["version"], record["format"]) == (table.id, "guessing", "1", 1)
    first, second = record["sheets"]
    assert {**first, "nonce": "", "digest": ""} == {
        "seat": "A",
        "request": "A",
        "revision": 2,
        "entered_at": "2026-11-30T13:00:00Z",
        "entered_by": "seat",
        "orders": {"number": 3},
        "nonce": "",
        "digest": "",
    }
    assert (second["seat"], second["entered_by"]) == ("B", "master")
    assert (record["resolved_at"], record["resolved_by"]) == ("2026-11-30T14:00:00Z", "master")


def test_a_record_plays_again_from_what_it_holds_alone(db: Database) -> None:
    table = played(db)
    record = publication.record(db, table.id, 1, table.master)
    secret = bytes.fromhex(record["seed"]["secret"])
    assert proof.commitment(secret) == record["seed_commitment"]
    assert proof.dice_seed(secret, [sheet["digest"] for sheet in record["sheets"]]).hex() == record["seed"]["seed"]
    dice = SeededDice(bytes.fromhex(record["seed"]["seed"]))
    given = {sheet["request"]: RULESET.load_order(sheet["orders"]) for sheet in record["sheets"]}
    step = RULESET.advance(RULESET.load_state(record["before"]), given, dice)
    assert RULESET.dump_state(step.state) == record["after"]
    assert [RULESET.dump_event(event) for event in step.events] == record["events"]
    assert dice.rolled == record["dice"]
    assert [finding for finding in verify(record) if not finding.holds] == []


def test_a_records_commitment_is_the_one_that_was_shown(db: Database) -> None:
    table = lay(db)
    shown = table.show().seed_commitment
    table.resolve()
    assert publication.record(db, table.id, 1, PUBLIC)["seed_commitment"] == shown


def test_the_digests_stand_in_the_order_of_the_seats_names(db: Database) -> None:
    table = lay(db)
    for seat in "CAB":
        table.enter(seat, 3)
    table.resolve()
    assert [sheet["seat"] for sheet in publication.record(db, table.id, 1, PUBLIC)["sheets"]] == ["A", "B", "C"]


def test_records_of_a_battle_with_rulings_hold_one_by_one_and_as_a_chain(db: Database) -> None:
    table = lay(db, review=True)
    ruling = Ruling(({"points": {"blue": 7}},), "a die fell off the table", "G-1")
    for turn in (1, 2, 3):
        moderation.rule(db, table.id, table.master, Ruling(({"points": {"red": turn}},), "open"), NOW)
        table.enter("A", 3)
        table.resolve()
        if turn == 2:
            moderation.rule(db, table.id, table.master, ruling, NOW)
        publication.publish(db, table.id, table.master, turn=turn, now=NOW)
    records = [publication.record(db, table.id, turn, table.master) for turn in (1, 2, 3)]
    assert [finding for record in records for finding in verify(record) if not finding.holds] == []
    assert [finding.holds for finding in verify_chain(records)] == [True, True]
    assert [[(made["stage"], made["reason"], made["rule"]) for made in record["rulings"]] for record in records] == [
        [("open", "open", None)],
        [("open", "open", None), ("review", "a die fell off the table", "G-1")],
        [("open", "open", None)],
    ]


def test_what_a_ruleset_hides_is_hidden_in_a_record_until_the_battle_is_over(db: Database) -> None:
    table = lay(db, scenario={"goal": 6})
    for _ in range(2):
        for seat in "ABC":
            table.enter(seat, 6)
        table.resolve()
        if table.show().status == "open":
            public = publication.record(db, table.id, 1, PUBLIC)
            assert public["before"]["pockets"] == {}
            assert "pocketed" not in {event["event"] for event in public["events"]}
            own = publication.record(db, table.id, 1, table.seats["A"])
            assert set(own["after"]["pockets"]) == {"A"}
            assert {event["seat"] for event in own["events"] if event["event"] == "pocketed"} == {"A"}
    while table.show().status == "open":
        for seat in "ABC":
            table.enter(seat, 6)
        table.resolve()
    assert set(publication.record(db, table.id, 1, PUBLIC)["after"]["pockets"]) == {"A", "B", "C"}
    assert [finding for finding in verify(publication.record(db, table.id, 1, PUBLIC)) if not finding.holds] == []


def test_a_seat_that_stays_silent_is_in_no_sheet(db: Database) -> None:
    table = lay(db)
    table.ready("C")
    table.resolve()
    assert publication.record(db, table.id, 1, PUBLIC)["sheets"] == []


def test_orders_of_the_open_turn_are_in_no_record(db: Database) -> None:
    table = played(db)
    table.enter("A", 5)
    assert "5" not in json.dumps([sheet["orders"] for sheet in publication.record(db, table.id, 1, PUBLIC)["sheets"]])
    assert orders.sheet(db, table.id, "A", table.seats["A"]).orders == {"number": 5}
