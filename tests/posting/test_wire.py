"""Whom the server calls on a stranger's word, and what it takes as an answer."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from app.posting import wire
from app.posting.message import PostError
from app.posting.wire import Wire, is_public
from app.referee.outbox import LEASE
from app.referee.posting import MOST_SECONDS
from tests.posting.places import HOOK, place

PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "64:ff9b::a00:1",
    "2002:7f00:1::1",
]


def test_a_delivery_is_over_before_another_sender_may_take_it_up() -> None:
    last_call = wire.TOTAL_SECONDS + (wire.MOST_ADDRESSES + 1) * Wire().seconds
    assert MOST_SECONDS + last_call < LEASE.total_seconds()


def test_no_call_is_begun_after_the_time_of_its_delivery() -> None:
    with place("webhook") as hook:
        late = Wire(allow_private=True).within(-1)
        with pytest.raises(PostError, match="timeout"):
            late.post(f"{hook.base}/hook", {})
        assert not hook.calls
        Wire(allow_private=True).within(60).post(f"{hook.base}/hook", {}, params=[("token", HOOK)])


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_of_a_network_at_home_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "64:ff9b::101:101"])
def test_an_address_of_the_whole_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/x",
        "ftp://example.org/x",
        "file:///etc/passwd",
        "https://user:word@example.org/",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://2130706433/x",
        "https://0x7f.1/x",
        "https://localhost:8443/x",
        "https:///x",
        "nothing",
        "",
    ],
)
def test_what_is_not_https_to_a_public_address_is_refused_before_anything_is_sent(url: str) -> None:
    with pytest.raises(PostError) as refused:
        Wire().get(url)
    assert refused.value.code in {"forbidden-address", "unreachable"}
    if "127.0.0.1" in url or "localhost" in url or url.startswith("http:"):
        assert refused.value.code == "forbidden-address"
        assert refused.value.hopeless


def test_a_name_with_one_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolved(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("1.1.1.1", "10.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with pytest.raises(PostError, match="forbidden-address"):
        Wire().get("https://rebinding.example/")


def test_the_very_address_that_was_examined_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    with place("webhook") as hook:
        true = socket.getaddrinfo

        def resolved(host: str, port: int, *more: Any, **options: Any) -> list[Any]:
            asked.append(host)
            return true("127.0.0.1" if host == "forum.example" else host, port, *more, **options)

        monkeypatch.setattr(socket, "getaddrinfo", resolved)
        Wire(allow_private=True).post(f"http://forum.example:{hook.port}/hook", {}, params=[("token", HOOK)])
        assert asked.count("forum.example") == 1
        assert hook.calls[0].headers["host"] == f"forum.example:{hook.port}"


def test_no_redirect_is_followed() -> None:
    with place("webhook") as hook:
        hook.troubles = [302]
        with pytest.raises(PostError) as refused:
            Wire(allow_private=True).post(f"{hook.base}/hook", {})
        assert (refused.value.code, refused.value.status, refused.value.hopeless) == ("status", 302, True)
        assert [call.path for call in hook.calls] == ["/hook"]


def test_silence_is_a_timeout_and_a_closed_door_unreachable() -> None:
    with place("webhook") as hook:
        hook.troubles = ["silent"]
        with pytest.raises(PostError, match="timeout"):
            Wire(allow_private=True, seconds=0.2).post(f"{hook.base}/hook", {})
        hook.stop.set()
        gone = hook.base
    with pytest.raises(PostError, match="unreachable"):
        Wire(allow_private=True).post(f"{gone}/hook", {})


def test_an_answer_without_end_is_not_read_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with place("nodebb") as forum:
        forum.posts = ["x" * 500]
        monkeypatch.setattr(wire, "LARGEST_ANSWER", 100)
        headers = {"authorization": "Bearer " + forum.given["key"]}
        with pytest.raises(PostError, match="too-large"):
            Wire(allow_private=True).get(f"{forum.base}/api/topic/7", headers=headers)


def test_a_place_that_is_busy_says_how_long_to_wait() -> None:
    with place("webhook") as hook:
        hook.troubles = [429]
        with pytest.raises(PostError) as refused:
            Wire(allow_private=True).post(f"{hook.base}/hook", {})
        assert (refused.value.status, refused.value.wait, refused.value.hopeless) == (429, 900, False)


@pytest.mark.parametrize(
    ("asked", "wait"),
    [
        ("120", 120),
        ("64.57", 64),
        ("Mon, 30 Nov 2099 12:02:00 GMT", wire.MOST_WAIT),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("soon", 0),
        ("", 0),
        ("9" * 12, 0),
    ],
)
def test_how_long_to_wait_is_a_number_or_a_moment(asked: str, wait: int) -> None:
    with place("webhook") as hook:
        hook.troubles, hook.retry_after = [429], asked
        with pytest.raises(PostError) as refused:
            Wire(allow_private=True).post(f"{hook.base}/hook", {})
        assert refused.value.wait == wait


def test_a_moment_to_wait_for_is_told_by_the_clock_of_the_place() -> None:
    assert wire._seconds("Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:26:30 GMT") == 90


@pytest.mark.parametrize(
    ("says", "said"),
    [
        ({"action": "create_post", "errors": ["Body is too similar to what you recently posted"]}, "Body is too similar"),
        ({"errors": ["No more than 3", "consecutive replies are allowed."]}, "No more than 3 consecutive replies"),
        ({"status": {"code": "bad-request", "message": "This topic is <strong>locked</strong>."}}, "This topic is locked"),
        ({"ok": False, "description": "Bad Request: chat not found"}, "Bad Request: chat not found"),
        ({"message": "Invalid Form Body", "code": 50035, "errors": {"content": {}}}, "Invalid Form Body"),
        ({"errors": [{"deep": 1}]}, "{'deep': 1}"),
        ({"error": "a\nb\u202ec"}, "a b c"),
        ({"error": 7, "message": None}, ""),
        ({"errors": []}, ""),
        (["not an object"], ""),
        (None, ""),
        ({"message": "no such key: 0123456789abcdef"}, ""),
        ({"message": "no such hook: /a-token-that-is-a-key"}, ""),
        ({"message": "word " * 500}, "word word"),
    ],
)
def test_why_it_was_refused_is_told_in_the_places_own_words_and_never_a_key(says: Any, said: str) -> None:
    with place("webhook") as hook:
        hook.troubles, hook.says = [422], says
        with pytest.raises(PostError) as refused:
            Wire(allow_private=True).post(
                f"{hook.base}/{HOOK}", {}, headers={"authorization": "Bearer 0123456789abcdef"}, params=[("a", "b")]
            )
        assert refused.value.said.startswith(said)
        assert bool(refused.value.said) == bool(said)
        assert len(refused.value.said) <= wire.LONGEST_SAID


def test_where_one_address_of_a_name_takes_no_call_the_next_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    true, asked = socket.getaddrinfo, []

    def resolved(host: str, port: int, *more: Any, **options: Any) -> list[Any]:
        if host != "forum.example":
            return true(host, port, *more, **options)
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("127.0.0.2", "127.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    with place("webhook") as hook:  # at the second address alone
        url = f"http://forum.example:{hook.port}/hook"
        assert Wire(allow_private=True).post(url, {}, params=[("token", HOOK)]).status == 204
        assert len(hook.calls) == len(asked) == 1
