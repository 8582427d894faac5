"""Small servers on loopback that answer as the documented interfaces of forums, channels and webhooks do."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

KEY = "0123456789abcdef-the-key"
SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
HOOK = "a-token-that-is-a-key"


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Place:
    """A server with one topic or channel. `posts`: what stands in it. `troubles`: answers that are given to the next
    posts instead of taking them: a status, or `after` (taken, and then the line goes dead). `says`: what stands in such
    an answer; `retry_after`: its header."""

    kind: str
    posts: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    troubles: list[int | str] = field(default_factory=list)
    says: Any = field(default_factory=dict)
    retry_after: str = "900"
    opened: datetime = datetime(2026, 3, 1, tzinfo=UTC)
    apart: timedelta = timedelta(minutes=1)
    """Between one post and the next."""
    is_huge: bool = False
    """So long that Discourse does not tell the numbers of all its posts."""
    chats: dict[str, dict[str, Any]] = field(default_factory=lambda: {"77": {"id": 77, "type": "private"}})
    """Of Telegram: by what they are named in a call."""
    port: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def given(self) -> dict[str, str]:
        """What a game master types to tie a battle to it."""
        return {
            "discourse": {"topic_url": f"{self.base}/t/the-war/7/3", "user": "herald", "key": KEY},
            "nodebb": {"topic_url": f"{self.base}/topic/7/the-war", "key": KEY},
            "discord": {"url": f"{self.base}/api/webhooks/55/{HOOK}"},
            "webhook": {"url": f"{self.base}/hook?token={HOOK}", "secret": SECRET},
        }[self.kind]

    @property
    def written(self) -> list[Call]:
        return [call for call in self.calls if call.method == "POST"]

    def answer(self, call: Call) -> tuple[int, Any]:
        return ANSWERS[self.kind](self, call)


def _cooked(raw: str) -> str:
    """As a forum shows Markdown, as far as it matters: links."""
    return re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r'<a href="\2">\1</a>', raw)


def _discourse(place: Place, call: Call) -> tuple[int, Any]:
    if (call.headers.get("api-key"), call.headers.get("api-username")) != (KEY, "herald"):
        return 403, {"errors": ["You are not permitted to view the requested resource."], "error_type": "invalid_access"}
    posts = [
        {"id": 100 + n, "post_number": n + 1, "topic_id": 7, "topic_slug": "the-war", "cooked": _cooked(raw)}
        for n, raw in enumerate(place.posts)
    ]
    for n, post in enumerate(posts):
        post["created_at"] = (place.opened + place.apart * n).isoformat().replace("+00:00", "Z")
    if (call.method, call.path) == ("GET", "/t/7.json"):
        stream = (
            {"isMegaTopic": True, "lastId": posts[-1]["id"]} if place.is_huge else {"stream": [post["id"] for post in posts]}
        )
        return 200, {"id": 7, "highest_post_number": len(posts), "post_stream": {"posts": posts[:20], **stream}}
    near = re.fullmatch(r"/t/7/(\d+)\.json", call.path)
    if call.method == "GET" and near:
        first = max(0, int(near[1]) - 11)
        return 200, {"id": 7, "post_stream": {"posts": posts[first : first + 20]}}
    if (call.method, call.path) == ("GET", "/t/7/posts.json"):
        wanted = {int(number) for number in call.query["post_ids[]"]}
        return 200, {"id": 7, "post_stream": {"posts": [post for post in posts if post["id"] in wanted]}}
    if (call.method, call.path) == ("POST", "/posts.json") and call.json["topic_id"] == 7:
        place.posts.append(call.json["raw"])
        n = len(place.posts)
        return 200, {"id": 99 + n, "post_number": n, "topic_id": 7, "topic_slug": "the-war", "cooked": "…"}
    return 404, {"errors": ["The requested URL or resource could not be found."], "error_type": "not_found"}


def _nodebb(place: Place, call: Call) -> tuple[int, Any]:
    if call.headers.get("authorization") != f"Bearer {KEY}":
        return 401, {"status": {"code": "not-authorised", "message": "A valid login session was not found."}, "response": {}}
    posts = [{"pid": 100 + n, "tid": 7, "content": _cooked(raw)} for n, raw in enumerate(place.posts)]
    if (call.method, call.path) == ("GET", "/api/topic/7"):
        for n, post in enumerate(posts):
            post["timestamp"] = int((place.opened + place.apart * n).timestamp() * 1000)
        ordered = posts[::-1] if call.query.get("sort") == ["newest_to_oldest"] else posts
        page, pages = int(call.query.get("page", ["1"])[0]), max(1, -(-len(posts) // 20))
        if page > pages:
            return 404, {"status": {"code": "not-found", "message": "Not Found"}, "response": {}}
        shown = ordered[20 * page - 20 : 20 * page]
        return 200, {"tid": 7, "posts": shown, "pagination": {"currentPage": page, "pageCount": pages}}
    if (call.method, call.path) == ("POST", "/api/v3/topics/7"):
        place.posts.append(call.json["content"])
        status = {"code": "ok", "message": "OK"}
        return 200, {"status": status, "response": {"pid": 99 + len(place.posts), "tid": 7}}
    return 404, {"status": {"code": "not-found", "message": "Topic does not exist"}, "response": {}}


def _discord(place: Place, call: Call) -> tuple[int, Any]:
    if call.path != f"/api/webhooks/55/{HOOK}":
        return 401, {"message": "Invalid Webhook Token", "code": 50027}
    if call.method == "GET":
        return 200, {"id": "55", "type": 1, "guild_id": "77", "channel_id": "88"}
    if len(call.json["content"]) > 2000:
        return 400, {"code": 50035, "message": "Invalid Form Body"}
    place.posts.append(call.json["content"])
    if call.query.get("wait") != ["true"]:
        return 204, None
    return 200, {"id": str(99 + len(place.posts)), "channel_id": "88"}


def _webhook(place: Place, call: Call) -> tuple[int, Any]:
    if call.query.get("token") != [HOOK]:
        return 404, None
    place.posts.append(call.body.decode("utf-8"))
    return 204, None


def _telegram(place: Place, call: Call) -> tuple[int, Any]:
    if call.json["chat_id"] not in place.chats:
        return 400, {"ok": False, "description": "Bad Request: chat not found"}
    place.posts.append(call.json["text"])
    thread = {"is_topic_message": True} if "message_thread_id" in call.json else {}
    return 200, {"ok": True, "result": {"message_id": 130, "chat": place.chats[call.json["chat_id"]], **thread}}


ANSWERS = {"telegram": _telegram, "discourse": _discourse, "nodebb": _nodebb, "discord": _discord, "webhook": _webhook}


class _Handler(BaseHTTPRequestHandler):
    place: Place

    def _serve(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        call = Call(self.command, parts.path, parse_qs(parts.query), headers, body)
        place = self.place
        with place.lock:
            place.calls.append(call)
            trouble = place.troubles.pop(0) if call.method == "POST" and place.troubles else None
            if trouble == "silent":
                place.stop.wait(30)
                return
            status, value = (trouble, place.says) if isinstance(trouble, int) else place.answer(call)
        if trouble == "after":
            self.connection.close()
            return
        told = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", place.retry_after)
        if status == 302:
            self.send_header("Location", f"{place.base}/elsewhere")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    do_GET = do_POST = _serve

    def log_message(self, format: str, *args: object) -> None:
        pass

    def finish(self) -> None:
        with suppress(ValueError):  # closed by `after`
            super().finish()


@contextmanager
def place(kind: str) -> Iterator[Place]:
    """A place of this kind, open while the block runs."""
    opened = Place(kind)
    handler = type("Handler", (_Handler,), {"place": opened})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign, assignment]
    opened.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield opened
    finally:
        opened.stop.set()
        server.shutdown()
        thread.join()
        server.server_close()
