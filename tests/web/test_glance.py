"""What a stranger is told of a battle first."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from sqlalchemy import event

from app.referee import orders, publication, turns
from app.referee.keys import viewer_by_key
from tests.web.conftest import Post, text_of


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("The first side with one point wins.", "Orders are in from 0 of 2 commanders.", "Nothing yet")),
        ("ru", ("первой наберёт 1 очко", "командиров — 0 из 2", "Пока ничего")),
    ],
)
def test_a_battle_says_its_goal_who_has_entered_and_what_happened_last(
    post: Post, language: str, said: tuple[str, ...]
) -> None:
    made = post.battle()
    page = text_of(post.visitor(language).get(f"/b/{made.id}").text)
    assert all(sentence in page for sentence in said)
    turns.resolve_now(post.house.db, made.id, viewer_by_key(post.house.db, made.master_key), turn=1, now=datetime.now(UTC))
    after = post.visitor(language).get(f"/b/{made.id}").text
    assert said[-1] not in after
    assert f'href="/b/{made.id}/t/1"' in after.split("</dl>")[0]
    assert f'href="/b/{made.id}/film#t1-film-start"' in after


def test_who_has_a_seat_is_not_told_how_to_get_one(post: Post) -> None:
    made = post.battle()
    assert "To take part" in post.visitor().get(f"/b/{made.id}").text
    for key in (made.master_key, made.seat_keys["north"]):
        assert "To take part" not in post.holder(key).get(f"/b/{made.id}").text


def test_nothing_of_a_turn_under_review_stands_there_even_for_its_master(post: Post) -> None:
    made, db = post.battle(review=True), post.house.db
    master = viewer_by_key(db, made.master_key)
    turns.resolve_now(db, made.id, master, turn=1, now=datetime.now(UTC))
    for client in (post.visitor(), post.holder(made.master_key)):
        assert "Nothing yet" in client.get(f"/b/{made.id}").text
    publication.publish(db, made.id, master, turn=1, now=datetime.now(UTC))
    assert "Nothing yet" not in post.visitor().get(f"/b/{made.id}").text


def test_the_last_turn_is_read_once_for_many_readers(post: Post) -> None:
    made, db = post.battle(), post.house.db
    turns.resolve_now(db, made.id, viewer_by_key(db, made.master_key), turn=1, now=datetime.now(UTC))
    seen: list[str] = []

    def told(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "events" in statement:
            seen.append(statement)

    post.visitor().get(f"/b/{made.id}")
    for engine in (db.engine, db.reading_engine):
        event.listen(engine, "before_cursor_execute", told)
    first = post.visitor().get(f"/b/{made.id}").text
    for engine in (db.engine, db.reading_engine):
        event.remove(engine, "before_cursor_execute", told)
    assert seen == []
    assert "goal 1." in first


@pytest.mark.parametrize(("language", "says"), [("en", "orders in"), ("ru", "приказы есть")])
def test_whose_orders_are_in_is_seen_on_the_board_but_not_which_units_have_one(post: Post, language: str, says: str) -> None:
    made, db = post.battle(), post.house.db
    page = post.visitor(language).get(f"/b/{made.id}").text
    assert 'class="counter side-1"' in page
    assert 'class="counter side-1 entered"' not in page
    now, south = datetime.now(UTC), viewer_by_key(db, made.seat_keys["south"])
    orders.enter(db, made.id, "south", south, turn=1, revision=0, ready=False, fields={"S1": {}}, now=now)
    page = post.visitor(language).get(f"/b/{made.id}").text
    own = re.findall(r'class="counter side-1([^"]*)" data-unit="([^"]+)"', page)
    assert len(own) > 1
    assert {states.split()[-1] for states, _ in own} == {"entered"}
    assert "entered" not in "".join(re.findall(r'class="counter side-0([^"]*)"', page))
    assert len(re.findall(rf'aria-label="[^"]*; {says}"', page)) == len(own)
    turns.resolve_now(db, made.id, viewer_by_key(db, made.master_key), turn=1, now=now)
    assert "side-1 entered" not in post.visitor(language).get(f"/b/{made.id}").text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("What stands on the counters", "strength and cohesion", "letters and sign the type")),
        ("ru", ("Что на фишках", "сила и собранность", "буквы и знак — тип")),
    ],
)
def test_a_board_says_what_stands_on_its_counters(post: Post, language: str, said: tuple[str, ...]) -> None:
    made = post.battle()
    page = text_of(post.visitor(language).get(f"/b/{made.id}").text)
    assert all(words in page for words in said)
