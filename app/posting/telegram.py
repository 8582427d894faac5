"""Telegram: a message by a bot (`POST /botTOKEN/sendMessage`). A chat cannot be searched by a bot: a server that dies
between the message and its own note of it repeats the message."""

from __future__ import annotations

import re
from typing import Any

from app.posting.message import Message, Posted, PostError, Target, cut, uncalling
from app.posting.wire import Wire

API = "https://api.telegram.org"
LONGEST = 4000
TOKEN = re.compile(r"\d{5,20}:[\w-]{30,80}", re.ASCII)
CHAT = re.compile(r"(-?\d{1,20}|@\w{4,64})(?:/(\d{1,12}))?", re.ASCII)
"""A chat, and behind it a topic of a group that has topics."""
NAME = re.compile(r"\w{4,64}", re.ASCII)


def deliver(wire: Wire, target: Target, message: Message) -> Posted:
    """Raises `PostError`."""
    text = (
        cut(uncalling(f"{message.title}\n\n{message.text.rstrip()}"), LONGEST - len(message.url) - 2) + f"\n\n{message.url}"
    )
    chat, _, topic = target["chat"].partition("/")
    told: dict[str, object] = {"chat_id": chat, "text": text, "link_preview_options": {"is_disabled": True}}
    if topic:
        told["message_thread_id"] = int(topic)
    made = wire.post(f"{API}/bot{target['token']}/sendMessage", told).json()
    if not isinstance(made, dict) or made.get("ok") is not True:
        raise PostError("bad-answer")
    return Posted(_link(made.get("result"), topic))


def _link(made: Any, topic: str) -> str | None:
    """The message's own address: only channels and great groups have one, and those without a name for their members."""
    try:
        chat, number = made["chat"], int(made["message_id"])
        if chat["type"] not in ("channel", "supergroup"):
            return None
        name, hidden = str(chat.get("username") or ""), str(chat["id"]).removeprefix("-100")
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    place = name if NAME.fullmatch(name) else f"c/{hidden}" if hidden.isdigit() else ""
    return "/".join(["https://t.me", place, *([topic] if topic else []), str(number)]) if place else None
