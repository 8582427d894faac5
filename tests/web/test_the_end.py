"""When a battle is over, whoever comes back finds what happened, and how to play again."""

from __future__ import annotations

from tests.browser import eventful
from tests.web.conftest import Post, text_of

LAST = '<a class="button" href="/b/{0}/t/1">'
FILM = '<a class="button quiet" href="/b/{0}/film">'


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
