"""Time on the pages: the desk's page of it, the schedule of a new battle, a pause that is asked for, the calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from app.referee import battles, pausing, timing
from app.referee.keys import viewer_by_key
from app.referee.schedule import made
from app.referee.views import PUBLIC, BattleView, NewBattle
from app.store.models import Master
from tests.web.conftest import Post, text_of, value_of

WEEK = {"at:tue": "21:00", "at:fri": "21:00, 9.30"}
MOSCOW = ZoneInfo("Europe/Moscow")


def do(client: TestClient, battle: NewBattle, action: str, **fields: str) -> Any:
    return client.post(f"/b/{battle.id}/desk/time", data={"action": action, **fields})


def seen(post: Post, battle: NewBattle) -> BattleView:
    return battles.battle(post.house.db, battle.id, PUBLIC, datetime.now(UTC))


def soon(**step: float) -> datetime:
    return (datetime.now(UTC) + timedelta(**step)).replace(second=0, microsecond=0)


def events(post: Post, battle: NewBattle, language: str = "en") -> list[Any]:
    answer = post.visitor().get(f"/b/{battle.id}/deadlines.ics?lang={language}")
    assert answer.status_code == 200
    return list(icalendar.Calendar.from_ical(answer.content).events)


def test_a_deadline_is_extended_and_brought_forward(post: Post) -> None:
    deadline = soon(days=3)
    battle = post.battle(deadline=deadline)
    client = post.holder(battle.master_key)
    assert do(client, battle, "extend", step="24", reason="A holiday.").status_code == 303
    assert seen(post, battle).deadline == deadline + timedelta(days=1)
    assert do(client, battle, "shorten", step="30").status_code == 303
    page = text_of(client.get(f"/b/{battle.id}/desk/time?told=shortened").text)
    assert "brought forward. All are told" in page
    assert "The deadline was extended" in text_of(post.visitor().get(f"/b/{battle.id}").text)
    assert "Reason: A holiday." in text_of(post.visitor().get(f"/b/{battle.id}").text)
    for wrong in ("", "0", "-5", "1.5", "9999999"):
        refused = do(client, battle, "extend", step=wrong, reason="Kept <words>")
        assert refused.status_code == 422
        assert value_of(refused.text, "reason") == "Kept <words>"
    assert do(client, battle, "shorten", step="9000").status_code == 422


def test_a_battle_is_paused_and_goes_on(post: Post) -> None:
    battle = post.battle(deadline=soon(days=3), zone="Europe/Moscow")
    master, south = post.holder(battle.master_key), post.holder(battle.seat_keys["south"])
    until = soon(days=2).astimezone(MOSCOW)
    assert do(master, battle, "pause", until=until.strftime("%Y-%m-%dT%H:%M")).status_code == 303
    view = seen(post, battle)
    assert view.pause is not None
    assert view.pause.until == until
    for client in (post.visitor(), south, master):
        page = text_of(client.get(f"/b/{battle.id}").text)
        assert "paused until" in page
        assert "orders are still taken" in page
        assert "not yet" in page
    assert "paused" in text_of(south.get(f"/b/{battle.id}/seat/south").text)
    assert "Save" in south.get(f"/b/{battle.id}/seat/south").text
    assert "paused" in text_of(post.visitor().get("/").text)
    desk = master.get(f"/b/{battle.id}/desk").text
    assert "Resolve turn" not in desk
    assert master.post(f"/b/{battle.id}/desk", data={"action": "resolve", "turn": "1"}).status_code == 409
    russian = text_of(post.visitor("ru").get(f"/b/{battle.id}").text)
    assert "пауза до" in russian
    assert do(master, battle, "go-on").status_code == 303
    assert seen(post, battle).status == "open"
    for wrong in ("whenever", "2020-01-01T10:00"):
        assert do(master, battle, "pause", until=wrong).status_code == 422


def test_a_master_who_plays_asks_and_the_sides_answer_on_the_battles_page(post: Post) -> None:
    battle = post.battle(deadline=soon(days=3))
    with post.house.db.write() as session:
        session.execute(update(Master).where(Master.battle_id == battle.id).values(plays=True))
    master, south, north = (post.holder(k) for k in (battle.master_key, *(battle.seat_keys[s] for s in ("south", "north"))))
    answer = do(master, battle, "pause", why="I am <away>.")
    assert answer.headers["location"].endswith("told=asked")
    desk = master.get(answer.headers["location"]).text
    assert "each side has agreed" in text_of(desk)
    assert 'value="agree"' not in desk
    assert 'value="take-back"' in desk
    assert "I am <away>." in text_of(south.get(f"/b/{battle.id}").text)
    assert 'value="agree"' not in post.visitor().get(f"/b/{battle.id}").text
    for seat, client in (("south", south), ("north", north)):
        assert f"Agree ({seat.capitalize()})" in text_of(client.get(f"/b/{battle.id}").text)
        stranger = post.visitor().post(f"/b/{battle.id}/pause", data={"action": "agree", "seat": seat})
        assert stranger.status_code == 403
        assert client.post(f"/b/{battle.id}/pause", data={"action": "agree", "seat": seat}).status_code == 303
        assert 'value="agree"' not in client.get(f"/b/{battle.id}").text
    assert seen(post, battle).status == "paused"
    assert south.post(f"/b/{battle.id}/pause", data={"action": "agree", "seat": "south"}).status_code == 409
    assert south.post(f"/b/{battle.id}/pause", data={"action": "dance", "seat": "south"}).status_code == 400


def test_a_player_asks_for_more_time_and_the_master_gives_it_or_not(post: Post) -> None:
    deadline = soon(days=3)
    battle = post.battle(deadline=deadline)
    south, master = post.holder(battle.seat_keys["south"]), post.holder(battle.master_key)
    here, desk = f"/b/{battle.id}/seat/south/more-time", f"/b/{battle.id}/desk/more-time"
    assert here in south.get(f"/b/{battle.id}/seat/south").text
    wrong = south.post(here, data={"action": "ask", "hours": "soon", "reason": "<b>Ill"})
    assert wrong.status_code == 422
    assert value_of(wrong.text, "reason") == "<b>Ill"
    assert south.post(here, data={"action": "ask", "hours": "24", "reason": "Ill."}).status_code == 303
    assert "You have asked for 24 h more" in text_of(south.get(here).text)
    for page in ("", "/time"):
        assert "More time is asked for" in text_of(master.get(f"/b/{battle.id}/desk{page}").text)
    stale = master.post(desk, data={"action": "give", "seat": "south", "hours": "48"})
    assert "answered or taken back meanwhile" in text_of(master.get(stale.headers["location"]).text)
    assert seen(post, battle).deadline == deadline
    give = {"action": "give", "seat": "south", "hours": "24"}
    assert master.post(desk, data=give).headers["location"].endswith("told=extended")
    assert master.post(desk, data=give).headers["location"].endswith("told=answered"), "pressed twice"
    assert seen(post, battle).deadline == deadline + timedelta(days=1)
    south.post(here, data={"action": "ask", "hours": "24"})
    assert master.post(desk, data={"action": "decline", "seat": "south"}).headers["location"].endswith("told=declined")
    south.post(here, data={"action": "ask", "hours": "24"})
    assert "no more time now" in text_of(south.get(south.post(here, data={"action": "take-back"}).headers["location"]).text)
    assert south.post(desk, data=give).status_code == 403
    assert master.post(desk, data={"action": "wait"}).status_code == 400
    log = text_of(post.visitor().get(f"/b/{battle.id}/log").text)
    assert "asked for 24 h more. Reason: Ill." in log
    assert "the game master gave no more time" in log


def test_a_schedule_is_looked_at_before_it_is_kept(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.master_key)
    shown = do(client, battle, "preview", zone="Europe/Moscow", skip="1.1.2100 – 8.1.2100", **WEEK)
    assert shown.status_code == 200
    page = text_of(shown.text)
    assert "So the next deadlines would be" in page
    assert shown.text.count("<li><time") == 5
    assert value_of(shown.text, "at:fri") == "21:00, 9.30"
    assert not seen(post, battle).schedule
    assert do(client, battle, "schedule", zone="Europe/Moscow", skip="2100-01-01 - 2100-01-08", **WEEK).status_code == 303
    kept = seen(post, battle)
    assert kept.schedule == made(times=["tue 21:00", "fri 21:00", "fri 09:30"], skip=["2100-01-01/2100-01-08"])
    page = client.get(f"/b/{battle.id}/desk/time").text
    assert value_of(page, "at:fri") == "09:30, 21:00"
    assert "2100-01-01 – 2100-01-08" in page
    assert "Tuesday, 21:00; Friday, 09:30 and 21:00" in text_of(page)
    russian = text_of(post.holder(battle.master_key, "ru").get(f"/b/{battle.id}/desk/time").text)
    assert "Вторник, 21:00; пятница, 09:30 и 21:00" in russian
    assert "Deadlines: Tuesday, 21:00" in text_of(post.visitor().get(f"/b/{battle.id}").text)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"at:mon": "25:00"}, "is not a time"),
        ({"at:mon": "<b>"}, "is not a time"),
        ({"hours": "x"}, "whole number"),
        ({"hours": "24", "at:mon": "9:00"}, "not both"),
        ({"hours": "24", "skip": "tomorrow"}, "neither a day"),
        ({"hours": "24", "skip": "2026-02-30"}, "neither a day"),
        ({"hours": "24", "skip": "2026-12-31 – 2026-12-30"}, "neither a day"),
        ({"hours": "24", "skip": "2026-01-01 – 2040-01-01"}, "no deadline within five years"),
        ({"hours": "24", "zone": "Mars/Olympus"}, "time zone is not known"),
        ({"hours": "24", "skip": "\n".join(f"{year}-01-01" for year in range(2030, 2140))}, "at most 50"),
    ],
)
@pytest.mark.parametrize("action", ["preview", "schedule"])
def test_what_is_no_schedule_is_told_and_stands_as_typed(post: Post, action: str, fields: dict[str, str], told: str) -> None:
    battle = post.battle(turn_hours=48)
    client = post.holder(battle.master_key)
    refused = do(client, battle, action, **fields)
    assert refused.status_code == 422
    assert told in text_of(refused.text)
    assert refused.text.index('id="schedule-head"') < refused.text.index('id="problems"'), "it is where the form leads to"
    for name, value in fields.items():
        if name != "skip":
            assert value_of(refused.text, name) == value
    assert seen(post, battle).schedule.hours == 48


def test_hours_and_times_may_be_taken_away(post: Post) -> None:
    battle = post.battle(turn_hours=48)
    client = post.holder(battle.master_key)
    assert do(client, battle, "schedule").status_code == 303
    assert not seen(post, battle).schedule


def test_reminders_and_grace_are_the_masters_choice(post: Post) -> None:
    battle = post.battle()
    client = post.holder(battle.master_key)
    assert do(client, battle, "options", remind="6", grace="45").status_code == 303
    chosen = seen(post, battle).options
    assert (chosen.remind_hours, chosen.grace_minutes) == (6, 45)
    for wrong in ({"remind": "x", "grace": "0"}, {"remind": "6", "grace": ""}, {"remind": "9999", "grace": "0"}):
        refused = do(client, battle, "options", **wrong)
        assert refused.status_code == 422
        assert value_of(refused.text, "remind") == wrong["remind"]


def test_only_the_master_may_do_any_of_it(post: Post) -> None:
    battle = post.battle()
    for client in (post.visitor(), post.holder(battle.seat_keys["south"]), post.holder(post.battle().master_key)):
        assert client.get(f"/b/{battle.id}/desk/time").status_code == 403
        for action in ("extend", "shorten", "pause", "take-back", "agree", "go-on", "preview", "schedule", "options"):
            assert do(client, battle, action).status_code == 403, action
    assert do(post.holder(battle.master_key), battle, "dance").status_code == 400


def test_a_battle_is_made_with_a_schedule_that_was_looked_at(post: Post) -> None:
    client = post.visitor()
    form = {"scenario": "first-skirmish", "zone": "Europe/Moscow", "early": "yes", **WEEK}
    shown = client.post("/battles/new", data={**form, "preview": "yes"})
    assert shown.status_code == 200
    assert shown.text.count("<li><time") == 5
    assert value_of(shown.text, "at:tue") == "21:00"
    answer = client.post("/battles/new", data=form)
    assert answer.status_code == 303
    battle_id = answer.headers["location"].split("/")[2]
    view = battles.battle(post.house.db, battle_id, PUBLIC, datetime.now(UTC))
    assert view.schedule.times
    assert view.deadline is not None
    assert view.deadline.astimezone(MOSCOW).strftime("%a %H:%M") in {"Tue 21:00", "Fri 21:00", "Fri 09:30"}
    refused = client.post("/battles/new", data={**form, "hours": "24"})
    assert (refused.status_code, value_of(refused.text, "at:tue")) == (422, "21:00")


def test_the_calendar_has_the_open_turn_and_the_next_ones(post: Post) -> None:
    battle = post.battle(planned=made(times=["tue 21:00", "fri 21:00"]), zone="Europe/Moscow", title="Поле; боя, два")
    view = seen(post, battle)
    first, *others = events(post, battle)
    assert first["UID"] == f"{battle.id}-turn-1@127.0.0.1"
    assert (first["DTSTART"].dt, first["STATUS"]) == (view.deadline, "CONFIRMED")
    assert first["SUMMARY"] == "Поле; боя, два: turn 1, deadline"
    assert [alarm["TRIGGER"].dt for alarm in first.walk("VALARM")] == [-timedelta(hours=24), -timedelta(hours=1)]
    assert [event["DTSTART"].dt for event in others] == list(view.ahead)
    assert {event["STATUS"] for event in others} == {"TENTATIVE"}
    assert events(post, battle, "ru")[0]["SUMMARY"] == "Поле; боя, два: ход 1, срок приказов"
    page = post.visitor().get(f"/b/{battle.id}").text
    assert f"/b/{battle.id}/deadlines.ics?lang=en" in page


def test_an_event_that_moves_keeps_its_uid_and_its_sequence_rises(post: Post) -> None:
    battle = post.battle(deadline=soon(days=3), turn_hours=72)
    master = viewer_by_key(post.house.db, battle.master_key)
    (before, *_) = events(post, battle)
    timing.extend(post.house.db, battle.id, master, timedelta(days=1), datetime.now(UTC))
    (moved, *later) = events(post, battle)
    assert moved["UID"] == before["UID"]
    assert moved["SEQUENCE"] > before["SEQUENCE"]
    assert moved["DTSTART"].dt - before["DTSTART"].dt == timedelta(days=1)
    pausing.pause(post.house.db, battle.id, master, datetime.now(UTC))
    (cancelled,) = events(post, battle)
    assert (cancelled["UID"], cancelled["STATUS"]) == (before["UID"], "CANCELLED")
    assert cancelled["SEQUENCE"] > moved["SEQUENCE"]
    pausing.go_on(post.house.db, battle.id, master, datetime.now(UTC))
    (again, *rest) = events(post, battle)
    assert (again["UID"], again["STATUS"]) == (before["UID"], "CONFIRMED")
    assert [event["UID"] for event in rest] == [event["UID"] for event in later]


def test_the_calendar_is_kept_and_holds_no_secret(post: Post) -> None:
    battle = post.battle(deadline=soon(days=3))
    client = post.holder(battle.master_key)
    answer = client.get(f"/b/{battle.id}/deadlines.ics")
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.content == post.visitor().get(f"/b/{battle.id}/deadlines.ics").content
    assert b"\r\n" in answer.content
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))
    for key in (battle.master_key, *battle.seat_keys.values()):
        assert key not in answer.text
    again = client.get(f"/b/{battle.id}/deadlines.ics", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    assert client.get("/b/nosuch/deadlines.ics").status_code == 404
