"""Nothing sealed is read by anybody before its time: every verb, every viewer, every state of a battle."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event, select

from app.engine.ruleset import Ruling
from app.referee import battles, deadlines, keys, moderation, orders, plans, publication, sheets, turns
from app.referee.errors import RefereeError
from app.referee.rows import battle_row
from app.referee.views import PUBLIC, Viewer
from app.rulesets.registry import RULESETS
from app.store.db import Database
from app.store.models import Turn
from tests.referee import guessing
from tests.referee.table import Table, lay
from tests.times import DAY, HOUR, NOW

SECRET = 424242
"""What seat A seals: nothing else in the database looks like it."""

READING: dict[str, Callable[[Table, Viewer], Any]] = {
    "battles.battle": lambda table, viewer: battles.battle(table.db, table.id, viewer, NOW),
    "battles.listing": lambda table, viewer: battles.listing(table.db),
    "orders.sheet": lambda table, viewer: orders.sheet(table.db, table.id, "A", viewer),
    "orders.check": lambda table, viewer: orders.check(
        table.db, table.id, "A", viewer, turn=1, revision=1, fields={"number": 1}, now=NOW
    ),
    "plans.plan": lambda table, viewer: plans.plan(table.db, table.id, "A", viewer),
    "plans.mark": lambda table, viewer: plans.mark(table.db, table.id, "A", viewer),
    "turns.history": lambda table, viewer: turns.history(table.db, table.id, viewer),
    "publication.turn": lambda table, viewer: publication.turn(table.db, table.id, "latest", viewer),
    "publication.record": lambda table, viewer: publication.record(table.db, table.id, "latest", viewer),
    "publication.turn 1": lambda table, viewer: publication.turn(table.db, table.id, 1, viewer),
    "publication.record 1": lambda table, viewer: publication.record(table.db, table.id, 1, viewer),
    "moderation.log": lambda table, viewer: moderation.log(table.db, table.id),
    "keys.viewer_by_key": lambda table, viewer: keys.viewer_by_key(table.db, table.new.seat_keys["A"]),
    "battles.seat_keys": lambda table, viewer: battles.seat_keys(table.db, table.id, table.new.master_key),
}


@pytest.fixture(autouse=True)
def _any_number_is_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "guessing", replace(guessing.RULESET, check=lambda *given: ()))


def viewers(table: Table) -> Iterator[tuple[str, Viewer]]:
    other = lay(table.db)
    yield "public", PUBLIC
    yield "the other side", table.seats["B"]
    yield "the own side", table.seats["C"]
    yield "another battle's seat", other.seats["A"]
    yield "another battle's master", other.master
    yield "an account", Viewer("account", account_id=1, name="Ann")
    yield "an account without a number", Viewer("account")
    yield "a seat of no battle", Viewer("seat", seat="A")


def told(act: Callable[[Table, Viewer], Any], table: Table, viewer: Viewer) -> str:
    try:
        return repr(act(table, viewer))
    except RefereeError as refused:
        return repr((refused.code, refused.params, refused.problems, refused.current))


@pytest.mark.parametrize("when", ["open", "held", "review"])
@pytest.mark.parametrize("name", READING)
def test_no_verb_tells_what_is_sealed(db: Database, name: str, when: str) -> None:
    table = lay(db, review=when == "review", deadline=NOW + HOUR)
    receipt = table.enter("A", SECRET).receipt
    assert receipt is not None
    if when == "held":
        deadlines.sweep(db, NOW, outage=HOUR / 2)
        deadlines.sweep(db, NOW + DAY, outage=HOUR / 2)
    if when == "review":
        table.resolve()
    assert table.show().status == when
    with db.read() as session:
        secret = session.execute(select(Turn.secret).where(Turn.battle_id == table.id)).scalar_one()
    for who, viewer in viewers(table):
        answer = told(READING[name], table, viewer)
        leaked = [word for word in (str(SECRET), receipt.nonce, secret.hex(), repr(secret)[2:-1]) if word in answer]
        assert leaked == [], f"{name} tells {who}"
    if when != "review":
        assert str(SECRET) not in told(READING[name], table, table.master), f"{name} tells the master"


def test_the_seat_reads_its_own_and_all_read_what_is_published(db: Database) -> None:
    """The counter-test: the search above would find a leak."""
    table = lay(db)
    table.enter("A", SECRET)
    assert str(SECRET) in told(READING["orders.sheet"], table, table.seats["A"])
    table.resolve()
    for _, viewer in viewers(table):
        assert str(SECRET) in told(READING["publication.record 1"], table, viewer)
        assert str(SECRET) in told(READING["publication.turn"], table, viewer)


def test_sealed_gives_each_reader_what_he_may_read(db: Database) -> None:
    table = lay(db, review=True)
    for seat in "AB":
        table.enter(seat, SECRET)

    def read(reader: Any) -> list[str]:
        with db.read() as session:
            return list(sheets.sealed(session, battle_row(session, table.id), 1, reader))

    assert read("resolution") == ["A", "B"]
    assert (read(table.seats["A"]), read(table.seats["C"]), read(table.master), read(PUBLIC)) == (["A"], [], [], [])
    table.resolve()
    assert (read(table.seats["A"]), read(table.master), read(PUBLIC)) == (["A"], ["A", "B"], [])
    publication.publish(db, table.id, table.master, turn=1, now=NOW)
    assert (read(table.seats["C"]), read(table.master), read(PUBLIC)) == (["A", "B"],) * 3


def test_one_function_alone_reads_sealed_orders(db: Database) -> None:
    """Whatever is asked, a statement that fetches orders is run by `sealed`."""
    readers: list[set[str]] = []

    def look(connection: Any, cursor: Any, text: str, *more: Any) -> None:
        if re.search(r"sheets\.orders|sheets\.\*|\borders\b.*FROM sheets", text, re.DOTALL):
            readers.append({frame.name for frame in traceback.extract_stack() if "/app/referee/" in frame.filename})

    table = lay(db)
    table.enter("A", SECRET)
    for engine in (db.engine, db.reading_engine):
        event.listen(engine, "before_cursor_execute", look)
    for round_of in range(2):
        for act in READING.values():
            told(act, table, table.seats["A"])
        if round_of == 0:
            table.resolve()
    assert len(readers) > 3
    assert [names for names in readers if "sealed" not in names] == []


def test_a_secret_is_told_with_its_turn_and_not_before(db: Database) -> None:
    table = lay(db)
    table.resolve()
    assert len(publication.record(db, table.id, 1, table.master)["seed"]["secret"]) == 64
    with pytest.raises(RefereeError, match="no-turn"):
        publication.record(db, table.id, 2, table.master)


def test_where_dice_were_hidden_the_secret_waits_for_the_end_of_the_battle(db: Database) -> None:
    """From the seed anybody could roll again what went into another seat's pocket."""
    table = lay(db)
    table.resolve()
    for viewer in (PUBLIC, table.seats["A"]):
        assert publication.record(db, table.id, 1, viewer)["seed"] == {"secret": "", "seed": ""}
    moderation.rule(db, table.id, table.master, Ruling(({"winner": "red"},), "they gave up"), NOW)
    assert publication.record(db, table.id, 1, PUBLIC) == publication.record(db, table.id, 1, table.master)
