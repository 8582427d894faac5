"""Discourse: a reply in a topic, by the public API (`GET /t/{id}.json`, `GET /t/{id}/posts.json`,
`GET /t/{id}/{number}.json`, `POST /posts.json`)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from app.posting.message import MOST_PAGES, Message, Posted, PostError, Target, is_older
from app.posting.wire import Wire

PAGE = 20
"""So many posts a topic gives at once."""


def deliver(wire: Wire, target: Target, message: Message) -> Posted:
    """Raises `PostError`."""
    base, topic = target["url"], target["topic"]
    headers = {"api-key": target["key"], "api-username": target["user"]}
    there = _find(wire, f"{base}/t/{topic}", headers, message)
    if there is not None:
        return Posted(_link(base, there), was_there=True)
    made = wire.post(f"{base}/posts.json", {"topic_id": int(topic), "raw": message.markdown}, headers=headers).json()
    if not isinstance(made, dict):
        raise PostError("bad-answer")
    if made.get("action") == "enqueued":  # waits for the forum's moderators; it cannot be read yet
        return Posted()
    return Posted(_link(base, made))


def _find(wire: Wire, topic: str, headers: dict[str, str], message: Message) -> Any:
    """The post with the mark: the newest posts are looked at first, the first page came with the topic."""
    seen = wire.get(f"{topic}.json", headers=headers).json()
    try:
        first = seen["post_stream"]["posts"]
        for posts in islice(_pages(wire, topic, headers, seen), MOST_PAGES):
            there = next((post for post in posts if message.mark in post["cooked"]), None)
            if there is not None:
                return there
            if posts and all(is_older(_moment(post.get("created_at")), message) for post in posts):
                break
        return next((post for post in first if message.mark in post["cooked"]), None)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise PostError("bad-answer") from None


def _pages(wire: Wire, topic: str, headers: dict[str, str], seen: Any) -> Iterator[list[Any]]:
    """Pages of posts from the newest back: by their numbers as the topic tells them, or, in one of many thousands of
    posts, which does not, by their places."""
    stream = [str(number) for number in seen["post_stream"].get("stream") or ()]
    for end in range(len(stream), 0, -PAGE):
        asked = [("post_ids[]", number) for number in stream[max(0, end - PAGE) : end]]
        yield wire.get(f"{topic}/posts.json", headers=headers, params=asked).json()["post_stream"]["posts"]
    if not stream:
        for number in range(int(seen.get("highest_post_number") or 0), 0, -PAGE // 2):
            yield wire.get(f"{topic}/{number}.json", headers=headers).json()["post_stream"]["posts"]


def _moment(text: Any) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return at if at.tzinfo is not None else None


def _link(base: str, post: Any) -> str | None:
    """The address of a post, as the forum itself writes it."""
    try:
        slug, topic, number = str(post["topic_slug"]), int(post["topic_id"]), int(post["post_number"])
    except (KeyError, TypeError, ValueError):
        return None
    return f"{base}/t/{slug if slug.replace('-', '').isalnum() else '-'}/{topic}/{number}"
