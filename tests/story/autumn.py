"""The chapters from September to November. Each leaves the next turn open."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.engine.ruleset import Ruling
from app.referee import (
    keys,
    leave,
    looking,
    moderation,
    orders,
    plans,
    publication,
    reviewing,
    rewinding,
    seating,
    talk,
    turns,
)
from app.referee.channels import Where
from app.referee.errors import RefereeError
from app.referee.leave import Deputy
from app.referee.views import PUBLIC
from tests import walking
from tests.story.cast import AGLAYA, BERLIN, BORIS, CLARA, DEPUTY, DIETRICH, EDITH, FRANK, MOSCOW, SUCCESSOR
from tests.story.clock import wall
from tests.story.stage import Stage

HOUR = timedelta(hours=1)


def whispers(stage: Stage, side: str, text: str) -> None:
    """The side writes its orders anew, draws upon its plan and talks; for itself alone."""
    first, second, third = (seat for seat in stage.keys if seat.startswith(side))
    stage.secrets.append((side, text))
    now = stage.clock.now
    with stage.unseen(side):
        for seat in (first, second, third):
            stage.enter(seat, stage.marching(seat))
        plans.draw(
            stage.db,
            stage.id,
            first,
            stage.viewer(first),
            turn=stage.show().turn,
            kind="note",
            cells=("H6",),
            text=text,
            now=now,
        )
        talk.write(stage.db, stage.id, Where("side"), stage.viewer(second), text=text, now=now)
    heard = talk.see(stage.db, stage.id, Where("side"), stage.viewer(third), now)
    assert [message.text for message in heard.messages][-1] == text
    assert plans.plan(stage.db, stage.id, third, stage.viewer(third)).drawings[-1].text == text


def everybody_is_told_in_his_own_hours(stage: Stage) -> None:
    """Turn 1. It is published after ten in the evening in Moscow, and in the afternoon in New York."""
    assert stage.show().deadline == wall("2026-10-04 20:00", BERLIN) == wall("2026-10-04 21:00", MOSCOW)
    stage.all_enter()
    stage.clock.on(days=2)
    whispers(stage, "north", "zxfirstnorth")
    stage.to_the_deadline()
    stage.clock.to(wall("2026-10-05 00:30", MOSCOW))
    stage.publish(1)
    stage.post()
    said = {"ru": "Ход 1 опубликован.", "en": "Turn 1 is published."}
    for person in (AGLAYA, CLARA, DIETRICH, FRANK):
        assert stage.box.told(person.address, said[person.language]) == 1, person
    assert stage.box.told(BORIS.address, said["ru"]) == 0, "he sleeps"
    assert stage.box.told(EDITH.address, said["en"]) == 0, "she has one letter a day"
    stage.clock.to(wall("2026-10-05 07:00", MOSCOW))
    assert stage.box.told(BORIS.address, said["ru"]) == 1
    stage.clock.to(wall("2026-10-05 08:00", "America/New_York"))
    assert stage.box.told(EDITH.address, said["en"]) == 1
    assert stage.box.told(AGLAYA.address, "21:00") >= 1
    assert stage.box.told(FRANK.address, "14:00") >= 1


def one_is_silent(stage: Stage) -> None:
    """Turn 2. Frank is reminded, waited for once, and then it goes on without him."""
    due = wall("2026-10-11 20:00", BERLIN)
    assert stage.show().deadline == due
    silent = "south-right"
    stage.all_enter(silent, ready=True)
    whispers(stage, "north", "zxsecondnorth")
    stage.clock.to(due - 24 * HOUR)
    for _ in range(3):
        stage.ring()
    reminded = "orders for turn 2 are still missing"
    assert stage.box.told(FRANK.address, reminded) == 1
    assert stage.box.told(DIETRICH.address, reminded) == 0
    stage.clock.to(due)
    assert (stage.show().status, stage.show().turn, stage.show().deadline) == ("open", 2, due + 24 * HOUR)
    assert stage.box.told(DIETRICH.address, "the deadline is now") == 1
    stage.clock.to(due + 24 * HOUR)
    assert stage.show().status == "review"
    stage.publish(2)
    assert orders_of(stage, 2) == set(stage.keys) - {silent}
    assert stage.show().deadline == wall("2026-10-18 20:00", BERLIN), "the schedule is kept"


def orders_of(stage: Stage, turn: int) -> set[str]:
    return set(publication.turn(stage.db, stage.id, turn, PUBLIC).orders)


def one_is_away_and_has_a_deputy(stage: Stage) -> None:
    """Turn 3. Clara is on leave; Gleb holds her seat for that time and not a minute longer."""
    seat, now = "north-right", stage.clock.now
    begins, ends = wall("2026-10-13 12:00", BERLIN), wall("2026-10-16 12:00", BERLIN)
    key = leave.take(
        stage.db,
        stage.id,
        seat,
        stage.viewer(seat),
        begins=begins,
        ends=ends,
        zone=BERLIN,
        deputy=Deputy("link", DEPUTY.name),
        now=now,
    )
    assert key is not None
    stage.all_enter()
    is_no_key(stage, key, seat)
    stage.clock.to(begins)
    deputy = keys.viewer_by_key(stage.db, key, stage.clock.now)
    page = stage.client(key).get(f"/b/{stage.id}/seat/{seat}")
    assert page.status_code == 200, page.text[:400]
    stage.subscribe(DEPUTY, deputy)
    stage.joined[DEPUTY.address] = "north"
    stage.enter(seat, stage.marching(seat), by=deputy)
    whispers(stage, "north", "zxthirdnorth")
    stage.clock.to(ends)
    is_no_key(stage, key, seat)
    letters = len(stage.box.texts(DEPUTY.address))
    whispers(stage, "south", "zxthirdsouth")
    stage.to_the_deadline()
    assert stage.show().deadline is None
    stage.publish(3)
    stage.ring()
    assert len(stage.box.texts(DEPUTY.address)) == letters
    assert stage.box.told(CLARA.address, "Turn 3 is published.") == 1


def is_no_key(stage: Stage, key: str, seat: str) -> None:
    """Whoever holds it is given what everybody is given, at every address, and may write nothing."""
    asked = list(stage.asked("north", seat))
    walking.forget(stage.app)
    public, holder = stage.client(), stage.client()
    assert holder.get(f"/k/{key}").status_code in {401, 403}
    told = walking.seen(stage.app, {"": public}, asked)
    assert walking.seen(stage.app, {"": holder}, [one for one in asked if not one.startswith("/api")]) == {
        at: what for at, what in told.items() if not at[1].startswith("/api")
    }
    program = stage.client(token=key)
    calls = [one for one in asked if one.startswith("/api")]
    for at, what in walking.seen(stage.app, {"": program}, calls).items():
        assert what[0] in {401, 403, 404} or what == told[at], at
    body = {"turn": stage.show().turn, "revision": 0, "orders": {}}
    assert program.put(f"/api/v1/battles/{stage.id}/seats/{seat}/sheet", json=body).status_code in {401, 403}
    assert holder.post(f"/b/{stage.id}/seat/{seat}", data={"turn": "1"}).status_code == 403


def one_is_replaced_while_clocks_go_back(stage: Stage) -> None:
    """Turn 4. Edith has entered orders; in the middle of the turn Henry comes in her place, and finds them. In the night
    before the deadline the clocks of Berlin go back, so that the turn has an hour more."""
    seat, due = "south-centre", wall("2026-10-25 20:00", BERLIN)
    assert stage.show().deadline == due == wall("2026-10-25 22:00", MOSCOW)
    assert due - wall("2026-10-18 20:00", BERLIN) == timedelta(days=7, hours=1)
    stage.all_enter()
    whispers(stage, "south", "zxfourthsouth")
    stage.clock.to(wall("2026-10-21 12:00", BERLIN))
    mine = orders.sheet(stage.db, stage.id, seat, stage.viewer(seat)).orders
    old, letters = stage.keys[seat], len(stage.box.texts(EDITH.address))
    browser = stage.client(old)
    given = {"holder": SUCCESSOR.name, "orders": "keep", "now": stage.clock.now}
    key = seating.give(stage.db, stage.id, seat, stage.master, stage.made.master_key, **given)  # type: ignore[arg-type]
    stage.keys[seat] = key
    is_no_key(stage, old, seat)
    assert browser.get(f"/b/{stage.id}/seat/{seat}").status_code == 403
    stage.subscribe(SUCCESSOR, stage.viewer(seat))
    stage.joined[SUCCESSOR.address] = "south"
    assert orders.sheet(stage.db, stage.id, seat, stage.viewer(seat)).orders == mine
    stage.to_the_deadline()
    stage.publish(4)
    stage.clock.on(days=1)
    assert len(stage.box.texts(EDITH.address)) == letters, "nothing goes to the old address"
    assert stage.box.told(SUCCESSOR.address, "Turn 4 is published.") == 1
    stage.former[EDITH.address] = letters


def a_unit_is_added_and_a_die_disputed(stage: Stage) -> None:
    """Turn 5. Archers that the scenario forgot come by a ruling; the die of their first shot is rolled twice, and both rolls
    stand in the record. The clocks of New York go back in this week, those of Berlin have."""
    due, seat = wall("2026-11-01 20:00", BERLIN), "south-left"
    assert stage.show().deadline == due == wall("2026-11-01 14:00", "America/New_York")
    added = {"unit": "S-XS9", "add": {"type": "XS", "seat": seat, "at": "N5"}}
    changes = ({"unit": "N-LM1", "at": "N3"}, added)
    moderation.rule(stage.db, stage.id, stage.master, Ruling(changes, "Forgotten archers"), stage.clock.now)
    stage.post()
    assert stage.box.told(FRANK.address, "Forgotten archers") == 1
    stage.all_enter()
    with stage.unseen("south"):
        stage.enter(seat, {"S-XS9": {"shoot": "N-LM1"}})
    whispers(stage, "north", "zxfifthnorth")
    stage.to_the_deadline()
    address = "5/shooting/S-XS9/attack"
    first = reviewing.draft(stage.db, stage.id, stage.master).dice[address]
    with stage.unseen("nobody"):
        again = {"address": address, "reason": "It fell off the table", "rule": None, "now": stage.clock.now}
        moderation.reroll(stage.db, stage.id, stage.master, **again)  # type: ignore[arg-type]
    second = reviewing.draft(stage.db, stage.id, stage.master).dice[address]
    stage.publish(5)
    (ruling,) = (made for made in publication.turn(stage.db, stage.id, 5, PUBLIC).rulings if made.kind == "reroll")
    assert (ruling.facts["before"], ruling.facts["after"]) == (list(first), list(second))
    stage.post()
    assert stage.box.told(FRANK.address, "It fell off the table") == 1


def the_master_looks_at_a_sheet(stage: Stage) -> None:
    """Turn 6. That he has looked is told to all at once; what he has seen to nobody."""
    seat = "north-centre"
    stage.all_enter()
    whispers(stage, "north", "zxsixthnorth")
    before = stage.shown_to_others("north")
    given = {"language": "en", "now": stage.clock.now}
    seen = looking.look(stage.db, stage.id, seat, stage.master, **given)  # type: ignore[arg-type]
    ((unit, what),) = seen.orders["units"].items() if "units" in seen.orders else seen.orders.items()
    assert what
    after = stage.shown_to_others("north")
    changed = [where for where, told in after.items() if before[where] != told]
    assert changed, "all see that he has looked"
    for where in changed:
        for word in (unit, *(cell for cell in str(what).replace("'", " ").split() if cell[:1].isalpha())):
            assert after[where][1].count(word) == before[where][1].count(word), (where, word)
    (line,) = (line for line in moderation.log(stage.db, stage.id) if line.what == "looked")
    assert line.params == {"seat": seat, "revision": seen.revision}
    stage.to_the_deadline()
    stage.publish(6)


def the_battle_is_taken_back_and_returns(stage: Stage) -> None:
    """Turn 7 is played and 8 begun; then all goes back to the start of 6, which is played once more; then on from the end of
    what was left, as if nothing had been. What was sealed in turn 8 is never told."""
    assert stage.show().turn == 7
    stage.all_enter()
    whispers(stage, "south", "zxseventhsouth")
    stage.to_the_deadline()
    stage.publish(7)
    stage.clock.on(hours=12)
    stage.all_enter()
    whispers(stage, "north", "zxeighthnorth")
    played = [publication.record(stage.db, stage.id, turn, PUBLIC) for turn in range(1, 8)]
    given = {"now": stage.clock.now}
    line = rewinding.rewind(stage.db, stage.id, stage.master, to=6, reason="The map was another", **given)
    assert (line, stage.show().turn, stage.show().status) == (2, 6, "open")
    assert all(not seat.entered for seat in stage.show().seats)
    stage.all_enter()
    whispers(stage, "south", "zxsixthsouth")
    stage.to_the_deadline()
    stage.publish(6)
    stage.clock.on(days=1)
    again = publication.record(stage.db, stage.id, 6, PUBLIC)
    assert again["seed"] != played[5]["seed"]
    line = rewinding.take_up(stage.db, stage.id, stage.master, line=1, reason="It was the right map", now=stage.clock.now)
    assert (line, stage.show().turn) == (3, 8)
    assert [publication.record(stage.db, stage.id, turn, PUBLIC) for turn in range(1, 8)] == played
    assert rewinding.record(stage.db, stage.id, 2, 6) == again
    with pytest.raises(RefereeError, match="no-turn"):
        rewinding.record(stage.db, stage.id, 1, 8)
    assert all(not seat.entered for seat in stage.show().seats)
    stage.all_enter()
    whispers(stage, "north", "zxeighthagain")
    stage.to_the_deadline()
    stage.publish(8)
    assert [told.turn for told in turns.history(stage.db, stage.id, PUBLIC)] == list(range(1, 9))
