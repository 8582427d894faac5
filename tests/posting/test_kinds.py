"""What a game master types, as a place; and what each kind of place is sent."""

from __future__ import annotations

import base64
import dataclasses
import hmac
import re
from datetime import timedelta

import pytest

from app.posting import kinds, telegram, webhook
from app.posting.kinds import KINDS, BadTarget
from app.posting.message import Message, PostError, marked
from app.posting.wire import Wire
from tests.posting.places import HOOK, KEY, SECRET, place

WIRE = Wire(allow_private=True)
BOT = "123456789:" + "AbCdE-fGh_" * 3 + "12345"
URL = "https://here.example/b/x/t/3"


def message(mark: str = "00aa11bb22cc33dd", text: str = "Much was lost.") -> Message:
    post = f"**Turn 3**\n\n{text}\n\n[Report]({marked(URL, mark)})"
    return Message("Battle · Turn 3", text, post, URL, mark, f"{URL}.png", {"event": "turn-published", "turn": 3})


@pytest.mark.parametrize(
    ("kind", "given", "shown"),
    [
        ("discourse", {"topic_url": "https://f.example/t/the-war/7/3", "user": "u", "key": KEY}, "https://f.example/t/7"),
        ("discourse", {"topic_url": "https://e.example/f/t/7?u=me", "user": "u", "key": KEY}, "https://e.example/f/t/7"),
        ("discourse", {"topic_url": "https://f.example/t/7/31", "user": "u", "key": KEY}, "https://f.example/t/7"),
        ("discourse", {"topic_url": "https://f.example/t/2026-war/7/31", "user": "u", "key": KEY}, "https://f.example/t/7"),
        ("discourse", {"topic_url": "https://f.example/t/-/7/31", "user": "u", "key": KEY}, "https://f.example/t/7"),
        ("nodebb", {"topic_url": "https://f.example/topic/7/the-war/12", "key": KEY}, "https://f.example/topic/7"),
        ("discord", {"url": f"https://discord.com/api/webhooks/55/{HOOK}"}, "discord.com"),
        ("webhook", {"url": f"https://p.example:8443/x?token={HOOK}", "secret": SECRET}, "p.example:8443"),
        ("apprise", {"url": "tgram://123456789:abcdefg_hijklmnop/12315544/"}, "tgram"),
        ("telegram", {"token": BOT, "chat": "-1001234"}, "Telegram, -1001234"),
        ("telegram", {"token": BOT, "chat": "-1001234/45"}, "Telegram, -1001234/45"),
    ],
)
def test_a_place_is_shown_without_what_opens_it(kind: str, given: dict[str, str], shown: str) -> None:
    found = kinds.place(kind, given, allow_private=False)
    assert found.shown == shown
    assert not any(secret in found.shown for secret in (KEY, HOOK, SECRET))


@pytest.mark.parametrize(
    ("kind", "given", "field", "why"),
    [
        ("discourse", {"topic_url": "https://f.example/t/7", "user": "u"}, "key", "missing"),
        ("discourse", {"topic_url": "https://f.example/c/7", "user": "u", "key": KEY}, "topic_url", "not-a-topic"),
        ("discourse", {"topic_url": "http://f.example/t/7", "user": "u", "key": KEY}, "topic_url", "not-https"),
        ("discourse", {"topic_url": "https://192.168.1.7/t/7", "user": "u", "key": KEY}, "topic_url", "private"),
        ("nodebb", {"topic_url": "https://localhost:4567/topic/7", "key": KEY}, "topic_url", "private"),
        ("discord", {"url": "https://10.0.0.1/api/webhooks/1/x"}, "url", "private"),
        ("webhook", {"url": "https://[::1]/hook", "secret": "s" * 16}, "url", "private"),
        ("webhook", {"url": "https://127.1/hook", "secret": "s" * 16}, "url", "private"),
        ("webhook", {"url": "https://0x7f000001/hook", "secret": "s" * 16}, "url", "private"),
        ("webhook", {"url": "https://[fe80::1%25eth0]/hook", "secret": "s" * 16}, "url", "private"),
        ("webhook", {"url": "https://nas.local./hook", "secret": "s" * 16}, "url", "private"),
        ("discourse", {"topic_url": "https://a:b@f.example/t/7", "user": "u", "key": KEY}, "topic_url", "not-an-address"),
        ("discourse", {"topic_url": "https://f.example/t/7", "user": "u", "key": "a\nb"}, "key", "bad-key"),
        ("discourse", {"topic_url": "https://f.example/t/7", "user": "ю", "key": KEY}, "user", "bad-key"),
        ("nodebb", {"topic_url": "https://[f.example/topic/7", "key": KEY}, "topic_url", "not-an-address"),
        ("discord", {"url": "https://discord.com/channels/1/2"}, "url", "not-a-webhook"),
        ("webhook", {"url": "https://p.example/", "secret": "short"}, "secret", "short-secret"),
        ("webhook", {"url": "https://p.example/" + "x" * 500, "secret": SECRET}, "url", "too-long"),
        ("apprise", {"url": "json://10.0.0.1/"}, "url", "no-service"),
        ("apprise", {"url": "tgram://"}, "url", "no-service"),
        ("telegram", {"token": "12345:short", "chat": "1"}, "token", "bad-token"),
        ("telegram", {"token": f"{BOT}/../x", "chat": "1"}, "token", "bad-token"),
        ("telegram", {"token": BOT, "chat": "anna"}, "chat", "bad-chat"),
        ("telegram", {"token": BOT, "chat": "1 2"}, "chat", "bad-chat"),
        ("telegram", {"token": BOT, "chat": "-1001234/"}, "chat", "bad-chat"),
    ],
)
def test_what_is_no_place_is_refused_with_its_reason(kind: str, given: dict[str, str], field: str, why: str) -> None:
    with pytest.raises(BadTarget) as refused:
        kinds.place(kind, given, allow_private=False)
    assert (refused.value.field, refused.value.why) == (field, why)


@pytest.mark.parametrize(
    ("kind", "link"),
    [
        ("discourse", "{base}/t/the-war/7/31"),
        ("nodebb", "{base}/post/130"),
        ("discord", "https://discord.com/channels/77/88/130"),
        ("webhook", None),
    ],
)
def test_a_message_arrives_and_its_own_address_comes_back(kind: str, link: str | None) -> None:
    with place(kind) as there:
        there.posts = [f"post {n}" for n in range(30)]
        target = kinds.place(kind, there.given, allow_private=True).target
        posted = KINDS[kind].deliver(WIRE, target, message())
        assert posted.link == (link.format(base=there.base) if link else None)
        assert len(there.posts) == 31


@pytest.mark.parametrize("kind", ["discourse", "nodebb"])
def test_a_forum_that_has_the_post_already_gets_no_other(kind: str) -> None:
    with place(kind) as there:
        target = kinds.place(kind, there.given, allow_private=True).target
        there.posts = [f"post {n}" for n in range(30)]
        first = KINDS[kind].deliver(WIRE, target, message())
        there.posts += ["an answer"] * 15
        again = KINDS[kind].deliver(WIRE, target, message())
        assert again.link == first.link
        assert (first.was_there, again.was_there) == (False, True)
        assert len(there.written) == 1
        KINDS[kind].deliver(WIRE, target, message("another"))
        assert len(there.written) == 2


@pytest.mark.parametrize(("kind", "is_huge"), [("discourse", False), ("discourse", True), ("nodebb", False)])
@pytest.mark.parametrize("answers", [0, 19, 20, 21, 150])
def test_however_much_was_answered_meanwhile_the_post_is_found(kind: str, is_huge: bool, answers: int) -> None:
    with place(kind) as there:
        target = kinds.place(kind, there.given, allow_private=True).target
        there.is_huge = is_huge
        there.posts = [f"post {n}" for n in range(90)]
        there.posts.append(message().markdown)
        there.posts += ["an answer"] * answers
        again = KINDS[kind].deliver(WIRE, target, message())
        assert again.was_there
        assert again.link == (f"{there.base}/t/the-war/7/91" if kind == "discourse" else f"{there.base}/post/190")
        assert there.written == []


@pytest.mark.parametrize(("kind", "is_huge"), [("discourse", False), ("discourse", True), ("nodebb", False)])
def test_what_stood_there_before_it_was_written_is_not_searched(kind: str, is_huge: bool) -> None:
    with place(kind) as there:
        target = kinds.place(kind, there.given, allow_private=True).target
        there.is_huge = is_huge
        there.apart = timedelta(hours=1)
        there.posts = [f"post {n}" for n in range(900)]
        now = there.opened + there.apart * 900
        new = dataclasses.replace(message(), since=now)
        assert not KINDS[kind].deliver(WIRE, target, new).was_there
        assert len(there.calls) - len(there.written) <= 3
        there.posts += ["an answer"] * 70
        assert KINDS[kind].deliver(WIRE, target, new).was_there
        assert len(there.written) == 1


@pytest.mark.parametrize("kind", ["discourse", "nodebb"])
def test_a_search_in_a_topic_without_times_ends(kind: str) -> None:
    with place(kind) as there:
        target = kinds.place(kind, there.given, allow_private=True).target
        there.posts = [f"post {n}" for n in range(3000)]
        KINDS[kind].deliver(WIRE, target, message())
        assert len(there.posts) == 3001
        assert len(there.calls) < 60


@pytest.mark.parametrize("kind", ["discourse", "nodebb", "discord"])
def test_a_wrong_key_is_hopeless_until_somebody_changes_it(kind: str) -> None:
    with place(kind) as there:
        given = {**there.given, "key": "wrong"} if kind != "discord" else {"url": f"{there.base}/api/webhooks/55/wrong"}
        target = kinds.place(kind, given, allow_private=True).target
        with pytest.raises(PostError) as refused:
            KINDS[kind].deliver(WIRE, target, message())
        assert refused.value.hopeless
        assert "wrong" not in str(refused.value)
        assert there.posts == []


@pytest.mark.parametrize(("kind", "is_hopeless"), [("nodebb", False), ("discourse", True), ("discord", True)])
def test_a_forum_that_says_bad_request_for_too_fast_is_asked_again(kind: str, is_hopeless: bool) -> None:
    with place(kind) as there:
        target = kinds.place(kind, there.given, allow_private=True).target
        there.troubles = [400]
        there.says = {"status": {"code": "bad-request", "message": "You can only post once every 120 second(s)"}}
        with pytest.raises(PostError) as refused:
            KINDS[kind].deliver(WIRE, target, message())
        assert refused.value.hopeless is is_hopeless
        assert refused.value.said == "You can only post once every 120 second(s)"


def test_a_webhook_that_answers_nothing_has_taken_the_message() -> None:
    with place("discord") as there:
        target = kinds.place("discord", there.given, allow_private=True).target
        there.troubles, there.says = [204], None
        assert KINDS["discord"].deliver(WIRE, target, message()).link is None
        assert len(there.calls) == 1


def test_discord_is_sent_a_picture_and_mentions_nobody() -> None:
    with place("discord") as there:
        target = kinds.place("discord", there.given, allow_private=True).target
        KINDS["discord"].deliver(WIRE, target, message(text="@everyone " * 500))
        sent = there.written[0].json
        assert sent["allowed_mentions"] == {"parse": []}
        assert sent["embeds"] == [{"title": "Battle · Turn 3", "url": URL, "image": {"url": f"{URL}.png"}}]
        assert len(sent["content"]) == 2000


def test_a_webhook_is_signed_over_id_time_and_body() -> None:
    with place("webhook") as there:
        target = kinds.place("webhook", there.given, allow_private=True).target
        KINDS["webhook"].deliver(WIRE, target, message())
        call = there.written[0]
        told = call.headers
        key = base64.b64decode(SECRET.removeprefix("whsec_"))
        signed = f"{told['webhook-id']}.{told['webhook-timestamp']}.".encode() + call.body
        expected = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
        assert told["webhook-signature"] == f"v1,{expected}"
        assert told["idempotency-key"] == told["webhook-id"] == call.json["id"] == "00aa11bb22cc33dd"
        assert call.json["event"] == "turn-published"


def test_a_secret_that_is_not_base64_is_a_key_as_it_stands() -> None:
    plain = webhook.signature("a secret in words", "id", "1", b"{}")
    mac = hmac.digest(b"a secret in words", b"id.1.{}", "sha256")
    assert plain == "v1," + base64.b64encode(mac).decode()


def test_apprise_calls_no_server_of_a_strangers_choice() -> None:
    with place("webhook") as there, pytest.raises(PostError, match="forbidden-address"):
        KINDS["apprise"].deliver(Wire(), {"url": f"json://127.0.0.1:{there.port}/hook"}, message())
    assert there.calls == []


def test_apprise_delivers_where_the_host_allows_it() -> None:
    with place("webhook") as there:
        url = f"json://127.0.0.1:{there.port}/hook?-token={HOOK}"
        target = kinds.place("apprise", {"url": url}, allow_private=True).target
        KINDS["apprise"].deliver(WIRE, target, message())
        assert there.written[0].json["title"] == "Battle · Turn 3"
        assert URL in there.written[0].json["message"]


def test_what_a_service_does_not_take_is_said() -> None:
    with place("webhook") as there:
        there.troubles = [500]
        with pytest.raises(PostError, match="not-taken"):
            KINDS["apprise"].deliver(WIRE, {"url": f"json://127.0.0.1:{there.port}/hook"}, message())


def test_a_title_calls_nobody_in_a_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    called = dataclasses.replace(message(text="@here\n<@U5> a@b"), title="<!channel> @everyone")
    with place("telegram") as there:
        monkeypatch.setattr(telegram, "API", there.base)
        KINDS["telegram"].deliver(WIRE, {"token": BOT, "chat": "77"}, called)
        (text,) = there.posts
    with place("webhook") as there:
        KINDS["apprise"].deliver(WIRE, {"url": f"json://127.0.0.1:{there.port}/hook?-token={HOOK}"}, called)
        told = there.written[0].json
    for words in (text, told["title"], told["message"]):
        assert not re.search(r"@\w|<[!@]", words)
    assert "everyone" in text


@pytest.mark.parametrize(("given", "taken"), [({}, True), ({"chat": "404"}, False)])
def test_a_bot_writes_into_its_chat(monkeypatch: pytest.MonkeyPatch, given: dict[str, str], taken: bool) -> None:
    with place("telegram") as there:
        monkeypatch.setattr(telegram, "API", there.base)
        target = kinds.place("telegram", {"token": BOT, "chat": "77", **given}, allow_private=False).target
        if taken:
            assert KINDS["telegram"].deliver(WIRE, target, message(text="x" * 9000)).link is None
            (post,) = there.posts
            assert post.endswith(URL)
            assert len(post) <= telegram.LONGEST
        else:
            with pytest.raises(PostError) as refused:
                KINDS["telegram"].deliver(WIRE, target, message())
            assert (refused.value.status, refused.value.hopeless) == (400, True)
        assert there.calls[0].path == f"/bot{BOT}/sendMessage"


@pytest.mark.parametrize(
    ("chat", "known", "sent", "link"),
    [
        (
            "-1001234/45",
            {"id": -1001234, "type": "supergroup"},
            {"chat_id": "-1001234", "message_thread_id": 45},
            "https://t.me/c/1234/45/130",
        ),
        ("-1001234", {"id": -1001234, "type": "channel"}, {"chat_id": "-1001234"}, "https://t.me/c/1234/130"),
        ("@war_", {"id": -1001234, "type": "channel", "username": "war_"}, {"chat_id": "@war_"}, "https://t.me/war_/130"),
        ("@war_", {"id": -1001234, "type": "channel", "username": "../"}, {"chat_id": "@war_"}, "https://t.me/c/1234/130"),
        ("77", {"id": 77, "type": "private", "username": "Anna_1"}, {"chat_id": "77"}, None),
        ("-55", {"id": -55, "type": "group"}, {"chat_id": "-55"}, None),
    ],
)
def test_what_a_bot_wrote_is_linked_where_others_can_open_it(
    monkeypatch: pytest.MonkeyPatch, chat: str, known: dict[str, object], sent: dict[str, object], link: str | None
) -> None:
    with place("telegram") as there:
        there.chats = {str(sent["chat_id"]): known}
        monkeypatch.setattr(telegram, "API", there.base)
        target = kinds.place("telegram", {"token": BOT, "chat": chat}, allow_private=False).target
        assert KINDS["telegram"].deliver(WIRE, target, message()).link == link
        told = there.written[0].json
        assert {name: told.get(name) for name in ("chat_id", "message_thread_id") if name in told} == sent


def test_a_thread_of_discord_is_named_in_the_address() -> None:
    with place("discord") as there:
        target = {"url": f"{there.base}/api/webhooks/55/{HOOK}?thread_id=45"}
        KINDS["discord"].deliver(WIRE, target, message())
        assert there.written[0].query == {"thread_id": ["45"], "wait": ["true"]}
