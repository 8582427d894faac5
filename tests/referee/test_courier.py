"""Notices on their way: together, in the reader's words, by mail and channels, once, put off, given up, held back."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import select, update

from app.posting import telegram
from app.posting.wire import Wire
from app.referee import battles, consent, courier, notices, orders, outbox, rows, subscriptions, undelivered
from app.referee.errors import RefereeError
from app.referee.outbox import LEASE, PAUSES
from app.referee.posting import Postman
from app.referee.subscriptions import Wishes
from app.referee.views import Viewer
from app.reports.noticewords import CODES, TOPICS
from app.store.db import Database
from app.store.models import BATTLES, OUTBOX
from tests.posting.places import HOOK, SECRET, place
from tests.posting.postoffice import PostOffice, postoffice, text_of
from tests.referee.table import Table
from tests.referee.test_notices import FACTS
from tests.referee.test_outbox import lay
from tests.times import NOW

WISHES = Wishes("en", "UTC", tuple(TOPICS))
WIRE = Wire(allow_private=True, seconds=2)
HERE = "https://here.example"


def postman(db: Database, office: PostOffice | None, now: datetime = NOW) -> Postman:
    return Postman(db, HERE, lambda: now, WIRE, office.server if office else None)


def deliver(db: Database, office: PostOffice | None, now: datetime = NOW) -> int:
    count = 0
    while postman(db, office, now).deliver_next():
        count += 1
    return count


def add(table: Table, viewer: Viewer, kind: str = "mail", *, now: datetime = NOW, **given: str) -> int:
    told = {"address": "anna@example.org", **given}
    return subscriptions.add(
        table.db, table.id, viewer, kind=kind, given=told, wishes=WISHES, allow_private=True, has_mail=True, now=now
    )


def link_in(office: PostOffice, which: str) -> str:
    (line,) = (line for line in text_of(office.letters[-1][1]).split("\n") if f"/notices/{which}/" in line)
    return line.rpartition("/")[2]


def mailed(table: Table, seat: str, office: PostOffice, wishes: Wishes = WISHES) -> int:
    """A confirmed address of a seat; the office is empty again."""
    made = add(table, table.seats[seat], address=f"{seat}@example.org")
    deliver(table.db, office)
    assert subscriptions.confirm(table.db, link_in(office, "confirm"))
    subscriptions.change(table.db, table.id, table.seats[seat], made, wishes, NOW)
    office.letters.clear()
    return made


def tell(table: Table, what: str, now: datetime = NOW, *, key: str = "", **given: Any) -> None:
    facts = {name: FACTS[name] for name in CODES[what].facts}
    with table.db.write() as session:
        battle = rows.battle_row(session, table.id)
        notices.tell(session, battle, what, now, **{"facts": facts, "key": key or f"{what}/1", **given})


def seat(table: Table, number: int = 0) -> str:
    return list(table.seats)[number]


def test_an_address_gets_nothing_but_a_question_until_it_is_answered(db: Database) -> None:
    table = lay(db)
    with postoffice() as office:
        add(table, table.seats[seat(table)])
        tell(table, "held")
        assert deliver(db, office) == 1
        ((to, letter),) = office.letters
        assert to == "anna@example.org"
        assert "Somebody asked" in text_of(letter)
        assert "List-Unsubscribe" not in letter
        token = link_in(office, "confirm")
        assert subscriptions.asked(db, token) == "a…@example.org"
        assert subscriptions.confirm(db, token)
        assert not subscriptions.confirm(db, token)
        tell(table, "gone-on")
        deliver(db, office)
        assert len(office.letters) == 2


def test_nobody_can_be_flooded_with_questions(sqlite_db: Database) -> None:
    table, other = lay(sqlite_db), lay(sqlite_db)
    with postoffice() as office:
        for count in range(consent.MOST_ASKED):
            owner = (table, other)[count % 2]
            made = add(owner, owner.seats[seat(owner)], address="Anna@Example.org")
            deliver(sqlite_db, office)
            subscriptions.remove(sqlite_db, owner.id, owner.seats[seat(owner)], made)
        with pytest.raises(RefereeError, match="too-often"):
            add(table, table.seats[seat(table)])
        add(table, table.seats[seat(table)], now=NOW + timedelta(days=1, minutes=1))
        assert len(office.letters) == consent.MOST_ASKED


def test_no_server_can_be_hammered_at_with_test_lines(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    mine = table.seats[seat(table)]
    with place("webhook") as there:
        given = {"url": f"{there.base}/hook?token=a-token-that-is-a-key", "secret": SECRET}
        for _ in range(subscriptions.MOST_TRIALS):
            made = add(table, mine, "webhook", **given)
            subscriptions.try_out(sqlite_db, table.id, mine, made, NOW)
            deliver(sqlite_db, None)
            subscriptions.remove(sqlite_db, table.id, mine, made)
        made = add(table, mine, "webhook", **given)
        with pytest.raises(RefereeError, match="too-often"):
            subscriptions.try_out(sqlite_db, table.id, mine, made, NOW)
        subscriptions.try_out(sqlite_db, table.id, mine, made, NOW + timedelta(hours=1, minutes=1))


def test_what_is_due_for_one_person_goes_out_together_and_once(db: Database) -> None:
    table = lay(db)
    with postoffice() as office:
        mailed(table, seat(table), office)
        tell(table, "held")
        tell(table, "turn-opened")
        with db.read() as session:
            version = session.execute(select(BATTLES.c.version)).scalar_one()
        assert deliver(db, office) == 1
        assert deliver(db, office) == 0
        ((_, letter),) = office.letters
        assert letter["Subject"].startswith("First Skirmish: The server was away at the deadline: turn 1 waits")
        text = text_of(letter)
        assert "turn 1 waits for the game master's word." in text
        assert "Orders until 2 December 2026, 12:00 (UTC)." in text
        assert f"{HERE}/b/{table.id}/seat/{seat(table)}/notices" in text
        assert letter["List-Unsubscribe"].strip() == f"<{HERE}/notices/end/{link_in(office, 'end')}>"
        with db.read() as session:  # nothing that anybody is about to do has become stale by a letter
            assert session.execute(select(BATTLES.c.version)).scalar_one() == version


def test_a_repeat_after_a_silent_death_is_the_same_letter(db: Database) -> None:
    table = lay(db)
    with postoffice() as office:
        mailed(table, seat(table), office)
        tell(table, "held")
        office.troubles.append("dead")
        assert deliver(db, office) == 1
        tell(table, "gone-on")  # not in the letter that may have arrived, so not in its repeat
        assert deliver(db, office, NOW + PAUSES[0]) == 2
        first, other, repeat = (letter for _, letter in office.letters)
        assert first["Message-ID"] == repeat["Message-ID"] != other["Message-ID"]
        assert text_of(first) == text_of(repeat)
        assert first["Date"] == repeat["Date"]


def test_a_letter_in_hand_when_the_server_dies_is_taken_up_again(db: Database) -> None:
    table = lay(db)
    with postoffice() as office:
        mailed(table, seat(table), office)
        tell(table, "held")
        tell(table, "gone-on")
        assert outbox.claim(db, NOW) is not None  # and then nothing more is heard of it
        assert deliver(db, office, NOW + LEASE - timedelta(seconds=1)) == 0
        assert deliver(db, office, NOW + LEASE) == 1
        assert "The battle goes on after the outage." in office.letters[0][1]["Subject"]


def test_a_refusal_of_the_moment_is_tried_again_and_in_the_end_given_up(db: Database) -> None:
    table, now = lay(db), NOW
    with postoffice() as office:
        mailed(table, seat(table), office)
        tell(table, "held")
        for pause in PAUSES:
            office.troubles.append("451 later")
            assert deliver(db, office, now) == 1
            (failure,) = undelivered.failures(db, table.id, table.master, now)
            assert (failure.due_at, failure.error) == (now + pause, {"code": "status", "status": 451})
            now += pause
        office.troubles.append("RCPT 451 later")
        deliver(db, office, now)
        (failure,) = undelivered.failures(db, table.id, table.master, now)
        assert failure.due_at is None
        assert office.letters == []


def test_of_a_game_that_the_server_does_not_know_nothing_is_told(db: Database) -> None:
    table = lay(db)
    with postoffice() as office:
        mailed(table, seat(table), office)
        tell(table, "held")
        with db.write() as session:
            session.execute(update(BATTLES).where(BATTLES.c.id == table.id).values(ruleset="chariots"))
        assert deliver(db, office) == 1
        assert office.letters == []
        assert outbox.claim(db, NOW + timedelta(days=30)) is None


def test_a_notice_that_is_given_up_after_its_game_was_lost_is_given_up(db: Database) -> None:
    table = lay(db)
    with postoffice() as office:
        mailed(table, seat(table), office)
        tell(table, "held")
        errand = outbox.claim(db, NOW)
        assert errand is not None
        with db.write() as session:
            session.execute(update(BATTLES).where(BATTLES.c.id == table.id).values(ruleset="chariots"))
            courier.given_up(session, errand, {"code": "status", "status": 550}, NOW)
        assert deliver(db, office) == 0


def test_an_address_that_is_none_is_given_up_and_the_game_master_told(db: Database) -> None:
    table = lay(db)
    with postoffice() as office, place("webhook") as there:
        mine = mailed(table, seat(table), office)
        add(table, table.master, "webhook", url=f"{there.base}/hook?token=a-token-that-is-a-key", secret=SECRET)
        tell(table, "reminder", seats=[seat(table)], facts={"seat": seat(table), "deadline": FACTS["deadline"]})
        with db.write() as session:
            session.execute(update(BATTLES).values(deadline=FACTS["deadline"]))
        tell(table, "turn-opened", NOW + timedelta(minutes=1), seats=[seat(table)])
        office.troubles.append("RCPT 550 nobody")
        assert deliver(db, office) == 2  # the letter, and the game master's notice
        (failure,) = undelivered.failures(db, table.id, table.master, NOW)
        assert (failure.seat, failure.kind, failure.due_at) == (seat(table), "mail", None)
        assert failure.place == f"{seat(table)[0]}…@example.org"
        (told,) = there.posts
        assert '"delivery-failed"' in told
        assert "@" not in told
        (view,) = subscriptions.listing(db, table.id, table.seats[seat(table)])
        assert (view.state, view.error["code"], view.waiting) == ("stopped", "refused-address", 0)
        tell(table, "held")
        assert deliver(db, office) == 1  # to the game master alone
        subscriptions.try_out(db, table.id, table.seats[seat(table)], mine, NOW)
        deliver(db, office)
        assert "test line" in text_of(office.letters[0][1])


def test_quiet_hours_hold_what_was_late_and_a_lapsed_reminder_falls_away(db: Database) -> None:
    table = lay(db)
    evening = datetime(2026, 12, 1, 21, 59, tzinfo=UTC)
    night, morning = evening + timedelta(minutes=6), datetime(2026, 12, 2, 7, 0, tzinfo=UTC)
    wishes = Wishes("en", "UTC", tuple(TOPICS), quiet_from=22 * 60, quiet_to=7 * 60)
    with postoffice() as office:
        mailed(table, seat(table), office, wishes)
        tell(table, "held", evening)
        tell(table, "gone-on", evening)
        assert deliver(db, office, night) == 1  # looked at, and held back
        assert office.letters == []
        tell(table, "reminder", night, facts={"seat": seat(table), "deadline": morning + timedelta(hours=3)})
        assert deliver(db, office, morning - timedelta(minutes=1)) == 0
        assert deliver(db, office, morning) == 1
        assert "still missing" not in text_of(office.letters[0][1])  # the battle has no such deadline any more


def test_a_reminder_that_never_went_out_is_not_corrected(db: Database) -> None:
    table = lay(db)
    evening, morning = datetime(2026, 12, 1, 22, 30, tzinfo=UTC), datetime(2026, 12, 2, 7, 0, tzinfo=UTC)
    old, new = morning + timedelta(hours=3), morning + timedelta(hours=9)
    wishes = Wishes("en", "UTC", tuple(TOPICS), quiet_from=22 * 60, quiet_to=7 * 60)
    with postoffice() as office:
        mailed(table, seat(table), office, wishes)
        battles.set_deadline(db, table.id, table.master, new, NOW)
        tell(table, "reminder", evening, facts={"seat": seat(table), "deadline": old})
        tell(table, "reminder-corrected", evening, facts={"old": old, "deadline": new})
        deliver(db, office, morning)
        assert "you were reminded" not in "".join(text_of(letter) for _, letter in office.letters)
        tell(table, "reminder-corrected", morning, facts={"old": old, "deadline": new}, key="again")
        deliver(db, office, morning)
        assert "you were reminded" in text_of(office.letters[-1][1])


def test_a_digest_is_one_letter_a_day(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    wishes = Wishes("ru", "Europe/Moscow", tuple(TOPICS), digest_hour=9)
    morning = datetime(2026, 12, 1, 6, 0, tzinfo=UTC)
    with postoffice() as office:
        mailed(table, seat(table), office, wishes)
        for hour in range(5):
            tell(table, "held", NOW + timedelta(hours=hour), key=f"held/{hour}")
        assert deliver(sqlite_db, office, morning - timedelta(seconds=1)) == 0
        assert deliver(sqlite_db, office, morning) == 1
        ((_, letter),) = office.letters
        assert letter["Subject"].endswith(": 5 извещений")


def test_with_a_renewed_key_nothing_goes_to_the_old_address_any_more(db: Database) -> None:
    table = lay(db)
    with postoffice() as office:
        mailed(table, seat(table), office)
        tell(table, "held")
        battles.renew_key(db, table.id, seat(table), table.new.master_key, NOW)
        tell(table, "gone-on")
        deliver(db, office)
        assert office.letters == []
        with db.read() as session:
            waiting = select(OUTBOX.c.id).where(OUTBOX.c.due_at.is_not(None))
            assert session.execute(waiting).all() == []


def test_one_click_ends_it_and_what_waited(db: Database) -> None:
    table = lay(db)
    with postoffice() as office:
        mailed(table, seat(table), office)
        tell(table, "held")
        deliver(db, office)
        token = link_in(office, "end")
        tell(table, "gone-on")
        assert subscriptions.end_by_link(db, token)
        assert not subscriptions.end_by_link(db, token)
        assert deliver(db, office) == 0
        assert subscriptions.listing(db, table.id, table.seats[seat(table)]) == ()


def test_a_webhook_is_told_the_facts_and_signed(sqlite_db: Database) -> None:
    table = lay(sqlite_db)
    with place("webhook") as there:
        add(table, table.seats[seat(table)], "webhook", url=f"{there.base}/hook?token=a-token-that-is-a-key", secret=SECRET)
        tell(table, "turn-published")
        assert deliver(sqlite_db, None) == 1
        (call,) = there.calls
        told = call.json
        assert told["event"] == "notices"
        assert told["battle"]["id"] == table.id
        assert told["seat"] == seat(table)
        (notice,) = told["notices"]
        assert notice == {
            "code": "turn-published",
            "turn": 1,
            "url": f"{HERE}/b/{table.id}/t/1",
            "text": "Turn 1 is published.",
        }
        assert call.headers["webhook-signature"].startswith("v1,")
        assert call.headers["idempotency-key"] == told["id"]


@pytest.mark.parametrize("kind", ["discord", "telegram", "apprise"])
def test_a_channel_is_told_in_the_readers_language_and_tried_again(
    sqlite_db: Database, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Apprise by way of its plainest service, JSON to a server on loopback."""
    table = lay(sqlite_db)
    with place("webhook" if kind == "apprise" else kind) as there:
        monkeypatch.setattr(telegram, "API", there.base)
        given: dict[str, Any] = {
            "discord": {"url": f"{there.base}/api/webhooks/55/{HOOK}"},
            "telegram": {"token": "123456:" + "t" * 35, "chat": "77"},
            "apprise": {"url": f"json://127.0.0.1:{there.port}/hook?-token={HOOK}"},
        }[kind]
        mine = table.seats[seat(table)]
        made = add(table, mine, kind, **given)
        subscriptions.change(sqlite_db, table.id, mine, made, Wishes("ru", "UTC", tuple(TOPICS)), NOW)
        (view,) = subscriptions.listing(sqlite_db, table.id, mine)
        assert not any(secret in view.place for secret in (HOOK, "t" * 35, "/hook"))
        there.troubles = [500]
        tell(table, "held")
        deliver(sqlite_db, None)
        (failure,) = undelivered.failures(sqlite_db, table.id, table.master, NOW)
        assert failure.error == ({"code": "not-taken"} if kind == "apprise" else {"code": "status", "status": 500})
        assert there.posts == []
        deliver(sqlite_db, None, NOW + PAUSES[0])
        (text,) = there.posts
        assert "ждёт слова мастера" in (json.loads(text)["message"] if kind == "apprise" else text)
        assert undelivered.failures(sqlite_db, table.id, table.master, NOW) == ()


@pytest.mark.parametrize("code", [code for code in CODES if CODES[code].topic != "always"])
def test_no_notice_to_a_seat_differs_by_what_another_has_sealed(sqlite_db: Database, code: str) -> None:
    letters = []
    for has_sealed in (False, True):
        table = lay(sqlite_db)
        mine, other = seat(table), seat(table, -1)
        if has_sealed:
            shown = battles.battle(sqlite_db, table.id, table.master, NOW)
            request = next(request for request in shown.ruleset.requests(shown.state) if request.seat == other)
            fields = shown.ruleset.dump_order(shown.ruleset.choose(shown.state, request, Random(3).randrange))
            held = {"turn": 1, "revision": 0, "fields": fields, "ready": True}
            assert orders.enter(sqlite_db, table.id, other, table.seats[other], now=NOW, **held).revision == 1
        with postoffice() as office:
            mailed(table, mine, office)
            with sqlite_db.write() as session:
                session.execute(update(BATTLES).values(deadline=FACTS["deadline"]))
            facts = {name: {"seat": mine, "whom": mine}.get(name, FACTS[name]) for name in CODES[code].facts}
            tell(table, code, facts=facts)
            deliver(sqlite_db, office)
            ((_, letter),) = office.letters
            token = link_in(office, "end")
            letters.append(text_of(letter).replace(table.id, "BATTLE").replace(token, "TOKEN"))
    assert letters[0] == letters[1]


def test_many_postmen_at_once_tell_everything_once(db: Database) -> None:
    table = lay(db)
    with postoffice() as office:
        for number in range(len(table.seats)):
            mailed(table, seat(table, number), office)
        for turn in range(1, 31):
            tell(table, "turn-published", turn=turn, key=f"turn-published/{turn}")
        with ThreadPoolExecutor(4) as postmen:
            rounds = list(postmen.map(lambda _: deliver(db, office), range(4)))
        assert sum(rounds) == len(office.letters)
        told = [(to, line) for to, letter in office.letters for line in text_of(letter).split("\n") if "published." in line]
        wanted = {(f"{one}@example.org", f"Turn {turn} is published.") for one in table.seats for turn in range(1, 31)}
        assert len(told) == len(wanted)
        assert set(told) == wanted
