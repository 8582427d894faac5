"""A battle whose rules the server does not have any more, after a change of versions, say: it rests, the others go on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from app.referee import accounts, battles, deadlines, holding, keys
from app.referee.views import PUBLIC, NewBattle
from app.reports import TELLERS
from app.rulesets.registry import RULESETS
from tests.contracts.duel.ruleset import RULESET, scenario
from tests.contracts.duel.words import TELLER
from tests.web.conftest import Post, text_of
from tests.web.test_campaigns import Led, rule

TOLD = {
    "en": "This battle is played by rules that this server does not have now (duel). Nothing of it is lost.",
    "ru": "Эта битва идёт по правилам, которых на этом сервере сейчас нет (duel). Ничего из неё не пропало.",
}
DUE = datetime.now(UTC) + timedelta(hours=2)


@dataclass(frozen=True)
class Lost:
    led: Led
    battle: NewBattle
    other: NewBattle
    """Of the same campaign."""

    @property
    def post(self) -> Post:
        return self.led.post


@pytest.fixture
def lost(post: Post) -> Lost:
    with pytest.MonkeyPatch.context() as before:
        before.setitem(RULESETS, "duel", RULESET)
        before.setitem(TELLERS, "duel", TELLER)
        led = Led(post)
        battle = post.battle(scenario=scenario(seats={"ash": "red", "elm": "green"}), deadline=DUE, title="The lost one")
        other = post.battle(deadline=DUE, title="The other one")
        for one in (battle, other):
            led.join(one)
        rule(post, battle, {"fighter": "A1", "hits": 2})
    return Lost(led, battle, other)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_its_pages_say_so(lost: Lost, language: str) -> None:
    seat, master = (lost.post.visitor(language) for _ in range(2))
    here = f"/b/{lost.battle.id}"
    for client, key, pages in (
        (seat, lost.battle.seat_keys["ash"], ("", "/seat/ash", "/film", "/t/1", "/talk")),
        (master, lost.battle.master_key, ("/desk", "/desk/rulings", "/desk/seats")),
    ):
        assert client.get(f"/k/{key}").status_code in {303, 501}
        for page in pages:
            answer = client.get(here + page)
            assert answer.status_code == 501, page
            assert TOLD[language] in text_of(answer.text)
    told = seat.get(f"/api/v1/battles/{lost.battle.id}")
    assert (told.status_code, told.json()["code"], told.json()["text"]) == (501, "unknown-game", TOLD[language])


def test_what_it_stands_in_is_there(lost: Lost) -> None:
    for address in ("/", "/battles/new", "/precedents", "/account"):
        assert lost.post.visitor().get(address).status_code == 200, address
    for address in ("", "/standings", "/calendar", "/log", "/desk", "/new", "/feed.atom", "/deadlines.ics"):
        assert lost.led.client.get(lost.led.path + address).status_code == 200, address


def test_who_holds_a_seat_of_it_has_his_page(lost: Lost) -> None:
    db, now = lost.post.house.db, lost.post.house.now()
    client = lost.post.visitor()
    client.post("/account", data={"action": "sign-up", "name": "Lost Ann", "password": "a long password", "zone": "UTC"})
    ann = accounts.account_of(db, client.cookies["fp_account"], now)
    assert ann is not None
    with pytest.MonkeyPatch.context() as before:
        before.setitem(RULESETS, "duel", RULESET)
        for one, seat in ((lost.battle, "ash"), (lost.other, "south")):
            holding.take_up(db, one.id, ann, keys.viewer_by_key(db, one.seat_keys[seat]), now)
    page = client.get("/account")
    assert page.status_code == 200
    assert "The lost one" in page.text
    assert f'/b/{lost.other.id}/seat/south"' in page.text


def test_it_rests_and_the_others_go_on(lost: Lost) -> None:
    db, late = lost.post.house.db, DUE + timedelta(seconds=1)
    deadlines.sweep(db, DUE - timedelta(minutes=1), outage=timedelta(minutes=15))
    assert deadlines.sweep(db, late, outage=timedelta(minutes=15)) >= 1
    assert battles.battle(db, lost.other.id, PUBLIC, late).turn == 2
    with pytest.MonkeyPatch.context() as again:
        again.setitem(RULESETS, "duel", RULESET)
        assert battles.battle(db, lost.battle.id, PUBLIC, late).turn == 1


def test_an_outage_is_noticed_all_the_same(lost: Lost) -> None:
    db, late = lost.post.house.db, DUE + timedelta(hours=1)
    deadlines.sweep(db, DUE - timedelta(minutes=1), outage=timedelta(minutes=15))
    deadlines.sweep(db, late, outage=timedelta(minutes=15))
    assert battles.battle(db, lost.other.id, PUBLIC, late).status == "held"
