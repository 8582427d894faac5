"""Pages on which people choose what they are told; links in letters; secrets that no page shows."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.config import BadSetting, Settings, load_settings
from app.posting.wire import Wire
from app.referee import notices, rows
from app.referee.posting import Postman, mail_server
from app.reports.noticewords import CODES
from app.store.db import Database
from app.web import app as web
from app.web.app import create_app
from tests.posting.places import HOOK, SECRET, place
from tests.posting.postoffice import PostOffice, postoffice, text_of
from tests.web.conftest import Post
from tests.web.conftest import text_of as page_text

WISHES = {"topic-turns": "1", "topic-reminders": "1", "digest": "", "zone": "Europe/Moscow", "language": "ru"}
MAIL = {"action": "add", "kind": "mail", "address": "anna@example.org", **WISHES}


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with postoffice() as opened:
        yield opened


@pytest.fixture
def post(tmp_path: Path, office: PostOffice) -> Iterator[Post]:
    """A server whose clock stands still: what is due is delivered by hand."""
    settings = Settings(
        data=tmp_path,
        allow_private_targets=True,
        smtp_host="127.0.0.1",
        smtp_port=office.port,
        smtp_from="post@battles.example",
        smtp_security="none",
    )
    app = create_app(settings, upgrade=True)
    yield Post(app)
    app.state.house.db.close()


def deliver(post: Post) -> int:
    house = post.house
    wire = Wire(allow_private=True)
    postman = Postman(house.db, house.settings.url, house.now, wire, mail_server(house.settings))
    count = 0
    while postman.deliver_next():
        count += 1
    return count


def tell(post: Post, battle_id: str, what: str) -> None:
    with post.house.db.write() as session:
        battle = rows.battle_row(session, battle_id)
        facts = dict.fromkeys(CODES[what].facts)
        notices.tell(session, battle, what, post.house.now(), facts=facts, key=f"{what}/1")


def path_in(office: PostOffice, which: str) -> str:
    (line,) = (line for line in text_of(office.letters[-1][1]).split("\n") if f"/notices/{which}/" in line)
    return urlsplit(line).path


@pytest.mark.parametrize("language", ["en", "ru"])
def test_mail_is_asked_for_confirmed_sent_and_ended(post: Post, office: PostOffice, language: str) -> None:
    new = post.battle()
    player = post.holder(new.seat_keys["north"], language)
    path = f"/b/{new.id}/seat/north/notices"
    assert path in player.get(f"/b/{new.id}/seat/north").text
    answer = player.post(path, data=MAIL)
    assert answer.status_code == 303
    page = player.get(answer.headers["location"]).text
    assert "a…@example.org" in page
    assert "anna@example.org" not in page
    tell(post, new.id, "gone-on")
    deliver(post)
    confirm = path_in(office, "confirm")
    stranger = post.visitor(language)
    for _ in range(2):
        assert "a…@example.org" in stranger.get(confirm).text  # to look is not to say yes
    assert stranger.post(confirm).status_code == 200
    assert "a…@example.org" not in stranger.get(confirm).text
    tell(post, new.id, "held")
    deliver(post)
    assert len(office.letters) == 2
    assert "ждёт слова мастера" in text_of(office.letters[-1][1])
    end = path_in(office, "end")
    stranger.get(end)
    assert "a…@example.org" in player.get(path).text
    one_click = {"List-Unsubscribe": (None, "One-Click")}  # as mail programs send it, with neither cookie nor origin
    assert post.visitor().post(end, files=one_click).status_code == 200
    assert "a…@example.org" not in player.get(path).text


def test_a_channel_is_tried_changed_and_taken_away(post: Post) -> None:
    new = post.battle()
    player, path = post.holder(new.seat_keys["north"]), f"/b/{new.id}/seat/north/notices"
    with place("webhook") as there:
        given = {"url": f"{there.base}/hook?token={HOOK}", "secret": SECRET}
        assert player.post(path, data={"action": "add", "kind": "webhook", **given, **WISHES}).status_code == 303
        page = player.get(path).text
        assert not any(secret in page for secret in (HOOK, SECRET))
        found = re.search(r'name="way" value="(\d+)"', page)
        assert found
        way = found[1]
        assert player.post(path, data={"action": "trial", "way": way}).status_code == 303
        assert player.post(path, data={"action": "trial", "way": way}).status_code == 429
        deliver(post)
        assert len(there.posts) == 1
        changed = {"action": "change", "way": way, **WISHES, "quiet_from": "22:00", "quiet_to": "07:30", "digest": "8"}
        assert player.post(path, data=changed).status_code == 303
        page = player.get(path).text
        assert 'value="22:00"' in page
        assert '<option value="8" selected>' in page
        assert player.post(path, data={"action": "remove", "way": way}).status_code == 303
        assert 'name="way"' not in player.get(path).text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"address": "anna"}, "no mail address"),
        ({"address": "a@b.example\r\nBcc: c@d.example"}, "no mail address"),
        ({"topic-turns": "", "topic-reminders": ""}, "at least one"),
        ({"zone": "Mars/Olympus"}, "no time zone"),
        ({"quiet_from": "22:00"}, "a beginning and an end"),
        ({"quiet_from": "25:00", "quiet_to": "07:00"}, "a beginning and an end"),
    ],
)
def test_what_is_typed_wrongly_is_said_and_stands_there_still(post: Post, wrong: dict[str, str], said: str) -> None:
    new = post.battle()
    player, path = post.holder(new.seat_keys["north"]), f"/b/{new.id}/seat/north/notices"
    answer = player.post(path, data={**MAIL, **wrong})
    assert answer.status_code == 422
    assert said in page_text(answer.text)
    assert 'value="a' in answer.text
    assert 'name="way"' not in answer.text


@pytest.mark.parametrize("action", ["change", "remove", "trial"])
def test_nobody_reaches_anothers_notices(post: Post, action: str) -> None:
    new = post.battle()
    player, other, master = (
        post.holder(new.seat_keys["north"]),
        post.holder(new.seat_keys["south"]),
        post.holder(new.master_key),
    )
    path = f"/b/{new.id}/seat/north/notices"
    assert player.post(path, data=MAIL).status_code == 303
    found = re.search(r'name="way" value="(\d+)"', player.get(path).text)
    assert found
    for visitor in (other, post.visitor(), master):
        assert visitor.get(path).status_code == 403
        assert visitor.post(path, data=MAIL).status_code == 403
    for visitor, own in ((other, f"/b/{new.id}/seat/south/notices"), (master, f"/b/{new.id}/desk/notices")):
        assert "example.org" not in visitor.get(own).text
        assert visitor.post(own, data={"action": action, "way": found[1], **WISHES}).status_code == 404


def test_the_desk_shows_what_did_not_arrive_and_no_address(post: Post, office: PostOffice) -> None:
    new = post.battle()
    player, master = post.holder(new.seat_keys["north"]), post.holder(new.master_key)
    player.post(f"/b/{new.id}/seat/north/notices", data=MAIL)
    deliver(post)
    player.post(path_in(office, "confirm"))
    tell(post, new.id, "held")
    office.troubles.append("451 later")
    deliver(post)
    desk = f"/b/{new.id}/desk/notices"
    page = master.get(desk).text
    assert "451" in page
    assert "a…@example.org" in page
    assert "anna" not in page
    assert desk in master.get(f"/b/{new.id}/desk").text
    found = re.search(r'name="sent" value="(\d+)"', page)
    assert found
    assert master.post(desk, data={"action": "retry", "sent": found[1]}).status_code == 303
    deliver(post)
    assert "451" not in master.get(desk).text


def test_a_host_without_mail_says_so(tmp_path: Path) -> None:
    post = Post(create_app(Settings(data=tmp_path), upgrade=True))
    new = post.battle()
    player, path = post.holder(new.seat_keys["north"]), f"/b/{new.id}/seat/north/notices"
    page = player.get(path).text
    assert "the host of this server has set up no mail server" in page_text(page)
    assert 'name="address"' not in page
    assert player.post(path, data=MAIL).status_code == 400
    post.house.db.close()


@pytest.mark.parametrize(
    "given",
    [
        {"smtp_host": "h"},
        {"smtp_host": "h", "smtp_from": "a@b", "smtp_security": "ssl"},
        {"smtp_host": "h", "smtp_from": "a\nb@c"},
    ],
)
def test_half_set_mail_is_told_to_the_host(given: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match="FIELDPOST_SMTP_"):
        load_settings({}, **given)


def test_a_password_does_not_stand_in_the_settings_words() -> None:
    assert "hush" not in repr(Settings(smtp_password="hush"))


def test_postgresql_rings_and_nobody_waits_for_the_poll(
    postgres_db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The poll is put out of reach: what is written is delivered because it rang."""
    monkeypatch.setattr(web, "POST_SECONDS", 3600.0)
    url = postgres_db.engine.url.render_as_string(hide_password=False)
    app = create_app(Settings(data=tmp_path, database_url=url, allow_private_targets=True))
    post = Post(app)
    new = post.battle()
    player, path = post.holder(new.seat_keys["north"]), f"/b/{new.id}/seat/north/notices"
    with place("webhook") as there:
        given = {"url": f"{there.base}/hook?token={HOOK}", "secret": SECRET}
        assert player.post(path, data={"action": "add", "kind": "webhook", **given, **WISHES}).status_code == 303

        async def live() -> None:
            async with app.router.lifespan_context(app):
                for round_ in range(2):
                    await asyncio.to_thread(tell, post, new.id, ("held", "gone-on")[round_])
                    async with asyncio.timeout(30):
                        while len(there.posts) <= round_:
                            await asyncio.sleep(0.05)

        asyncio.run(live())
        assert len(there.posts) == 2
