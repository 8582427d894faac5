"""The host's page and the canary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.config import Settings
from app.referee import deadlines, outbox
from app.web.app import create_app
from app.web.tries import Tries
from tests.web.conftest import Post

KEY = "a key of the host's own"


@pytest.fixture
def hosted(post: Post) -> Iterator[Post]:
    kept = post.app.state.house
    post.app.state.house = replace(kept, settings=replace(kept.settings, host_key=KEY), tries=Tries())
    yield post
    post.app.state.house = kept


def late(post: Post, key: str) -> int:
    """Something that should have gone out an hour ago, and was given up since."""
    db, then = post.house.db, datetime.now(UTC) - timedelta(hours=1)
    with db.write() as session:
        outbox.write(session, key, "turn", then)
    errand = outbox.claim(db, then + timedelta(seconds=1))
    assert errand is not None
    outbox.put_off(db, errand, {"code": "mail-login", "status": 535}, then, hopeless=True)
    return errand.id


def test_without_a_key_set_there_is_no_such_page(post: Post) -> None:
    answer = post.visitor().get("/host")
    assert answer.status_code == 404
    assert "FIELDPOST_HOST_KEY" in answer.text
    assert post.visitor().post("/host", data={"action": "open", "key": ""}).status_code == 401


def test_the_key_opens_the_page_and_another_does_not(hosted: Post) -> None:
    client = hosted.visitor()
    assert client.get("/host").status_code == 401
    wrong = client.post("/host", data={"action": "open", "key": "something else here"})
    assert (wrong.status_code, "fp_host" in wrong.headers.get("set-cookie", "")) == (401, False)
    assert client.post("/host", data={"action": "open", "key": KEY}).status_code == 303
    shown = client.get("/host")
    assert shown.status_code == 200
    assert "Notices and posts" in shown.text
    assert KEY not in shown.text
    assert "Извещения и сообщения" in client.get("/host", headers={"accept-language": "ru"}).text


def test_keys_are_not_guessed_for_long(hosted: Post) -> None:
    client = hosted.visitor()
    answers = [client.post("/host", data={"action": "open", "key": f"guess {n}"}).status_code for n in range(25)]
    assert answers[0] == 401
    assert answers[-1] == 429


def test_what_was_given_up_is_tried_again_from_the_page(hosted: Post) -> None:
    wanted = late(hosted, "test-host/again")
    client = hosted.visitor()
    client.post("/host", data={"action": "open", "key": KEY})
    shown = client.get("/host").text
    assert "The mail server does not take the host&#39;s password. <code>mail-login</code>" in shown
    assert "turn&#39;s report" in shown
    assert hosted.visitor().post("/host", data={"action": "again", "id": str(wanted)}).status_code == 403
    assert client.post("/host", data={"action": "again", "id": str(wanted)}).status_code == 303
    assert client.post("/host", data={"action": "again", "id": "999999999"}).status_code == 404
    assert client.post("/host", data={"action": "dance"}).status_code == 400


def test_the_canary_tells_numbers_alone(tmp_path: Path) -> None:
    """The clock of a server that was asleep for a day has not reported since."""
    app, now = create_app(Settings(data=tmp_path), upgrade=True), datetime.now(UTC)
    post, kept = Post(app), app.state.house
    deadlines.sweep(kept.db, now, outage=timedelta(0))
    assert post.visitor().get("/canary").json() == {"ok": True, "alarms": []}
    app.state.house = replace(kept, now=lambda: now + timedelta(days=1))
    sick = post.visitor().get("/canary")
    assert sick.status_code == 503
    assert sick.json() == {"ok": False, "alarms": [{"code": "no-sweep", "count": 1}]}
    kept.db.close()
