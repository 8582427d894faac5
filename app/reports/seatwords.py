"""Words about seats: standing doctrines, programs, what becomes of orders when a seat changes hands."""

from __future__ import annotations

from collections.abc import Mapping

from app.language import marked as _
from app.language import translator

DOCTRINES: Mapping[str, tuple[str, str]] = {
    "hold-and-fight": (
        _("hold and fight"),
        _("Stays where it is, shoots at the nearest enemy that it can shoot at, and melees the weakest enemy beside it."),
    ),
    "hold": (_("hold"), _("Stays where it is and attacks nobody.")),
    "withdraw-if-able": (
        _("withdraw if able"),
        _("Withdraws from an enemy beside it, if its type can and its way back is free; otherwise it holds."),
    ),
}
"""By the name that a ruleset has for it: the title, and what a unit without orders does by it."""
PROGRAMS: Mapping[str, str] = {"random": _("the random player")}
ORDERS: Mapping[str, str] = {
    "keep": _("the orders entered so far stay"),
    "empty": _("the orders begin anew"),
}
NOBODY = _("nobody")


def doctrine(name: str, language: str) -> str:
    """Its title; begins with a small letter."""
    return translator(language).gettext(DOCTRINES[name][0]) if name in DOCTRINES else name


def doctrine_text(name: str, language: str) -> str:
    return translator(language).gettext(DOCTRINES[name][1]) if name in DOCTRINES else ""


def program(name: str, language: str) -> str:
    return translator(language).gettext(PROGRAMS.get(name, name))


def orders(what: str, language: str) -> str:
    return translator(language).gettext(ORDERS.get(what, what))


def nobody(language: str) -> str:
    return translator(language).gettext(NOBODY)
