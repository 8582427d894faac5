"""How turns come out is changed while the battle runs, in the open."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.referee import battles, flow, moderation, scenarios, turns
from app.referee.errors import RefereeError
from app.referee.keys import viewer_by_key
from app.referee.views import PUBLIC
from app.store.db import Database

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_review_is_put_on_and_taken_off_and_the_log_tells_it(db: Database) -> None:
    made = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=NOW)
    master = viewer_by_key(db, made.master_key)
    flow.set_flow(db, made.id, master, NOW, early=True, review=True)
    flow.set_flow(db, made.id, master, NOW, early=True, review=True)
    told = [line.params for line in moderation.log(db, made.id) if line.what == "option-set"]
    assert told == [{"option": "review", "was": False, "is": True}]
    turns.resolve_now(db, made.id, master, turn=1, now=NOW)
    assert battles.battle(db, made.id, PUBLIC, NOW).status == "review"
    flow.set_flow(db, made.id, master, NOW, early=False, review=False)
    assert battles.battle(db, made.id, PUBLIC, NOW).status == "review", "a draft stays one"
    assert not battles.battle(db, made.id, PUBLIC, NOW).early


def test_a_commander_and_a_stranger_change_nothing(db: Database) -> None:
    made = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=NOW)
    for viewer in (PUBLIC, viewer_by_key(db, next(iter(made.seat_keys.values())))):
        with pytest.raises(RefereeError) as refused:
            flow.set_flow(db, made.id, viewer, NOW, early=False, review=True)
        assert refused.value.code == "not-yours"
    assert battles.battle(db, made.id, PUBLIC, NOW).early
