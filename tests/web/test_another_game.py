"""A game that has functions and words and nothing else: its pages are there, and its orders are given as text."""

from __future__ import annotations

import html
from datetime import UTC, datetime

import pytest

from app.bots.random_player import random_player
from app.referee import battles, keys, orders
from app.referee.views import NewBattle
from app.reports import TELLERS
from app.rulesets.registry import RULESETS
from tests.contracts.duel.ruleset import RULESET, scenario
from tests.contracts.duel.words import TELLER
from tests.web.conftest import Post, text_of, value_of

SEATS = {"ash": "red", "birch": "green", "cedar": "red", "elm": "green"}
FIRST = "ash"
"""The seat that is asked before all others."""


@pytest.fixture
def duel(post: Post, monkeypatch: pytest.MonkeyPatch) -> NewBattle:
    monkeypatch.setitem(RULESETS, "duel", RULESET)
    monkeypatch.setitem(TELLERS, "duel", TELLER)  # type: ignore[arg-type]
    return post.battle(scenario=scenario(seats=SEATS))


def _typed(page: str, text: str, action: str = "save") -> dict[str, str]:
    return {"turn": value_of(page, "turn"), "revision": value_of(page, "revision"), "text": text, "action": action}


def _play(post: Post, battle: NewBattle, steps: int) -> None:
    db, player = post.house.db, random_player(RULESET, b"duel")
    seats = {seat: keys.viewer_by_key(db, key) for seat, key in battle.seat_keys.items()}
    for _ in range(steps):
        now = datetime.now(UTC)
        shown = battles.battle(db, battle.id, seats[FIRST], now)
        asked = next(one for one in shown.seats if one.awaited)
        known = battles.battle(db, battle.id, seats[asked.seat], now).state
        (request,) = RULESET.requests(known)
        answer = RULESET.dump_order(player(known, request))
        orders.enter(
            db, battle.id, asked.seat, seats[asked.seat], turn=shown.turn, revision=asked.revision, fields=answer, now=now
        )


def test_every_page_of_a_battle_is_there_before_a_turn_and_after(post: Post, duel: NewBattle) -> None:
    reader = post.visitor()
    master = post.holder(duel.master_key)
    for _ in range(2):
        for page in ("", "/rules", "/log", "/film", "/feed.atom", "/lines", "/t/0.png"):
            assert reader.get(f"/b/{duel.id}{page}").status_code == 200, page
        for page in ("", "/options", "/rulings", "/seats", "/time", "/people", f"/orders/{FIRST}"):
            assert master.get(f"/b/{duel.id}/desk{page}").status_code == 200, page
        assert reader.get(f"/b/{duel.id}/unit/A1").status_code == 404
        _play(post, duel, 3)
    for page in ("", ".json", ".png", ".txt", ".bbcode?dialect=phpbb"):
        assert reader.get(f"/b/{duel.id}/t/1{page}").status_code == 200, page


def test_orders_are_given_as_text_and_resolve_the_step(post: Post, duel: NewBattle) -> None:
    player = post.holder(duel.seat_keys[FIRST])
    path = f"/b/{duel.id}/seat/{FIRST}"
    page = player.get(path).text
    assert 'name="text"' in page
    answer = player.post(f"{path}/plain", data=_typed(page, "pass"))
    assert (answer.status_code, answer.headers["location"]) == (303, f"/b/{duel.id}?told=resolved")
    assert "Nothing is asked of this seat now." in text_of(player.get(path).text)


def test_what_is_not_understood_is_told_and_stays(post: Post, duel: NewBattle) -> None:
    player = post.holder(duel.seat_keys[FIRST])
    path = f"/b/{duel.id}/seat/{FIRST}"
    answer = player.post(f"{path}/plain", data=_typed(player.get(path).text, "A1 dance <b>B2</b>"))
    assert answer.status_code == 422
    assert html.escape("A1 dance <b>B2</b>") in answer.text
    assert 'id="problems"' in answer.text
    late = player.post(f"{path}/plain", data={"turn": "1", "revision": "7", "text": "pass", "action": "save"})
    assert (late.status_code, ">\npass</textarea>" in late.text) == (409, True)


def test_the_game_master_enters_them_for_a_seat(post: Post, duel: NewBattle) -> None:
    master = post.holder(duel.master_key)
    path = f"/b/{duel.id}/desk/orders/{FIRST}"
    answer = master.post(f"{path}/plain", data=_typed(master.get(path).text, "pass", "ready"))
    assert answer.status_code == 303
    assert "the game master entered its orders" in text_of(post.visitor().get(f"/b/{duel.id}/log").text)


def test_a_button_that_is_not_there_is_refused(post: Post, duel: NewBattle) -> None:
    player = post.holder(duel.seat_keys[FIRST])
    path = f"/b/{duel.id}/seat/{FIRST}"
    assert player.post(f"{path}/plain", data=_typed(player.get(path).text, "pass", "dance")).status_code == 400
