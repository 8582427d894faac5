"""Keys and accounts: who a caller is."""

from __future__ import annotations

import base64
import hashlib
import hmac
import threading

import pytest
from sqlalchemy import select

from app.referee import accounts, battles, keys
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import Account
from tests.referee.table import everything, lay
from tests.times import NOW


def test_a_seats_key_opens_its_seat_and_the_master_key_the_desk(db: Database) -> None:
    table = lay(db)
    assert table.seats["A"] == Viewer("seat", battle_id=table.id, seat="A", generation=1)
    assert table.master == Viewer("master", battle_id=table.id, master=1)


@pytest.mark.parametrize("key", ["", "x", "fp_x", "й" * 50, "\ud800", "a\0b", "x" * 100_000])
def test_any_other_key_is_no_key(db: Database, key: str) -> None:
    lay(db)
    with pytest.raises(RefereeError, match="no-key"):
        keys.viewer_by_key(db, key)


def test_only_hashes_are_stored(db: Database) -> None:
    table = lay(db)
    token = accounts.make_token(db, "Ann", NOW)
    stored = repr(everything(db))
    assert not [key for key in (table.new.master_key, token, *table.new.seat_keys.values()) if key in stored]


def test_a_seats_key_is_derived_as_the_decision_record_says() -> None:
    mac = hmac.new(b"master", b"abc/north-left/2", hashlib.sha256).digest()
    assert keys.seat_key("master", "abc", "north-left", 2) == base64.urlsafe_b64encode(mac).decode().rstrip("=")


def test_the_master_key_shows_all_links_at_any_time(db: Database) -> None:
    table = lay(db)
    assert battles.seat_keys(db, table.id, table.new.master_key) == table.new.seat_keys
    assert list(battles.seat_keys(db, table.id, table.new.master_key)) == ["A", "B", "C"]


@pytest.mark.parametrize("seat", ["A", None])
def test_no_other_key_shows_links(db: Database, seat: str | None) -> None:
    table = lay(db)
    with pytest.raises(RefereeError, match="no-key"):
        battles.seat_keys(db, table.id, table.new.seat_keys[seat] if seat else lay(db).new.master_key)


def test_a_renewed_key_works_and_the_old_one_does_not(db: Database) -> None:
    table = lay(db)
    key = battles.renew_key(db, table.id, "A", table.new.master_key, NOW)
    assert keys.viewer_by_key(db, key).seat == "A"
    assert battles.seat_keys(db, table.id, table.new.master_key) == {**table.new.seat_keys, "A": key}
    with pytest.raises(RefereeError, match="no-key"):
        keys.viewer_by_key(db, table.new.seat_keys["A"])
    assert [(line.what, line.params) for line in table.show().log][-1] == ("key-renewed", {"seat": "A", "generation": 2})


def test_a_key_is_not_renewed_for_others_or_for_nobody(db: Database) -> None:
    table = lay(db)
    before = everything(db)
    for battle_id, seat, key, code in (
        (table.id, "A", "wrong", "no-key"),
        (table.id, "Z", table.new.master_key, "no-seat"),
        ("nowhere", "A", table.new.master_key, "no-battle"),
    ):
        with pytest.raises(RefereeError, match=code):
            battles.renew_key(db, battle_id, seat, key, NOW)
    assert everything(db) == before


def test_a_token_is_its_accounts(db: Database) -> None:
    first, second = accounts.make_token(db, " Ann ", NOW), accounts.make_token(db, "Ann", NOW)
    assert first != second
    assert first.startswith("fp_")
    assert keys.viewer_by_key(db, first) == keys.viewer_by_key(db, second)
    assert keys.viewer_by_key(db, first).name == "Ann"
    assert keys.viewer_by_key(db, accounts.make_token(db, "Bob", NOW)).account_id != keys.viewer_by_key(db, first).account_id


def test_an_account_is_the_master_of_the_battles_that_it_made(db: Database) -> None:
    ann, bob = (keys.viewer_by_key(db, accounts.make_token(db, name, NOW)) for name in ("Ann", "Bob"))
    table, other = lay(db, account_id=ann.account_id), lay(db)
    leads = accounts.acting(db, ann, table.id, NOW)
    assert leads
    battles.set_deadline(db, table.id, leads, None, NOW)
    with pytest.raises(RefereeError, match="not-yours"):
        battles.set_deadline(db, other.id, leads, None, NOW)
    assert accounts.acting(db, bob, table.id, NOW) is None
    assert accounts.acting(db, ann, other.id, NOW) is None
    for account in (ann, bob):
        with pytest.raises(RefereeError, match="not-yours"):
            battles.set_deadline(db, table.id, account, None, NOW)


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "a\0b", "x" * 81, "\ud800", "a\u202eb"])
def test_a_name_that_is_none_is_refused(db: Database, name: str) -> None:
    with pytest.raises(RefereeError, match="bad-name"):
        accounts.make_token(db, name, NOW)
    assert everything(db)["accounts"] == []


def test_two_who_make_one_account_at_once_get_one_account(db: Database) -> None:
    tokens: list[str] = []
    threads = [threading.Thread(target=lambda: tokens.append(accounts.make_token(db, "Ann", NOW))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({keys.viewer_by_key(db, token).account_id for token in tokens}) == 1
    assert len(set(tokens)) == 8
    with db.read() as session:
        assert session.execute(select(Account.name)).scalars().all() == ["Ann"]
