"""Lines of a battle's log in words: who with power did what."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.engine.ruleset import Json
from app.language import Translator, pick, translator
from app.reports import optionwords
from app.reports.tree import clean, fill, flat


def _(text: str) -> str:
    """Marks a sentence for the catalogues; it is translated when it is read aloud."""
    return text


LINES: Mapping[str, str] = {
    "made": _("The battle was made."),
    "holder-named": _("%(seat)s: the commander is %(holder)s."),
    "key-renewed": _("%(seat)s: a new secret link was made, the old one no longer works (link no. %(generation)s)."),
    "orders-on-behalf": _("%(seat)s: the game master entered its orders (revision %(revision)s)."),
    "ready-on-behalf": _("%(seat)s: the game master said that it is ready."),
    "deadline-set": _("The deadline was set: %(new)s (before: %(old)s)."),
    "held": _(
        "The server was away at the deadline (%(deadline)s; last seen %(seen)s): the turn waits for the game master's word."
    ),
    "gone-on": _("The game master let the battle go on after the outage."),
    "option-set": _("%(option)s: %(is)s (before: %(was)s)."),
    "resolved": _("The turn was resolved: %(by)s."),
    "published": _("The game master published the turn."),
    "ruled": _("Ruling of the game master: %(reason)s"),
    "imported": _(
        "The battle was imported from what was published of it until %(exported)s: it can be read and checked here, and is "
        "not played on (battle %(origin)s)."
    ),
    "imported-whole": _("The battle was imported as it stood at %(exported)s, and goes on here (battle %(origin)s)."),
}  # fmt: skip
OTHERS: Mapping[str, str] = {
    "holder-gone": _("%(seat)s: no commander is named."),
    "not-ready-on-behalf": _("%(seat)s: the game master said that it is not ready."),
    "ruled-by-rule": _("Ruling of the game master (%(rule)s): %(reason)s"),
    "no-deadline": _("no deadline"),
    "never": _("never"),
}
BY: Mapping[str, str] = {
    "deadline": _("the deadline was reached"),
    "ready": _("all seats were ready"),
    "master": _("the game master said so"),
    "prompt": _("everybody asked had answered"),
}
WHO: Mapping[str, str] = {"master": _("game master"), "clock": _("clock"), "seat": _("seat")}
UNKNOWN = _("Something was done (%(what)s).")


def log_words(
    what: str, params: Mapping[str, Any], language: str, *, scenario: Json | None = None, zone: str = "UTC"
) -> str:
    """A line of the log as one sentence; moments in the battle's zone. Plain text: each format escapes it."""
    say = translator(language)
    given = {name: _shown(say, name, value, scenario, zone) for name, value in params.items()}
    template = LINES.get(what)
    if what == "holder-named" and not params.get("holder"):
        template = OTHERS["holder-gone"]
    elif what == "ready-on-behalf" and params.get("ready") is False:
        template = OTHERS["not-ready-on-behalf"]
    elif what == "ruled" and params.get("rule"):
        template = OTHERS["ruled-by-rule"]
    try:
        return flat(fill(say.gettext(template or UNKNOWN), **{"what": what, **given}))
    except KeyError:
        return flat(fill(say.gettext(UNKNOWN), what=what))


def who_words(who: str, language: str) -> str:
    """Who did it: the game master, the clock or a seat."""
    return translator(language).gettext(WHO.get(who, who))


def _shown(say: Translator, name: str, value: Any, scenario: Json | None, zone: str) -> str:
    if name == "seat":
        given = ((scenario or {}).get("contingents") or {}).get(value) or {}
        return clean(pick(given.get("name"), say.language)) or clean(str(value))
    if name == "by":
        return say.gettext(BY.get(str(value), str(value)))
    if name == "option":
        return optionwords.title(str(value), say.language)
    if name in ("was", "is"):
        return optionwords.value(value, say.language)
    if name in ("old", "new", "deadline", "seen", "exported"):
        if value is None:
            return say.gettext(OTHERS["never" if name == "seen" else "no-deadline"])
        moment = datetime.fromisoformat(str(value))
        return f"{say.moment(moment, zone)} ({say.zone(zone, moment)})"
    return clean(str(value))
