"""A battle's options in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.language import marked as _
from app.language import translator

TITLES: Mapping[str, str] = {
    "early": _("a turn is resolved as soon as all are ready"),
    "review": _("the game master sees each result first, and publishes it"),
    "shared_plan": _("commanders of a side see each other's orders"),
    "looks": _("the game master may read sealed orders"),
    "open_thread": _("anybody with an account may write in the public thread"),
    "extend_hours": _("hours added once for a silent seat"),
    "offer_after": _("silent turns until a seat is offered to others"),
    "doctrine": _("a silent seat follows its standing doctrine"),
    "hand_over": _("a commander may hand over his seat himself"),
    "remind_hours": _("hours before the deadline at which silent seats are reminded"),
    "grace_minutes": _("minutes after an outage until the battle goes on by itself"),
}
VALUES: Mapping[Any, str] = {
    True: _("yes"),
    False: _("no"),
    "never": _("never"),
    "after-deadline": _("after the deadline"),
    "always": _("always"),
}


def title(option: str, language: str) -> str:
    """What an option decides; begins with a small letter."""
    return translator(language).gettext(TITLES.get(option, option))


def value(chosen: Any, language: str) -> str:
    """A number stays a number."""
    known = isinstance(chosen, (bool, str)) and chosen in VALUES
    return translator(language).gettext(VALUES[chosen]) if known else str(chosen)
