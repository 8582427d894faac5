"""Messages: who reads, who writes, what is new, and that nothing of a side's channel is known to anybody else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.referee import accounts, battles, freshness, keys, masters, subscriptions, talk, unread
from app.referee.channels import Where
from app.referee.errors import RefereeError
from app.referee.options import Options
from app.referee.views import PUBLIC, Viewer
from app.store.db import Database
from app.store.models import OUTBOX, SUBSCRIPTIONS
from tests.referee.table import Table, everything, lay
from tests.times import HOUR, NOW

MINUTE = timedelta(minutes=1)
OPEN, SIDE, JUDGE = Where(), Where("side"), Where("master")


def say(table: Table, who: Viewer, text: str, where: Where = OPEN, **given: Any) -> int:
    return talk.write(table.db, table.id, where, who, text=text, **{"now": NOW, **given})


def texts(table: Table, who: Viewer = PUBLIC, where: Where = OPEN) -> list[str]:
    return [one.text for one in talk.see(table.db, table.id, where, who, NOW).messages]


def refused(code: str) -> Any:
    return pytest.raises(RefereeError, match=f"^{code}$")


def new(table: Table, who: Viewer) -> dict[tuple[str, str], tuple[int, int]]:
    return {(one.kind, one.of): (one.count, one.calls) for one in unread.unread(table.db, table.id, who)}


def test_the_public_thread_is_read_by_all_and_written_by_those_of_the_battle(db: Database) -> None:
    table = lay(db)
    account = Viewer("account", account_id=accounts.sign_up(db, "Ann", "a long password", NOW, language="en"))
    assert [say(table, who, "So.") for who in (table.seats["A"], table.seats["B"], table.master)] == [1, 2, 3]
    assert texts(table) == texts(table, account) == ["So."] * 3
    for who in (PUBLIC, account, lay(db).seats["A"], lay(db).master, Viewer("seat", seat="A")):
        with refused("not-yours"):
            say(table, who, "No.")
    battles.set_options(db, table.id, table.master, Options(open_thread=True), NOW)
    assert say(table, account, "Now I may.") == 4
    told = talk.see(db, table.id, OPEN, PUBLIC, NOW).messages[-1]
    assert (told.writer, told.name) == (f"account/{account.account_id}", "Ann")


def test_a_sides_channel_is_its_seats_alone(db: Database) -> None:
    """A and C are of one side, B of the other."""
    table = lay(db)
    say(table, table.seats["A"], "Left.", SIDE)
    assert say(table, table.seats["C"], "Right.", SIDE) == 2
    assert texts(table, table.seats["A"], SIDE) == texts(table, table.seats["C"], SIDE) == ["Left.", "Right."]
    assert texts(table, table.seats["B"], SIDE) == []
    account = Viewer("account", account_id=1)
    for who in (PUBLIC, table.master, account, lay(db).seats["A"]):
        for act in (texts, lambda *given: say(given[0], given[1], "x", given[2])):
            with refused("not-yours"):
                act(table, who, SIDE)
        with refused("not-yours"):
            talk.mark(db, table.id, SIDE, who)
        with refused("not-yours"):
            talk.one(db, table.id, SIDE, who, 1, NOW)


def test_a_seat_talks_with_the_game_masters_and_one_who_plays_is_none_of_them(db: Database) -> None:
    table = lay(db)
    say(table, table.seats["A"], "May I?", JUDGE)
    theirs = Where("master", "A")
    say(table, table.master, "You may.", theirs)
    assert texts(table, table.seats["A"], JUDGE) == texts(table, table.master, theirs) == ["May I?", "You may."]
    for who in (table.seats["C"], table.seats["B"]):
        assert texts(table, who, JUDGE) == []
        with refused("not-yours"):
            texts(table, who, theirs)
    with refused("no-seat"):
        texts(table, table.master, Where("master", "nobody"))
    masters.describe(db, table.id, table.master, name="Max", plays=True, now=NOW)
    playing = keys.viewer_by_key(db, table.new.master_key)
    with refused("not-yours"):
        texts(table, playing, theirs)
    assert new(table, playing) == {("public", ""): (0, 0)}
    assert talk.see(db, table.id, JUDGE, table.seats["A"], NOW).masters == 0


def test_what_is_new_is_counted_for_each_reader_until_he_has_looked(db: Database) -> None:
    table = lay(db)
    battles.name_holder(db, table.id, "A", table.seats["A"], "Ann", NOW)
    for text in ("One.", "Two, @Ann.", "Three."):
        say(table, table.seats["B"], text)
    say(table, table.seats["C"], "Psst.", SIDE)
    assert new(table, table.seats["A"]) == {("public", ""): (3, 1), ("side", "red"): (1, 0), ("master", "A"): (0, 0)}
    assert new(table, table.seats["B"])["public", ""] == (0, 0)
    assert new(table, table.master) == {("public", ""): (3, 0)}
    assert new(table, PUBLIC) == {}
    talk.mark_read(db, table.id, OPEN, table.seats["A"], 2)
    talk.mark_read(db, table.id, OPEN, table.seats["A"], 1)
    assert new(table, table.seats["A"])["public", ""] == (1, 0)
    talk.mark_read(db, table.id, OPEN, table.seats["A"], 10**8)
    assert new(table, table.seats["A"])["public", ""] == (0, 0)
    say(table, table.seats["B"], "Four.")
    assert new(table, table.seats["A"])["public", ""] == (1, 0), "nobody has read ahead"
    talk.mark_read(db, table.id, OPEN, PUBLIC, 4)


def test_who_answers_without_having_looked_has_not_read_what_came_meanwhile(db: Database) -> None:
    table = lay(db)
    say(table, table.seats["A"], "One.")
    say(table, table.seats["B"], "Two.")
    assert new(table, table.seats["B"])["public", ""] == (1, 0)
    say(table, table.seats["A"], "Three.")
    assert new(table, table.seats["A"])["public", ""] == (1, 0)


def test_long_threads_are_read_in_stretches(db: Database) -> None:
    table = lay(db)
    for number in range(1, 8):
        say(table, table.seats["A"], f"{number}")

    def see(**given: Any) -> tuple[list[str], bool, bool]:
        told = talk.see(db, table.id, OPEN, PUBLIC, NOW, limit=3, **given)
        return [one.text for one in told.messages], told.has_earlier, told.has_later

    assert see() == (["5", "6", "7"], True, False)
    assert see(before=5) == (["2", "3", "4"], True, True)
    assert see(before=2) == (["1"], False, True)
    assert see(since=6) == (["6", "7"], True, False)
    assert see(since=1) == (["1", "2", "3"], False, True)


def test_a_writer_changes_or_takes_back_his_own_within_an_hour(db: Database) -> None:
    table = lay(db)
    ann, ben = table.seats["A"], table.seats["B"]
    say(table, ann, "Wrnog.")
    later = NOW + HOUR / 2
    talk.edit(db, table.id, OPEN, ann, 1, text="Right.", now=later)
    told = talk.see(db, table.id, OPEN, PUBLIC, NOW).messages[0]
    assert (told.text, told.edited_at) == ("Right.", later)
    for who in (ben, table.master):
        with refused("not-yours"):
            talk.edit(db, table.id, OPEN, who, 1, text="Mine.", now=NOW)
        with refused("not-yours"):
            talk.take_back(db, table.id, OPEN, who, 1, NOW)
    with refused("too-late"):
        talk.edit(db, table.id, OPEN, ann, 1, text="Late.", now=NOW + HOUR + timedelta(seconds=1))
    with refused("no-message"):
        talk.edit(db, table.id, OPEN, ann, 2, text="Which?", now=NOW)
    talk.take_back(db, table.id, OPEN, ann, 1, later)
    told = talk.see(db, table.id, OPEN, ann, NOW).messages[0]
    assert (told.text, told.deleted_at, told.may_change) == ("", later, False)
    assert "Right." not in repr(everything(db)["messages"])
    with refused("too-late"):
        talk.edit(db, table.id, OPEN, ann, 1, text="Again.", now=later)


def test_a_game_master_hides_a_public_message_in_the_open(db: Database) -> None:
    table = lay(db)
    say(table, table.seats["A"], "Something rude.")
    with refused("bad-reason"):
        talk.hide(db, table.id, table.master, 1, reason=" ", now=NOW)
    for who in (table.seats["A"], table.seats["B"], PUBLIC, lay(db).master):
        with refused("not-yours"):
            talk.hide(db, table.id, who, 1, reason="No.", now=NOW)
    talk.hide(db, table.id, table.master, 1, reason="Be kind.", now=NOW)
    told = {who: talk.see(db, table.id, OPEN, who, NOW).messages[0] for who in (PUBLIC, table.seats["B"], table.master)}
    assert [told[who].text for who in told] == ["", "", "Something rude."]
    assert told[PUBLIC].hidden_reason == "Be kind."
    assert [(line.what, dict(line.params)) for line in table.show().log][-1] == (
        "message-hidden",
        {"number": 1, "reason": "Be kind."},
    )
    with refused("no-message"):
        talk.hide(db, table.id, table.master, 1, reason="Twice.", now=NOW)
    with refused("too-late"):
        talk.edit(db, table.id, OPEN, table.seats["A"], 1, text="Worse.", now=NOW)
    talk.unhide(db, table.id, table.master, 1, NOW)
    assert texts(table) == ["Something rude."]


def test_only_who_reads_a_channel_is_called_in_it(db: Database) -> None:
    table = lay(db)
    battles.name_holder(db, table.id, "A", table.seats["A"], "Ann", NOW)
    battles.name_holder(db, table.id, "B", table.seats["B"], "Ann Bell", NOW)
    say(table, table.seats["C"], "@Ann and @Ann Bell, a@Ann, `@Ann`, @gm!")
    told = talk.see(db, table.id, OPEN, PUBLIC, NOW).messages[0]
    assert told.mentions == ("Ann", "Ann Bell", "gm")
    say(table, table.seats["C"], "@Ann Bell must not know, @gm neither.", SIDE)
    told = talk.see(db, table.id, SIDE, table.seats["A"], NOW).messages[0]
    assert told.mentions == ("Ann",), "the first name alone: it is hers who reads this"
    assert told.calls_me
    assert "seat/B" not in repr([row for row in everything(db)["messages"] if "must not" in row])


BAD = ["", "  \n ", "\u3164", "x" * 4001, "a\u202eb", "a\u2066b", "\x00\x07", "\u200b"]


@pytest.mark.parametrize("text", BAD)
def test_what_cannot_be_seen_or_turns_the_writing_is_refused(db: Database, text: str) -> None:
    table = lay(db)
    with refused("bad-message"):
        say(table, table.seats["A"], text)
    assert texts(table) == []


def test_control_signs_are_left_out_and_lines_stay(db: Database) -> None:
    table = lay(db)
    say(table, table.seats["A"], "\r\na\x00\x1b[31m \ud800b \r\n\r\n\u2028  c\x9f\n")
    assert texts(table) == ["a[31m b\n\n\n  c"]


@pytest.fixture
def told(db: Database) -> Table:
    """Everybody is told of new messages, at once, at a webhook of his own."""
    table = lay(db)
    wishes = subscriptions.Wishes("en", "UTC", ("messages",))
    how: Any = {"allow_private": False, "has_mail": False, "now": NOW}
    for who in (*table.seats.values(), table.master):
        place = {"url": f"https://hooks.example/{who.seat or 'master'}", "secret": "a secret of sixteen"}
        subscriptions.add(db, table.id, who, kind="webhook", given=place, wishes=wishes, **how)
    return table


def sent(table: Table) -> list[tuple[str, str]]:
    query = (
        select(SUBSCRIPTIONS.c.seat, OUTBOX.c.facts)
        .join_from(OUTBOX, SUBSCRIPTIONS, SUBSCRIPTIONS.c.id == OUTBOX.c.subscription_id)
        .where(OUTBOX.c.what == "notice")
        .order_by(OUTBOX.c.id)
    )
    with table.db.read() as session:
        return [(row.seat or "master", row.facts) for row in session.execute(query)]


def test_a_notice_says_that_there_is_something_once_until_it_is_read(told: Table) -> None:
    say(told, told.seats["A"], "The bridge!")
    say(told, told.seats["A"], "The bridge, I say!")
    assert sorted(who for who, _ in sent(told)) == ["B", "C", "master"]
    assert {facts for _, facts in sent(told)} == {'{"code":"message","count":1}'}
    talk.mark_read(told.db, told.id, OPEN, told.seats["B"], 2)
    say(told, told.seats["A"], "Well?")
    assert sorted(who for who, _ in sent(told)) == ["B", "B", "C", "master"]


def test_who_is_called_is_told_again(told: Table) -> None:
    say(told, told.seats["A"], "So.")
    say(told, told.seats["A"], "@gm, look.")
    assert sorted(who for who, _ in sent(told)) == ["B", "C", "master", "master"]


def test_nobodys_mailbox_is_filled_by_calling_him(told: Table) -> None:
    """He is called once more when he has looked."""
    for count in range(8):
        say(told, told.seats["A"], f"@B, {count}!")
    assert [who for who, _ in sent(told)].count("B") == 1
    talk.mark_read(told.db, told.id, OPEN, told.seats["B"], 8)
    say(told, told.seats["A"], "@B, at last!")
    assert [who for who, _ in sent(told)].count("B") == 2


def test_a_game_master_is_told_though_another_never_looks(told: Table) -> None:
    link = masters.add(told.db, told.id, told.master, told.new.master_key, "Nina", NOW)
    nina = keys.viewer_by_key(told.db, link)
    place = {"url": "https://hooks.example/nina", "secret": "a secret of sixteen"}
    how: Any = {"allow_private": False, "has_mail": False, "now": NOW}
    wishes = subscriptions.Wishes("en", "UTC", ("messages",))
    subscriptions.add(told.db, told.id, nina, kind="webhook", given=place, wishes=wishes, **how)
    say(told, told.seats["A"], "The bridge!")
    assert [who for who, _ in sent(told)].count("master") == 2
    talk.mark_read(told.db, told.id, OPEN, nina, 1)
    say(told, told.seats["A"], "The bridge, I say!")
    assert [who for who, _ in sent(told)].count("master") == 3


def test_of_a_sides_channel_only_its_seats_are_told(told: Table) -> None:
    say(told, told.seats["A"], "@gm @B The bridge at dawn.", SIDE)
    assert [who for who, _ in sent(told)] == ["C"]
    say(told, told.seats["B"], "May I?", JUDGE)
    assert [who for who, _ in sent(told)] == ["C", "master"]
    assert "dawn" not in repr(everything(told.db)["outbox"])


def test_a_sides_channel_changes_nothing_that_others_know(db: Database) -> None:
    """The battle's row, its pulse, what the other side and the public have unread and may read: to the letter as before."""
    table = lay(db)
    say(table, table.seats["B"], "In the open.")

    def known() -> str:
        rest = [table.seats["B"], PUBLIC]
        views = [table.show(who) for who in (*rest, table.master)]
        pages = [talk.see(db, table.id, OPEN, who, NOW) for who in rest]
        own = [talk.see(db, table.id, where, table.seats["B"], NOW) for where in (SIDE, JUDGE)]
        counts = [unread.unread(db, table.id, who) for who in rest]
        return repr((views, pages, own, counts, freshness.pulses(db, [table.id]), freshness.version(db, table.id)))

    before, masters_own = known(), unread.unread(db, table.id, table.master)
    say(table, table.seats["A"], "A secret.", SIDE)
    talk.edit(db, table.id, SIDE, table.seats["A"], 1, text="A better secret.", now=NOW)
    talk.mark_read(db, table.id, SIDE, table.seats["C"], 1)
    assert unread.unread(db, table.id, table.master) == masters_own
    say(table, table.seats["A"], "A question.", JUDGE)
    assert known() == before


def test_the_pulse_tells_of_the_public_thread(db: Database) -> None:
    table = lay(db)
    before = freshness.pulses(db, [table.id])[table.id]
    version = freshness.version(db, table.id)
    say(table, table.seats["A"], "So.")
    after = freshness.pulses(db, [table.id])[table.id]
    assert after != before
    assert after == freshness.pulse(table.show())
    assert freshness.version(db, table.id) == version


def test_the_same_words_sent_again_at_once_are_one_message(db: Database) -> None:
    """A finger that comes down twice where no script helps, a page that is sent again: nobody is told twice."""
    table = lay(db)
    a, b = table.seats["A"], table.seats["B"]
    assert (say(table, a, "Forward."), say(table, a, "Forward.")) == (1, 1)
    before = talk.mark(db, table.id, OPEN, PUBLIC)
    assert (say(table, a, "Forward.", now=NOW + 2 * MINUTE), talk.mark(db, table.id, OPEN, PUBLIC)) == (1, before)
    assert say(table, a, "Forward.", now=NOW + 3 * MINUTE) == 2, "somebody who asks again"
    assert say(table, a, "Forward.", SIDE) == 1, "another channel"
    assert (say(table, b, "Forward."), say(table, a, "Forward.")) == (3, 4), "another writer; an answer to him"
    assert say(table, a, "forward.") == 5, "other words"
    talk.take_back(db, table.id, OPEN, a, 5, NOW)
    assert say(table, a, "forward.") == 6, "what was taken back may be said again"
    talk.hide(db, table.id, table.master, 6, reason="Enough.", now=NOW)
    assert say(table, a, "forward.") == 7, "what is hidden has not been said"


def test_two_presses_at_the_same_moment_are_one_message(db: Database) -> None:
    table = lay(db)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: say(table, table.seats["A"], "Forward."), range(8)))
    assert found == [1] * 8
    assert texts(table) == ["Forward."]
