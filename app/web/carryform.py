"""The form in which units are brought over from an earlier battle of a campaign: which takes which place, and the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from app.engine.ruleset import Json, Rest
from app.language import Translator
from app.language import marked as _
from app.referee import carrying
from app.referee.campaignviews import CampaignView
from app.referee.carrying import Choice, Earlier
from app.rulesets.registry import RULESETS
from app.web.campaignwords import battle_name
from app.web.deps import Fields, House

UNIT, BACK = "carry:", "back:"

RESTS: Mapping[str, str] = {
    "as-is": _("none: all losses stay"),
    "rallied": _("a short one: cohesion is whole again"),
    "half": _("a long one: of what each value has lost, half is back, rounded down"),
}


@dataclass(frozen=True)
class Typed:
    """As it was typed. `shown_for`: the battle and the scenario whose units the form showed; empty: none yet."""

    battle: str = ""
    rest: Rest = "as-is"
    shown_for: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    back: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Option:
    value: str
    text: str


@dataclass(frozen=True)
class Row:
    """A place of the scenario, and who may take it. `back`: as typed; None: nobody who may take it was destroyed."""

    place: str
    text: str
    options: tuple[Option, ...]
    chosen: str
    back: str | None


@dataclass(frozen=True)
class CarryForm:
    battles: tuple[Option, ...]
    battle: str
    rests: tuple[Option, ...]
    rest: str
    rows: tuple[Row, ...]
    shown_for: str
    turn: int
    """After which turn of the earlier battle."""
    is_other_game: bool
    """The scenario is of another game than the earlier battle."""


def typed(fields: Fields) -> Typed:
    rest = fields["carry_rest"]
    return Typed(
        battle=fields.line("carry_battle"),
        rest=next((known for known in get_args(Rest) if known == rest), "as-is"),
        shown_for=fields["carry_for"],
        units={name.removeprefix(UNIT): fields.line(name) for name in fields if name.startswith(UNIT)},
        back={name.removeprefix(BACK): fields.line(name) for name in fields if name.startswith(BACK)},
    )


def mark(battle: str, scenario: Json) -> str:
    """By which a form knows whether the units that it shows are still those that are asked for."""
    units = ",".join(scenario.get("units", {}))
    return f"{battle}/{hashlib.sha256(units.encode()).hexdigest()[:12]}"


def is_same_game(before: Earlier, scenario: Json) -> bool:
    """Whether units of the one may stand in the other at all."""
    return bool(scenario.get("ruleset") == before.ruleset.key)


def choice(form: Typed, before: Earlier) -> Choice:
    """What was chosen. A strength counts where the unit was destroyed; what is no number is 0, and refused later."""
    units = {place: unit for place, unit in form.units.items() if unit}
    back = {
        place: int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0
        for place, text in form.back.items()
        if text and place in units and units[place] not in before.standing
    }
    return Choice(form.battle, units, form.rest, back)


def drawn(here: House, campaign: CampaignView, form: Typed, scenario: Json | None, words: Translator) -> CarryForm | None:
    """The form; None where there is nobody who could come over. `scenario`: into whose places; None: not known yet."""
    able = [
        Option(battle.id, battle_name(battle, words))
        for battle in campaign.battles
        if carrying.is_open(RULESETS.get(battle.ruleset))
    ]
    if not able:
        return None
    known = form.battle in {option.value for option in able}
    before = carrying.earlier(here.db, form.battle) if known else None
    rows: tuple[Row, ...] = ()
    shown_for = ""
    if before is not None and scenario is not None and is_same_game(before, scenario):
        shown_for = mark(before.id, scenario)
        rows = _rows(before, form, scenario, words, is_new=form.shown_for != shown_for)
    return CarryForm(
        battles=tuple(able),
        battle=form.battle if known else "",
        rests=tuple(Option(key, words.gettext(text)) for key, text in RESTS.items()),
        rest=form.rest,
        rows=rows,
        shown_for=shown_for,
        turn=before.turn if before else 0,
        is_other_game=before is not None and scenario is not None and not is_same_game(before, scenario),
    )


def _rows(before: Earlier, form: Typed, scenario: Json, words: Translator, *, is_new: bool) -> tuple[Row, ...]:
    suggested = carrying.suggested(scenario, before)
    values = {c.id: c.values for c in before.ruleset.scene(before.state, words.language, before.scenario).counters}
    fallen = words.gettext("destroyed")
    rows = []
    for place, unit in scenario.get("units", {}).items():
        able = [key for key, other in before.units.items() if other.get("type") in (None, unit.get("type"))]
        gone = any(key not in before.standing for key in able)
        rows.append(
            Row(
                place=place,
                text=f"{place}, {unit['type']}" if "type" in unit else place,
                options=tuple(Option(key, f"{key} · {values.get(key, fallen)}") for key in able),
                chosen=suggested.get(place, "") if is_new else form.units.get(place, ""),
                back=("" if is_new else form.back.get(place, "")) if gone else None,
            )
        )
    return tuple(row for row in rows if row.options)
