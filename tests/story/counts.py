"""What is left of the whole story: each thing once, all of it told, nothing told to the wrong people."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import typer
from sqlalchemy import select
from typer.testing import CliRunner

from app.cli import verify
from app.referee import auditing, moderation, publication, rewinding, turns, undelivered
from app.referee.views import PUBLIC
from app.store.models import OUTBOX
from tests.posting.places import Place
from tests.posting.postoffice import text_of
from tests.story.cast import AGLAYA, MASTER
from tests.story.stage import Stage

PLAYED = {**dict.fromkeys(range(1, 12), 1), 6: 2}
"""How often each turn was resolved and published: the sixth in a line that was left, too."""


def each_turn_once(stage: Stage, channel: Place) -> None:
    log = moderation.log(stage.db, stage.id)
    for what in ("resolved", "published"):
        assert Counter(line.turn for line in log if line.what == what) == PLAYED, what
    assert [line.turn for line in turns.history(stage.db, stage.id, PUBLIC)] == list(range(1, 12))
    assert len(channel.posts) == sum(PLAYED.values())


def each_notice_once(stage: Stage) -> None:
    """Each line of the outbox was delivered, by a letter of its own or together with others, and no letter came twice."""
    with stage.db.read() as session:
        rows = session.execute(select(OUTBOX.c.key, OUTBOX.c.done_at, OUTBOX.c.error)).all()
    left = [tuple(row) for row in rows if row.done_at is None or row.error is not None]
    assert left == [], left
    assert len({row.key for row in rows}) == len(rows)
    assert undelivered.failures(stage.db, stage.id, stage.master, stage.clock.now) == ()
    assert set(stage.box.marks().values()) == {1}
    told = {turn: stage.box.told(AGLAYA.address, f"Ход {turn} опубликован.") for turn in PLAYED}
    assert told == PLAYED
    for address, letters in stage.former.items():
        assert len(stage.box.texts(address)) == letters, "nothing went to an old address"


def the_log_has_it_all(stage: Stage) -> None:
    """Whatever somebody with power has done stands there, in order, and says who it was."""
    log = moderation.log(stage.db, stage.id)
    done = [line.what for line in log if line.who == "master" and line.what != "published"]
    assert done == [
        "made",
        "joined-campaign",
        "tied",
        "seat-replaced",
        "ruled",
        "rerolled",
        "looked",
        "rewound",
        "taken-up",
        "paused",
        "resumed",
        "ruled",
    ], done
    by_itself = Counter(line.what for line in log if line.who == "clock")
    assert by_itself["extended-for-silence"] == 1
    assert by_itself["deputy-began"] == by_itself["leave-ended"] == 1
    page = stage.client().get(f"/b/{stage.id}/log").text
    for words in ("Forgotten archers", "It fell off the table", "The map was another", "It was the right map"):
        assert words in page


def every_record_holds(stage: Stage, folder: Path) -> None:
    """By the house's own audit, and by the command that anybody can run over the files of the battle's pages."""
    assert auditing.audit(stage.db, stage.id) == ()
    line = typer.Typer()
    verify.register(line)
    files = []
    for turn in range(1, 12):
        files.append(folder / f"{turn}.json")
        files[-1].write_text(stage.client().get(f"/b/{stage.id}/t/{turn}.json").text, encoding="utf-8")
    told = CliRunner().invoke(line, ["--quiet", *map(str, files)])
    assert told.exit_code == 0, told.output
    left = folder / "left.json"
    left.write_text(json.dumps(rewinding.record(stage.db, stage.id, 2, 6)), encoding="utf-8")
    assert CliRunner().invoke(line, ["--quiet", str(left)]).exit_code == 0
    assert publication.record(stage.db, stage.id, 5, PUBLIC)["rulings"][-1]["kind"] == "reroll"


def nothing_has_leaked(stage: Stage) -> None:
    """No letter holds a word that was said for one side alone, not even to its own people: an address may be anybody's."""
    letters = [(to, text_of(letter)) for to, letter in stage.box.office.letters]
    assert any(to == MASTER.address for to, _ in letters)
    assert len(stage.secrets) > 10
    for _, text in stage.secrets:
        assert [to for to, letter in letters if text in letter] == []
    for _, text in stage.secrets:
        assert text not in stage.client().get(f"/b/{stage.id}").text


def the_campaign_counts_it(stage: Stage) -> None:
    """Its pages tell of the battle that is over, and of who has won it."""
    public = stage.client()
    for page in ("", "/standings", "/calendar", "/feed.atom"):
        assert public.get(f"/c/{stage.campaign}{page}").status_code == 200, page
    sides = public.get(f"/api/v1/campaigns/{stage.campaign}").json()["standings"]["sides"]
    assert {one["side"]: one["won"] for one in sides} == {"north": 1, "south": 0}
