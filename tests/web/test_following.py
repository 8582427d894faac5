"""Pages that follow a battle: told that something is new within a second, told nothing else, and let go in the end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from fastapi import FastAPI

from app.config import Settings
from app.referee import battles, freshness, orders, publication, scenarios, turns
from app.referee.keys import viewer_by_key
from app.referee.views import PUBLIC, NewBattle
from app.store.db import Database
from app.web.app import create_app
from app.web.following import Following
from tests.web.conftest import SKIRMISH, Post

NOW = datetime.now(UTC)


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    made = create_app(Settings(data=tmp_path), upgrade=True)
    made.state.following = _following(made.state.house.db)
    return made


PATIENCE_SECONDS = 60
"""Far less than a stream lives, and than a server waits for one that does not end."""


def _following(db: Database, **options: Any) -> Following:
    given = {"look_seconds": 0.02, "alive_seconds": 5.0, **options}
    return Following(lambda ids: freshness.pulses(db, ids), log=structlog.get_logger("test"), **given)


def _battle(app: FastAPI, **options: Any) -> NewBattle:
    return battles.create(app.state.house.db, scenario=scenarios.read_file(SKIRMISH), now=NOW, **options)


class Stream:
    """One browser's stream: what it was answered, and each hint."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.came = asyncio.Event()
        self.gone = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        self.body += message.get("body", b"")
        self.came.set()

    @property
    def hints(self) -> list[dict[str, str]]:
        return [json.loads(line[6:]) for line in self.body.decode().split("\n") if line.startswith("data: ")]

    async def until(self, number: int) -> list[dict[str, str]]:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(self.hints) < number:
                self.came.clear()
                await self.came.wait()
        return self.hints


@asynccontextmanager
async def _opened(app: FastAPI, battle_id: str, address: str = "192.0.2.1") -> AsyncIterator[Stream]:
    stream = Stream()
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": f"/b/{battle_id}/follow",
        "raw_path": f"/b/{battle_id}/follow".encode(),
        "query_string": b"",
        "headers": [],
        "client": (address, 1234),
        "server": ("here.example", 80),
        "root_path": "",
    }
    task = asyncio.create_task(app(scope, stream.receive, stream.send))
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not stream.status or (stream.status == 200 and not stream.hints):
                stream.came.clear()
                await stream.came.wait()
        yield stream
    finally:
        stream.gone.set()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await task


def _enter(app: FastAPI, battle: NewBattle, seat: str, revision: int, *, ready: bool = False) -> None:
    db = app.state.house.db
    viewer = viewer_by_key(db, battle.seat_keys[seat])
    orders.enter(db, battle.id, seat, viewer, turn=1, revision=revision, fields={}, ready=ready, now=NOW)


def test_whatever_the_public_page_tells_is_hinted_at_and_nothing_else(app: FastAPI) -> None:
    battle, db = _battle(app, early=False), app.state.house.db
    master = viewer_by_key(db, battle.master_key)
    acts: list[tuple[Callable[[], Any], bool]] = [
        (lambda: _enter(app, battle, "north", 0), True),
        (lambda: _enter(app, battle, "north", 1), False),  # the page does not say that it was saved again
        (lambda: _enter(app, battle, "north", 2, ready=True), True),
        (lambda: _enter(app, battle, "north", 3), True),  # ready no more
        (lambda: battles.set_deadline(db, battle.id, master, NOW + timedelta(days=1), NOW), True),
        (lambda: turns.resolve_now(db, battle.id, master, turn=1, now=NOW), True),
    ]

    async def followed() -> None:
        async with _opened(app, battle.id) as stream:
            assert (stream.status, stream.headers["content-type"].partition(";")[0]) == (200, "text/event-stream")
            assert stream.headers["cache-control"] == "no-store"
            for act, is_news in acts:
                before = len(stream.hints)
                act()
                if is_news:
                    await stream.until(before + 1)
                else:
                    await asyncio.sleep(0.2)
                assert len(stream.hints) == before + is_news
            assert all(list(hint) == ["version"] for hint in stream.hints)
            view = battles.battle(db, battle.id, PUBLIC, NOW)
            assert stream.hints[-1]["version"] == freshness.pulse(view)

    asyncio.run(followed())


def test_nothing_of_a_turn_under_review_is_told(app: FastAPI) -> None:
    """Two battles, resolved to different boards, hint alike: the number of changes, and no more."""
    db = app.state.house.db
    told = []

    async def followed(battle: NewBattle) -> None:
        master = viewer_by_key(db, battle.master_key)
        async with _opened(app, battle.id) as stream:
            turns.resolve_now(db, battle.id, master, turn=1, now=NOW)
            await stream.until(2)
            publication.publish(db, battle.id, master, turn=1, now=NOW)
            await stream.until(3)
            told.append(stream.body)

    for fields in ({}, {"N1": {"move": ["B1"]}}):
        battle = _battle(app, review=True)
        viewer = viewer_by_key(db, battle.seat_keys["north"])
        orders.enter(db, battle.id, "north", viewer, turn=1, revision=0, fields=fields, now=NOW)
        asyncio.run(followed(battle))
        app.state.following = _following(db)
    assert told[0] == told[1]


def test_many_listen_and_one_looks(app: FastAPI) -> None:
    battle, looks = _battle(app), 0

    def look(ids: Any) -> Any:
        nonlocal looks
        looks += 1
        return freshness.pulses(app.state.house.db, ids)

    app.state.following = Following(look, log=structlog.get_logger("test"), look_seconds=0.1)

    async def followed() -> None:
        nonlocal looks
        streams = [_opened(app, battle.id, f"192.0.2.{i}") for i in range(20)]
        opened = [await stream.__aenter__() for stream in streams]
        looks, began = 0, time.monotonic()
        _enter(app, battle, "south", 0)
        await asyncio.gather(*(stream.until(2) for stream in opened))
        assert looks <= (time.monotonic() - began) / 0.1 + 1
        assert len(app.state.following) == 20
        for stream in streams:
            await stream.__aexit__(None, None, None)
        assert len(app.state.following) == 0
        await asyncio.sleep(0.25)
        looks = 0
        await asyncio.sleep(0.3)
        assert looks == 0

    asyncio.run(followed())


@pytest.mark.parametrize("limit", ["most", "most_of_battle", "most_of_address"])
def test_there_are_not_too_many_streams(app: FastAPI, limit: str) -> None:
    battle = _battle(app)
    app.state.following = _following(app.state.house.db, **{limit: 2})

    async def followed() -> None:
        async with _opened(app, battle.id), _opened(app, battle.id):
            async with _opened(app, battle.id) as third:
                assert (third.status, third.body) == (503, b"")
                assert int(third.headers["retry-after"]) > 0
            if limit == "most_of_address":
                async with _opened(app, battle.id, "198.51.100.7") as other:
                    assert other.status == 200
        async with _opened(app, battle.id) as again:
            assert again.status == 200
        assert len(app.state.following) == 0

    asyncio.run(followed())


def test_a_silent_stream_is_kept_alive_and_ends_after_its_time(app: FastAPI) -> None:
    battle = _battle(app)
    app.state.following = _following(app.state.house.db, alive_seconds=0.03, life_seconds=0.3)

    async def followed() -> None:
        async with _opened(app, battle.id) as stream:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while len(app.state.following):
                    await asyncio.sleep(0.02)
            assert stream.body.count(b":\n\n") >= 2
            assert stream.body.startswith(b"retry: ")

    asyncio.run(followed())


def test_streams_end_when_the_server_stops(app: FastAPI) -> None:
    battle = _battle(app)

    async def followed() -> None:
        async with _opened(app, battle.id):
            await app.state.following.closed()
            async with asyncio.timeout(PATIENCE_SECONDS):
                while len(app.state.following):
                    await asyncio.sleep(0.01)
        async with _opened(app, battle.id) as late:
            assert late.status == 503

    asyncio.run(followed())


def test_a_look_that_fails_is_not_the_last(app: FastAPI) -> None:
    battle, fails = _battle(app), 2

    def look(ids: Any) -> Any:
        nonlocal fails
        fails -= 1
        if fails >= 0:
            raise OSError("the database is away")
        return freshness.pulses(app.state.house.db, ids)

    app.state.following = Following(look, log=structlog.get_logger("test"), look_seconds=0.02)

    async def followed() -> None:
        async with _opened(app, battle.id) as stream:
            _enter(app, battle, "north", 0)
            assert len(await stream.until(2)) == 2

    asyncio.run(followed())


@pytest.mark.parametrize("battle_id", ["nothing", "a" * 300, "%00", "%ff"])
def test_a_battle_that_is_not_there_cannot_be_followed(post: Post, battle_id: str) -> None:
    assert post.visitor().get(f"/b/{battle_id}/follow").status_code == 404


def test_the_pages_show_the_pulse_that_is_hinted(post: Post) -> None:
    made = post.battle(review=True)
    master = viewer_by_key(post.house.db, made.master_key)
    paths = (f"/b/{made.id}", f"/b/{made.id}/desk", f"/b/{made.id}/seat/north")
    for act in (
        lambda: None,
        lambda: orders.enter(
            post.house.db, made.id, "north", viewer_by_key(post.house.db, made.seat_keys["north"]),
            turn=1, revision=0, fields={}, ready=True, now=NOW,
        ),
        lambda: turns.resolve_now(post.house.db, made.id, master, turn=1, now=NOW),
    ):  # fmt: skip
        act()
        pulse = freshness.pulses(post.house.db, (made.id,))[made.id]
        north, desk = post.holder(made.seat_keys["north"]), post.holder(made.master_key)
        for path in paths:
            assert f'data-pulse="{pulse}"' in (desk if path.endswith("/desk") else north).get(path).text, path


def test_what_a_page_asks_again_says_how_the_battle_stands(post: Post) -> None:
    made = post.battle(early=False)
    for seat in ("north", "south"):
        viewer = viewer_by_key(post.house.db, made.seat_keys[seat])
        part = post.visitor().get(f"/b/{made.id}/stand").text
        assert "data-ready" not in part.split(">")[1]
        assert 'data-mark=""' in part
        orders.enter(post.house.db, made.id, seat, viewer, turn=1, revision=0, fields={}, ready=True, now=NOW)
    part = post.visitor("ru").get(f"/b/{made.id}/stand").text
    assert " data-ready" in part
    assert 'data-mark=""' not in part
    assert "<svg" not in part
    assert f'data-pulse="{freshness.pulses(post.house.db, (made.id,))[made.id]}"' in part
    assert post.visitor().get("/b/nothing/stand").status_code == 404


def test_a_server_told_to_stop_does_not_wait_for_its_streams(tmp_path: Path) -> None:
    """A whole process, as `fieldpost serve` starts it, with a stream open."""
    env = {**os.environ, "FIELDPOST_DATA": str(tmp_path), "FIELDPOST_LOG_LEVEL": "info"}
    db = Database(Settings(data=tmp_path).database)
    db.upgrade()
    made = battles.create(db, scenario=scenarios.read_file(SKIRMISH), now=NOW)
    db.close()
    program = (
        "import socket, sys, threading, time, urllib.request, uvicorn\n"
        "from app.web.app import from_environment\n"
        "s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()\n"
        "server = uvicorn.Server(uvicorn.Config(from_environment(), log_level='error', timeout_graceful_shutdown=600))\n"
        "def follow():\n"
        "    while not server.started: time.sleep(0.01)\n"
        f"    url = f'http://127.0.0.1:{{s.getsockname()[1]}}/b/{made.id}/follow'\n"
        "    answer = urllib.request.urlopen(url)\n"
        "    print(answer.readline().decode(), flush=True)\n"
        "    answer.read()\n"
        "threading.Thread(target=follow, daemon=True).start()\n"
        "server.run(sockets=[s])\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], env=env, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert next(line for line in process.stdout if line.startswith("retry"))
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_SECONDS)
        finally:
            process.kill()
