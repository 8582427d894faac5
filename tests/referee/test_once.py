"""A turn is resolved once, however many ask for it at the same moment; no sheet is lost on the way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from app.referee import deadlines, orders, publication, turns
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC
from app.store.db import Database
from tests.referee.table import Table, lay, rows_of_turns
from tests.times import DAY, HOUR, NOW

CROWD = 20


def all_at_once(acts: list[Callable[[], Any]]) -> list[Any]:
    """What each act gave or raised, begun together in a thread of its own."""
    together, ended = threading.Barrier(len(acts)), [None] * len(acts)

    def run(number: int, act: Callable[[], Any]) -> None:
        together.wait()
        try:
            ended[number] = act()
        except BaseException as failure:
            ended[number] = failure  # type: ignore[call-overload]

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ended


def test_twenty_clocks_at_once_resolve_one_turn(db: Database) -> None:
    table = lay(db, deadline=NOW + HOUR)
    table.enter("A", 3)
    ended = all_at_once([lambda: turns.resolve_if_due(db, table.id, NOW + HOUR)] * CROWD)
    assert sorted(ended) == [False] * (CROWD - 1) + [True]
    assert rows_of_turns(db) == {"turns": [1, 2], "states": [1, 2], "events": [0, 1]}


def test_twenty_clicks_of_the_master_resolve_one_turn(db: Database) -> None:
    table = lay(db)
    ended = all_at_once([lambda: turns.resolve_now(db, table.id, table.master, turn=1, now=NOW)] * CROWD)
    assert [end for end in ended if end is None] == [None]
    assert {end.code for end in ended if end is not None} == {"stale"}
    assert rows_of_turns(db) == {"turns": [1, 2], "states": [1, 2], "events": [0, 1]}


def test_twenty_servers_that_sweep_resolve_each_battle_once(db: Database) -> None:
    tables = [lay(db, deadline=NOW + HOUR) for _ in range(5)]
    ended = all_at_once([lambda: deadlines.sweep(db, NOW + HOUR, outage=DAY)] * CROWD)
    assert sum(ended) == len(tables)
    assert [table.show().turn for table in tables] == [2] * 5


def test_twenty_publications_publish_one_turn(db: Database) -> None:
    table = lay(db, review=True)
    table.resolve()
    ended = all_at_once([lambda: publication.publish(db, table.id, table.master, turn=1, now=NOW)] * CROWD)
    assert [end for end in ended if end is None] == [None]
    assert {end.code for end in ended if end is not None} == {"not-under-review"}
    assert rows_of_turns(db) == {"turns": [1, 2], "states": [1, 2], "events": [0, 1]}


def test_no_sheet_is_accepted_and_then_lost(db: Database) -> None:
    """Twenty seats enter while twenty masters resolve: who was told that his orders are kept finds them counted, in the
    turn for which he was told so; who was refused finds nothing."""
    table = lay(db, scenario={"seats": CROWD})
    acts = [act for seat in table.seats for act in (enters(table, seat), resolves(table))]
    ended = dict(zip(table.seats, all_at_once(acts)[::2], strict=True))
    counted = {sheet["seat"]: sheet for sheet in publication.record(db, table.id, 1, PUBLIC)["sheets"]}
    for seat, end in ended.items():
        if isinstance(end, RefereeError):
            assert end.code == "stale"
            assert seat not in counted
        else:
            assert counted[seat]["digest"] == end.receipt.digest
    assert table.show().turn == 2


def enters(table: Table, seat: str) -> Callable[[], Any]:
    viewer = table.seats[seat]
    return lambda: orders.enter(table.db, table.id, seat, viewer, turn=1, revision=0, fields={"number": 3}, now=NOW)


def resolves(table: Table) -> Callable[[], Any]:
    return lambda: turns.resolve_now(table.db, table.id, table.master, turn=1, now=NOW)


def test_all_who_are_ready_at_once_resolve_one_turn(db: Database) -> None:
    table = lay(db, scenario={"seats": CROWD})
    acts = [readies(table, seat) for seat in table.seats]
    ended = all_at_once(acts)
    assert sorted(end.resolved for end in ended) == [False] * (CROWD - 1) + [True]
    assert table.show().turn == 2
    assert len(publication.record(db, table.id, 1, PUBLIC)["sheets"]) == CROWD


def readies(table: Table, seat: str) -> Callable[[], Any]:
    return lambda: orders.enter(
        table.db, table.id, seat, table.seats[seat], turn=1, revision=0, fields={"number": 3}, ready=True, now=NOW
    )


def test_two_tabs_of_one_seat_make_one_revision_of_two_saves(db: Database) -> None:
    table = lay(db)
    ended = all_at_once([enters(table, "A")] * CROWD)
    kept = [end for end in ended if not isinstance(end, BaseException)]
    assert [end.revision for end in kept] == [1]
    assert {(end.code, end.current["revision"]) for end in ended if isinstance(end, RefereeError)} == {("stale", 1)}
    assert len([end for end in ended if isinstance(end, RefereeError)]) == CROWD - 1
