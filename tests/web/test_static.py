"""Scripts and style sheets keep to what browsers of three years ago know, and a page without TLS."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import app.web

STATIC = Path(app.web.__file__).parent / "static"
SCRIPTS = sorted(path.name for path in STATIC.glob("*.js"))
SHEETS = sorted(path.name for path in STATIC.glob("*.css"))
LATER = (
    r"\b(?:Array\.fromAsync|Object\.groupBy|Map\.groupBy|Promise\.(?:withResolvers|try)|AbortSignal\.any|URL\.(?:parse|canParse))\b",
    r"\b(?:startViewTransition|showPopover|checkVisibility|searchParams\.size)\b",
    r"\bnew FormData\([^()]*,",
)
"""Not in each of Firefox 115, Safari 16.4 and Chromium 110."""
WITH_TLS_ALONE = r"\b(?:randomUUID|crypto\.subtle|navigator\.locks|serviceWorker)\b"
LATER_IN_SHEETS = r"light-dark\(|color-mix\(|@starting-style|@scope|@property|^\s*&|text-decoration: *underline \w+"
"""The last one: Safari wants line, style and colour said apart."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_asks_for_nothing_newer(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf-8")
    assert [found for asked in (*LATER, WITH_TLS_ALONE) for found in re.findall(asked, text)] == []


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_a_page_without_tls_lacks_may_fail(name: str) -> None:
    """`navigator.clipboard` is read in a `try` alone."""
    text = (STATIC / name).read_text(encoding="utf-8")
    outside = re.sub(r"try \{.*?\} catch", "", text, flags=re.DOTALL)
    assert "navigator.clipboard" not in outside


@pytest.mark.parametrize("name", SHEETS)
def test_a_style_sheet_asks_for_nothing_newer(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf-8")
    assert re.findall(LATER_IN_SHEETS, text, flags=re.MULTILINE) == []


@pytest.mark.parametrize("name", SHEETS)
def test_a_selector_that_looks_inside_takes_no_other_with_it(name: str) -> None:
    """A browser that does not know `:has()` drops the whole list of selectors."""
    text = re.sub(r"/\*.*?\*/", "", (STATIC / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    listed = [rule.strip() for rule in re.findall(r"[^{};]+(?=\{)", text) if ":has(" in rule and "@supports" not in rule]
    assert [rule for rule in listed if re.search(r",(?![^()]*\))", rule)] == []
