"""Several servers over one database: what is done through one is hinted at by all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.referee import battles, freshness, scenarios
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from app.store.db import Database
from tests.servers import Instance, Listener, running
from tests.web.conftest import SKIRMISH


def _battle(db: Database) -> NewBattle:
    return battles.create(db, scenario=scenarios.read_file(SKIRMISH), now=datetime.now(UTC), early=False)


def _enter(instance: Instance, battle: NewBattle, seat: str, *, revision: int = 0, ready: bool = False) -> None:
    body = {"turn": 1, "revision": revision, "orders": {}, "ready": ready}
    instance.api("PUT", f"/battles/{battle.id}/seats/{seat}/sheet", battle.seat_keys[seat], body)


def _pulse(db: Database, battle: NewBattle) -> str:
    return freshness.pulses(db, (battle.id,))[battle.id]


@contextmanager
def _listening(*listeners: Listener) -> Iterator[None]:
    try:
        yield
    finally:
        for listener in listeners:
            listener.close()


def test_a_change_through_one_server_reaches_who_listens_at_the_other(db_url: str, db: Database, tmp_path: Path) -> None:
    """On SQLite as on PostgreSQL."""
    battle = _battle(db)
    here, there = (Instance(db_url, tmp_path / name) for name in ("here", "there"))
    with running(here, there):
        listeners = [Listener(here, battle.id), Listener(there, battle.id)]
        with _listening(*listeners):
            for instance, seat in ((here, "north"), (there, "south")):
                _enter(instance, battle, seat)
                for listener in listeners:
                    listener.until(_pulse(db, battle))
            now = datetime.now(UTC)
            battles.set_deadline(db, battle.id, viewer_by_key(db, battle.master_key), now + timedelta(days=3), now)
            for listener in listeners:
                listener.until(_pulse(db, battle))
            assert len(set(listeners[0].hints)) == 4
            assert listeners[0].hints == listeners[1].hints


def test_who_listened_at_a_server_that_was_killed_is_told_when_it_is_back(db_url: str, db: Database, tmp_path: Path) -> None:
    battle = _battle(db)
    here, there = (Instance(db_url, tmp_path / name) for name in ("here", "there"))
    with running(here, there):
        listener = Listener(here, battle.id)
        with _listening(listener):
            here.kill()
            _enter(there, battle, "north")
            assert listener.hints[-1] != _pulse(db, battle)
            here.start()
            listener.until(_pulse(db, battle))
            assert listener.opened == 2
            _enter(there, battle, "south")
            listener.until(_pulse(db, battle))


def test_two_workers_of_one_server_hint_alike(sqlite_db: Database, tmp_path: Path) -> None:
    """Whichever worker a stream has come to, and whichever the change."""
    battle = _battle(sqlite_db)
    server = Instance(f"sqlite:///{tmp_path / 'test.db'}", tmp_path / "data", workers=2)
    with running(server):
        listeners = [Listener(server, battle.id) for _ in range(12)]
        with _listening(*listeners):
            for revision, ready in ((0, False), (1, True), (2, False)):
                _enter(server, battle, "north", revision=revision, ready=ready)
                for listener in listeners:
                    listener.until(_pulse(sqlite_db, battle))
