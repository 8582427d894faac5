"""A side chooses its contingents among itself: claims, exchanges, settling; and contingents exchanged later."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.referee import (
    accounts,
    askings,
    battles,
    choosing,
    deadlines,
    keys,
    openings,
    orders,
    pausing,
    swapping,
    turns,
)
from app.referee.askingrows import Asker
from app.referee.errors import RefereeError
from app.referee.openings import Opening
from app.referee.views import Viewer
from app.store.db import Database
from app.store.models import SHEETS, SUBSCRIPTIONS, Account
from tests.referee.table import Table, everything, lay
from tests.referee.test_notices import subscribe
from tests.referee.test_openings import accept, account, ask, both, put, see, told
from tests.times import DAY, HOUR, NOW

SIDES = {"A": "red", "B": "red", "C": "red", "D": "blue"}
CONTINGENTS = {seat: {"side": side, "name": {"en": f"Seat {seat}", "ru": f"Место {seat}"}} for seat, side in SIDES.items()}


def chosen(db: Database, **setting: Any) -> Table:
    """Three open seats on one side, one on the other."""
    table = lay(db, scenario={"contingents": CONTINGENTS}, deadline=NOW + 3 * DAY)
    wanted = Opening(**{"is_open": True, "seats": tuple(SIDES), "choosing": True, **setting})
    openings.set_up(db, table.id, table.master, wanted, NOW)
    return table


def join(table: Table, name: str, side: str = "red") -> Asker:
    asker = ask(table, name)
    accept(table, asker, side=side)
    return asker


def seen(table: Table, asker: Asker) -> dict[str, tuple[str, ...]]:
    found = choosing.table(table.db, asker)
    assert found is not None
    return {member.name: member.claims for member in found.members}


def claim(table: Table, asker: Asker, *seats: str, at: timedelta = timedelta()) -> None:
    for seat in seats:
        choosing.claim(table.db, asker, seat, NOW + at)


def agree(table: Table, *askers: Asker) -> bool:
    return [choosing.agree(table.db, asker, NOW, is_agreed=True) for asker in askers][-1]


def holders(table: Table) -> dict[str, str | None]:
    return {seat.seat: seat.holder for seat in table.show().seats}


def test_two_claim_the_same_until_one_gives_way_and_all_agree(db: Database) -> None:
    table = chosen(db)
    vera, oleg = join(table, "Vera"), join(table, "Oleg")
    claim(table, vera, "A")
    claim(table, oleg, "A")
    assert seen(table, vera) == {"Vera": ("A",), "Oleg": ("A",)}
    with pytest.raises(RefereeError, match="contested"):
        agree(table, vera)
    choosing.give_way(db, oleg, "A")
    claim(table, oleg, "B")
    assert not agree(table, vera)
    assert agree(table, oleg)
    assert holders(table) == {"A": "Vera", "B": "Oleg", "C": None, "D": None}
    assert choosing.table(db, vera) is None
    assert keys.viewer_by_key(db, askings.seat_links(db, oleg.ticket)["B"]).seat == "B"
    assert told(table)[-1] == ("side-settled", {"side": "red"})
    assert [seat.seat for seat in openings.of_battle(db, table.id)[1]] == ["C", "D"], "what nobody claimed stays open"


def test_whatever_changes_takes_the_agreement_of_all_back(db: Database) -> None:
    table = chosen(db)
    vera, oleg = join(table, "Vera"), join(table, "Oleg")
    claim(table, vera, "A")
    agree(table, vera)
    claim(table, oleg, "B")
    assert not agree(table, oleg), "Vera has to agree again"
    assert not choosing.agree(db, oleg, NOW, is_agreed=False)
    assert not agree(table, vera)
    join(table, "Ira")
    found = choosing.table(db, vera)
    assert found is not None
    assert [member.agreed for member in found.members] == [False, False, False]


def test_one_may_claim_several_where_there_are_fewer_people_than_seats(db: Database) -> None:
    table = chosen(db)
    vera = join(table, "Vera")
    claim(table, vera, "A", "B", "C")
    oleg = join(table, "Oleg")
    with pytest.raises(RefereeError, match="no-seat"):
        claim(table, oleg, "D")
    claim(table, oleg, "C")
    claim(table, oleg, "B")
    with pytest.raises(RefereeError, match="claims-enough"):
        claim(table, oleg, "A")
    for seat in ("A", "B"):
        choosing.give_way(db, oleg if seat == "B" else vera, seat)
    choosing.give_way(db, vera, "C")
    assert not agree(table, vera)
    assert agree(table, oleg)
    assert holders(table) == {"A": None, "B": "Vera", "C": "Oleg", "D": None}


def test_who_has_no_claim_gets_what_is_left(db: Database) -> None:
    table = chosen(db)
    vera = join(table, "Vera")
    claim(table, vera, "A", "B", "C")
    join(table, "Oleg")
    join(table, "Ira")
    choosing.say_so(db, table.id, table.master, "red", NOW)
    assert holders(table) == {"A": "Vera", "B": "Oleg", "C": "Ira", "D": None}
    with pytest.raises(RefereeError, match="not-choosing"):
        choosing.say_so(db, table.id, table.master, "red", NOW)


def test_the_game_masters_word_gives_to_who_claimed_first(db: Database) -> None:
    table = chosen(db)
    vera, oleg = join(table, "Vera"), join(table, "Oleg")
    claim(table, oleg, "B")
    claim(table, vera, "B", at=HOUR)
    choosing.say_so(db, table.id, table.master, "red", NOW)
    assert holders(table) == {"A": "Vera", "B": "Oleg", "C": None, "D": None}
    with pytest.raises(RefereeError, match="not-choosing"):
        claim(table, vera, "C")


def test_a_side_takes_no_more_people_than_it_has_seats(db: Database) -> None:
    table = chosen(db)
    join(table, "Vera", "blue")
    with pytest.raises(RefereeError, match="side-full"):
        join(table, "Oleg", "blue")
    with pytest.raises(RefereeError, match="side-full"):
        openings.set_up(db, table.id, table.master, Opening(seats=("A",), choosing=True), NOW)
    ira = ask(table, "Ira")
    with pytest.raises(RefereeError, match="side-full"):
        accept(table, ira, seat="D")
    with pytest.raises(RefereeError, match="not-sought"):
        accept(table, ira, side="nowhere")


def test_who_leaves_his_side_or_is_put_out_of_it_claims_nothing_there(db: Database) -> None:
    table = chosen(db)
    vera, oleg, ira = join(table, "Vera"), join(table, "Oleg"), join(table, "Ira")
    claim(table, vera, "A")
    claim(table, oleg, "A")
    askings.withdraw(db, vera, NOW)
    put(table, oleg, "listed")
    assert seen(table, ira) == {"Ira": ()}
    with pytest.raises(RefereeError, match="not-choosing"):
        claim(table, vera, "A")


def test_the_last_to_agree_and_who_leaves_at_once_do_not_both_win(db: Database) -> None:
    table = chosen(db)
    vera, oleg = join(table, "Vera"), join(table, "Oleg")
    claim(table, vera, "A")
    claim(table, oleg, "B")
    agree(table, vera)
    went = both(lambda: agree(table, oleg), lambda: askings.withdraw(db, vera, NOW))
    assert went in (["asking-over", "done"], ["done", "done"])
    is_left = see(table, vera).status == "withdrawn"
    assert holders(table)["A"] == (None if is_left else "Vera")


def test_claims_are_exchanged(db: Database) -> None:
    table = chosen(db)
    vera, oleg, ira = join(table, "Vera"), join(table, "Oleg"), join(table, "Ira")
    claim(table, vera, "A")
    claim(table, oleg, "B")
    choosing.propose(db, vera, "A", see(table, oleg).id, "B", NOW)
    found = choosing.table(db, oleg)
    assert found is not None
    (proposal,) = found.proposals
    for asker in (vera, ira):
        with pytest.raises(RefereeError, match="no-swap"):
            choosing.answer(db, asker, proposal.id, NOW, accepts=True)
    choosing.answer(db, oleg, proposal.id, NOW, accepts=True)
    assert seen(table, vera) == {"Vera": ("B",), "Oleg": ("A",), "Ira": ()}
    choosing.propose(db, vera, "B", see(table, oleg).id, "A", NOW)
    choosing.give_way(db, oleg, "A")
    after = choosing.table(db, vera)
    assert after is not None
    assert after.proposals == (), "it went with the claim"
    with pytest.raises(RefereeError, match="no-swap"):
        choosing.propose(db, vera, "C", see(table, oleg).id, "A", NOW)


def test_an_exchange_of_claims_is_declined_or_taken_back(db: Database) -> None:
    table = chosen(db)
    vera, oleg = join(table, "Vera"), join(table, "Oleg")
    claim(table, vera, "A")
    claim(table, oleg, "B")
    for who in (vera, oleg):
        choosing.propose(db, vera, "A", see(table, oleg).id, "B", NOW)
        found = choosing.table(db, oleg)
        assert found is not None
        choosing.answer(db, who, found.proposals[0].id, NOW, accepts=False)
    assert seen(table, vera) == {"Vera": ("A",), "Oleg": ("B",)}


def test_nobody_enters_orders_for_a_seat_that_is_not_settled(db: Database) -> None:
    table = chosen(db)
    vera = join(table, "Vera")
    for by in (table.seats["A"], table.master):
        with pytest.raises(RefereeError, match="unsettled"):
            table.enter("A", 3, by=by)
    with pytest.raises(RefereeError, match="unsettled"):
        table.ready("A")
    claim(table, vera, "A")
    agree(table, vera)
    mine = keys.viewer_by_key(db, askings.seat_links(db, vera.ticket)["A"])
    assert orders.enter(db, table.id, "A", mine, turn=1, revision=0, fields={"number": 3}, now=NOW).revision == 1
    with pytest.raises(RefereeError, match="unsettled"):
        table.enter("D", 3)


def test_at_its_time_a_side_settles_by_itself(db: Database) -> None:
    table = chosen(db, settle_by=NOW + DAY)
    vera = join(table, "Vera")
    claim(table, vera, "B")
    deadlines.sweep(db, NOW + DAY - HOUR, outage=timedelta())
    assert holders(table)["B"] is None
    deadlines.sweep(db, NOW + DAY, outage=timedelta())
    assert holders(table)["B"] == "Vera"
    assert [line for line, _ in told(table)][-2:] == ["side-settled", "side-settled"]


def test_what_is_claimed_is_settled_before_the_first_turn_is_resolved(db: Database) -> None:
    table = chosen(db)
    vera = join(table, "Vera")
    claim(table, vera, "C")
    assert deadlines.sweep(db, NOW + 3 * DAY, outage=timedelta()) == 1
    assert holders(table)["C"] == "Vera"
    assert table.show().turn == 2


def test_who_was_accepted_to_a_side_has_a_seat_after_the_game_master_resolved(db: Database) -> None:
    table = chosen(db)
    vera = join(table, "Vera")
    turns.resolve_now(db, table.id, table.master, turn=1, now=NOW)
    deadlines.sweep(db, NOW + HOUR, outage=timedelta())
    assert holders(table)["A"] == "Vera"
    assert see(table, vera).seats == ("A",)
    with pytest.raises(RefereeError, match="no-choosing"):
        openings.set_up(db, table.id, table.master, Opening(seats=("B",), choosing=True), NOW)


def test_the_battle_waits_for_its_sides_and_has_all_its_time_then(db: Database) -> None:
    table = chosen(db, waits=True, settle_by=NOW + 10 * DAY)
    assert table.show().status == "paused"
    vera, oleg = join(table, "Vera"), join(table, "Oleg", "blue")
    claim(table, vera, "A")
    agree(table, vera)
    assert table.show().status == "paused"
    claim(table, oleg, "D")
    choosing.agree(db, oleg, NOW + DAY, is_agreed=True)
    assert (table.show().status, table.show().deadline) == ("open", NOW + 4 * DAY)


def test_a_wait_ends_at_the_time_for_it(db: Database) -> None:
    table = chosen(db, waits=True, settle_by=NOW + 5 * DAY)
    vera = join(table, "Vera")
    deadlines.sweep(db, NOW + 5 * DAY, outage=timedelta())
    assert (table.show().status, table.show().deadline) == ("open", NOW + 8 * DAY)
    assert see(table, vera).seats == ("A",)


def test_a_game_master_who_ends_the_wait_himself_is_not_in_its_way(db: Database) -> None:
    table = chosen(db, waits=True)
    pausing.go_on(db, table.id, table.master, NOW)
    vera = join(table, "Vera")
    agree(table, vera)
    assert table.show().status == "open"


def test_claims_are_seen_by_the_side_and_the_masters_alone(db: Database) -> None:
    table = chosen(db)
    enemy = join(table, "Enemy", "blue")
    outside = ask(table, "Outside")

    def known() -> str:
        seats = [table.show(viewer) for viewer in (Viewer(), table.seats["D"])]
        return repr((seats, openings.of_battle(db, table.id), choosing.table(db, enemy), see(table, outside), told(table)))

    before = known()
    vera, oleg = join(table, "Quite secret"), join(table, "Also secret")
    claim(table, vera, "A", "B")
    claim(table, oleg, "A")
    choosing.propose(db, vera, "B", see(table, oleg).id, "A", NOW)
    assert known() == before
    assert choosing.table(db, outside) is None
    assert [found.side for found in choosing.tables(db, table.id, table.master)] == ["red", "blue"]
    with pytest.raises(RefereeError, match="not-yours"):
        choosing.tables(db, table.id, table.seats["A"])
    playing = Viewer("master", table.id, master=1, plays=True)
    assert choosing.tables(db, table.id, playing) == (), "who plays himself sees no claims"


def given(db: Database, **setting: Any) -> tuple[Table, Viewer, Viewer, Asker]:
    """Vera has A by a ticket, an account B."""
    table = lay(db, scenario={"contingents": CONTINGENTS}, deadline=NOW + 3 * DAY)
    openings.set_up(db, table.id, table.master, Opening(is_open=True, seats=("A", "B"), **setting), NOW)
    vera, anna = ask(table, "Vera"), account(db)
    askings.ask(db, table.id, NOW, account=anna)
    accept(table, vera, seat="A")
    accept(table, Asker(account_id=anna.account_id), seat="B")
    a = keys.viewer_by_key(db, askings.seat_links(db, vera.ticket)["A"])
    b = accounts.acting(db, anna, table.id, NOW, seat="B", master=False)
    assert b is not None
    return table, a, b, vera


def swap(table: Table, a: Viewer, b: Viewer, *, fresh: bool = False) -> None:
    swapping.propose(table.db, table.id, "A", a, "B", NOW, fresh=fresh)
    (asked,) = swapping.of_seat(table.db, table.id, "B", b).asked
    swapping.answer(table.db, table.id, "B", b, asked.id, NOW, accepts=True)


def test_two_commanders_exchange_their_contingents_and_keep_their_ways_in(db: Database) -> None:
    table, a, b, vera = given(db, swaps=True)
    link = askings.seat_links(db, vera.ticket)["A"]
    generation = a.generation or 0
    subscribe(db, table.id, "A", generation=generation, place="vera@example.org")
    swap(table, a, b)
    assert holders(table) == {"A": "Anna", "B": "Vera", "C": None, "D": None}
    assert keys.viewer_by_key(db, link).seat == "B"
    assert askings.seat_links(db, vera.ticket) == {"B": link}
    assert accounts.seats_of(db, Viewer("account", account_id=see_account(db)), table.id, NOW) == ("A",)
    with db.read() as session:
        row = session.execute(select(SUBSCRIPTIONS.c.seat, SUBSCRIPTIONS.c.generation)).one()
    assert tuple(row) == ("B", generation + 1)
    assert told(table)[-1] == ("contingents-swapped", {"seat": "A", "other": "B", "fresh": False})


def see_account(db: Database) -> int:
    with db.read() as session:
        return session.execute(select(Account.id).where(Account.name == "Anna")).scalar_one()


@pytest.mark.parametrize(("fresh", "sheets"), [(False, 1), (True, 2)])
def test_orders_stay_with_the_contingent_or_both_begin_anew(db: Database, fresh: bool, sheets: int) -> None:
    table, a, b, _vera = given(db, swaps=True)
    orders.enter(db, table.id, "A", a, turn=1, revision=0, fields={"number": 3}, ready=True, now=NOW)
    swap(table, a, b, fresh=fresh)
    with db.read() as session:
        assert len(session.execute(select(SHEETS.c.revision).where(SHEETS.c.seat == "A")).all()) == sheets
    shown = next(seat for seat in table.show().seats if seat.seat == "A")
    assert not shown.ready
    assert shown.entered is not fresh


def test_an_exchange_needs_both_and_the_game_masters_leave(db: Database) -> None:
    table, a, b, _vera = given(db)
    assert not swapping.of_seat(db, table.id, "A", a).is_allowed
    with pytest.raises(RefereeError, match="no-swap"):
        swapping.propose(db, table.id, "A", a, "B", NOW, fresh=False)
    openings.set_up(db, table.id, table.master, Opening(swaps=True), NOW)
    for other in ("D", "A", "nobody"):
        with pytest.raises(RefereeError, match="no-swap"):
            swapping.propose(db, table.id, "A", a, other, NOW, fresh=False)
    with pytest.raises(RefereeError, match="not-yours"):
        swapping.propose(db, table.id, "B", a, "A", NOW, fresh=False)
    swapping.propose(db, table.id, "A", a, "B", NOW, fresh=False)
    (own,) = swapping.of_seat(db, table.id, "A", a).own
    with pytest.raises(RefereeError, match="no-swap"):
        swapping.answer(db, table.id, "A", a, own.id, NOW, accepts=True)
    with pytest.raises(RefereeError, match="not-yours"):
        swapping.answer(db, table.id, "B", table.master, own.id, NOW, accepts=True)
    assert swapping.of_seat(db, table.id, "C", table.seats["C"]).asked == (), "the third of the side is not told"
    swapping.answer(db, table.id, "B", b, own.id, NOW, accepts=False)
    with pytest.raises(RefereeError, match="no-swap"):
        swapping.answer(db, table.id, "B", b, own.id, NOW, accepts=True)
    assert holders(table)["A"] == "Vera"


def test_who_has_a_seat_anew_is_not_bound_by_what_was_proposed(db: Database) -> None:
    table, a, b, _vera = given(db, swaps=True)
    swapping.propose(db, table.id, "A", a, "B", NOW, fresh=False)
    (asked,) = swapping.of_seat(db, table.id, "B", b).asked
    battles.renew_key(db, table.id, "A", table.new.master_key, NOW)
    assert swapping.of_seat(db, table.id, "B", b).asked == ()
    with pytest.raises(RefereeError, match="no-swap"):
        swapping.answer(db, table.id, "B", b, asked.id, NOW, accepts=True)


def test_no_secret_of_choosing_lies_open_in_the_database(db: Database) -> None:
    _table, _a, _b, vera = given(db)
    link = askings.seat_links(db, vera.ticket)["A"]
    stored = str(everything(db))
    assert link not in stored
    assert vera.ticket not in stored
