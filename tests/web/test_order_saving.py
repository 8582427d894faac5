"""What the orders page saves by itself: what is kept, what is left as it was, and what another page learns of it."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from app.referee import orders
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from app.store.models import Battle
from app.web import orderseen
from tests.web.conftest import Post, text_of, value_of

EMPTY = {"turn": "1", "revision": "0", "action": "save", "unit:S1": "1", "unit:S2": "1"}


def _keep(client: TestClient, battle: NewBattle, **fields: str) -> Any:
    return client.post(f"/b/{battle.id}/seat/south/keep", data={**EMPTY, **fields})


def _sheet(client: TestClient, battle: NewBattle) -> Any:
    answer = client.get(f"/b/{battle.id}/seat/south/sheet")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()["sheet"]


def _resolve(post: Post, battle: NewBattle) -> None:
    answer = post.holder(battle.master_key).post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"})
    assert answer.status_code == 303


@pytest.mark.parametrize("review", [False, True])
@pytest.mark.parametrize("path", ["", "/sheet"])
def test_a_turn_that_is_resolved_while_the_page_is_made_breaks_nothing(
    post: Post, monkeypatch: pytest.MonkeyPatch, path: str, review: bool
) -> None:
    battle = post.battle(review=review)
    client = post.holder(battle.seat_keys["south"])
    assert _keep(client, battle, **{"shoot:S1": "N1"}).status_code == 200
    plain, looks = orders.sheet, []

    def interrupted(*args: Any) -> Any:
        if not looks:
            _resolve(post, battle)
        looks.append(plain(*args))
        return looks[-1]

    monkeypatch.setattr(orderseen.orders, "sheet", interrupted)
    answer = client.get(f"/b/{battle.id}/seat/south{path}")
    assert answer.status_code == 200
    assert [look.turn for look in looks] == ([1, 1] if review else [2, 2])
    if path:
        told = answer.json()["sheet"]
        assert (told["turn"], told["revision"], told["open"]) == ((1, 1, False) if review else (2, 0, True))


def test_a_battle_that_never_stands_still_is_not_shown_half(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    plain = orders.sheet
    monkeypatch.setattr(orderseen.orders, "sheet", lambda *args: replace(plain(*args), turn=2))
    assert client.get(f"/b/{battle.id}/seat/south").status_code == 409


def test_a_change_is_a_new_revision_with_its_receipt(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    answer = _keep(client, battle, **{"shoot:S1": "N1", "move:S2": "C4"})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    told = answer.json()
    sheet = told["sheet"]
    assert (told["new"], told["left"], told["refused"], told["resolved"]) == (True, [], [], "")
    assert (sheet["turn"], sheet["revision"], sheet["ready"], sheet["open"]) == (1, 1, False, True)
    assert sheet["orders"] == {"S1": {"shoot": "N1"}, "S2": {"move": ["C4"]}}
    assert sheet["units"]["S1"]["shoot"]["value"] == "N1"
    own = orders.sheet(post.house.db, battle.id, "south", viewer_by_key(post.house.db, battle.seat_keys["south"]))
    assert own.receipt is not None
    assert sheet["receipt"] == {
        "digest": own.receipt.digest,
        "nonce": own.receipt.nonce,
        "canonical": own.receipt.canonical,
    }
    assert own.receipt.digest in sheet["state"]
    assert own.receipt.nonce in text_of(sheet["state"])
    assert _sheet(client, battle) == sheet


@pytest.mark.parametrize(
    ("path", "fields"),
    [("/keep", {"action": "save"}), ("", {"action": "save"}), ("", {"action": "text", "text": "S1: shoot N1"})],
)
def test_the_browsers_own_nonce_seals_what_it_saves(post: Post, path: str, fields: dict[str, str]) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    for revision, (nonce, taken) in enumerate([("0123456789abcdef" * 2, True), ("0123", False), ("X" * 32, False)]):
        sent = {**EMPTY, "shoot:S1": "N1", "move:S2": ("", "C4")[revision % 2], "revision": str(revision), "nonce": nonce}
        assert client.post(f"/b/{battle.id}/seat/south{path}", data={**sent, **fields}).status_code in {200, 303}
        receipt = _sheet(client, battle)["receipt"]
        assert (receipt["nonce"] == nonce, len(receipt["nonce"])) == (taken, 32)


def test_what_is_saved_already_is_no_new_revision(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    assert _keep(client, battle).json()["sheet"]["revision"] == 0
    _keep(client, battle, **{"hold:S1": "yes"})
    _keep(client, battle, revision="1", action="ready", **{"hold:S1": "yes"})
    again = _keep(client, battle, revision="1", **{"hold:S1": "yes"}).json()
    assert (again["new"], again["sheet"]["revision"], again["sheet"]["ready"]) == (False, 1, True)


def test_a_new_revision_takes_back_that_one_is_ready(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    assert _keep(client, battle, action="ready", **{"hold:S1": "yes"}).json()["sheet"]["ready"]
    changed = _keep(client, battle, revision="1", **{"shoot:S1": "N1"}).json()["sheet"]
    assert (changed["revision"], changed["ready"]) == (2, False)


def test_ready_is_taken_back_by_a_press(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    _keep(client, battle, action="ready", **{"hold:S1": "yes"})
    told = _keep(client, battle, revision="1", action="unready", **{"hold:S1": "yes"}).json()["sheet"]
    assert (told["revision"], told["ready"]) == (1, False)


def test_units_that_are_refused_stay_as_they_were_and_the_rest_is_saved(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    _keep(client, battle, **{"hold:S1": "yes"})
    told = _keep(client, battle, revision="1", **{"fight:S1": "melee:N2", "move:S2": "C4"}).json()
    assert told["left"] == ["S1"]
    assert [(one["unit"], one["part"]) for one in told["refused"]] == [("S1", "fight")]
    assert told["sheet"]["orders"] == {"S1": {}, "S2": {"move": ["C4"]}}
    assert told["sheet"]["revision"] == 2


def test_fields_that_contradict_each_other_are_left_too(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    told = _keep(client, battle, **{"hold:S1": "yes", "move:S1": "A3", "shoot:S2": "N9"}).json()
    assert {(one["unit"], one["part"]) for one in told["refused"]} == {("S1", "hold"), ("S2", "shoot")}
    assert (told["new"], told["sheet"]["revision"]) == (False, 0)


def test_a_unit_that_somebody_has_still_to_choose_for_is_left(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    _keep(client, battle, **{"hold:S1": "yes"})
    told = _keep(client, battle, revision="1", **{"shoot:S1": "N1", "leave:S1": "1", "move:S2": "C4"}).json()
    assert told["sheet"]["orders"] == {"S1": {}, "S2": {"move": ["C4"]}}
    assert told["refused"] == []


def test_nobody_is_ready_with_orders_that_are_refused(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    answer = _keep(client, battle, action="ready", **{"fight:S1": "melee:N2", "move:S2": "C4"})
    assert answer.status_code == 422
    assert answer.json()["left"] == ["S1"]
    assert (_sheet(client, battle)["revision"], _sheet(client, battle)["ready"]) == (0, False)


def test_the_last_to_be_ready_is_told_where_to_go(post: Post) -> None:
    battle = post.battle()
    north = post.holder(battle.seat_keys["north"])
    north.post(f"/b/{battle.id}/seat/north", data={"turn": "1", "action": "set-ready"})
    told = _keep(post.holder(battle.seat_keys["south"]), battle, action="ready", **{"hold:S1": "yes"}).json()
    assert told["resolved"] == f"/b/{battle.id}?told=resolved"
    assert told["sheet"]["turn"] == 2


@pytest.mark.parametrize("language", ["en", "ru"])
def test_another_page_of_the_seat_is_told_with_its_sheet(post: Post, language: str) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"], language)
    _keep(client, battle, **{"hold:S1": "yes"})
    answer = _keep(client, battle, **{"shoot:S1": "N1"})
    assert answer.status_code == 409
    told = answer.json()
    assert told["code"] == "stale"
    assert bool(set("аеио") & set(told["says"])) == (language == "ru")
    assert (told["sheet"]["turn"], told["sheet"]["revision"], told["sheet"]["orders"]) == (1, 1, {"S1": {}})


def test_a_turn_that_is_over_is_told_with_the_new_one(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    _resolve(post, battle)
    answer = _keep(client, battle, **{"shoot:S1": "N1"})
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert (answer.json()["sheet"]["turn"], answer.json()["sheet"]["awaited"]) == (2, True)
    assert _sheet(client, battle)["published"] == 1


def test_a_turn_under_review_takes_nothing(post: Post) -> None:
    battle = post.battle(review=True)
    client = post.holder(battle.seat_keys["south"])
    _resolve(post, battle)
    answer = _keep(client, battle, **{"shoot:S1": "N1"})
    assert (answer.status_code, answer.json()["code"]) == (409, "closed")
    sheet = answer.json()["sheet"]
    assert (sheet["awaited"], sheet["open"], sheet["status"], sheet["published"]) == (False, False, "review", 0)


def test_a_deadline_that_has_passed_is_told_before_the_turn_is_resolved(post: Post) -> None:
    battle = post.battle(deadline=datetime.now(UTC) + timedelta(hours=1))
    client = post.holder(battle.seat_keys["south"])
    later = datetime.now(UTC) + timedelta(hours=1, seconds=1)
    post.app.state.house = replace(post.house, now=lambda: later)
    answer = _keep(client, battle, **{"shoot:S1": "N1"})
    assert (answer.status_code, answer.json()["code"]) == (409, "closed")
    assert (answer.json()["sheet"]["turn"], answer.json()["sheet"]["awaited"], answer.json()["sheet"]["open"]) == (
        1,
        True,
        False,
    )


def test_only_the_seat_itself_keeps_and_asks(post: Post) -> None:
    battle, other = post.battle(), post.battle()
    strangers = (
        post.visitor(),
        post.holder(battle.seat_keys["north"]),
        post.holder(battle.master_key),
        post.holder(other.master_key),
    )
    for client in strangers:
        assert _keep(client, battle, **{"hold:S1": "yes"}).status_code == 403
        answer = client.get(f"/b/{battle.id}/seat/south/sheet")
        assert answer.status_code == 403
        assert set(answer.json()) == {"code", "says"}
    own = post.holder(battle.seat_keys["south"])
    foreign = own.post(
        f"/b/{battle.id}/seat/south/keep", data={**EMPTY, "hold:S1": "yes"}, headers={"origin": "https://elsewhere.example"}
    )
    assert foreign.status_code == 403
    assert own.get(f"/b/{battle.id}/seat/nobody/sheet").status_code == 403
    assert _sheet(own, battle)["revision"] == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "text", "hold:S1": "yes"},
        {"turn": "no", "hold:S1": "yes"},
        {"turn": "9" * 40, "hold:S1": "yes"},
        {"revision": "7", "hold:S1": "yes"},
        {"path:S1": "Z99-" * 100},
        {"path:S1": "\x00<b>\ud800".encode("utf-8", "surrogatepass").decode("latin-1")},
        {"fight:S1": "melee:" + "N" * 500},
        {"unit:N1": "1", "hold:N1": "yes"},
        {"unit:": "1", "hold:": "yes"},
        {"leave:S1": "yes", "leave:nobody": "1", "unit:nobody": "1", "shoot:nobody": "nobody"},
    ],
)
def test_bad_input_is_refused_and_keeps_nothing(post: Post, fields: dict[str, str]) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    assert _keep(client, battle, **fields).status_code in {200, 400, 409, 422}
    assert _sheet(client, battle)["revision"] == 0
    for body, kind in (
        (b"{}", "application/json"),
        (b"%ff%fe=%00", "application/x-www-form-urlencoded"),
        (b"", "text/plain"),
    ):
        answer = client.post(f"/b/{battle.id}/seat/south/keep", content=body, headers={"content-type": kind})
        assert answer.status_code in {400, 409}


def test_the_page_knows_what_is_saved_apart_from_what_stands_in_its_form(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    _keep(client, battle, **{"shoot:S1": "N1"})
    page = client.post(f"/b/{battle.id}/seat/south", data={**EMPTY, "revision": "1", "path:S1": "Z9"}).text
    found = re.search(r'data-saved="([^"]*)"', page)
    assert found
    assert json.loads(html.unescape(found[1])) == {"S1": {"shoot": "N1"}}
    assert value_of(page, "path:S1") == "Z9"


def test_at_the_desk_nothing_is_saved_by_itself(post: Post) -> None:
    battle = post.battle()
    page = post.holder(battle.master_key).get(f"/b/{battle.id}/desk/orders/south").text
    assert 'id="saving"' not in page
    assert "data-guard" in page


def test_a_battle_that_is_held_still_takes_orders(post: Post) -> None:
    battle = post.battle(deadline=datetime.now(UTC) + timedelta(hours=1))
    db = post.house.db
    with db.write() as session:
        session.execute(update(Battle).where(Battle.id == battle.id).values(status="held"))
    client = post.holder(battle.seat_keys["south"])
    assert _keep(client, battle, **{"hold:S1": "yes"}).json()["sheet"]["status"] == "held"


@pytest.mark.parametrize("review", [False, True])
def test_without_scripts_all_that_was_sent_too_late_can_still_be_read(post: Post, review: bool) -> None:
    battle = post.battle(review=review)
    client = post.holder(battle.seat_keys["south"])
    _resolve(post, battle)
    given = {**EMPTY, "shoot:S1": "N1", "path:S2": "d5", "unit:gone": "1", "fight:gone": "withdraw:A1"}
    answer = client.post(f"/b/{battle.id}/seat/south", data=given)
    assert answer.status_code == 409
    told = text_of(answer.text)
    assert "What you sent:" in told
    assert "shoots at LM B2" in told
    assert "moves to D5" in told
    assert "gone: withdraws to A1" in told
