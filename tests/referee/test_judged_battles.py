"""Whatever a game master does, in whatever order: every record replays and verifies, and what was sealed and not published
is in no answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.ruleset import Ruling
from app.referee import (
    battles,
    exporting,
    moderation,
    orders,
    publication,
    reviewing,
    rewinding,
    scenarios,
    turns,
    verification,
)
from app.referee.errors import RefereeError
from app.referee.keys import viewer_by_key
from app.referee.views import PUBLIC, NewBattle, Viewer
from app.store.db import Database
from tests.times import NOW
from tests.web.conftest import SKIRMISH

ACTS = st.one_of(
    st.tuples(st.just("enter"), st.sampled_from(["north", "south"]), st.integers(0, 3)),
    st.tuples(st.just("resolve"), st.just(""), st.just(0)),
    st.tuples(st.just("publish"), st.just(""), st.just(0)),
    st.tuples(st.just("amend"), st.sampled_from(["N1", "N2", "S1", "S2"]), st.integers(0, 4)),
    st.tuples(st.just("reroll"), st.just(""), st.integers(0, 5)),
    st.tuples(st.just("aside"), st.just(""), st.integers(0, 40)),
    st.tuples(st.just("rewind"), st.just(""), st.integers(1, 4)),
    st.tuples(st.just("take-up"), st.just(""), st.integers(1, 4)),
)


REFUSED = {"bad-ruling", "bad-orders", "closed", "stale", "not-open", "not-under-review", "no-turn", "no-branch"}


class Judged:
    """A skirmish, and everything that was ever sealed in it."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.new: NewBattle = battles.create(db, scenario=scenarios.read_file(SKIRMISH), now=NOW, review=True)
        self.master: Viewer = viewer_by_key(db, self.new.master_key)
        self.nonces: list[str] = []

    def act(self, kind: str, who: str, number: int) -> None:
        """What is refused changes nothing, and is no matter here."""
        try:
            getattr(self, kind.replace("-", "_"))(who, number)
        except RefereeError as refused:
            if refused.code not in REFUSED:
                raise

    def enter(self, seat: str, number: int) -> None:
        viewer = viewer_by_key(self.db, self.new.seat_keys[seat])
        sheet = orders.sheet(self.db, self.new.id, seat, viewer)
        fields: dict[str, Any] = {}
        for unit in sheet.options_json or ():
            told = unit["options"]
            wishes = {0: "shoot", 1: "melee", 2: "move", 3: "withdraw"}
            found = told.get(wishes[number]) or []
            fields[unit["id"]] = {wishes[number]: found[-1]} if found else {}
        given = {"turn": sheet.turn, "revision": sheet.revision, "fields": fields, "now": NOW}
        receipt = orders.enter(self.db, self.new.id, seat, viewer, **given).receipt
        assert receipt is not None
        self.nonces.append(receipt.nonce)

    def resolve(self, _: str, __: int) -> None:
        turn = battles.battle(self.db, self.new.id, PUBLIC, NOW).turn
        turns.resolve_now(self.db, self.new.id, self.master, turn=turn, now=NOW)

    def publish(self, _: str, __: int) -> None:
        turn = battles.battle(self.db, self.new.id, PUBLIC, NOW).turn
        publication.publish(self.db, self.new.id, self.master, turn=turn, now=NOW)

    def amend(self, unit: str, number: int) -> None:
        change: Any = {"unit": unit, "cohesion": number} if number < 4 else {"unit": unit, "remove": True}
        moderation.rule(self.db, self.new.id, self.master, Ruling((change,), "so"), NOW)

    def reroll(self, _: str, number: int) -> None:
        dice = list(reviewing.draft(self.db, self.new.id, self.master).dice)
        address = dice[number % len(dice)] if dice else "1/melee/N1/attack"
        moderation.reroll(self.db, self.new.id, self.master, address=address, reason="so", rule=None, now=NOW)

    def aside(self, _: str, number: int) -> None:
        draft = reviewing.draft(self.db, self.new.id, self.master)
        event = draft.undoable[number % len(draft.undoable)] if draft.undoable else number
        told = {"event": event, "of": len(draft.events), "reason": "so", "rule": None, "now": NOW}
        moderation.set_aside(self.db, self.new.id, self.master, **told)

    def rewind(self, _: str, number: int) -> None:
        rewinding.rewind(self.db, self.new.id, self.master, to=number, reason="so", now=NOW)

    def take_up(self, _: str, number: int) -> None:
        rewinding.take_up(self.db, self.new.id, self.master, line=number, reason="so", now=NOW)

    def lines(self) -> Iterator[list[Any]]:
        """The records of each line, the one that is played first."""
        played = turns.history(self.db, self.new.id, PUBLIC)
        yield [publication.record(self.db, self.new.id, line.turn, PUBLIC) for line in played]
        for branch in rewinding.branches(self.db, self.new.id):
            _, left = rewinding.branch(self.db, self.new.id, branch.line)
            yield [rewinding.record(self.db, self.new.id, branch.line, line.turn) for line in left]


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(acts=st.lists(ACTS, max_size=18))
def test_every_record_of_every_line_holds_and_nothing_sealed_is_told(db: Database, acts: list[tuple[str, str, int]]) -> None:
    judged = Judged(db)
    for act in acts:
        judged.act(*act)
    told = ""
    for records in judged.lines():
        for record in records:
            assert [finding for finding in verification.verify(record) if not finding.holds] == []
        assert [finding for finding in verification.verify_chain(records) if not finding.holds] == []
        told += json.dumps(records)
    known = {nonce for nonce in judged.nonces if nonce in told}
    exported = json.dumps(exporting.export(db, judged.new.id, whole=False, now=NOW))
    shown = repr(battles.battle(db, judged.new.id, PUBLIC, NOW)) + repr(moderation.log(db, judged.new.id))
    for nonce in set(judged.nonces) - known:
        assert nonce not in exported
        assert nonce not in shown
    whole = json.dumps(exporting.export(db, judged.new.id, whole=True, now=NOW))
    assert all(nonce in whole for nonce in judged.nonces), "nothing is deleted"
