"""The Atom feed and oEmbed: what is published, and nothing that is under review."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from app.referee import keys, publication, turns
from app.referee.views import PUBLIC, NewBattle
from app.reports import headline
from tests.web.conftest import Post

ATOM = "{http://www.w3.org/2005/Atom}"


def resolve(post: Post, battle: NewBattle, turn: int) -> None:
    master = keys.viewer_by_key(post.house.db, battle.master_key)
    turns.resolve_now(post.house.db, battle.id, master, turn=turn, now=datetime.now(UTC))


def publish(post: Post, battle: NewBattle, turn: int) -> None:
    master = keys.viewer_by_key(post.house.db, battle.master_key)
    publication.publish(post.house.db, battle.id, master, turn=turn, now=datetime.now(UTC))


def text(element: ElementTree.Element, name: str) -> str:
    found = element.find(ATOM + name)
    assert found is not None
    assert found.text
    return found.text


def links(element: ElementTree.Element) -> dict[str, str]:
    return {link.attrib["rel"]: link.attrib["href"] for link in element.findall(ATOM + "link")}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_feed_tells_each_published_turn_with_its_picture(post: Post, language: str) -> None:
    battle = post.battle(title="Axes & <Shields>")
    for turn in (1, 2):
        resolve(post, battle, turn)
    answer = post.visitor().get(f"/b/{battle.id}/feed.atom?lang={language}")
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(answer.content)
    site = post.house.settings.url
    assert text(feed, "title") == "Axes & <Shields>"
    assert text(feed, "id") == f"{site}/b/{battle.id}"
    assert links(feed)["self"] == f"{site}/b/{battle.id}/feed.atom?lang={language}"
    entries = feed.findall(ATOM + "entry")
    assert [text(entry, "id") for entry in entries] == [f"{site}/b/{battle.id}/t/{turn}" for turn in (2, 1)]
    assert text(feed, "updated") == text(entries[0], "updated")
    for entry, turn in zip(entries, (2, 1), strict=True):
        told = headline(publication.turn(post.house.db, battle.id, turn, PUBLIC), language)
        assert text(entry, "summary") == told
        assert links(entry)["enclosure"] == f"{site}/b/{battle.id}/t/{turn}.png?lang={language}"
        assert f'<img src="{links(entry)["enclosure"]}"' in text(entry, "content")
        datetime.fromisoformat(text(entry, "published"))


def test_a_turn_under_review_stands_in_no_feed_not_even_its_masters(post: Post) -> None:
    battle = post.battle(review=True)
    master = post.holder(battle.master_key)
    path = f"/b/{battle.id}/feed.atom?lang=en"
    before = master.get(path).content
    resolve(post, battle, 1)
    assert master.get(path).content == post.visitor().get(path).content == before
    publish(post, battle, 1)
    assert len(ElementTree.fromstring(post.visitor().get(path).content).findall(ATOM + "entry")) == 1


def test_a_feed_that_has_not_changed_is_not_sent_again(post: Post) -> None:
    battle = post.battle()
    reader = post.visitor()
    path = f"/b/{battle.id}/feed.atom"
    etag = reader.get(path).headers["etag"]
    unchanged = reader.get(path, headers={"if-none-match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert reader.get(path, headers={"if-none-match": etag, "accept-language": "ru"}).status_code == 200
    resolve(post, battle, 1)
    assert reader.get(path, headers={"if-none-match": etag}).status_code == 200
    assert reader.head(path).status_code == 200


def test_a_feed_of_no_battle_is_not_there(post: Post) -> None:
    assert post.visitor().get("/b/nothing/feed.atom").status_code == 404


def test_pages_lead_to_the_feed_and_to_oembed(post: Post) -> None:
    battle = post.battle()
    resolve(post, battle, 1)
    reader = post.visitor()
    page = reader.get(f"/b/{battle.id}").text
    assert f'type="application/atom+xml" title="Skirmish" href="/b/{battle.id}/feed.atom?lang=en"' in page
    for path in (f"/b/{battle.id}", f"/b/{battle.id}/t/1"):
        asked = f"/oembed?url={quote(post.house.link(path), safe='')}"
        assert 'type="application/json+oembed"' in reader.get(path).text
        assert f'href="{post.house.link(asked)}"' in reader.get(path).text, "some consumers do not complete an address"
        assert reader.get(asked).status_code == 200


@pytest.mark.parametrize("page", ["", "/t/1"])
def test_oembed_shows_the_field(post: Post, page: str) -> None:
    battle = post.battle()
    resolve(post, battle, 1)
    url = post.house.link(f"/b/{battle.id}{page}")
    told = post.visitor().get("/oembed", params={"url": url, "lang": "ru"}).json()
    assert (told["version"], told["type"], told["provider_name"]) == ("1.0", "photo", "Fieldpost")
    assert told["title"] == ("Стычка · Ход 1" if page else "Стычка")
    assert told["url"] == post.house.link(f"/b/{battle.id}/t/1.png?lang=ru")
    assert told["width"] > 0
    assert told["height"] > 0
    assert told["author_url"] == url
    assert "thumbnail_url" in told


@pytest.mark.parametrize("page", ["", "/t/1"])
def test_oembed_has_a_small_picture_where_there_is_less_room(post: Post, page: str) -> None:
    battle = post.battle()
    resolve(post, battle, 1)
    url, reader = post.house.link(f"/b/{battle.id}{page}"), post.visitor()
    small = reader.get("/oembed", params={"url": url, "lang": "ru", "maxwidth": "400"}).json()
    assert small["type"] == "photo"
    assert small["url"] == post.house.link(f"/b/{battle.id}/t/1/thumb.png?lang=ru")
    drawn = reader.get(small["url"].removeprefix(post.house.settings.url)).content
    assert (small["width"], small["height"]) == struct.unpack(">II", drawn[16:24])
    assert [small[f"thumbnail_{name}"] for name in ("url", "width", "height")] == [
        small[name] for name in ("url", "width", "height")
    ]
    for less in ({"maxwidth": "399"}, {"maxwidth": "800", "maxheight": str(small["height"] - 1)}):
        told = reader.get("/oembed", params={"url": url, **less}).json()
        assert told["type"] == "link"
        assert not {"url", "thumbnail_url"} & set(told)


def test_oembed_is_asked_for_without_its_body_as_well(post: Post) -> None:
    assert post.visitor().head("/oembed", params={"url": post.house.link(f"/b/{post.battle().id}")}).status_code == 200


def test_oembed_refuses_what_is_not_ours_and_what_is_not_published(post: Post) -> None:
    battle = post.battle(review=True)
    resolve(post, battle, 1)
    master = post.holder(battle.master_key)
    ours = post.house.link(f"/b/{battle.id}")
    for url in (
        f"https://elsewhere.example/b/{battle.id}",
        post.house.link("/battles/new"),
        post.house.link("/b/nothing"),
        f"{ours}/t/1",
        f"{ours}/desk",
        "http://[",
        "",
    ):
        assert master.get("/oembed", params={"url": url}).status_code == 404
    assert master.get("/oembed", params={"url": ours, "format": "xml"}).status_code == 501
