"""The form in which unit types and kinds of ground are written, in the data file and in scenarios alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from app.engine.fields import Fields, Path
from app.engine.ruleset import Json, Refused
from app.rulesets.cohesion import formula
from app.rulesets.cohesion.state import Melee, Power, Shooting, Terrain, Toughness, UnitType

MAX_STRENGTH: Final = 99
MAX_COHESION: Final = 99
MAX_SPEED: Final = 12
MAX_DICE: Final = 100
MAX_RANGE: Final = 30
MAX_VALUE: Final = 99
NAME_LENGTH: Final = 80
CODE_LENGTH: Final = 12
SECTIONS: Final = ("lower", "upper")

_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")
_TERRAIN = ("name", "must_stop", "half_melee", "special_toughness", "blocks_sight", "enter", "colour")
_TYPE = (
    *("name", "code", "gender", "symbol", "strength", "sections", "cohesion", "toughness"),
    *("speed", "charge_speed", "retreat_speed", "shooting", "melee", "withdraws", "passes", "passable", "value"),
)
_SHOOTING = ("range", "dice", "moving", "moving_steps", "power", "ignores", "adjacent_enemies")
_TOUGHNESS = ("first", "second", "special", "ordinary_counts")


def read_type(key: str, given: Json) -> UnitType:
    """A type from its form. Raises `Refused` with every mistake, fields beginning with the key."""
    fields = Fields()
    read = type_fields(fields, given, (key,))
    if fields.problems:
        raise Refused(fields.problems)
    return read


def read_terrain(key: str, given: Json) -> Terrain:
    """A kind of ground from its form. Raises `Refused` with every mistake, fields beginning with the key."""
    fields = Fields()
    read = terrain_fields(fields, given, (key,))
    if fields.problems:
        raise Refused(fields.problems)
    return read


def type_form(unit_type: UnitType) -> dict[str, Any]:
    """A type in the form that `read_type` reads."""
    form: dict[str, Any] = msgspec.to_builtins(unit_type)
    if unit_type.sections:
        del form["strength"]
    highest, start = form.pop("cohesion_max"), form.pop("cohesion_start")
    form["cohesion"] = highest if highest == start else {"max": highest, "start": start}
    return {name: form[name] for name in _TYPE if name in form}


def terrain_form(kind: Terrain) -> dict[str, Any]:
    """A kind of ground in the form that `read_terrain` reads."""
    form: dict[str, Any] = msgspec.to_builtins(kind)
    return form


def terrain_fields(fields: Fields, given: Json, path: Path) -> Terrain:
    """As `read_terrain`, its mistakes left in `fields`."""
    read = fields.mapping(given, path, known=_TERRAIN, needed=("name",))
    flags = {
        name: fields.flag(read.get(name, name == "enter"), (*path, name))
        for name in ("must_stop", "half_melee", "special_toughness", "blocks_sight", "enter")
    }
    return Terrain(
        name=fields.texts(read["name"], (*path, "name"), longest=NAME_LENGTH) if "name" in read else {},
        colour=colour_field(fields, read["colour"], (*path, "colour")) if read.get("colour") is not None else None,
        **flags,
    )


def type_fields(fields: Fields, given: Json, path: Path) -> UnitType:
    """As `read_type`, its mistakes left in `fields`."""
    needed = ("name", "code", "cohesion", "toughness", "speed")
    read = fields.mapping(given, path, known=_TYPE, needed=needed)
    if isinstance(given, Mapping) and ("strength" in read) == ("sections" in read):
        fields.wrong("strength-or-sections", (*path, "sections" if "sections" in read else "strength"))
    sections = _sections(fields, read["sections"], (*path, "sections")) if "sections" in read else {}
    strength = sum(sections.values()) or _whole(fields, read, path, "strength", 1, MAX_STRENGTH, 1)
    highest, start = _cohesion(fields, read.get("cohesion", 1), (*path, "cohesion"))
    values = {"strength": strength, "cohesion": highest, **sections}
    return UnitType(
        name=fields.texts(read["name"], (*path, "name"), longest=NAME_LENGTH) if "name" in read else {},
        code=_code(fields, read["code"], (*path, "code")) if "code" in read else {},
        strength=strength,
        sections=sections,
        cohesion_max=highest,
        cohesion_start=start,
        toughness=_toughness(fields, read["toughness"], (*path, "toughness")) if "toughness" in read else Toughness(1, 1),
        speed=_formula(fields, read.get("speed", "0"), (*path, "speed"), values, MAX_SPEED),
        charge_speed=_maybe(fields, read, path, "charge_speed", values, MAX_SPEED),
        retreat_speed=_maybe(fields, read, path, "retreat_speed", values, MAX_SPEED),
        shooting=_shooting(fields, read["shooting"], (*path, "shooting"), values) if _given(read, "shooting") else None,
        melee=_melee(fields, read["melee"], (*path, "melee"), values) if _given(read, "melee") else None,
        withdraws=fields.flag(read.get("withdraws", False), (*path, "withdraws")),
        passes=fields.word(read.get("passes", "none"), (*path, "passes"), ("none", "all")),
        passable=fields.word(read.get("passable", "none"), (*path, "passable"), ("none", "own", "all")),
        value=_whole(fields, read, path, "value", 0, MAX_VALUE, 1),
        gender=fields.word(read.get("gender", "m"), (*path, "gender"), ("m", "f", "n")),
        symbol=fields.text(read["symbol"], (*path, "symbol"), longest=40) if _given(read, "symbol") else "",
    )


def colour_field(fields: Fields, given: Json, path: Path) -> str:
    """`#rgb` or `#rrggbb`."""
    if isinstance(given, str) and _COLOUR.fullmatch(given):
        return given.lower()
    fields.wrong("not-a-colour", path, value=given[:20] if isinstance(given, str) else "")
    return "#888888"


def _given(read: Mapping[str, Any], name: str) -> bool:
    """Written, and not as "none": a type without shooting may leave it out or say `shooting: none`."""
    return name in read and read[name] is not None and read[name] != "none"


def _whole(fields: Fields, read: Mapping[str, Any], path: Path, name: str, low: int, high: int, left_out: int) -> int:
    return fields.whole(read[name], (*path, name), low, high) if name in read else left_out


def _sections(fields: Fields, given: Json, path: Path) -> dict[str, int]:
    read = fields.mapping(given, path, known=SECTIONS, needed=SECTIONS if isinstance(given, Mapping) else ())
    return {part: fields.whole(read[part], (*path, part), 1, MAX_STRENGTH // 2) for part in read}


def _cohesion(fields: Fields, given: Json, path: Path) -> tuple[int, int]:
    if not isinstance(given, Mapping):
        highest = fields.whole(given, path, 1, MAX_COHESION)
        return highest, highest
    read = fields.mapping(given, path, known=("max", "start"), needed=("max",))
    told = len(fields.problems)
    highest = _whole(fields, read, path, "max", 1, MAX_COHESION, MAX_COHESION)
    within = highest if len(fields.problems) == told else MAX_COHESION
    return highest, _whole(fields, read, path, "start", 1, within, highest)


def _code(fields: Fields, given: Json, path: Path) -> dict[str, str]:
    """Codes are typed into orders: letters, digits, full stops and hyphens, a letter first."""
    codes = fields.texts(given, path, longest=CODE_LENGTH)
    for language, code in codes.items():
        if code != "?" and not (code[0].isalpha() and all(sign.isalnum() or sign in ".-" for sign in code)):
            fields.wrong("bad-code", (*path, language) if isinstance(given, Mapping) else path, value=code)
    return codes


def _toughness(fields: Fields, given: Json, path: Path) -> Toughness:
    read = fields.mapping(given, path, known=_TOUGHNESS, needed=("first", "second") if isinstance(given, Mapping) else ())
    told = len(fields.problems)
    first = _whole(fields, read, path, "first", 1, 7, 1)
    second = _whole(fields, read, path, "second", 1, 7, 7)
    if second < first and len(fields.problems) == told:
        fields.wrong("second-below-first", (*path, "second"), first=first, value=second)
    counts: Literal["both", "second"] = fields.word(
        read.get("ordinary_counts", "both"), (*path, "ordinary_counts"), ("both", "second")
    )
    special = fields.flag(read.get("special", False), (*path, "special"))
    return Toughness(first, second, special, counts)


def _shooting(fields: Fields, given: Json, path: Path, values: Mapping[str, int]) -> Shooting:
    read = fields.mapping(given, path, known=_SHOOTING, needed=("range", "dice") if isinstance(given, Mapping) else ())
    return Shooting(
        range=_whole(fields, read, path, "range", 1, MAX_RANGE, 1),
        dice=_formula(fields, read.get("dice", "0"), (*path, "dice"), values, MAX_DICE),
        moving=_maybe(fields, read, path, "moving", values, MAX_DICE),
        moving_steps=_whole(fields, read, path, "moving_steps", 1, MAX_SPEED, 1) if "moving_steps" in read else None,
        power=fields.word(read.get("power", "ordinary"), (*path, "power"), ("ordinary", "terrifying")),
        ignores=_whole(fields, read, path, "ignores", 0, MAX_RANGE, 0),
        adjacent_enemies=_whole(fields, read, path, "adjacent_enemies", 0, 6, 1),
    )


def _melee(fields: Fields, given: Json, path: Path, values: Mapping[str, int]) -> Melee:
    read = fields.mapping(given, path, known=("dice", "power"), needed=("dice",) if isinstance(given, Mapping) else ())
    dice = _formula(fields, read.get("dice", "0"), (*path, "dice"), values, MAX_DICE)
    power: Power = fields.word(read.get("power", "ordinary"), (*path, "power"), ("ordinary", "terrifying"))
    return Melee(dice, power)


def _maybe(
    fields: Fields, read: Mapping[str, Any], path: Path, name: str, values: Mapping[str, int], high: int
) -> str | None:
    return _formula(fields, read[name], (*path, name), values, high) if _given(read, name) else None


def _formula(fields: Fields, given: Json, path: Path, values: Mapping[str, int], high: int) -> str:
    """A number or a formula that stays at or below `high` whatever becomes of the unit."""
    if isinstance(given, int) and not isinstance(given, bool):
        return str(fields.whole(given, path, 0, high))
    text = fields.text(given, path, longest=formula.MAX_LENGTH)
    if text == "?":
        return "0"
    try:
        strange = formula.names(text) - values.keys()
        _, highest = formula.bounds(text, values)
    except formula.BadFormula as bad:
        fields.wrong("bad-formula", path, why=bad.code, position=bad.position, found=bad.found[:20], value=text)
        return "0"
    if strange:
        fields.wrong("formula-without-sections", path, value=text, name=min(strange))
        return "0"
    if highest > high:
        fields.wrong("formula-too-large", path, value=text, highest=min(highest, 10**9), high=high)
        return "0"
    return text
