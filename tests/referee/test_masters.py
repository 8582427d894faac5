"""Several game masters in one battle: each by a key of his own, and marked when he plays."""

from __future__ import annotations

import pytest

from app.engine.ruleset import Ruling
from app.referee import battles, keys, masters, moderation, pausing, publication, reviewing, timing, turns
from app.referee.errors import RefereeError
from app.referee.options import Looks, Options
from app.referee.views import MasterView, Viewer
from app.store.db import Database
from tests.referee.table import Table, everything, lay
from tests.times import HOUR, NOW


def add(table: Table, name: str = "Vera") -> tuple[str, Viewer]:
    key = masters.add(table.db, table.id, table.master, table.new.master_key, name, NOW)
    return key, keys.viewer_by_key(table.db, key)


def told(table: Table) -> list[tuple[str, dict[str, object]]]:
    return [(line.what, dict(line.params)) for line in moderation.log(table.db, table.id)][1:]


def test_who_makes_a_battle_is_its_first_game_master(db: Database) -> None:
    table = lay(db)
    assert table.master.master == masters.FIRST
    assert table.show().masters == (MasterView(1, None, False),)


def test_a_helper_has_a_key_of_his_own_and_may_do_what_the_first_may(db: Database) -> None:
    table = lay(db)
    key, vera = add(table)
    assert key != table.new.master_key
    assert (vera.kind, vera.battle_id, vera.name, vera.master) == ("master", table.id, "Vera", 2)
    battles.set_deadline(db, table.id, vera, None, NOW)
    assert table.show().masters == (MasterView(1, None, False), MasterView(2, "Vera", False))
    assert ("master-added", {"master": "Vera"}) in told(table)


def test_a_helper_sees_the_very_links_of_the_first(db: Database) -> None:
    table = lay(db)
    key, _ = add(table)
    assert battles.seat_keys(db, table.id, key) == battles.seat_keys(db, table.id, table.new.master_key)
    renewed = battles.renew_key(db, table.id, "B", key, NOW)
    assert battles.seat_keys(db, table.id, table.new.master_key)["B"] == renewed
    assert keys.viewer_by_key(db, renewed).seat == "B"


def test_no_two_game_masters_bear_one_name(db: Database) -> None:
    """A form that is sent twice makes one key, and the log tells who did what."""
    table = lay(db)
    _, vera = add(table)
    masters.describe(db, table.id, table.master, name="Olga", plays=False, now=NOW)
    for name in ("Vera", "VERA", "Vеra", "Olga"):  # the third has a Cyrillic letter in it
        with pytest.raises(RefereeError, match="name-taken"):
            add(table, name)
    with pytest.raises(RefereeError, match="name-taken"):
        masters.describe(db, table.id, vera, name="olga", plays=False, now=NOW)
    masters.describe(db, table.id, vera, name="Vera", plays=True, now=NOW)
    assert [one.name for one in table.show().masters] == ["Olga", "Vera"]


def test_no_key_lies_in_the_database(db: Database) -> None:
    table = lay(db)
    key, _ = add(table)
    stored = str(everything(db))
    assert key not in stored
    assert table.new.master_key not in stored
    assert not any(seat_key in stored for seat_key in table.new.seat_keys.values())


def test_who_has_only_known_the_master_key_cannot_make_a_renewed_link(db: Database) -> None:
    table = lay(db)
    renewed = battles.renew_key(db, table.id, "A", table.new.master_key, NOW)
    assert renewed != keys.seat_key(table.new.master_key, table.id, "A", 2)


def test_a_helper_who_is_removed_has_no_key_at_once(db: Database) -> None:
    table = lay(db)
    key, _vera = add(table)
    masters.remove(db, table.id, table.master, 2, NOW)
    with pytest.raises(RefereeError, match="no-key"):
        keys.viewer_by_key(db, key)
    with pytest.raises(RefereeError, match="no-key"):
        battles.seat_keys(db, table.id, key)
    assert ("master-removed", {"master": "Vera"}) in told(table)
    assert add(table, "Oleg")[1].master == 2


def test_the_first_stays_and_nobody_else_removes_anybody(db: Database) -> None:
    table = lay(db)
    _, vera = add(table)
    with pytest.raises(RefereeError, match="no-page"):
        masters.remove(db, table.id, vera, 1, NOW)
    with pytest.raises(RefereeError, match="not-yours"):
        masters.remove(db, table.id, table.seats["A"], 2, NOW)
    with pytest.raises(RefereeError, match="not-yours"):
        masters.add(db, table.id, table.seats["A"], table.new.seat_keys["A"], "Vera", NOW)
    with pytest.raises(RefereeError, match="no-key"):
        masters.add(db, table.id, table.master, table.new.seat_keys["A"], "Vera", NOW)


def test_there_is_an_end_to_helpers(db: Database) -> None:
    table = lay(db)
    for number in range(masters.MOST - 1):
        add(table, f"Helper {number}")
    with pytest.raises(RefereeError, match="too-many"):
        add(table, "One more")


def test_who_plays_as_well_says_so_to_all(db: Database) -> None:
    table = lay(db)
    masters.describe(db, table.id, table.master, name="Anna", plays=True, now=NOW)
    assert table.show().masters == (MasterView(1, "Anna", True),)
    assert keys.viewer_by_key(db, table.new.master_key).plays
    masters.describe(db, table.id, table.master, name="Anna", plays=True, now=NOW)
    masters.describe(db, table.id, table.master, name="", plays=False, now=NOW)
    assert [line for line in told(table) if line[0] == "master-plays"] == [
        ("master-plays", {"master": "Anna", "plays": True}),
        ("master-plays", {"master": None, "plays": False}),
    ]


def again(table: Table) -> Viewer:
    return keys.viewer_by_key(table.db, table.new.master_key)


def test_whoever_leads_says_before_all_which_seat_he_plays_and_again_when_its_key_is_another(db: Database) -> None:
    table = lay(db)
    _, vera = add(table)
    assert not masters.has_said(db, table.id, "A", table.master)
    masters.play(db, table.id, "A", table.master, NOW)
    masters.play(db, table.id, "A", again(table), NOW)
    line = ("master-seat", {"master": None, "seat": "A", "number": 1, "generation": 1})
    assert [one for one in told(table) if one[0] == "master-seat"] == [line]
    assert again(table).plays
    assert [masters.has_said(db, table.id, seat, again(table)) for seat in "AB"] == [True, False]
    assert not masters.has_said(db, table.id, "A", vera)
    battles.renew_key(db, table.id, "A", table.new.master_key, NOW)
    assert not masters.has_said(db, table.id, "A", again(table))
    masters.play(db, table.id, "A", again(table), NOW)
    masters.describe(db, table.id, again(table), name="", plays=False, now=NOW)
    assert not masters.has_said(db, table.id, "A", again(table)), "he has said that he plays no more"
    for who in (table.seats["A"], Viewer()):
        with pytest.raises(RefereeError, match="not-yours"):
            masters.play(db, table.id, "A", who, NOW)
    with pytest.raises(RefereeError, match="no-seat"):
        masters.play(db, table.id, "Z", again(table), NOW)


@pytest.mark.parametrize("looks", ["never", "always"])
def test_who_plays_does_not_stop_where_he_could_read_at_once_what_was_sealed_meanwhile(db: Database, looks: Looks) -> None:
    table = lay(db, review=True, options=Options(looks=looks))
    masters.play(db, table.id, "A", table.master, NOW)
    table.enter("B", 3)
    if looks == "always":
        with pytest.raises(RefereeError, match="plays-on"):
            masters.describe(db, table.id, again(table), name="", plays=False, now=NOW)
    turns.resolve_now(db, table.id, table.master, turn=1, now=NOW)
    with pytest.raises(RefereeError, match="plays-on"):
        masters.describe(db, table.id, again(table), name="", plays=False, now=NOW)
    masters.describe(db, table.id, again(table), name="Anna", plays=True, now=NOW)
    publication.publish(db, table.id, again(table), turn=1, now=NOW)
    masters.describe(db, table.id, again(table), name="Anna", plays=False, now=NOW)
    assert not again(table).plays


def test_a_name_that_cannot_be_seen_is_refused(db: Database) -> None:
    table = lay(db)
    with pytest.raises(RefereeError, match="bad-name"):
        masters.describe(db, table.id, table.master, name="\u202e", plays=False, now=NOW)


def test_who_plays_as_well_sees_no_draft_and_may_publish_it_unread(db: Database) -> None:
    table = lay(db, review=True)
    table.enter("A", 3)
    table.enter("B", 5)
    _, vera = add(table)
    masters.describe(db, table.id, vera, name="Vera", plays=True, now=NOW)
    table.resolve()
    plays = masters_view(db, table, 2)
    assert set(publication.turn(db, table.id, 1, table.master).orders) == {"A", "B"}
    for read in (publication.turn, publication.record):
        with pytest.raises(RefereeError, match="no-turn"):
            read(db, table.id, 1, plays)
    ruling = Ruling(({"points": {"red": 2}},), "seen amiss")
    for act in (
        lambda: reviewing.draft(db, table.id, plays),
        lambda: moderation.standing(db, table.id, plays),
        lambda: moderation.rule(db, table.id, plays, ruling, NOW),
        lambda: moderation.reroll(db, table.id, plays, address="1/dice", reason="it fell", rule=None, now=NOW),
        lambda: moderation.set_aside(db, table.id, plays, event=0, of=1, reason="it was not so", rule=None, now=NOW),
    ):
        with pytest.raises(RefereeError, match="plays-himself"):
            act()
    moderation.rule(db, table.id, table.master, ruling, NOW)
    assert table.show(plays).log == table.show().log
    assert table.show(plays).turns == ()
    publication.publish(db, table.id, plays, turn=1, now=NOW)
    assert set(publication.turn(db, table.id, 1, plays).orders) == {"A", "B"}


def masters_view(db: Database, table: Table, number: int) -> Viewer:
    """A game master as he is now."""
    found = next(master for master in table.show().masters if master.number == number)
    return Viewer("master", battle_id=table.id, name=found.name, master=number, plays=found.plays)


def test_the_log_names_the_game_master_who_did_it(db: Database) -> None:
    table = lay(db, deadline=NOW + 2 * HOUR)
    _, vera = add(table)
    timing.extend(db, table.id, vera, HOUR, NOW)
    pausing.pause(db, table.id, vera, NOW)
    pausing.go_on(db, table.id, vera, NOW)
    turns.resolve_now(db, table.id, vera, turn=1, now=NOW)
    battles.set_deadline(db, table.id, table.master, NOW + 5 * HOUR, NOW)
    named = {line.what: line.name for line in moderation.log(db, table.id)}
    assert named["extended"] == named["paused"] == named["resumed"] == named["resolved"] == "Vera"
    assert named["deadline-set"] is None
