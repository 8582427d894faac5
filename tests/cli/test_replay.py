"""`fieldpost replay`: stored turns played again, from the database and from record files."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import typer
from sqlalchemy import text
from typer.testing import CliRunner

from app.cli import replay
from app.referee import battles, orders, publication, scenarios, turns
from app.referee.views import PUBLIC, Viewer
from app.rulesets.registry import RULESETS
from app.store.db import Database

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
RULES = RULESETS["cohesion"]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'fieldpost.db'}"


@pytest.fixture
def battle(url: str) -> str:
    """The first scenario, three turns of random orders."""
    db = Database(url)
    db.upgrade()
    made = battles.create(db, scenario=scenarios.frozen("visage-and-throne"), now=NOW)
    pick = random.Random(7).randrange
    master = Viewer("master", battle_id=made.id)
    for turn in (1, 2, 3):
        state = battles.battle(db, made.id, PUBLIC, NOW).state
        for request in RULES.requests(state):
            seat = Viewer("seat", battle_id=made.id, seat=request.seat)
            fields = RULES.dump_order(RULES.choose(state, request, pick))
            orders.enter(db, made.id, request.seat, seat, turn=turn, revision=0, fields=fields, now=NOW)
        turns.resolve_now(db, made.id, master, turn=turn, now=NOW)
    db.close()
    return made.id


@pytest.fixture
def run(url: str) -> Any:
    line = typer.Typer()
    line.callback()(lambda: None)
    replay.register(line)
    return lambda *words: CliRunner().invoke(line, ["replay", *words, "--database-url", url])


def test_every_stored_turn_gives_the_same_bytes(run: Any, battle: str) -> None:
    result = run(battle)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [f"turn {n}: the same bytes" for n in (1, 2, 3)]


def test_a_turn_that_was_tampered_with_in_the_database_is_found(run: Any, battle: str, url: str) -> None:
    db = Database(url)
    with db.write() as session:
        session.execute(text('UPDATE turns SET points = \'{"north": 9, "south": 9}\' WHERE turn = 2'))
    db.close()
    result = run(battle)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "turn 1: the same bytes"
    assert lines[1] == "turn 2: the points are wrong"
    assert lines[2] == "turn 3: the same bytes"


def test_record_files_are_played_again_too(run: Any, battle: str, url: str, tmp_path: Path) -> None:
    db = Database(url)
    record = publication.record(db, battle, 1, PUBLIC)
    db.close()
    file = tmp_path / "turn-1.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert run(str(file)).output == f"{file}, turn 1: the same bytes\n"
    record["events"].pop()
    file.write_text(json.dumps(record), encoding="utf-8")
    assert run(str(file)).exit_code == 1


def test_what_is_not_there_is_told_with_code_2(run: Any, battle: str, tmp_path: Path) -> None:
    assert (run("nosuchone").exit_code, run(str(tmp_path / "none.json")).exit_code) == (2, 2)
    assert run("n" * 300).exit_code == 2
