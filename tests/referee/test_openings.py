"""Open seats: asked for, given, waited for; by an account or by a ticket."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from app.referee import (
    accounts,
    askingrows,
    askings,
    battles,
    deadlines,
    freshness,
    holding,
    keys,
    masters,
    moderation,
    openings,
)
from app.referee.askingrows import Asker
from app.referee.errors import RefereeError
from app.referee.openings import Opening
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import OUTBOX
from app.store.models import SEATS as ROWS
from tests.referee.table import Table, everything, lay
from tests.referee.test_notices import subscribe
from tests.times import DAY, HOUR, NOW

SEATS = ("A", "B")


def opened(db: Database, *seats: str, **setting: Any) -> Table:
    table = lay(db)
    look(table, *(seats or SEATS), **setting)
    return table


def look(table: Table, *seats: str, now: Any = NOW, **setting: Any) -> None:
    openings.set_up(table.db, table.id, table.master, Opening(**{"is_open": True, "seats": seats, **setting}), now)


def ask(table: Table, name: str = "Vera", **given: Any) -> Asker:
    return Asker(ticket=askings.ask(table.db, table.id, NOW, name=name, **given))


def account(db: Database, name: str = "Anna") -> Viewer:
    return Viewer("account", account_id=accounts.sign_up(db, name, "a horse, a battery", NOW, language="en"), name=name)


def see(table: Table, asker: Asker) -> askingrows.AskingView:
    return askings.mine(table.db, asker, table.id)


def accept(table: Table, asker: Asker, **what: Any) -> None:
    askings.accept(table.db, table.id, table.master, see(table, asker).id, NOW, **what)


def put(table: Table, asker: Asker, status: str, word: str = "") -> None:
    askings.answer(table.db, table.id, table.master, see(table, asker).id, NOW, status=status, word=word)


def told(table: Table) -> list[tuple[str, dict[str, object]]]:
    return [(line.what, dict(line.params)) for line in moderation.log(table.db, table.id)][1:]


def sweep(table: Table, at: timedelta) -> None:
    deadlines.sweep(table.db, NOW + at, outage=timedelta())


def test_a_battle_says_what_it_looks_for(db: Database) -> None:
    table = opened(db, "B", words="Somebody who plays at night")
    opening, seats = openings.of_battle(db, table.id)
    assert (opening.words, [(seat.seat, seat.offered) for seat in seats]) == ("Somebody who plays at night", [("B", False)])
    found = openings.looking(db)
    assert [(line.id, line.open, line.seats) for line in found] == [(table.id, 1, len(table.seats))]
    assert told(table) == [("players-sought", {"open": 1})]
    openings.set_up(db, table.id, table.master, Opening(seats=("B",)), NOW)
    assert openings.looking(db) == ()
    assert openings.of_battle(db, table.id)[1] == ()
    assert told(table)[-1] == ("players-not-sought", {})


def test_who_is_no_master_opens_nothing_and_sees_no_askings(db: Database) -> None:
    table = opened(db)
    ask(table)
    for viewer in (table.seats["A"], Viewer(), account(db)):
        with pytest.raises(RefereeError, match="not-yours"):
            openings.set_up(db, table.id, viewer, Opening(), NOW)
        with pytest.raises(RefereeError, match="not-yours"):
            askings.of_battle(db, table.id, viewer)
        with pytest.raises(RefereeError, match="not-yours"):
            askings.accept(db, table.id, viewer, 1, NOW, seat="A")


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        ({"seats": ("nobody",)}, "no-seat"),
        ({"words": "x" * 601}, "bad-words"),
        ({"offer_hours": 337}, "bad-offer"),
        ({"choosing": True, "settle_by": NOW}, "bad-deadline"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(db: Database, chosen: dict[str, Any], code: str) -> None:
    table = lay(db)
    with pytest.raises(RefereeError, match=code):
        openings.set_up(db, table.id, table.master, Opening(**chosen), NOW)


def test_a_ticket_is_accepted_and_makes_a_key_that_nobody_had(db: Database) -> None:
    table = opened(db)
    vera = ask(table, want="seat", what="B", words="I know the game", reach="vera@example.org")
    assert see(table, vera).status == "asked"
    assert askings.seat_links(db, vera.ticket) == {}
    accept(table, vera, seat="B", answer="Welcome")
    with pytest.raises(RefereeError, match="no-key"):
        keys.viewer_by_key(db, table.new.seat_keys["B"])
    view = see(table, vera)
    assert (view.status, view.answer, view.seats) == ("accepted", "Welcome", ("B",))
    links = askings.seat_links(db, vera.ticket)
    assert list(links) == ["B"]
    seat = keys.viewer_by_key(db, links["B"])
    assert (seat.kind, seat.battle_id, seat.seat, seat.name) == ("seat", table.id, "B", "Vera")
    assert askings.seat_links(db, vera.ticket) == links, "the same link, however often it is looked at"
    assert battles.seat_keys(db, table.id, table.new.master_key).keys() == {"A", "C"}
    assert told(table)[-1] == ("seat-given", {"seat": "B", "holder": "Vera"})
    assert [seat.seat for seat in openings.of_battle(db, table.id)[1]] == ["A"]
    stored = str(everything(db))
    assert links["B"] not in stored
    assert vera.ticket not in stored


def test_an_account_that_is_accepted_holds_the_seat(db: Database) -> None:
    table, anna = opened(db), account(db)
    assert askings.ask(db, table.id, NOW, account=anna) == ""
    asker = Asker(account_id=anna.account_id)
    with pytest.raises(RefereeError, match="asked-already"):
        askings.ask(db, table.id, NOW, account=anna)
    accept(table, asker, seat="A")
    assert accounts.seats_of(db, anna, table.id, NOW) == ("A",)
    with pytest.raises(RefereeError, match="no-key"):
        keys.viewer_by_key(db, table.new.seat_keys["A"])
    askings.ask(db, table.id, NOW, account=anna)
    assert see(table, asker).status == "asked", "he may ask for another"


def test_a_game_master_who_takes_a_seat_is_marked(db: Database) -> None:
    table, anna = opened(db), account(db)
    holding.take_up(db, table.id, anna, table.master, NOW)
    askings.ask(db, table.id, NOW, account=anna)
    accept(table, Asker(account_id=anna.account_id), seat="A")
    assert table.show().masters[0].plays


def test_a_new_link_of_the_game_masters_ends_the_tickets(db: Database) -> None:
    table = opened(db)
    vera = ask(table)
    accept(table, vera, seat="A")
    links = askings.seat_links(db, vera.ticket)
    battles.renew_key(db, table.id, "A", table.new.master_key, NOW)
    assert askings.seat_links(db, vera.ticket) == {}
    assert see(table, vera).seats == ()
    with pytest.raises(RefereeError, match="no-key"):
        keys.viewer_by_key(db, links["A"])


@pytest.mark.parametrize("what", [{"want": "seat", "what": "A"}, {"want": "side", "what": "nowhere"}, {"want": "none"}])
def test_only_what_is_open_is_asked_for(db: Database, what: dict[str, str]) -> None:
    table = opened(db, "B")
    with pytest.raises(RefereeError, match="not-sought"):
        ask(table, **what)
    with pytest.raises(RefereeError, match="not-sought"):
        ask(lay(db))
    with pytest.raises(RefereeError, match="no-battle"):
        askings.ask(db, "nothing", NOW, name="Vera")


@pytest.mark.parametrize(
    ("given", "code"),
    [({"name": " "}, "bad-name"), ({"words": "x" * 601}, "bad-words"), ({"reach": "x" * 255}, "bad-words")],
)
def test_what_is_asked_badly_is_refused(db: Database, given: dict[str, str], code: str) -> None:
    with pytest.raises(RefereeError, match=code):
        ask(opened(db), **given)


def test_one_address_does_not_fill_the_list(db: Database) -> None:
    table = opened(db)
    first = ask(table, address="192.0.2.1")
    for number in range(askings.MOST_OF_ONE - 1):
        ask(table, f"Number {number}", address="192.0.2.1")
    with pytest.raises(RefereeError, match="too-many"):
        ask(table, address="192.0.2.1")
    ask(table, address="192.0.2.2")
    ask(opened(db), address="192.0.2.1")
    assert "192.0.2.1" not in str(everything(db))
    put(table, first, "declined")
    ask(table, address="192.0.2.1")


def test_a_list_has_an_end(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(askings, "MOST", 2)
    table = opened(db)
    ask(table)
    ask(table)
    with pytest.raises(RefereeError, match="too-many"):
        ask(table)


def test_who_is_declined_is_told_why_and_may_ask_again(db: Database) -> None:
    table, anna = opened(db), account(db)
    askings.ask(db, table.id, NOW, account=anna)
    put(table, Asker(account_id=anna.account_id), "declined", "We are complete")
    view = see(table, Asker(account_id=anna.account_id))
    assert (view.status, view.answer) == ("declined", "We are complete")
    askings.ask(db, table.id, NOW, account=anna)


def test_who_takes_his_asking_back_is_not_accepted_any_more(db: Database) -> None:
    table = opened(db)
    vera = ask(table)
    askings.withdraw(db, vera, NOW)
    with pytest.raises(RefereeError, match="asking-over"):
        accept(table, vera, seat="A")
    with pytest.raises(RefereeError, match="asking-over"):
        askings.withdraw(db, vera, NOW)
    other = ask(table)
    accept(table, other, seat="A")
    with pytest.raises(RefereeError, match="asking-over"):
        askings.withdraw(db, other, NOW)


def test_a_seat_is_given_once(db: Database) -> None:
    table = opened(db, "A")
    vera, oleg = ask(table), ask(table, "Oleg")
    accept(table, vera, seat="A")
    with pytest.raises(RefereeError, match="not-sought"):
        accept(table, oleg, seat="A")
    assert see(table, oleg).status == "asked"
    with pytest.raises(RefereeError, match="asking-over"):
        accept(table, vera, seat="B")


def both(*acts: Callable[[], object]) -> list[str]:
    """Two at once: how each of them went."""
    went: list[str] = ["" for _ in acts]
    start = threading.Barrier(len(acts))

    def run(number: int) -> None:
        start.wait()
        try:
            acts[number]()
            went[number] = "done"
        except RefereeError as refused:
            went[number] = refused.code

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(went)


def test_two_masters_who_accept_at_once_give_one_seat_to_one(db: Database) -> None:
    table = opened(db, "A")
    vera, oleg = ask(table), ask(table, "Oleg")
    assert both(lambda: accept(table, vera, seat="A"), lambda: accept(table, oleg, seat="A")) == ["done", "not-sought"]
    assert sorted((see(table, vera).status, see(table, oleg).status)) == ["accepted", "asked"]


def test_accepted_or_taken_back_and_never_both(db: Database) -> None:
    table = opened(db, "A")
    vera = ask(table)
    went = both(lambda: accept(table, vera, seat="A"), lambda: askings.withdraw(db, vera, NOW))
    assert went == ["asking-over", "done"]
    held = table.show().seats[0].holder
    assert (see(table, vera).status == "accepted") == (held == "Vera")


def test_a_waiting_list_keeps_its_order_and_tells_each_his_place(db: Database) -> None:
    table = opened(db, "A")
    asked = [ask(table, name) for name in ("Vera", "Oleg", "Ira")]
    for asker in reversed(asked):
        put(table, asker, "listed", "When somebody leaves")
    assert [see(table, asker).place for asker in asked] == [1, 2, 3]
    askings.withdraw(db, asked[0], NOW)
    assert [see(table, asker).place for asker in asked[1:]] == [1, 2]


def test_a_free_seat_is_offered_to_the_first_whom_it_suits_for_so_many_hours(db: Database) -> None:
    table = opened(db, "A", offer_hours=24)
    for_b = ask(opened(db, "B"), "elsewhere")
    vera, oleg = ask(table, "Vera", want="seat", what="A"), ask(table, "Oleg")
    for asker in (vera, oleg):
        put(table, asker, "listed")
    sweep(table, HOUR)
    view = see(table, vera)
    assert (view.status, view.seat, view.until) == ("offered", "A", NOW + HOUR + DAY)
    assert see(table, oleg).status == "listed"
    assert askings.mine(db, for_b).status == "asked"
    sweep(table, DAY + 2 * HOUR)
    assert (see(table, vera).status, see(table, oleg).status) == ("lapsed", "offered")
    with pytest.raises(RefereeError, match="asking-over"):
        askings.take_offer(db, vera, NOW + DAY + 2 * HOUR)
    assert askings.take_offer(db, oleg, NOW + DAY + 3 * HOUR) == "A"
    assert table.show().seats[0].holder == "Oleg"
    assert see(table, oleg).seats == ("A",)


def test_an_offer_that_has_ended_is_not_taken_though_nobody_has_swept(db: Database) -> None:
    table = opened(db, "A", offer_hours=1)
    vera = ask(table)
    put(table, vera, "listed")
    sweep(table, HOUR)
    with pytest.raises(RefereeError, match="asking-over"):
        askings.take_offer(db, vera, NOW + 3 * HOUR)


def test_a_seat_that_is_offered_to_others_is_asked_for_like_an_open_one(db: Database) -> None:
    table = lay(db)
    with db.write() as session:
        session.execute(update(ROWS).where(ROWS.c.battle_id == table.id, ROWS.c.seat == "B").values(offered_at=NOW))
    assert [(seat.seat, seat.offered) for seat in openings.of_battle(db, table.id)[1]] == [("B", True)]
    assert [line.id for line in openings.looking(db)] == [table.id]
    vera = ask(table, want="seat", what="B")
    accept(table, vera, seat="B")
    assert openings.of_battle(db, table.id)[1] == ()
    with pytest.raises(RefereeError, match="no-key"):
        keys.viewer_by_key(db, table.new.seat_keys["B"])


def test_nothing_of_an_asking_is_public_before_a_seat_is_given(db: Database) -> None:
    table = opened(db)

    def seen() -> str:
        return repr((table.show(), openings.of_battle(db, table.id), openings.looking(db), moderation.log(db, table.id)))

    before, pulse = seen(), freshness.pulse(table.show())
    vera = ask(table, "Somebody quite secret", words="very secret", reach="secret@example.org", address="192.0.2.7")
    put(table, vera, "listed", "a secret answer")
    assert seen() == before
    assert freshness.pulse(table.show()) == pulse
    askings.withdraw(db, vera, NOW)
    assert seen() == before


def test_the_masters_alone_are_told_that_somebody_asks(db: Database) -> None:
    table = opened(db)
    subscribe(db, table.id, "A")
    subscribe(db, table.id, None)
    ask(table, "Quite secret")
    with db.read() as session:
        lines = session.execute(select(OUTBOX.c.facts)).scalars().all()
    assert [line for line in lines if "seat-asked" in line] == ['{"code":"seat-asked"}']
    assert "secret" not in str(lines)


def test_a_helper_accepts_too_and_is_named_in_the_log(db: Database) -> None:
    table = opened(db)
    key = masters.add(db, table.id, table.master, table.new.master_key, "Lena", NOW)
    vera = ask(table)
    askings.accept(db, table.id, keys.viewer_by_key(db, key), see(table, vera).id, NOW, seat="A")
    assert moderation.log(db, table.id)[-1].name == "Lena"
