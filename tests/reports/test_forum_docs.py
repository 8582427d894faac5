"""What the guides for forums say is what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.reports import bbcode, markdown, posts

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["forums.md", "forums.ru.md"])
def test_the_table_names_every_dialect_with_its_limit(name: str) -> None:
    rows = [line for line in (DOCS / name).read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    for key, form in posts.FORMS.items():
        assert any(f"`{key}`" in row for row in rows), key
        for dialect in form.dialects:
            (row,) = [row for row in rows if f"`{key}`, `{dialect}`" in row]
            limit = {**bbcode.DIALECTS, **markdown.DIALECTS}[dialect].limit
            assert row.replace(",", "").replace(" ", "").endswith(f"|{limit}|")
            folds = getattr({**bbcode.DIALECTS, **markdown.DIALECTS}[dialect], "spoiler", None)
            assert ("spoiler" in row.lower()) == (folds is not None)
