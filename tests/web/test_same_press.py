"""A form that is pressed twice without scripts counts once, and whoever pressed sees what the first press told."""

from __future__ import annotations

import re
from typing import Any

import anyio
import pytest
from sqlalchemy import func, select
from starlette.types import Message

from app.referee import keys, openings
from app.referee.openings import Opening
from app.store.models import ACCOUNTS, ASKINGS, BATTLES, CAMPAIGNS, DRAWINGS, MASTERS
from app.web.middleware import LARGEST_BODY
from app.web.samepress import SECONDS, SamePress
from tests.web.conftest import Post

FORM = "application/x-www-form-urlencoded"
TOLD = ("location", "set-cookie", "content-type")
PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def count(post: Post, table: Any) -> int:
    with post.house.db.read() as session:
        return int(session.execute(select(func.count()).select_from(table)).scalar_one())


FORMS = [
    ("/battles/new", {"scenario": "first-skirmish", "title": "Twice"}, BATTLES),
    ("/campaigns/new", {"title": "Twice", "name": "Ann"}, CAMPAIGNS),
    ("/account", {"action": "sign-up", "name": "Twice Ann", "password": "a long password", "zone": "UTC"}, ACCOUNTS),
    ("/b/{id}/open", {"want": "any", "name": "Bob", "words": "Me!"}, ASKINGS),
    ("/b/{id}/desk/people", {"action": "add", "name": "Second"}, MASTERS),
    ("/b/{id}/seat/north/plan", {"turn": "1", "action": "draw", "kind": "note", "cells": "C3", "text": "here"}, DRAWINGS),
]


@pytest.mark.parametrize(("path", "fields", "table"), FORMS, ids=[path for path, _, _ in FORMS])
def test_what_is_pressed_twice_is_made_once_and_told_twice(
    post: Post, path: str, fields: dict[str, str], table: Any
) -> None:
    made = post.battle()
    master = keys.viewer_by_key(post.house.db, made.master_key)
    openings.set_up(post.house.db, made.id, master, Opening(is_open=True, seats=("south",)), post.house.now())
    key = made.master_key if "desk" in path else made.seat_keys["north"]
    # a second press goes before the first answer is there, and its cookies with it
    presses = [post.holder(key) for _ in range(2)]
    before = count(post, table)
    first, again = (client.post(path.format(id=made.id), data=fields, headers=PAGE) for client in presses)
    assert count(post, table) == before + 1
    assert first.status_code < 400
    assert again.status_code == first.status_code
    assert [again.headers.get(name) for name in TOLD] == [first.headers.get(name) for name in TOLD]
    assert again.content == first.content


def test_two_strangers_with_telephones_of_one_kind_make_two_battles(post: Post) -> None:
    before = count(post, BATTLES)
    desks = []
    for one in (post.visitor(), post.visitor()):
        page = one.get("/battles/new").text
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]+)">', page))
        made = [one.post("/battles/new", data={**hidden, "scenario": "first-skirmish"}, headers=PAGE) for _ in range(2)]
        desks += [answer.headers["location"] for answer in made]
    assert count(post, BATTLES) == before + 2
    assert desks[0] == desks[1] != desks[2] == desks[3]


class Server:
    """Answers with the number of the form; `gate`: what it waits for."""

    def __init__(self) -> None:
        self.forms: list[bytes] = []
        self.gate = anyio.Event()
        self.status = 200
        self.now = 0.0
        self.press = SamePress(self.app, clock=lambda: self.now)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        self.forms.append(body)
        await self.gate.wait()
        if self.status == 0:
            raise RuntimeError
        number = str(len(self.forms)).encode()
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": number})

    async def send(self, body: bytes = b"x=1", path: str = "/here", **headers: str) -> bytes:
        parts: list[Message] = [
            {"type": "http.request", "body": body[:1], "more_body": True},
            {"type": "http.request", "body": body[1:], "more_body": False},
        ]
        told: list[Message] = []

        async def receive() -> Message:
            return parts.pop(0) if parts else {"type": "http.disconnect"}

        async def hear(message: Message) -> None:
            told.append(message)

        given = {"accept": "text/html", "cookie": "fp_master=a", **headers}
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()]
        scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": raw, "client": ("::1", 1)}
        await self.press(scope, receive, hear)
        return b"".join(message.get("body", b"") for message in told)


def test_only_the_very_same_form_of_the_same_reader_at_once_is_the_same_press() -> None:
    async def story() -> None:
        server = Server()
        server.gate.set()
        assert [await server.send(), await server.send()] == [b"1", b"1"]
        server.now = SECONDS + 1
        assert await server.send() == b"2", "later"
        assert [await server.send(cookie="fp_master=b"), await server.send(path="/there")] == [b"3", b"4"]
        assert await server.send() == b"5", "something else was sent since: it may have been undone"
        assert await server.send(b"x=2") == b"6"
        assert [await server.send(b"x=2", accept="application/json") for _ in range(2)] == [b"7", b"8"], "a script"
        assert server.forms[0] == b"x=1"

    anyio.run(story)


def test_who_presses_while_the_first_is_under_way_waits_for_its_answer() -> None:
    async def story() -> None:
        server, told = Server(), []

        async def press() -> None:
            told.append(await server.send())

        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(press)
            await anyio.wait_all_tasks_blocked()
            assert len(server.forms) == 1
            server.gate.set()
        assert told == [b"1"] * 3

    anyio.run(story)


@pytest.mark.parametrize("status", [500, 503])
def test_what_failed_is_tried_again(status: int) -> None:
    async def story() -> None:
        server = Server()
        server.gate.set()
        server.status = status
        assert [await server.send(), await server.send()] == [b"1", b"2"]
        server.status = 0
        with pytest.raises(RuntimeError):
            await server.send()
        server.status = 200
        assert await server.send() == b"4"

    anyio.run(story)


def test_a_body_that_is_too_large_is_refused_as_before(post: Post) -> None:
    body = (b"text=" + b"x" * LARGEST_BODY for _ in range(1))
    answer = post.visitor().post("/campaigns/new", content=body, headers={**PAGE, "content-type": FORM})
    assert answer.status_code == 413
