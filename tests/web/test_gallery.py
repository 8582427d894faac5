"""The threads that draw, alone: many who ask at once, a drawing that breaks, a reader who leaves."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from app.web.gallery import Gallery


@pytest.fixture
def gallery() -> Iterator[Gallery]:
    made = Gallery()
    yield made
    made.close()


def test_too_many_pictures_at_once_are_refused_and_nothing_is_lost() -> None:
    gate = threading.Event()
    small = Gallery(waiting=2)

    def slow() -> bytes:
        assert gate.wait(20)
        return b"picture"

    async def crowd() -> list[Any]:
        answers: list[Any] = []

        async def ask(tag: str) -> None:
            try:
                answers.append(await small.drawn(tag, slow))
            except Exception as refused:
                answers.append(getattr(refused, "code", refused))
                gate.set()

        async with anyio.create_task_group() as group:
            for tag in ("a", "b", "a", "c"):
                group.start_soon(ask, tag)
        return sorted(answers, key=str)

    assert anyio.run(crowd) == [b"picture"] * 3 + ["busy"]
    assert small.kept("a") == b"picture"
    small.close()


def test_a_picture_that_breaks_is_tried_again(gallery: Gallery) -> None:
    def broken() -> bytes:
        raise OSError("no memory")

    with pytest.raises(OSError, match="no memory"):
        anyio.run(gallery.drawn, "a", broken)
    assert anyio.run(gallery.drawn, "a", lambda: b"picture") == b"picture"


def test_a_reader_who_goes_away_does_not_take_the_picture_from_the_others(gallery: Gallery) -> None:
    gate = threading.Event()

    def slow() -> bytes:
        assert gate.wait(20)
        return b"picture"

    async def some_leave() -> bytes:
        with anyio.move_on_after(0.05) as gone:
            await gallery.drawn("a", slow)
        assert gone.cancelled_caught
        gate.set()
        return await gallery.drawn("a", lambda: b"another")

    assert anyio.run(some_leave) == b"picture"
