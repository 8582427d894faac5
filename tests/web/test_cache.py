"""Pages kept as bytes: fresh for a second, confirmed by their battle's version, the longest unread going first."""

from __future__ import annotations

from app.web.cache import FRESH_SECONDS, PageCache


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_page_is_fresh_for_a_second_and_then_confirmed_by_its_version() -> None:
    clock = Clock()
    pages = PageCache(clock=clock)
    kept = pages.keep("a", b"body", 3)
    assert pages.fresh("a") is kept
    clock.now += FRESH_SECONDS + 0.1
    assert pages.fresh("a") is None
    assert pages.confirmed("a", 4) is None
    assert pages.confirmed("a", 3) is kept
    assert pages.fresh("a") is kept


def test_the_longest_unread_goes_first_when_the_room_is_full() -> None:
    clock = Clock()
    pages = PageCache(largest=100, clock=clock)
    for name in "abcde":
        pages.keep(name, name.encode() * 20, 1)
    pages.confirmed("a", 1)
    pages.keep("f", b"f" * 20, 1)
    assert pages.fresh("b") is None
    assert pages.fresh("a") is not None
    assert len(pages) == 5


def test_a_page_kept_anew_takes_the_room_of_the_old_one() -> None:
    pages = PageCache(largest=100)
    for version in range(50):
        pages.keep("a", b"a" * 20, version)
        pages.keep("b", b"b" * 20, version)
    assert len(pages) == 2


def test_a_page_that_would_fill_the_room_is_served_and_not_kept() -> None:
    pages = PageCache(largest=100)
    assert pages.keep("a", b"a" * 26, 1).body == b"a" * 26
    assert pages.fresh("a") is None


def test_the_tag_tells_bytes_apart() -> None:
    pages = PageCache()
    assert pages.keep("a", b"one", 1).etag != pages.keep("b", b"two", 1).etag
    assert pages.keep("a", b"one", 2).etag == pages.keep("c", b"one", 9).etag
