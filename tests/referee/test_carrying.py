"""Units brought over from an earlier battle: suggested, settled when the new battle is made, and told in its scenario."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from app.engine.ruleset import Json, Ruling
from app.referee import archive, battles, carrying, keys, moderation, publication, scenarios, turns, verification
from app.referee.carrying import Choice
from app.referee.errors import RefereeError
from app.referee.exporting import export
from app.referee.importing import bring_in
from app.referee.views import PUBLIC, NewBattle
from app.rulesets.registry import RULESETS
from app.store.db import Database
from tests.contracts.duel import ruleset as duel
from tests.referee import guessing
from tests.times import NOW

FIRST = "first-skirmish"


def made(db: Database, scenario: Json | None = None, **given: Any) -> NewBattle:
    return battles.create(db, scenario=scenario or scenarios.frozen(FIRST), now=NOW, **given)


def rule(db: Database, battle: NewBattle, *changes: Json) -> None:
    master = keys.viewer_by_key(db, battle.master_key)
    moderation.rule(db, battle.id, master, Ruling(changes, "it was so"), NOW)


def resolve(db: Database, battle: NewBattle, turn: int = 1) -> None:
    turns.resolve_now(db, battle.id, keys.viewer_by_key(db, battle.master_key), turn=turn, now=NOW)


def carried(scenario: Json, choice: Choice) -> Json:
    return {**copy.deepcopy(scenario), "carry": choice.as_json()}


def frozen(db: Database, battle: NewBattle) -> Json:
    return battles.battle(db, battle.id, PUBLIC, NOW).scenario


def refused(db: Database, scenario: Json) -> list[tuple[str, tuple[str, ...]]]:
    with pytest.raises(RefereeError) as told:
        made(db, scenario)
    assert told.value.code == "bad-scenario"
    return [(p.code, p.field) for p in told.value.problems]


@pytest.fixture
def worn(db: Database) -> NewBattle:
    """A battle after a turn, in which N-LM1 is worn and N-XS1 is no more."""
    battle = made(db, title="The ford")
    rule(db, battle, {"unit": "N-LM1", "strength": 2, "cohesion": 1}, {"unit": "N-XS1", "remove": True})
    resolve(db, battle)
    return battle


def test_who_takes_which_place_is_suggested_by_id_then_by_type_and_contingent(db: Database, worn: NewBattle) -> None:
    scenario = scenarios.frozen(FIRST)
    units = scenario["units"]
    before = carrying.earlier(db, worn.id)
    assert carrying.suggested(scenario, before) == {unit: unit for unit in units}
    renamed = {**scenario, "units": {f"{unit}-again": form for unit, form in units.items()}}
    assert carrying.suggested(renamed, before) == {f"{unit}-again": unit for unit in units}
    others = {**scenario, "units": {"Z": {**units["N-LM1"], "contingent": "elsewhere"}}}
    assert carrying.suggested(others, before) == {}


def test_losses_are_brought_over_and_the_dead_are_left_out(db: Database, worn: NewBattle) -> None:
    scenario = scenarios.frozen(FIRST)
    new = made(db, carried(scenario, Choice(worn.id, {"N-LM1": "N-LM1", "N-XS1": "N-XS1", "N-LR1": "N-LR1"})))
    told = frozen(db, new)
    assert told["units"]["N-LM1"] == {**scenario["units"]["N-LM1"], "strength": 2, "cohesion": 1}
    assert "N-XS1" not in told["units"]
    assert told["units"]["S-LM1"] == scenario["units"]["S-LM1"]
    assert told["carry"] == {
        "battle": worn.id,
        "title": "The ford",
        "turn": 1,
        "rest": "as-is",
        "units": {"N-LM1": "N-LM1", "N-LR1": "N-LR1"},
        "back": {},
        "gone": {"N-XS1": "N-XS1"},
    }
    state = battles.battle(db, new.id, PUBLIC, NOW).state
    assert (state.units["N-LM1"].strength, state.units["N-LM1"].cohesion) == (2, 1)
    assert "N-XS1" not in state.units


def test_the_dead_may_come_back_and_a_rest_may_lie_between(db: Database, worn: NewBattle) -> None:
    choice = Choice(worn.id, {"N-LM1": "N-LM1", "N-XS1": "N-XS1"}, "rallied", {"N-XS1": 1})
    told = frozen(db, made(db, carried(scenarios.frozen(FIRST), choice)))
    assert told["units"]["N-LM1"]["strength"] == 2
    assert "cohesion" not in told["units"]["N-LM1"]
    assert told["units"]["N-XS1"]["strength"] == 1
    assert told["carry"]["back"] == {"N-XS1": 1}


def test_the_new_battle_is_played_verified_and_goes_through_an_archive_by_itself(db: Database, worn: NewBattle) -> None:
    new = made(db, carried(scenarios.frozen(FIRST), Choice(worn.id, {"N-LM1": "N-LM1", "N-XS1": "N-XS1"})))
    rule(db, worn, {"unit": "N-LM1", "strength": 1})
    resolve(db, new)
    record = publication.record(db, new.id, 1, PUBLIC)
    assert record["before"]["units"]["N-LM1"]["strength"] == 2
    assert all(finding.holds for finding in verification.verify(record))
    archived = archive.read(archive.packed(export(db, new.id, whole=False, now=NOW)))
    again = bring_in(db, archived, now=NOW, again=True)
    assert battles.battle(db, again.battle_id, PUBLIC, NOW).scenario == frozen(db, new)


def test_a_copy_of_a_settled_scenario_keeps_its_units_and_claims_nothing(db: Database, worn: NewBattle) -> None:
    told = frozen(db, made(db, carried(scenarios.frozen(FIRST), Choice(worn.id, {"N-LM1": "N-LM1"}))))
    copied = frozen(db, made(db, told))
    assert "carry" not in copied
    assert copied["units"] == told["units"]


def test_a_turn_under_review_is_not_brought_over_before_it_is_published(db: Database) -> None:
    battle = made(db, review=True)
    resolve(db, battle)
    master = keys.viewer_by_key(db, battle.master_key)
    moderation.rule(db, battle.id, master, Ruling(({"unit": "N-LM1", "strength": 1},), "it was so"), NOW)
    choice = Choice(battle.id, {"N-LM1": "N-LM1"})
    early = frozen(db, made(db, carried(scenarios.frozen(FIRST), choice)))
    assert "strength" not in early["units"]["N-LM1"]
    assert early["carry"]["turn"] == 0
    publication.publish(db, battle.id, master, turn=1, now=NOW)
    late = frozen(db, made(db, carried(scenarios.frozen(FIRST), choice)))
    assert late["units"]["N-LM1"]["strength"] == 1
    assert late["carry"]["turn"] == 1


def test_what_cannot_be_brought_over_is_refused_with_its_place(
    db: Database, worn: NewBattle, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = scenarios.frozen(FIRST)
    assert refused(db, carried(scenario, Choice("nothing", {"N-LM1": "N-LM1"}))) == [
        ("carry-no-battle", ("carry", "battle"))
    ]
    assert refused(db, carried(scenario, Choice(worn.id, {"N-LM1": "Z9"}))) == [
        ("carry-unknown-unit", ("carry", "units", "N-LM1"))
    ]
    other = next(unit for unit, form in scenario["units"].items() if form["type"] != scenario["units"]["N-LM1"]["type"])
    assert refused(db, carried(scenario, Choice(worn.id, {other: "N-LM1"}))) == [
        ("carry-other-type", ("carry", "units", other))
    ]
    monkeypatch.setitem(RULESETS, "duel", duel.RULESET)
    for ruleset, theirs in (("guessing", guessing.scenario()), ("duel", duel.scenario())):
        strange = made(db, theirs)
        assert refused(db, carried(scenario, Choice(strange.id, {"N-LM1": "N-LM1"}))) == [
            ("carry-other-game", ("carry", "battle"))
        ], ruleset
    guess = carried(guessing.scenario(), Choice(worn.id, {}))
    assert refused(db, guess) == [("carry-other-game", ("carry", "battle"))]


def test_no_side_is_left_without_anybody(db: Database) -> None:
    battle = made(db)
    units = [unit for unit in scenarios.frozen(FIRST)["units"] if unit.startswith("N")]
    rule(db, battle, *({"unit": unit, "remove": True} for unit in units))
    choice = Choice(battle.id, {unit: unit for unit in units})
    assert refused(db, carried(scenarios.frozen(FIRST), choice)) == [("carry-empty-side", ("carry", "units"))]


def test_another_game_carries_over_by_its_own_function(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "duel", duel.RULESET)
    battle = made(db, duel.scenario())
    rule(db, battle, {"fighter": "A1", "hits": 1})
    before = carrying.earlier(db, battle.id)
    assert carrying.suggested(duel.scenario(), before)["A1"] == "A1"
    told = frozen(db, made(db, carried(duel.scenario(), Choice(battle.id, {"A1": "A1", "A2": "A2"}, "half"))))
    assert told["units"]["A1"] == {**duel.scenario()["units"]["A1"], "hits": 2}
    assert told["carry"]["units"] == {"A1": "A1", "A2": "A2"}
