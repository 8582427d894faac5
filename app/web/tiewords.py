"""What is said of ties: kinds of places, their fields, what was typed wrongly, why something was not posted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.engine.ruleset import Json
from app.language import Translator
from app.language import marked as _

SECRETS = {"key", "secret", "token"}
"""Fields that are typed unseen. None of them, nor the address of a webhook, is ever written into a page."""


@dataclass(frozen=True)
class FormField:
    name: str
    label: str
    hint: str
    type: str
    value: str


KINDS = {
    "discourse": (
        "Discourse",
        _("A reply in a topic. An administrator of the forum makes an API key for the user who is to post."),
    ),
    "nodebb": (
        "NodeBB",
        _("A reply in a topic. An administrator of the forum makes a token for the write API (Settings, API access)."),
    ),
    "discord": (
        "Discord",
        _(
            "A message in a channel. Make a webhook in the channel's settings (Integrations), and copy its address. "
            "For a thread or a post of a forum channel add ?thread_id=NUMBER to it."
        ),
    ),
    "telegram": (
        "Telegram",
        _("A message of a bot. Make one with @BotFather, write to it once (or add it to the group), and name the chat."),
    ),
    "webhook": (
        _("Webhook"),
        _("Signed JSON for a program of yours; docs/webhooks.md tells what it holds and how to check it."),
    ),
    "apprise": (
        _("Slack, Pushover and others"),
        _("By Apprise: an address such as slack://A/B/C/CHANNEL or pover://USER@TOKEN."),
    ),
}
"""Name and hint. Other forums take a paste: the turn's page has its text ready."""
WAYS = {
    "mail": (_("Mail"), _("Nothing but a question goes to the address until you follow its link.")),
    "discord": KINDS["discord"],
    "telegram": KINDS["telegram"],
    "webhook": KINDS["webhook"],
    "apprise": KINDS["apprise"],
}
"""To one person."""
FIELDS = {
    "address": (_("Mail address"), ""),
    "topic_url": (_("Address of the topic"), _("As it stands in the browser when you read the topic.")),
    "user": (_("User name"), _("The one who posts.")),
    "key": (_("API key"), ""),
    "url": (_("Address"), _("Whoever knows it can post there: it is not shown again.")),
    "token": (
        _("Token of the bot"),
        _("As @BotFather told it: digits, a colon, and many signs more. It is not shown again."),
    ),
    "chat": (
        _("Chat"),
        _(
            "Its number, as bots such as @userinfobot tell it; of a public channel or group, @NAME. A topic of a group: its "
            "number behind a slash, as -1001234567890/45."
        ),
    ),
    "secret": (_("Signing secret"), _("At least 16 characters, known to you and the receiver; whsec_… is read as base64.")),
}
"""Label and hint."""
LENGTHS = {
    "headline": _("the headline"),
    "phases": _("what happened, phase by phase"),
    "dice": _("everything, with every die"),
}
_WHYS = {
    "missing": _("Something is not filled in: %(field)s."),
    "too-long": _("That is too long: %(field)s."),
    "not-https": _("The address must begin with https://."),
    "private": _("That address is inside a private network. Give one that can be reached from the whole internet."),
    "not-an-address": _("That is no address as it is needed here: https://, a host, no name and no password in it."),
    "not-a-topic": _("That is not the address of a topic. Open the topic, and copy the address from the browser."),
    "not-a-webhook": _("That is not the address of a Discord webhook: it ends with /api/webhooks/NUMBER/TOKEN."),
    "short-secret": _("The secret is too short: 16 characters at least."),
    "bad-token": _("That is not the token of a bot: it looks like 123456789:AAbb…, 35 signs after the colon."),
    "bad-chat": _("That is no chat: a number (of a group, with a minus), or @NAME of a public channel."),
    "bad-key": _("That holds signs that no key has: %(field)s."),
    "too-many": _("A battle is tied to eight places at most: untie one first."),
    "no-mail-address": _("That is no mail address as it is needed here: NAME@DOMAIN, the name in Latin letters."),
    "too-many-ways": _("Six ways are enough for one person: take one away first."),
    "no-service": _("That is no address of Apprise that may be used here."),
}
_ERRORS = {
    "timeout": _("No answer came in time."),
    "unreachable": _("The place cannot be reached."),
    "forbidden-address": _("The address leads to no public server, so nothing is sent there."),
    "status": _("The place refused it (answer %(status)s)."),
    "too-large": _("What was answered there is far too long. Is the address right?"),
    "bad-answer": _("What was answered there is not understood. Is the address right?"),
    "not-taken": _("The service did not take it."),
    "no-apprise": _("The host has not installed Apprise."),
    "no-mail": _("The host has set up no mail server."),
    "mail-login": _("The mail server does not take the host's password."),
    "no-tls": _("The mail server offers no encryption, so nothing is sent."),
    "bad-certificate": _("The mail server's certificate is not valid for its name, so nothing is sent."),
    "refused-address": _("The mail server says that there is no such address (answer %(status)s)."),
    "interrupted": _("The server was stopped in the middle of it, again and again."),
    "broken": _("Something broke here; the host finds it in the log."),
}
_STATUSES = {
    "401": _("The key is not taken there (answer %(status)s)."),
    "403": _("The key is not taken there, or may not post in this topic (answer %(status)s)."),
    "404": _("There is no such topic or address, or the key may not see it (answer %(status)s)."),
    "429": _("The place asks to wait (answer %(status)s)."),
    "3": _("The address has moved: tie the battle to the new one (answer %(status)s)."),
    "5": _("The place is in trouble itself (answer %(status)s)."),
}
"""By the answer, or by its first digit."""


def why(field: str, reason: str, words: Translator) -> str:
    """What is wrong with what was typed."""
    return words.gettext(_WHYS[reason]) % {"field": words.gettext(FIELDS[field][0])}


def own_error(failure: Mapping[str, Json], words: Translator) -> str:
    """The same for whoever named the place: with what was said there."""
    text, said = error(failure, words), failure.get("said")
    return words.gettext("%(error)s Said there: “%(said)s”") % {"error": text, "said": said} if said else text


def error(failure: Mapping[str, Json], words: Translator) -> str:
    """Why something was not posted; empty: no failure."""
    if not failure:
        return ""
    status, code = str(failure.get("status", "")), failure["code"]
    answered = _STATUSES.get(status) or _STATUSES.get(status[:1]) if code == "status" else None
    text = answered or _ERRORS.get(code, _ERRORS["broken"])
    return words.gettext(text) % {"status": status}
