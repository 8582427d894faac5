"""A server that is killed with a letter in its hands, and one that comes after it."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta

from app.referee import undelivered
from app.referee.outbox import LEASE
from app.store.db import Database
from tests.posting.postoffice import PostOffice, postoffice, text_of
from tests.referee.test_courier import deliver, mailed, seat, tell
from tests.referee.test_outbox import lay
from tests.times import NOW

SERVER = """
import sys
from datetime import datetime
from app.posting.mail import MailServer
from app.posting.wire import Wire
from app.referee.posting import Postman
from app.store.db import Database

now = datetime.fromisoformat(sys.argv[2])
office = MailServer("127.0.0.1", int(sys.argv[3]), "post@battles.example", "none", seconds=20)
postman = Postman(Database(sys.argv[1]), "https://here.example", lambda: now, Wire(), office)
sys.stdin.readline()
while postman.deliver_next():
    pass
"""


def kill_in_the_middle(db: Database, office: PostOffice, now: datetime) -> int:
    url = db.url.render_as_string(hide_password=False)
    command = [sys.executable, "-c", SERVER, url, now.isoformat(), str(office.port)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as server:
        office.victim = server.pid
        server.communicate(b"go\n", timeout=60)
    return server.returncode


def test_a_server_that_is_killed_in_the_middle_of_a_delivery_leaves_nothing_untold_and_nothing_new_twice(
    db: Database,
) -> None:
    table = lay(db)
    with postoffice() as office:
        mailed(table, seat(table), office)
        mailed(table, seat(table, -1), office)
        tell(table, "held")
        assert kill_in_the_middle(db, office, NOW) == -9
        assert len(office.letters) == 1  # taken there, and nobody here knows
        assert deliver(db, office) == 1  # the other seat's is in nobody's hands
        assert deliver(db, office, NOW + LEASE - timedelta(seconds=1)) == 0
        assert deliver(db, office, NOW + LEASE) == 1
        assert deliver(db, office, NOW + 9 * LEASE) == 0
        by_mark: dict[str, list[str]] = {}
        for to, letter in office.letters:
            by_mark.setdefault(letter["Message-ID"], []).append(to + text_of(letter))
        assert len(by_mark) == 2
        assert sorted(len(repeats) for repeats in by_mark.values()) == [1, 2]
        assert all(len(set(repeats)) == 1 for repeats in by_mark.values())  # the very same letter, known by its Message-ID
        assert undelivered.failures(db, table.id, table.master, NOW) == ()
