"""What the clocks of a server write into its log while its database is away."""

from __future__ import annotations

import structlog

from app.store.away import Away
from app.web.badmoments import BadMoments


def _fail(error: Exception) -> None:
    raise error


def test_a_database_that_is_away_for_long_is_told_once_and_once_when_it_is_back() -> None:
    with structlog.testing.capture_logs() as lines:
        moments = BadMoments(structlog.get_logger(), "sweep")
        for _ in range(3):
            with moments.told():
                _fail(Away("database or disk is full"))
        for _ in range(3):
            with moments.told():
                pass
        with moments.told():
            _fail(Away("the server stopped"))
    assert lines == [
        {"event": "database away", "during": "sweep", "why": "database or disk is full", "log_level": "error"},
        {"event": "database back", "during": "sweep", "log_level": "warning"},
        {"event": "database away", "during": "sweep", "why": "the server stopped", "log_level": "error"},
    ]


def test_a_bug_is_told_each_time() -> None:
    with structlog.testing.capture_logs() as lines:
        moments = BadMoments(structlog.get_logger(), "sweep")
        for _ in range(2):
            with moments.told():
                _fail(KeyError("a bug"))
    assert [(line["event"], line.get("exc_info")) for line in lines] == [("sweep failed", True)] * 2
