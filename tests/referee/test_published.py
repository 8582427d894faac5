"""Turns in a row are what each of them is alone, and cost no more statements than one."""

from __future__ import annotations

import pytest

from app.engine.ruleset import Ruling
from app.referee import battles, moderation, publication, published, sayings
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.store.db import Database
from tests.referee.table import lay
from tests.referee.test_cost import counted
from tests.times import NOW


def test_each_of_them_is_as_it_is_alone(db: Database) -> None:
    table = lay(db)
    for number in range(1, 5):
        table.enter("A", number)
        sayings.say(db, table.id, "A", table.seats["A"], turn=number, text=f"The {number}th!", now=NOW)
        if number == 3:
            points = dict.fromkeys(table.show().outcome.points, 1)
            moderation.rule(db, table.id, table.master, Ruling(({"points": points},), "Even."), NOW)
        table.resolve()
    for turn in published.in_a_row(db, table.id, (4, 1, 3, 5, 99)):
        alone = publication.turn(db, table.id, turn.turn, PUBLIC)
        for part in ("title", "scenario", "published_at", "before", "after", "events", "points", "winner", "sayings"):
            assert getattr(turn, part) == getattr(alone, part), part
        assert turn.sayings
        assert turn.orders == {}
    assert [turn.turn for turn in published.in_a_row(db, table.id, (4, 1, 3, 5, 99))] == [1, 3, 4]


def test_a_draft_is_none_of_them(db: Database) -> None:
    table = lay(db, review=True)
    table.resolve()
    assert published.in_a_row(db, table.id, (1,)) == ()
    assert battles.battle(db, table.id, PUBLIC, NOW).status == "review"


def test_twelve_cost_as_many_statements_as_one(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    table, costs = lay(db), []
    for _ in range(12):
        table.resolve()
    for numbers in ((1,), range(1, 13)):
        with counted(db, monkeypatch) as seen:
            assert len(published.in_a_row(db, table.id, numbers)) == len(numbers)
        costs.append(sum(one != "row" for one in seen))
    assert costs[0] == costs[1] <= 8


def test_no_battle_is_no_battle(db: Database) -> None:
    with pytest.raises(RefereeError, match="no-battle"):
        published.in_a_row(db, "nowhere", (1,))
