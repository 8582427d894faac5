"""Discourse: a reply in a topic, by the public API (`GET /t/{id}.json`, `GET /t/{id}/posts.json`, `POST /posts.json`)."""

from __future__ import annotations

from typing import Any

from app.posting.message import Message, Posted, PostError, Target
from app.posting.wire import Wire

LAST_POSTS = 20
"""So many of the newest posts are searched for the mark: a topic says where its posts end, and gives that many at once."""


def deliver(wire: Wire, target: Target, message: Message) -> Posted:
    """Raises `PostError`."""
    base, topic = target["url"], target["topic"]
    headers = {"api-key": target["key"], "api-username": target["user"]}
    there = _find(wire, base, topic, headers, message.mark)
    if there is not None:
        return Posted(_link(base, there), was_there=True)
    made = wire.post(f"{base}/posts.json", {"topic_id": int(topic), "raw": message.markdown}, headers=headers).json()
    if not isinstance(made, dict):
        raise PostError("bad-answer")
    if made.get("action") == "enqueued":  # waits for the forum's moderators; it cannot be read yet
        return Posted()
    return Posted(_link(base, made))


def _find(wire: Wire, base: str, topic: str, headers: dict[str, str], mark: str) -> Any:
    seen = wire.get(f"{base}/t/{topic}.json", headers=headers).json()
    try:
        stream = seen["post_stream"]
        posts = list(stream["posts"])
        last = [str(number) for number in stream.get("stream", ())][-LAST_POSTS:]
        if last:
            asked = [("post_ids[]", number) for number in last]
            more = wire.get(f"{base}/t/{topic}/posts.json", headers=headers, params=asked).json()
            posts += more["post_stream"]["posts"]
        return next((post for post in posts if mark in post["cooked"]), None)
    except (KeyError, TypeError, AttributeError):
        raise PostError("bad-answer") from None


def _link(base: str, post: Any) -> str | None:
    """The address of a post, as the forum itself writes it."""
    try:
        slug, topic, number = str(post["topic_slug"]), int(post["topic_id"]), int(post["post_number"])
    except (KeyError, TypeError, ValueError):
        return None
    return f"{base}/t/{slug if slug.replace('-', '').isalnum() else '-'}/{topic}/{number}"
