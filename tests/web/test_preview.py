"""A bare link in a forum or a chat shows the title, the score and the picture."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.drawing import raster
from app.referee import turns
from app.referee.views import NewBattle, Viewer
from tests.web.conftest import Post

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SITE = "https://field.example"


@pytest.fixture
def post(post: Post) -> Post:
    post.app.state.house = replace(post.house, settings=Settings(data=post.house.settings.data, base_url=SITE))
    return post


def _resolve(post: Post, made: NewBattle) -> None:
    turns.resolve_now(post.house.db, made.id, Viewer("master", battle_id=made.id), turn=1, now=NOW)


def _tags(page: str) -> dict[str, str]:
    head = page[: page.index("</head>")]
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', head)
    return {name: html.unescape(value) for name, value in found}


def _is_here(reader: TestClient, address: str) -> bytes:
    assert address.startswith(SITE)
    answer = reader.get(address.removeprefix(SITE))
    assert answer.status_code == 200
    return answer.content


@pytest.mark.parametrize(
    ("language", "title", "told"),
    [
        ("en", "Skirmish", "Before the first turn; North 0, South 0; to 1 point."),
        ("ru", "Стычка", "Перед первым ходом; Север 0, Юг 0; до 1 очка."),
    ],
)
def test_a_battle_that_has_just_begun(post: Post, language: str, title: str, told: str) -> None:
    made = post.battle()
    reader = post.visitor(language)
    tags = _tags(reader.get(f"/b/{made.id}").text)
    assert (tags["og:title"], tags["og:description"]) == (title, told)
    assert tags["og:url"] == f"{SITE}/b/{made.id}"
    assert tags["og:image"] == f"{SITE}/b/{made.id}/t/0.png?lang={language}"
    _is_here(reader, tags["og:image"])


@pytest.mark.parametrize(
    ("language", "title", "told"),
    [
        ("en", "Skirmish · Turn 1", "After turn 1; North 0, South 0; to 1 point."),
        ("ru", "Стычка · Ход 1", "После хода 1; Север 0, Юг 0; до 1 очка."),
    ],
)
def test_a_turn_tells_its_score_and_shows_its_picture_in_the_readers_language(
    post: Post, language: str, title: str, told: str
) -> None:
    made = post.battle()
    _resolve(post, made)
    reader = post.visitor(language)
    tags = _tags(reader.get(f"/b/{made.id}/t/1").text)
    assert (tags["og:title"], tags["og:description"]) == (title, told)
    assert tags["twitter:card"] == "summary_large_image"
    assert tags["twitter:image"] == tags["og:image"] == f"{SITE}/b/{made.id}/t/1.png?lang={language}"
    assert tags["og:locale"].startswith(language)
    picture = raster._vips().Image.new_from_buffer(_is_here(reader, tags["og:image"]), "")
    assert abs(picture.width - int(tags["og:image:width"])) <= 1
    assert abs(picture.height - int(tags["og:image:height"])) <= 1
    assert tags["og:image:alt"].startswith(title.partition(" ·")[0])
    assert _tags(reader.get(f"/b/{made.id}").text)["og:image"] == tags["og:image"]


def test_a_turn_under_review_is_not_in_the_preview_of_its_battle(post: Post) -> None:
    made = post.battle(review=True)
    _resolve(post, made)
    for reader in (post.visitor(), post.holder(made.master_key)):
        assert _tags(reader.get(f"/b/{made.id}").text)["og:image"].endswith("/t/0.png?lang=en")


def test_a_title_with_quotes_and_signs_stays_a_title(post: Post) -> None:
    title = 'The "<b>Great</b>" & small'
    made = post.battle(title=title)
    assert _tags(post.visitor().get(f"/b/{made.id}").text)["og:title"] == title


def test_the_page_of_a_turn_has_its_film_and_a_still_for_less_motion(post: Post) -> None:
    made = post.battle()
    _resolve(post, made)
    page = post.visitor("ru").get(f"/b/{made.id}/t/1").text
    still = re.search(r'<source media="\(prefers-reduced-motion: reduce\)" type="image/webp" srcset="([^"]+)">', page)
    film = re.search(r'<img class="film" src="([^"]+)"', page)
    assert still is not None
    assert film is not None
    for found in (still[1], film[1]):
        address = html.unescape(found)
        assert "lang=ru" in address
        assert post.visitor().get(address).status_code == 200
    assert "still=1" in still[1]
