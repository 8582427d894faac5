"""When a turn is due, what it leaves behind, and when the next one is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import delete

from app.referee import battles, names, publication, sealing, showing, turns
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.store.db import Database
from app.store.models import Battle
from tests.referee.table import everything, lay
from tests.times import DAY, HOUR, NOW


def test_a_turn_that_is_not_due_stays_open(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    table.enter("A", 3, ready=True)
    table.enter("B", 3, ready=True)
    table.enter("C", 3)
    before = everything(db)
    assert not turns.resolve_if_due(db, table.id, NOW)
    assert everything(db) == before


def test_the_last_to_be_ready_resolves_it(db: Database) -> None:
    table = lay(db)
    assert not table.enter("A", 3, ready=True).resolved
    assert not table.ready("B")
    assert table.enter("C", 3, ready=True).resolved
    shown = table.show()
    assert (shown.turn, shown.status, [seat.entered for seat in shown.seats]) == (2, "open", [False] * 3)
    assert [(line.turn, line.resolved_by, line.published_at) for line in shown.turns] == [(1, "ready", NOW)]


def test_or_does_so_by_the_button_alone(db: Database) -> None:
    table = lay(db, scenario={"seats": 2})
    table.enter("A", 3, ready=True)
    assert table.ready("B")
    assert table.show().turn == 2


def test_only_those_who_are_asked_need_be_ready(db: Database) -> None:
    table = lay(db, scenario={"idle": ["C"]})
    assert not table.ready("A")
    assert table.ready("B")


def test_without_the_option_all_wait_for_the_deadline(db: Database) -> None:
    table = lay(db, early=False, deadline=NOW + DAY)
    assert not any(table.enter(seat, 3, ready=True).resolved for seat in "ABC")
    assert turns.resolve_if_due(db, table.id, NOW + DAY)
    assert table.show().turns[0].resolved_by == "deadline"


def test_at_the_deadline_silence_speaks(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    table.enter("A", 3)
    assert not turns.resolve_if_due(db, table.id, NOW + HOUR - timedelta(microseconds=1))
    assert turns.resolve_if_due(db, table.id, NOW + HOUR)
    assert not turns.resolve_if_due(db, table.id, NOW + HOUR)
    assert table.show().turn == 2


def test_a_prompt_step_is_resolved_when_everybody_asked_has_answered(db: Database) -> None:
    table = lay(db, "prompt", early=False)
    assert not table.enter("A", 3).resolved
    assert not table.enter("B", 3).resolved
    assert not table.enter("B", 4).resolved
    assert table.enter("C", 3).resolved
    assert table.show().turns[0].resolved_by == "prompt"


def test_being_ready_is_no_answer_to_a_prompt(db: Database) -> None:
    table = lay(db, "prompt")
    assert not any(table.ready(seat) for seat in "ABC")


def test_play_by_turns_asks_one_seat_after_the_other(db: Database) -> None:
    table = lay(db, "by-turns")
    for turn, seat in enumerate("ABCAB", start=1):
        assert [view.seat for view in table.show().seats if view.awaited] == [seat]
        with pytest.raises(RefereeError, match="not-open"):
            table.enter("C" if seat != "C" else "A", 3)
        assert table.enter(seat, 3).resolved
        assert table.show().turn == turn + 1


def test_the_master_resolves_whoever_is_silent(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    table.enter("A", 3)
    table.resolve()
    assert table.show().turns[0].resolved_by == "master"
    assert [(line.who, line.what, line.params) for line in table.show().log][-1] == ("master", "resolved", {"by": "master"})


def test_none_but_the_master_does(db: Database) -> None:
    table = lay(db)
    for viewer in (PUBLIC, table.seats["A"], lay(db).master):
        with pytest.raises(RefereeError, match="not-yours"):
            turns.resolve_now(db, table.id, viewer, turn=1, now=NOW)


def test_a_turn_that_is_not_the_open_one_is_not_resolved(db: Database) -> None:
    table = lay(db)
    for turn in (0, 2, -1):
        with pytest.raises(RefereeError, match="stale"):
            turns.resolve_now(db, table.id, table.master, turn=turn, now=NOW)
    over = lay(db, scenario={"goal": 1})
    for seat in "ABC":
        over.enter(seat, 6)
    over.resolve()
    with pytest.raises(RefereeError, match="closed"):
        turns.resolve_now(db, over.id, over.master, turn=1, now=NOW)


def test_the_battle_ends_when_nobody_is_asked_any_more(db: Database) -> None:
    table = lay(db, scenario={"goal": 2}, turn_hours=24)
    for seat in "ABC":
        table.enter(seat, 6)
    table.resolve()
    shown = table.show()
    assert (shown.status, shown.turn, shown.deadline, shown.outcome.winner) == ("over", 1, None, "red")
    assert [(side.side, side.points) for side in shown.sides] == [("red", 2), ("blue", 1)]
    assert shown.state.winner == "red"
    assert shown.turns[-1].winner == "red"
    assert not turns.resolve_if_due(db, table.id, NOW + 100 * DAY)


def test_the_next_deadline_keeps_to_the_schedule(db: Database) -> None:
    table = lay(db, turn_hours=24)
    for seat in "ABC":
        table.enter(seat, 3, ready=True, now=NOW + HOUR)
    assert table.show().deadline == NOW + 2 * DAY
    turns.resolve_if_due(db, table.id, NOW + 2 * DAY + HOUR)
    assert table.show().deadline == NOW + 3 * DAY


def test_it_is_a_later_one_of_the_grid_where_the_schedule_lies_behind(db: Database) -> None:
    table = lay(db, turn_hours=24)
    turns.resolve_if_due(db, table.id, NOW + 2 * DAY)
    assert table.show().deadline == NOW + 3 * DAY
    battles.set_deadline(db, table.id, table.master, None, NOW + 2 * DAY)
    table.resolve(NOW + 10 * DAY)
    assert table.show().deadline == NOW + 11 * DAY


def test_a_prompt_step_counts_from_its_opening(db: Database) -> None:
    table = lay(db, "by-turns", turn_hours=24)
    table.enter("A", 3, now=NOW + HOUR)
    assert table.show().deadline == NOW + HOUR + DAY


def test_a_deadline_set_by_hand_is_for_one_turn(db: Database) -> None:
    table = lay(db, deadline=NOW + DAY)
    turns.resolve_if_due(db, table.id, NOW + DAY)
    assert table.show().deadline is None


def test_each_turn_has_a_secret_of_its_own(db: Database) -> None:
    table = lay(db)
    seen = []
    for _ in range(3):
        seen.append(table.show().seed_commitment)
        table.resolve()
    assert len(set(seen)) == 3


def test_the_same_orders_in_any_order_of_arrival_give_the_same_seed(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing.secrets, "token_hex", lambda n: "0" * 32)
    monkeypatch.setattr(names, "new_id", iter(["battle", "battle"]).__next__)
    seeds = []
    for arrival in ("ABC", "CAB"):
        table = lay(db, seed="aa")
        for seat in arrival:
            table.enter(seat, 3)
        table.resolve()
        seeds.append(publication.record(db, table.id, 1, PUBLIC)["seed"])
        with db.write() as session:
            session.execute(delete(Battle))
    assert seeds[0] == seeds[1]


def test_history_has_every_resolved_turn_and_a_battle_the_newest(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(showing, "TURNS_SHOWN", 3)
    table = lay(db)
    for _ in range(5):
        table.resolve()
    assert [line.turn for line in turns.history(db, table.id, PUBLIC)] == [1, 2, 3, 4, 5]
    assert [line.turn for line in table.show().turns] == [3, 4, 5]
