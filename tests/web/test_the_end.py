"""When a battle is over, whoever comes back finds what happened, and how to play again."""

from __future__ import annotations

from datetime import UTC, datetime

from app.engine.ruleset import Ruling
from app.referee import battles, moderation, scenarios, turns
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from tests.browser import eventful
from tests.web.conftest import Post, text_of

NOW = datetime.now(UTC)
LAST = '<a class="button" href="/b/{0}/t/1">'
FILM = '<a class="button quiet" href="/b/{0}/film">'


def _won(post: Post, battle: NewBattle) -> None:
    db, master = post.house.db, viewer_by_key(post.house.db, battle.master_key)
    moderation.rule(db, battle.id, master, Ruling(({"points": {"north": 3}},), "The south went home."), NOW)
    turns.resolve_now(db, battle.id, master, turn=1, now=NOW)


def test_a_seat_is_led_to_the_last_report_and_the_film(post: Post) -> None:
    battle = eventful.played(post.house.db, goal=3)
    page = post.holder(battle.seat_keys["north"]).get(f"/b/{battle.id}/seat/north").text
    assert "The battle is over. No more orders are needed." in text_of(page)
    assert LAST.format(battle.id) in page
    assert FILM.format(battle.id) in page


def test_a_seat_is_not_led_to_what_is_past(post: Post) -> None:
    past = ("More time", "Say a few words in the report of this turn")
    battle = eventful.made(post.house.db)
    seat = post.holder(battle.seat_keys["north"])
    page = seat.get(f"/b/{battle.id}/seat/north").text
    assert all(words in page for words in past)
    battle = eventful.played(post.house.db, goal=3)
    seat = post.holder(battle.seat_keys["north"])
    page = seat.get(f"/b/{battle.id}/seat/north").text
    assert not any(words in page for words in past)


def test_a_battle_that_is_over_leads_to_a_new_one_of_its_scenario(post: Post) -> None:
    known = scenarios.frozen("first-skirmish")
    brought = {**known, "board": scenarios.read_file(eventful.SCENARIO)["board"]}
    for scenario, is_shipped in ((known, True), (brought, False)):
        battle = battles.create(post.house.db, scenario=scenario, now=NOW)
        reader, way = post.visitor(), f'<a href="/battles/new?scenario={scenario["key"]}">'
        assert way not in reader.get(f"/b/{battle.id}").text
        _won(post, battle)
        page = reader.get(f"/b/{battle.id}").text
        assert "won by" in text_of(page)
        assert (way in page) is is_shipped
