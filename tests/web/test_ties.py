"""Forms that tie a battle to a topic; what the desk and the turn's page say of it; keys that no page shows."""

from __future__ import annotations

import asyncio
import html
import re
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.posting import telegram
from app.posting.wire import Wire
from app.referee import keys, turns
from app.referee.posting import Postman
from app.web import cache
from app.web.app import create_app
from tests.posting.places import HOOK, KEY, SECRET, Place, place
from tests.web.conftest import Post, text_of

BOT = "123456789:" + "AbCdE-fGh_" * 3 + "12345"
KINDS = ("discourse", "nodebb", "discord", "webhook")


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    """A server whose clock stands still: what is due is delivered by hand."""
    app = create_app(Settings(data=tmp_path, allow_private_targets=True), upgrade=True)
    yield Post(app)
    app.state.house.db.close()


def deliver(post: Post) -> int:
    house = post.house
    postman = Postman(house.db, house.settings.url, house.now, Wire(allow_private=True))
    count = 0
    while postman.deliver_next():
        count += 1
    return count


def resolve(post: Post, battle_id: str, master_key: str) -> None:
    master = keys.viewer_by_key(post.house.db, master_key)
    turns.resolve_now(post.house.db, battle_id, master, turn=1, now=datetime.now(UTC))


def number(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="(\d+)"', page)
    assert found
    return found[1]


def tie(master: TestClient, battle_id: str, there: Place, **given: str) -> str:
    """Ties as the form does; the page that follows."""
    fields = {"action": "add", "kind": there.kind, "language": "en", "length": "headline", **there.given, **given}
    answer = master.post(f"/b/{battle_id}/desk/ties", data=fields)
    assert answer.status_code == 303, text_of(answer.text)
    return master.get(answer.headers["location"]).text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_battle_is_tied_tried_and_its_turn_posted_and_linked(
    post: Post, kind: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "FRESH_SECONDS", -1)  # a kept page is confirmed by its battle's version every time
    battle = post.battle()
    master = post.holder(battle.master_key, language)
    with place(kind) as there:
        page = tie(master, battle.id, there, language=language)
        assert there.given.get("topic_url", there.base)[7:22] in page
        tried = master.post(f"/b/{battle.id}/desk/ties", data={"action": "trial", "tie": number(page, "tie")})
        assert tried.headers["location"].endswith("?told=trial")
        assert deliver(post) == 1
        resolve(post, battle.id, battle.master_key)
        before = post.visitor(language).get(f"/b/{battle.id}/t/1").text
        assert deliver(post) == 1
        assert len(there.posts) == 2
        pages = [
            master.get(f"/b/{battle.id}/desk").text,
            master.get(f"/b/{battle.id}/desk/ties").text,
            post.visitor(language).get(f"/b/{battle.id}/t/1").text,
        ]
    link = {
        "discourse": f"{there.base}/t/the-war/7/2",
        "nodebb": f"{there.base}/post/101",
        "discord": "https://discord.com/channels/77/88/101",
        "webhook": "",
    }[kind]
    if link:
        assert f'href="{link}"' not in before
        assert all(f'href="{link}"' in shown for shown in pages)
    else:
        assert str(there.port) not in pages[2].split("<main")[1]
    told = "".join([page, *pages])
    assert not any(secret in told for secret in (KEY, HOOK, SECRET))


def test_a_chat_is_told_in_lines_that_it_breaks_itself(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    with place("telegram") as there:
        monkeypatch.setattr(telegram, "API", there.base)
        fields = {"action": "add", "kind": "telegram", "language": "ru", "length": "phases", "token": BOT, "chat": "77"}
        assert master.post(f"/b/{battle.id}/desk/ties", data=fields).status_code == 303
        resolve(post, battle.id, battle.master_key)
        assert deliver(post) == 1
        (text,) = there.posts
        lines = text.splitlines()
        assert lines[0].endswith(" · Ход 1")
        assert lines[-1] == f"{post.house.settings.url}/b/{battle.id}/t/1"
        assert "====" not in text
        assert "Движение:" in lines


def test_a_failure_is_shown_on_the_desk_with_a_way_to_try_again(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    with place("discourse") as there:
        tie(master, battle.id, there)
        there.troubles = [422]
        there.says = {"errors": ["No more than 3 <i>consecutive</i> replies are allowed."]}
        resolve(post, battle.id, battle.master_key)
        deliver(post)
        desk = master.get(f"/b/{battle.id}/desk").text
        assert "The place refused it (answer 422). Said there: “No more than 3 consecutive replies are allowed.”" in text_of(
            desk
        )
        assert "given up" in text_of(desk)
        again = master.post(f"/b/{battle.id}/desk/ties", data={"action": "retry", "sent": number(desk, "sent")})
        assert again.status_code == 303
        assert deliver(post) == 1
        desk = master.get(f"/b/{battle.id}/desk").text
        assert "answer 422" not in desk
        assert 'name="sent"' not in desk
        assert len(there.posts) == 1


def test_a_tie_is_paused_and_taken_away(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    with place("nodebb") as there:
        found = number(tie(master, battle.id, there), "tie")
        for action, says in (("pause", "paused"), ("resume", "resumed"), ("remove", "removed")):
            answer = master.post(f"/b/{battle.id}/desk/ties", data={"action": action, "tie": found})
            assert answer.headers["location"] == f"/b/{battle.id}/desk/ties?told={says}"
            page = text_of(master.get(answer.headers["location"]).text)
            assert ("Go on posting" in page) == (action == "pause")
        assert "The battle is tied to no place." in page
        assert master.post(f"/b/{battle.id}/desk/ties", data={"action": "pause", "tie": found}).status_code == 404


def test_what_is_typed_wrongly_is_said_and_no_key_comes_back(post: Post) -> None:
    battle = post.battle()
    master = post.holder(battle.master_key)
    fields = {
        "action": "add",
        "kind": "discourse",
        "language": "en",
        "length": "headline",
        "topic_url": "https://forum.example/c/war",
        "user": "herald",
        "key": KEY,
    }
    answer = master.post(f"/b/{battle.id}/desk/ties", data=fields)
    assert answer.status_code == 422
    assert "That is not the address of a topic." in text_of(answer.text)
    assert 'value="https://forum.example/c/war"' in html.unescape(answer.text)
    assert KEY not in answer.text
    hook = {**fields, "kind": "discord", "url": f"http://127.0.0.1/hooks/{HOOK}"}
    answer = master.post(f"/b/{battle.id}/desk/ties", data=hook)
    assert answer.status_code == 422
    assert HOOK not in answer.text
    assert master.post(f"/b/{battle.id}/desk/ties", data={**fields, "kind": "pigeon"}).status_code == 400
    assert master.post(f"/b/{battle.id}/desk/ties", data={"action": "burn"}).status_code == 400


def test_nobody_else_sees_or_makes_ties(post: Post) -> None:
    battle, other = post.battle(), post.battle()
    for who in (post.visitor(), post.holder(battle.seat_keys["north"]), post.holder(other.master_key)):
        assert who.get(f"/b/{battle.id}/desk/ties").status_code == 403
        assert who.post(f"/b/{battle.id}/desk/ties", data={"action": "add"}).status_code == 403


def test_the_usual_host_lets_nobody_post_into_his_own_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address is refused where it is typed; a name that leads there, when it is called."""
    app = create_app(Settings(data=tmp_path), upgrade=True)
    post = Post(app)
    battle = post.battle()
    master = post.holder(battle.master_key)
    with place("webhook") as there:
        fields = {"action": "add", "kind": "webhook", "language": "en", "length": "headline", **there.given}
        answer = master.post(f"/b/{battle.id}/desk/ties", data=fields)
        assert answer.status_code == 422
        fields["url"] = there.given["url"].replace("http:", "https:")
        assert master.post(f"/b/{battle.id}/desk/ties", data=fields).status_code == 422
        here = socket.getaddrinfo("127.0.0.1", None, type=socket.SOCK_STREAM)
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_given, **_more: here)
        fields["url"] = fields["url"].replace("127.0.0.1", "hooks.example.org")
        assert master.post(f"/b/{battle.id}/desk/ties", data=fields).status_code == 303
        resolve(post, battle.id, battle.master_key)
        house = post.house
        assert Postman(house.db, house.settings.url, house.now, Wire()).deliver_next()
        assert there.calls == []
    page = text_of(master.get(f"/b/{battle.id}/desk").text)
    assert "The address leads to no public server, so nothing is sent there." in page
    app.state.house.db.close()


def test_a_running_server_delivers_by_itself(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, allow_private_targets=True), upgrade=True)
    post = Post(app)
    battle = post.battle()
    with place("webhook") as there:
        tie(post.holder(battle.master_key), battle.id, there)
        resolve(post, battle.id, battle.master_key)
        with TestClient(app) as client:
            portal = client.portal
            assert portal is not None
            for _ in range(600):
                if there.posts:
                    break
                portal.call(asyncio.sleep, 0.05)
        assert len(there.posts) == 1


@pytest.mark.parametrize(
    ("language", "words", "link"),
    [("en", "phpBB, IPB", "Take turn 1 to a forum"), ("ru", "phpBB, IPB", "Отнести ход 1 на форум")],
)
def test_the_desk_leads_to_the_paste_for_forums_that_no_program_posts_to(
    post: Post, language: str, words: str, link: str
) -> None:
    battle = post.battle()
    master, told = post.holder(battle.master_key), {"accept-language": language}
    before = master.get(f"/b/{battle.id}/desk/ties", headers=told).text
    assert words in before
    assert "/post" not in before
    resolve(post, battle.id, battle.master_key)
    after = master.get(f"/b/{battle.id}/desk/ties", headers=told).text
    assert f'<a href="/b/{battle.id}/t/1/post">{link}</a>' in after
    assert master.get(f"/b/{battle.id}/t/1/post").status_code == 200
