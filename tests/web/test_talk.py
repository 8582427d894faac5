"""Pages on which people talk, and that nobody else is told anything of a side's channel: byte for byte."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.drawing import raster
from app.referee import sayings, talk, turns
from app.referee.channels import Where
from app.referee.keys import viewer_by_key
from app.referee.views import NewBattle
from app.web.pages.commander import LARGEST_FORM
from tests.web.conftest import Post, text_of

CHANNELS = ("", "/side", "/master")


def made(post: Post) -> tuple[NewBattle, TestClient, TestClient, TestClient, TestClient]:
    """A battle; north, south, the game master, and somebody."""
    new = post.battle()
    seats = [post.holder(new.seat_keys[seat]) for seat in ("north", "south")]
    return new, seats[0], seats[1], post.holder(new.master_key), post.visitor()


def say(client: TestClient, battle: str, text: str, channel: str = "", **fields: str) -> Any:
    return client.post(f"/b/{battle}/talk{channel}", data={"text": text, "action": "write", **fields})


def shield() -> bytes:
    plain = raster.vips().Image.black(90, 60, bands=3).linear([1, 1, 1], [10, 90, 30]).cast("uchar")
    return bytes(plain.copy(interpretation="srgb").write_to_buffer(".png"))


def test_a_word_in_the_thread_is_read_by_all(post: Post) -> None:
    new, north, south, _, somebody = made(post)
    answer = say(north, new.id, "The **bridge** is ours, @South.")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/b/{new.id}/talk#m1")
    page = somebody.get(f"/b/{new.id}/talk").text
    assert "The <strong>bridge</strong> is ours" in page
    assert 'name="text"' not in page
    assert say(somebody, new.id, "Mine?").status_code == 403
    shown = south.get(f"/b/{new.id}").text
    assert "1 new message, 1 of them to you" in text_of(shown)
    assert "to you" in south.get(f"/b/{new.id}/talk").text
    assert "new message" not in text_of(south.get(f"/b/{new.id}").text), "it was read"


def test_who_may_read_what(post: Post) -> None:
    new, north, south, master, somebody = made(post)
    statuses = {
        name: [client.get(f"/b/{new.id}/talk{channel}").status_code for channel in CHANNELS]
        for name, client in {"north": north, "south": south, "master": master, "somebody": somebody}.items()
    }
    assert statuses == {
        "north": [200, 200, 200],
        "south": [200, 200, 200],
        "master": [200, 403, 200],
        "somebody": [200, 403, 403],
    }
    say(north, new.id, "Left flank.", "/side")
    say(north, new.id, "A question.", "/master")
    assert "Left flank." in north.get(f"/b/{new.id}/talk/side").text
    assert "Left flank." not in south.get(f"/b/{new.id}/talk/side?seat=south").text
    assert south.get(f"/b/{new.id}/talk/side?seat=north").status_code == 403
    assert south.get(f"/b/{new.id}/talk/master?seat=north").status_code == 403
    assert "A question." in master.get(f"/b/{new.id}/talk/master?seat=north").text
    assert "1 new message" not in text_of(master.get(f"/b/{new.id}/desk").text), "it was read"


def seen(client: TestClient, battle: str, seat: str | None) -> dict[str, tuple[int, bytes, str | None]]:
    """Everything that somebody is shown of a battle, but for the numbers of the requests."""
    paths = ["", "/stand", "/talk", "/talk?part=1", "/talk/side", "/talk/master", "/log", "/rules", "/film", "/feed.atom"]
    paths += ["/t/1", "/t/1.json", "/t/1.bbcode", "/desk", "/desk/people", "/desk/notices", "/t/1/post", "/keep"]
    if seat is not None:
        paths += [f"/seat/{seat}", f"/seat/{seat}/plan", f"/seat/{seat}/notices", f"/seat/{seat}/commander"]
    told = {}
    for path in paths:
        answer = client.get(f"/b/{battle}{path}")
        told[path] = (answer.status_code, answer.content, answer.headers.get("etag"))
    for path in (f"/api/v1/battles/{battle}", f"/api/v1/battles/{battle}/talk", f"/api/v1/battles/{battle}/turns/1"):
        answer = client.get(path)
        told[path] = (answer.status_code, answer.content, answer.headers.get("etag"))
    told["/"] = (200, client.get("/").content, None)
    return {path: (status, _still(body), tag) for path, (status, body, tag) in told.items()}


def _still(body: bytes) -> bytes:
    """A refusal holds the number of its request, and a page how long ago something was."""
    return re.sub(rb"<code>[0-9a-f]{12}</code>|\"id\":\"[0-9a-f]{12}\"", b"", body)


def test_of_a_sides_channel_nobody_else_is_told_anything(post: Post) -> None:
    """The pages, feeds, files, tags and answers of the other side, the game master and the public, before and after."""
    new, north, south, master, somebody = made(post)
    db, now = post.house.db, post.house.now()
    turns.resolve_now(db, new.id, viewer_by_key(db, new.master_key), turn=1, now=now)
    others = {"south": (south, "south"), "master": (master, None), "somebody": (somebody, None)}
    for client, seat in others.values():
        seen(client, new.id, seat)
    before = {name: seen(client, new.id, seat) for name, (client, seat) in others.items()}
    pulse = somebody.get(f"/b/{new.id}/stand").text
    for text in ("The left flank at dawn, @South, @gm.", "And quietly."):
        assert say(north, new.id, text, "/side").status_code == 303
    north.get(f"/b/{new.id}/talk/side")
    say(north, new.id, "Or at noon.", "/side", action="edit", number="1")
    say(north, new.id, "", "/side", action="take-back", number="2")
    after = {name: seen(client, new.id, seat) for name, (client, seat) in others.items()}
    for name, pages in before.items():
        for path, told in pages.items():
            assert after[name][path] == told, (name, path)
    assert somebody.get(f"/b/{new.id}/stand").text == pulse


def test_words_for_the_report_are_sealed_until_it_is_published(post: Post) -> None:
    new, north, south, master, somebody = made(post)
    others = {"south": (south, "south"), "master": (master, None), "somebody": (somebody, None)}
    for client, seat in others.values():
        seen(client, new.id, seat)
    before = {name: seen(client, new.id, seat) for name, (client, seat) in others.items()}
    path = f"/b/{new.id}/seat/north/commander"
    answer = north.post(path, data={"action": "say", "turn": "1", "text": "To *arms*!"})
    assert answer.headers["location"] == f"{path}?told=said"
    assert "To <em>arms</em>!" in north.get(path).text
    assert {name: seen(client, new.id, seat) for name, (client, seat) in others.items()} == before
    db = post.house.db
    turns.resolve_now(db, new.id, viewer_by_key(db, new.master_key), turn=1, now=post.house.now())
    assert "To <em>arms</em>!" in somebody.get(f"/b/{new.id}/t/1").text
    for ending in ("bbcode", "md", "txt", "html"):
        assert "To arms!" in somebody.get(f"/b/{new.id}/t/1.{ending}").text, ending
    assert "To &lt;em&gt;arms&lt;/em&gt;!" in somebody.get(f"/b/{new.id}/feed.atom?lang=en").text
    assert "arms!" not in somebody.get(f"/b/{new.id}/t/1.json").text
    assert north.post(path, data={"action": "say", "turn": "1", "text": "Late."}).status_code == 409
    assert "Late." in north.post(path, data={"action": "say", "turn": "1", "text": "Late."}).text, "nothing typed is lost"


def test_what_is_refused_stays_in_the_form(post: Post) -> None:
    new, north, *_ = made(post)
    answer = say(north, new.id, "turned \u202e about")
    assert answer.status_code == 422
    assert "turned \u202e about" in answer.text
    assert say(north, new.id, "x" * 4001).status_code == 422
    assert say(north, new.id, "x", action="dance").status_code == 400
    assert say(north, new.id, "x", action="edit", number="99").status_code == 404


def test_who_writes_too_much_waits(post: Post) -> None:
    new, north, south, *_ = made(post)
    answers = [say(north, new.id, f"{number}") for number in range(20)]
    assert [answer.status_code for answer in answers[:12]] == [303] * 12
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0
    assert say(south, new.id, "I may.").status_code == 303


def test_a_message_is_quoted_changed_and_taken_back_without_scripts(post: Post) -> None:
    new, north, south, *_ = made(post)
    say(north, new.id, "One\ntwo")
    assert "&gt; **North:**\n&gt; One\n&gt; two" in south.get(f"/b/{new.id}/talk?quote=1").text
    assert ">One\ntwo</textarea>" in north.get(f"/b/{new.id}/talk?edit=1").text
    assert ">One\ntwo</textarea>" not in south.get(f"/b/{new.id}/talk?edit=1").text
    assert say(south, new.id, "Mine.", action="edit", number="1").status_code == 403
    assert say(north, new.id, "Three", action="edit", number="1").status_code == 303
    assert "changed" in text_of(south.get(f"/b/{new.id}/talk").text)
    assert say(north, new.id, "", action="take-back", number="1").status_code == 303
    page = south.get(f"/b/{new.id}/talk").text
    assert "Three" not in page
    assert "Taken back by its writer." in page
    assert south.get(f"/b/{new.id}/talk?quote=77").status_code == 404


def test_a_script_is_told_of_new_messages_of_its_channel_alone(post: Post) -> None:
    new, north, south, *_ = made(post)
    say(north, new.id, "One.", "/side")
    first = north.get(f"/b/{new.id}/talk/side?seat=north&part=1")
    tag = first.headers["etag"]
    again = north.get(f"/b/{new.id}/talk/side?seat=north&part=1", headers={"if-none-match": tag})
    assert (first.status_code, again.status_code) == (200, 304)
    through_a_proxy = {"if-none-match": f"W/{tag}"}  # nginx makes it weak where it compresses
    assert north.get(f"/b/{new.id}/talk/side?seat=north&part=1", headers=through_a_proxy).status_code == 304
    assert "<html" not in first.text
    assert south.get(f"/b/{new.id}/talk/side?part=1").headers["etag"] == '"0"'
    pulse = re.search(r'data-pulse="([^"]*)"', south.get(f"/b/{new.id}/stand").text)
    say(north, new.id, "In the open.")
    now = re.search(r'data-pulse="([^"]*)"', south.get(f"/b/{new.id}/stand").text)
    assert pulse is not None
    assert now is not None
    assert pulse[1] != now[1]


def test_a_long_thread_is_turned_page_by_page(post: Post) -> None:
    new, north, *_ = made(post)
    db, viewer = post.house.db, viewer_by_key(post.house.db, new.seat_keys["north"])
    for number in range(1, 121):
        talk.write(db, new.id, Where(), viewer, text=f"message-{number}.", now=post.house.now())
    newest = north.get(f"/b/{new.id}/talk").text
    assert "message-120." in newest
    assert "message-70." not in newest
    older = north.get(f"/b/{new.id}/talk?before=71").text
    assert "message-70." in older
    assert "message-71." not in older
    assert 'rel="next"' in older
    assert "message-1." in north.get(f"/b/{new.id}/talk?from=1").text
    for odd in ("before=0", "before=x", "from=-1", "before=99999999999", "quote=", "edit=%00", "before=1&from=1"):
        assert north.get(f"/b/{new.id}/talk?{odd}").status_code == 200, odd


def test_arms_are_given_shown_and_taken_away(post: Post) -> None:
    new, north, south, master, somebody = made(post)
    where = f"/b/{new.id}/seat/north/arms"
    files = {"picture": ("shield.png", shield(), "image/png")}
    assert south.post(where, files=files).status_code == 403
    assert master.post(where, files=files).status_code == 403
    assert north.post(where, files=files).headers["location"].endswith("/commander?told=arms")
    found = re.search(rf"/b/{new.id}/arms/[0-9a-f]{{64}}\.webp", somebody.get(f"/b/{new.id}").text)
    assert found is not None
    picture = somebody.get(found[0])
    assert picture.headers["content-type"] == "image/webp"
    assert picture.headers["x-content-type-options"] == "nosniff"
    assert "immutable" in picture.headers["cache-control"]
    assert picture.content[:4] == b"RIFF"
    say(north, new.id, "Behold.")
    assert found[0] in south.get(f"/b/{new.id}/talk").text
    assert somebody.post(f"/b/{new.id}/desk/arms/north").status_code == 403
    assert master.post(f"/b/{new.id}/desk/arms/north").status_code == 303
    assert somebody.get(found[0]).status_code == 404
    assert "removed its coat of arms" in text_of(somebody.get(f"/b/{new.id}").text)
    north.post(where, files=files)
    path = f"/b/{new.id}/seat/north/commander"
    assert north.post(path, data={"action": "remove-arms"}).headers["location"] == f"{path}?told=no-arms"


@pytest.mark.parametrize(
    "body",
    [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a" + bytes(50), bytes(2_050_000)],
    ids=["nothing", "svg", "broken", "large"],
)
def test_what_is_no_picture_is_refused_in_a_sentence(post: Post, body: bytes) -> None:
    new, north, *_ = made(post)
    answer = north.post(f"/b/{new.id}/seat/north/arms", files={"picture": ("a.png", body, "image/png")})
    assert answer.status_code == 422
    assert "PNG, JPEG, WebP or GIF" in text_of(answer.text)


def test_a_picture_that_is_far_too_large_is_told_so(post: Post) -> None:
    new, north, *_ = made(post)
    answer = north.post(f"/b/{new.id}/seat/north/arms", files={"picture": ("a.jpg", bytes(4_000_000), "image/jpeg")})
    assert answer.status_code == 413
    assert "at most 2 MB" in text_of(answer.text)
    assert "two hundred pages" not in text_of(answer.text)


def test_only_that_one_form_may_be_large(post: Post) -> None:
    new, north, *_ = made(post)
    files = {"picture": ("a.png", bytes(LARGEST_FORM + 1), "image/png")}
    assert north.post(f"/b/{new.id}/seat/north/arms", files=files).status_code == 413
    assert north.post(f"/b/{new.id}/talk", data={"text": "x" * 1_500_000}).status_code == 413


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="picture"\r\n\r\ntext\r\n--x--\r\n',
        ),
        ("text/plain", b"hello"),
        ("", b""),
    ],
)
def test_a_form_that_is_none_is_refused(post: Post, kind: str, body: bytes) -> None:
    new, north, *_ = made(post)
    answer = north.post(f"/b/{new.id}/seat/north/arms", content=body, headers={"content-type": kind})
    assert answer.status_code in (400, 422)


def test_a_commander_names_himself_there_too(post: Post) -> None:
    new, north, south, *_ = made(post)
    path = f"/b/{new.id}/seat/north/commander"
    assert south.get(path).status_code == 403
    assert north.post(path, data={"action": "name", "holder": "Ann"}).headers["location"] == f"{path}?told=named"
    refused = north.post(path, data={"action": "name", "holder": "\u202eAnn"})
    assert refused.status_code == 422
    assert "Ann" in south.get(f"/b/{new.id}").text
    own = sayings.own(post.house.db, new.id, "north", viewer_by_key(post.house.db, new.seat_keys["north"]))
    assert own.text == ""


def test_in_russian_too(post: Post) -> None:
    new = post.battle()
    north = post.holder(new.seat_keys["north"], "ru")
    say(north, new.id, "Мост наш, @мастер.")
    page = text_of(north.get(f"/b/{new.id}/talk").text)
    assert "Общее обсуждение" in page
    assert 'class="mention">@мастер' in north.get(f"/b/{new.id}/talk").text
