"""Notices chosen once in an account, and the answer by mail to who asks for a seat, in the browser."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from tests.posting.postoffice import PostOffice
from tests.posting.postoffice import text_of as letter_text
from tests.web.conftest import Post, text_of
from tests.web.test_account import sign_up
from tests.web.test_notices import MAIL, WISHES, deliver, office, path_in, post, tell
from tests.web.test_openings import act, made, numbers

__all__ = ["office", "post"]
PATH = "/account/notices"


def keep(client: TestClient, battle_id: str, key: str, seat: str) -> None:
    client.get(f"/k/{key}")
    assert client.post(f"/b/{battle_id}/keep", data={"seat": seat}).status_code == 303


def test_notices_are_chosen_once_for_all_battles(post: Post, office: PostOffice) -> None:
    anna = post.visitor("ru")
    sign_up(anna, "Anna")
    assert PATH in anna.get("/account").text
    answer = anna.post(PATH, data=MAIL)
    assert answer.headers["location"] == f"{PATH}?told=asked"
    assert "a…@example.org" in anna.get(PATH).text
    deliver(post)
    assert post.visitor().post(path_in(office, "confirm")).status_code == 200
    first, new = post.battle(), post.battle()
    for held in (first, new):
        keep(anna, held.id, held.seat_keys["north"], "north")
        tell(post, held.id, "held")
    deliver(post)
    (_, letter) = office.letters[-1]
    assert letter_text(letter).count("ждёт слова мастера") == 2
    assert len(office.letters) == 2
    page = text_of(anna.get(f"/b/{new.id}/seat/north/notices").text)
    assert "Вас извещают способами из вашей учётной записи: Почта, a…@example.org" in page
    assert "Обо всех ваших битвах, и о будущих тоже, вас извещают 1 способом" in text_of(anna.get("/account").text)


def test_a_mailed_link_names_its_account_before_it_signs_in(post: Post, office: PostOffice) -> None:
    """The address of an account is confirmed, and by it its owner signs in; each page says whose account it is."""
    anna = post.visitor("ru")
    sign_up(anna, "Анна")
    anna.post("/account", data={"action": "mail", "mail": "anna@example.org"})
    for said, told in (("станет адресом учётной записи: Анна", "mail"), ("Вы входите как: Анна", "sign-in")):
        deliver(post)
        (line,) = (line for line in letter_text(office.letters[-1][1]).split("\n") if "/e/" in line)
        client, path = post.visitor("ru"), urlsplit(line).path
        assert said in text_of(client.get(path).text)
        assert client.post(path).headers["location"] == f"/account?told={told}"
        assert "ей больше часа" in text_of(client.get(path).text)
        post.visitor().post("/account", data={"action": "link", "mail": "anna@example.org"})


def test_a_battle_is_left_out_and_heard_of_again(post: Post) -> None:
    anna, new = post.visitor(), post.battle()
    sign_up(anna, "Anna")
    keep(anna, new.id, new.seat_keys["north"], "north")
    hook = {"action": "add", "kind": "webhook", "url": "http://127.0.0.1:9/x", "secret": "s" * 20, **WISHES}
    assert anna.post(PATH, data=hook).headers["location"] == f"{PATH}?told=added"
    here = f"/b/{new.id}/seat/north/notices"
    assert anna.post(here, data={"action": "hush"}).headers["location"] == f"{here}?told=hush"
    assert "tell you nothing of this battle: you wanted it so" in text_of(anna.get(here).text)
    assert "Battles that are left out" in anna.get(PATH).text
    assert anna.post(PATH, data={"action": "heard", "battle": new.id}).headers["location"] == f"{PATH}?told=heard"
    assert "Battles that are left out" not in anna.get(PATH).text
    by_link = post.holder(new.seat_keys["north"])
    assert "By your account" not in by_link.get(here).text
    assert by_link.post(here, data={"action": "hush"}).status_code == 403


@pytest.mark.parametrize("action", ["add", "change", "remove", "trial", "heard", "hush", "nothing"])
def test_nobody_changes_an_accounts_notices_but_its_owner(post: Post, action: str) -> None:
    anna, boris, new = post.visitor(), post.visitor(), post.battle()
    sign_up(anna, "Anna")
    anna.post(PATH, data={**MAIL, "address": "anna@example.org"})
    sign_up(boris, "Boris")
    fields = {**MAIL, "kind": "fax", "action": action, "way": "1", "battle": new.id}
    assert boris.post(PATH, data=fields).status_code in {400, 403, 404, 422}
    assert post.visitor().post(PATH, data=fields).headers["location"] == f"/account?to={PATH}"
    assert post.visitor().get(PATH).headers["location"] == f"/account?to={PATH}"
    assert "a…@example.org" in anna.get(PATH).text


def test_who_asks_gets_the_answer_by_mail_and_its_letter_leads_him_back(post: Post, office: PostOffice) -> None:
    battle, master = made(post)
    vera = post.visitor("ru")
    wrong = vera.post(f"/b/{battle.id}/open", data={"want": "any", "name": "Вера", "mail": "vera@"})
    assert wrong.status_code == 422
    assert 'value="vera@"' in wrong.text
    assert numbers(master, battle) == []
    answer = vera.post(f"/b/{battle.id}/open", data={"want": "any", "name": "Вера", "mail": "vera@example.org"})
    ticket, _, told = answer.headers["location"].partition("?")
    assert told == "told=asked-mail"
    page = vera.get(answer.headers["location"]).text
    assert "v…@example.org" in page
    assert "vera@example.org" not in page
    assert "vera@example.org" not in master.get(f"/b/{battle.id}/desk/openings").text
    deliver(post)
    assert post.visitor().post(path_in(office, "confirm")).status_code == 200
    (number,) = numbers(master, battle)
    act(master, battle, action="accept", asking=number, gift="seat:right")
    deliver(post)
    letter = letter_text(office.letters[-1][1])
    assert "Место, о котором вы просили, ваше: правое крыло" in letter.replace("Правое", "правое")
    assert ticket not in letter
    assert vera.get(f"/b/{battle.id}/asking").headers["location"] == ticket
    assert "vera@example.org" not in vera.get(ticket).text
    stranger = post.visitor("ru").get(f"/b/{battle.id}/asking")
    assert stranger.status_code == 200
    assert "Этот браузер вашей просьбы не знает" in text_of(stranger.text)


def test_an_address_for_the_answer_is_given_later_and_forgotten(post: Post, office: PostOffice) -> None:
    battle, _ = made(post)
    vera = post.visitor()
    ticket = vera.post(f"/b/{battle.id}/open", data={"want": "any", "name": "Vera"}).headers["location"].partition("?")[0]
    assert vera.post(ticket, data={"action": "mail", "mail": "nobody"}).status_code == 422
    assert (
        vera.post(ticket, data={"action": "mail", "mail": "vera@example.org"}).headers["location"] == f"{ticket}?told=mail"
    )
    assert "A letter went to v…@example.org" in text_of(vera.get(ticket).text)
    assert vera.post(ticket, data={"action": "no-mail"}).headers["location"] == f"{ticket}?told=no-mail"
    assert "v…@example.org" not in vera.get(ticket).text
    deliver(post)
    assert office.letters == []
    for count in range(3):
        vera.post(ticket, data={"action": "mail", "mail": "vera@example.org"})
        deliver(post)
        assert len(office.letters) == count + 1
    flooded = vera.post(ticket, data={"action": "mail", "mail": "vera@example.org"})
    assert flooded.status_code == 429
    again = post.visitor().post(f"/b/{battle.id}/open", data={"want": "any", "name": "Zoe", "mail": "vera@example.org"})
    assert urlsplit(again.headers["location"]).query == "told=no-letter"
