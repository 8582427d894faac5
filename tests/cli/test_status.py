"""`fieldpost status`: for the host's cron, which looks at the exit code, and for the host, who looks at the lines."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from app.cli import status
from app.referee import battles, deadlines, scenarios
from app.store.db import Database


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with a battle due in an hour, whose clock ran a moment ago."""
    db = Database(f"sqlite:///{tmp_path / 'fieldpost.db'}")
    db.upgrade()
    now = datetime.now(UTC)
    battles.create(db, scenario=scenarios.frozen("first-skirmish"), now=now, deadline=now + timedelta(hours=1))
    deadlines.sweep(db, now, outage=timedelta(minutes=15))
    db.close()
    return tmp_path


def run(folder: Path, *words: str) -> Result:
    line = typer.Typer()
    status.register(line)
    return CliRunner().invoke(line, ["--data", str(folder), *words])


def test_a_server_in_time_is_told_as_such(folder: Path) -> None:
    told = run(folder, "--json")
    assert told.exit_code == 0
    found = json.loads(told.output)
    assert (found["ok"], found["alarms"], len(found["next"])) == (True, [], 1)
    lines = run(folder)
    assert lines.exit_code == 0
    assert lines.output.splitlines()[:2] == ["in time     yes", "alarms      -"]


def test_what_is_overdue_ends_with_1(tmp_path: Path) -> None:
    told = run(tmp_path, "--json")
    assert told.exit_code == 1
    assert json.loads(told.output)["alarms"] == [{"code": "no-sweep", "count": 1}]
    lines = run(tmp_path)
    assert (lines.exit_code, lines.output.splitlines()[:3]) == (
        1,
        ["in time     no", "alarms      no-sweep 1", "last sweep  -"],
    )
