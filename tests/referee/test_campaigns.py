"""Campaigns: led by keys of their own, battles that join by the word of both, and standings from what is published alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.engine.ruleset import Ruling, Step
from app.referee import (
    accounts,
    battles,
    campaignbattles,
    campaigns,
    campaignviews,
    holding,
    keys,
    masters,
    moderation,
    publication,
    rewinding,
    scenarios,
    turns,
)
from app.referee.campaignviews import CampaignView
from app.referee.errors import RefereeError
from app.referee.standings import Score, Standing
from app.referee.views import PUBLIC, NewBattle, Viewer
from app.rulesets.cohesion.events import Destroyed, Lost
from app.rulesets.registry import RULESETS
from app.store.db import Database
from tests.referee import guessing
from tests.referee.table import Table, everything, lay
from tests.times import NOW

RED = {"red": {"name": {"en": "The Empire", "ru": "Империя"}, "colour": "#c00"}}


class Led:
    """A campaign and who leads it."""

    def __init__(self, db: Database, **given: Any) -> None:
        self.db = db
        made = campaigns.create(db, title="The river war", now=NOW, **given)
        self.id, self.key = made.id, made.key
        self.master = keys.viewer_by_key(db, made.key)

    def show(self) -> CampaignView:
        return campaignviews.campaign(self.db, self.id)

    def join(self, battle_id: str, master: Viewer, label: str = "") -> None:
        campaignbattles.add_battle(self.db, self.id, self.master, battle_id, master, now=NOW, label=label)

    def side(self, key: str) -> Score:
        return next(one.score for one in self.show().by_side if one.key == key)

    def commander(self, name: str) -> Standing:
        return next(one for one in self.show().by_commander if one.key == name)

    def logged(self) -> list[tuple[str, dict[str, Any]]]:
        return [(line.what, dict(line.params)) for line in campaignviews.log(self.db, self.id)]


def refused(code: str, act: Any, *args: Any, **given: Any) -> RefereeError:
    with pytest.raises(RefereeError) as told:
        act(*args, **given)
    assert told.value.code == code
    return told.value


def play(table: Table, **guesses: int) -> None:
    """One turn of a guessing battle."""
    for seat, number in guesses.items():
        table.enter(seat, number)
    table.resolve()


def points(table: Table) -> dict[str, int]:
    return {side.side: side.points for side in table.show().sides}


def test_a_campaign_is_led_by_a_key_that_is_nowhere_in_the_database(db: Database) -> None:
    led = Led(db, description={"en": "A **war**.", "ru": ""}, name="Vera")
    assert (led.master.kind, led.master.campaign_id, led.master.battle_id, led.master.name) == (
        "campaign",
        led.id,
        None,
        "Vera",
    )
    assert led.key not in str(everything(db))
    shown = led.show()
    assert (shown.title, dict(shown.description), shown.battles) == ("The river war", {"en": "A **war**."}, ())
    assert [(one.number, one.name) for one in shown.masters] == [(1, "Vera")]


def test_a_battle_joins_only_by_the_word_of_both(db: Database) -> None:
    led, other, table, strange = Led(db), Led(db), lay(db), lay(db)
    add = campaignbattles.add_battle
    refused("not-yours", add, db, led.id, other.master, table.id, table.master, now=NOW)
    refused("not-yours", add, db, led.id, PUBLIC, table.id, table.master, now=NOW)
    refused("not-yours", add, db, led.id, table.master, table.id, table.master, now=NOW)
    refused("not-yours", add, db, led.id, led.master, table.id, strange.master, now=NOW)
    refused("not-yours", add, db, led.id, led.master, table.id, table.seats["A"], now=NOW)
    refused("no-battle", add, db, led.id, led.master, "nothing", table.master, now=NOW)
    refused("no-campaign", add, db, "nothing", led.master, table.id, table.master, now=NOW)
    led.join(table.id, table.master, "Battle 1: the ford")
    refused("in-campaign", led.join, table.id, table.master)
    assert [(one.id, one.label) for one in led.show().battles] == [(table.id, "Battle 1: the ford")]
    assert campaignviews.of_battle(db, table.id) == (led.id, "The river war", "Battle 1: the ford")
    assert campaignviews.of_battle(db, strange.id) is None
    assert moderation.log(db, table.id)[-1].what == "joined-campaign"
    refused("not-yours", campaignbattles.remove_battle, db, led.id, table.master, table.id, NOW)
    campaignbattles.remove_battle(db, led.id, led.master, table.id, NOW)
    assert led.show().battles == ()
    assert moderation.log(db, table.id)[-1].what == "left-campaign"
    assert [what for what, _ in led.logged()] == ["made", "joined", "removed"]
    other.join(table.id, table.master)


def test_battles_are_put_in_order_and_their_sides_are_counted_as_is_said(db: Database) -> None:
    led = Led(db)
    tables = [lay(db, seed="00") for _ in range(3)]
    for table in tables:
        led.join(table.id, table.master)
    assert [side.key for side in led.show().sides] == ["red", "blue"]
    arrange = campaignbattles.arrange
    arrange(db, led.id, led.master, tables[2].id, now=NOW, label="First of all", place=1, sides={"red": "blue"})
    shown = led.show()
    assert [one.id for one in shown.battles] == [tables[2].id, tables[0].id, tables[1].id]
    assert [one.place for one in shown.battles] == [1, 2, 3]
    assert dict(shown.battles[0].counts_as) == {"red": "blue"}
    for sides in ({"green": "red"}, {"red": "green"}):
        refused("bad-sides", arrange, db, led.id, led.master, tables[0].id, now=NOW, label="", place=1, sides=sides)
    refused("no-battle", arrange, db, led.id, led.master, lay(db).id, now=NOW, label="", place=1, sides={})


def test_sides_that_are_gone_count_for_nobody(db: Database) -> None:
    led, table = Led(db), lay(db)
    led.join(table.id, table.master)
    campaignbattles.set_sides(db, led.id, led.master, RED, NOW)
    shown = led.show()
    assert [(side.key, side.name["ru"]) for side in shown.sides] == [("red", "Империя")]
    assert dict(shown.battles[0].counts_as) == {"red": "red"}
    for bad in (
        {"1": RED["red"]},
        {"draw": RED["red"]},
        {"red": {"name": {"en": "A", "ru": "Б"}, "colour": "red"}},
        {f"s{n}": RED["red"] for n in range(20)},
    ):
        refused("bad-sides", campaignbattles.set_sides, db, led.id, led.master, bad, NOW)
    refused("not-yours", campaignbattles.set_sides, db, led.id, table.master, RED, NOW)


def test_points_are_counted_turn_by_turn_and_lead_to_their_turns(db: Database) -> None:
    led, table = Led(db), lay(db, scenario={"goal": 3})
    led.join(table.id, table.master)
    assert led.side("red") == Score()
    turn = 0
    while table.show().status != "over":
        turn += 1
        play(table, A=6, B=1, C=6)
        now = points(table)
        assert led.side("red").made == now["red"] == led.side("blue").given
        assert led.side("blue").made == now["blue"] == led.side("red").given
    winner = table.show().outcome.winner
    assert winner == "red"
    assert led.side("red") == Score(1, won=1, made=now["red"], given=now["blue"])
    assert led.side("blue") == Score(1, lost=1, made=now["blue"], given=now["red"])
    items = led.show().by_side[0].items
    assert items[0].what == "won"
    assert (items[0].battle, items[0].turn) == (table.id, turn)
    assert {item.turn for item in items[1:]} <= set(range(1, turn + 1))


def test_a_draft_under_review_changes_no_standing_before_it_is_published(db: Database) -> None:
    led, table = Led(db), lay(db, scenario={"goal": 1}, review=True)
    battles.name_holder(db, table.id, "A", table.seats["A"], "Anna", NOW)
    led.join(table.id, table.master)

    def told() -> Any:
        shown = led.show()
        return shown.by_side, shown.by_commander, [(one.points, one.winner) for one in shown.battles]

    before = told()
    play(table, A=6, B=1, C=6)
    assert told() == before
    moderation.rule(db, table.id, table.master, Ruling(({"points": {"blue": 9}, "winner": "red"},), "so it was"), NOW)
    assert told() == before
    publication.publish(db, table.id, table.master, turn=1, now=NOW)
    assert led.side("blue").made == 9
    assert led.side("red").won == 1


def test_a_ruling_on_the_open_turn_counts_at_once_and_a_rewind_takes_back_what_it_takes(db: Database) -> None:
    led, table = Led(db), lay(db)
    led.join(table.id, table.master)
    moderation.rule(db, table.id, table.master, Ruling(({"points": {"red": 2}},), "so it was"), NOW)
    assert led.side("red").made == 2
    play(table, A=6, B=6, C=6)
    assert led.side("red").made == points(table)["red"] > 2
    rewinding.rewind(db, table.id, table.master, to=1, reason="The map was wrong", now=NOW)
    assert led.side("red").made == points(table)["red"]
    assert led.side("blue") == Score(given=points(table)["red"])


def fought(db: Database) -> NewBattle:
    """A battle of `cohesion` in which the south destroys a unit of the north by shooting and melee, sooner or later."""
    return battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=NOW, seed="01")


def test_units_and_commanders_are_counted_where_the_rules_tell_of_them(db: Database, monkeypatch: Any) -> None:
    led, battle = Led(db), fought(db)
    master = keys.viewer_by_key(db, battle.master_key)
    for seat, name in (("north", "Anna"), ("south", "Boris")):
        battles.name_holder(db, battle.id, seat, keys.viewer_by_key(db, battle.seat_keys[seat]), name, NOW)
    led.join(battle.id, master)
    ruleset = battles.battle(db, battle.id, PUBLIC, NOW).ruleset

    def advance(state: Any, orders: Any, dice: Any) -> Any:
        step = ruleset.advance(state, orders, dice)
        if state.turn != 1:
            return step
        events = (
            Lost(unit="N-XS1", phase="melee", strength=3, by=("S-LM1",)),
            Destroyed(unit="N-XS1", cell="E2", phase="melee", scorer="south", value=2),
            *step.events,
        )
        return Step(ruleset.evolve(state, events), events)

    monkeypatch.setitem(RULESETS, "cohesion", replace(ruleset, advance=advance))
    turns.resolve_now(db, battle.id, master, turn=1, now=NOW)
    assert led.side("south") == Score(made=2, destroyed=1)
    assert led.side("north") == Score(given=2, fallen=1)
    assert led.commander("Boris").score == Score(made=2, destroyed=1)
    assert led.commander("Anna").score == Score(given=2, fallen=1)
    kill = next(item for item in led.commander("Boris").items if item.what == "unit")
    assert (kill.battle, kill.turn, kill.unit) == (battle.id, 1, "N-XS1")
    assert led.show().tells_units
    assert [one.key for one in led.show().by_commander] == ["Boris", "Anna"]


def test_rules_that_do_not_tell_of_units_are_counted_by_points_alone(db: Database) -> None:
    assert guessing.RULESET.fallen is None
    led, table = Led(db), lay(db)
    led.join(table.id, table.master)
    play(table, A=6)
    assert not led.show().tells_units


def test_two_commanders_of_one_name_are_told_apart_by_their_accounts_alone(db: Database) -> None:
    led = Led(db)
    people: dict[str | None, Viewer] = {}
    for name in ("first", "second"):
        account_id = accounts.sign_up(db, name, "a long password", NOW, language="en")
        people[name] = Viewer("account", account_id=account_id, name=name)
    tables = [lay(db) for _ in range(3)]
    for table, who in zip(tables, ("first", "second", None), strict=True):
        battles.name_holder(db, table.id, "A", table.seats["A"], "Anna", NOW)
        led.join(table.id, table.master)
        if who is not None:
            holding.take_up(db, table.id, people[who], table.seats["A"], NOW)
    shown = led.show()
    assert [one.key for one in shown.by_commander] == ["Anna", "Anna", "Anna"]
    assert "first" not in str(shown.by_commander)
    holding.give_back(db, tables[1].id, people["second"], seat="A")
    assert [one.key for one in led.show().by_commander] == ["Anna"]
    assert len({item.battle for item in led.commander("Anna").items}) == 3


def test_rulings_add_to_the_standings_with_their_reason_for_all_to_read(db: Database) -> None:
    led, table = Led(db), lay(db)
    led.join(table.id, table.master)
    rule = campaigns_rule(led)
    rule(kind="side", subject="red", changes={"made": 3, "lost": 0})
    rule(kind="commander", subject="Anna", changes={"made": -1})
    assert led.side("red").made == 3
    assert led.commander("Anna").score.made == -1
    assert led.commander("Anna").items[0].reason == "It was agreed."
    assert ("ruled", {"subject": "red", "changes": {"made": 3}, "reason": "It was agreed."}) in led.logged()
    for bad in (
        {"kind": "side", "subject": "green", "changes": {"made": 1}},
        {"kind": "seat", "subject": "A", "changes": {"made": 1}},
        {"kind": "side", "subject": "red", "changes": {}},
        {"kind": "side", "subject": "red", "changes": {"battles": 1}},
        {"kind": "side", "subject": "red", "changes": {"made": 10_000}},
    ):
        refused("bad-standing", rule, **bad)
    refused("bad-ruling", rule, kind="side", subject="red", changes={"made": 1}, reason=" ")
    refused("bad-name", rule, kind="commander", subject="", changes={"made": 1})
    refused("not-yours", rule, kind="side", subject="red", changes={"made": 1}, viewer=table.master)


def campaigns_rule(led: Led) -> Any:
    def rule(viewer: Viewer = led.master, reason: str = "It was agreed.", **given: Any) -> None:
        campaignbattles.rule(led.db, led.id, viewer, reason=reason, now=NOW, **given)

    return rule


def test_helpers_have_keys_of_their_own_that_stop_when_they_go(db: Database) -> None:
    led = Led(db)
    key = campaigns.add_master(db, led.id, led.master, "Vera", NOW)
    vera = keys.viewer_by_key(db, key)
    assert (vera.campaign_id, vera.name, vera.master) == (led.id, "Vera", 2)
    assert key not in str(everything(db))
    campaigns.describe(db, led.id, vera, title="The long war", description={}, now=NOW)
    assert led.show().title == "The long war"
    assert campaignviews.log(db, led.id)[-1].name == "Vera"
    refused("no-page", campaigns.remove_master, db, led.id, vera, 1, NOW)
    campaigns.remove_master(db, led.id, led.master, 2, NOW)
    refused("no-key", keys.viewer_by_key, db, key)
    assert led.master.master == masters.FIRST


def test_a_campaign_is_nobody_in_its_battles(db: Database) -> None:
    led, table = Led(db), lay(db, review=True)
    led.join(table.id, table.master)
    play(table, A=6)
    refused("not-yours", publication.publish, db, table.id, led.master, turn=1, now=NOW)
    refused("no-turn", publication.turn, db, table.id, 1, led.master)
    refused("not-yours", battles.set_deadline, db, table.id, led.master, None, NOW)
    assert table.show(led.master) == table.show(PUBLIC)


def test_a_desk_is_kept_by_an_account_and_given_back(db: Database) -> None:
    led = Led(db)
    account = Viewer("account", account_id=accounts.sign_up(db, "Olga", "a long password", NOW, language="en"), name="Olga")
    assert campaigns.acting(db, account, led.id) is None
    campaigns.keep(db, led.id, led.master, account)
    acting = campaigns.acting(db, account, led.id)
    assert acting is not None
    assert acting.campaign_id == led.id
    assert campaignviews.held_by(db, account.account_id) == ((led.id, "The river war"),)
    other = Viewer("account", account_id=accounts.sign_up(db, "Petr", "a long password", NOW, language="en"), name="Petr")
    refused("seat-taken", campaigns.keep, db, led.id, led.master, other)
    campaigns.keep(db, led.id, acting, None)
    assert campaigns.acting(db, account, led.id) is None
    assert campaignviews.held_by(db, None) == ()


def test_what_is_listed_has_battles(db: Database) -> None:
    Led(db)
    led, table = Led(db), lay(db)
    led.join(table.id, table.master)
    assert [(one.id, one.battles, one.under_way) for one in campaignviews.listing(db)] == [(led.id, 1, 1)]


def test_a_mark_changes_with_the_campaign_and_with_each_of_its_battles(db: Database) -> None:
    led, table = Led(db), lay(db)
    marks = [campaignviews.mark(db, led.id)]
    led.join(table.id, table.master)
    marks.append(campaignviews.mark(db, led.id))
    play(table, A=6)
    marks.append(campaignviews.mark(db, led.id))
    campaignbattles.remove_battle(db, led.id, led.master, table.id, NOW)
    marks.append(campaignviews.mark(db, led.id))
    assert len(set(marks)) == 4
    refused("no-campaign", campaignviews.mark, db, "nothing")


@pytest.mark.parametrize("text", ["a\x00b", "x" * 20_001])
def test_a_description_that_cannot_be_kept_is_refused(db: Database, text: str) -> None:
    refused("bad-description", campaigns.create, db, title="War", now=NOW, description={"en": text})
    refused("bad-title", campaigns.create, db, title="", now=NOW)
