"""A turn for a forum: files in every format, the section on its page, orders once they are open."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from app.referee import publication
from app.referee.views import PUBLIC
from app.web import poster
from tests.web.conftest import Post, choices_of, text_of


@pytest.fixture
def battle(post: Post) -> Any:
    made = post.battle()
    post.holder(made.master_key).post(f"/b/{made.id}/desk", data={"action": "resolve", "turn": "1"})
    return made


def areas(page: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r"<textarea[^>]*readonly[^>]*>\n(.*?)</textarea>", page, re.DOTALL)]


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("1.bbcode", "[size=150][b]Turn 1[/b][/size]"),
        ("1.bbcode?dialect=xenforo&length=dice", "[SIZE=6][B]Turn 1[/B][/SIZE]"),
        ("latest.md", "## Turn 1"),
        ("1.md?dialect=discord&length=headline", "](<http"),
        ("1.html", "<h3>Turn 1</h3>"),
        ("1.txt", "Turn 1\n======"),
        ("1.txt?lang=ru", "Ход 1\n====="),
        ("1.txt?orders=all", "Orders of turn 1"),
        ("1.bbcode?orders=north", "Orders of turn 1"),
        ("1.bbcode?part=1&length=dice", "Turn 1"),
    ],
)
def test_a_file_is_text_and_nothing_else(post: Post, battle: Any, address: str, wanted: str) -> None:
    answer = post.visitor().get(f"/b/{battle.id}/t/{address}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert wanted in answer.text
    tag = {"if-none-match": answer.headers["etag"]}
    again = post.visitor().get(f"/b/{battle.id}/t/{address}", headers=tag)
    assert (again.status_code, again.content) == (304, b"")


def test_the_language_is_the_readers_unless_the_address_says_another(post: Post, battle: Any) -> None:
    assert post.visitor("ru").get(f"/b/{battle.id}/t/1.md").text.startswith("## Ход 1")
    answer = post.visitor("ru").get(f"/b/{battle.id}/t/1.md?lang=en")
    assert answer.text.startswith("## Turn 1")
    assert answer.headers["content-language"] == "en"


@pytest.mark.parametrize(
    "address",
    ["1.md?dialect=phpbb", "1.txt?dialect=discord", "1.bbcode?length=all", "1.md?lang=de", "1.md?orders=east",
     "1.md?part=9", "1.md?part=0", "1.md?part=x", "1.md?part=²"],
)  # fmt: skip
def test_what_there_is_not_is_refused(post: Post, battle: Any, address: str) -> None:
    answer = post.visitor().get(f"/b/{battle.id}/t/{address}")
    assert answer.status_code == 422
    assert "There is no such dialect" in answer.text


@pytest.mark.parametrize("address", ["2.md", "0.md", "x.md", "01.md", "2/post"])
def test_a_turn_that_is_not_there_is_not_found(post: Post, battle: Any, address: str) -> None:
    assert post.visitor().get(f"/b/{battle.id}/t/{address}").status_code == 404


def test_a_turn_under_review_is_its_masters_alone(post: Post) -> None:
    made = post.battle(review=True)
    master = post.holder(made.master_key)
    master.post(f"/b/{made.id}/desk", data={"action": "resolve", "turn": "1"})
    for client in (post.visitor(), post.holder(made.seat_keys["north"])):
        assert client.get(f"/b/{made.id}/t/1.md").status_code == 404
        assert client.get(f"/b/{made.id}/t/1.md?orders=all").status_code == 404
        assert client.get(f"/b/{made.id}/t/1/post").status_code == 404
    answer = master.get(f"/b/{made.id}/t/1.md")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "private, no-store"
    assert post.visitor().get(f"/b/{made.id}/t/1.md").status_code == 404


def test_the_turns_page_has_the_section_and_the_picture(post: Post, battle: Any) -> None:
    page = post.visitor().get(f"/b/{battle.id}/t/1").text
    assert "Take it to the forum" in page
    (text,) = areas(page)
    assert text.rstrip("\n") == post.visitor().get(f"/b/{battle.id}/t/1.bbcode").text.rstrip("\n")
    assert f"/b/{battle.id}/t/1.png?lang=en[/img]" in text
    assert choices_of(page, "to")["bbcode/phpbb"]
    assert {"md/discord", "html", "txt", "bbcode/xenforo"} <= set(choices_of(page, "to"))


def test_a_turn_with_thousands_of_events_is_not_written_out_unasked(
    post: Post, battle: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poster, "MANY_EVENTS", 0)
    view = publication.turn(post.house.db, battle.id, 1, PUBLIC)
    assert poster.first(view, "ru") == poster.Wish(language="ru", length="headline")


def test_another_choice_needs_no_script(post: Post, battle: Any) -> None:
    query = {"to": "md/nodebb", "length": "dice", "lang": "ru", "what": "report"}
    page = post.visitor().get(f"/b/{battle.id}/t/1/post", params=query).text
    (text,) = areas(page)
    assert text.startswith("## Ход 1")
    for name, value in query.items():
        assert choices_of(page, name)[value], name
    assert f"/b/{battle.id}/t/1.md?dialect=nodebb&amp;length=dice&amp;lang=ru" in page
    russian = text_of(post.visitor("ru").get(f"/b/{battle.id}/t/1/post").text)
    assert "Отнести на форум" in russian
    assert re.search(r"Ваш пост, \d[\d\xa0 ]* знак", russian)


def test_a_file_of_many_posts_holds_them_all(post: Post, battle: Any) -> None:
    page = post.visitor().get(f"/b/{battle.id}/t/1/post", params={"to": "md/discord", "length": "dice"}).text
    texts = areas(page)
    file = re.search(r'href="([^"]*\.md[^"]*)"', page)
    assert file
    whole = post.visitor().get(html.unescape(file[1])).text
    assert all(text.strip() in whole for text in texts)
    assert ("part=all" in file[1]) == (len(texts) > 1)


def test_orders_are_open_once_the_turn_is_published(post: Post, battle: Any) -> None:
    page = post.visitor().get(f"/b/{battle.id}/t/1/post", params={"to": "txt", "what": "orders/south"}).text
    (text,) = areas(page)
    assert "Orders of turn 1" in text
    assert "South" in text
    assert "North" not in text


@pytest.mark.parametrize("query", [{"to": "pdf"}, {"to": "md/phpbb"}, {"what": "secrets"}, {"what": "orders/x"}])
def test_a_form_that_was_tampered_with_is_refused(post: Post, battle: Any, query: dict[str, str]) -> None:
    assert post.visitor().get(f"/b/{battle.id}/t/1/post", params=query).status_code == 422
