"""The rest by Apprise, an extra: of its many services those whose servers are fixed, so that no address of a stranger's
choice is called."""

from __future__ import annotations

import logging
from importlib.util import find_spec

from app.posting.message import Message, Posted, PostError, Target, cut, uncalling
from app.posting.wire import Wire

FIXED = frozenset({"tgram", "slack", "pover", "pbul", "webex", "gchat", "guilded", "revolt", "line", "groupme"})
"""What an address of Apprise may begin with: Telegram, Slack, Pushover, Pushbullet and others of one server each."""

LONGEST = 4000
_log = logging.getLogger("apprise")
_log.addHandler(logging.NullHandler())
_log.propagate = False  # its lines hold addresses, which are keys


def service(url: str) -> str:
    """The part of an address before `://`, in small letters."""
    return url.partition("://")[0].lower()


def is_installed() -> bool:
    """Whether the host has the extra `apprise`."""
    return find_spec("apprise") is not None


def is_known(url: str) -> bool:
    """Whether Apprise is installed and can read the address."""
    try:
        import apprise
    except ImportError:
        return False
    return apprise.Apprise().add(url) is True


def deliver(wire: Wire, target: Target, message: Message) -> Posted:
    """Raises `PostError`. Apprise says only whether it was taken, and searches nothing."""
    if service(target["url"]) not in FIXED and not wire.allow_private:
        raise PostError("forbidden-address", hopeless=True)
    try:
        import apprise
    except ImportError:
        raise PostError("no-apprise", hopeless=True) from None
    notice = apprise.Apprise()
    if not notice.add(target["url"]):
        raise PostError("not-taken", hopeless=True)
    most = min((server.body_maxlen for server in notice), default=LONGEST) - len(message.url) - 2
    text = f"{cut(uncalling(message.text.rstrip()), most)}\n\n{message.url}"
    if not notice.notify(title=uncalling(message.title), body=text, body_format=apprise.NotifyFormat.TEXT):
        raise PostError("not-taken")
    return Posted()
