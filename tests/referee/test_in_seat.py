"""Whatever is done in a seat needs what opens it now: no key that was renewed meanwhile, no pass that has ended."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from app.referee import (
    arms,
    battles,
    doctrines,
    keys,
    leave,
    moretime,
    orders,
    plans,
    sayings,
    seating,
    subscriptions,
    swapping,
    talk,
)
from app.referee.channels import Where
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.store.db import Database
from tests.drawing.test_arms import picture
from tests.referee.table import Table, everything, lay
from tests.times import NOW

LATER = NOW + timedelta(minutes=1)
AT_ONCE = {"begins": NOW, "zone": "UTC"}
Deed = Callable[[Database, str, Viewer], object]


def _subscribe(db: Database, battle: str, viewer: Viewer) -> None:
    given = {"url": "https://a.example/hook", "secret": "0123456789abcdef"}
    wishes = subscriptions.Wishes("en", "UTC", ("turns",))
    subscriptions.add(
        db, battle, viewer, kind="webhook", given=given, wishes=wishes, allow_private=False, has_mail=False, now=LATER
    )


def _leave(db: Database, battle: str, viewer: Viewer) -> None:
    nobody = leave.Deputy("nobody")
    leave.take(db, battle, "A", viewer, **AT_ONCE, ends=NOW + timedelta(days=3), deputy=nobody, now=LATER)  # type: ignore[arg-type]


DEEDS: dict[str, Deed] = {
    "enter": lambda db, b, v: orders.enter(db, b, "A", v, turn=1, revision=0, fields={"number": 1}, now=LATER),
    "ready": lambda db, b, v: orders.set_ready(db, b, "A", v, turn=1, ready=True, now=LATER),
    "name": lambda db, b, v: battles.name_holder(db, b, "A", v, "Eve", LATER),
    "doctrine": lambda db, b, v: doctrines.choose(db, b, "A", v, None, LATER),
    "draw": lambda db, b, v: plans.draw(db, b, "A", v, turn=1, kind="mark", cells=("A1",), now=LATER),
    "erase": lambda db, b, v: plans.erase(db, b, "A", v, turn=1, drawing="x", now=LATER),
    "say": lambda db, b, v: sayings.say(db, b, "A", v, turn=1, text="Forward!", now=LATER),
    "give arms": lambda db, b, v: arms.give(db, b, "A", v, picture("png"), LATER),
    "remove arms": lambda db, b, v: arms.remove(db, b, "A", v, LATER),
    "more time": lambda db, b, v: moretime.ask(db, b, "A", v, hours=24, now=LATER),
    "leave": _leave,
    "back": lambda db, b, v: leave.back(db, b, "A", v, LATER),
    "share": lambda db, b, v: seating.share(db, b, "A", v, name="Ann", now=LATER),
    "hand over": lambda db, b, v: seating.hand_over(db, b, "A", v, holder="Eve", orders="keep", now=LATER),
    "renew": lambda db, b, v: seating.renew(db, b, "A", v, LATER),
    "propose": lambda db, b, v: swapping.propose(db, b, "A", v, "B", LATER, fresh=False),
    "answer": lambda db, b, v: swapping.answer(db, b, "A", v, 1, LATER, accepts=True),
    "notices": _subscribe,
    "write": lambda db, b, v: talk.write(db, b, Where(), v, text="Hello.", now=LATER),
    "edit": lambda db, b, v: talk.edit(db, b, Where(), v, 1, text="Hello?", now=LATER),
    "take back": lambda db, b, v: talk.take_back(db, b, Where(), v, 1, LATER),
}


def _renewed(table: Table) -> Viewer:
    old = table.seats["A"]
    seating.renew(table.db, table.id, "A", old, NOW)
    return old


def _no_longer_shared(table: Table) -> Viewer:
    key = seating.share(table.db, table.id, "A", table.seats["A"], name="Ann", now=NOW)
    ann = keys.viewer_by_key(table.db, key, NOW)
    (one,) = seating.sharers(table.db, table.id, table.seats["A"])
    seating.unshare(table.db, table.id, "A", table.seats["A"], one.id, NOW)
    return ann


def _deputy_no_more(table: Table) -> Viewer:
    ends = NOW + timedelta(seconds=30)
    deputy = leave.Deputy("link", "Dora")
    key = leave.take(table.db, table.id, "A", table.seats["A"], **AT_ONCE, ends=ends, deputy=deputy, now=NOW)  # type: ignore[arg-type]
    assert key is not None
    return keys.viewer_by_key(table.db, key, NOW)


@pytest.mark.parametrize("whose", [_renewed, _no_longer_shared, _deputy_no_more])
def test_what_opens_the_seat_no_more_does_nothing_in_it(db: Database, whose: Callable[[Table], Viewer]) -> None:
    table = lay(db, turn_hours=48)
    talk.write(db, table.id, Where(), table.seats["A"], text="Hello.", now=NOW)
    viewer = whose(table)
    before = everything(db)
    for name, deed in DEEDS.items():
        with pytest.raises(RefereeError) as found:
            deed(db, table.id, viewer)
        assert found.value.code == "not-yours", name
    assert everything(db) == before
