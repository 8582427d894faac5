"""Every sentence of the pages is in the Russian catalogue, and the catalogue holds nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po

import app
from app.config import shipped

ROOT = Path(app.__file__).parent
AREAS = ("web", "field", "ties")
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "say": None}
OPTIONS = {"trimmed": "true", "encoding": "utf-8"}


def _messages() -> Iterator[tuple[str, str | tuple[str, ...]]]:
    sources = [f for f in (ROOT / "web").rglob("*.py") if "api" not in f.parts and f.name != "refusals.py"]
    sources.append(ROOT / "referee" / "posting.py")
    for method, files in (("python", sources), ("jinja2", list(shipped("templates").rglob("*.html")))):
        for file in sorted(files):
            for _line, message, _comments, _context in extract_from_file(method, file, KEYWORDS, options=OPTIONS):
                yield file.name, message


def _catalogue(area: str) -> Catalog:
    with (ROOT / "language" / "ru" / f"{area}.po").open("rb") as source:
        return read_po(source, locale="ru")


def test_every_sentence_of_the_pages_is_translated_and_none_is_left_over() -> None:
    known = {message.id for area in AREAS for message in _catalogue(area) if message.id}
    found = {message for _file, message in _messages()}
    assert "Wargames played by post" in found
    assert ("%(num)s unit", "%(num)s units") in found
    assert found - known == set()
    assert known - found == set()
