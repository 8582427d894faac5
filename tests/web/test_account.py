"""Accounts in the browser: signing in, keeping seats and desks, the people of a battle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from app.referee import accounts
from app.web.tries import Tries
from tests.web.conftest import Post, choices_of, text_of, value_of

PASSWORD = "a horse, a battery"


@pytest.fixture(autouse=True)
def _patience(post: Post) -> Iterator[None]:
    """Wrong passwords of one test are not held against the next."""
    kept = post.app.state.house
    post.app.state.house = replace(kept, tries=Tries(), guesses=Tries(most=100))
    yield
    post.app.state.house = kept


def sign_up(client: TestClient, name: str, to: str = "") -> str:
    answer = client.post("/account", data={"action": "sign-up", "name": name, "password": PASSWORD, "to": to})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_an_account_is_made_and_signed_in_to_again(post: Post) -> None:
    client = post.visitor()
    assert "I have an account" in client.get("/account").text
    assert sign_up(client, "Anna of the web") == "/account"
    assert "Anna of the web" in client.get("/account").text
    assert client.post("/account", data={"action": "sign-out"}).status_code == 303
    assert "I have an account" in client.get("/account").text
    wrong = client.post("/account", data={"action": "sign-in", "name": "Anna of the web", "password": "wrong"})
    assert wrong.status_code == 401
    assert 'value="Anna of the web"' in wrong.text, "what was typed is not lost"
    assert "wrong" not in re.sub(r"<[^>]+>", "", wrong.text).replace("wrong password", "")
    right = client.post("/account", data={"action": "sign-in", "name": "Anna of the web", "password": PASSWORD})
    assert right.status_code == 303
    assert "HttpOnly" in right.headers["set-cookie"]
    assert "SameSite=lax" in right.headers["set-cookie"]


@pytest.mark.parametrize(
    "to", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:x", "/ok\r\nX: y"]
)
def test_who_signs_in_stays_on_this_server(post: Post, to: str) -> None:
    assert sign_up(post.visitor(), f"Somebody {to!r}"[:70], to) == "/account"


def test_passwords_are_not_guessed_for_long(post: Post) -> None:
    sign_up(post.visitor(), "Guessed")
    answers = [
        post.visitor()
        .post("/account", data={"action": "sign-in", "name": "guessed".title(), "password": f"guess number {n}"})
        .status_code
        for n in range(22)
    ]
    assert answers[0] == 401
    assert answers[-1] == 429


def test_one_caller_keeps_nobody_out_of_his_account_and_many_do_not_guess_for_long(post: Post) -> None:
    sign_up(post.visitor(), "Besieged")
    post.app.state.house = replace(post.app.state.house, tries=Tries(most=2), guesses=Tries(most=5))
    fields = {"action": "sign-in", "name": "Besieged", "password": PASSWORD}

    def besiege(host: str) -> list[int]:
        client = TestClient(post.app, client=(host, 1), follow_redirects=False)
        return [client.post("/account", data={**fields, "password": f"{host} {n}"}).status_code for n in range(3)]

    assert besiege("2001:db8::1")[-1] == 429
    neighbour = TestClient(post.app, client=("2001:db8::2", 1), follow_redirects=False)
    assert neighbour.post("/account", data=fields).status_code == 429  # another address of the same caller
    assert post.visitor().post("/account", data=fields).status_code == 303
    for network in range(1, 3):
        besiege(f"2001:db8:{network}::1")
    assert post.visitor().post("/account", data=fields).status_code == 429


def test_guesses_at_nobody_stop_no_new_accounts(post: Post) -> None:
    post.app.state.house = replace(post.app.state.house, tries=Tries(most=100), guesses=Tries(most=2))
    for number in range(4):
        for name in ("", "\u200b"):
            post.visitor().post("/account", data={"action": "sign-in", "name": name, "password": f"guess number {number}"})
    sign_up(post.visitor(), "Newcomer")


def test_a_seat_is_kept_and_opened_without_its_link(post: Post) -> None:
    made = post.battle()
    north = post.holder(made.seat_keys["north"])
    asked = north.get(f"/b/{made.id}/keep?seat=north")
    assert asked.status_code == 303
    door = asked.headers["location"]
    assert door.startswith("/account?to=")
    assert sign_up(north, "Keeper", f"/b/{made.id}/keep?seat=north") == f"/b/{made.id}/keep?seat=north"
    asked = north.get(f"/b/{made.id}/keep?seat=north", headers={"accept-language": "ru"})
    assert "Место «Север» появится среди битв учётной записи Keeper" in text_of(asked.text)
    assert north.post(f"/b/{made.id}/keep", data={"seat": "north"}).status_code == 303
    elsewhere = post.visitor()
    assert elsewhere.get(f"/b/{made.id}/seat/north").status_code == 403
    elsewhere.post("/account", data={"action": "sign-in", "name": "Keeper", "password": PASSWORD})
    assert elsewhere.get(f"/b/{made.id}/seat/north").status_code == 200
    assert elsewhere.get(f"/b/{made.id}/seat/south").status_code == 403
    assert f"/b/{made.id}/seat/north" in elsewhere.get(f"/b/{made.id}").text
    assert "your move" in elsewhere.get("/account").text
    other = post.holder(made.seat_keys["north"])
    sign_up(other, "Second keeper")
    assert other.post(f"/b/{made.id}/keep", data={"seat": "north"}).status_code == 409
    elsewhere.post("/account", data={"action": "give-back", "battle": made.id, "seat": "north"})
    assert elsewhere.get(f"/b/{made.id}/seat/north").status_code == 403


def test_nobody_keeps_what_he_does_not_hold(post: Post) -> None:
    made = post.battle()
    client = post.visitor()
    sign_up(client, "Taker")
    assert client.post(f"/b/{made.id}/keep", data={"seat": "north"}).status_code == 403
    assert client.post(f"/b/{made.id}/keep", data={"seat": ""}).status_code == 403
    assert client.get(f"/b/{made.id}/keep").status_code == 403


def test_a_desk_is_kept_and_makes_links_only_where_its_key_is(post: Post) -> None:
    made = post.battle()
    master = post.holder(made.master_key)
    sign_up(master, "Leader")
    assert master.post(f"/b/{made.id}/keep", data={"seat": ""}).status_code == 303
    elsewhere = post.visitor()
    elsewhere.post("/account", data={"action": "sign-in", "name": "Leader", "password": PASSWORD})
    desk = elsewhere.get(f"/b/{made.id}/desk")
    assert desk.status_code == 200
    assert made.seat_keys["north"] not in desk.text
    assert "open this desk once by its own link" in desk.text
    assert elsewhere.get(f"/b/{made.id}/desk/people").status_code == 200
    assert made.seat_keys["north"] in master.get(f"/b/{made.id}/desk").text


def test_what_is_said_of_an_account_and_refused_stays_in_its_fields(post: Post) -> None:
    sign_up(post.visitor(), "Name of one")
    anna = post.visitor()
    sign_up(anna, "Name of another")
    given = {"name": "Name of one", "zone": "Asia/Kolkata", "language": "ru"}
    answer = anna.post("/account", data={"action": "change", **given})
    assert answer.status_code == 409
    assert [value_of(answer.text, name) for name in ("name", "zone")] == ["Name of one", "Asia/Kolkata"]
    assert choices_of(answer.text, "language")["ru"]


def test_a_helper_is_asked_and_removed_at_the_desk(post: Post) -> None:
    made = post.battle()
    master = post.holder(made.master_key)
    shown = master.post(f"/b/{made.id}/desk/people", data={"action": "add", "name": "Vera"})
    assert shown.status_code == 200
    key = re.search(r"/k/([\w-]{43})", shown.text)
    assert key is not None
    vera = post.holder(key.group(1), "ru")
    assert made.seat_keys["south"] in vera.get(f"/b/{made.id}/desk").text
    assert "Vera" in post.visitor().get(f"/b/{made.id}").text
    told = vera.post(f"/b/{made.id}/desk/people", data={"action": "describe", "name": "Вера", "plays": "yes"})
    assert told.status_code == 303
    assert "ещё и играет" in post.visitor("ru").get(f"/b/{made.id}").text
    bad = master.post(f"/b/{made.id}/desk/people", data={"action": "add", "name": "\u202e"})
    assert bad.status_code == 422
    again = master.post(f"/b/{made.id}/desk/people", data={"action": "add", "name": "Вера"})
    assert again.status_code == 409
    assert "This name is taken" in again.text
    bad = master.post(f"/b/{made.id}/desk/people", data={"action": "describe", "name": "вера", "plays": "yes"})
    helper, me = bad.text.split('id="my-name"')
    assert value_of(helper, "name") == ""
    assert value_of('<input id="my-name"' + me, "name") == "вера"
    assert 'name="plays" value="yes" checked' in me
    assert master.post(f"/b/{made.id}/desk/people", data={"action": "dance"}).status_code == 400
    assert master.post(f"/b/{made.id}/desk/people", data={"action": "remove", "number": "2"}).status_code == 303
    assert vera.get(f"/b/{made.id}/desk").status_code == 403


def test_a_token_is_shown_once_and_acts_in_what_the_account_holds(post: Post) -> None:
    made = post.battle()
    north = post.holder(made.seat_keys["north"])
    sign_up(north, "Programmer")
    north.post(f"/b/{made.id}/keep", data={"seat": "north"})
    shown = north.post("/account", data={"action": "token"})
    token = re.search(r"fp_[\w-]{43}", shown.text)
    assert token is not None
    assert token.group() not in north.get("/account").text
    headers = {"authorization": f"Bearer {token.group()}"}
    program = post.visitor()
    assert program.get(f"/api/v1/battles/{made.id}/seats/north/sheet", headers=headers).status_code == 200
    assert program.get(f"/api/v1/battles/{made.id}/seats/south/sheet", headers=headers).status_code == 403


def test_links_by_mail_are_not_offered_without_a_server_for_them(post: Post) -> None:
    client = post.visitor()
    assert "Send me a link" not in client.get("/account").text
    assert client.post("/account", data={"action": "link", "mail": "anna@example.org"}).status_code == 400
    page = client.get("/e/no-such-key")
    assert (page.status_code, "was used already" in page.text, "<button>" in page.text) == (200, True, False)
    assert client.post("/e/no-such-key").status_code == 401


def test_who_confirms_an_address_is_told_so_and_not_signed_in(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else may have given it: his account would take what is kept in this browser."""
    monkeypatch.setattr("app.web.pages.account.entries.enter", lambda *_given: ("mail", None))
    client = post.visitor()
    answer = client.post("/e/whatever")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account?told=mail")
    assert "fp_account" not in client.cookies
    assert "The address is confirmed." in text_of(client.get("/account?told=mail").text)


def test_a_page_looks_up_its_readers_account_once(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    made, client, asked = post.battle(), post.visitor(), []
    sign_up(client, "Looked up")
    look_up = accounts.account_of
    monkeypatch.setattr(accounts, "account_of", lambda *given: asked.append(given) or look_up(*given))
    assert client.get(f"/b/{made.id}").status_code == 200
    assert len(asked) == 1


def test_a_game_master_who_plays_publishes_what_he_has_not_seen(post: Post) -> None:
    made = post.battle(review=True)
    master = post.holder(made.master_key)
    master.post(f"/b/{made.id}/desk", data={"action": "resolve", "turn": "1"})
    assert "The draft" in master.get(f"/b/{made.id}/desk").text
    master.post(f"/b/{made.id}/desk/people", data={"action": "describe", "name": "Vera", "plays": "yes"})
    desk = master.get(f"/b/{made.id}/desk")
    assert desk.status_code == 200
    assert "waits to be published" in desk.text
    assert "The draft" not in desk.text
    assert "You play in this battle yourself" in master.get(f"/b/{made.id}/desk/rulings").text
    for kind in ("", ".json", ".png", "/film.json", ".bbcode"):
        assert master.get(f"/b/{made.id}/t/1{kind}").status_code == 404, kind
    told = master.post(f"/b/{made.id}/desk", data={"action": "publish", "turn": "1"})
    assert told.status_code == 303
    assert post.visitor().get(f"/b/{made.id}/t/1").status_code == 200
