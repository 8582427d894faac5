"""The server as a whole: its clock, its log, its start from the environment."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import structlog
from starlette.testclient import TestClient

from app import log
from app.config import Settings
from app.referee import battles
from app.referee.views import PUBLIC
from app.web.app import create_app, from_environment
from tests.web.conftest import Post


def test_the_servers_clock_resolves_what_is_due(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path), upgrade=True)
    with TestClient(app):
        post = Post(app)
        now = datetime.now(UTC)
        made = post.battle(now=now, deadline=now + timedelta(seconds=1))
        until = time.monotonic() + 30
        while (view := battles.battle(post.house.db, made.id, PUBLIC, datetime.now(UTC))).turn == 1:
            assert time.monotonic() < until, "nobody looked at the clock"
            time.sleep(0.1)
        assert view.turns[0].resolved_by == "deadline"


def test_a_server_starts_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDPOST_DATA", str(tmp_path))
    monkeypatch.setenv("FIELDPOST_LOG_LEVEL", "error")
    try:
        app = from_environment()
        create_app(app.state.house.settings, upgrade=True)
        with TestClient(app) as client:
            assert client.get("/healthz").text == "ok"
            assert client.get("/").status_code == 200
    finally:
        structlog.reset_defaults()


def test_the_log_is_json_a_line_without_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FIELDPOST_DATA", str(tmp_path))
    try:
        log.configure("info")
        app = create_app(from_environment().state.house.settings, upgrade=True)
        with TestClient(app) as client:
            client.get("/k/a-secret-key")
    finally:
        structlog.reset_defaults()
    told = capsys.readouterr().err
    lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    assert [line["path"] for line in lines if line["event"] == "request"] == ["/k/…"]
    assert "a-secret-key" not in told
