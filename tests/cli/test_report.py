"""`fieldpost report`: a published turn on the screen or in a file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from app.cli import report
from app.referee import battles, orders, publication, scenarios, turns
from app.referee.views import PUBLIC, Viewer
from app.reports import markdown, plain
from app.store.db import Database

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'fieldpost.db'}"


@pytest.fixture
def battle(url: str) -> str:
    """Two turns of the small scenario: in the first, one seat enters orders."""
    db = Database(url)
    db.upgrade()
    made = battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=NOW)
    state = battles.battle(db, made.id, PUBLIC, NOW).state
    seat = next(iter(made.seat_keys))
    unit = next(unit for unit, held in state.units.items() if held.seat == seat)
    viewer = Viewer("seat", battle_id=made.id, seat=seat)
    orders.enter(db, made.id, seat, viewer, turn=1, revision=0, fields={unit: {}}, now=NOW)
    for turn in (1, 2):
        turns.resolve_now(db, made.id, Viewer("master", battle_id=made.id), turn=turn, now=NOW)
    db.close()
    return made.id


@pytest.fixture
def line(url: str):  # type: ignore[no-untyped-def]
    app = typer.Typer()
    report.register(app)

    def run(*words: str):  # type: ignore[no-untyped-def]
        return CliRunner().invoke(app, [*words, "--database-url", url])

    return run


def test_the_latest_turn_is_told_in_plain_text(line, battle: str, url: str) -> None:  # type: ignore[no-untyped-def]
    told = line(battle)
    assert told.exit_code == 0
    db = Database(url)
    view = publication.turn(db, battle, 2, PUBLIC)
    db.close()
    assert told.stdout.startswith(plain.turn_report(view, "en", length="phases"))
    assert f"/b/{battle}/t/2\n" in told.stdout


def test_turn_format_dialect_length_and_language_are_heeded(line, battle: str, url: str) -> None:  # type: ignore[no-untyped-def]
    words = ("--turn", "1", "--format", "md", "--dialect", "nodebb", "--length", "dice", "--lang", "ru")
    told = line(battle, *words)
    db = Database(url)
    view = publication.turn(db, battle, 1, PUBLIC)
    db.close()
    page = f"http://127.0.0.1:8000/b/{battle}/t/1"
    picture = f"{page}.png?lang=ru"
    wanted = markdown.turn_report(view, "ru", url=page, picture=picture, dialect="nodebb", length="dice")
    assert told.stdout == wanted


def test_orders_and_files(line, battle: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "orders.txt"
    told = line(battle, "--turn", "1", "--orders", "all", "--format", "bbcode", "--out", str(file))
    assert (told.exit_code, told.stdout) == (0, "")
    text = file.read_text(encoding="utf-8")
    assert "Orders of turn 1" in text
    assert ": hold" in text
    assert "No orders were entered." in text


def test_parts_are_divided(line, battle: str) -> None:  # type: ignore[no-untyped-def]
    told = line(battle, "--format", "md", "--dialect", "discord", "--length", "dice", "--parts")
    assert told.exit_code == 0
    assert all(len(part.strip()) <= 2000 for part in told.stdout.split("\n----\n"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--turn", "9"), "no such battle or published turn"),
        (("--format", "md", "--dialect", "phpbb"), "discourse, nodebb, discord"),
        (("--orders", "nobody"), "sides of this battle are: "),
        (("--out", "/nowhere/at/all.txt"), "/nowhere/at/all.txt: "),
    ],
)
def test_what_cannot_be_told_is_said(line, battle: str, words: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    told = line(battle, *words)
    assert told.exit_code == 2
    assert said in told.stderr


def test_an_unknown_battle_is_said(line, battle: str) -> None:  # type: ignore[no-untyped-def]
    assert line("nowhere").exit_code == 2


def test_the_turn_may_stand_behind_the_battle(line, battle: str) -> None:  # type: ignore[no-untyped-def]
    first, latest = line(battle, "--turn", "1").stdout, line(battle).stdout
    assert first != latest
    assert line(battle, "1").stdout == line(battle, "1", "--turn", "1").stdout == first
    assert line(battle, "0").stdout == line(battle, "latest").stdout == latest


@pytest.mark.parametrize("turn", ["x", "1.5", "٣", "9" * 30, "9" * 5000])
def test_a_turn_that_is_none_is_refused(line, battle: str, turn: str) -> None:  # type: ignore[no-untyped-def]
    assert line(battle, "--turn", turn).exit_code == 2
    told = line(battle, turn)
    assert told.exit_code == 2
    assert "a whole number" in " ".join(told.stderr.split())


def test_two_different_turns_are_refused(line, battle: str) -> None:  # type: ignore[no-untyped-def]
    told = line(battle, "1", "--turn", "2")
    assert told.exit_code == 2
    assert "two turns are named" in told.stderr
