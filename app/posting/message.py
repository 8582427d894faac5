"""What is posted, how it went, and why it did not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

Target = Mapping[str, str]
"""Where to: addresses and keys, by the names of the kind's fields. Secret as a whole."""

_CALLS: Final = re.compile("(@(?=[^\\s\u200b])|<(?=[!@#]))")


@dataclass(frozen=True)
class Message:
    """The same thing for every kind of place: plain text, the post as the place's own Markdown, and for programs `facts`
    (JSON). The mark stands in the post's link."""

    title: str
    text: str
    markdown: str
    url: str
    mark: str
    """Known again in the place, so that a repeat posts nothing: letters and digits."""
    picture_url: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    since: datetime | None = None
    """When it was written: what stood in the place before cannot be it."""


SKEW: Final = timedelta(hours=1)
"""So much may the clock of a place be wrong."""
MOST_PAGES: Final = 40
"""So far back a mark is searched for, a page of posts at a time, where nothing tells that these are older than it."""


def is_older(at: datetime | None, message: Message) -> bool:
    """Whether what was posted then was there before the message was written, so that the search may end."""
    return at is not None and message.since is not None and at < message.since - SKEW


def marked(url: str, mark: str) -> str:
    """A link with the mark behind it, where no reader sees it and every forum keeps it."""
    return f"{url}#post-{mark}"


def uncalling(text: str) -> str:
    """Words of others of which no chat makes a call: `@everyone`, `<!channel>`."""
    return _CALLS.sub("\\1\N{ZERO WIDTH SPACE}", text)


def cut(text: str, most: int) -> str:
    """A text of at most so many characters, where it has to be between lines, with a sign that there was more."""
    if len(text) <= most:
        return text
    head = text[: max(0, most - 2)]
    return f"{head.rpartition(chr(10))[0] or head}\n…"


@dataclass(frozen=True)
class Posted:
    """`link`: where it can be read; None: the place does not say. `was_there`: an earlier try had brought it already."""

    link: str | None = None
    was_there: bool = False


class PostError(Exception):
    """It did not arrive. Never holds an address or a key.

    Codes: `timeout`, `unreachable`, `forbidden-address` (not https, or not a public one), `status` (`status`: what was
    answered), `too-large` and `bad-answer` (an answer that is none), `not-taken` (by a service of Apprise), `no-apprise`.
    """

    def __init__(
        self, code: str, *, status: int | None = None, wait: int = 0, hopeless: bool = False, said: str = ""
    ) -> None:
        self.code = code
        self.status = status
        self.wait = wait
        """Seconds that the place asks for."""
        self.hopeless = hopeless
        """Another try would fail alike: somebody must change something first."""
        self.said = said
        """Why, in the place's own words: one short line; empty: it did not say."""
        super().__init__(code)
