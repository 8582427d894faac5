"""Open seats in the browser: the list, asking, the ticket, the desk, a side that chooses, contingents exchanged."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from app.referee import scenarios, waiting
from app.referee.rows import locked
from app.referee.views import NewBattle
from tests.web.conftest import Post, choices_of, text_of, value_of
from tests.web.test_account import sign_up

SHARED = """\
format: 1
ruleset: cohesion
key: shared
title: {en: Shared, ru: Вместе}
goal: 1
board:
  layout: pointy
  map: |
    . . . . .
     . . . . .
    . . . . .
     . . . . .
    . . . . .
  legend: {".": open}
sides:
  north: {name: {en: North, ru: Север}, home: top, colour: "#d8d8d8"}
  south: {name: {en: South, ru: Юг}, home: bottom, colour: "#77aa88"}
contingents:
  left: {side: north, name: {en: Left wing, ru: Левое крыло}}
  right: {side: north, name: {en: Right wing, ru: Правое крыло}}
  south: {side: south, name: {en: South, ru: Юг}}
units:
  N1: {type: LM, contingent: left, at: B1}
  N2: {type: LM, contingent: right, at: D1}
  S1: {type: LM, contingent: south, at: B5}
"""


def made(post: Post, *seats: str, **fields: str) -> tuple[NewBattle, TestClient]:
    """A battle that looks for players, and its game master."""
    now = datetime.now(UTC)
    battle = post.battle(scenario=scenarios.read_file(SHARED), deadline=now + timedelta(days=3))
    master = post.holder(battle.master_key)
    wanted = {"action": "set", "is_open": "yes", "words": "Somebody <b>patient</b>\nand kind", **fields}
    wanted |= {f"seat:{seat}": "yes" for seat in seats or ("left", "right", "south")}
    answer = master.post(f"/b/{battle.id}/desk/openings", data=wanted)
    assert answer.status_code == 303, text_of(answer.text)
    return battle, master


def ask(post: Post, battle: NewBattle, name: str, **fields: str) -> tuple[TestClient, str]:
    """Somebody with a ticket: his browser, and the ticket's address."""
    client = post.visitor()
    given = {"want": "any", "name": name, **fields}
    answer = client.post(f"/b/{battle.id}/open", data=given)
    assert answer.status_code == 303, text_of(answer.text)
    return client, answer.headers["location"].partition("?")[0]


def numbers(master: TestClient, battle: NewBattle) -> list[str]:
    """Askings that wait, in their order."""
    page = master.get(f"/b/{battle.id}/desk/openings").text
    return re.findall(r'name="asking" value="(\d+)">\n<p class="ask">', page)


def act(master: TestClient, battle: NewBattle, **fields: str) -> Any:
    return master.post(f"/b/{battle.id}/desk/openings", data=fields)


def link_of(page: str) -> str:
    found = re.search(r'value="(http://[^"]+/k/[^"]+)"', page)
    assert found
    return "/k/" + found[1].rpartition("/k/")[2]


def test_a_battle_that_looks_for_players_is_found_everywhere(post: Post) -> None:
    battle, _master = made(post)
    reader = post.visitor()
    for page in ("/", "/open", f"/b/{battle.id}"):
        told = reader.get(page).text
        assert f'href="/b/{battle.id}/open"' in told, page
        assert "Somebody &lt;b&gt;patient&lt;/b&gt;" in told
    shown = text_of(reader.get("/open").text)
    assert "3 open seats" in shown
    assert "3 units, 3 seats" in shown
    assert "deadlines are set by hand" in shown
    assert "Свободные места" not in reader.get("/open").text
    assert "ищут игроков" in post.visitor("ru").get("/open").text


def test_the_list_is_a_feed(post: Post) -> None:
    battle, _master = made(post)
    answer = post.visitor().get("/open.atom?lang=ru")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.text)
    found = [entry.findtext("{*}id") or "" for entry in root.findall("{*}entry")]
    assert any(entry.endswith(f"/b/{battle.id}/open") for entry in found)
    assert "свободных" in answer.text


def test_who_asks_without_an_account_gets_a_ticket_and_by_it_his_seat(post: Post) -> None:
    battle, master = made(post)
    vera, ticket = ask(
        post, battle, "Vera the patient", want="seat:left", reach="vera@example.org", words="I am <i>kind</i>"
    )
    page = vera.get(f"{ticket}?told=asked")
    assert "has not answered yet" in text_of(page.text)
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "strict-origin"
    desk = master.get(f"/b/{battle.id}/desk/openings").text
    for told in ("Vera the patient", "vera@example.org", "I am &lt;i&gt;kind&lt;/i&gt;", "Left wing"):
        assert told in desk
    assert "One person asks for a seat" in master.get(f"/b/{battle.id}/desk/people").text
    (number,) = numbers(master, battle)
    answer = act(master, battle, action="accept", asking=number, gift="seat:left", answer="Welcome")
    assert answer.status_code == 303
    page = vera.get(ticket)
    assert "You have a seat" in text_of(page.text)
    assert "Welcome" in page.text
    link = link_of(page.text)
    assert vera.get(link).status_code == 303
    assert vera.get(f"/b/{battle.id}/seat/left").status_code == 200
    assert post.visitor().get(f"/k/{battle.seat_keys['left']}").status_code == 401
    assert link.rpartition("/")[2] not in master.get(f"/b/{battle.id}/desk").text
    assert "Vera the patient" in post.visitor().get(f"/b/{battle.id}").text


def test_who_asks_with_an_account_has_the_seat_in_it(post: Post) -> None:
    battle, master = made(post)
    anna = post.visitor()
    sign_up(anna, "Anna who asks")
    assert "You ask as Anna who asks" in text_of(anna.get(f"/b/{battle.id}/open").text)
    answer = anna.post(f"/b/{battle.id}/open", data={"want": "side:north"})
    assert answer.headers["location"] == f"/b/{battle.id}/asking?told=asked"
    assert f"/b/{battle.id}/asking" in anna.get("/account").text
    assert anna.post(f"/b/{battle.id}/open", data={"want": "any"}).status_code == 409
    (number,) = numbers(master, battle)
    act(master, battle, action="accept", asking=number, gift="seat:right")
    assert "To your orders" in text_of(anna.get(f"/b/{battle.id}/asking").text)
    assert anna.get(f"/b/{battle.id}/seat/right").status_code == 200
    assert anna.get(f"/b/{battle.id}/seat/left").status_code == 403
    page = text_of(anna.get("/account").text)
    assert "Right wing was given to your account and has no link" in page
    assert "Its link goes on working" not in page
    let_go = anna.post("/account", data={"action": "give-back", "battle": battle.id, "seat": "right"})
    assert let_go.status_code == 409
    assert anna.get(f"/b/{battle.id}/seat/right").status_code == 200
    door = post.visitor().get(f"/b/{battle.id}/asking")
    assert f'href="/account?to=/b/{battle.id}/asking"' in door.text
    assert "Open the link of your ticket" in text_of(door.text)


def test_askings_are_no_part_of_any_public_page(post: Post) -> None:
    battle, master = made(post)
    pages = ("/", "/open", "/open.atom", "", "/open", "/log", "/feed.atom", "/stand")

    def seen() -> list[str]:
        reader, seat = post.visitor(), post.holder(battle.seat_keys["south"])
        addresses = [page if n < 3 else f"/b/{battle.id}{page}" for n, page in enumerate(pages)]
        return [client.get(address).text for client in (reader, seat) for address in addresses]

    before = seen()
    vera, ticket = ask(post, battle, "Quite secret", words="secret words", reach="secret@example.org")
    (number,) = numbers(master, battle)
    act(master, battle, action="list", asking=number, answer="a secret answer")
    assert "place 1" in text_of(vera.get(ticket).text)
    assert seen() == before
    for client in (post.visitor(), post.holder(battle.seat_keys["south"])):
        assert client.get(f"/b/{battle.id}/desk/openings").status_code == 403
        assert act(client, battle, action="accept", asking=number, gift="seat:left").status_code == 403


def test_an_asking_is_declined_with_a_word_and_taken_back(post: Post) -> None:
    battle, master = made(post)
    vera, ticket = ask(post, battle, "Vera")
    (number,) = numbers(master, battle)
    assert act(master, battle, action="decline", asking=number, answer="Next time").status_code == 303
    assert "Next time" in vera.get(ticket).text
    assert act(master, battle, action="accept", asking=number, gift="seat:left").status_code == 409
    oleg, other = ask(post, battle, "Oleg")
    assert oleg.post(other, data={"action": "withdraw"}).status_code == 303
    again = oleg.post(other, data={"action": "withdraw"})
    assert again.status_code == 409
    assert "answered or taken back meanwhile" in text_of(again.text)


def test_a_page_that_is_behind_opens_no_seat_that_was_given_meanwhile(post: Post) -> None:
    """What its reader has not ticked himself stays as another game master, or a seat that was given, has left it."""
    battle, master = made(post, "left", "right")
    ask(post, battle, "Vera")
    before = master.get(f"/b/{battle.id}/desk/openings").text
    assert act(master, battle, action="accept", asking=numbers(master, battle)[0], gift="seat:left").status_code == 303
    behind = {"action": "set", "is_open": "yes", "words": "New words", "was:seats": value_of(before, "was:seats")}
    behind |= {"seat:left": "yes", "seat:south": "yes"}
    assert act(master, battle, **behind).status_code == 303
    page = master.get(f"/b/{battle.id}/desk/openings").text
    assert re.findall(r'name="seat:(\w+)" value="yes" checked', page) == ["south"]
    again = {**behind, "was:seats": value_of(page, "was:seats"), "words": "x" * 601}
    refused = act(master, battle, **again)
    assert refused.status_code == 422
    assert value_of(refused.text, "was:seats") == "south"
    assert re.findall(r'name="seat:(\w+)" value="yes" checked', refused.text) == ["left", "south"]


def test_an_answer_that_comes_too_late_loses_none_of_its_words(post: Post) -> None:
    battle, master = made(post)
    ask(post, battle, "Vera")
    ask(post, battle, "Oleg")
    vera, oleg = numbers(master, battle)
    assert act(master, battle, action="accept", asking=vera, gift="seat:left").status_code == 303
    late = act(master, battle, action="accept", asking=oleg, gift="seat:left", answer="Bring <dice>", fresh="yes")
    assert late.status_code == 409
    card = late.text[late.text.index(f'name="asking" value="{oleg}"') :]
    assert value_of(card, "answer") == "Bring <dice>"
    assert f'id="fresh-{oleg}" name="fresh" value="yes" checked' in card
    right = act(master, battle, action="accept", asking=oleg, gift="seat:south", answer="x" * 601)
    assert choices_of(right.text, "gift")["seat:south"]

    gone = act(master, battle, action="decline", asking=vera, answer="Not <you>")
    assert gone.status_code == 409
    assert "Your word, which was not sent: Not <you>" in text_of(gone.text)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"name": ""}, 422),
        ({"name": "x" * 81}, 422),
        ({"name": "Vera", "words": "x" * 601}, 422),
        ({"name": "Vera", "reach": "y" * 255}, 422),
        ({"name": "Vera", "want": "seat:nobody"}, 409),
        ({"name": "Vera", "want": "seat:\ufffe\u202e"}, 409),
        ({"name": "Vera", "want": ""}, 409),
    ],
)
def test_what_is_asked_badly_is_told_and_nothing_typed_is_lost(post: Post, fields: dict[str, str], status: int) -> None:
    battle, _master = made(post)
    answer = post.visitor().post(f"/b/{battle.id}/open", data={"want": "any", "words": "kept words", **fields})
    assert answer.status_code == status
    assert fields.get("words", "kept words") in answer.text


@pytest.mark.parametrize(
    "path", ["/b/nothing/open", "/b/nothing/asking", "/q/nothing", "/q/%00%ff", "/b/nothing/desk/openings"]
)
def test_what_is_not_there_is_no_error_of_the_servers(post: Post, path: str) -> None:
    client = post.visitor()
    sign_up(client, f"Lost {path[:40]!r}")
    for answer in (client.get(path), client.post(path, data={"action": "claim", "want": "any"})):
        assert answer.status_code in (403, 404), path


@pytest.mark.parametrize(
    "action", ["claim", "give-way", "agree", "disagree", "propose", "exchange", "no-exchange", "take", "x"]
)
def test_nothing_is_done_on_a_ticket_that_does_not_allow_it(post: Post, action: str) -> None:
    battle, _master = made(post)
    vera, ticket = ask(post, battle, "Vera")
    for more in (
        {},
        {"seat": "left", "mine": "left", "theirs": "1:right", "proposal": "1"},
        {"theirs": "²:x", "proposal": "x"},
    ):
        assert vera.post(ticket, data={"action": action, **more}).status_code in (400, 409)


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "set", "hours": "-1"},
        {"action": "set", "hours": "999"},
        {"action": "set", "settle_by": "soon", "choosing": "yes"},
        {"action": "set", "settle_by": "2020-01-01T00:00", "choosing": "yes"},
        {"action": "set", "words": "kept words " * 80},
        {"action": "accept", "asking": "7", "gift": "seat:left"},
        {"action": "accept", "asking": "x", "gift": "nonsense"},
        {"action": "decline", "asking": "7"},
        {"action": "settle", "side": "nowhere"},
        {"action": "nonsense"},
    ],
)
def test_what_the_desk_cannot_do_is_told(post: Post, fields: dict[str, str]) -> None:
    battle, master = made(post)
    answer = master.post(f"/b/{battle.id}/desk/openings", data=fields)
    assert answer.status_code in (400, 404, 409, 422)
    if "kept" in fields.get("words", ""):
        assert "kept words" in answer.text


def test_a_free_seat_is_offered_to_the_first_of_the_list(post: Post) -> None:
    battle, master = made(post, "left", hours="24")
    vera, ticket = ask(post, battle, "Vera")
    (number,) = numbers(master, battle)
    act(master, battle, action="list", asking=number)
    assert "The next on the list for: Left wing" in text_of(master.get(f"/b/{battle.id}/desk/openings").text)
    with post.house.db.write() as session:
        waiting.tend(session, locked(session, battle.id), datetime.now(UTC))  # as the sweep does
    assert "A seat is offered to you: Left wing" in text_of(vera.get(ticket).text)
    assert vera.post(ticket, data={"action": "take"}).status_code == 303
    assert vera.get(link_of(vera.get(ticket).text)).status_code == 303


def test_a_side_chooses_and_settles_in_the_browser(post: Post) -> None:
    battle, master = made(post, choosing="yes", waits="yes")
    assert "paused" in text_of(post.visitor().get(f"/b/{battle.id}").text)
    people = [ask(post, battle, name, want="side:north") for name in ("Vera", "Oleg")]
    enemy, enemy_ticket = ask(post, battle, "Enemy", want="side:south")
    first, second, third = numbers(master, battle)
    for number, side in ((first, "north"), (second, "north"), (third, "south")):
        assert act(master, battle, action="accept", asking=number, gift=f"side:{side}").status_code == 303
    (vera, one), (oleg, two) = people
    before = enemy.get(enemy_ticket).text
    for client, ticket in people:
        assert client.post(ticket, data={"action": "claim", "seat": "left"}).status_code == 303
    assert "Vera, Oleg contested" in text_of(vera.get(one).text)
    assert "Vera, Oleg contested" in text_of(master.get(f"/b/{battle.id}/desk/openings").text)
    assert vera.post(one, data={"action": "agree"}).status_code == 409
    assert enemy.get(enemy_ticket).text == before
    oleg.post(two, data={"action": "give-way", "seat": "left"})
    oleg.post(two, data={"action": "claim", "seat": "right"})
    vera.post(one, data={"action": "propose", "mine": "left", "theirs": f"{second}:right"})
    proposal = re.search(r'name="proposal" value="(\d+)"', oleg.get(two).text)
    assert proposal
    assert "Vera offers you Left wing for Right wing" in text_of(oleg.get(two).text)
    oleg.post(two, data={"action": "exchange", "proposal": proposal[1]})
    vera.post(one, data={"action": "agree"})
    settled = oleg.post(two, data={"action": "agree"})
    assert settled.headers["location"].endswith("told=settled")
    assert vera.get(link_of(vera.get(one).text)).headers["location"] == f"/b/{battle.id}/seat/right"
    assert act(master, battle, action="settle", side="south").status_code == 303
    assert "orders open" in text_of(post.visitor().get(f"/b/{battle.id}").text)


def test_two_commanders_exchange_in_the_browser_and_their_links_go_with_them(post: Post) -> None:
    battle, _master = made(post, "south", swaps="yes")
    left, right = post.holder(battle.seat_keys["left"]), post.holder(battle.seat_keys["right"])
    path = f"/b/{battle.id}/seat/left/exchange"
    assert path in left.get(f"/b/{battle.id}").text
    assert "Right wing" in left.get(path).text
    assert left.post(path, data={"action": "propose", "other": "south"}).status_code == 409
    assert left.post(path, data={"action": "propose", "other": "right"}).status_code == 303
    there = f"/b/{battle.id}/seat/right/exchange"
    asked = right.get(there).text
    assert "You are offered Left wing for Right wing" in text_of(asked)
    number = re.search(r'name="proposal" value="(\d+)"', asked)
    assert number
    assert right.post(there, data={"action": "exchange", "proposal": number[1]}).status_code == 303
    assert left.get(f"/b/{battle.id}/seat/right").status_code == 200, "the browser goes on without its link"
    assert left.get(f"/b/{battle.id}/seat/left").status_code == 403
    assert right.get(f"/b/{battle.id}/seat/left").status_code == 200
    assert post.visitor().get(path).status_code == 403
    for fields in ({"action": "exchange", "proposal": "x"}, {"action": "propose"}):
        assert left.post(there, data=fields).status_code == 409
    assert left.post(there, data={"action": "x"}).status_code == 400


def test_a_battle_is_opened_as_it_is_made(post: Post) -> None:
    master = post.visitor()
    fields = {"scenario": "own", "scenario_text": SHARED, "zone": "UTC", "early": "yes", "look": "yes", "sought": "Anybody"}
    bad = master.post("/battles/new", data={**fields, "sought": "kept " * 200})
    assert bad.status_code == 422
    assert "kept kept" in bad.text
    answer = master.post("/battles/new", data=fields)
    assert answer.status_code == 303, text_of(answer.text)
    battle_id = answer.headers["location"].split("/")[2]
    shown = text_of(post.visitor().get(f"/b/{battle_id}/open").text)
    assert "Anybody" in shown
    assert "Left wing · North" in shown


def test_who_asks_again_and_again_is_told_to_wait(post: Post) -> None:
    battle, _master = made(post)
    names = [f"N {number}" for number in range(7)]
    answers = [post.visitor().post(f"/b/{battle.id}/open", data={"want": "any", "name": name}).status_code for name in names]
    assert answers[0] == 303
    assert answers[-1] == 409
