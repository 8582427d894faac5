"""The switches that rules leave open in words: a title, what it is about, and what each value means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.engine.ruleset import RulingSwitch
from app.language import marked as _
from app.language import translator


@dataclass(frozen=True)
class ValueWords:
    """`key` is the value as it is stored; `title` and `words` tell it."""

    key: str
    title: str
    words: str
    is_default: bool = False


@dataclass(frozen=True)
class SwitchWords:
    key: str
    title: str
    words: str
    rule: str
    values: tuple[ValueWords, ...]

    def value(self, key: str) -> ValueWords:
        """Raises KeyError for a value that the switch does not have."""
        for value in self.values:
            if value.key == key:
                return value
        raise KeyError(key)


SWITCHES: Mapping[str, tuple[str, str]] = {
    "missing-orders": (
        _("Units without orders"),
        _("What a controlled unit does that was given no orders by the deadline."),
    ),
    "reroll": (
        _("Which dice are rolled again"),
        _("An attack of ordinary power on special toughness rolls its hits again."),
    ),
    "second-only": (
        _("What the second threshold alone takes"),
        _("Under loss of power, and against the strider, only the second threshold counts."),
    ),
    "credit": (
        _("Who takes heart when an enemy falls"),
        _("When a unit's cohesion falls to 0, its attackers and their friends beside it gain one cohesion."),
    ),
    "uncontrolled-catch": (
        _("Do uncontrolled units catch others?"),
        _("A moving unit that ends beside a slower enemy which has not moved yet stops it for this turn."),
    ),
    "caught-rout": (
        _("Catching those who retreat"),
        _("Whether a unit in an uncontrolled retreat can be caught by a faster enemy."),
    ),
    "tie": (
        _("Both sides reach the goal with equal scores"),
        _("What happens if both sides have reached the goal at the same check and neither has more points."),
    ),
}  # fmt: skip
VALUES: Mapping[tuple[str, str], tuple[str, str]] = {
    ("missing-orders", "holds"): (_("it holds"), _("It stays where it is and attacks nobody.")),
    ("missing-orders", "fights"): (
        _("it fights"),
        _("It stays where it is and fights the adjacent enemy of least strength, of least id among equals."),
    ),
    ("reroll", "any"): (_("any hit"), _("Dice that reached either threshold, whether or not it counts in this attack.")),
    ("reroll", "counted"): (_("hits that count"), _("Only dice that reached a threshold that counts in this attack.")),
    ("second-only", "strength"): (_("strength alone"), _("A die that reaches it takes one strength and no cohesion.")),
    ("second-only", "both"): (_("strength and cohesion"), _("A die that reaches it takes one strength and one cohesion.")),
    ("credit", "all"): (_("all attackers"), _("Every unit that took cohesion off it, and their friends beside it.")),
    ("credit", "most"): (
        _("the strongest attacker"),
        _("Only the unit that took most of its cohesion (all of them, if equal), and friends beside it."),
    ),
    ("uncontrolled-catch", "no"): (_("they do not"), _("Units in an uncontrolled retreat stop nobody.")),
    ("uncontrolled-catch", "yes"): (_("they do"), _("Units in an uncontrolled retreat stop slower enemies too.")),
    ("caught-rout", "bleeds"): (
        _("caught, and bleeds"),
        _("It is caught, and loses one strength for each step of its speed."),
    ),
    ("caught-rout", "exempt"): (_("not caught"), _("Retreating units are not caught.")),
    ("tie", "draw"): (_("it is a draw"), _("The battle ends in a draw.")),
    ("tie", "on"): (_("the battle goes on"), _("The battle goes on until a check finds the scores unequal.")),
}  # fmt: skip


def switch_words(switch: RulingSwitch, language: str) -> SwitchWords:
    """One switch, told. A switch or a value without words is told by its key."""
    say = translator(language).gettext
    title, about = SWITCHES.get(switch.key, (switch.key, ""))
    values = []
    for key in switch.values:
        name, words = VALUES.get((switch.key, key), (key, ""))
        values.append(ValueWords(key, say(name), say(words) if words else "", key == switch.default))
    return SwitchWords(switch.key, say(title), say(about) if about else "", switch.rule, tuple(values))


def switches_words(switches: Iterable[RulingSwitch], language: str) -> tuple[SwitchWords, ...]:
    """All switches of a ruleset, told, in their order."""
    return tuple(switch_words(switch, language) for switch in switches)
