"""What one unit may do, in the reader's words: for the field on which orders are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.engine.ruleset import Json
from app.language import Translator
from app.web.unitcards import Desk


def told(desk: Desk, prospects: Json) -> Json:
    """The ruleset's prospects of a unit with names and sentences added: `name`, `far`, `says`."""
    counter = desk.counter(prospects["unit"])
    return {
        **prospects,
        "name": desk.unit(prospects["unit"]),
        "values": counter.values if counter else "",
        "targets": [_target(desk, target) for target in prospects["targets"]],
        "hidden": [_hidden(desk, hidden) for hidden in prospects["hidden"]],
        "close_says": _close(desk, prospects["close"]),
        "held_codes": {c.id: c.code for c in desk.scene.counters if c.cell in prospects["held"]},
    }


def odds_words(words: Translator, odds: Mapping[str, Any]) -> str:
    """`3 dice, 4+ takes cohesion and 6+ strength too. On average 1.5 cohesion and 0.5 strength; …`"""
    _ = words.gettext
    if not odds["mode"]:
        return _("No dice: there is no attack.")
    dice = words.ngettext("%(num)s die", "%(num)s dice", odds["dice"])
    average = _(
        "On average %(cohesion)s cohesion and %(strength)s strength; breaks it: %(breaks)s; destroys it: %(destroys)s.",
        cohesion=words.number(round(odds["cohesion"], 2)),
        strength=words.number(round(odds["strength"], 2)),
        breaks=percent(odds["breaks"]),
        destroys=percent(odds["destroys"]),
    )
    return f"{dice}: {_reading(words, odds)}. {average}"


def percent(chance: float) -> str:
    """Whole parts of a hundred; what is not quite sure, or not quite impossible, is never told as if it were."""
    if 0 < chance < 0.01:
        return "<1\u00a0%"
    if 0.99 < chance < 1:
        return ">99\u00a0%"
    return f"{round(chance * 100)}\u00a0%"


def _reading(words: Translator, odds: Mapping[str, Any]) -> str:
    _ = words.gettext
    first, second = odds["first"], odds["second"]
    if odds["mode"] == "terrifying":
        if odds["single"]:
            return _("of three, the middle one takes cohesion, the lowest strength")
        return _("the highest takes cohesion, the next one strength")
    if odds["counts"] == "both":
        read = _("%(first)s+ takes cohesion, %(second)s+ strength too", first=first, second=second)
    elif odds["also"]:
        read = _("only %(second)s+ counts, for cohesion and strength", second=second)
    else:
        read = _("only %(second)s+ counts, for strength alone", second=second)
    if odds["mode"] == "reroll":
        read += "; " + _("%(reached)s+ is rolled again, and only the second roll counts", reached=odds["reached"])
    return read


def _target(desk: Desk, target: Json) -> Json:
    words, counter = desk.words, desk.counter(target["unit"])
    return {
        **target,
        "name": desk.unit(target["unit"]),
        "values": counter.values if counter else "",
        "far": words.ngettext("%(num)s cell away", "%(num)s cells away", target["range"]),
        "shoot": _with_words(words, target["shoot"]),
        "melee": _with_words(words, target["melee"]),
    }


def _with_words(words: Translator, of: Json) -> Json:
    if of is None:
        return None
    return {how: None if odds is None else {**odds, "says": odds_words(words, odds)} for how, odds in of.items()}


def _hidden(desk: Desk, hidden: Json) -> Json:
    name = desk.unit(hidden["unit"])
    kinds, words = desk.state.board.kinds, desk.words
    things = [
        desk.unit(by["unit"]) if by["unit"] else f"{words.text(kinds[by['ground']].name)} {by['cell']}"
        for by in hidden["by"]
    ]
    says = words.gettext("%(unit)s is out of sight; in the way: %(things)s.", unit=name, things=words.list(things))
    return {**hidden, "name": name, "says": says}


def _close(desk: Desk, close: list[str]) -> str:
    if not close:
        return ""
    units = desk.words.list([desk.unit(unit) for unit in close])
    return desk.words.gettext("It cannot shoot with so many enemies beside it: %(units)s.", units=units)
