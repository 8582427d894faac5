"""The second ruleset through the real referee: one seat asked at a time, reactions, things that not all may know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from app.bots.random_player import random_player
from app.engine.ruleset import Json, Ruling
from app.referee import battles, keys, moderation, orders, publication, turns, verification
from app.referee.errors import RefereeError
from app.referee.views import PUBLIC, BattleView, Viewer
from app.rulesets.registry import RULESETS
from app.store.db import Database
from tests.contracts.duel.ruleset import RULESET, scenario
from tests.contracts.duel.state import Omen, Rolled, view
from tests.times import DAY, NOW

TWO_SIDES = {"ash": "red", "birch": "green", "cedar": "red", "elm": "green"}
PASS = {"do": "pass"}


@pytest.fixture(autouse=True)
def _duel_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, "duel", RULESET)


@dataclass(frozen=True)
class Table:
    db: Database
    id: str
    master: Viewer
    seats: Mapping[str, Viewer]
    told: Json

    def show(self, viewer: Viewer = PUBLIC) -> BattleView:
        return battles.battle(self.db, self.id, viewer, NOW)

    def asked(self) -> str:
        (seat,) = [one.seat for one in self.show().seats if one.awaited]
        return seat

    def enter(self, seat: str, fields: Json, by: Viewer | None = None) -> Any:
        shown = self.show()
        last = next(one.revision for one in shown.seats if one.seat == seat)
        return orders.enter(
            self.db, self.id, seat, by or self.seats[seat], turn=shown.turn, revision=last, fields=fields, now=NOW
        )

    def play(self, steps: int) -> Iterator[str]:
        """Programs play; each answers when he is asked, from what his own page shows. Gives the seats that answered."""
        player = random_player(RULESET, b"programs")
        for _ in range(steps):
            if self.show().status == "over":
                return
            seat = self.asked()
            known = self.show(self.seats[seat]).state
            (request,) = RULESET.requests(known)
            entered = self.enter(seat, RULESET.dump_order(player(known, request)))
            assert entered.resolved
            yield seat


def lay(db: Database, *, told: Json | None = None, **given: Any) -> Table:
    told = told or scenario(seats=TWO_SIDES)
    new = battles.create(db, scenario=told, now=NOW, **given)
    seats = {seat: keys.viewer_by_key(db, key) for seat, key in new.seat_keys.items()}
    return Table(db, new.id, keys.viewer_by_key(db, new.master_key), seats, told)


def viewers(table: Table) -> list[tuple[str | None, Viewer]]:
    return [*table.seats.items(), (None, PUBLIC)]


def test_a_duel_is_played_to_its_end(db: Database) -> None:
    table = lay(db, told=scenario())
    answered = list(table.play(400))
    over = table.show()
    assert over.status == "over"
    assert over.outcome.is_over
    assert set(answered) == {"ash", "birch", "cedar"}
    lines = turns.history(db, table.id, PUBLIC)
    assert [line.turn for line in lines] == list(range(1, len(answered) + 1))
    assert {line.resolved_by for line in lines} == {"prompt"}
    kinds = {sheet["request"].split(":")[1] for sheet in _sheets(table, lines)}
    assert kinds == {"activation", "reaction"}


def test_every_record_of_a_duel_that_is_over_holds(db: Database) -> None:
    table = lay(db)
    steps = len(list(table.play(400)))
    records = [publication.record(db, table.id, turn, PUBLIC) for turn in range(1, steps + 1)]
    for record in records:
        assert [finding for finding in verification.verify(record) if not finding.holds] == []


def test_only_the_seat_that_is_asked_may_answer(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    for _ in table.play(12):
        asked = table.asked()
        for seat in set(table.seats) - {asked}:
            with pytest.raises(RefereeError) as refused:
                table.enter(seat, PASS)
            assert refused.value.code == "not-open"
            with pytest.raises(RefereeError) as refused:
                table.enter(asked, PASS, by=table.seats[seat])
            assert refused.value.code == "not-yours"
            with pytest.raises(RefereeError) as refused:
                orders.set_ready(sqlite_db, table.id, seat, table.seats[seat], turn=table.show().turn, ready=True, now=NOW)
            assert refused.value.code == "not-open"


def test_a_charge_asks_the_defender_and_only_then_goes_on(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    charges = 0
    for _ in table.play(60):
        state = table.show().state
        if not state.agenda:
            continue
        charges += 1
        defender = state.fighters[state.agenda[-1].target].seat
        assert table.asked() == defender
        sheet = orders.sheet(sqlite_db, table.id, defender, table.seats[defender])
        assert sheet.options_json["ways"] == ["stand", "flee", "counter"]
        with pytest.raises(RefereeError) as refused:
            table.enter(defender, PASS)
        assert refused.value.code == "bad-orders"
        with pytest.raises(RefereeError) as refused:
            table.enter(state.acting, PASS)
        assert refused.value.code == "not-open"
    assert charges > 3


def test_an_answer_for_another_step_comes_too_late(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    old = table.show().turn
    list(table.play(4))
    seat = table.asked()
    with pytest.raises(RefereeError) as refused:
        orders.enter(sqlite_db, table.id, seat, table.seats[seat], turn=old, revision=1, fields=PASS, now=NOW)
    assert refused.value.code == "stale"


def test_text_is_taken_as_fields_are(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    turn = table.show().turn
    entered = orders.enter(sqlite_db, table.id, "ash", table.seats["ash"], turn=turn, revision=0, text="A1 идёт B1", now=NOW)
    assert entered.orders == {"type": "activation", "do": "move", "fighter": "A1", "to": "B1"}
    assert table.show().state.fighters["A1"].at == "B1"
    with pytest.raises(RefereeError) as refused:
        orders.enter(sqlite_db, table.id, "birch", table.seats["birch"], turn=2, revision=0, text="hello", now=NOW)
    assert refused.value.faults[0].fragment == "hello"


def test_silence_at_the_deadline_passes_and_stands(sqlite_db: Database) -> None:
    table = lay(sqlite_db, deadline=NOW + DAY, turn_hours=24)
    for day in range(1, 6):
        assert turns.resolve_if_due(sqlite_db, table.id, NOW + day * DAY)
    assert table.show().turn == 6
    assert table.show().state.round == 2


def test_what_some_are_told_reaches_nobody_else(db: Database) -> None:
    table = lay(db)
    told_apart = 0
    for _ in table.play(24):
        events = {seat: publication.turn(db, table.id, "latest", viewer).events for seat, viewer in viewers(table)}
        all_events = publication.turn(db, table.id, "latest", table.master).events
        for event in all_events:
            audience = RULESET.audience(event)
            for seat, _ in viewers(table):
                assert (event in events[seat]) == (audience is None or seat in audience)
            if isinstance(event, Omen):
                told_apart += 1
                assert [seat for seat, told in events.items() if event in told] == list(event.seats)
    assert told_apart > 2


def test_what_a_seat_may_not_know_is_in_nothing_that_it_is_shown(db: Database) -> None:
    table = lay(db)
    for _ in table.play(16):
        turn = publication.turn(db, table.id, "latest", table.master)
        for seat, viewer in viewers(table):
            shown, seen = table.show(viewer), publication.turn(db, table.id, "latest", viewer)
            side = TWO_SIDES.get(seat or "")
            for state in (shown.state, seen.before, seen.after):
                assert set(state.omens) <= {side}
                assert all((fighter.nerve is None) == (fighter.side != side) for fighter in state.fighters.values())
            assert seen.before == view(turn.before, seat)
            assert seen.after == view(turn.after, seat)
        for seat, viewer in table.seats.items():
            if seat == table.asked():
                told = orders.sheet(db, table.id, seat, viewer)
                assert told.options == RULESET.options(view(turn.after, seat), RULESET.requests(turn.after)[0])


def test_a_record_under_way_does_not_give_away_what_is_hidden(db: Database) -> None:
    """Neither in its words nor by its seed, from which hidden dice could be rolled again."""
    table = lay(db)
    hidden = 0
    for _ in table.play(24):
        turn = publication.turn(db, table.id, "latest", table.master)
        secret = [event for event in turn.events if isinstance(event, (Omen, Rolled)) and event.seats]
        for seat, viewer in viewers(table):
            record = publication.record(db, table.id, "latest", viewer)
            unknown = [event for event in secret if seat not in event.seats]
            hidden += len(unknown)
            for event in unknown:
                assert RULESET.dump_event(event) not in record["events"]
                if isinstance(event, Rolled):
                    assert event.address not in record["dice"]
            if unknown:
                assert record["seed"] == {"secret": "", "seed": ""}
                assert [finding.code for finding in verification.verify(record)] == ["withheld"]
            else:
                assert record["seed"]["seed"]
            nerves = {key: fighter["nerve"] for key, fighter in record["after"]["fighters"].items()}
            side = TWO_SIDES.get(seat or "")
            assert all((nerve is None) == (turn.after.fighters[key].side != side) for key, nerve in nerves.items())
    assert hidden


def test_a_duel_under_review_shows_its_draft_to_the_game_master_alone(sqlite_db: Database) -> None:
    table = lay(sqlite_db, review=True)
    table.enter("ash", {"do": "move", "fighter": "A1", "to": "B1"})
    assert table.show().status == "review"
    assert publication.turn(sqlite_db, table.id, 1, table.master).after.fighters["A1"].at == "B1"
    with pytest.raises(RefereeError) as refused:
        publication.turn(sqlite_db, table.id, 1, table.seats["ash"])
    assert refused.value.code == "no-turn"
    publication.publish(sqlite_db, table.id, table.master, turn=1, now=NOW)
    assert table.asked() == "birch"


def test_a_ruling_in_a_duel_is_kept_and_its_record_holds(db: Database) -> None:
    table = lay(db, told=scenario(seats=TWO_SIDES, goal=1))
    moderation.rule(db, table.id, table.master, Ruling(({"fighter": "A1", "hits": 1},), "a scratch"), NOW)
    assert table.show().state.fighters["A1"].hits == 1
    steps = len(list(table.play(400)))
    assert table.show().status == "over"
    for turn in range(1, steps + 1):
        record = publication.record(db, table.id, turn, PUBLIC)
        assert [finding for finding in verification.verify(record) if not finding.holds] == []


def test_the_game_master_may_end_a_duel(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    list(table.play(3))
    moderation.rule(sqlite_db, table.id, table.master, Ruling(({"winner": "draw"},), "rain"), NOW)
    assert table.show().status == "over"
    assert table.show().outcome.winner == "draw"


def test_states_are_stored_as_json_text_that_loads_again(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    list(table.play(10))
    state = table.show(table.master).state
    assert RULESET.load_state(msgspec.json.decode(msgspec.json.encode(RULESET.dump_state(state)))) == state


def _sheets(table: Table, lines: Any) -> list[Json]:
    return [sheet for line in lines for sheet in publication.record(table.db, table.id, line.turn, PUBLIC)["sheets"]]
