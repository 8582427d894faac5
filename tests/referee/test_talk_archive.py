"""What was said goes along in an archive: in a public one what all know, in a whole one everything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.book.writing import files
from app.referee import accounts, archive, arms, battles, keys, publication, rewinding, sayings, talk, turns
from app.referee.archive import ArchiveError
from app.referee.channels import Where
from app.referee.exporting import export
from app.referee.importing import bring_in
from app.referee.options import Options
from app.referee.views import PUBLIC, Viewer
from app.store.db import Database
from tests.drawing.test_arms import picture
from tests.referee.table import everything
from tests.referee.test_cohesion import made
from tests.times import NOW

OPEN, SIDE, JUDGE = Where(), Where("side"), Where("master")


@pytest.fixture
def other(tmp_path: Path, sqlite_template: Path) -> Iterator[Database]:
    """Another server's database."""
    file = tmp_path / "other.db"
    file.write_bytes(sqlite_template.read_bytes())
    opened = Database(f"sqlite:///{file}")
    yield opened
    opened.close()


@pytest.fixture
def told(db: Database) -> Any:
    """A battle in its second turn, in which everything was said that can be."""
    new, master, seats = made(db)
    first, second = list(seats.values())[:2]
    seat = first.seat or ""
    for number, text in ((1, "At the *first* turn."), (2, "At the second, still sealed.")):
        sayings.say(db, new.id, seat, first, turn=number, text=text, now=NOW)
        if number == 1:
            turns.resolve_now(db, new.id, master, turn=1, now=NOW)
    battles.set_options(db, new.id, master, Options(open_thread=True), NOW)
    account = Viewer("account", account_id=accounts.sign_up(db, "Zoe", "a long password", NOW, language="en"))
    for who, text in ((first, "See #1."), (second, "Rude words."), (account, "I watch."), (master, "So.")):
        talk.write(db, new.id, OPEN, who, text=text, now=NOW)
    talk.hide(db, new.id, master, 2, reason="Be kind", now=NOW)
    talk.take_back(db, new.id, OPEN, master, 4, NOW)
    talk.write(db, new.id, SIDE, first, text="Our own plan.", now=NOW)
    talk.write(db, new.id, JUDGE, second, text="A question.", now=NOW)
    arms.give(db, new.id, seat, first, picture("png"), NOW)
    return new, master, first, second


SECRETS = ("Rude words", "Our own plan", "A question", "still sealed")


def exported(db: Database, battle_id: str, *, whole: bool) -> Any:
    return json.loads(archive.packed(export(db, battle_id, whole=whole, now=NOW)))


def read(tree: Any) -> archive.Archive:
    return archive.read(archive.packed(tree))


def test_a_public_archive_holds_what_all_know(db: Database, other: Database, told: Any) -> None:
    new = told[0]
    tree = exported(db, new.id, whole=False)
    body = json.dumps(tree)
    assert not any(secret in body for secret in SECRETS)
    assert [(one["writer"], one["text"]) for one in tree["talk"]][2] == ("account/0", "I watch.")
    bring_in(other, read(tree), now=NOW)
    told_here = talk.see(db, new.id, OPEN, PUBLIC, NOW).messages
    told_there = talk.see(other, new.id, OPEN, PUBLIC, NOW).messages
    assert [(one.number, one.name, one.text, one.hidden_reason) for one in told_there] == [
        (one.number, one.name, one.text, one.hidden_reason) for one in told_here
    ]
    assert publication.turn(other, new.id, 1, PUBLIC).sayings == publication.turn(db, new.id, 1, PUBLIC).sayings
    ours, theirs = (battles.battle(base, new.id, PUBLIC, NOW).seats for base in (db, other))
    assert [seat.arms for seat in theirs] == [seat.arms for seat in ours]
    assert exported(other, new.id, whole=False)["talk"] == tree["talk"]


def test_a_whole_archive_goes_on_as_it_was(db: Database, other: Database, told: Any) -> None:
    new, _, first, second = told
    tree = exported(db, new.id, whole=True)
    bring_in(other, read(tree), now=NOW)
    own = keys.viewer_by_key(other, new.seat_keys[first.seat])
    assert talk.see(other, new.id, SIDE, own, NOW).messages == talk.see(db, new.id, SIDE, first, NOW).messages
    assert sayings.own(other, new.id, first.seat, own) == sayings.own(db, new.id, first.seat, first)
    master = keys.viewer_by_key(other, new.master_key)
    theirs = Where("master", second.seat)
    assert [one.text for one in talk.see(other, new.id, theirs, master, NOW).messages] == ["A question."]
    talk.unhide(other, new.id, master, 2, NOW)
    assert talk.see(other, new.id, OPEN, PUBLIC, NOW).messages[1].text == "Rude words."
    assert talk.write(other, new.id, OPEN, own, text="And on.", now=NOW) == 5
    again = exported(other, new.id, whole=True)
    assert again["whole"]["sayings"] == tree["whole"]["sayings"]


def test_words_of_lines_that_were_left_go_along(db: Database, other: Database, told: Any) -> None:
    new, master, *_ = told
    rewinding.rewind(db, new.id, master, to=1, reason="again", now=NOW)
    bring_in(other, read(exported(db, new.id, whole=True)), now=NOW)
    left = rewinding.turn(other, new.id, 1, 1).sayings
    assert [one.text for one in left] == ["At the *first* turn."]
    assert left == rewinding.turn(db, new.id, 1, 1).sayings


FORGED: dict[str, Any] = {
    "a message that turns the writing": lambda tree: tree["talk"][0].update(text="\u202eturned"),
    "a writer who is nobody": lambda tree: tree["talk"][0].update(writer="host/1"),
    "words of no seat": lambda tree: tree["sayings"][0].update(seat="nobody"),
    "words twice": lambda tree: tree["sayings"].append(tree["sayings"][0]),
    "arms that are no picture": lambda tree: tree["seats"][0].update(arms="PHN2Zy8+"),
    "arms that are no text of bytes": lambda tree: tree["seats"][0].update(arms="?"),
    "a field that is not known": lambda tree: tree["talk"][0].update(colour="red"),
}


@pytest.mark.parametrize("kind", FORGED)
def test_what_was_forged_is_not_taken_in(db: Database, other: Database, told: Any, kind: str) -> None:
    tree = exported(db, told[0].id, whole=False)
    FORGED[kind](tree)
    tree = archive.sealed({key: value for key, value in tree.items() if key != "digest"})
    before = everything(other)
    with pytest.raises(ArchiveError, match="bad-archive"):
        bring_in(other, read(tree), now=NOW)
    assert everything(other) == before


def test_an_archive_of_before_there_was_talk_is_read(db: Database, other: Database, told: Any) -> None:
    tree = exported(db, told[0].id, whole=False)
    for seat in tree["seats"]:
        seat.pop("arms", None)
    old = {key: value for key, value in tree.items() if key not in ("digest", "talk", "sayings")}
    bring_in(other, read(archive.sealed(old)), now=NOW)
    assert talk.see(other, told[0].id, OPEN, PUBLIC, NOW).messages == ()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_book_has_the_thread_and_the_arms(db: Database, told: Any, language: str) -> None:
    made_of = dict(files(db, told[0].id, language, NOW, with_films=False))
    page = made_of["talk.html"].decode()
    assert 'href="turn-1.html"' in page
    assert "Be kind" in page
    assert not any(secret.encode() in body for body in made_of.values() for secret in SECRETS)
    shield = next(name for name in made_of if name.startswith("arms/"))
    assert f'src="{shield}"' in made_of["index.html"].decode()
    assert f'src="{shield}"' in page
    assert "At the <em>first</em> turn." in made_of["turn-1.html"].decode()
    assert "talk.css" in made_of
