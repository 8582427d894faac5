"""Dice rolled again, events set aside, amendments of a draft: every record still holds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.engine.dice import SeededDice
from app.engine.ruleset import Ruling
from app.referee import battles, moderation, orders, publication, scenarios, turns, verification
from app.referee.errors import RefereeError
from app.referee.keys import viewer_by_key
from app.referee.views import PUBLIC, NewBattle, Viewer
from app.rulesets.cohesion.events import Amended, Lost
from app.store.db import Database
from tests.referee.table import lay
from tests.times import NOW
from tests.web.conftest import SKIRMISH

DIE = "1/A/guess"


def draft(db: Database) -> tuple[NewBattle, Viewer]:
    """A skirmish under review: S1 and N1 strike each other, N2 shoots."""
    new = battles.create(db, scenario=scenarios.read_file(SKIRMISH), now=NOW, review=True, seed="07")
    for seat, sheet in {"north": {"N1": {"melee": "S1"}, "N2": {}}, "south": {"S1": {"melee": "N1"}, "S2": {}}}.items():
        viewer = viewer_by_key(db, new.seat_keys[seat])
        orders.enter(db, new.id, seat, viewer, turn=1, revision=0, fields=sheet, now=NOW)
    master = viewer_by_key(db, new.master_key)
    turns.resolve_now(db, new.id, master, turn=1, now=NOW)
    return new, master


def unholding(record: Any) -> list[Any]:
    return [finding for finding in verification.verify(record) if not finding.holds]


def places(turn: Any, kind: type) -> list[int]:
    return [place for place, event in enumerate(turn.events) if isinstance(event, kind)]


def aside(db: Database, new: NewBattle, master: Viewer, event: int, of: int | None = None) -> None:
    seen = len(publication.turn(db, new.id, 1, master).events)
    told = {"event": event, "of": seen if of is None else of, "reason": "it was out of range", "rule": "MELEE-1", "now": NOW}
    moderation.set_aside(db, new.id, master, **told)


def again(db: Database, new: Any, master: Viewer, address: str = DIE) -> None:
    moderation.reroll(db, new.id, master, address=address, reason="off the table", rule=None, now=NOW)


def test_a_die_is_rolled_again_from_the_same_seed_by_a_rule_that_nobody_chooses(db: Database) -> None:
    table = lay(db, review=True)
    table.enter("A", 3)
    table.resolve()
    first = publication.record(db, table.id, 1, table.master)
    again(db, table.new, table.master)
    second = publication.record(db, table.id, 1, table.master)
    seed = bytes.fromhex(first["seed"]["seed"])
    assert second["seed"] == first["seed"]
    assert second["dice"] == {**first["dice"], DIE: list(SeededDice(seed).roll(f"{DIE}~1", 1))}
    assert second["rulings"][0]["facts"] == {"address": DIE, "before": first["dice"][DIE], "after": second["dice"][DIE]}
    again(db, table.new, table.master)
    third = publication.record(db, table.id, 1, table.master)
    assert third["dice"][DIE] == list(SeededDice(seed).roll(f"{DIE}~2", 1))
    assert third["rulings"][1]["facts"]["before"] == second["dice"][DIE]
    assert unholding(second) == unholding(third) == []


def test_what_a_second_roll_changes_is_worked_out_anew_and_the_rest_stays(db: Database) -> None:
    new, master = draft(db)
    before = publication.record(db, new.id, 1, master)
    address = "1/melee/N1/attack"
    again(db, new, master, address)
    after = publication.record(db, new.id, 1, master)
    assert unholding(after) == []
    assert {a: f for a, f in after["dice"].items() if a != address and a in before["dice"]} == {
        a: f for a, f in before["dice"].items() if a != address and a in after["dice"]
    }
    told = after["events"][-1]
    assert (told["event"], told["target"], told["before"], told["after"]) == (
        *("amended", "dice"),
        before["dice"][address],
        after["dice"][address],
    )


def test_the_program_in_the_documentation_knows_a_die_that_was_rolled_again(db: Database, tmp_path: Path) -> None:
    new, master = draft(db)
    again(db, new, master, "1/melee/N1/attack")
    told = (Path(__file__).parents[2] / "docs" / "proof.md").read_text(encoding="utf-8")
    program = re.search(r"```python\n(.*?)```", told, re.DOTALL)
    assert program
    file = tmp_path / "record.json"
    for forged in (False, True):
        record = publication.record(db, new.id, 1, master)
        if forged:
            record["rulings"] = []
        file.write_text(json.dumps(record), encoding="utf-8")
        done = subprocess.run([sys.executable, "-c", program[1], file], capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == (not forged), done.stderr


@pytest.mark.parametrize("forged", ["faces", "times", "facts"])
def test_a_second_roll_that_somebody_chose_is_found(db: Database, forged: str) -> None:
    table = lay(db, review=True)
    table.resolve()
    again(db, table.new, table.master)
    record = publication.record(db, table.id, 1, table.master)
    if forged == "faces":
        record["dice"][DIE] = [record["dice"][DIE][0] % 6 + 1]
    elif forged == "times":
        record["rulings"] *= 2
    else:
        record["rulings"][0]["events"][0]["after"] = [9]
    assert unholding(record)


def test_a_die_that_nobody_rolled_and_one_under_an_amendment_are_not_rolled_again(db: Database) -> None:
    table = lay(db, review=True)
    table.resolve()
    for address, code in (("1/Z/guess", "no-such-die"), ("", "no-such-die")):
        with pytest.raises(RefereeError) as refused:
            again(db, table.new, table.master, address)
        assert [p.code for p in refused.value.problems] == [code]
    moderation.rule(db, table.id, table.master, Ruling(({"points": {"red": 2}},), "so"), NOW)
    with pytest.raises(RefereeError) as refused:
        again(db, table.new, table.master)
    assert [p.code for p in refused.value.problems] == ["dice-first"]


def test_an_event_that_is_set_aside_is_taken_back_and_what_came_after_it_stays(db: Database) -> None:
    new, master = draft(db)
    before = publication.turn(db, new.id, 1, master)
    lost = places(before, Lost)
    assert lost, "the seed of this test gives losses"
    event = before.events[lost[0]]
    aside(db, new, master, lost[0])
    after = publication.turn(db, new.id, 1, master)
    unit, now = before.after.units[event.unit], after.after.units[event.unit]
    assert now.cohesion == min(unit.cohesion + event.cohesion, before.after.types[unit.type].cohesion_max)
    assert after.events[: len(before.events)] == before.events
    assert isinstance(after.events[-1], Amended)
    record = publication.record(db, new.id, 1, master)
    made = record["rulings"][0]
    assert (made["kind"], made["facts"]["event"], made["rule"]) == ("set-aside", lost[0], "MELEE-1")
    assert unholding(record) == []
    made["facts"]["event"] = lost[0] + 1
    assert unholding(record)


def test_an_event_that_did_nothing_itself_and_a_draft_that_has_gone_on_are_refused(db: Database) -> None:
    new, master = draft(db)
    with pytest.raises(RefereeError) as refused:
        aside(db, new, master, 0)
    assert [p.code for p in refused.value.problems] == ["nothing-came-of-it"]
    with pytest.raises(RefereeError, match="stale"):
        aside(db, new, master, 0, of=1)
    with pytest.raises(RefereeError) as refused:
        aside(db, new, master, 500)
    assert [p.code for p in refused.value.problems] == ["no-such-event"]


def test_only_on_a_draft_and_only_by_the_master(db: Database) -> None:
    table = lay(db)
    with pytest.raises(RefereeError, match="not-under-review"):
        again(db, table.new, table.master)
    for viewer in (PUBLIC, table.seats["A"]):
        with pytest.raises(RefereeError, match="not-yours"):
            again(db, table.new, viewer)


def test_rulings_on_a_draft_are_in_no_log_before_it_is_published(db: Database) -> None:
    table = lay(db, review=True)
    table.resolve()
    again(db, table.new, table.master)
    assert "rerolled" not in [line.what for line in table.show().log]
    assert "rerolled" not in [line.what for line in moderation.log(db, table.id)]
    assert "rerolled" in [line.what for line in table.show(table.master).log]
    publication.publish(db, table.id, table.master, turn=1, now=NOW)
    assert "rerolled" in [line.what for line in table.show().log]


def test_a_battle_that_its_draft_had_ended_goes_on_with_the_next_turn(db: Database) -> None:
    """WIN-1 ends a turn in its middle: saved by a ruling, the battle awaits the turn after it, as the record says."""
    new, master = draft(db)
    moderation.rule(db, new.id, master, Ruling(({"points": {"north": 1}}, {"winner": "north"}), "they fled"), NOW)
    moderation.rule(db, new.id, master, Ruling(({"points": {"north": 0}}, {"winner": None}), "they did not"), NOW)
    publication.publish(db, new.id, master, turn=1, now=NOW)
    turns.resolve_now(db, new.id, master, turn=2, now=NOW)
    told = [publication.record(db, new.id, turn, master) for turn in (1, 2)]
    assert [record["before"]["turn"] for record in told] == [1, 2]
    assert [unholding(record) for record in told] == [[], []]
    assert all(finding.holds for finding in verification.verify_chain(told))


def test_a_preview_changes_nothing(db: Database) -> None:
    new, master = draft(db)
    before = publication.record(db, new.id, 1, master)
    seen = moderation.preview(db, new.id, master, [{"unit": "S1", "remove": True}])
    assert "S1" in seen.before.units
    assert "S1" not in seen.after.units
    assert publication.record(db, new.id, 1, master) == before
    with pytest.raises(RefereeError, match="not-yours"):
        moderation.preview(db, new.id, PUBLIC, [])
