"""Accounts: signing in by a password or a mailed link, and what an account holds."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.posting.mail import Letter, MailServer
from app.referee import accounts, battles, entries, holding, keys, masters, orders, outbox, turns
from app.referee.accounts import STAYS
from app.referee.entries import LINK_WORKS, MOST_LINKS
from app.referee.errors import RefereeError
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import OUTBOX
from tests.referee.table import Table, everything, lay
from tests.times import DAY, HOUR, NOW

PASSWORD = "a horse, a battery"
SERVER = MailServer("127.0.0.1", 25, "here@example.org")


def made(db: Database, name: str = "Anna") -> Viewer:
    account = accounts.account_of(db, browser(db, accounts.sign_up(db, name, PASSWORD, NOW, language="en")), NOW)
    assert account is not None
    return account


def browser(db: Database, account_id: int) -> str:
    return accounts.signed_in(db, account_id, "Firefox · Linux", NOW)


def letters(db: Database, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Letter]]:
    """Everything that is due is mailed, to here."""
    sent: list[tuple[str, Letter]] = []
    monkeypatch.setattr("app.posting.mail.send", lambda _server, to, letter: sent.append((to, letter)))
    while (errand := outbox.claim(db, NOW)) is not None:
        entries.deliver(db, errand, "https://here.example", NOW, SERVER)
    return sent


def key_of(letter: Letter) -> str:
    return letter.text.split("https://here.example/e/")[1].split()[0]


def test_a_browser_stays_signed_in_while_it_is_seen(db: Database) -> None:
    account_id = accounts.sign_up(db, "Anna", PASSWORD, NOW, language="ru", zone="Europe/Moscow")
    secret = accounts.sign_in(db, "Anna", PASSWORD, "Firefox", NOW)
    found = accounts.account_of(db, secret, NOW)
    assert found == Viewer("account", account_id=account_id, name="Anna")
    seen = accounts.account_of(db, secret, NOW + STAYS - HOUR)
    assert seen == found
    assert accounts.account_of(db, secret, NOW + 2 * STAYS - 2 * HOUR) == found
    assert accounts.account_of(db, secret, NOW + 4 * STAYS) is None
    view = accounts.view(db, Viewer("account", account_id=account_id))
    assert (view.name, view.zone, view.language, view.has_password) == ("Anna", "Europe/Moscow", "ru", True)


def test_a_wrong_name_and_a_wrong_password_are_refused_alike(db: Database) -> None:
    accounts.sign_up(db, "Anna", PASSWORD, NOW, language="en")
    accounts.make_token(db, "Program", NOW)
    for name, password in (("Anna", "wrong password"), ("Boris", PASSWORD), ("Program", ""), ("A\0nna", PASSWORD), ("", "")):
        with pytest.raises(RefereeError, match="no-account"):
            accounts.sign_in(db, name, password, "Firefox", NOW)


@pytest.mark.parametrize("password", ["", "short", "x" * 201, "half a pair \ud800 of them"])
def test_a_password_that_is_none_is_refused(db: Database, password: str) -> None:
    with pytest.raises(RefereeError, match="bad-password"):
        accounts.sign_up(db, "Anna", password, NOW, language="en")


@pytest.mark.parametrize(
    "other", ["anna", "ANNA", "\u0410nna", "Ann\u200ba", "Anna\u3164", "An na", "Ａnna", "Anna\ufe0f", "Anna"]
)
def test_no_name_passes_for_another(db: Database, other: str) -> None:
    made(db)
    bertha = made(db, "Bertha")
    with pytest.raises(RefereeError, match="name-taken"):
        accounts.sign_up(db, other, PASSWORD, NOW, language="en")
    with pytest.raises(RefereeError, match="name-taken"):
        accounts.change(db, bertha, name=other, zone="UTC", language="en")
    accounts.change(db, bertha, name="BERTHA", zone="UTC", language="en")
    assert accounts.sign_up(db, "Анна", PASSWORD, NOW, language="ru")


def test_a_name_is_taken_once(db: Database) -> None:
    made(db)
    with pytest.raises(RefereeError, match="name-taken"):
        accounts.sign_up(db, " Anna ", PASSWORD, NOW, language="en")
    boris = made(db, "Boris")
    with pytest.raises(RefereeError, match="name-taken"):
        accounts.change(db, boris, name="Anna", zone="UTC", language="en")


def test_neither_passwords_nor_secrets_lie_in_the_database(db: Database) -> None:
    secret = browser(db, accounts.sign_up(db, "Anna", PASSWORD, NOW, language="en"))
    stored = str(everything(db))
    assert PASSWORD not in stored
    assert secret not in stored
    assert "$argon2id$" in stored


def test_a_new_password_signs_every_other_browser_out(db: Database) -> None:
    account = made(db)
    assert account.account_id is not None
    here, there = browser(db, account.account_id), browser(db, account.account_id)
    with pytest.raises(RefereeError, match="no-account"):
        accounts.set_password(db, account, "wrong password", "another horse", keep=here)
    accounts.set_password(db, account, PASSWORD, "another horse", keep=here)
    assert accounts.account_of(db, here, NOW) is not None
    assert accounts.account_of(db, there, NOW) is None
    accounts.sign_in(db, "Anna", "another horse", "Firefox", NOW)
    accounts.sign_out(db, here)
    assert accounts.account_of(db, here, NOW) is None


def test_an_address_is_the_accounts_when_its_owner_has_followed_the_link(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = made(db)
    with pytest.raises(RefereeError, match="bad-mail"):
        entries.ask_mail(db, account, "anna at example", NOW)
    entries.ask_mail(db, account, "Anna@example.org", NOW)
    ((to, letter),) = letters(db, monkeypatch)
    assert to.lower() == "anna@example.org"
    assert accounts.view(db, account).mail is None
    purpose, secret = entries.enter(db, key_of(letter), "Firefox", NOW)
    assert (purpose, secret) == ("mail", None), "whoever confirms it may be a stranger to the account"
    assert "“Anna”" in letter.text
    assert accounts.view(db, account).mail == to


def test_a_mailed_link_signs_in_once_and_within_the_hour(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    account = made(db)
    entries.ask_mail(db, account, "anna@example.org", NOW)
    ((_, letter),) = letters(db, monkeypatch)
    entries.enter(db, key_of(letter), "Firefox", NOW)
    entries.ask_link(db, "anna@example.org", NOW)
    ((to, letter),) = letters(db, monkeypatch)
    key = key_of(letter)
    assert to == "anna@example.org"
    with pytest.raises(RefereeError, match="no-entry"):
        entries.enter(db, key, "Firefox", NOW + LINK_WORKS)
    purpose, secret = entries.enter(db, key, "Firefox", NOW)
    assert secret is not None
    assert (purpose, accounts.account_of(db, secret, NOW)) == ("sign-in", account)
    with pytest.raises(RefereeError, match="no-entry"):
        entries.enter(db, key, "Firefox", NOW)


def test_a_link_says_whose_it_is_before_it_is_used(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else somebody could send his own to another, who then keeps his seats in it."""
    entries.ask_mail(db, made(db), "anna@example.org", NOW)
    ((_, letter),) = letters(db, monkeypatch)
    key = key_of(letter)
    assert entries.whose(db, key, NOW) == entries.whose(db, key, NOW) == ("mail", "Anna")
    assert entries.whose(db, key, NOW + timedelta(hours=1)) is None
    entries.enter(db, key, "Firefox", NOW)
    assert entries.whose(db, key, NOW) is None


def test_who_asks_for_a_link_learns_nothing_and_floods_nobody(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    account = made(db)
    entries.ask_mail(db, account, "anna@example.org", NOW)
    ((_, letter),) = letters(db, monkeypatch)
    entries.enter(db, key_of(letter), "Firefox", NOW)
    entries.ask_link(db, "nobody@example.org", NOW)
    assert "nobody@example.org" in str(
        everything(db)
    )  # looked up when it is delivered: the time that it takes tells nothing
    assert letters(db, monkeypatch) == []
    assert "nobody@example.org" not in str(everything(db))
    for _ in range(10):
        entries.ask_link(db, "anna@example.org", NOW)
    assert len(letters(db, monkeypatch)) == MOST_LINKS - 1


def test_the_key_of_a_link_lies_nowhere(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    entries.ask_mail(db, made(db), "anna@example.org", NOW)
    with db.read() as session:
        (facts,) = session.execute(select(OUTBOX.c.facts)).scalars()
    ((_, letter),) = letters(db, monkeypatch)
    assert key_of(letter) not in str(everything(db))
    assert "e/" not in facts


def test_an_address_belongs_to_one_account(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, boris = made(db), made(db, "Boris")
    for account in (anna, boris):
        entries.ask_mail(db, account, "both@example.org", NOW)
    first, second = (key_of(letter) for _, letter in letters(db, monkeypatch))
    entries.enter(db, first, "Firefox", NOW)
    with pytest.raises(RefereeError, match="mail-taken"):
        entries.enter(db, second, "Firefox", NOW)
    entries.drop_mail(db, anna)
    assert accounts.view(db, anna).mail is None


def test_what_an_account_takes_up_it_may_do_as_by_the_link(db: Database) -> None:
    table = lay(db)
    anna = made(db)
    assert accounts.acting(db, anna, table.id, NOW, seat="A") is None
    holding.take_up(db, table.id, anna, table.seats["A"], NOW)
    acting = accounts.acting(db, anna, table.id, NOW, seat="A")
    assert acting is not None
    assert accounts.acting(db, anna, table.id, NOW, seat="B", master=False) is None
    assert accounts.seats_of(db, anna, table.id, NOW) == ("A",)
    entered = orders.enter(db, table.id, "A", acting, turn=1, revision=0, fields={"number": 3}, now=NOW)
    assert entered.revision == 1
    assert table.ready("A") is False, "the link goes on working"


def test_a_seat_belongs_to_one_account_until_it_is_given_back(db: Database) -> None:
    table, anna, boris = lay(db), made(db), made(db, "Boris")
    holding.take_up(db, table.id, anna, table.seats["A"], NOW)
    with pytest.raises(RefereeError, match="seat-taken"):
        holding.take_up(db, table.id, boris, table.seats["A"], NOW)
    holding.give_back(db, table.id, anna, seat="A")
    assert accounts.acting(db, anna, table.id, NOW, seat="A") is None
    holding.take_up(db, table.id, boris, table.seats["A"], NOW)
    with pytest.raises(RefereeError, match="not-yours"):
        holding.take_up(db, table.id, boris, Viewer("seat", "elsewhere", "A"), NOW)


def test_with_a_new_link_the_seat_is_nobodys(db: Database) -> None:
    table, anna = lay(db), made(db)
    holding.take_up(db, table.id, anna, table.seats["A"], NOW)
    battles.renew_key(db, table.id, "A", table.new.master_key, NOW)
    assert accounts.acting(db, anna, table.id, NOW, seat="A") is None


def test_an_account_that_leads_and_plays_is_marked(db: Database) -> None:
    table, anna = lay(db), made(db)
    holding.take_up(db, table.id, anna, table.master, NOW)
    acting = accounts.acting(db, anna, table.id, NOW)
    assert acting is not None
    assert (acting.kind, acting.plays) == ("master", False)
    holding.take_up(db, table.id, anna, table.seats["A"], NOW)
    acting = accounts.acting(db, anna, table.id, NOW)
    assert acting is not None
    assert acting.plays
    with pytest.raises(RefereeError, match="holds-seat"):
        masters.describe(db, table.id, acting, name="Anna", plays=False, now=NOW)


def test_an_account_that_gave_its_desk_back_leads_no_more(db: Database) -> None:
    anna = made(db)
    table = lay(db, account_id=anna.account_id)
    leads = accounts.acting(db, anna, table.id, NOW)
    assert leads is not None
    masters.describe(db, table.id, leads, name="Anna", plays=True, now=NOW)
    holding.give_back(db, table.id, anna, seat=None)
    assert accounts.acting(db, anna, table.id, NOW) is None
    with pytest.raises(RefereeError, match="not-yours"):
        turns.resolve_now(db, table.id, anna, turn=1, now=NOW)


def held(table: Table, account: Viewer, **given: Any) -> list[tuple[str, bool]]:
    return [(battle.title, battle.is_move) for battle in holding.battles(table.db, account, given.get("now", NOW))]


def test_battles_stand_with_the_own_move_first(db: Database) -> None:
    anna = made(db)
    later = lay(db, title="Later", deadline=NOW + 2 * DAY)
    sooner = lay(db, title="Sooner", deadline=NOW + DAY)
    led = lay(db, title="Led")
    other = lay(db, title="Not hers")
    for table in (later, sooner):
        holding.take_up(db, table.id, anna, table.seats["A"], NOW)
    holding.take_up(db, led.id, anna, led.master, NOW)
    assert held(later, anna) == [("Sooner", True), ("Later", True), ("Led", False)]
    assert other.id not in {battle.id for battle in holding.battles(db, anna, NOW)}
    sooner.ready("A")
    assert held(later, anna) == [("Later", True), ("Sooner", False), ("Led", False)]
    assert held(later, anna, now=NOW + 3 * DAY)[0] == ("Sooner", False)


def test_a_closed_account_leaves_its_seats_to_their_links(db: Database) -> None:
    table, anna = lay(db), made(db)
    holding.take_up(db, table.id, anna, table.seats["A"], NOW)
    token = accounts.new_token(db, anna, NOW)
    with pytest.raises(RefereeError, match="no-account"):
        accounts.close(db, anna, "wrong password")
    accounts.close(db, anna, PASSWORD)
    with pytest.raises(RefereeError, match="no-key"):
        keys.viewer_by_key(db, token)
    assert table.ready("A") is False
    assert table.show().seats[0].ready


def test_tokens_are_counted_and_taken_back(db: Database) -> None:
    anna = made(db)
    token = accounts.new_token(db, anna, NOW)
    assert keys.viewer_by_key(db, token).name == "Anna"
    accounts.drop_token(db, anna, accounts.view(db, anna).tokens[0].id)
    with pytest.raises(RefereeError, match="no-key"):
        keys.viewer_by_key(db, token)
    for _ in range(accounts.MOST_TOKENS):
        accounts.new_token(db, anna, NOW + timedelta(seconds=1))
    with pytest.raises(RefereeError, match="too-many"):
        accounts.new_token(db, anna, NOW)


def test_a_name_opens_its_account_however_its_letters_are_typed(sqlite_db: Database) -> None:
    """Telephones begin a name with a capital of their own accord."""
    made(sqlite_db, "мария")
    for name in ("мария", "Мария", " МАРИЯ "):
        assert accounts.sign_in(sqlite_db, name, PASSWORD, "-", NOW)
    for name in ("марина", ""):
        with pytest.raises(RefereeError, match="no-account"):
            accounts.sign_in(sqlite_db, name, PASSWORD, "-", NOW)
