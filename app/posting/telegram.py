"""Telegram: a message by a bot (`POST /botTOKEN/sendMessage`). A chat cannot be searched by a bot: a server that dies
between the message and its own note of it repeats the message."""

from __future__ import annotations

import re

from app.posting.message import Message, Posted, PostError, Target, cut, uncalling
from app.posting.wire import Wire

API = "https://api.telegram.org"
LONGEST = 4000
TOKEN = re.compile(r"\d{5,20}:[\w-]{30,80}", re.ASCII)
CHAT = re.compile(r"-?\d{1,20}|@\w{4,64}", re.ASCII)


def deliver(wire: Wire, target: Target, message: Message) -> Posted:
    """Raises `PostError`."""
    text = (
        cut(uncalling(f"{message.title}\n\n{message.text.rstrip()}"), LONGEST - len(message.url) - 2) + f"\n\n{message.url}"
    )
    told = {"chat_id": target["chat"], "text": text, "link_preview_options": {"is_disabled": True}}
    made = wire.post(f"{API}/bot{target['token']}/sendMessage", told).json()
    if not isinstance(made, dict) or made.get("ok") is not True:
        raise PostError("bad-answer")
    return Posted()
