"""The kinds of places, and what each needs to be told once."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from app.posting import discord, discourse, nodebb, services, telegram, webhook
from app.posting.message import Message, Posted, Target
from app.posting.wire import Wire, is_public

LONGEST = 500
SHORTEST_SECRET = 16


@dataclass(frozen=True)
class Kind:
    """`fields`: the names of what is asked for, the address first."""

    fields: tuple[str, ...]
    deliver: Callable[[Wire, Target, Message], Posted]


KINDS: Mapping[str, Kind] = {
    "discourse": Kind(("topic_url", "user", "key"), discourse.deliver),
    "nodebb": Kind(("topic_url", "key"), nodebb.deliver),
    "discord": Kind(("url",), discord.deliver),
    "telegram": Kind(("token", "chat"), telegram.deliver),
    "webhook": Kind(("url", "secret"), webhook.deliver),
    "apprise": Kind(("url",), services.deliver),
}
TOPIC = {
    "discourse": re.compile(r"(?P<base>.*)/t/(?:(?!\d+/)[^/]+/)?(?P<topic>\d{1,12})(?:/\d+)?/?"),
    "nodebb": re.compile(r"(?P<base>.*)/topic/(?P<topic>\d{1,12})(?:/[^/]*){0,2}"),
}
"""A topic's own address, as it is copied from the browser; `/t/WORDS/7/3` and `/t/7/3` both lead to a post of topic 7."""
DISCORD = re.compile(r".*/api/(?:v\d+/)?webhooks/\d+/[\w-]+/?")


class BadTarget(ValueError):
    """`field`: what is wrong; `why`: `missing`, `too-long`, `not-https`, `not-an-address`, `not-a-topic`, `not-a-webhook`,
    `private`, `short-secret`, `bad-key`, `bad-token`, `bad-chat`, `no-service`, `too-many` (ties of one battle)."""

    def __init__(self, field: str, why: str) -> None:
        self.field = field
        self.why = why
        super().__init__(f"{field}: {why}")


@dataclass(frozen=True)
class Place:
    """`shown`: where it is, without anything that opens it. `target`: all that it takes to deliver; secret."""

    shown: str
    target: Target


def place(kind: str, given: Mapping[str, str], *, allow_private: bool) -> Place:
    """What was typed, as a place; nothing is called. Raises `BadTarget`, KeyError for an unknown kind."""
    told = {name: given.get(name, "").strip() for name in KINDS[kind].fields}
    for name, value in told.items():
        if not value:
            raise BadTarget(name, "missing")
        if len(value) > LONGEST:
            raise BadTarget(name, "too-long")
        if not value.isprintable() or (name in {"key", "user", "token", "chat"} and not value.isascii()):
            raise BadTarget(name, "not-an-address" if "url" in name else "bad-key")
    if kind == "apprise":
        return _service(told["url"], allow_private=allow_private)
    if kind == "telegram":
        return _chat(told)
    field = KINDS[kind].fields[0]
    host = _host(field, told[field], allow_private=allow_private)
    if kind in TOPIC:
        parts = urlsplit(told[field])
        found = TOPIC[kind].fullmatch(f"{parts.scheme}://{parts.netloc}{parts.path}")
        if found is None:
            raise BadTarget(field, "not-a-topic")
        keys = {name: told[name] for name in KINDS[kind].fields[1:]}
        path = "/t/" if kind == "discourse" else "/topic/"
        shown = f"{found['base']}{path}{found['topic']}"
        return Place(shown, {"url": found["base"], "topic": found["topic"], **keys})
    if kind == "discord" and not DISCORD.fullmatch(urlsplit(told["url"]).path):
        raise BadTarget("url", "not-a-webhook")
    if kind == "webhook" and len(told["secret"]) < SHORTEST_SECRET:
        raise BadTarget("secret", "short-secret")
    return Place(host, told)


def _host(field: str, url: str, *, allow_private: bool) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise BadTarget(field, "not-an-address") from None
    if not host or parts.username or parts.password or any(sign.isspace() for sign in url):
        raise BadTarget(field, "not-an-address")
    if parts.scheme != "https" and not (allow_private and parts.scheme == "http"):
        raise BadTarget(field, "not-https")
    if not allow_private and _is_private(host):
        raise BadTarget(field, "private")
    return parts.netloc


def _is_private(host: str) -> bool:
    """Whether a host is one of this machine or of a network at home by what is written: nothing is looked up. What a name
    leads to is examined whenever something is sent."""
    name = host.rstrip(".").lower()
    if name.rpartition(".")[2] in {"localhost", "local", "internal"}:
        return True
    try:
        address = name if ":" in name else socket.inet_ntoa(socket.inet_aton(name))  # 127.1 and 0x7f000001 as well
        return not is_public(str(ipaddress.ip_address(address.partition("%")[0])))
    except (OSError, ValueError):
        return False


def _chat(told: Mapping[str, str]) -> Place:
    if not telegram.TOKEN.fullmatch(told["token"]):
        raise BadTarget("token", "bad-token")
    if not telegram.CHAT.fullmatch(told["chat"]):
        raise BadTarget("chat", "bad-chat")
    return Place(f"Telegram, {told['chat']}", dict(told))


def _service(url: str, *, allow_private: bool) -> Place:
    name = services.service(url)
    if (name not in services.FIXED and not allow_private) or not services.is_known(url):
        raise BadTarget("url", "no-service")
    return Place(name, {"url": url})
