"""What stands around every answer: numbers, headers, guards of origin and size, the log."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from app.log import masked
from app.web.middleware import BodyLimit, Envelope, OriginGuard
from app.web.security import headers_of


class Log:
    """A log that remembers."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def info(self, event: str, **values: Any) -> None:
        self.lines.append({"event": event, **values})

    def exception(self, event: str, **values: Any) -> None:
        self.lines.append({"event": event, **values})


def _refuse(_: Request, code: str) -> Response:
    return PlainTextResponse(code, {"broken": 500, "foreign-origin": 403, "too-large": 413}[code])


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def client(log: Log) -> TestClient:
    async def answer(request: Request) -> Response:
        return PlainTextResponse(f"{len(await request.body())}")

    async def bug(_: Request) -> Response:
        raise ZeroDivisionError

    app = Starlette(routes=[Route("/bug", bug), Route("/{rest:path}", answer, methods=["GET", "POST"])])
    app.add_middleware(BodyLimit, refuse=_refuse, largest=100)
    app.add_middleware(OriginGuard, trusted=frozenset({"https://post.example"}), refuse=_refuse)
    app.add_middleware(Envelope, headers=headers_of, refuse=_refuse, log=log)
    return TestClient(app, base_url="http://here.example")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site", "origin": "https://evil.example"}, 403),
        ({"sec-fetch-site": "same-site", "origin": "http://other.here.example"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"origin": "http://here.example"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": "https://post.example"}, 200),
    ],
)
def test_what_other_sites_send_is_refused(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.post("/x", content="a", headers=headers).status_code == status
    assert client.get("/x", headers=headers).status_code == 200


def test_a_body_over_the_limit_is_refused_by_what_it_says(client: TestClient) -> None:
    assert client.post("/x", content=b"a" * 100).text == "100"
    assert client.post("/x", content=b"a" * 101).status_code == 413


def test_a_body_over_the_limit_is_refused_by_what_comes(client: TestClient) -> None:
    def pieces() -> Any:
        yield b"a" * 60
        yield b"b" * 60

    assert client.post("/x", content=pieces()).status_code == 413


@pytest.mark.parametrize("said", ["-1", "many", "9" * 40])
def test_a_length_that_is_none_is_refused(client: TestClient, said: str) -> None:
    assert client.post("/x", content=b"a", headers={"content-length": said}).status_code == 413


def test_every_answer_has_safe_headers_and_a_number(client: TestClient, log: Log) -> None:
    answer = client.get("/x")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "form-action 'self'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "camera=()" in answer.headers["permissions-policy"]
    assert answer.headers["x-request-id"] == log.lines[-1]["id"]


@pytest.mark.parametrize(
    "path", ["/k/ab", "/e/1qejGnBhKBGUzdmmqk14IU4Y9bxp77WJDfGtMXYPyZ0", "/notices/stop/" + "a" * 32, "/q/" + "a" * 43]
)
def test_a_page_whose_address_is_a_key_names_it_to_nobody(client: TestClient, path: str) -> None:
    """Not to its own style sheets either, for a proxy writes down where they were asked from. The origin may be told:
    without it a browser sends `Origin: null` with the page's forms."""
    for answer in (client.get(path), client.post(path)):
        assert answer.headers.get_list("referrer-policy") == ["strict-origin"]


def test_a_bug_is_logged_and_answered(client: TestClient, log: Log) -> None:
    answer = client.get("/bug")
    assert (answer.status_code, answer.text) == (500, "broken")
    assert [line["event"] for line in log.lines] == ["broken", "request"]
    assert log.lines[0]["id"] == answer.headers["x-request-id"]


def test_no_key_stands_in_the_log(client: TestClient, log: Log) -> None:
    client.get("/k/very-secret-key")
    client.get("/b/x?key=very-secret-key")
    assert "very-secret-key" not in repr(log.lines)
    assert masked("/k/abc") == "/k/…"
    assert masked("/b/abc/desk") == "/b/abc/desk"
    key = "1qejGnBhKBGUzdmmqk14IU4Y9bxp77WJDfGtMXYPyZ0"
    for amiss in (f"//k/{key}", f"/K/{key}", f"/{key}", f"/b/abc/{key}/", f"/http://here/k/{key[:30]}"):
        assert key[:24] not in masked(amiss)
