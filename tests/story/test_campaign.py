"""A campaign's story, told over referee, pages, programs and post: September to April, in three zones, over both changes
of summer time. Before each publication the other side is given no byte that it was not given before one side wrote,
drew and talked for itself.
"""

from __future__ import annotations

from pathlib import Path

from app.referee import battles, campaignbattles, campaigns, keys, scenarios, schedule, ties
from app.referee.options import Options
from app.referee.views import NewBattle
from app.store.db import Database
from tests.posting.places import Place, place
from tests.story import autumn, counts, spring
from tests.story.cast import BERLIN
from tests.story.clock import Clock, wall
from tests.story.stage import Stage, staged

SUNDAYS = schedule.made(times=["sun 20:00"], skip=["2026-11-30/2027-03-19"])
"""And winter quarters from the end of November to the middle of March."""
BEGINS = wall("2026-09-28 15:00", BERLIN)


def made(db: Database, clock: Clock) -> NewBattle:
    return battles.create(
        db,
        scenario=scenarios.frozen("visage-and-throne"),
        now=clock.now,
        planned=SUNDAYS,
        zone=BERLIN,
        review=True,
        options=Options(looks="always", extend_hours=24, remind_hours=24, offer_after=2),
    )


def test_a_campaign_from_september_to_april(db_url: str, tmp_path: Path) -> None:
    with place("discord") as channel, staged(db_url, tmp_path, Clock(BEGINS), made) as stage:
        of_a_campaign(stage)
        tied(stage, channel)
        autumn.everybody_is_told_in_his_own_hours(stage)
        autumn.one_is_silent(stage)
        autumn.one_is_away_and_has_a_deputy(stage)
        autumn.one_is_replaced_while_clocks_go_back(stage)
        autumn.a_unit_is_added_and_a_die_disputed(stage)
        autumn.the_master_looks_at_a_sheet(stage)
        autumn.the_battle_is_taken_back_and_returns(stage)
        spring.winter_is_over(stage)
        spring.a_pause_gives_back_what_was_left(stage)
        spring.the_battle_ends(stage)
        counts.each_turn_once(stage, channel)
        counts.each_notice_once(stage)
        counts.the_log_has_it_all(stage)
        counts.every_record_holds(stage, tmp_path)
        counts.nothing_has_leaked(stage)
        counts.the_campaign_counts_it(stage)


def of_a_campaign(stage: Stage) -> None:
    """The battle is the first of a campaign, whose pages are among those that all are given."""
    new = campaigns.create(stage.db, title="The two realms", now=stage.clock.now)
    leads = keys.viewer_by_key(stage.db, new.key, stage.clock.now)
    campaignbattles.add_battle(stage.db, new.id, leads, stage.id, stage.master, now=stage.clock.now)
    stage.campaign = new.id


def tied(stage: Stage, channel: Place) -> None:
    """Each turn is posted to a channel, too."""
    ties.add(
        stage.db,
        stage.id,
        stage.master,
        kind=channel.kind,
        given=channel.given,
        language="en",
        length="phases",
        allow_private=True,
        now=stage.clock.now,
    )
