"""The sentences that the reports' sources say, read from their syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import app.reports

FOLDER = Path(app.reports.__file__).parent
AREAS = {"problems.py": "problems", "scenariowords.py": "problems", "rulings.py": "problems", "logwords.py": "problems"}
"""Files whose words stand in another catalogue than `reports`."""
GENDERS = ("m", "f", "n")
_SINGLE = {"_", "say", "word", "gettext"}
_PLURAL = {"count", "ngettext"}


class Message(NamedTuple):
    context: str | None
    text: str
    many: str | None
    place: str


def messages(area: str) -> Iterator[Message]:
    """Every sentence of an area. One that agrees with a unit's gender is wanted three times, by context."""
    for file in sorted(FOLDER.rglob("*.py")):
        if AREAS.get(file.name, "reports") == area:
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Call):
                    yield from _said(node, f"{file.name}:{node.lineno}")


def _said(call: ast.Call, place: str) -> Iterator[Message]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    texts = [argument.value if isinstance(argument, ast.Constant) else None for argument in call.args]
    if name in _SINGLE and texts and isinstance(texts[0], str):
        yield Message(None, texts[0], None, place)
    elif name in _PLURAL and len(texts) > 2 and isinstance(texts[0], str) and isinstance(texts[1], str):
        yield Message(None, texts[0], texts[1], place)
    elif name == "pgettext" and len(texts) > 1 and isinstance(texts[1], str):
        assert isinstance(texts[0], str), place
        yield Message(texts[0], texts[1], None, place)
    elif name == "gendered":
        yield from (Message(gender, text, None, place) for text in _templates(call.args[1]) for gender in GENDERS)


def _templates(node: ast.expr) -> list[str]:
    """The sentences that an argument may be: itself, or those marked beside it in the same function."""
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
