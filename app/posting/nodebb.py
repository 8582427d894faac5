"""NodeBB: a reply in a topic, by the read API (`GET /api/topic/{tid}`) and the write API, version 3
(`POST /api/v3/topics/{tid}`)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from app.posting.message import MOST_PAGES, Message, Posted, PostError, Target, is_older
from app.posting.wire import Wire

NEWEST = [("sort", "newest_to_oldest")]


def deliver(wire: Wire, target: Target, message: Message) -> Posted:
    """Raises `PostError`."""
    base, topic = target["url"], target["topic"]
    headers = {"authorization": f"Bearer {target['key']}"}
    try:
        there = _find(wire, f"{base}/api/topic/{topic}", headers, message)
        if there is not None:
            return Posted(_link(base, there), was_there=True)
        made = _write(wire, f"{base}/api/v3/topics/{topic}", headers, message)
        return Posted(_link(base, made["response"]))
    except (KeyError, TypeError, AttributeError):
        raise PostError("bad-answer") from None


def _write(wire: Wire, topic: str, headers: dict[str, str], message: Message) -> Any:
    """400 says also that the user has posted too short a time ago; that passes."""
    try:
        return wire.post(topic, {"content": message.markdown}, headers=headers).json()
    except PostError as refused:
        refused.hopeless = refused.hopeless and refused.status != 400
        raise


def _find(wire: Wire, topic: str, headers: dict[str, str], message: Message) -> Any:
    """The post with the mark, page by page from the newest back."""
    for page in range(1, MOST_PAGES + 1):
        asked = [*NEWEST, *([("page", str(page))] if page > 1 else [])]
        seen = wire.get(topic, headers=headers, params=asked).json()
        posts = seen["posts"]
        there = next((post for post in posts if message.mark in str(post.get("content"))), None)
        if there is not None:
            return there
        # a topic's first post stands on every page, whatever its age
        if page >= (seen.get("pagination") or {}).get("pageCount", 1) or any(
            is_older(_moment(p), message) for p in posts[1:]
        ):
            break
    return None


def _moment(post: Any) -> datetime | None:
    """Of milliseconds."""
    told = post.get("timestamp")
    if not isinstance(told, int) or not 0 <= told < 10**14:
        return None
    return datetime.fromtimestamp(told / 1000, UTC)


def _link(base: str, post: Any) -> str | None:
    """None: it waits in the forum's queue for its moderators."""
    number = post.get("pid")
    return f"{base}/post/{int(number)}" if str(number).isdigit() else None
