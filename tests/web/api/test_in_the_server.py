"""The API inside the whole server: its shape on every refusal, whichever layer refuses; no token in any log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from app.config import Settings
from app.store.away import Away
from app.store.db import Database
from app.web.app import create_app


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'fieldpost.db'}", base_url="https://fieldpost.example")
    app = create_app(settings, upgrade=True)
    with TestClient(app, base_url="https://fieldpost.example", raise_server_exceptions=False) as client:
        yield client


def _shape(answer: Any, status: int, code: str) -> None:
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
    told = answer.json()
    assert told["code"] == code
    assert {"text", "params", "id"} <= told.keys()
    assert told["id"] == answer.headers["x-request-id"]


def test_the_calls_are_there_and_the_document_is_where_it_should_be(server: TestClient) -> None:
    assert server.get("/api/v1/scenarios").json()["scenarios"]
    assert server.get("/api/v1/openapi.json").json()["openapi"].startswith("3.")
    for elsewhere in ("/openapi.json", "/docs", "/redoc"):
        assert server.get(elsewhere).status_code == 404


def test_every_layer_refuses_in_the_same_shape(server: TestClient) -> None:
    _shape(server.get("/api/v1/nothing"), 404, "no-page")
    _shape(server.get("/api/v1/battles/none"), 404, "no-battle")
    _shape(server.get("/b/none/t/1.json"), 404, "no-battle")
    _shape(server.get("/b/none/t/latest.svg"), 404, "no-battle")
    _shape(server.delete("/api/v1/scenarios"), 405, "no-method")
    _shape(server.post("/api/v1/battles", json={}), 401, "no-key")
    _shape(server.post("/api/v1/battles", content=b"x" * 600_000), 413, "too-large")
    _shape(server.post("/api/v1/battles", content=b"x" * 3_000_000), 413, "too-large")
    _shape(server.post("/api/v1/battles", json={}, headers={"Origin": "https://evil.example"}), 403, "foreign-origin")


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/v1/scenarios", 200), ("/api/v1/openapi.json", 200), ("/b/none/t/1.json", 404), ("/b/none/t/1.svg", 404)],
)
def test_HEAD_is_GET_without_the_body(server: TestClient, path: str, status: int) -> None:
    whole, head = server.get(path), server.head(path)
    assert (head.status_code, head.content) == (status, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert head.headers["content-length"] == whole.headers["content-length"]


def test_a_pages_refusal_stays_a_page(server: TestClient) -> None:
    for path in ("/nothing", "/b/none", "/apiary"):
        assert server.get(path).headers["content-type"].startswith("text/html")


def test_a_bug_is_told_in_the_same_shape_and_written_down(server: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.referee import scenarios

    def broken() -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(scenarios, "known", broken)
    with capture_logs() as lines:
        answer = server.get("/api/v1/scenarios", headers={"Accept-Language": "ru"})
    _shape(answer, 500, "broken")
    assert answer.json()["text"].startswith("Здесь что-то сломалось")
    assert [line["event"] for line in lines if line.get("id") == answer.json()["id"] and "exc_info" in line] == ["broken"]


@pytest.mark.parametrize(("language", "words"), [("en", "gives no answer"), ("ru", "не отвечает")])
def test_a_database_that_is_away_is_no_bug_and_passes(
    server: TestClient, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    def away(_: Database) -> Any:
        raise Away("password=hunter2 is locked")

    monkeypatch.setattr(Database, "read", away)
    monkeypatch.setattr(Database, "revision", away)
    with capture_logs() as lines:
        for path in ("/api/v1/battles/none", "/b/none", "/healthz"):
            answer = server.get(path, headers={"Accept-Language": language})
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
            assert words in answer.text
            assert "hunter2" not in answer.text
    told = [line for line in lines if line.get("why", "").endswith("is locked")]
    assert len([line for line in told if "during" not in line]) == 3  # what the loops beside them tell is their own
    assert not [line for line in lines if line["event"] == "broken"]


def test_no_token_stands_in_any_log(server: TestClient) -> None:
    secret = "a-very-secret-token"
    with capture_logs() as lines:
        server.get("/api/v1/battles/none", headers={"Authorization": f"Bearer {secret}"})
        server.get(f"/k/{secret}")
    assert lines
    assert secret not in repr(lines)
