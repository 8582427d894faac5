"""Notices in words: every code that a person may be told, what it belongs to, its facts and its sentence.

A notice goes out in the clear, to addresses that nobody here controls: no sentence has room for what only one side knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.engine.ruleset import Json
from app.language import Translator, pick, translator
from app.language import marked as _
from app.reports.tree import clean, fill, flat


@dataclass(frozen=True)
class Code:
    """`facts`: exactly what it is told with; moments as RFC 3339 or None. `bare`: the sentence where a fact is None."""

    topic: str
    text: str
    facts: tuple[str, ...] = ()
    bare: str = ""
    until: str = ""
    """The fact that says by when it must be read: quiet hours and digests do not hold it back beyond that."""
    lapses: bool = False
    """Not sent any more when the battle's deadline is past, or another than `until` says."""


TOPICS: Mapping[str, str] = {
    "turns": _("Turns: published, opened, deadlines moved, pauses"),
    "reminders": _("Reminders before a deadline"),
    "messages": _("New messages (that there are some, never their text)"),
    "rulings": _("Rulings of the game master, rewinds"),
    "people": _("Seats: offered, given, deputies"),
    "desk": _("For the game master: all are ready, a notice did not arrive"),
}
"""What a person chooses among."""
ALWAYS = "always"
"""What is told of the subscription itself, whatever was chosen."""
ASKED = "asked"
"""What is told to somebody because he asked, whatever else was chosen; his quiet hours and his digest hold."""
CODES: Mapping[str, Code] = {
    "turn-published": Code("turns", _("Turn %(turn)s is published.")),
    "turn-opened": Code(
        "turns", _("Turn %(turn)s is open. Orders until %(deadline)s."), ("deadline",), _("Turn %(turn)s is open.")
    ),
    "deadline-moved": Code("turns", _("Turn %(turn)s: the deadline is now %(new)s (before: %(old)s)."), ("old", "new")),
    "paused": Code("turns", _("The battle is paused until %(until)s."), ("until",), _("The battle is paused.")),
    "pause-asked": Code(
        "turns",
        _("A game master who plays asks for a pause: it begins when a commander of each side agrees, on the battle's page."),
    ),
    "time-declined": Code(
        "turns",
        _("%(seat)s: the game master gives turn %(turn)s no more time. Orders until %(deadline)s."),
        ("seat", "deadline"),
        until="deadline",
    ),
    "schedule-changed": Code("turns", _("The schedule was changed: the battle's page has the next deadlines.")),
    "resumed": Code("turns", _("The battle goes on. Orders until %(deadline)s."), ("deadline",), _("The battle goes on.")),
    "held": Code(
        "turns",
        _(
            "The server was away at the deadline: turn %(turn)s waits for the game master's word. Without one, the battle "
            "goes on at %(until)s."
        ),
        ("until",),
        _("The server was away at the deadline: turn %(turn)s waits for the game master's word."),
    ),
    "gone-on": Code("turns", _("The battle goes on after the outage.")),
    "battle-over": Code("turns", _("The battle is over.")),
    "reminder": Code(
        "reminders",
        _("%(seat)s: orders for turn %(turn)s are still missing or incomplete. Orders until %(deadline)s."),
        ("seat", "deadline"),
        until="deadline",
        lapses=True,
    ),
    "reminder-corrected": Code(
        "reminders",
        _("Turn %(turn)s: you were reminded of %(old)s. The deadline is now %(deadline)s."),
        ("old", "deadline"),
        until="deadline",
        lapses=True,
    ),
    "message": Code("messages", _("New messages: %(count)s. They are read in the battle alone."), ("count",)),
    "ruled": Code("rulings", _("Ruling of the game master: %(reason)s"), ("reason",)),
    "rewound": Code(
        "rulings",
        _("The battle was taken back to the start of turn %(turn)s: %(reason)s"),
        ("reason",),
        _("The battle was taken back to the start of turn %(turn)s."),
    ),
    "seat-offered": Code("people", _("A seat is free: %(seat)s."), ("seat",)),
    "seat-given": Code("people", _("%(seat)s has a new commander."), ("seat",)),
    "seat-asked": Code("desk", _("Somebody asks for a seat: the desk tells who.")),
    "asking-withdrawn": Code("desk", _("Somebody who asked for a seat has taken it back.")),
    "seat-waited-for": Code("desk", _("%(seat)s is free, and somebody waits for it: the desk tells who."), ("seat",)),
    "side-settled": Code("people", _("A side has settled who has which contingent.")),
    "swap-proposed": Code("people", _("%(seat)s: an exchange of contingents is proposed to you, in the battle."), ("seat",)),
    "contingents-swapped": Code("people", _("%(seat)s and %(other)s have exchanged their commanders."), ("seat", "other")),
    "deputy-began": Code(
        "people",
        _("A deputy stands in for %(seat)s until %(until)s."),
        ("seat", "until"),
        _("A deputy stands in for %(seat)s."),
    ),
    "away-began": Code("people", _("%(seat)s: the commander is away until %(until)s."), ("seat", "until")),
    "leave-ended": Code("people", _("%(seat)s: the commander is back."), ("seat",)),
    "asking-given": Code(ASKED, _("You have the seat that you asked for: %(seat)s."), ("seat",)),
    "asking-side": Code(ASKED, _("You are accepted to a side. Now it settles among itself who has which contingent.")),
    "asking-listed": Code(ASKED, _("You are on the waiting list for a seat.")),
    "asking-offered": Code(
        ASKED, _("A seat is offered to you: %(seat)s. It is kept for you until %(until)s."), ("seat", "until"), until="until"
    ),
    "asking-lapsed": Code(ASKED, _("The seat that was offered to you was not taken in time.")),
    "asking-declined": Code(ASKED, _("The game master declined your asking for a seat.")),
    "time-asked": Code(
        "desk",
        _("%(seat)s asks for %(hours)s h more for turn %(turn)s. Orders until %(deadline)s."),
        ("seat", "hours", "deadline"),
        until="deadline",
    ),
    "all-ready": Code("desk", _("Turn %(turn)s: all seats are ready.")),
    "delivery-failed": Code("desk", _("A notice to %(whom)s did not arrive and is given up; the desk says why."), ("whom",)),
    "trial": Code(ALWAYS, _("This is a test line: notices arrive here.")),
    "confirm": Code(
        ALWAYS,
        _(
            "Somebody asked for notices of a battle to be sent here. If it was you, open this link and press the button; "
            "if not, do nothing, and nothing more will be sent."
        ),
    ),
}
"""A code more is an entry here and its Russian in the catalogue."""
MASTER = ""
"""For `whom` and `seat`: the game master."""
_MOMENTS = frozenset({"old", "new", "until", "deadline"})
_OTHERS = {"no-deadline": _("no deadline"), "master": _("the game master")}


def notice(
    code: str,
    facts: Mapping[str, Any],
    language: str,
    *,
    turn: int | None = None,
    scenario: Json | None = None,
    zone: str = "UTC",
) -> str:
    """A notice as one sentence; moments in the reader's zone. Plain text: each format escapes it."""
    say, known = translator(language), CODES[code]
    template = known.bare if known.bare and any(facts.get(name) is None for name in known.facts) else known.text
    given = {name: _shown(say, name, facts.get(name), scenario, zone) for name in known.facts}
    return flat(fill(say.gettext(template), **{"turn": "–" if turn is None else str(turn), **given}))


def _shown(say: Translator, name: str, value: Any, scenario: Json | None, zone: str) -> str:
    if name in {"seat", "whom", "other"}:
        if value == MASTER:
            return say.gettext(_OTHERS["master"])
        named = ((scenario or {}).get("contingents") or {}).get(value) or {}
        return clean(pick(named.get("name"), say.language)) or clean(str(value))
    if name in _MOMENTS:
        if value is None:
            return say.gettext(_OTHERS["no-deadline"])
        moment = datetime.fromisoformat(str(value))
        return f"{say.moment(moment, zone)} ({say.zone(zone, moment)})"
    return clean(str(value))
