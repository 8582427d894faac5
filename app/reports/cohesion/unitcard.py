"""What a unit of `cohesion` is and can do, in words made from its type's data; and what a turn did to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.events import Event
from app.language import Translator, translator
from app.reports.formulas import words as formula
from app.rulesets.cohesion.events import (
    Amended,
    Attacked,
    Broke,
    Caught,
    Destroyed,
    Encouraged,
    Lost,
    Moved,
    Recovered,
    Retreated,
    Withdrew,
)
from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.state import Melee, Shooting, State, Unit, UnitType


@dataclass(frozen=True)
class Fact:
    """A line of the card: what it speaks of, what holds, the rules that say so."""

    label: str
    text: str
    rules: tuple[str, ...] = ()


def facts(state: State, type_key: str, unit_id: str | None, language: str) -> tuple[Fact, ...]:
    """Raises KeyError for no such type."""
    say, kind = translator(language), state.types[type_key]
    unit = state.units.get(unit_id) if unit_id else None
    _ = say.gettext
    told = [
        Fact(_("Strength"), _strength(say, kind, unit), ("UNIT-1", *(("WS",) if kind.sections else ()))),
        Fact(_("Cohesion"), _cohesion(say, kind, unit), ("UNIT-1", "UNIT-2")),
        Fact(_("Toughness"), _toughness(say, kind), ("UNIT-3", *(("ATTACK-4",) if kind.toughness.special else ()))),
        Fact(_("Speed"), _speed(say, kind, unit, language), ("MOVE-1",)),
        Fact(_("Shooting"), _shooting(say, kind.shooting, unit, language), ("SHOOT-1", "SHOOT-6")),
        Fact(_("Melee"), _melee(say, kind.melee, unit, language), ("MELEE-1",)),
        *_skills(say, kind),
        Fact(_("Value"), say.ngettext("%(num)s point", "%(num)s points", kind.value), ("UNIT-6",)),
    ]
    if unit is not None and unit.at in state.board.terrain:
        ground = state.board.kinds[state.board.terrain[unit.at]]
        told.append(Fact(_("Stands on"), say.text(ground.name), _ground_rules(state.board.terrain[unit.at])))
    return tuple(told)


def rules(state: State, type_key: str, unit_id: str | None) -> tuple[str, ...]:
    """A type's own rule bears the type's key (WS, PR, PH)."""
    unit, kind = state.units.get(unit_id) if unit_id else None, state.types[type_key]
    return (
        *(("UNIT-2",) if unit is not None and unit.cohesion == 0 else ()),
        type_key,
        *(("WITHDRAW-1",) if kind.withdraws else ()),
        *(("ATTACK-3",) if _is_terrifying(kind) else ()),
    )


def story(unit: str, events: Sequence[Event], language: str) -> tuple[str, ...]:
    say = translator(language)
    lost = [event for event in events if isinstance(event, Lost) and event.unit == unit]
    told = [sentence for event in events if (sentence := _told(say, unit, event))]
    if lost:
        told.insert(0, _losses(say, sum(e.strength for e in lost), sum(e.cohesion for e in lost)))
    return tuple(told)


def _strength(say: Translator, kind: UnitType, unit: Unit | None) -> str:
    if kind.sections:
        parts = [
            say.gettext("upper %(now)s of %(full)s", now=unit.upper if unit else full, full=full)
            if part == "upper"
            else say.gettext("lower %(now)s of %(full)s", now=unit.lower if unit else full, full=full)
            for part, full in sorted(kind.sections.items(), reverse=True)
        ]
        return ", ".join(parts)
    return say.gettext("%(now)s of %(full)s", now=unit.strength if unit else kind.strength, full=kind.strength)


def _cohesion(say: Translator, kind: UnitType, unit: Unit | None) -> str:
    now = unit.cohesion if unit else kind.cohesion_start
    told = say.gettext("%(now)s of %(full)s", now=now, full=kind.cohesion_max)
    return say.gettext("%(value)s: uncontrolled", value=told) if now == 0 else told


def _toughness(say: Translator, kind: UnitType) -> str:
    value = f"{kind.toughness.first}+/{kind.toughness.second}+"
    if not kind.toughness.special:
        return say.gettext("%(value)s, ordinary", value=value)
    told = say.gettext("%(value)s, special", value=value)
    if kind.toughness.ordinary_counts == "second":
        told += "; " + say.gettext("of ordinary attacks only the second threshold counts")
    return told


def _speed(say: Translator, kind: UnitType, unit: Unit | None, language: str) -> str:
    told = [_counted(kind.speed, unit, language)]
    if kind.charge_speed:
        told.append(
            say.gettext("%(speed)s in a move that ends beside an enemy", speed=_counted(kind.charge_speed, unit, language))
        )
    if kind.retreat_speed:
        told.append(say.gettext("%(speed)s in retreat", speed=_counted(kind.retreat_speed, unit, language)))
    return "; ".join(told)


def _shooting(say: Translator, way: Shooting | None, unit: Unit | None, language: str) -> str:
    _ = say.gettext
    if way is None:
        return _("none")
    told = [
        _dice(say, way.dice, unit, language),
        say.ngettext("as far as %(num)s cell", "as far as %(num)s cells", way.range),
    ]
    if way.power == "terrifying":
        told.append(_("terrifying"))
    if way.moving is None:
        told.append(_("not on the move"))
    elif way.moving != way.dice:
        told.append(_("on the move %(dice)s", dice=_dice(say, way.moving, unit, language)))
    if way.moving is not None and way.moving_steps is not None:
        told.append(
            say.ngettext(
                "on the move only with a move of %(num)s step",
                "on the move only with a move of %(num)s steps at most",
                way.moving_steps,
            )
        )
    if way.ignores:
        told.append(say.ngettext("ignores %(num)s obstacle", "ignores %(num)s obstacles", way.ignores))
    if way.adjacent_enemies == 0:
        told.append(_("not with an enemy beside it"))
    return "; ".join(told)


def _melee(say: Translator, way: Melee | None, unit: Unit | None, language: str) -> str:
    if way is None:
        return say.gettext("none")
    told = _dice(say, way.dice, unit, language)
    return f"{told}; {say.gettext('terrifying')}" if way.power == "terrifying" else told


def _skills(say: Translator, kind: UnitType) -> list[Fact]:
    _ = say.gettext
    told = []
    if kind.withdraws:
        told.append(Fact(_("Can"), _("withdraw instead of melee"), ("WITHDRAW-1",)))
    if kind.passes == "all":
        told.append(Fact(_("Can"), _("move through all units"), ("UNIT-5",)))
    if kind.passable != "none":
        whose = _("its own side moves through it") if kind.passable == "own" else _("all move through it")
        told.append(Fact(_("Passable"), whose, ("UNIT-5",)))
    return told


def _ground_rules(kind: str) -> tuple[str, ...]:
    number = {"building": "TERRAIN-1", "rough": "TERRAIN-2", "impassable": "TERRAIN-3"}.get(kind)
    return (number,) if number else ()


def _is_terrifying(kind: UnitType) -> bool:
    return any(way is not None and way.power == "terrifying" for way in (kind.shooting, kind.melee))


def _dice(say: Translator, text: str, unit: Unit | None, language: str) -> str:
    told = formula(text, language)
    if unit is None:
        return told
    return f"{told} ({say.ngettext('now %(num)s die', 'now %(num)s dice', evaluate(text, unit))})"


def _counted(text: str, unit: Unit | None, language: str) -> str:
    told = formula(text, language)
    return (
        f"{told} ({translator(language).gettext('now %(num)s', num=evaluate(text, unit))})"
        if unit and told != text
        else told
    )


def _losses(say: Translator, strength: int, cohesion: int) -> str:
    parts = []
    if cohesion:
        parts.append(say.gettext("cohesion −%(num)s", num=cohesion))
    if strength:
        parts.append(say.gettext("strength −%(num)s", num=strength))
    return ", ".join(parts) or say.gettext("lost nothing")


def _told(say: Translator, unit: str, event: Event) -> str:
    """One event as it looks from the unit; empty: not worth a word on a card."""
    _ = say.gettext
    match event:
        case Attacked(attacker=by, target=target, phase=phase) if by == unit:
            return _("shot at %(unit)s", unit=target) if phase == "shooting" else _("fought %(unit)s", unit=target)
        case Broke(unit=who) if who == unit:
            return _("broke: uncontrolled")
        case Destroyed(unit=who, cell=cell) if who == unit:
            return _("was destroyed at %(cell)s", cell=cell)
        case Encouraged(unit=who, gain=gain) if who == unit and gain:
            return _("cohesion +%(num)s for a fallen enemy", num=gain)
        case Recovered(unit=who, gain=gain) if who == unit and gain:
            return _("cohesion +%(num)s from friends beside it", num=gain)
        case Caught(unit=who, by=by) if who == unit:
            return _("was caught by %(unit)s", unit=by)
        case Retreated(unit=who, start=start, path=path) if who == unit:
            return _("retreated: %(way)s", way="-".join((start, *path))) if path else _("could not retreat")
        case Withdrew(unit=who, start=start, path=path) if who == unit:
            return _("withdrew: %(way)s", way="-".join((start, *path)))
        case Moved(unit=who, start=start, path=path) if who == unit:
            return _("moved: %(way)s", way="-".join((start, *path)))
        case Amended(target="unit", key=who) if who == unit:
            return _("was corrected by the game master")
        case _other:
            return ""
