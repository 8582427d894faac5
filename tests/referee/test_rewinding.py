"""Back to the start of a turn and on from a line that was left: nothing is deleted, and what was sealed stays sealed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.engine.ruleset import Ruling
from app.referee import (
    archive,
    battles,
    deadlines,
    doctrines,
    exporting,
    flow,
    importing,
    moderation,
    orders,
    outbox,
    publication,
    rewinding,
    sheets,
    verification,
)
from app.referee.errors import RefereeError
from app.referee.options import Options
from app.referee.rows import battle_row
from app.referee.views import PUBLIC, Viewer
from app.store.db import Database
from app.store.models import OUTBOX
from tests.referee.table import Table, everything, lay
from tests.times import NOW


def played(db: Database, turns: int = 3, **given: Any) -> Table:
    """So many turns, a different number in each."""
    table = lay(db, **given)
    for number in range(turns):
        for place, seat in enumerate("ABC"):
            table.enter(seat, 1 + (number + place) % 6)
        table.resolve()
        if given.get("review"):
            publication.publish(db, table.id, table.master, turn=number + 1, now=NOW)
    return table


def back(table: Table, to: int, reason: str = "a die was misread") -> int:
    return rewinding.rewind(table.db, table.id, table.master, to=to, reason=reason, now=NOW)


def records(table: Table) -> list[Any]:
    lines = table.show().turns
    return [publication.record(table.db, table.id, line.turn, PUBLIC) for line in lines]


def holds(told: list[Any]) -> bool:
    checked = [finding for record in told for finding in verification.verify({**record, "seed": record["seed"]})]
    chained = verification.verify_chain(told)
    return all(finding.holds or finding.code == "withheld" for finding in (*checked, *chained))


def test_a_form_that_is_sent_twice_leaves_one_line(db: Database) -> None:
    table = played(db)
    told: dict[str, Any] = {"reason": "a die was misread", "now": NOW, "played": 1}
    assert rewinding.rewind(db, table.id, table.master, to=2, **told) == 2
    with pytest.raises(RefereeError, match="stale"):
        rewinding.rewind(db, table.id, table.master, to=2, **told)
    with pytest.raises(RefereeError, match="stale"):
        rewinding.take_up(db, table.id, table.master, line=1, **told)
    assert len(rewinding.branches(db, table.id)) == 1


def test_the_battle_stands_at_the_start_of_the_turn_and_nothing_is_lost(db: Database) -> None:
    table = played(db)
    before = publication.turn(db, table.id, 2, PUBLIC).before
    old = [publication.record(db, table.id, turn, PUBLIC) for turn in (1, 2, 3)]
    assert back(table, 2) == 2
    shown = table.show()
    assert (shown.status, shown.turn, shown.state, [line.turn for line in shown.turns]) == ("open", 2, before, [1])
    (left,) = rewinding.branches(db, table.id)
    assert (left.line, left.back_to, left.turn, left.status, left.reason) == (1, 2, 3, "open", "a die was misread")
    assert [rewinding.record(db, table.id, 1, turn) for turn in (1, 2, 3)] == old
    assert [line.turn for line in rewinding.branch(db, table.id, 1)[1]] == [1, 2, 3]
    assert publication.record(db, table.id, 1, PUBLIC) == old[0]
    with pytest.raises(RefereeError, match="no-turn"):
        publication.turn(db, table.id, 2, PUBLIC)


def test_the_dice_of_the_new_line_have_a_fresh_secret(db: Database) -> None:
    for seed in (None, "00ff"):
        table = played(db, seed=seed)
        old = publication.record(db, table.id, 2, table.master)
        back(table, 2)
        assert table.show().seed_commitment not in ("", old["seed_commitment"])
        for place, seat in enumerate("ABC"):
            table.enter(seat, 1 + (1 + place) % 6)
        table.resolve()
        again = publication.record(db, table.id, 2, table.master)
        assert again["before"] == old["before"]
        assert again["seed"] != old["seed"]
        assert holds([publication.record(db, table.id, turn, table.master) for turn in (1, 2)])


def test_sealed_orders_of_the_turn_that_was_open_stay_sealed_for_ever(db: Database) -> None:
    table = played(db, 1)
    table.enter("A", 5, ready=True)
    back(table, 2)
    seats = table.show().seats
    assert not any(seat.entered or seat.ready or seat.digest for seat in seats)
    assert orders.sheet(db, table.id, "A", table.seats["A"]).revision == 0
    with pytest.raises(RefereeError, match="no-turn"):
        rewinding.turn(db, table.id, 1, 2)
    rewinding.take_up(db, table.id, table.master, line=1, reason="it was right after all", now=NOW)
    assert (table.show().turn, table.show().seats[0].entered) == (2, False)
    table.resolve()
    assert publication.turn(db, table.id, 2, table.master).orders == {}
    with db.read() as session:
        assert sheets.sealed(session, battle_row(session, table.id), 2, "resolution") == {}
    assert _numbers_kept(db) == [1, 2, 3, 5]


def _numbers_kept(db: Database) -> list[int]:
    """Every number that was ever sealed, once: nothing is deleted."""
    kept = set(everything(db)["sheets"])
    return sorted({int(row.split('{"number":')[1].split("}")[0]) for row in kept})


def test_a_draft_that_was_left_is_shown_to_nobody_any_more(db: Database) -> None:
    table = lay(db, review=True)
    table.enter("A", 4)
    table.resolve()
    assert publication.turn(db, table.id, 1, table.master).orders
    back(table, 1)
    assert table.show().status == "open"
    for number in (1, 2):
        with pytest.raises(RefereeError, match="no-turn"):
            rewinding.turn(db, table.id, 1, number)
    with pytest.raises(RefereeError, match="no-turn"):
        publication.turn(db, table.id, 1, table.master)


def test_who_plays_himself_publishes_what_he_has_seen_before_he_takes_it_back(db: Database) -> None:
    table = played(db, 1)
    back(table, 1)
    flow.set_flow(db, table.id, table.master, NOW, early=True, review=True)
    playing = replace(table.master, plays=True)
    table.enter("A", 4)
    table.resolve()
    before = everything(db)
    with pytest.raises(RefereeError, match="publish-first"):
        rewinding.rewind(db, table.id, playing, to=1, reason="x", now=NOW)
    with pytest.raises(RefereeError, match="publish-first"):
        rewinding.take_up(db, table.id, playing, line=1, reason="x", now=NOW)
    assert everything(db) == before
    publication.publish(db, table.id, playing, turn=1, now=NOW)
    assert rewinding.rewind(db, table.id, playing, to=1, reason="x", now=NOW) == 3


def test_the_log_never_tells_of_a_draft_that_was_left_what_was_sealed_in_it(db: Database) -> None:
    table = lay(db, review=True, options=Options(doctrine=True))
    doctrines.choose(db, table.id, "A", table.seats["A"], "high", NOW)

    def told(viewer: Viewer = PUBLIC) -> list[str]:
        told_of = {"ruled", "doctrine-followed", "rewound", "taken-up"}
        return [line.what for line in moderation.log(db, table.id, viewer) if line.what in told_of]

    def drafted(turn: int) -> None:
        table.resolve()
        ruling = Ruling(({"points": {"red": turn}},), "who struck whom")
        moderation.rule(db, table.id, table.master, ruling, NOW)

    drafted(1)
    back(table, 1)
    assert told() == ["rewound"]
    assert told(table.master) == ["ruled", "rewound"]
    drafted(1)
    assert told() == ["rewound"]
    publication.publish(db, table.id, table.master, turn=1, now=NOW)
    open_again = ["rewound", "doctrine-followed", "ruled"]
    assert told() == open_again
    drafted(2)
    rewinding.take_up(db, table.id, table.master, line=1, reason="it was right", now=NOW)
    assert told() == [*open_again, "taken-up"]
    back(table, 1)
    assert told() == [*open_again, "taken-up", "rewound"], "what was published stays told"
    assert told(table.master) == ["ruled", *open_again, "ruled", "taken-up", "rewound"]
    kept = exporting.export(db, table.id, whole=False, now=NOW)["log"]
    assert [line["what"] for line in kept if line["what"] in {"ruled", "doctrine-followed"}] == [
        "doctrine-followed",
        "ruled",
    ]


def test_a_line_that_was_left_is_taken_up_again_and_goes_on_from_its_end(db: Database) -> None:
    table = played(db)
    old = records(table)
    back(table, 2)
    table.enter("B", 6)
    table.resolve()
    new = records(table)
    assert rewinding.take_up(db, table.id, table.master, line=1, reason="the first one counts", now=NOW) == 3
    assert table.show().turn == 4
    assert records(table) == old
    first, second = rewinding.branches(db, table.id)
    assert (first.taken_as, second.line, second.taken_as, second.turn) == (3, 2, None, 2)
    assert [rewinding.record(db, table.id, 2, turn) for turn in (1, 2)] == new
    with pytest.raises(RefereeError, match="no-branch"):
        rewinding.take_up(db, table.id, table.master, line=1, reason="once more", now=NOW)
    table.resolve()
    assert [line.turn for line in table.show().turns] == [1, 2, 3, 4]
    rewinding.take_up(db, table.id, table.master, line=2, reason="and back", now=NOW)
    assert records(table) == new


def test_rulings_of_the_turn_go_with_the_line_that_is_left(db: Database) -> None:
    table = played(db, 1)
    moderation.rule(db, table.id, table.master, Ruling(({"points": {"red": 9}},), "seen amiss"), NOW)
    table.resolve()
    back(table, 2)
    assert table.show().state.points["red"] != 9
    assert rewinding.turn(db, table.id, 1, 2).before.points["red"] == 9
    assert [made.reason for made in rewinding.turn(db, table.id, 1, 2).rulings] == ["seen amiss"]
    rewinding.take_up(db, table.id, table.master, line=1, reason="back", now=NOW)
    assert publication.turn(db, table.id, 2, PUBLIC).before.points["red"] == 9


def test_a_battle_that_is_over_goes_on_and_one_that_a_ruling_ended_too(db: Database) -> None:
    table = lay(db, scenario={"goal": 1})
    for seat in "ABC":
        table.enter(seat, 6)
    table.resolve()
    assert table.show().status == "over"
    with pytest.raises(RefereeError, match="no-turn"):
        back(table, 2)
    back(table, 1)
    assert (table.show().status, table.show().turn, table.show().outcome.winner) == ("open", 1, None)
    moderation.rule(db, table.id, table.master, Ruling(({"winner": "blue"},), "they gave in"), NOW)
    assert (table.show().status, table.show().turn) == ("over", 0)
    back(table, 1)
    assert (table.show().status, table.show().turn) == ("open", 1)
    rewinding.take_up(db, table.id, table.master, line=2, reason="they did give in", now=NOW)
    assert (table.show().status, table.show().outcome.winner) == ("over", "blue")
    rewinding.take_up(db, table.id, table.master, line=1, reason="the first result", now=NOW)
    assert (table.show().status, table.show().turn) == ("over", 1)


def test_no_list_no_sweep_and_no_key_finds_a_line_that_was_left(db: Database) -> None:
    table = played(db, turn_hours=24)
    back(table, 2)
    assert [line.id for line in battles.listing(db)] == [table.id]
    deadlines.sweep(db, NOW + timedelta(hours=2000), outage=timedelta(0))
    deadlines.sweep(db, NOW + timedelta(hours=2001), outage=timedelta(0))
    with db.read() as session:
        kept = rewinding._branch(session, table.id, 1).kept_as
    with pytest.raises(RefereeError, match="no-battle"):
        battles.battle(db, kept, table.master, NOW)
    assert [line.turn for line in rewinding.branch(db, table.id, 1)[1]] == [1, 2, 3]


@pytest.mark.parametrize("to", [0, -1, 5, 99])
def test_there_are_turns_to_go_back_to_and_others(db: Database, to: int) -> None:
    table = played(db)
    before = everything(db)
    with pytest.raises(RefereeError, match="no-turn"):
        back(table, to)
    with pytest.raises(RefereeError, match="bad-ruling"):
        back(table, 1, reason=" ")
    for viewer in (PUBLIC, table.seats["A"]):
        with pytest.raises(RefereeError, match="not-yours"):
            rewinding.rewind(db, table.id, viewer, to=1, reason="x", now=NOW)
    with pytest.raises(RefereeError, match="no-branch"):
        rewinding.take_up(db, table.id, table.master, line=1, reason="x", now=NOW)
    assert everything(db) == before


def test_all_is_logged_with_its_reason(db: Database) -> None:
    table = played(db)
    version = table.show().version
    back(table, 3, reason="the map was wrong")
    rewinding.take_up(db, table.id, table.master, line=1, reason="it was right", now=NOW)
    one, other = table.show().log[-2:]
    assert (one.what, one.turn, one.params) == ("rewound", 3, {"to": 3, "reason": "the map was wrong", "line": 1})
    assert (other.what, other.turn, other.params) == ("taken-up", 4, {"reason": "it was right", "line": 1})
    assert table.show().version > version


def test_a_whole_archive_takes_the_lines_that_were_left_along(db: Database) -> None:
    table = played(db)
    table.enter("A", 2)
    back(table, 2)
    table.enter("B", 6)
    table.resolve()
    rewinding.take_up(db, table.id, table.master, line=1, reason="back", now=NOW)
    back(table, 1)
    told = exporting.export(db, table.id, whole=True, now=NOW)
    done = importing.bring_in(db, archive.read(archive.packed(told)), now=NOW, again=True)
    assert rewinding.branches(db, done.battle_id) == rewinding.branches(db, table.id)
    for line in (2, 3):
        for turn in (1, 2):
            assert rewinding.record(db, done.battle_id, line, turn) == rewinding.record(db, table.id, line, turn)
    again = exporting.export(db, done.battle_id, whole=True, now=NOW)
    assert again["whole"]["branches"] == told["whole"]["branches"]
    public = exporting.export(db, table.id, whole=False, now=NOW)
    assert public["whole"] is None
    assert archive.read(archive.packed(public)).battle.line == 4


def test_a_line_that_was_tampered_with_is_not_taken_in(db: Database) -> None:
    table = played(db)
    back(table, 2)
    told = exporting.export(db, table.id, whole=True, now=NOW)
    told["whole"]["branches"][0]["sheets"][0]["orders"] = {"number": 4}
    body = archive.packed(archive.sealed({key: value for key, value in told.items() if key != "digest"}))
    with pytest.raises(archive.ArchiveError, match="bad-archive"):
        importing.bring_in(db, archive.read(body), now=NOW, again=True)


def test_who_was_not_told_of_a_turn_yet_is_told_when_it_is_taken_up_again(db: Database) -> None:
    """Quiet hours held the notice back; what was awaited in the turn is not told any more."""
    table = played(db)
    with db.write() as session:
        for code in ("turn-published", "reminder"):
            outbox.write(session, f"notice/{code}", "notice", NOW, battle_id=table.id, turn=3, facts={"code": code})
    back(table, 2)
    assert dues(db) == {"notice/turn-published": None, "notice/reminder": None}
    rewinding.take_up(db, table.id, table.master, line=1, reason="the first one counts", now=NOW)
    assert dues(db) == {"notice/turn-published": NOW, "notice/reminder": None}


def dues(db: Database) -> dict[str, object]:
    with db.read() as session:
        rows = session.execute(select(OUTBOX.c.key, OUTBOX.c.due_at).where(OUTBOX.c.key.startswith("notice/")))
        return {row.key: row.due_at for row in rows}
