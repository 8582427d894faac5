"""A published turn: told in both languages, kept as bytes, proved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import event

from app.referee import turns
from app.referee.keys import viewer_by_key
from app.referee.showing import TURNS_SHOWN
from app.web import cache
from tests.web.conftest import Post, text_of


@pytest.fixture
def battle(post: Post):  # type: ignore[no-untyped-def]
    made = post.battle()
    master = post.holder(made.master_key)
    master.post(f"/b/{made.id}/desk", data={"action": "resolve", "turn": "1"})
    return made


def test_a_turn_is_told_with_boards_dice_and_proof(post: Post, battle: Any) -> None:
    page = post.visitor().get(f"/b/{battle.id}/t/1").text
    assert page.count('<svg viewBox="') >= 2
    assert 'id="phase-shooting"' in page
    assert "fieldpost verify" in page
    assert f"/b/{battle.id}/t/1.json" in page
    russian = post.visitor("ru").get(f"/b/{battle.id}/t/1").text
    assert "Отчёт о ходе 1" in russian
    assert "Стрельба" in russian
    ids = [piece.split('"')[0] for piece in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_the_latest_turn_is_found(post: Post, battle: Any) -> None:
    assert post.visitor().get(f"/b/{battle.id}/t/latest").headers["location"] == f"/b/{battle.id}/t/1"


@pytest.mark.parametrize("turn", ["2", "0", "-1", "01", "x", "1e3", "99999999999", "١"])
def test_a_turn_that_is_not_there_is_a_page_not_found(post: Post, battle: Any, turn: str) -> None:
    answer = post.visitor().get(f"/b/{battle.id}/t/{turn}")
    assert answer.status_code == 404
    assert "Return to sender" in answer.text


def test_a_reader_who_has_it_is_told_so(post: Post, battle: Any) -> None:
    first = post.visitor().get(f"/b/{battle.id}/t/1")
    again = post.visitor().get(f"/b/{battle.id}/t/1", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""
    assert post.visitor("ru").get(f"/b/{battle.id}/t/1", headers={"if-none-match": first.headers["etag"]}).status_code == 200


@pytest.mark.parametrize("who", ["public", "south"])
def test_a_kept_page_is_served_without_the_database(post: Post, battle: Any, who: str) -> None:
    client = post.visitor() if who == "public" else post.holder(battle.seat_keys["south"])
    client.get(f"/b/{battle.id}/t/1")
    first = client.get(f"/b/{battle.id}/t/1")
    with _statements(post) as statements:
        again = client.get(f"/b/{battle.id}/t/1")
    assert again.content == first.content
    assert again.headers["content-security-policy"]
    assert statements == []


def test_a_kept_page_tells_of_the_next_turn_within_a_second(
    post: Post, battle: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, path = post.visitor(), f"/b/{battle.id}/t/1"
    assert 'rel="next"' not in reader.get(path).text
    post.holder(battle.master_key).post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "2"})
    monkeypatch.setattr(cache, "FRESH_SECONDS", -1.0)
    assert 'rel="next"' in reader.get(path).text


def test_a_kept_page_claims_to_know_of_nobody_who_has_entered(post: Post, battle: Any) -> None:
    """It is the same for all who read it while the battle's version stays, whoever enters orders meanwhile."""
    page = post.visitor().get(f"/b/{battle.id}/t/1").text
    assert 'data-pulse=""' in page
    assert "data-seat=" not in page
    assert "data-ready" not in page
    assert 'data-published="1"' in page


def test_kept_pages_of_two_languages_and_readers_do_not_mix(post: Post, battle: Any) -> None:
    path = f"/b/{battle.id}/t/1"
    for _ in range(2):
        for language, word in (("en", "Report of turn 1"), ("ru", "Отчёт о ходе 1")):
            assert word in text_of(post.visitor(language).get(path).text)
    chosen = post.visitor("en")
    chosen.get("/language/ru?to=/")
    assert "Отчёт о ходе 1" in text_of(chosen.get(path).text)


def test_the_battles_page_and_rules_are_told(post: Post, battle: Any) -> None:
    page = text_of(post.visitor().get(f"/b/{battle.id}").text)
    assert "Turn 1" in page
    assert "Turns so far" in page
    rules = post.visitor("ru").get(f"/b/{battle.id}/rules").text
    assert 'id="SHOOT-5"' in rules
    assert "Решения этой битвы" in rules


@contextmanager
def _statements(post: Post) -> Iterator[list[str]]:
    told: list[str] = []

    def seen(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        told.append(statement)

    engines = (post.house.db.engine, post.house.db.reading_engine)
    for engine in engines:
        event.listen(engine, "before_cursor_execute", seen)
    yield told
    for engine in engines:
        event.remove(engine, "before_cursor_execute", seen)


def test_a_long_battle_lists_its_newest_turns_and_all_on_demand(post: Post) -> None:
    made = post.battle()
    master = viewer_by_key(post.house.db, made.master_key)
    for turn in range(1, TURNS_SHOWN + 3):
        turns.resolve_now(post.house.db, made.id, master, turn=turn, now=datetime.now(UTC))
    newest = post.visitor().get(f"/b/{made.id}").text
    assert f'href="/b/{made.id}/t/{TURNS_SHOWN + 2}"' in newest
    assert f'href="/b/{made.id}/t/1"' not in newest
    assert f'href="/b/{made.id}?turns=all#turns"' in newest
    assert f'href="/b/{made.id}/t/1"' in post.visitor().get(f"/b/{made.id}?turns=all").text
