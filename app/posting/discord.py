"""Discord: a message by a channel's webhook (`POST …?wait=true`). A webhook cannot search its channel: a server that dies
between the message and its own note of it repeats the message."""

from __future__ import annotations

from app.posting.message import Message, Posted, PostError, Target
from app.posting.wire import Wire

LONGEST = 2000
"""Characters of a message; of an embed's title, 256."""
WAIT = [("wait", "true")]


def deliver(wire: Wire, target: Target, message: Message) -> Posted:
    """Raises `PostError`."""
    answer = wire.post(target["url"], content(message), params=WAIT)
    if not answer.body:  # taken, as by others that take what Discord does
        return Posted()
    made = answer.json()
    if not isinstance(made, dict):
        raise PostError("bad-answer")
    return Posted(_link(wire, target, made))


def content(message: Message) -> dict[str, object]:
    """What is sent: the picture as an embed, nobody mentioned."""
    embed: dict[str, object] = {"title": message.title[:256], "url": message.url}
    if message.picture_url:
        embed["image"] = {"url": message.picture_url}
    return {"content": message.markdown[:LONGEST], "embeds": [embed], "allowed_mentions": {"parse": []}}


def _link(wire: Wire, target: Target, made: dict[str, object]) -> str | None:
    """The message's own address needs its server's number, which the webhook tells. The message is there without it, too."""
    try:
        told = wire.get(target["url"]).json()
        numbers = [str(told["guild_id"]), str(made["channel_id"]), str(made["id"])]
    except (PostError, KeyError, TypeError):
        return None
    return f"https://discord.com/channels/{'/'.join(numbers)}" if all(n.isdigit() for n in numbers) else None
