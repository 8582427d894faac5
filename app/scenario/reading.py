"""A scenario file -> its frozen form, or every mistake at once."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import msgspec

from app.engine.fields import Fields, shown
from app.engine.ruleset import Json, Problem
from app.scenario.board import Spot
from app.scenario.carrying import carry_fields
from app.scenario.forms import FORMS
from app.scenario.yamltree import MAX_PROBLEMS, Place, Tree, key_name, read_tree, tree_of

FORMAT: Final = 1
TITLE_LENGTH: Final = 120
NOTES_LENGTH: Final = 20_000

_HEADER = ("format", "ruleset", "key", "title", "notes")
_KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_BROKEN_OFF: Final = {
    *("file-too-long", "not-yaml", "tab", "bad-character", "too-many-parts", "too-deep", "second-document"),
}
_ABOUT_KEYS: Final = {
    *("unknown-key", "key-not-a-text", "bad-name", "bad-sign", "id-twice", "id-is-a-cell", "open-is-fixed", "too-many"),
    *("not-two-sides", "none-at-all", "type-never-used", "ground-never-used", "side-without-seat", "seat-without-units"),
    *("carry-no-place", "side-called-draw"),
    *("unlike-value", "same-home", "board-in-pieces", "board-size", "strength-or-sections"),
}


class Reading(NamedTuple):
    """`frozen` is None where there is any mistake. Problems and warnings come in the order of the file; their `field` is
    the path of the key, their params hold `key` and, for a text, `line` and `column`."""

    frozen: Json | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()


def read_scenario(given: Json) -> Reading:
    """A scenario as YAML text, or as the JSON of the same shape. Never raises for anything that is in it."""
    tree = read_tree(given) if isinstance(given, str) else tree_of(given)
    if any(problem.code in _BROKEN_OFF for problem in tree.problems):
        return Reading(None, _sorted(tree.problems))
    if tree.value is None:
        return Reading(None, (Problem("empty-file", (), {"key": "", "line": 1, "column": 1}),))
    fields = Fields()
    try:
        frozen, spots = _checked(fields, tree.value)
    except RecursionError:  # JSON nested as deep as only a hostile caller would
        return Reading(None, (Problem("too-deep", (), {"key": "", "most": 10}),))
    problems = [*tree.problems, *_placed(fields.problems, tree, given, spots)]
    if problems:
        return Reading(None, _sorted(problems))
    odd = FORMS[frozen["ruleset"]].lint
    if odd is not None:
        odd(fields, frozen)
    return Reading(frozen, (), _sorted(_placed(fields.problems, tree, given, {})))


def _checked(fields: Fields, value: Any) -> tuple[dict[str, Any], dict[int, Spot]]:
    form = FORMS[_game(value)]
    needed = ("format", "ruleset", "key", "title", *form.needed)
    read = fields.mapping(value, (), known=(*_HEADER, *form.keys, "carry"), needed=needed)
    if "format" in read and read["format"] != FORMAT:
        fields.wrong("unknown-format", ("format",), value=shown(read["format"]), known=FORMAT)
    ruleset = fields.word(read["ruleset"], ("ruleset",), tuple(FORMS)) if "ruleset" in read else _game(value)
    key = read.get("key")
    if "key" in read and not (isinstance(key, str) and _KEY.fullmatch(key)):
        fields.wrong("bad-scenario-key", ("key",), value=shown(key))
    title = fields.texts(read["title"], ("title",), longest=TITLE_LENGTH) if "title" in read else {}
    notes = read.get("notes")
    frozen: dict[str, Any] = {
        "format": FORMAT,
        "ruleset": ruleset,
        "key": key,
        "title": title,
        "notes": fields.texts(notes, ("notes",), longest=NOTES_LENGTH, lines=True) if notes is not None else {},
    }
    rest, spots = form.check(fields, read)
    carried = {"carry": carry_fields(fields, read["carry"], rest.get("units", {}))} if "carry" in read else {}
    return frozen | rest | carried, spots


def _game(value: Any) -> str:
    """By whose keys a file is read; one that names no known game is read as of the first, so that its other mistakes are
    told as well."""
    named = value.get("ruleset") if isinstance(value, dict) else None
    return named if isinstance(named, str) and named in FORMS else next(iter(FORMS))


def _placed(problems: list[Problem], tree: Tree, source: Json, spots: dict[int, Spot]) -> list[Problem]:
    """Problems with the line and the column of what they are about."""
    placed = []
    for number, problem in enumerate(problems):
        place = tree.place(problem.field, of_key=problem.code in _ABOUT_KEYS)
        if number in spots and isinstance(source, str):
            place = _in_map(source, tree, spots[number]) or place
        where = {} if place is None else {"line": place.line, "column": place.column}
        params = {**where, **problem.params, "key": key_name(problem.field)}
        placed.append(msgspec.structs.replace(problem, params=params))
    return placed


def _in_map(source: str, tree: Tree, spot: Spot) -> Place | None:
    """The place of a sign of the map, where the map is written as a block of lines."""
    start = tree.places.get(("board", "map"))
    if start is None or ("board", "map") not in tree.blocks:
        return None
    line = start.line + 1 + spot.line
    text = (source.split("\n")[line - 1 : line] or [""])[0]
    columns = [at for at, sign in enumerate(text) if not sign.isspace()]
    return Place(line, columns[min(spot.sign, len(columns) - 1)] + 1) if columns else None


def _sorted(problems: list[Problem]) -> tuple[Problem, ...]:
    ordered = sorted(problems, key=lambda p: (p.params.get("line", 0), p.params.get("column", 0)))
    return tuple(ordered[:MAX_PROBLEMS])
