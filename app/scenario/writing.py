"""A frozen scenario -> the text of a scenario file, which reads back to the very same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.engine.ruleset import Json
from app.geometry.hex import grid

_SIGNS: Final = {"open": ".", "rough": "r", "building": "B", "impassable": "#"}
_SPARE: Final = "abcdefghijklmnopqstuvwxyzACDEFGHIJKLMNOPQRSTUVWXYZ0123456789~^*+=%&$@!?<>/"


def write_scenario(frozen: Json) -> str:
    """YAML text of a frozen scenario of `cohesion`."""
    return "\n".join(_lines(frozen)) + "\n"


def _lines(frozen: Mapping[str, Any]) -> Iterator[str]:
    yield f"format: {frozen['format']}"
    yield f"ruleset: {frozen['ruleset']}"
    yield f"key: {_text(frozen['key'])}"
    yield f"title: {_value(frozen['title'])}"
    if frozen["notes"]:
        yield "notes:"
        for language, text in frozen["notes"].items():
            yield from _block(language, text)
    yield f"goal: {frozen['goal']}"
    yield from _board(frozen["board"])
    yield from _section("terrain", frozen["board"]["kinds"])
    yield from _section("types", frozen["types"])
    sides = {side: dict(given) for side, given in frozen["sides"].items()}
    yield from _section("sides", sides)
    yield from _section("contingents", frozen["contingents"])
    yield from _section("units", frozen["units"])
    yield from _section("carry", frozen.get("carry", {}))
    if frozen["rulings"]:
        yield f"rulings: {_value(frozen['rulings'])}"


def _board(board: Mapping[str, Any]) -> Iterator[str]:
    columns, rows = (int(number) for number in board["size"].split("x"))
    labels = grid(columns, rows, board["layout"]).labels
    kinds = ["open", *dict.fromkeys(board["terrain"].values())]
    spare = (sign for sign in _SPARE)
    signs = {kind: _SIGNS.get(kind) or next(spare) for kind in kinds}
    shift = board["layout"] == "pointy"
    yield "board:"
    yield f"  layout: {board['layout']}"
    yield "  map: |2"
    for row in range(rows):
        cells = labels[row * columns : (row + 1) * columns]
        drawn = " ".join(signs[board["terrain"].get(label, "open")] for label in cells)
        yield f"    {' ' if shift and row % 2 else ''}{drawn}"
    yield f"  legend: {_value({sign: kind for kind, sign in signs.items()})}"


def _section(name: str, parts: Mapping[str, Any]) -> Iterator[str]:
    if parts:
        yield f"{name}:"
        for key, given in parts.items():
            yield f"  {_text(key)}: {_value(given)}"


def _block(language: str, text: str) -> Iterator[str]:
    """A text of several lines, as a block where YAML keeps it as it is."""
    lines = text.split("\n")
    if "\t" in text or any(line != line.rstrip() for line in lines):
        yield f"  {language}: {_text(text)}"
        return
    yield f"  {language}: |2-"
    for line in lines:
        yield f"    {line}" if line else ""


def _value(given: Any) -> str:
    if isinstance(given, Mapping):
        return "{" + ", ".join(f"{_text(key)}: {_value(part)}" for key, part in given.items()) + "}"
    if isinstance(given, bool):
        return "yes" if given else "no"
    return str(given) if isinstance(given, int) else _text(given)


def _text(text: str) -> str:
    """A text bare where nobody could misread it, else in double quotes, as JSON and YAML both have them."""
    bare = text.isascii() and text.replace("-", "a").isalnum() and text[0].isalpha()
    return text if bare and text not in {"true", "false", "null"} else json.dumps(text, ensure_ascii=False)
