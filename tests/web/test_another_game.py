"""A game that has functions and words and nothing else: its pages are there, and its orders are given as text."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from app.book.writing import files
from app.bots.random_player import random_player
from app.engine.ruleset import Outcome
from app.referee import battles, keys, leave, orders
from app.referee.views import NewBattle
from app.reports import TELLERS
from app.rulesets.registry import RULESETS
from app.web.pages import ROUTERS
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


def test_pages_cite_no_rule_of_another_game(post: Post, duel: NewBattle, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, master = post.visitor(), post.holder(duel.master_key)
    page, rulings = f"/b/{duel.id}", f"/b/{duel.id}/desk/rulings"
    assert "The first side with 3 points wins." in text_of(reader.get(page).text)
    assert "How points are scored" not in reader.get(page).text
    assert "MOVE-4" not in master.get(rulings).text
    monkeypatch.setitem(RULESETS, "duel", replace(RULESET, behind={"points": "REACT-3"}))
    assert f'href="/b/{duel.id}/rules#REACT-3">How points are scored' in reader.get(page).text
    assert 'placeholder="BOARD-1"' in reader.get("/precedents").text
    monkeypatch.delitem(RULESETS, "cohesion")
    assert "placeholder" not in reader.get("/precedents").text


def test_the_list_of_units_has_no_word_and_no_way_of_another_game(post: Post, duel: NewBattle) -> None:
    page = post.visitor().get(f"/b/{duel.id}").text
    table = page.split('<table class="units">')[1].partition("</table>")[0]
    assert "Values" in text_of(table)
    assert "Strength" not in table
    assert "href" not in table
    table = post.visitor("ru").get(f"/b/{post.battle().id}").text.split('<table class="units">')[1].partition("</table>")[0]
    assert "Сила/собранность" in text_of(table)
    assert "/unit/" in table


def test_units_of_a_seat_that_has_entered_bear_a_sign_where_the_game_says_whose_they_are(
    post: Post, duel: NewBattle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def owners(state: Any) -> dict[str, str]:
        return {fighter.id: fighter.seat for fighter in state.fighters.values()}

    def requests(state: Any) -> tuple[Any, ...]:
        return tuple(msgspec.structs.replace(one, sealed=True, pace="deadline") for one in RULESET.requests(state))

    monkeypatch.setitem(RULESETS, "duel", replace(RULESET, requests=requests, owners=owners))
    player, path = post.holder(duel.seat_keys[FIRST]), f"/b/{duel.id}/seat/{FIRST}"
    assert "; orders in" not in post.visitor().get(f"/b/{duel.id}").text
    answer = player.post(f"{path}/plain", data=_typed(player.get(path).text, "pass"))
    assert answer.status_code == 303
    page = post.visitor().get(f"/b/{duel.id}").text
    assert page.count("; orders in") >= 2


PLACES = {
    "turn": "1",
    "channel": "public",
    "unit": "A1",
    "width": "10",
    "height": "10",
    "side": "red",
    "code": "first-blood",
}


def _addresses(battle: NewBattle, method: str) -> list[str]:
    """Every address of a battle's pages, save the stream, which does not end."""
    routes = (route for router in ROUTERS for route in router.routes)
    paths = {getattr(route, "path", "") for route in routes if method in (getattr(route, "methods", None) or ())}
    places = PLACES | {"battle_id": battle.id, "seat": FIRST}
    own = sorted(path for path in paths if path.startswith("/b/") and not path.endswith("/follow"))
    return [re.sub(r"{(\w+)(?::\w+)?}", lambda found: places.get(found[1], "1"), path) for path in own]


def test_no_address_of_a_battle_needs_the_form_of_another_game(post: Post, duel: NewBattle) -> None:
    """Whoever asks; the test's client raises what would be an answer of 500."""
    _play(post, duel, 2)
    people = (post.visitor(), post.holder(duel.seat_keys[FIRST]), post.holder(duel.master_key, "ru"))
    fields = {"turn": "3", "revision": "0", "text": "A1 move B2", "shoot:A1": "B2", "unit:A1": "1", "cells": "B2"}
    for person in people:
        for address in _addresses(duel, "GET"):
            assert person.get(address).status_code < 500, address
        for address in _addresses(duel, "POST"):
            for action in ("save", "text-read", "draw"):
                assert person.post(address, data={**fields, "action": action}).status_code < 500, (address, action)


def test_a_game_that_points_do_not_win_is_told_without_a_goal(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    def outcome(state: Any) -> Outcome:
        return msgspec.structs.replace(RULESET.outcome(state), goal=None)

    endless = replace(RULESET, setup=lambda frozen: RULESET.setup({**frozen, "goal": 3}), outcome=outcome)
    monkeypatch.setitem(RULESETS, "duel", endless)
    monkeypatch.setitem(TELLERS, "duel", TELLER)
    battle = post.battle(scenario={key: value for key, value in scenario(seats=SEATS).items() if key != "goal"})
    _play(post, battle, 2)
    reader = post.visitor()
    for page in ("", "/t/1", "/film", "/t/1/post", "/feed.atom"):
        assert reader.get(f"/b/{battle.id}{page}").status_code == 200, page
    assert "0 of 0" not in text_of(reader.get(f"/b/{battle.id}").text)
    assert "<progress" not in reader.get(f"/b/{battle.id}/t/1").text
    assert "<progress" not in "".join(
        str(body) for _, body in files(post.house.db, battle.id, language="en", now=datetime.now(UTC), with_films=False)
    )


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


def test_the_rules_of_all_games_are_found_from_every_page(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = post.visitor("ru")
    assert 'href="/rules"' in reader.get("/").text
    assert reader.get("/rules").text == reader.get("/rules/cohesion").text.replace("=%2Frules%2Fcohesion", "=%2Frules")
    monkeypatch.setitem(RULESETS, "duel", RULESET)
    page = reader.get("/rules").text
    assert 'href="/rules/cohesion">Собранность: форумная битва' in page
    assert 'href="/rules/duel">duel</a>' in page


def test_a_button_that_is_not_there_is_refused(post: Post, duel: NewBattle) -> None:
    player = post.holder(duel.seat_keys[FIRST])
    path = f"/b/{duel.id}/seat/{FIRST}"
    assert player.post(f"{path}/plain", data=_typed(player.get(path).text, "pass", "dance")).status_code == 400


def test_the_page_leads_wherever_a_seat_may_go(post: Post, duel: NewBattle) -> None:
    path = f"/b/{duel.id}/seat/{FIRST}"
    page = post.holder(duel.seat_keys[FIRST]).get(path).text
    ways = (f"{path}/more-time", f"{path}/notices", f"{path}/absence", f"{path}/commander", f"/b/{duel.id}/talk")
    for way in (*ways, f"/b/{duel.id}/keep?seat={FIRST}"):
        assert f'href="{way}"' in page, way
    on_behalf = post.holder(duel.master_key).get(f"/b/{duel.id}/desk/orders/{FIRST}").text
    assert [way for way in ways[:4] if f'href="{way}"' in on_behalf] == []
    assert 'name="holder"' not in on_behalf


def test_the_holder_gives_his_name_there(post: Post, duel: NewBattle) -> None:
    player = post.holder(duel.seat_keys[FIRST])
    path = f"/b/{duel.id}/seat/{FIRST}"
    answer = player.post(f"{path}/plain", data={"action": "name", "holder": "  Old  Pine "})
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert value_of(player.get(path).text, "holder") == "Old Pine"
    wrong = player.post(f"{path}/plain", data={"action": "name", "holder": "x" * 200})
    assert wrong.status_code == 422
    assert "x" * 200 in wrong.text


def test_leave_is_told_to_whoever_opens_the_page(post: Post, duel: NewBattle) -> None:
    now = datetime.now(UTC)
    holder = keys.viewer_by_key(post.house.db, duel.seat_keys[FIRST])
    assert holder is not None
    ends = now + timedelta(days=3)
    nobody = leave.Deputy("nobody")
    leave.take(post.house.db, duel.id, FIRST, holder, begins=now, ends=ends, zone="UTC", deputy=nobody, now=now)
    page = post.holder(duel.seat_keys[FIRST]).get(f"/b/{duel.id}/seat/{FIRST}").text
    assert "Nobody stands in." in text_of(page)
    assert "I am back" in page


def test_the_senders_browser_seals_with_a_nonce_of_its_own(post: Post, duel: NewBattle) -> None:
    player = post.holder(duel.seat_keys[FIRST])
    path = f"/b/{duel.id}/seat/{FIRST}"
    page = player.get(path).text
    assert "/static/ownnonce.js" in page
    assert "data-state" in page
