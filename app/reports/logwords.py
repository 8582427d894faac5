"""Lines of a battle's log in words: who with power did what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from operator import not_
from typing import Any, NamedTuple

from app.engine.ruleset import Json
from app.language import Translator, capital, pick, translator
from app.language import marked as _
from app.reports import optionwords, schedulewords, seatwords
from app.reports.tree import clean, fill, flat

LINES: Mapping[str, str] = {
    "made": _("The battle was made."),
    "holder-named": _("%(seat)s: the commander is %(holder)s."),
    "key-renewed": _("%(seat)s: a new secret link was made, the old one no longer works (link no. %(generation)s)."),
    "key-own": _("%(seat)s: the commander made a link of his own, which nobody else knows; the old one no longer works."),
    "master-added": _("%(master)s is a game master of this battle from now on."),
    "master-removed": _("%(master)s is no longer a game master of this battle."),
    "master-plays": _("A game master plays in this battle as well: %(master)s."),
    "master-seat": _("%(seat)s: a game master plays this seat himself (%(master)s)."),
    "players-sought": _("The game master looks for players (open seats: %(open)s)."),
    "players-not-sought": _("The game master looks for players no more."),
    "sides-choose": _("Sides settle among themselves who has which contingent, until %(settled)s."),
    "seat-given": _("%(seat)s was asked for and given: the commander is %(holder)s."),
    "side-settled": _("%(side)s: it is settled who has which contingent."),
    "contingents-swapped": _("%(seat)s and %(other)s have exchanged their commanders; orders stay with the contingents."),
    "extended-for-silence": _("The deadline was extended for who is silent (%(seats)s): %(new)s (before: %(old)s)."),
    "seat-offered": _("%(seat)s: the seat is offered to others."),
    "seat-not-offered": _("%(seat)s: the seat is not offered any more."),
    "seat-replaced": _("%(seat)s: the seat was given to another commander, %(holder)s; %(orders)s."),
    "seat-removed": _("%(seat)s: the seat has no commander any more; %(orders)s."),
    "seat-handed-over": _("%(seat)s: the commander handed the seat over to %(holder)s; %(orders)s."),
    "seat-shared": _("%(seat)s: the seat is shared with %(with)s."),
    "seat-not-shared": _("%(seat)s: the seat is not shared with %(with)s any more."),
    "leave-named": _("%(seat)s: the commander is away from %(begins)s to %(until)s. Standing in: %(deputy)s."),
    "deputy-began": _("%(seat)s: a deputy stands in until %(until)s: %(deputy)s."),
    "away-began": _("%(seat)s: the commander is away until %(until)s."),
    "leave-ended": _("%(seat)s: the leave is over, the commander is back."),
    "deputy-gone": _("%(seat)s: whoever was to stand in has given up his own seat; nobody does now."),
    "program-chosen": _("%(seat)s: a program fills the seat (%(program)s)."),
    "doctrine-on-behalf": _("%(seat)s: the game master chose its standing doctrine."),
    "doctrine-followed": _("%(seat)s was silent and followed its standing doctrine: %(doctrine)s."),
    "orders-on-behalf": _("%(seat)s: the game master entered its orders (revision %(revision)s)."),
    "ready-on-behalf": _("%(seat)s: the game master said that it is ready."),
    "deadline-set": _("The deadline was set: %(new)s (before: %(old)s)."),
    "held": _(
        "The server was away at the deadline (%(deadline)s; last seen %(seen)s): the turn waits for the game master's word."
    ),
    "gone-on": _("The game master let the battle go on after the outage."),
    "gone-on-by-itself": _(
        "The battle went on by itself, %(minutes)s minutes after the outage was noticed (deadline: %(deadline)s)."
    ),
    "extended": _("The deadline was extended: %(new)s (before: %(old)s)."),
    "shortened": _("The deadline was brought forward: %(new)s (before: %(old)s)."),
    "paused": _("The battle was paused until %(until)s (deadline before: %(deadline)s)."),
    "resumed": _("The pause ended. The deadline is %(new)s (before the pause: %(old)s)."),
    "time-asked": _("%(seat)s: asked for %(hours)s h more."),
    "time-taken-back": _("%(seat)s: needs no more time after all."),
    "time-declined": _("%(seat)s: the game master gave no more time."),
    "pause-asked": _("The game master, who plays as well, asked for a pause until %(until)s."),
    "pause-agreed": _("%(seat)s: agreed to the pause."),
    "pause-declined": _("%(seat)s: declined the pause."),
    "schedule-set": _("The schedule was changed: %(is)s (before: %(was)s)."),
    "zone-changed": _("The zone's clock goes by another law now: the deadline is %(new)s (before: %(old)s)."),
    "option-set": _("%(option)s: %(is)s (before: %(was)s)."),
    "resolved": _("The turn was resolved: %(by)s."),
    "published": _("The game master published the turn."),
    "ruled": _("Ruling of the game master: %(reason)s"),
    "rerolled": _("The game master had dice rolled again (%(address)s): %(reason)s"),
    "set-aside": _("The game master set a line of the report aside: %(reason)s"),
    "rewound": _("The game master took the battle back to the start of turn %(to)s: %(reason)s"),
    "taken-up": _("The game master took up line %(line)s again, which had been left: %(reason)s"),
    "looked": _("%(seat)s: the game master read its sealed orders (revision %(revision)s)."),
    "message-hidden": _("The game master hid message %(number)s of the public thread: %(reason)s"),
    "message-shown": _("The game master showed message %(number)s of the public thread again."),
    "arms-removed": _("%(seat)s: the game master removed its coat of arms."),
    "tied": _("The game master tied the battle to a place (%(kind)s): its turns are posted there by themselves."),
    "untied": _("The game master untied the battle from a place (%(kind)s): nothing more is posted there."),
    "joined-campaign": _("The battle joined the campaign “%(title)s”."),
    "left-campaign": _("The battle left the campaign “%(title)s”."),
    "imported": _(
        "The battle was imported from what was published of it until %(exported)s: it can be read and checked here, and is "
        "not played on (battle %(origin)s)."
    ),
    "imported-whole": _("The battle was imported as it stood at %(exported)s, and goes on here (battle %(origin)s)."),
}  # fmt: skip
OTHERS: Mapping[str, str] = {
    "holder-gone": _("%(seat)s: no commander is named."),
    "not-ready-on-behalf": _("%(seat)s: the game master said that it is not ready."),
    "sides-choose-openly": _("Sides settle among themselves who has which contingent."),
    "contingents-swapped-anew": _("%(seat)s and %(other)s have exchanged their commanders; both begin their orders anew."),
    "replaced-by-unnamed": _("%(seat)s: the seat was given to another commander; %(orders)s."),
    "leave-ended-early": _("%(seat)s: the leave ended before its time, the commander is back."),
    "program-gone": _("%(seat)s: no program fills the seat any more."),
    "ruled-by-rule": _("Ruling of the game master (%(rule)s): %(reason)s"),
    "master-only-leads": _("The game master does not play in this battle any more: %(master)s."),
    "some-master": _("game master"),
    "no-deadline": _("no deadline"),
    "open-end": _("the game master says so"),
    "by-master": _("Game master"),
    "with-reason": _("%(text)s Reason: %(reason)s"),
    "never": _("never"),
    "paused-without-deadline": _("The battle was paused until %(until)s."),
    "resumed-without-deadline": _("The pause ended."),
}


def _never(_value: object) -> bool:
    return False


def _is_false(value: object) -> bool:
    return value is False


VARIANTS: Mapping[str, tuple[str, Callable[[Any], bool], str]] = {
    "holder-named": ("holder", not_, "holder-gone"),
    "ready-on-behalf": ("ready", _is_false, "not-ready-on-behalf"),
    "master-plays": ("plays", _is_false, "master-only-leads"),
    "sides-choose": ("settled", not_, "sides-choose-openly"),
    "contingents-swapped": ("fresh", bool, "contingents-swapped-anew"),
    "seat-replaced": ("holder", not_, "replaced-by-unnamed"),
    "leave-ended": ("early", bool, "leave-ended-early"),
    "program-chosen": ("program", not_, "program-gone"),
    "ruled": ("rule", bool, "ruled-by-rule"),
    "paused": ("deadline", not_, "paused-without-deadline"),
    "resumed": ("new", not_, "resumed-without-deadline"),
}
"""Of a code: the fact that decides, when it asks for another line, and which."""
REASONED = frozenset({"extended", "shortened", "paused", "pause-asked", "time-asked"})
"""Lines that may give a reason; rulings always do."""
BY: Mapping[str, str] = {
    "deadline": _("the deadline was reached"),
    "ready": _("all seats were ready"),
    "master": _("the game master said so"),
    "prompt": _("everybody asked had answered"),
}
PLACES: Mapping[str, str] = {
    "discourse": "Discourse",
    "nodebb": "NodeBB",
    "discord": "Discord",
    "telegram": "Telegram",
    "webhook": _("Webhook"),
    "apprise": _("Slack, Pushover and others"),
}
"""Kinds of places that a battle is tied to."""
WHO: Mapping[str, str] = {"master": _("game master"), "clock": _("clock"), "seat": _("seat")}
NAMES_FIRST = ("%(seat)s", "%(option)s")
"""What a scenario or the options call by a small letter, and a line may begin with."""
UNKNOWN = _("Something was done (%(what)s).")


def log_words(
    what: str, params: Mapping[str, Any], language: str, *, scenario: Json | None = None, zone: str = "UTC"
) -> str:
    """A line of the log as one sentence; moments in the battle's zone. Plain text: each format escapes it."""
    say = translator(language)
    given = {name: _shown(say, name, value, scenario, zone) for name, value in params.items()}
    template = _template(what, params)
    try:
        text = flat(fill(say.gettext(template or UNKNOWN), **{"what": what, **given}))
        if what in REASONED and params.get("reason"):
            text = flat(fill(say.gettext(OTHERS["with-reason"]), text=text, reason=given["reason"]))
        return capital(text) if (template or "").startswith(NAMES_FIRST) else text
    except KeyError:
        return flat(fill(say.gettext(UNKNOWN), what=what))


def _template(what: str, params: Mapping[str, Any]) -> str | None:
    name, is_other, other = VARIANTS.get(what, ("", _never, ""))
    return OTHERS[other] if is_other(params.get(name)) else LINES.get(what)


def who_words(who: str, language: str, name: str | None = None) -> str:
    """Who did it: the game master, by his name where he has given one, the clock or a seat."""
    told = translator(language).gettext(WHO.get(who, who))
    return f"{told} {clean(name)}" if name else told


class _Told(NamedTuple):
    """Whom a fact is told to: in which language, of which scenario, by which clock."""

    say: Translator
    scenario: Json | None
    zone: str

    def of_scenario(self, part: str, key: Any) -> str:
        """The name of a side or a seat, its key where the scenario gives none."""
        given = ((self.scenario or {}).get(part) or {}).get(key) or {}
        return clean(pick(given.get("name"), self.say.language)) or clean(str(key))


def _shown(say: Translator, name: str, value: Any, scenario: Json | None, zone: str) -> str:
    """A fact of a line by its name."""
    show = FACTS.get(name)
    return clean(str(value)) if show is None else show(_Told(say, scenario, zone), value)


def _seat(told: _Told, seat: str | None) -> str:
    return told.say.gettext(OTHERS["by-master"]) if seat is None else told.of_scenario("contingents", seat)


def _seats(told: _Told, seats: Any) -> str:
    return told.say.list([_seat(told, seat) for seat in seats]) if isinstance(seats, list) else clean(str(seats))


def _side(told: _Told, side: str) -> str:
    return told.of_scenario("sides", side)


def _deputy(told: _Told, deputy: Any) -> str:
    """Somebody's name, or the seat that he holds."""
    if isinstance(deputy, Mapping):
        return _seat(told, deputy["seat"])
    return clean(deputy or seatwords.nobody(told.say.language))


def _master(told: _Told, name: str | None) -> str:
    return clean(name) if name else told.say.gettext(OTHERS["some-master"])


def _changed(told: _Told, value: Any) -> str:
    """A schedule, or the value of an option."""
    if not isinstance(value, Mapping):
        return optionwords.value(value, told.say.language)
    zone = told.say.zone(str(value.get("zone", "UTC")))
    return f"{schedulewords.words(value, told.say.language)} ({zone})"


def _moment(none: str) -> Callable[[_Told, str | None], str]:
    def moment(told: _Told, value: str | None) -> str:
        if value is None:
            return told.say.gettext(OTHERS[none])
        at = datetime.fromisoformat(str(value))
        return f"{told.say.moment(at, told.zone)} ({told.say.zone(told.zone, at)})"

    return moment


def _seated(words: Callable[[str, str], str]) -> Callable[[_Told, str | None], str]:
    return lambda told, value: clean(str(value)) if value is None else words(str(value), told.say.language)


FACTS: Mapping[str, Callable[[_Told, Any], str]] = {
    "seat": _seat,
    "other": _seat,
    "seats": _seats,
    "side": _side,
    "deputy": _deputy,
    "master": _master,
    "was": _changed,
    "is": _changed,
    "orders": _seated(seatwords.orders),
    "program": _seated(seatwords.program),
    "doctrine": _seated(seatwords.doctrine),
    "option": lambda told, value: optionwords.title(str(value), told.say.language),
    "by": lambda told, value: told.say.gettext(BY.get(str(value), str(value))),
    "kind": lambda told, value: told.say.gettext(PLACES[value]) if value in PLACES else clean(str(value)),
    "until": _moment("open-end"),
    "seen": _moment("never"),
    **dict.fromkeys(("old", "new", "deadline", "exported", "settled", "begins"), _moment("no-deadline")),
}
"""How the facts of a line are told, by name; the others are told as they are."""
