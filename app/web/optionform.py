"""A battle's options as a form, and as what players are told of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

import msgspec

from app.language import Translator
from app.language import marked as _
from app.referee.options import REMIND_MAX, Looks, Options
from app.reports import optionwords
from app.web.parts import Trouble, capital

HINTS: Mapping[str, str] = {
    "shared_plan": _("Friends see what each of them has entered so far; the other side and the game master do not."),
    "looks": _("Each look is written into the log for all to see, before he sees anything. Who plays himself never looks."),
    "open_thread": _("Else only commanders and game masters write there; all may read."),
    "extend_hours": _("Once for each seat in a battle; 0: the deadline holds."),
    "offer_after": _("Turns in a row; 0: a seat is never offered."),
    "doctrine": _("Hold and fight, hold, or withdraw if able, as its commander has chosen."),
    "hand_over": _("To whom he likes; all are told. Without it, only the game master does."),
    "remind_hours": _("0: nobody is reminded."),
    "grace_minutes": _("0: the battle waits until you say so."),
}
MOST: Mapping[str, int] = {
    "extend_hours": 24 * 14,
    "offer_after": 100,
    "remind_hours": REMIND_MAX,
    "grace_minutes": 60 * 24 * 14,
}
HIGHEST = 100_000
"""Where nothing else is said of a number."""
CHOICES: Mapping[str, tuple[str, ...]] = {"looks": get_args(Looks)}
PREFIX = "option:"
BEFORE = "was:" + PREFIX


@dataclass(frozen=True)
class OptionField:
    """`kind`: `tick`, `choice` or `number`. `value`: as it is typed; of a tick `yes` or empty."""

    name: str
    kind: str
    title: str
    hint: str
    value: str
    was: str
    """As it stood when the form was made: what its reader has left so stays as it is now."""
    most: int
    choices: tuple[tuple[str, str], ...]
    is_default: bool


def fields_of(options: Options, words: Translator, typed: Mapping[str, str] | None = None) -> tuple[OptionField, ...]:
    """Every option, as it is or as it was typed."""
    return tuple(_field(name, options, words, typed) for name in Options.__struct_fields__)


def read(typed: Mapping[str, str], options: Options, words: Translator) -> tuple[Options, tuple[Trouble, ...]]:
    """The options of a form that was sent whole, and what is wrong with it; a value that is wrong stays as it was, and so
    does one that its reader has left as he found it, which another may have changed meanwhile."""
    found: dict[str, object] = {}
    troubles = []
    for name in Options.__struct_fields__:
        text = typed.get(PREFIX + name, "").strip()
        was = getattr(options, name)
        if BEFORE + name in typed and typed[BEFORE + name] == text:
            continue
        if isinstance(was, bool):
            found[name] = text not in ("", "0", "no")
        elif name in CHOICES:
            if text in CHOICES[name]:
                found[name] = text
            else:
                troubles.append(_trouble(name, words, words.gettext("Choose one of the list.")))
        elif text.isascii() and text.isdigit() and len(text) < 7 and int(text) <= MOST.get(name, HIGHEST):
            found[name] = int(text)
        else:
            why = words.gettext("A whole number from 0 to %(most)s.", most=MOST.get(name, HIGHEST))
            troubles.append(_trouble(name, words, why))
    return msgspec.structs.replace(options, **found), tuple(troubles)


def told(options: Options, words: Translator) -> tuple[str, ...]:
    """What players should know: who may see their orders, and whatever differs from the usual."""
    usual = Options()
    return tuple(
        f"{capital(optionwords.title(name, words.language))}: {optionwords.value(getattr(options, name), words.language)}"
        for name in Options.__struct_fields__
        if name in ("looks", "shared_plan") or getattr(options, name) != getattr(usual, name)
    )


def _field(name: str, options: Options, words: Translator, typed: Mapping[str, str] | None) -> OptionField:
    value, usual = getattr(options, name), getattr(Options(), name)
    is_tick = isinstance(value, bool)
    written, usually = (("yes" if one else "") if is_tick else str(one) for one in (value, usual))
    choices = tuple((key, optionwords.value(key, words.language)) for key in CHOICES.get(name, ()))
    return OptionField(
        name=PREFIX + name,
        kind="tick" if is_tick else "choice" if choices else "number",
        title=capital(optionwords.title(name, words.language)),
        hint=words.gettext(HINTS[name]) if name in HINTS else "",
        value=written if typed is None else typed.get(PREFIX + name, ""),
        was=written if typed is None or BEFORE + name not in typed else typed[BEFORE + name],
        most=MOST.get(name, HIGHEST),
        choices=choices,
        is_default=(written if typed is None else typed.get(PREFIX + name, "")) == usually,
    )


def _trouble(name: str, words: Translator, why: str) -> Trouble:
    return Trouble(f"{capital(optionwords.title(name, words.language))}: {why}", PREFIX + name)
