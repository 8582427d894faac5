"""A battle's time by the API: made with a schedule, changed, moved, paused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from app.store.models import Master

WEEK = {"times": ["fri 21:00", "tue 21:00"], "skip": ["2026-12-08"], "zone": "Europe/Moscow"}


def test_a_battle_is_made_with_times_of_the_week(new_game: Any) -> None:
    game = new_game(deadlines=WEEK)
    assert game.public("GET", game.path).json()["deadline"] == "2026-12-01T18:00:00Z"
    told = game.public("GET", f"{game.path}/schedule").json()
    assert told["schedule"] == {"hours": None, "times": ["tue 21:00", "fri 21:00"], "skip": ["2026-12-08"]}
    assert told["ahead"][:2] == ["2026-12-04T18:00:00Z", "2026-12-11T18:00:00Z"]
    assert (told["zone"], told["paused"], told["asked"]) == ("Europe/Moscow", None, None)


def test_the_schedule_is_changed_and_the_deadline_moved(game: Any) -> None:
    told = game.master("PUT", f"{game.path}/schedule", {**WEEK, "at_once": True}).json()
    assert told["deadline"] == "2026-12-01T18:00:00Z"
    told = game.master("POST", f"{game.path}/deadline", {"by_hours": 24, "reason": "A holiday."}).json()
    assert told["deadline"] == "2026-12-02T18:00:00Z"
    told = game.master("POST", f"{game.path}/deadline", {"by_hours": -30}).json()
    assert told["deadline"] == "2026-12-01T12:00:00Z"
    assert game.master("POST", f"{game.path}/deadline", {"deadline": None}).json()["deadline"] is None
    assert game.master("POST", f"{game.path}/deadline", {"by_hours": 1}).json()["code"] == "no-deadline"


def test_a_pause_by_the_api(game: Any, clock: Any) -> None:
    game.master("POST", f"{game.path}/deadline", {"deadline": "2026-12-02T12:00:00Z"})
    told = game.master("POST", f"{game.path}/pause", {"until": "2026-12-05T12:00:00Z"}).json()
    assert (told["status"], told["deadline"]) == ("paused", None)
    assert told["paused"] == {"since": "2026-11-30T12:00:00Z", "until": "2026-12-05T12:00:00Z", "left_seconds": 172800.0}
    assert game.enter("south").status_code == 200
    assert game.master("POST", f"{game.path}/turns/1/resolve").json()["code"] == "paused"
    clock.forward(hours=5)
    assert game.master("POST", f"{game.path}/go-on").json()["status"] == "open"
    assert game.public("GET", f"{game.path}/schedule").json()["deadline"] == "2026-12-02T17:00:00Z"


def test_who_plays_asks_and_each_side_agrees(game: Any, db: Any) -> None:
    with db.write() as session:
        session.execute(update(Master).where(Master.battle_id == game.id).values(plays=True))
    told = game.account("POST", f"{game.path}/pause", {"reason": "Away."}).json()
    assert (told["status"], told["asked"]) == ("open", {"until": None, "reason": "Away.", "agreed": []})
    assert game.master("POST", f"{game.path}/pause/answer", {"agree": True}).status_code == 403
    told = game.seats["south"]("POST", f"{game.path}/pause/answer", {"agree": True}).json()
    assert (told["status"], told["asked"]["agreed"]) == ("open", ["south"])
    assert game.seats["north"]("POST", f"{game.path}/pause/answer", {"agree": True}).json()["status"] == "paused"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"hours": 24, "times": ["tue 21:00"]}, "bad-schedule"),
        ({"times": ["tue 9:00"]}, "bad-body"),
        ({"times": ["someday 21:00"]}, "bad-body"),
        ({"times": "tue 21:00"}, "bad-body"),
        ({"hours": 24, "skip": ["2026-02-30"]}, "bad-schedule"),
        ({"hours": 24, "skip": ["2026-01-01/2040-01-01"]}, "bad-schedule"),
        ({"hours": 24, "skip": ["tomorrow"]}, "bad-body"),
        ({"hours": 0}, "bad-body"),
        ({"hours": 24, "zone": "Mars/Olympus"}, "bad-deadline"),
        ({"hours": 24, "more": 1}, "bad-body"),
        ({"hours": 24, "at_once": "yes"}, "bad-body"),
    ],
)
def test_what_is_no_schedule_changes_nothing(game: Any, body: Any, code: str) -> None:
    before = game.public("GET", game.path).json()
    answer = game.master("PUT", f"{game.path}/schedule", body)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert game.public("GET", game.path).json() == before
    russian = replace(game.master, language="ru")("PUT", f"{game.path}/schedule", body)
    assert russian.json()["text"] != answer.json()["text"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"deadline": None, "by_hours": 3},
        {"by_hours": 0},
        {"by_hours": 10**6},
        {"by_hours": True},
        {"deadline": 5},
        {"deadline": "2020-01-01T00:00:00Z"},
        {"by_hours": 1, "reason": "x" * 3000},
        {"by_hours": 1, "reason": "\x00"},
    ],
)
def test_what_is_no_move_changes_nothing(game: Any, body: Any) -> None:
    game.master("POST", f"{game.path}/deadline", {"deadline": "2026-12-02T12:00:00Z"})
    assert game.master("POST", f"{game.path}/deadline", body).status_code == 422
    assert game.public("GET", game.path).json()["deadline"] == "2026-12-02T12:00:00Z"
