"""Archives: everything published in one file, everything for the host; made again elsewhere, and nothing taken on trust."""

from __future__ import annotations

import gzip
import json
import random
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.engine.ruleset import Ruling
from app.referee import archive, battles, deadlines, keys, moderation, orders, pausing, publication, schedule, turns
from app.referee.archive import ArchiveError
from app.referee.errors import RefereeError
from app.referee.exporting import export
from app.referee.importing import bring_in
from app.referee.options import Options
from app.referee.rows import loads
from app.referee.verification import verify, verify_chain
from app.referee.views import PUBLIC
from app.store.db import Database
from app.store.models import State, Tie
from tests.referee import guessing
from tests.referee.table import everything, lay
from tests.referee.test_cohesion import made, play_a_turn
from tests.times import NOW

LATER = NOW + timedelta(days=5)


def exported(db: Database, battle_id: str, *, whole: bool = False) -> Any:
    """As it comes out of a file."""
    return json.loads(archive.packed(export(db, battle_id, whole=whole, now=NOW)))


def read(tree: Any) -> archive.Archive:
    return archive.read(archive.packed(tree))


def resealed(tree: Any, **changes: Any) -> Any:
    """Changed by one who knows how the digest is made."""
    return archive.sealed({key: value for key, value in {**tree, **changes}.items() if key != "digest"})


def refusal(db: Database, tree: Any, **given: Any) -> ArchiveError:
    before = everything(db)
    with pytest.raises(ArchiveError) as refused:
        bring_in(db, read(tree), now=LATER, **given)
    assert everything(db) == before
    return refused.value


@pytest.fixture
def other(tmp_path: Any, sqlite_template: Any) -> Any:
    """Another server's database."""
    file = tmp_path / "other.db"
    file.write_bytes(sqlite_template.read_bytes())
    opened = Database(f"sqlite:///{file}")
    yield opened
    opened.close()


@pytest.fixture
def played(db: Database) -> Any:
    """Three turns, a ruling on the second and one on the open turn, and orders for that one by a single seat."""
    new, master, seats = made(db, turn_hours=24)
    chance = random.Random(4)
    play_a_turn(db, new, seats, chance)
    unit = next(iter(battles.battle(db, new.id, PUBLIC, NOW).state.units))
    moderation.rule(db, new.id, master, Ruling(({"unit": unit, "cohesion": 1},), "bad omen"), NOW)
    play_a_turn(db, new, seats, chance)
    play_a_turn(db, new, seats, chance)
    shown = battles.battle(db, new.id, PUBLIC, NOW)
    moderation.rule(db, new.id, master, Ruling(({"unit": unit, "cohesion": 2},), "good omen"), NOW)
    request = shown.ruleset.requests(shown.state)[0]
    fields = shown.ruleset.dump_order(shown.ruleset.choose(shown.state, request, chance.randrange))
    for revision in range(2):
        orders.enter(
            db, new.id, request.seat, seats[request.seat], turn=shown.turn, revision=revision, fields=fields, now=NOW
        )
    return new, master, seats, request.seat


def test_a_public_archive_is_made_again_to_be_looked_at(db: Database, other: Database, played: Any) -> None:
    new, _, _, _ = played
    tree = exported(db, new.id)
    done = bring_in(other, read(tree), now=LATER)
    assert (done.battle_id, done.turns, done.is_whole, done.new, done.unchecked) == (new.id, 3, False, None, ())
    here, there = (battles.battle(d, new.id, PUBLIC, LATER) for d in (db, other))
    assert (there.status, there.turn, there.title) == ("over", 3, here.title)
    assert there.state == here.state
    assert [seat.holder for seat in there.seats] == [seat.holder for seat in here.seats]
    assert there.log[-1].what == "imported"
    assert [line.what for line in there.log[:-1]] == [line.what for line in here.log]
    records = [publication.record(other, new.id, turn, PUBLIC) for turn in (1, 2, 3)]
    assert records == [publication.record(db, new.id, turn, PUBLIC) for turn in (1, 2, 3)]
    assert all(finding.holds for record in records for finding in verify(record))
    assert all(finding.holds for finding in verify_chain(records))
    assert publication.turn(other, new.id, 2, PUBLIC).events == publication.turn(db, new.id, 2, PUBLIC).events


def test_nobody_plays_on_in_what_was_made_of_a_public_archive(db: Database, other: Database, played: Any) -> None:
    new, _, seats, _ = played
    bring_in(other, read(exported(db, new.id)), now=LATER)
    for key in (new.master_key, *new.seat_keys.values()):
        with pytest.raises(RefereeError, match="no-key"):
            keys.viewer_by_key(other, key)
    seat, viewer = next(iter(seats.items()))
    with pytest.raises(RefereeError, match="closed"):
        orders.enter(other, new.id, seat, viewer, turn=3, revision=0, fields={}, now=LATER)
    assert deadlines.sweep(other, LATER, outage=timedelta()) == 0


def test_a_public_archive_holds_no_secret(db: Database, played: Any) -> None:
    new, _, _, _ = played
    text = archive.packed(export(db, new.id, whole=False, now=NOW)).decode()
    whole = exported(db, new.id, whole=True)["whole"]
    hidden = [new.master_key, *new.seat_keys.values(), whole["master_hash"]]
    hidden += [seat["key_hash"] for seat in whole["seats"]]
    hidden += [turn["secret"] for turn in whole["turns"] if turn["published_at"] is None]
    unpublished = [sheet for sheet in whole["sheets"] if sheet["turn"] == 4]
    assert len(unpublished) == 2
    hidden += [sheet["nonce"] for sheet in unpublished]
    hidden += [json.dumps(sheet["orders"], separators=(",", ":")) for sheet in unpublished]
    assert [word for word in hidden if word in text] == []
    assert unpublished[1]["digest"] in text
    kept = export(db, new.id, whole=False, now=NOW)
    assert kept["whole"] is None
    assert "key" not in {name for seat in kept["seats"] for name in seat}


def test_a_whole_archive_holds_no_key_and_no_credentials(db: Database, played: Any) -> None:
    new, _, _, _ = played
    with db.write() as session:
        tie = Tie(kind="discourse", place="forum.example/t/7", target='{"key": "open-sesame"}', language="ru")
        tie.battle_id, tie.length, tie.active, tie.created_at = new.id, "phases", True, NOW
        session.add(tie)
    tree = export(db, new.id, whole=True, now=NOW)
    text = archive.packed(tree).decode()
    assert [key for key in (new.master_key, *new.seat_keys.values()) if key in text] == []
    assert "open-sesame" not in text
    assert tree["whole"]["ties"] == [
        {"kind": "discourse", "place": "forum.example/t/7", "language": "ru", "length": "phases"}
    ]
    assert "forum.example" not in archive.packed(export(db, new.id, whole=False, now=NOW)).decode()


def test_a_whole_archive_goes_on_as_it_was(db: Database, other: Database, played: Any) -> None:
    new, master, seats, seat = played
    tree = exported(db, new.id, whole=True)
    done = bring_in(other, read(tree), now=NOW)
    assert (done.is_whole, done.is_held, done.new) == (True, False, None)
    assert battles.seat_keys(other, new.id, new.master_key) == new.seat_keys
    assert keys.viewer_by_key(other, new.seat_keys[seat]) == seats[seat]
    for name, viewer in seats.items():
        assert orders.sheet(other, new.id, name, viewer) == orders.sheet(db, new.id, name, viewer)
    for where in (db, other):
        turns.resolve_now(where, new.id, master, turn=4, now=LATER)
    one, two = (publication.record(where, new.id, 4, PUBLIC) for where in (db, other))
    assert one == two
    assert all(finding.holds for finding in verify(two))
    tables = ("turns", "states", "events", "sheets")
    ours, theirs = everything(db), everything(other)
    for table in tables:
        assert len(ours[table]) == len(theirs[table])


def test_what_was_exported_of_an_import_is_the_same(db: Database, other: Database, played: Any) -> None:
    new, _, _, _ = played
    first = exported(db, new.id, whole=True)
    bring_in(other, read(first), now=NOW)
    second = exported(other, new.id, whole=True)
    assert second["log"][-1]["what"] == "imported-whole"
    assert second["whole"].pop("version") == first["whole"].pop("version") + 1
    alike = ("battle", "seats", "opening", "turns", "now", "whole")
    assert {name: second[name] for name in alike} == {name: first[name] for name in alike}
    assert second["log"][:-1] == first["log"]


def test_a_deadline_that_passed_on_the_way_waits_for_the_game_master(db: Database, other: Database, played: Any) -> None:
    new, master, _, _ = played
    done = bring_in(other, read(exported(db, new.id, whole=True)), now=LATER)
    assert done.is_held
    assert battles.battle(other, new.id, PUBLIC, LATER).status == "held"
    assert deadlines.sweep(other, LATER, outage=timedelta()) == 0
    battles.go_on(other, new.id, master, LATER)
    assert deadlines.sweep(other, LATER, outage=timedelta()) == 1


def test_to_import_twice_does_not_make_two(db: Database, played: Any) -> None:
    new, _, _, _ = played
    tree = exported(db, new.id)
    assert (refusal(db, tree).code, refusal(db, tree).current) == ("here-already", new.id)
    one = bring_in(db, read(tree), now=LATER, again=True, title="A copy")
    two = bring_in(db, read(tree), now=LATER, again=True)
    assert len({new.id, one.battle_id, two.battle_id}) == 3
    assert battles.battle(db, one.battle_id, PUBLIC, LATER).title == "A copy"
    assert publication.record(db, one.battle_id, 2, PUBLIC) == publication.record(db, new.id, 2, PUBLIC)
    assert exported(db, one.battle_id)["battle"]["id"] == new.id


def test_a_copy_of_a_whole_archive_has_keys_of_its_own_and_its_proofs_go_on(db: Database, played: Any) -> None:
    new, _, _, _ = played
    done = bring_in(db, read(exported(db, new.id, whole=True)), now=NOW, again=True)
    assert done.new is not None
    assert battles.seat_keys(db, done.battle_id, done.new.master_key) == done.new.seat_keys
    viewers = {seat: keys.viewer_by_key(db, key) for seat, key in done.new.seat_keys.items()}
    shown = battles.battle(db, done.battle_id, PUBLIC, NOW)
    for request in shown.ruleset.requests(shown.state):
        revision = next(seat.revision for seat in shown.seats if seat.seat == request.seat)
        orders.enter(
            db,
            done.battle_id,
            request.seat,
            viewers[request.seat],
            turn=4,
            revision=revision,
            fields={},
            ready=True,
            now=NOW,
        )
    records = [publication.record(db, done.battle_id, turn, PUBLIC) for turn in (1, 2, 3, 4)]
    assert all(finding.holds for record in records for finding in verify(record))
    assert all(finding.holds for finding in verify_chain(records))
    assert battles.battle(db, new.id, PUBLIC, NOW).turn == 4


def test_a_draft_under_review_travels_for_the_host_alone(db: Database, other: Database) -> None:
    new, master, seats = made(db, review=True)
    play_a_turn(db, new, seats, random.Random(2))
    unit = next(iter(battles.battle(db, new.id, PUBLIC, NOW).state.units))
    moderation.rule(db, new.id, master, Ruling(({"unit": unit, "cohesion": 1},), "before all see it"), NOW)
    public = exported(db, new.id)
    assert (public["turns"], public["now"]["turn"], public["now"]["rulings"]) == ([], 1, [])
    bring_in(other, read(exported(db, new.id, whole=True)), now=NOW)
    publication.publish(other, new.id, master, turn=1, now=NOW)
    publication.publish(db, new.id, master, turn=1, now=NOW)
    assert publication.record(other, new.id, 1, PUBLIC) == publication.record(db, new.id, 1, PUBLIC)


def test_a_battle_before_its_first_turn_travels(db: Database, other: Database) -> None:
    new, _, _ = made(db)
    bring_in(other, read(exported(db, new.id)), now=NOW)
    shown = battles.battle(other, new.id, PUBLIC, NOW)
    assert (shown.status, shown.turn, shown.turns) == ("over", 0, ())
    assert shown.state == battles.battle(db, new.id, PUBLIC, NOW).state


def test_hidden_things_stay_hidden_until_the_end(db: Database, other: Database) -> None:
    table = lay(db)
    for _ in range(2):
        for seat in table.seats:
            table.enter(seat, 3)
        table.resolve()
    tree = exported(db, table.id)
    with db.read() as session:
        assert loads(session.execute(select(State.body).where(State.turn == 1)).scalar_one())["pockets"]
    assert [part["position"]["pockets"] for part in (tree["opening"], tree["now"])] == [{}, {}]
    done = bring_in(other, read(tree), now=LATER)
    assert battles.battle(other, table.id, PUBLIC, LATER).turn == 2
    assert guessing.RULESET.view(battles.battle(other, table.id, PUBLIC, LATER).state, None) == table.show().state
    assert set(done.unchecked) <= {1, 2}


def test_a_packed_archive_is_read_too(sqlite_db: Database) -> None:
    new, _, _ = made(sqlite_db)
    tree = export(sqlite_db, new.id, whole=False, now=NOW)
    packed = archive.packed(tree, compressed=True)
    assert gzip.decompress(packed) == archive.packed(tree)
    assert archive.read(packed) == archive.read(archive.packed(tree))


def test_files_that_are_no_archives_are_refused_in_words(sqlite_db: Database) -> None:
    new, _, _ = made(sqlite_db)
    good = archive.packed(export(sqlite_db, new.id, whole=False, now=NOW))
    tree = json.loads(good)
    bad: list[tuple[bytes, str, str]] = [
        (b"", "bad-archive", "json"),
        (good[:-20], "bad-archive", "json"),
        (b"\xff\xfe", "bad-archive", "json"),
        (b'{"format":1,"format":1}', "bad-archive", "json"),
        (b'{"format":1,"x":NaN}', "bad-archive", "json"),
        (b"[" * 100_000, "bad-archive", "json"),
        (b"[]", "bad-archive", "format"),
        (b'{"format":true}', "bad-archive", "format"),
        (b'{"format":0}', "bad-archive", "format"),
        (archive.PACKED + b"nothing", "bad-archive", "packed"),
        (gzip.compress(good)[:-30], "bad-archive", "packed"),
        (archive.packed({**tree, "format": 2}), "newer-archive", ""),
        (good.replace(b"cohesion", b"cohesiom", 1), "changed-archive", ""),
        (archive.packed({**tree, "digest": "00"}), "changed-archive", ""),
        (archive.packed(resealed(tree, more=1)), "bad-archive", "shape"),
        (archive.packed(resealed(tree, turns=None)), "bad-archive", "shape"),
        (archive.packed(resealed(tree, battle={**tree["battle"], "id": "../etc"})), "bad-archive", "shape"),
    ]
    for body, code, why in bad:
        with pytest.raises(ArchiveError) as refused:
            archive.read(body)
        assert (refused.value.code, refused.value.params.get("why", "")) == (code, why), body[:60]


def test_an_archive_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST", 1_000_000)
    with pytest.raises(ArchiveError) as refused:
        archive.read(gzip.compress(b" " * 2_000_000))
    assert refused.value.params["why"] == "large"


def test_every_forgery_is_found_out(sqlite_db: Database, other: Database) -> None:
    new, _, seats = made(sqlite_db)
    for _ in range(3):
        play_a_turn(sqlite_db, new, seats, random.Random(1))
    tree = exported(sqlite_db, new.id, whole=True)
    public = {**tree, "whole": None}

    def record(number: int, **changes: Any) -> Any:
        turns_now = [dict(turn) for turn in tree["turns"]]
        turns_now[number - 1]["record"] = {**turns_now[number - 1]["record"], **changes}
        return resealed(public, turns=turns_now)

    def about(**changes: Any) -> Any:
        return resealed(public, battle={**tree["battle"], **changes})

    def whole(**changes: Any) -> Any:
        return resealed(tree, whole={**tree["whole"], **changes})

    third = tree["turns"][2]["record"]
    sheets = [{**sheet, "orders": {}} for sheet in third["sheets"]]
    dice = {address: [7 - face for face in faces] for address, faces in third["dice"].items()}
    secrets = [{**turn, "secret": "00" * 32} for turn in tree["whole"]["turns"]]
    forged = {
        "sheets": record(3, sheets=sheets),
        "dice": record(3, dice=dice),
        "points": record(2, points={"north": 999, "south": 0}),
        "another battle's": record(2, battle="abcdefghjk"),
        "a turn left out": resealed(public, turns=[tree["turns"][0], tree["turns"][2]]),
        "the first left out": resealed(public, turns=tree["turns"][1:]),
        "a record without its end": record(3, resolved_at="yesterday"),
        "a record without who": resealed(
            public,
            turns=[
                *tree["turns"][:2],
                {**tree["turns"][2], "record": {k: v for k, v in third.items() if k != "resolved_by"}},
            ],
        ),
        "another board": about(scenario={**tree["battle"]["scenario"], "goal": 1}),
        "no scenario": about(scenario={"ruleset": "cohesion"}),
        "a script for a colour": about(
            scenario={
                **tree["battle"]["scenario"],
                "sides": {
                    side: {**given, "colour": '"><script>'} for side, given in tree["battle"]["scenario"]["sides"].items()
                },
            }
        ),
        "unknown rules": about(ruleset="chess"),
        "unknown zone": about(zone="Middle/Earth"),
        "a title of two lines": about(title="a\nb"),
        "another winner": about(winner="south"),
        "another score": about(points={"north": 99, "south": 0}),
        "a side that is none in the score": about(points={**tree["battle"]["points"], "east": 1}),
        "seats": resealed(public, seats=tree["seats"][:1]),
        "another present": resealed(public, now={**tree["now"], "position": tree["opening"]["position"]}),
        "secrets": whole(turns=secrets),
        "a state": whole(states=[{**tree["whole"]["states"][0], "amended": third["after"]}, *tree["whole"]["states"][1:]]),
        "no states": whole(states=[]),
        "no open turn": whole(turns=tree["whole"]["turns"][:-1]),
        "twice the same row": whole(states=[*tree["whole"]["states"], tree["whole"]["states"][0]]),
        "keys of others": whole(seats=tree["whole"]["seats"][:1]),
    }
    for name, forgery in forged.items():
        refused = refusal(other, forgery)
        assert refused.code == "bad-archive", name
    assert refusal(other, forged["dice"]).params["why"] == "record"
    assert {finding.code for finding in refusal(other, forged["dice"]).current} == {"dice"}
    bring_in(other, read(tree), now=NOW)


def test_there_is_no_archive_of_no_battle(sqlite_db: Database) -> None:
    with pytest.raises(RefereeError, match="no-battle"):
        export(sqlite_db, "nothinghere", whole=True, now=NOW)


def test_a_battles_time_goes_with_it(db: Database, other: Database) -> None:
    weekly = schedule.made(times=["tue 21:00", "fri 21:00"], skip=["2026-12-31/2027-01-08"])
    chosen = Options(remind_hours=12, grace_minutes=30)
    table = lay(db, planned=weekly, zone="Europe/Moscow", options=chosen)
    pausing.pause(db, table.id, table.master, NOW, until=LATER + timedelta(days=9))
    tree = exported(db, table.id, whole=True)
    bring_in(other, read(tree), now=LATER)
    here, there = (battles.battle(d, table.id, PUBLIC, LATER) for d in (db, other))
    assert (there.status, there.schedule, there.options, there.pause) == ("paused", weekly, chosen, here.pause)
    assert there.ahead == here.ahead
    pausing.go_on(other, table.id, keys.viewer_by_key(other, table.new.master_key), LATER)
    assert battles.battle(other, table.id, PUBLIC, LATER).deadline == LATER + timedelta(hours=30)


def test_a_pause_that_ended_meanwhile_waits_for_the_game_master(db: Database, other: Database) -> None:
    table = lay(db, deadline=NOW + timedelta(hours=3))
    pausing.pause(db, table.id, table.master, NOW, until=NOW + timedelta(days=1))
    bring_in(other, read(exported(db, table.id, whole=True)), now=LATER)
    deadlines.sweep(other, LATER, outage=timedelta(minutes=15))
    there = battles.battle(other, table.id, PUBLIC, LATER)
    assert (there.status, there.pause.until if there.pause else LATER) == ("paused", None)


def test_an_archive_of_before_schedules_is_taken_in(db: Database, other: Database) -> None:
    table = lay(db, turn_hours=24)
    tree = exported(db, table.id, whole=True)
    older = resealed(tree, battle={k: v for k, v in tree["battle"].items() if k not in ("time", "options")})
    bring_in(other, read(older), now=NOW)
    there = battles.battle(other, table.id, PUBLIC, NOW)
    assert (there.status, there.deadline, there.schedule.hours) == ("open", NOW + timedelta(hours=24), 24)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"time": {"times": ["someday 21:00"]}}, "schedule"),
        ({"time": {"skip": ["2026-02-30"]}}, "schedule"),
        ({"time": {"slot": "2026-02-30T21:00"}}, "schedule"),
        ({"status": "paused"}, "pause"),
        ({"options": {"remind_hours": "soon"}}, "options"),
    ],
)
def test_a_time_that_is_none_is_refused(db: Database, other: Database, changes: Any, where: str) -> None:
    tree = exported(db, lay(db, turn_hours=24).id, whole=True)
    refused = refusal(other, resealed(tree, battle={**tree["battle"], **changes}))
    assert (refused.code, refused.params["why"]) == ("bad-archive", "parts")
    assert where in str(refused.params["where"])
