"""The switches of a ruleset as a page shows them: what is asked, what each value means, which one holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from app.engine.ruleset import AnyRuleset
from app.language import Translator
from app.reports.rules import game_name
from app.reports.rulings import switches_words


@dataclass(frozen=True)
class Value:
    key: str
    title: str
    text: str
    is_default: bool
    is_chosen: bool


@dataclass(frozen=True)
class Switch:
    key: str
    rule: str
    title: str
    text: str
    values: tuple[Value, ...]

    @property
    def chosen(self) -> Value:
        return next(value for value in self.values if value.is_chosen)

    @property
    def is_default(self) -> bool:
        return self.chosen.is_default


@dataclass(frozen=True)
class GameRulings:
    """What the rules of one game leave open, on a form in which it may be settled."""

    key: str
    name: str
    switches: tuple[Switch, ...]
    chosen: Mapping[str, str]
    """As it was typed; a switch that is left out, or empty, is as the scenario says."""

    @property
    def is_touched(self) -> bool:
        return any(self.chosen.values())


def of_games(
    games: Iterable[AnyRuleset], typed: Callable[[str], Mapping[str, str]], words: Translator
) -> tuple[GameRulings, ...]:
    """Of each game that leaves something open; `typed`: by the key of the game what was typed for it."""
    return tuple(
        GameRulings(game.key, game_name(game.key, words.language), switches(game, typed(game.key), words), typed(game.key))
        for game in games
        if game.switches
    )


def switches(ruleset: AnyRuleset, chosen: Mapping[str, str], words: Translator) -> tuple[Switch, ...]:
    """Every switch with its values; one whose value is not known stands at its default."""
    told = []
    for switch, said in zip(ruleset.switches, switches_words(ruleset.switches, words.language), strict=True):
        holds = chosen.get(switch.key, switch.default)
        holds = holds if holds in switch.values else switch.default
        values = tuple(Value(v.key, v.title, v.words, v.is_default, v.key == holds) for v in said.values)
        told.append(Switch(switch.key, switch.rule, said.title, said.words, values))
    return tuple(told)
