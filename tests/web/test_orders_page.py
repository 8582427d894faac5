"""A seat's orders: what is offered, what is kept, and that nothing typed is ever lost."""

from __future__ import annotations

from starlette.testclient import TestClient

from app.referee import scenarios
from app.referee.views import NewBattle
from tests.web.conftest import Post, choices_of, text_of, value_of

EMPTY = {"unit:S1": "1", "unit:S2": "1"}


def _page(client: TestClient, battle: NewBattle, seat: str = "south") -> str:
    answer = client.get(f"/b/{battle.id}/seat/{seat}")
    assert answer.status_code == 200
    return answer.text


def _send(client: TestClient, battle: NewBattle, page: str, action: str = "save", **fields: str):  # type: ignore[no-untyped-def]
    given = {"turn": value_of(page, "turn"), "revision": value_of(page, "revision"), "action": action, **EMPTY}
    return client.post(f"/b/{battle.id}/seat/south", data={**given, **{k.replace("__", ":"): v for k, v in fields.items()}})


def test_only_what_is_legal_is_offered(post: Post) -> None:
    battle = post.battle()
    page = _page(post.holder(battle.seat_keys["south"]), battle)
    assert list(choices_of(page, "shoot:S1")) == ["", "N1"]
    fights = choices_of(page, "fight:S1")
    assert "melee:N1" in fights
    assert "melee:N2" not in fights
    assert any(value.startswith("withdraw:") for value in fights)
    moves = choices_of(page, "move:S2")
    assert "C4" in moves
    assert "D4" not in moves
    assert choices_of(page, "shoot:N1") == {}


def test_a_seat_is_led_to_what_its_battle_is_about(post: Post) -> None:
    """Whoever has followed his first link finds the scenario's words, which teach the game."""
    battle = post.battle(scenario=scenarios.frozen("first-skirmish"))
    page = _page(post.holder(battle.seat_keys["north"]), battle, "north")
    assert f'<a href="/b/{battle.id}#about">About this battle</a>' in page
    assert '<div class="prose" id="about">' in post.visitor().get(f"/b/{battle.id}").text
    without = post.battle()
    assert "About this battle" not in _page(post.holder(without.seat_keys["south"]), without)


def test_saved_orders_stand_in_the_form_with_a_receipt(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    answer = _send(client, battle, _page(client, battle), shoot__S1="N1", move__S2="C4")
    assert answer.status_code == 303
    page = client.get(answer.headers["location"]).text
    assert "Saved as revision 1" in text_of(page)
    assert 'id="problems"' not in page
    assert choices_of(page, "shoot:S1")["N1"]
    assert choices_of(page, "move:S2")["C4"]
    assert "Receipt" in page
    assert "shoot LM B2" in text_of(page)


def test_orders_are_seen_by_their_seat_alone(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    _send(client, battle, _page(client, battle), shoot__S1="N1", path__S2="D5")
    others = [post.visitor(), post.holder(battle.master_key), post.holder(battle.seat_keys["north"])]
    for other in others:
        for path in ("", "/seat/south", "/desk", "/desk/orders/south", "/rules"):
            assert "shoot LM B2" not in text_of(other.get(f"/b/{battle.id}{path}").text)
    on_behalf = others[1].get(f"/b/{battle.id}/desk/orders/south").text
    assert not any(chosen for value, chosen in choices_of(on_behalf, "shoot:S1").items() if value)
    assert "Revision 1 is entered" in text_of(on_behalf)


def test_all_problems_stand_beside_their_fields_and_nothing_typed_is_lost(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    answer = _send(
        client, battle, _page(client, battle), shoot__S1="N9", path__S1="Z99", fight__S2="melee:N1", path__S2="A1-<b>"
    )
    assert answer.status_code == 422
    page = answer.text
    assert page.count('aria-invalid="true"') >= 3
    assert choices_of(page, "shoot:S1")["N9"]
    assert choices_of(page, "fight:S2")["melee:N1"]
    assert value_of(page, "path:S1") == "Z99"
    assert value_of(page, "path:S2") == "A1-<b>"
    for anchor in ("f-S1-shoot", "f-S1-move", "f-S2-fight", "f-S2-move"):
        assert f'href="#{anchor}"' in page, anchor
        assert f'id="{anchor}"' in page, anchor
    assert value_of(page, "revision") == "0"


def test_fields_that_contradict_each_other_are_told_with_the_rest(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    answer = _send(client, battle, _page(client, battle), hold__S1="yes", move__S1="A3", shoot__S2="N9")
    assert answer.status_code == 422
    assert "choose one of the two" in answer.text
    assert 'href="#f-S2-shoot"' in answer.text
    assert value_of(answer.text, "revision") == "0"


def test_an_old_page_saved_again_keeps_what_another_page_saved_for_other_units(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    old = _page(client, battle)
    _send(client, battle, old, move__S2="C4")
    stale = _send(client, battle, old, shoot__S1="N1")
    assert stale.status_code == 409
    assert choices_of(stale.text, "shoot:S1")["N1"]
    assert choices_of(stale.text, "move:S2")["C4"]


def test_a_form_that_is_sent_twice_is_saved_once_and_nobody_is_alarmed(post: Post) -> None:
    """A double click sends it again before the first answer is there."""
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    old = _page(client, battle)
    first, again = (_send(client, battle, old, shoot__S1="N1") for _ in range(2))
    assert (again.status_code, again.headers.get("location")) == (first.status_code, first.headers.get("location"))
    assert value_of(_page(client, battle), "revision") == "1"
    ready = _page(client, battle)
    first, again = (_send(client, battle, ready, "ready", shoot__S1="N1") for _ in range(2))
    assert (again.status_code, again.headers.get("location")) == (first.status_code, first.headers.get("location"))
    assert value_of(_page(client, battle), "revision") == "2"
    assert _send(client, battle, ready, shoot__S1="N1").status_code == 409, "ready or not is part of it"


def test_a_stale_page_keeps_what_was_typed_and_can_be_saved_again(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    old = _page(client, battle)
    _send(client, battle, old, hold__S1="yes")
    answer = _send(client, battle, old, shoot__S1="N1", path__S2="D5")
    assert answer.status_code == 409
    page = answer.text
    assert "Something was saved since you opened this page" in page
    assert choices_of(page, "shoot:S1")["N1"]
    assert value_of(page, "path:S2") == "D5"
    assert "hold" in text_of(page)
    assert _send(client, battle, page, shoot__S1="N1", path__S2="D5").status_code == 303
    assert value_of(_page(client, battle), "revision") == "2"


def test_a_page_of_an_older_turn_keeps_what_was_typed(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    old = _page(client, battle)
    master = post.holder(battle.master_key)
    assert master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"}).status_code == 303
    answer = _send(client, battle, old, shoot__S1="N1", move__S2="C4")
    assert answer.status_code == 409
    assert value_of(answer.text, "turn") == "2"
    assert choices_of(answer.text, "shoot:S1")["N1"]
    assert choices_of(answer.text, "move:S2")["C4"]
    assert _send(client, battle, answer.text, shoot__S1="N1", move__S2="C4").status_code == 303


def test_a_text_is_taken_or_every_place_in_it_shown(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    written = "LM B3: shoot LM B2\nLR D4 dance\nХХ q<b>"
    answer = _send(client, battle, _page(client, battle), action="text", text=written)
    assert answer.status_code == 422
    assert "Line 2, column" in answer.text
    assert "Line 3, column" in answer.text
    assert "<mark>dance</mark>" in answer.text
    assert "q&lt;b&gt;</textarea>" in answer.text
    answer = _send(client, battle, answer.text, action="text", text="LM B3: shoot LM B2\r\nLR D4: move C4")
    assert answer.status_code == 303
    assert choices_of(_page(client, battle), "move:S2")["C4"]


def test_ready_seats_resolve_the_turn(post: Post) -> None:
    battle = post.battle()
    south, north = post.holder(battle.seat_keys["south"]), post.holder(battle.seat_keys["north"])
    _send(south, battle, _page(south, battle), action="ready", hold__S1="yes")
    assert "You are ready." in text_of(south.get(f"/b/{battle.id}/seat/south?saved=1").text)
    answer = north.post(f"/b/{battle.id}/seat/north", data={"turn": "1", "action": "set-ready"})
    assert answer.headers["location"] == f"/b/{battle.id}?told=resolved"
    assert "turn 2" in text_of(north.get(answer.headers["location"]).text).lower()


def test_ready_can_be_taken_back(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    path = f"/b/{battle.id}/seat/south"
    client.post(path, data={"turn": "1", "action": "set-ready"})
    assert "Not ready after all" in client.get(path).text
    client.post(path, data={"turn": "1", "action": "unset-ready"})
    assert "Not ready after all" not in client.get(path).text


def test_units_without_an_order_are_named(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    _send(client, battle, _page(client, battle), hold__S1="yes")
    assert "One unit is left without an order: LR D4" in text_of(_page(client, battle))


def test_a_name_is_kept_and_escaped(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    name = 'O\'Neil "<b>" Ёж 🦔'
    path = f"/b/{battle.id}/seat/south"
    assert client.post(path, data={"action": "name", "holder": name}).status_code == 303
    page = post.visitor().get(f"/b/{battle.id}").text
    assert "<b>" not in page
    assert name in text_of(page)
    refused = client.post(path, data={"action": "name", "holder": "turned \u202e round"})
    assert refused.status_code == 422
    assert "turned \u202e round" in refused.text


def test_after_a_withdrawal_the_move_to_a_cell_starts_from_there(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.seat_keys["south"])
    page = _page(client, battle)
    back = next(v for v in choices_of(page, "fight:S1") if v.startswith("withdraw:"))
    assert _send(client, battle, page, fight__S1=back, move__S1="A3").status_code in {303, 422}
    assert _send(client, battle, _page(client, battle), fight__S1=back).status_code == 303
    assert choices_of(_page(client, battle), "fight:S1")[back]
