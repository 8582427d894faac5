"""The game master's guide: what it names stands so on the pages, in both languages, and it is served with its pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from app.config import shipped
from app.web.markdown import document
from app.web.pages.guide import FILES, address
from tests.web.conftest import Post

CATALOGUES = Path(__file__).parents[2] / "app" / "language" / "ru"
SOURCES = {language: (shipped("guide") / file).read_text(encoding="utf-8") for language, file in FILES.items()}
FORMS = {"ru": {"Настройках": "Настройки"}}
"""A name that the sentence has put into another case."""


def _names(language: str) -> list[re.Pattern[str]]:
    """All that stands on the pages in a language; anything may stand for a parameter."""
    found: list[re.Pattern[str]] = []
    for file in sorted(CATALOGUES.glob("*.po")):
        with file.open("rb") as read:
            for message in read_po(read, locale="ru"):
                texts = message.id if language == "en" else message.string
                for text in (texts,) if isinstance(texts, str) else texts:
                    parts = re.split(r"%\(\w+\)s", text)
                    if len(re.findall(r"\w", "".join(parts))) > 2:
                        found.append(re.compile(".+".join(map(re.escape, parts))))
    return found


def _named(source: str) -> set[str]:
    return set(re.findall(r"\*\*(.+?)\*\*", source.replace("\n", " ")))


@pytest.mark.parametrize("language", FILES)
def test_whatever_the_guide_names_stands_so_on_the_pages(language: str) -> None:
    names, forms = _names(language), FORMS.get(language, {})
    unknown = [
        name for name in sorted(_named(SOURCES[language])) if not any(n.fullmatch(forms.get(name, name)) for n in names)
    ]
    assert unknown == []


def test_the_two_guides_say_the_same() -> None:
    english, russian = (document(SOURCES[language], address) for language in ("en", "ru"))
    assert len(english.sections) == len(russian.sections) > 20
    counted = [[len(re.findall(mark, SOURCES[one])) for mark in (r"!\[", r"\n- ", r"\n\d\. ")] for one in ("en", "ru")]
    assert counted[0] == counted[1]


@pytest.mark.parametrize("language", FILES)
def test_the_guide_is_a_page_in_the_readers_language_with_its_pictures(post: Post, language: str) -> None:
    client = post.visitor(language)
    answer = client.get("/guide")
    assert answer.status_code == 200
    written = document(SOURCES[language], address)
    assert answer.text.count(f"<h1>{written.title.replace(chr(39), '&#39;')}</h1>") == 1
    assert [section.id for section in written.sections] == re.findall(r'<h2 id="(part-\d+)"', answer.text)
    pictures = re.findall(r'<img[^>]* src="([^"]+)"|<img src="([^"]+)"', answer.text)
    assert len(pictures) == SOURCES[language].count("![") > 5
    for picture in map("".join, pictures):
        got = client.get(picture)
        assert (got.status_code, got.headers["content-type"], got.content[:2]) == (200, "image/jpeg", b"\xff\xd8")


def test_each_link_of_the_guide_leads_somewhere(post: Post) -> None:
    client = post.visitor("en")
    page = client.get("/guide").text
    links = re.findall(r'href="([^"]+)"', page[page.index("<article") : page.index("</article>")])
    assert "/rules/cohesion" in links
    for link in links:
        assert client.get(link).status_code in (200, 303)


def test_a_picture_that_is_not_there_is_no_page(post: Post) -> None:
    client = post.visitor("en")
    for name in ("nothing", "..%2f..%2fsecret", "%2e%2e"):
        assert client.get(f"/guide/pictures/{name}.jpg").status_code == 404


def test_a_document_keeps_no_link_that_has_no_address_and_nothing_that_could_harm() -> None:
    drawn = document("# T\n\n[a](x.md) ![b](y.jpg) <script>alert(1)</script> [c](javascript:alert(1))\n", lambda _: None)
    assert drawn.title == "T"
    assert "href" not in drawn.html
    assert "<img" not in drawn.html
    assert "<script" not in drawn.html
