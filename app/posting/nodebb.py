"""NodeBB: a reply in a topic, by the read API (`GET /api/topic/{tid}`) and the write API, version 3
(`POST /api/v3/topics/{tid}`)."""

from __future__ import annotations

from typing import Any

from app.posting.message import Message, Posted, PostError, Target
from app.posting.wire import Wire

NEWEST = [("sort", "newest_to_oldest")]


def deliver(wire: Wire, target: Target, message: Message) -> Posted:
    """Raises `PostError`."""
    base, topic = target["url"], target["topic"]
    headers = {"authorization": f"Bearer {target['key']}"}
    seen = wire.get(f"{base}/api/topic/{topic}", headers=headers, params=NEWEST).json()
    try:
        there = next((post for post in seen["posts"] if message.mark in str(post.get("content"))), None)
        if there is not None:
            return Posted(_link(base, there), was_there=True)
        made = wire.post(f"{base}/api/v3/topics/{topic}", {"content": message.markdown}, headers=headers).json()
        return Posted(_link(base, made["response"]))
    except (KeyError, TypeError, AttributeError):
        raise PostError("bad-answer") from None


def _link(base: str, post: Any) -> str | None:
    """None: it waits in the forum's queue for its moderators."""
    number = post.get("pid")
    return f"{base}/post/{int(number)}" if str(number).isdigit() else None
