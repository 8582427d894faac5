"""A unit's page, from which its card is taken: what all may know, and not a turn more."""

from __future__ import annotations

import gzip
import re
from datetime import UTC, datetime

import pytest

from app.referee import orders, publication, turns
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from app.web.context import STATIC
from tests.web.conftest import Post, text_of


def _fight(post: Post, made: NewBattle, turn: int, fields: dict[str, object]) -> None:
    db, now = post.house.db, datetime.now(UTC)
    south = viewer_by_key(db, made.seat_keys["south"])
    orders.enter(db, made.id, "south", south, turn=turn, revision=0, ready=False, fields=fields, now=now)
    turns.resolve_now(db, made.id, viewer_by_key(db, made.master_key), turn=turn, now=now)


def test_a_unit_tells_its_values_skills_and_rules(post: Post) -> None:
    made = post.battle()
    page = post.visitor().get(f"/b/{made.id}/unit/S1").text
    told = text_of(page)
    assert "S1: light Matoran company" in told
    assert "Shooting half of strength (now 3 dice); as far as 2 cells; on the move half of strength − 1 (now 2 dice)" in told
    assert "Can withdraw instead of melee" in told
    assert "WITHDRAW-1 A unit that can withdraw" in told
    assert f'href="/b/{made.id}/rules#WITHDRAW-1"' in page
    assert "No turn is published yet." in told
    assert f'href="/b/{made.id}/unit/S1"' in post.visitor().get(f"/b/{made.id}").text


def test_its_story_tells_each_turn_with_a_link(post: Post) -> None:
    made = post.battle()
    _fight(post, made, 1, {"S1": {"melee": "N1"}, "S2": {"move": ["C4"]}})
    _fight(post, made, 2, {"S1": {}, "S2": {"move": ["C5"]}})
    told = post.visitor().get(f"/b/{made.id}/unit/S2").text
    assert re.search(rf'<a href="/b/{made.id}/t/2\?unit=S2#of-S2">Turn 2</a> moved: C4-C5\.', told)
    assert told.index("Turn 2") < told.index("Turn 1")
    assert "fought N1" in post.visitor().get(f"/b/{made.id}/unit/S1").text
    then = text_of(post.visitor("ru").get(f"/b/{made.id}/unit/S2?turn=1").text)
    assert "Ход 1 движение: D4-C4." in then
    assert "Ход 2" not in then


def test_a_turn_under_review_is_told_to_nobody(post: Post) -> None:
    made = post.battle(review=True)
    _fight(post, made, 1, {"S1": {"melee": "N1"}, "S2": {"move": ["C4"]}})
    for client in (post.visitor(), post.holder(made.seat_keys["south"]), post.holder(made.master_key)):
        told = text_of(client.get(f"/b/{made.id}/unit/S2").text)
        assert "No turn is published yet." in told
        assert "moved" not in told
    assert post.visitor().get(f"/b/{made.id}/unit/S2?turn=1").status_code == 404
    db = post.house.db
    publication.publish(db, made.id, viewer_by_key(db, made.master_key), turn=1, now=datetime.now(UTC))
    assert "moved: D4-C4" in post.visitor().get(f"/b/{made.id}/unit/S2").text


def test_sealed_orders_are_in_no_card(post: Post) -> None:
    made = post.battle()
    db = post.house.db
    south = viewer_by_key(db, made.seat_keys["south"])
    before = post.visitor().get(f"/b/{made.id}/unit/S2").text
    orders.enter(
        db, made.id, "south", south, turn=1, revision=0, ready=False, fields={"S2": {"move": ["C4"]}}, now=datetime.now(UTC)
    )
    assert post.visitor().get(f"/b/{made.id}/unit/S2").text == before


@pytest.mark.parametrize("path", ["unit/nobody", "unit/S1?turn=0", "unit/S1?turn=x", "unit/S1?turn=9", "unit/S1?turn=٣"])
def test_what_is_not_there_is_not_found(post: Post, path: str) -> None:
    made = post.battle()
    assert post.visitor().get(f"/b/{made.id}/{path}").status_code == 404
    assert post.visitor().get("/b/nowhere/unit/S1").status_code == 404


MOST_BYTES = 60_000


def _scripts(page: str) -> set[str]:
    """The scripts of a page, and all that they import, however deep."""
    found: set[str] = set()
    left = re.findall(r'<script type="module" src="/static/([\w.-]+)', page)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += re.findall(r'(?:from|import\()\s*"\./([\w.-]+)"', (STATIC / name).read_text(encoding="utf-8"))
    return found


def test_a_pages_scripts_are_small_for_a_phone(post: Post) -> None:
    made = post.battle()
    _fight(post, made, 1, {"S1": {}, "S2": {}})
    south = post.holder(made.seat_keys["south"])
    pages = (f"/b/{made.id}", f"/b/{made.id}/seat/south", f"/b/{made.id}/t/1")
    scripts = [_scripts(south.get(path).text) for path in pages]
    assert {"zoom.js", "cards.js", "fieldmap.js", "fielddrag.js"} <= scripts[1]
    for names in scripts:
        assert sum(len(gzip.compress((STATIC / name).read_bytes(), mtime=0)) for name in names) < MOST_BYTES
