"""The table of refusals: complete, in both languages, with the statuses of the contract."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import app
from app.language import LANGUAGES
from app.web import refusals

ROOT = Path(app.__file__).parent
OURS = ("web/refusals.py", "web/api", "cli/findings.py", "cli/verify.py")


def _sources(*places: str) -> Iterator[Path]:
    for place in places:
        path = ROOT / place
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _calls(name: str, *places: str) -> Iterator[str]:
    """The first argument of every call of this name, where it is a plain text."""
    for source in _sources(*places):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value


def test_every_code_that_is_raised_has_a_row() -> None:
    raised = set(_calls("RefereeError", "referee", "web"))
    assert {"no-key", "stale", "bad-orders"} <= raised
    assert raised <= refusals.REFUSALS.keys()


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("no-key", 401),
        ("not-yours", 403),
        ("no-battle", 404),
        ("stale", 409),
        ("closed", 409),
        ("too-large", 413),
        ("bad-orders", 422),
        ("too-often", 429),
        ("no-such-code", 500),
    ],
)
def test_a_code_has_the_status_of_the_contract(code: str, status: int) -> None:
    assert refusals.status(code) == status


SPOKEN = {"begins": "2026-12-01T20:00:00+00:00", "ends": "2026-12-02T20:00:00+00:00", "zone": "Europe/Moscow"}
"""What a sentence says by a clock."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_is_a_whole_sentence_in_each_language(language: str) -> None:
    for code in refusals.REFUSALS:
        blanks = re.findall(r"%\((\w+)\)s", refusals.REFUSALS[code].text)
        filled = {blank: SPOKEN.get(blank, 5) for blank in blanks}
        text = refusals.words(code, language, filled)
        assert text.endswith((".", "?")), code
        assert bool(re.search("[а-яё]", text)) == (language == "ru"), code


def test_no_sentence_of_the_apis_catalogue_is_left_over() -> None:
    """That each is translated, in whichever catalogue, is tried with all others of the house."""
    with (ROOT / "language" / "ru" / "api.po").open("rb") as source:
        catalogue = {message.id for message in read_po(source, locale="ru") if message.id}
    marked = set(_calls("_", *OURS))
    assert len(marked) > 60
    assert catalogue <= marked
