"""Notices to persons: by an account for all that it holds, and to who asks for a seat."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from app.referee import (
    accounts,
    askerways,
    askings,
    consent,
    entries,
    holding,
    keys,
    leave,
    persons,
    rewinding,
    subscriptions,
    turns,
    undelivered,
)
from app.referee.askingrows import Asker
from app.referee.errors import RefereeError
from app.referee.leave import Deputy
from app.referee.outbox import PAUSES
from app.referee.subscriptions import Wishes
from app.referee.views import Viewer
from app.reports.noticewords import TOPICS
from app.store.db import Database
from app.store.models import ACCOUNTS, OUTBOX, SEATS, SUBSCRIPTIONS
from tests.posting.places import SECRET, place
from tests.posting.postoffice import PostOffice, postoffice, text_of
from tests.referee.table import Table, lay
from tests.referee.test_courier import deliver, link_in, tell
from tests.referee.test_openings import look, put, sweep
from tests.times import DAY, HOUR, NOW

ALL = Wishes("en", "UTC", tuple(TOPICS))


def account(db: Database, name: str = "Anna", mail: str = "anna@example.org") -> Viewer:
    made = accounts.sign_up(db, name, "a horse, a battery", NOW, language="en")
    with db.write() as session:
        session.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == made).values(mail=mail))
    return Viewer("account", account_id=made, name=name)


def way(db: Database, who: Viewer, address: str = "anna@example.org", wishes: Wishes = ALL) -> int:
    given: dict[str, Any] = {"kind": "mail", "given": {"address": address}, "allow_private": True, "has_mail": True}
    return subscriptions.add(db, None, who, wishes=wishes, now=NOW, **given)


def take(table: Table, who: Viewer, *seats: str) -> None:
    for seat in seats:
        holding.take_up(table.db, table.id, who, table.seats[seat], NOW)


def lead(table: Table, who: Viewer) -> None:
    holding.take_up(table.db, table.id, who, table.master, NOW)


def sent(db: Database, office: PostOffice, now: datetime = NOW) -> list[str]:
    """The letters of this moment, in plain text; the office is empty again."""
    deliver(db, office, now)
    found = [text_of(letter) for _, letter in office.letters]
    office.letters.clear()
    return found


def test_an_account_is_told_of_every_battle_those_to_come_included(db: Database) -> None:
    anna, first = account(db), lay(db)
    way(db, anna)
    take(first, anna, "A")
    second = lay(db)
    with postoffice() as office:
        tell(first, "held")
        tell(second, "held")
        (letter,) = sent(db, office)
        assert f"/b/{first.id}/seat/A" in letter
        assert second.id not in letter
        take(second, anna, "B")
        lead(second, anna)
        tell(second, "held", key="held/2")
        tell(second, "all-ready", seats=(), masters=True)
        tell(first, "all-ready", seats=(), masters=True)
        (letter,) = sent(db, office)
    assert f"/b/{second.id}/seat/B" in letter
    assert f"/b/{second.id}/desk" in letter
    assert "https://here.example/account/notices" in letter


def test_what_is_due_of_several_battles_goes_out_as_one_letter(db: Database) -> None:
    anna, first, second = account(db), lay(db, title="The ford"), lay(db, title="The hill")
    way(db, anna, wishes=Wishes("en", "UTC", tuple(TOPICS), digest_hour=7))
    take(first, anna, "A")
    take(second, anna, "A")
    with postoffice() as office:
        for table in (first, second):
            tell(table, "held")
        assert sent(db, office) == []
        (letter,) = sent(db, office, NOW + DAY)
    assert "The ford: The server was away" in letter
    assert "The hill: The server was away" in letter


def test_an_account_with_two_seats_is_told_once_and_of_each_that_is_named(db: Database) -> None:
    anna, table = account(db), lay(db)
    way(db, anna)
    take(table, anna, "A", "B")
    with postoffice() as office:
        tell(table, "held")
        (letter,) = sent(db, office)
        assert letter.count("The server was away") == 1
        for seat in ("A", "B"):
            tell(table, "swap-proposed", seats=(seat,), facts={"seat": seat}, key=f"swap-proposed/{seat}")
        (letter,) = sent(db, office)
    assert letter.count("/seat/A") == letter.count("/seat/B") == 1


def test_a_seat_with_a_way_of_its_own_keeps_to_it(db: Database) -> None:
    anna, table = account(db), lay(db)
    way(db, anna)
    take(table, anna, "A")
    lead(table, anna)
    given: dict[str, Any] = {"kind": "mail", "given": {"address": "seat@example.org"}, "wishes": ALL, "allow_private": True}
    subscriptions.add(db, table.id, table.seats["A"], **given, has_mail=True, now=NOW)
    with postoffice() as office:
        deliver(db, office)
        tell(table, "swap-proposed", seats=("A",), facts={"seat": "A"})  # not confirmed yet: it is none
        deliver(db, office)
        assert [to for to, _ in office.letters] == ["seat@example.org", "anna@example.org"]
        office.letters.pop()
        assert subscriptions.confirm(db, link_in(office, "confirm"))
        office.letters.clear()
        tell(table, "swap-proposed", seats=("A",), facts={"seat": "A"}, key="2")
        deliver(db, office)
        tell(table, "all-ready", seats=(), masters=True)
        deliver(db, office)
    assert [to for to, _ in office.letters] == ["seat@example.org", "anna@example.org"]


def test_of_a_seat_that_was_given_away_nothing_goes_to_its_old_account(db: Database) -> None:
    """Though it waits for the day's digest, and though the account holds another seat of the battle."""
    anna, table = account(db), lay(db)
    way(db, anna, wishes=Wishes("en", "UTC", tuple(TOPICS), digest_hour=7))
    take(table, anna, "A", "B")
    tell(table, "message", seats=("A",))
    tell(table, "held")
    with db.write() as session:
        session.execute(update(SEATS).where(SEATS.c.seat == "A").values(account_id=None, key_generation=2))
    with postoffice() as office:
        (letter,) = sent(db, office, NOW + DAY)
        assert "New messages" not in letter
        assert "/seat/A" not in letter
        tell(table, "message", seats=("A",), key="message/2")
        assert sent(db, office, NOW + 3 * DAY) == []


def test_a_battle_may_be_left_out(db: Database) -> None:
    anna, table, other = account(db), lay(db), lay(db)
    way(db, anna)
    take(table, anna, "A")
    tell(table, "held")
    persons.hush(db, anna, table.id, NOW, is_quiet=True)
    persons.hush(db, anna, table.id, NOW, is_quiet=True)
    with postoffice() as office:
        assert sent(db, office) == []  # not what was on its way either
        tell(table, "held", key="held/2")
        assert sent(db, office) == []
        persons.hush(db, anna, table.id, NOW, is_quiet=False)
        tell(table, "held", key="held/3")
        assert len(sent(db, office)) == 1
    for battle_id in (other.id, "nothing"):
        with pytest.raises(RefereeError):
            persons.hush(db, anna, battle_id, NOW, is_quiet=True)


def test_a_deputys_account_is_told_in_his_time_alone(db: Database) -> None:
    dora, table = account(db, "Dora"), lay(db)
    way(db, dora)
    dates: dict[str, Any] = {"begins": NOW + HOUR, "ends": NOW + 2 * DAY, "zone": "UTC"}
    leave.take(db, table.id, "A", table.seats["A"], **dates, deputy=Deputy("account", "Dora"), now=NOW)
    with postoffice() as office:
        for hours, expected in ((0, 0), (2, 1), (60, 0)):
            now = NOW + timedelta(hours=hours)
            tell(table, "swap-proposed", now, seats=("A",), key=f"swap-proposed/{hours}")
            assert len(sent(db, office, now)) == expected, hours


def test_nobody_is_told_of_his_own_message(db: Database) -> None:
    anna, table = account(db), lay(db)
    way(db, anna)
    take(table, anna, "A", "B")
    with postoffice() as office:
        tell(table, "message", seats=("B",), by="seat/A")
        assert sent(db, office) == []
        tell(table, "message", seats=("B",), by="seat/C")
        assert len(sent(db, office)) == 1


def test_an_account_gives_its_own_address_without_being_asked_again(db: Database) -> None:
    anna = account(db)
    way(db, anna)
    with postoffice() as office:
        assert sent(db, office) == []
        way(db, anna, "other@example.org")
        (letter,) = sent(db, office)
        assert "/notices/confirm/" in letter
    assert [one.state for one in subscriptions.listing(db, None, anna)] == ["works", "asked"]
    with pytest.raises(RefereeError, match="not-yours"):
        subscriptions.listing(db, None, Viewer())


def test_an_accounts_way_is_tried_changed_taken_away_and_goes_with_the_account(db: Database) -> None:
    anna, boris, table = account(db), account(db, "Boris", "boris@example.org"), lay(db)
    first, second = way(db, anna), way(db, anna)
    take(table, anna, "A")
    with postoffice() as office:
        subscriptions.try_out(db, None, anna, first, NOW)
        (letter,) = sent(db, office)
        assert letter.startswith("Fieldpost\n\nThis is a test line")
        with pytest.raises(RefereeError, match="no-page"):
            subscriptions.remove(db, None, boris, first)
        with pytest.raises(RefereeError, match="no-page"):
            subscriptions.try_out(db, None, boris, first, NOW)
        subscriptions.remove(db, None, anna, second)
        subscriptions.change(db, None, anna, first, Wishes("ru", "UTC", ("rulings",)), NOW)
        tell(table, "held")
        assert sent(db, office) == []
        tell(table, "rewound")
        accounts.close(db, anna, "a horse, a battery")
        assert sent(db, office) == []
    with db.read() as session:
        assert session.execute(select(SUBSCRIPTIONS.c.id)).all() == []


def test_a_program_is_told_of_which_battle_each_line_is(sqlite_db: Database) -> None:
    anna, first, second = account(sqlite_db), lay(sqlite_db, title="The ford"), lay(sqlite_db, title="The hill")
    with place("webhook") as there:
        given = {"url": f"{there.base}/hook?token=a-token-that-is-a-key", "secret": SECRET}
        subscriptions.add(
            sqlite_db, None, anna, kind="webhook", given=given, wishes=ALL, allow_private=True, has_mail=False, now=NOW
        )
        take(first, anna, "A")
        take(second, anna, "B")
        tell(first, "held")
        deliver(sqlite_db, None)
        tell(first, "held", key="2")
        tell(second, "held")
        deliver(sqlite_db, None)
        one, two = (request.json for request in there.calls)
    assert one["battle"] == {"id": first.id, "title": "The ford"}
    assert two["battle"] is None
    told = [(line["battle"]["id"], line["seat"]) for line in two["notices"]]
    assert told == [(first.id, "A"), (second.id, "B")]
    assert "hears" not in str(two)


def test_what_was_given_up_stands_on_each_desk_and_its_masters_are_told(db: Database) -> None:
    anna, first, second = account(db), lay(db), lay(db)
    way(db, anna)
    for table in (first, second):
        take(table, anna, "B")
        tell(table, "held")
    with postoffice() as office:
        office.troubles += ["RCPT 550 no such user"]
        deliver(db, office)
        for table in (first, second):
            (failure,) = undelivered.failures(db, table.id, table.master, NOW)
            assert (failure.seat, failure.place, failure.due_at, failure.is_asker) == ("B", "a…@example.org", None, False)
    (view,) = subscriptions.listing(db, None, anna)
    assert view.state == "stopped"


def test_a_turn_that_is_left_takes_nothing_of_another_battle_along(db: Database) -> None:
    """They were to go out together, and the first of them is told no more."""
    anna, first, second = account(db), lay(db), lay(db)
    way(db, anna)
    for table in (first, second):
        take(table, anna, "A")
    turns.resolve_now(db, first.id, first.master, turn=1, now=NOW)
    tell(second, "held")
    with postoffice() as office:
        office.troubles += ["451 later"]
        deliver(db, office)
        rewinding.rewind(db, first.id, first.master, to=1, reason="A slip", now=NOW)
        found = sent(db, office, NOW + PAUSES[0])
    assert sum(letter.count("The server was away") for letter in found) == 1
    assert not any("is published" in letter for letter in found)


# --- who asks for a seat


def opened(db: Database, *seats: str) -> Table:
    table = lay(db)
    look(table, *(seats or ("A", "B")))
    return table


def ask(table: Table, mail: str = "vera@example.org") -> str:
    ticket = askings.ask(table.db, table.id, NOW, name="Vera")
    askerways.tell_there(table.db, ticket, mail, NOW, language="en")
    return ticket


def confirmed(table: Table, office: PostOffice) -> str:
    ticket = ask(table)
    deliver(table.db, office)
    assert subscriptions.confirm(table.db, link_in(office, "confirm"))
    office.letters.clear()
    return ticket


def number(table: Table, ticket: str) -> int:
    return askings.mine(table.db, Asker(ticket=ticket)).id


def test_who_asks_by_a_ticket_is_told_the_answer_and_then_what_his_seat_is_told(db: Database) -> None:
    table = opened(db)
    with postoffice() as office:
        ticket = confirmed(table, office)
        askings.answer(db, table.id, table.master, number(table, ticket), NOW, status="listed")
        (letter,) = sent(db, office)
        assert "You are on the waiting list" in letter
        assert f"https://here.example/b/{table.id}/asking" in letter
        assert ticket not in letter
        tell(table, "held")
        assert sent(db, office) == []  # of the battle itself he is told nothing before he has a seat
        askings.accept(db, table.id, table.master, number(table, ticket), NOW, seat="A")
        (letter,) = sent(db, office)
        assert "You have the seat that you asked for: Seat A" in letter
        assert "has a new commander" not in letter
        tell(table, "held", key="held/2")
        (letter,) = sent(db, office)
    assert f"/b/{table.id}/seat/A/notices" in letter
    (key,) = askings.seat_links(db, ticket).values()
    (view,) = subscriptions.listing(db, table.id, keys.viewer_by_key(db, key))
    assert (view.place, view.state) == ("v…@example.org", "works")
    assert askerways.of_asker(db, ticket) is None


def test_who_is_declined_is_told_and_his_address_is_forgotten(db: Database) -> None:
    table = opened(db)
    with postoffice() as office:
        ticket = confirmed(table, office)
        assert askerways.of_asker(db, ticket) == askerways.AskerWay("v…@example.org", is_confirmed=True)
        askings.answer(db, table.id, table.master, number(table, ticket), NOW, status="declined", word="Too late")
        (letter,) = sent(db, office)
    assert "declined" in letter
    assert "Too late" not in letter
    with db.read() as session:
        assert session.execute(select(SUBSCRIPTIONS.c.id)).all() == []
    with pytest.raises(RefereeError, match="asking-over"):
        askerways.tell_there(db, ticket, "vera@example.org", NOW, language="en")


def test_who_takes_it_back_leaves_no_address_and_another_address_takes_the_place_of_the_first(db: Database) -> None:
    table = opened(db)
    ticket = ask(table)
    askerways.tell_there(db, ticket, "other@example.org", NOW, language="ru")
    with postoffice() as office:
        deliver(db, office)
        assert [to for to, _ in office.letters] == ["other@example.org"]
    askings.withdraw(db, Asker(ticket=ticket), NOW)
    with db.read() as session:
        assert session.execute(select(SUBSCRIPTIONS.c.id)).all() == []


def test_who_asks_with_an_account_is_told_by_its_ways(db: Database) -> None:
    table, anna, boris = opened(db), account(db), account(db, "Boris", "boris@example.org")
    way(db, anna, wishes=Wishes("en", "UTC", ("reminders",)))
    way(db, boris, "boris@example.org")
    askings.ask(db, table.id, NOW, account=anna)
    asking = askings.mine(db, Asker(account_id=anna.account_id), table.id).id
    askings.accept(db, table.id, table.master, asking, NOW, seat="B")
    with postoffice() as office:
        deliver(db, office)
        ((to, letter),) = office.letters
    assert to == "anna@example.org"
    assert "has a new commander" not in text_of(letter)
    assert f"/b/{table.id}/asking" in text_of(letter)


def test_an_offer_is_told_with_its_end_though_it_is_night(db: Database) -> None:
    table = lay(db)
    look(table, "A", offer_hours=4)
    with postoffice() as office:
        ticket = confirmed(table, office)
        quiet = {"quiet_from": NOW.hour * 60, "quiet_to": ((NOW.hour + 10) % 24) * 60}
        with db.write() as session:
            session.execute(update(SUBSCRIPTIONS).values(**quiet))
        put(table, Asker(ticket=ticket), "listed")
        assert sent(db, office) == []  # that he is on the list may wait until the morning
        sweep(table, timedelta())
        (letter,) = sent(db, office)
        assert "A seat is offered to you: Seat A" in letter
        sweep(table, 5 * HOUR)
        assert askerways.of_asker(db, ticket) is not None
        (letter,) = sent(db, office, NOW + 11 * HOUR)
        assert "was not taken in time" in letter
    assert askerways.of_asker(db, ticket) is None


def test_letters_that_only_ask_are_few_whoever_wants_them(sqlite_db: Database) -> None:
    """By tickets, accounts and seats together: else anybody could fill a stranger's mailbox."""
    table = opened(sqlite_db)
    with postoffice() as office:
        ask(table, "stranger@example.org")
        entries.ask_mail(sqlite_db, account(sqlite_db), "Stranger@example.org", NOW)
        way(sqlite_db, account(sqlite_db, "Boris", "boris@example.org"), "stranger@example.org")
        for name in ("Vlad", "Gleb"):
            other = account(sqlite_db, name, f"{name}@example.org")
            with pytest.raises(RefereeError, match="too-often"):
                entries.ask_mail(sqlite_db, other, "stranger@example.org", NOW)
            with pytest.raises(RefereeError, match="too-often"):
                way(sqlite_db, other, "stranger@example.org")
        with pytest.raises(RefereeError, match="too-often"):
            ask(table, "stranger@example.org")
        deliver(sqlite_db, office)
        assert len(office.letters) == consent.MOST_ASKED
        way(sqlite_db, account(sqlite_db, "Dora", "dora@example.org"), "dora@example.org")


def test_an_account_asks_few_addresses_a_day(sqlite_db: Database) -> None:
    anna = account(sqlite_db)
    for count in range(consent.MOST_ASKING):
        made = way(sqlite_db, anna, f"somebody{count}@example.org")
        with postoffice() as office:
            deliver(sqlite_db, office)
        subscriptions.remove(sqlite_db, None, anna, made)
    with pytest.raises(RefereeError, match="too-often"):
        way(sqlite_db, anna, "one-more@example.org")
    with sqlite_db.read() as session:
        assert len(session.execute(select(OUTBOX.c.id)).all()) == consent.MOST_ASKING
