"""The game master's desk: what he may do, how it is told, what he must not see."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from starlette.testclient import TestClient

from app.referee import battles, deadlines
from app.referee.views import NewBattle
from tests.web.conftest import Post, text_of, value_of


def _do(client: TestClient, battle: NewBattle, action: str, **fields: str):  # type: ignore[no-untyped-def]
    return client.post(f"/b/{battle.id}/desk", data={"action": action, **fields})


def test_the_desk_has_all_links_and_shows_who_is_silent(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.master_key)
    page = client.get(f"/b/{battle.id}/desk").text
    for key in (*battle.seat_keys.values(), battle.master_key):
        assert f"/k/{key}" in page
    assert "Nothing yet from 2 seats: North, South" in text_of(page)
    assert "0/2" in text_of(page)


def test_the_turn_is_resolved_once_and_told(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.master_key)
    answer = _do(client, battle, "resolve", turn="1")
    assert answer.headers["location"] == f"/b/{battle.id}/desk?told=resolved"
    assert "The turn is resolved." in text_of(client.get(answer.headers["location"]).text)
    again = _do(client, battle, "resolve", turn="1")
    assert again.status_code == 409
    assert "gone on" in text_of(again.text)


def test_under_review_the_master_reads_first(post: Post) -> None:
    battle = post.battle(review=True)
    master, south, reader = post.holder(battle.master_key), post.holder(battle.seat_keys["south"]), post.visitor()
    _do(master, battle, "resolve", turn="1")
    for other in (south, reader):
        assert other.get(f"/b/{battle.id}/t/1").status_code == 404
        shown = other.get(f"/b/{battle.id}").text
        assert f"/b/{battle.id}/t/1" not in shown
        assert "still being ordered" not in shown
    assert "Turn 1 waits for you" in text_of(master.get(f"/b/{battle.id}/desk").text)
    draft = master.get(f"/b/{battle.id}/t/1")
    assert draft.status_code == 200
    assert "no-store" in draft.headers["cache-control"]
    assert "Only you see this." in draft.text
    assert south.get(f"/b/{battle.id}/seat/south").status_code == 200
    assert _do(master, battle, "publish", turn="1").status_code == 303
    assert reader.get(f"/b/{battle.id}/t/1").status_code == 200
    assert _do(master, battle, "publish", turn="1").status_code == 409


def test_the_deadline_is_set_in_the_battles_zone_and_taken_away(post: Post) -> None:
    battle = post.battle(zone="Europe/Moscow")
    client = post.holder(battle.master_key)
    day = (datetime.now(UTC) + timedelta(days=20)).strftime("%Y-%m-%d")
    assert _do(client, battle, "set-deadline", deadline=f"{day}T20:00").status_code == 303
    view = battles.battle(post.house.db, battle.id, _master(post, battle), datetime.now(UTC))
    assert view.deadline == datetime.fromisoformat(f"{day}T17:00+00:00")
    page = client.get(f"/b/{battle.id}/desk").text
    assert value_of(page, "deadline") == f"{day}T20:00"
    assert ", 20:00 (Moscow, UTC+3)" in text_of(page)
    assert _do(client, battle, "clear-deadline").status_code == 303
    assert "Take the deadline away" not in client.get(f"/b/{battle.id}/desk").text
    bad = _do(client, battle, "set-deadline", deadline="2001-01-01T10:00")
    assert bad.status_code == 422
    assert "2001-01-01T10:00" in bad.text
    assert _do(client, battle, "set-deadline", deadline="9999-12-31T23:59").status_code in {303, 422}
    assert _do(client, battle, "set-deadline", deadline="whenever").status_code == 422


def test_a_new_link_kills_the_old_one(post: Post) -> None:
    battle = post.battle()
    master, south = post.holder(battle.master_key), post.holder(battle.seat_keys["south"])
    seats = f"/b/{battle.id}/desk/seats"
    made = master.post(seats, data={"action": "renew", "seat": "south"})
    assert made.status_code == 200
    assert "A new link to South. Send it to its owner alone" in text_of(made.text)
    assert battle.seat_keys["south"] not in made.text
    assert south.get(f"/b/{battle.id}/seat/south").status_code == 403
    assert post.visitor().get(f"/k/{battle.seat_keys['south']}").status_code == 401
    assert master.post(seats, data={"action": "renew", "seat": "nobody"}).status_code == 404
    assert master.post(seats, data={"action": "remove", "seat": "south", "orders": "keep"}).status_code == 303
    assert master.get(seats).text.count('value="renew"') == 1


def test_links_stand_at_the_desk_until_the_first_turn_is_published(post: Post) -> None:
    """Then they were sent, and the seats' page has them."""
    battle = post.battle(review=True)
    master = post.holder(battle.master_key)
    for _ in ("open", "review"):
        desk = master.get(f"/b/{battle.id}/desk").text
        assert [battle.seat_keys[seat] in desk for seat in ("north", "south")] == [True, True]
        _do(master, battle, "resolve", turn="1")
    _do(master, battle, "publish", turn="1")
    desk, seats = (master.get(f"/b/{battle.id}/desk{page}").text for page in ("", "/seats"))
    for key in battle.seat_keys.values():
        assert key not in desk
        assert key in seats
    assert f'href="/b/{battle.id}/desk/seats"' in desk
    assert desk.count("Enter orders on behalf") == 2
    assert battle.master_key in desk[desk.index("Links for spectators and to this desk") :]


def test_a_long_battle_shows_its_newest_turns_and_leads_to_each_seat(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    for turn in range(1, 8):
        assert _do(master, battle, "resolve", turn=str(turn)).status_code == 303
    desk = master.get(f"/b/{battle.id}/desk", headers={"accept-language": "ru"}).text
    assert re.findall(r'<li value="(\d)"', desk) == ["7", "6", "5", "4", "3"]
    assert f'<a href="/b/{battle.id}?turns=all#turns">Все ходы</a>' in desk
    assert f'href="/b/{battle.id}/desk/seats#seat-north"' in desk
    assert '<h2 id="seat-north">' in master.get(f"/b/{battle.id}/desk/seats").text


def test_orders_on_behalf_are_logged_for_all(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    path = f"/b/{battle.id}/desk/orders/south"
    page = master.get(path).text
    given = {"turn": value_of(page, "turn"), "revision": value_of(page, "revision"), "action": "save"}
    answer = master.post(path, data={**given, "unit:S1": "1", "hold:S1": "yes"})
    assert answer.status_code == 303
    assert "Orders entered on behalf: South" in text_of(master.get(answer.headers["location"]).text)
    assert "South" in text_of(post.visitor().get(f"/b/{battle.id}").text.split('id="log"')[1])
    assert "1/2" in text_of(master.get(f"/b/{battle.id}/desk").text)


def test_after_an_outage_the_battle_goes_on_at_his_word(post: Post) -> None:
    now = datetime.now(UTC)
    battle = post.battle(deadline=now + timedelta(days=1))
    deadlines.sweep(post.house.db, now, outage=timedelta(minutes=15))
    deadlines.sweep(post.house.db, now + timedelta(days=2), outage=timedelta(minutes=15))
    master = post.holder(battle.master_key)
    assert "so the battle waits for you" in text_of(master.get(f"/b/{battle.id}/desk").text)
    assert _do(master, battle, "go-on").status_code == 303
    assert _do(master, battle, "go-on").status_code == 409


def test_only_the_master_may_do_any_of_it(post: Post) -> None:
    battle, other = post.battle(), post.battle()
    for client in (post.visitor(), post.holder(battle.seat_keys["south"]), post.holder(other.master_key)):
        for action in ("resolve", "publish", "set-deadline", "clear-deadline", "go-on", "dance"):
            assert _do(client, battle, action, turn="1", seat="south").status_code == 403, action
        assert client.post(f"/b/{battle.id}/desk/seats", data={"action": "renew", "seat": "south"}).status_code == 403
        assert client.get(f"/b/{battle.id}/desk/orders/south").status_code == 403
    assert _do(post.holder(battle.master_key), battle, "dance").status_code == 400


def _master(post: Post, battle: NewBattle):  # type: ignore[no-untyped-def]
    from app.referee.keys import viewer_by_key

    return viewer_by_key(post.house.db, battle.master_key)
