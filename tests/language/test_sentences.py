"""Every sentence that a person sees is in the Russian catalogues, and they hold nothing else."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

import app
from app.config import shipped
from app.language import AREAS

ROOT = Path(app.__file__).parent
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
OPTIONS = {"trimmed": "true", "encoding": "utf-8"}
TEMPLATES = ("*.html", "*.jinja", "*.atom")


def _sources() -> Iterator[tuple[str, Path]]:
    for file in sorted(ROOT.rglob("*.py")):
        yield "python", file
    for pattern in TEMPLATES:
        for file in sorted(shipped("templates").rglob(pattern)):
            yield "jinja2", file


@cache
def _found() -> dict[object, str]:
    """Each sentence that is marked for translation, with the file it stands in."""
    found: dict[object, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for method, file in _sources():
            for _line, message, _comments, _context in extract_from_file(method, file, KEYWORDS, options=OPTIONS):
                found.setdefault(message, file.name)
    return found


@cache
def _known() -> dict[object, str]:
    known: dict[object, str] = {}
    for area in AREAS:
        with (ROOT / "language" / "ru" / f"{area}.po").open("rb") as source:
            known |= {message.id: area for message in read_po(source, locale="ru") if message.id}
    return known


def test_the_sentences_are_found_where_they_stand() -> None:
    assert "Wargames played by post" in _found()
    assert ("%(num)s unit", "%(num)s units") in _found()


def test_every_sentence_is_translated() -> None:
    assert {message: file for message, file in _found().items() if message not in _known()} == {}


def test_a_sentence_within_a_formatted_string_is_translated_too() -> None:
    """Of these the extractor sees but some."""
    said = [(file.name, text) for file in sorted(ROOT.rglob("*.py")) for text in _formatted(file)]
    assert said
    assert [(name, text) for name, text in said if text not in {m if isinstance(m, str) else m[0] for m in _known()}] == []


def _formatted(file: Path) -> Iterator[str]:
    strings = [node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.JoinedStr)]
    for call in (node for string in strings for node in ast.walk(string) if isinstance(node, ast.Call)):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in KEYWORDS and call.args and isinstance(call.args[0], ast.Constant):
            yield call.args[0].value


def test_no_catalogue_holds_a_sentence_that_nobody_says() -> None:
    """Some writers of reports have ways of their own to say a sentence; then it stands in a source as it is."""
    said = "\n".join(re.sub(r'"\s*\n\s*"', "", file.read_text(encoding="utf-8")) for _method, file in _sources())
    left = {message: area for message, area in _known().items() if message not in _found()}
    assert {m: area for m, area in left.items() if (m if isinstance(m, str) else m[0]) not in said} == {}
