"""Two processes over one database; one dies by kill -9 in the middle of a resolution, and in the middle of a delivery. The
other goes on: each turn once, each notice once, or plainly once more with the same mark.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from app.posting.wire import Wire
from app.referee import auditing, battles, keys, moderation, orders, scenarios, subscriptions, turns, undelivered
from app.referee.posting import Postman
from app.referee.subscriptions import Wishes
from app.referee.views import PUBLIC, NewBattle, Viewer
from app.store.db import Database
from app.store.models import OUTBOX, Battle, Heartbeat
from app.worker import running as workers
from app.worker.jobs import address
from tests.posting.postoffice import PostOffice, postoffice, text_of
from tests.servers import Instance, running, until

STANDS = """
import sys, time
from sqlalchemy import event
from app.store.db import Database

made = Database.__init__

def watched(self, url):
    made(self, url)
    event.listen(self.engine, "after_cursor_execute", stop)

def stop(connection, cursor, text, *more):
    if text.lstrip().upper().startswith("INSERT INTO STATES"):
        print("in the middle", flush=True)
        time.sleep(600)

Database.__init__ = watched
sys.argv = ["fieldpost", "COMMAND"]
from app.cli.main import run
run()
"""
"""A process as the command starts it, that stands still in the middle of its first resolution."""


class Told:
    """A battle of two seats whose holders are written to."""

    def __init__(self, db: Database, office: PostOffice) -> None:
        now = datetime.now(UTC)
        self.db, self.office = db, office
        self.made: NewBattle = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=now)
        self.master: Viewer = keys.viewer_by_key(db, self.made.master_key)
        self.people = sorted(f"{seat}@players.example" for seat in self.made.seat_keys)
        for seat, key in self.made.seat_keys.items():
            subscriptions.add(
                db,
                self.made.id,
                keys.viewer_by_key(db, key),
                kind="mail",
                given={"address": f"{seat}@players.example"},
                wishes=Wishes("en", "UTC", ("turns",)),
                allow_private=True,
                has_mail=True,
                now=now,
            )
        postman = Postman(db, "http://here.example", lambda: now, Wire(), office.server)
        while postman.deliver_next():
            pass
        for _, letter in office.letters:
            assert subscriptions.confirm(db, text_of(letter).partition("/notices/confirm/")[2].split()[0])
        office.letters.clear()

    def falls_due(self) -> None:
        """The open turn's deadline was a second ago."""
        past = datetime.now(UTC) - timedelta(seconds=1)
        with self.db.write() as session:
            session.execute(update(Battle).where(Battle.id == self.made.id).values(deadline=past))

    def seals(self, seat: str) -> str:
        """A word of a seat's sealed orders, which nobody else may see before the turn is published."""
        viewer = keys.viewer_by_key(self.db, self.made.seat_keys[seat])
        sheet = orders.sheet(self.db, self.made.id, seat, viewer)
        unit, path = next((u["id"], u["options"]["move"][-1]) for u in sheet.options_json if u["options"]["move"])
        given = {"turn": sheet.turn, "revision": 0, "now": datetime.now(UTC)}
        orders.enter(self.db, self.made.id, seat, viewer, fields={unit: {"move": path}}, **given)  # type: ignore[arg-type]
        return str(unit)

    def resolved(self) -> list[int]:
        return [line.turn for line in turns.history(self.db, self.made.id, PUBLIC)]

    def letters(self, turn: int) -> list[tuple[str, str, str]]:
        """Who was told that a turn is published: address, mark, text."""
        return [
            (to, str(letter["Message-ID"]), text_of(letter))
            for to, letter in list(self.office.letters)
            if f"Turn {turn} is published." in text_of(letter)
        ]

    def is_told(self, turn: int) -> bool:
        return sorted({to for to, _, _ in self.letters(turn)}) == self.people and not self._waiting()

    def lease_is_over(self) -> None:
        """Whatever the dead one had in hand may be taken up."""
        with self.db.write() as session:
            held = update(OUTBOX).where(OUTBOX.c.done_at.is_(None), OUTBOX.c.claim.is_not(None))
            session.execute(held.values(due_at=datetime.now(UTC) - timedelta(seconds=1)))

    def is_beating(self) -> bool:
        with self.db.read() as session:
            return session.execute(select(Heartbeat.seen_at)).first() is not None

    def _waiting(self) -> bool:
        with self.db.read() as session:
            return session.execute(select(OUTBOX.c.id).where(OUTBOX.c.done_at.is_(None)).limit(1)).first() is not None


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with postoffice() as opened:
        yield opened


def mail(office: PostOffice) -> dict[str, str]:
    """Of all servers of one house."""
    told = {"HOST": "127.0.0.1", "PORT": str(office.port), "FROM": "post@battles.example", "SECURITY": "none"}
    names = {f"FIELDPOST_SMTP_{name}": value for name, value in told.items()}
    return {**names, "FIELDPOST_BASE_URL": "http://battles.example"}


def published(instance: Instance, battle: str) -> int:
    with urllib.request.urlopen(f"{instance.address}/api/v1/battles/{battle}", timeout=60) as answer:
        return int(json.loads(answer.read())["turn"]) - 1


def test_a_server_that_is_killed_leaves_each_turn_and_each_notice_to_the_other(
    db: Database, db_url: str, office: PostOffice, tmp_path: Path
) -> None:
    told = Told(db, office)
    there = Instance(db_url, tmp_path / "there", settings=mail(office))
    victim = Instance(db_url, tmp_path / "here", settings=mail(office), program=STANDS.replace("COMMAND", "serve"))
    with running(there), ExitStack() as last:
        last.callback(victim.kill)
        until(told.is_beating, "the server's clock does not go")
        there.stop()
        unit = told.seals("north")
        told.falls_due()
        victim.start_and_stand()
        there.go_on()
        assert published(there, told.made.id) == 0
        with urllib.request.urlopen(f"{there.address}/b/{told.made.id}/log", timeout=60) as answer:
            assert f"{unit}:" not in answer.read().decode()
        assert (told.resolved(), office.letters) == ([], [])
        victim.kill()
        until(lambda: told.is_told(1), "the other does not take it up")
        assert told.resolved() == [1]
        assert len(told.letters(1)) == 2

        again = Instance(db_url, tmp_path / "here", settings=mail(office))
        last.callback(again.kill)
        again.start()
        there.stop()
        assert again.process is not None
        office.victim = again.process.pid
        told.falls_due()
        until(lambda: office.victim == 0, "nothing is delivered")
        again.process.wait()
        there.go_on()
        told.lease_is_over()
        until(lambda: told.is_told(2), "the other does not take it up")
    assert told.resolved() == [1, 2]
    repeats = told.letters(2)
    assert len(repeats) in {2, 3, 4}
    assert len(set(repeats)) == 2, "what came twice is the very same letter, known by its mark"
    is_whole(told, 2)


def test_a_worker_that_is_killed_leaves_its_turn_to_another(
    postgres_db: Database, office: PostOffice, tmp_path: Path
) -> None:
    db = postgres_db
    told = Told(db, office)
    workers.prepare(address(db))
    url = db.url.render_as_string(hide_password=False)
    told.falls_due()
    alike = {"settings": mail(office), "program": STANDS.replace("COMMAND", "worker")}
    victim = Instance(url, tmp_path / "here", **alike)  # type: ignore[arg-type]
    calm = STANDS.replace("COMMAND", "worker").replace("time.sleep(600)", "pass")
    other = Instance(url, tmp_path / "there", settings=mail(office), program=calm)
    with ExitStack() as last:
        last.callback(victim.kill)
        last.callback(other.kill)
        victim.start_and_stand()
        assert told.resolved() == []
        victim.kill()
        other.start_and_stand()
        until(lambda: told.is_told(1), "the other does not take it up")
    assert told.resolved() == [1]
    assert len(told.letters(1)) == 2
    is_whole(told, 1)


def is_whole(told: Told, last: int) -> None:
    """The log tells of each resolution once, every record holds, and nobody has to be told of a failure."""
    log = moderation.log(told.db, told.made.id)
    assert [line.turn for line in log if line.what == "resolved"] == list(range(1, last + 1))
    assert auditing.audit(told.db, told.made.id) == ()
    assert undelivered.failures(told.db, told.made.id, told.master, datetime.now(UTC)) == ()
