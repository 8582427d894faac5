"""The chapters of March and April."""

from __future__ import annotations

from datetime import timedelta

from app.engine.ruleset import Ruling
from app.referee import moderation, pausing
from tests.story.autumn import whispers
from tests.story.cast import AGLAYA, BERLIN, MOSCOW, NEW_YORK
from tests.story.clock import wall
from tests.story.stage import Stage


def winter_is_over(stage: Stage) -> None:
    """Turn 9. After the days off the first Sunday is the turn's, by the wall clock; in New York summer time has begun,
    in Berlin it has not."""
    due = wall("2027-03-21 20:00", BERLIN)
    assert stage.show().deadline == due == wall("2027-03-21 15:00", NEW_YORK) == wall("2027-03-21 22:00", MOSCOW)
    stage.clock.step = timedelta(days=4)
    stage.clock.to(wall("2027-03-17 12:00", BERLIN))
    stage.clock.step = timedelta(hours=6)
    stage.all_enter()
    whispers(stage, "south", "zxninthsouth")
    stage.to_the_deadline()
    stage.publish(9)


def a_pause_gives_back_what_was_left(stage: Stage) -> None:
    """Turn 10. Paused over the night in which the clocks of Berlin go forward: the turn gets back its hours, not its wall
    time; the next one is on the schedule's again."""
    due = wall("2027-03-28 20:00", BERLIN)
    assert stage.show().deadline == due == wall("2027-03-28 21:00", MOSCOW)
    stage.all_enter()
    stage.clock.to(wall("2027-03-26 13:00", BERLIN))
    left = due - stage.clock.now
    assert left == timedelta(days=2, hours=6)
    assert pausing.pause(stage.db, stage.id, stage.master, stage.clock.now, reason="Easter")
    whispers(stage, "north", "zxtenthnorth")
    stage.clock.to(due + timedelta(hours=5))
    assert (stage.show().status, stage.show().turn) == ("paused", 10)
    stage.clock.to(wall("2027-03-29 11:00", BERLIN))
    pausing.go_on(stage.db, stage.id, stage.master, stage.clock.now)
    assert stage.show().deadline == stage.clock.now + left == wall("2027-03-31 17:00", BERLIN)
    stage.post()
    assert stage.box.told(AGLAYA.address, "18:00") >= 1
    stage.to_the_deadline()
    stage.publish(10)


def the_battle_ends(stage: Stage) -> None:
    """Turn 11. Both sides have agreed who has won; the game master says so upon the draft."""
    assert stage.show().deadline == wall("2027-04-04 20:00", BERLIN)
    stage.all_enter()
    whispers(stage, "south", "zxeleventhsouth")
    stage.to_the_deadline()
    with stage.unseen("nobody"):
        won = Ruling(({"winner": "north"},), "The Throne has yielded")
        moderation.rule(stage.db, stage.id, stage.master, won, stage.clock.now)
    stage.publish(11)
    assert (stage.show().status, stage.show().outcome.winner) == ("over", "north")
    stage.clock.on(days=2)
