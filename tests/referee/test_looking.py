"""The game master looks at a sealed sheet: as the options allow it, and as they did when it was sealed."""

from __future__ import annotations

from datetime import datetime

import pytest

from app.referee import battles, looking, moderation
from app.referee.errors import RefereeError
from app.referee.looking import Looked
from app.referee.options import Looks, Options
from app.store.db import Database
from tests.referee.table import Table, lay
from tests.times import DAY, HOUR, NOW


def look(table: Table, now: datetime, seat: str = "A") -> Looked:
    return looking.look(table.db, table.id, seat, table.master, language="en", now=now)


def choose(table: Table, looks: Looks, now: datetime) -> None:
    battles.set_options(table.db, table.id, table.master, Options(looks=looks), now)


def test_what_was_sealed_under_an_option_is_not_read_under_a_wider_one(db: Database) -> None:
    table = lay(db, deadline=NOW + 2 * DAY, early=False)
    table.enter("A", 3)
    choose(table, "always", NOW + HOUR)
    with pytest.raises(RefereeError, match="sealed-before"):
        look(table, NOW + HOUR)
    assert "looked" not in [line.what for line in moderation.log(db, table.id)]
    table.enter("A", 4, now=NOW + 2 * HOUR)
    assert look(table, NOW + 2 * HOUR).orders == {"number": 4}


def test_a_detour_over_a_stricter_option_gives_nothing_back(db: Database) -> None:
    table = lay(db, deadline=NOW + 2 * DAY, early=False, options=Options(looks="always"))
    table.enter("A", 3)
    assert look(table, NOW).revision == 1
    choose(table, "after-deadline", NOW + HOUR)
    choose(table, "always", NOW + 2 * HOUR)
    with pytest.raises(RefereeError, match="sealed-before"):
        look(table, NOW + 3 * HOUR)
    assert look(table, NOW + 2 * DAY).orders == {"number": 3}
