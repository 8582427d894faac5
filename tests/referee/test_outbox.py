"""The outbox: written with the turn, taken by one, tried again, given up in sight; and a post that is never made twice."""

from __future__ import annotations

import json
import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, select

from app.posting.kinds import BadTarget
from app.posting.wire import Wire
from app.referee import battles, freshness, keys, outbox, publication, rewinding, scenarios, ties
from app.referee.errors import RefereeError
from app.referee.outbox import LEASE, PAUSES
from app.referee.posting import Postman
from app.referee.ties import TieView
from app.referee.views import PUBLIC
from app.reports import headline
from app.reports.logwords import log_words
from app.store.db import Database
from app.store.models import OUTBOX, TIES
from tests.posting.places import HOOK, KEY, SECRET, Place, place
from tests.referee.table import Table
from tests.times import NOW

KINDS = ("discourse", "nodebb", "discord", "webhook")
WIRE = Wire(allow_private=True, seconds=2)


def lay(db: Database, **given: Any) -> Table:
    """A battle of a ruleset that has words."""
    new = battles.create(db, scenario=scenarios.frozen("first-skirmish"), **{"now": NOW, **given})
    seats = {seat: keys.viewer_by_key(db, key) for seat, key in new.seat_keys.items()}
    return Table(db, new, keys.viewer_by_key(db, new.master_key), seats)


def postman(db: Database, now: datetime = NOW) -> Postman:
    return Postman(db, "https://here.example", lambda: now, WIRE)


def deliver(db: Database, now: datetime = NOW) -> int:
    """Everything that is due."""
    count = 0
    while postman(db, now).deliver_next():
        count += 1
    return count


def tie(table: Table, there: Place, **given: Any) -> int:
    options = {"language": "en", "length": "phases", "allow_private": True, "now": NOW, **given}
    return ties.add(table.db, table.id, table.master, kind=there.kind, given=there.given, **options)


def only(table: Table) -> TieView:
    (found,) = ties.listing(table.db, table.id, table.master)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_published_turn_goes_where_the_battle_is_tied(db: Database, kind: str) -> None:
    table = lay(db)
    with place(kind) as there:
        tie(table, there)
        table.resolve()
        assert there.calls == []  # only after the commit, and by the postman
        assert deliver(db) == 1
        assert deliver(db) == 0
        assert len(there.posts) == 1
        assert f"https://here.example/b/{table.id}/t/1" in there.posts[0]
        (sent,) = only(table).sent
        assert (sent.what, sent.turn, sent.state, sent.error) == ("turn", 1, "done", {})
        assert ties.links(db, table.id, 1) == ((sent.link,) if sent.link else ())
        assert (sent.link is None) == (kind == "webhook")


def test_a_webhook_is_told_the_facts(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    with place("webhook") as there:
        tie(table, there, language="ru")
        table.resolve()
        deliver(sqlite_db)
        told = json.loads(there.posts[0])
        assert told["event"] == "turn-published"
        assert told["format"] == 1
        assert told["battle"]["id"] == table.id
        assert told["battle"]["url"] == f"https://here.example/b/{table.id}"
        assert (told["turn"], told["language"]) == (1, "ru")
        assert told["picture"] == f"https://here.example/b/{table.id}/t/1.png?lang=ru"
        assert told["points"] == dict(publication.turn(sqlite_db, table.id, 1, PUBLIC).points)
        assert told["headline"] == headline(publication.turn(sqlite_db, table.id, 1, PUBLIC), "ru")
        assert told["text"].startswith("Ход 1\n")


def test_a_turn_under_review_goes_nowhere_until_it_is_published(db: Database) -> None:
    table = lay(db, review=True)
    with place("nodebb") as there:
        tie(table, there)
        table.resolve()
        assert deliver(db) == 0
        assert there.calls == []
        publication.publish(db, table.id, table.master, turn=1, now=NOW)
        assert deliver(db) == 1
        assert len(there.posts) == 1


def test_a_resolution_that_comes_to_nothing_leaves_nothing_to_post(db: Database) -> None:
    table = lay(db)
    with place("nodebb") as there:
        tie(table, there)

        def broken(_: Any) -> None:
            raise OSError("the power goes")

        event.listen(db.engine, "commit", broken)
        with pytest.raises(OSError, match="power"):
            table.resolve()
        event.remove(db.engine, "commit", broken)
        assert deliver(db) == 0


def test_it_is_tried_again_with_growing_pauses_and_then_given_up(db: Database) -> None:
    table = lay(db)
    with place("nodebb") as there:
        tie(table, there)
        table.resolve()
        there.troubles = [500] * (len(PAUSES) + 1)
        now = NOW
        for pause in PAUSES:
            assert deliver(db, now) == 1
            (sent,) = only(table).sent
            assert (sent.state, sent.error) == ("waiting", {"code": "status", "status": 500})
            assert sent.due_at == now + pause
            assert deliver(db, now + pause - timedelta(seconds=1)) == 0
            now += pause
        assert deliver(db, now) == 1
        (sent,) = only(table).sent
        assert (sent.state, sent.due_at) == ("failed", None)
        assert deliver(db, now + timedelta(days=30)) == 0
        assert there.posts == []
        ties.retry(db, table.id, table.master, sent.id, now)
        assert deliver(db, now) == 1
        assert only(table).sent[0].state == "done"
        assert len(there.posts) == 1


def test_a_busy_place_is_given_the_time_that_it_asks_for(db: Database) -> None:
    table = lay(db)
    with place("discord") as there:
        tie(table, there)
        table.resolve()
        there.troubles = [429]
        deliver(db)
        (sent,) = only(table).sent
        assert sent.due_at == NOW + timedelta(seconds=900)  # longer than the first pause
        assert deliver(db, NOW + timedelta(seconds=899)) == 0
        assert deliver(db, NOW + timedelta(seconds=900)) == 1


def test_a_timeout_is_tried_again(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    with place("webhook") as there:
        tie(table, there)
        table.resolve()
        there.troubles = ["silent"]
        impatient = Postman(sqlite_db, "https://here.example", lambda: NOW, Wire(allow_private=True, seconds=0.2))
        assert impatient.deliver_next()
        assert only(table).sent[0].error == {"code": "timeout"}
        there.stop.set()
        assert deliver(sqlite_db, NOW + PAUSES[0]) == 1
        first, second = (call.headers["idempotency-key"] for call in there.written)
        assert first == second


def test_a_wrong_key_is_not_tried_a_second_time(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    with place("discourse") as there:
        given = {**there.given, "key": "wrong"}
        ties.add(
            sqlite_db,
            table.id,
            table.master,
            kind="discourse",
            given=given,
            language="en",
            length="headline",
            allow_private=True,
            now=NOW,
        )
        table.resolve()
        deliver(sqlite_db)
        (sent,) = only(table).sent
        said = "You are not permitted to view the requested resource."
        assert (sent.state, sent.error) == ("failed", {"code": "status", "status": 403, "said": said})


@pytest.mark.parametrize("kind", ["discourse", "nodebb"])
@pytest.mark.parametrize("death", ["the line", "the server"])
def test_what_was_posted_before_a_death_is_found_and_not_posted_again(db: Database, kind: str, death: str) -> None:
    table = lay(db)
    with place(kind) as there:
        tie(table, there)
        table.resolve()
        later = NOW + PAUSES[0]
        if death == "the line":  # taken, and the answer never came
            there.troubles = ["after"]
            deliver(db)
            assert only(table).sent[0].error == {"code": "unreachable"}
        else:  # posted, and killed before it was written down
            with _killed_before_it_is_written_down(pytest.MonkeyPatch()), pytest.raises(KeyboardInterrupt):
                deliver(db)
            assert only(table).sent[0].state == "trying"
            assert deliver(db, NOW + LEASE - timedelta(seconds=1)) == 0
            later = NOW + LEASE
        assert len(there.posts) == 1
        assert deliver(db, later) == 1
        assert len(there.posts) == len(there.written) == 1
        (sent,) = only(table).sent
        assert sent.state == "done"
        assert sent.link


@contextmanager
def _killed_before_it_is_written_down(patch: pytest.MonkeyPatch) -> Iterator[None]:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with patch.context() as patched:
        patched.setattr(outbox, "done", killed)
        yield


@pytest.mark.parametrize("kind", ["discourse", "nodebb"])
def test_a_post_that_much_was_answered_to_is_found_by_a_late_retry(sqlite_db: Database, kind: str) -> None:
    table = lay(sqlite_db)
    with place(kind) as there:
        tie(table, there)
        there.posts = [f"post {n}" for n in range(200)]
        there.opened = NOW - there.apart * 200
        table.resolve()
        there.troubles = ["after"]
        deliver(sqlite_db)
        there.posts += ["an answer"] * 90
        there.calls.clear()
        assert deliver(sqlite_db, NOW + PAUSES[0]) == 1
        assert there.written == []
        assert len(there.calls) < 9
        assert only(table).sent[0].state == "done"


def test_what_kills_its_sender_every_time_is_given_up(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    with place("webhook") as there:
        tie(table, there)
        table.resolve()
        now = NOW
        for _ in range(len(PAUSES) + 1):
            with _killed_before_it_is_written_down(pytest.MonkeyPatch()), pytest.raises(KeyboardInterrupt):
                deliver(sqlite_db, now)
            now += LEASE
        assert deliver(sqlite_db, now) == 0
        (sent,) = only(table).sent
        assert (sent.state, sent.error) == ("failed", {"code": "interrupted"})


def test_several_postmen_at_once_post_once(db: Database) -> None:
    table = lay(db)
    with place("webhook") as there:
        tie(table, there)
        for _ in range(4):
            table.resolve()
        failures: list[BaseException] = []
        together = threading.Barrier(4)

        def drain() -> None:
            try:
                together.wait()
                while postman(db).deliver_next():
                    pass
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=drain) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        deliver(db)  # a line that was just in another's hand when all others had stopped looking
        assert failures == []
        assert sorted(json.loads(body)["turn"] for body in there.posts) == [1, 2, 3, 4]


def test_who_lost_his_lease_does_not_say_how_it_went(db: Database) -> None:
    table = lay(db)
    with place("webhook") as there:
        tie(table, there)
        table.resolve()
        late = outbox.claim(db, NOW)
        other = outbox.claim(db, NOW + LEASE)
        assert late is not None
        assert other is not None
        assert (late.id, late.mark) == (other.id, other.mark)
        outbox.put_off(db, late, {"code": "timeout"}, NOW + LEASE)
        outbox.done(db, late, "https://late.example", NOW + LEASE)
        (sent,) = only(table).sent
        assert (sent.state, sent.link, sent.error) == ("trying", None, {})


def test_a_paused_tie_is_posted_nothing_and_missed_turns_never(db: Database) -> None:
    table = lay(db)
    with place("webhook") as there:
        number = tie(table, there)
        table.resolve()
        ties.set_active(db, table.id, table.master, number, active=False)
        assert deliver(db) == 0
        table.resolve()
        ties.set_active(db, table.id, table.master, number, active=True)
        assert deliver(db) == 1
        assert [json.loads(body)["turn"] for body in there.posts] == [1]


def test_a_tie_taken_away_leaves_no_key_and_keeps_what_was_posted(db: Database) -> None:
    table = lay(db)
    with place("nodebb") as there:
        number = tie(table, there)
        table.resolve()
        deliver(db)
        table.resolve()
        ties.remove(db, table.id, table.master, number, NOW)
        assert deliver(db) == 0
        assert len(there.posts) == 1
        assert ties.links(db, table.id, 1) == (f"{there.base}/post/100",)
        assert ties.listing(db, table.id, table.master) == ()
        with db.read() as session:
            assert session.execute(select(TIES.c.id)).all() == []
            assert KEY not in repr(session.execute(select(OUTBOX)).all())


def test_the_log_tells_all_that_a_battle_is_tied_and_nobody_where(db: Database) -> None:
    table = lay(db)
    for kind in KINDS:
        with place(kind) as there:
            number = tie(table, there)
            ties.remove(db, table.id, table.master, number, NOW + timedelta(hours=1))
            secrets = {there.base, *there.given.values()}
        told = battles.battle(db, table.id, PUBLIC, NOW).log[-2:]
        assert [(line.what, line.who, line.at, line.turn) for line in told] == [
            ("tied", "master", NOW, 1),
            ("untied", "master", NOW + timedelta(hours=1), 1),
        ]
        for line in told:
            assert line.params == {"kind": kind}
            for language in ("en", "ru"):
                words = log_words(line.what, line.params, language)
                assert not any(secret in words for secret in secrets)
                assert bool(re.search("[а-яё]", words)) == (language == "ru")


def test_a_trial_says_who_will_post_and_not_too_often(db: Database) -> None:
    table = lay(db)
    with place("discourse") as there:
        number = tie(table, there, language="ru")
        ties.try_out(db, table.id, table.master, number, NOW)
        with pytest.raises(RefereeError, match="too-often"):
            ties.try_out(db, table.id, table.master, number, NOW + timedelta(seconds=59))
        assert deliver(db) == 1
        assert f"https://here.example/b/{table.id}#post-" in there.posts[0]
        assert "Сюда" in there.posts[0]
        ties.try_out(db, table.id, table.master, number, NOW + timedelta(seconds=60))
        assert deliver(db, NOW + timedelta(seconds=60)) == 1


def test_only_the_game_master_ties(sqlite_db: Database) -> None:
    table, other = lay(sqlite_db), lay(sqlite_db)
    with place("nodebb") as there:
        number = tie(table, there)
        for viewer in (PUBLIC, *table.seats.values(), other.master):
            with pytest.raises(RefereeError, match="not-yours"):
                ties.listing(sqlite_db, table.id, viewer)
            with pytest.raises(RefereeError, match="not-yours"):
                ties.remove(sqlite_db, table.id, viewer, number, NOW)
        with pytest.raises(RefereeError, match="no-page"):
            ties.remove(sqlite_db, other.id, other.master, number, NOW)
        table.resolve()
        with pytest.raises(RefereeError, match="no-page"):
            ties.retry(sqlite_db, other.id, other.master, only(table).sent[0].id, NOW)


def test_there_is_an_end_to_ties(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    with place("nodebb") as there:
        for _ in range(ties.MOST_TIES):
            tie(table, there)
        with pytest.raises(BadTarget, match="too-many"):
            tie(table, there)


def test_a_delivery_makes_the_battles_pages_new(db: Database) -> None:
    table = lay(db)
    with place("nodebb") as there:
        tie(table, there)
        table.resolve()
        before = freshness.version(db, table.id)
        deliver(db)
        assert freshness.version(db, table.id) == before + 1


def test_no_secret_is_logged_or_shown_to_anybody(sqlite_db: Database, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for kind in KINDS:
        table = lay(sqlite_db)
        with place(kind) as there:
            tie(table, there)
            table.resolve()
            there.troubles = [500]
            deliver(sqlite_db)
            deliver(sqlite_db, NOW + PAUSES[0])
            assert only(table).sent[0].state == "done"
            told = repr(ties.listing(sqlite_db, table.id, table.master)) + repr(outbox.claim(sqlite_db, NOW))
            assert not any(secret in told for secret in (KEY, HOOK, SECRET))
    assert not any(secret in caplog.text for secret in (KEY, HOOK, SECRET))


def test_a_turn_that_is_played_again_is_posted_once_more_and_what_was_left_is_not_sent(db: Database) -> None:
    with place("webhook") as there:
        table = lay(db)
        tie(table, there)
        table.resolve()
        assert deliver(db) == 1
        table.resolve()  # published, and left before it goes out
        rewinding.rewind(db, table.id, table.master, to=1, reason="the map was wrong", now=NOW)
        assert deliver(db) == 0
        assert ties.links(db, table.id, 1) == ()
        assert only(table).sent == ()
        table.resolve()
        assert deliver(db) == 1
        bodies = [json.loads(posted) for posted in there.posts]
        assert [(told["turn"], told.get("again")) for told in bodies] == [(1, None), (1, True)]
        rewinding.take_up(db, table.id, table.master, line=1, reason="the first one counts", now=NOW)
        assert deliver(db) == 1, "turn 2 of the first line had never gone out"
        assert [json.loads(posted)["turn"] for posted in there.posts] == [1, 1, 2]
