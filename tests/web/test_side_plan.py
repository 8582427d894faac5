"""A side's plan on the orders page: what its commanders see, what they draw, and that nobody else is told anything of it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.referee import freshness, keys, orders, plans, scenarios
from app.referee.views import NewBattle
from tests import walking
from tests.web.conftest import Post, text_of, value_of

FIELD = """\
format: 1
ruleset: cohesion
key: side-plan
title: {en: Side plan, ru: План стороны}
goal: 3
board: {layout: pointy, map: ". . . . .\\n . . . . .\\n. . . . .\\n . . . . .\\n. . . . .", legend: {".": open}}
sides:
  north: {name: {en: North, ru: Север}, home: top, colour: "#d8d8d8"}
  south: {name: {en: South, ru: Юг}, home: bottom, colour: "#77aa88"}
contingents:
  north: {side: north, name: {en: North, ru: Север}}
  left: {side: south, name: {en: Left, ru: Левые}}
  right: {side: south, name: {en: Right, ru: Правые}}
units:
  N1: {type: LR, contingent: north, at: A1}
  S1: {type: HM, contingent: left, at: B4}
  S2: {type: HM, contingent: right, at: D4}
"""
SECRET = "zxwhisper"


def begin(post: Post, **options: Any) -> NewBattle:
    return post.battle(scenario=scenarios.read_file(FIELD), **options)


def enter(post: Post, made: NewBattle, seat: str, fields: Any, revision: int = 0) -> None:
    viewer = keys.viewer_by_key(post.house.db, made.seat_keys[seat])
    now = datetime.now(UTC)
    orders.enter(post.house.db, made.id, seat, viewer, turn=1, revision=revision, fields=fields, now=now)


def draw(
    post: Post, made: NewBattle, seat: str, kind: str = "note", cells: tuple[str, ...] = ("C3",), text: str = SECRET
) -> str:
    viewer = keys.viewer_by_key(post.house.db, made.seat_keys[seat])
    given = {"turn": 1, "kind": kind, "cells": cells, "text": text, "now": datetime.now(UTC)}
    return plans.draw(post.house.db, made.id, seat, viewer, **given)  # type: ignore[arg-type]


def page(client: TestClient, made: NewBattle, seat: str) -> str:
    answer = client.get(f"/b/{made.id}/seat/{seat}")
    assert answer.status_code == 200
    return answer.text


def told(client: TestClient, made: NewBattle, seat: str, **fields: str) -> Any:
    url = f"/b/{made.id}/seat/{seat}/plan"
    answer = client.post(url, data=fields, headers={"accept": "application/json"}) if fields else client.get(url)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize(("language", "says"), [("en", "HM D4: moves to C4"), ("ru", "Т.М D4: идёт на C4")])
def test_a_friend_is_seen_as_text_and_as_a_line_over_the_field(post: Post, language: str, says: str) -> None:
    made = begin(post)
    enter(post, made, "right", {"S2": {"move": ["C4"]}})
    left = page(post.holder(made.seat_keys["left"], language), made, "left")
    assert says in text_of(left)
    assert 'class="route move ghost"' in left
    assert "[&#34;D4&#34;, &#34;C4&#34;]" in left
    for seat in ("north", "right"):
        other = page(post.holder(made.seat_keys[seat], language), made, seat)
        assert says not in text_of(other)
        assert 'ghost"' not in other
        assert "[&#34;D4&#34;, &#34;C4&#34;]" not in other


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "enter C4 in the same step"), ("ru", "входят в C4 на одном и том же шаге")],
)
def test_warnings_follow_what_stands_in_the_form(post: Post, language: str, words: str) -> None:
    made = begin(post)
    enter(post, made, "right", {"S2": {"move": ["C4"]}})
    left = post.holder(made.seat_keys["left"], language)
    here = {"action": "check", "turn": "1", "revision": "0", "unit:S1": "1"}
    clash = told(left, made, "left", **here, **{"move:S1": "C4"})
    assert (clash["findings"][0]["code"], clash["findings"][0]["unit"]) == ("same-cell", "S1")
    assert words in clash["findings"][0]["words"]
    assert words in text_of(clash["html"]["glance"])
    assert "MOVE-5" in text_of(clash["html"]["glance"])
    mended = told(left, made, "left", **here, **{"move:S1": "B5"})
    assert "same-cell" not in {one["code"] for one in mended["findings"]}
    assert (
        orders.sheet(post.house.db, made.id, "left", keys.viewer_by_key(post.house.db, made.seat_keys["left"])).revision == 0
    )


def test_the_order_of_movement_is_shown(post: Post) -> None:
    made = begin(post)
    enter(post, made, "right", {"S2": {"move": ["C4"]}})
    enter(post, made, "left", {"S1": {"move": ["B5"]}})
    text = text_of(page(post.holder(made.seat_keys["left"]), made, "left"))
    assert "Speed 1, 1 step: HM B4, HM D4" in text
    assert "Enemies, if they move: Speed 4: LR A1" in text


def test_the_form_draws_without_scripts_and_the_own_drawing_can_be_removed(post: Post) -> None:
    made = begin(post)
    left, right = (post.holder(made.seat_keys[seat]) for seat in ("left", "right"))
    url = f"/b/{made.id}/seat/left/plan"
    # В and С are letters of a Russian keyboard.
    fields = {"turn": "1", "action": "draw", "kind": "arrow", "cells": "в4 → С3", "text": "<b>go</b>"}
    answer = left.post(url, data=fields)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/b/{made.id}/seat/left#side-plan")
    for client, seat in ((left, "left"), (right, "right")):
        shown = page(client, made, seat)
        assert "Arrow B4 → C3: <b>go</b> Left" in text_of(shown).replace("&lt;", "<")
        assert "<b>go</b>" not in shown
        assert ('name="erase"' in shown) == (seat == "left")
    [drawing] = re.findall(r'name="erase" value="([0-9a-f]+)"', page(left, made, "left"))
    assert right.post(f"/b/{made.id}/seat/right/plan", data={"turn": "1", "erase": drawing}).status_code == 303
    assert "go" in page(left, made, "left").split("Drawn on the field")[1]
    assert left.post(url, data={"turn": "1", "erase": drawing}).status_code == 303
    assert "Drawn on the field" not in page(left, made, "left")


def test_a_drawing_that_is_refused_loses_nothing_typed(post: Post) -> None:
    made = begin(post)
    left = post.holder(made.seat_keys["left"])
    url = f"/b/{made.id}/seat/left/plan"
    fields = {"turn": "1", "action": "draw", "kind": "note", "cells": "Q77", "text": 'hold "here"'}
    answer = left.post(url, data=fields)
    assert answer.status_code == 422
    assert "a mark and a note have one" in text_of(answer.text)
    assert (value_of(answer.text, "cells"), value_of(answer.text, "text")) == ("Q77", 'hold "here"')
    assert '<option value="note" selected>' in answer.text
    by_script = left.post(url, data=fields, headers={"accept": "application/json"})
    assert (by_script.status_code, by_script.json()["code"]) == (422, "bad-drawing")
    stale = left.post(url, data={**fields, "turn": "7"}, headers={"accept": "application/json"})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    assert left.post(url, data={"turn": "1", "action": "dance"}).status_code == 400


def test_the_page_asks_again_and_is_told_that_nothing_has_changed(post: Post) -> None:
    made = begin(post)
    left = post.holder(made.seat_keys["left"])
    url = f"/b/{made.id}/seat/left/plan"
    tag = left.get(url).headers["etag"]
    assert left.get(url, headers={"if-none-match": tag}).status_code == 304
    assert left.get(url, headers={"if-none-match": f"W/{tag}"}).status_code == 304  # as nginx makes it where it compresses
    draw(post, made, "right")
    answer = left.get(url, headers={"if-none-match": tag})
    assert answer.status_code == 200
    assert answer.json()["drawings"] == [{"kind": "note", "cells": ["C3"], "text": SECRET, "by": "Right", "own": False}]
    draw(post, made, "north")
    assert left.get(url, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


def test_nobody_else_opens_it(post: Post) -> None:
    made, other = begin(post), begin(post)
    url = f"/b/{made.id}/seat/left/plan"
    keys_of_others = (made.seat_keys["right"], made.seat_keys["north"], made.master_key, other.seat_keys["left"])
    for client in (post.visitor(), *map(post.holder, keys_of_others)):
        assert client.get(url).status_code == 403
        assert client.post(url, data={"turn": "1", "action": "check"}).status_code == 403
        assert client.post(url, data={"turn": "1", "action": "draw", "kind": "mark", "cells": "C3"}).status_code == 403


def test_the_desk_shows_no_plan(post: Post) -> None:
    made = begin(post)
    enter(post, made, "right", {"S2": {"move": ["C4"]}})
    draw(post, made, "right")
    master = post.holder(made.master_key)
    for seat in made.seat_keys:
        shown = master.get(f"/b/{made.id}/desk/orders/{seat}").text
        assert "side-plan" not in shown
        assert 'ghost"' not in shown
        assert SECRET not in shown


@pytest.mark.parametrize("what", ["cells", "text", "kind", "erase", "turn", "action"])
@pytest.mark.parametrize("junk", ["", "\x00", "💥" * 2000, "<script>", "9" * 400, "A1" * 5000, "\ud800"])
def test_junk_is_refused_or_shown_again_and_never_breaks(post: Post, what: str, junk: str) -> None:
    made = begin(post)
    left = post.holder(made.seat_keys["left"])
    fields = {"turn": "1", "action": "draw", "kind": "note", "cells": "C3", "text": "x", what: junk}
    body = "&".join(f"{name}={quoted(value)}" for name, value in fields.items())
    headers = {"content-type": "application/x-www-form-urlencoded"}
    for accept in ("text/html", "application/json"):
        answer = left.post(f"/b/{made.id}/seat/left/plan", content=body, headers={**headers, "accept": accept})
        assert answer.status_code < 500
        shown = answer.json().get("html", {}).values() if accept == "application/json" else [answer.text]
        assert not any("<script>" in part for part in shown)


def quoted(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogatepass"))


def everything(post: Post, made: NewBattle, clients: list[TestClient], *, but: str = "") -> walking.Seen:
    """All that is told of a battle, as the other side may ask for it."""
    values = {"battle_id": [made.id], "id": [made.id], "seat": ["north"], "unit": ["N1"], "language": ["en"], "key": ["x"]}
    asked = [one for one in walking.addresses(post.app, values) if made.id in one or one in ("/", "/api/v1/scenarios")]
    onlookers = {str(place): client for place, client in enumerate(clients)}
    seen = walking.seen(post.app, onlookers, asked, plain=without_seals if but == "seals" else str)
    seen["all", "pulse"] = (0, str(freshness.pulses(post.house.db, (made.id,))))
    return seen


def without_seals(text: str) -> str:
    return re.sub(r'[0-9a-f]{64}|"revision":[0-9]+', "SEAL", text)


def others(post: Post, made: NewBattle) -> list[TestClient]:
    """The enemy by cookie and by token, and the public."""
    enemy = post.visitor()
    enemy.headers["authorization"] = f"Bearer {made.seat_keys['north']}"
    return [post.holder(made.seat_keys["north"]), enemy, post.visitor()]


def test_what_is_drawn_changes_no_byte_for_the_other_side(post: Post) -> None:
    made = begin(post)
    clients = [*others(post, made), post.holder(made.master_key)]
    before = everything(post, made, clients)
    assert sum(told[0] == 200 for told in before.values()) > 40
    draw(post, made, "left")
    draw(post, made, "right", "arrow", ("D4", "C3"))
    assert everything(post, made, clients) == before
    friend = post.holder(made.seat_keys["left"])
    assert SECRET in page(friend, made, "left"), "the search would find it"


def test_what_a_seat_enters_anew_changes_nothing_for_the_other_side_but_its_seal(post: Post) -> None:
    made = begin(post)
    enter(post, made, "right", {"S2": {}})
    clients = others(post, made)
    before = everything(post, made, clients, but="seals")
    enter(post, made, "right", {"S2": {"move": ["C4"]}}, revision=1)
    assert everything(post, made, clients, but="seals") == before
