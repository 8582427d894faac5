"""`fieldpost migrate` and `fieldpost token`."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from sqlalchemy import text
from typer.testing import CliRunner, Result

from app.cli import migrate, token
from app.cli.store import opened
from app.config import BadSetting, load_settings
from app.referee import keys
from app.store import migrating
from app.store.away import Away
from app.store.db import Database


@pytest.fixture
def line() -> typer.Typer:
    made = typer.Typer()
    migrate.register(made)
    token.register(made)
    return made


def run(line: typer.Typer, *words: str) -> Result:
    return CliRunner().invoke(line, list(words))


def test_a_database_that_gives_no_answer_ends_a_command_with_a_sentence(tmp_path: Path) -> None:
    settings = load_settings(data=tmp_path)
    with pytest.raises(BadSetting, match="gives no answer just now: database is locked"), opened(settings):
        raise Away("database is locked")


def test_migrate_brings_an_empty_database_up_and_then_has_nothing_to_do(line: typer.Typer, empty_url: str) -> None:
    asked = run(line, "migrate", "--check", "--database-url", empty_url)
    assert (asked.exit_code, "Run `fieldpost migrate`" in asked.output) == (1, True)
    done = run(line, "migrate", "--database-url", empty_url)
    assert (done.exit_code, done.output) == (0, f"The schema went from nothing to {migrating.head()}.\n")
    again = run(line, "migrate", "--check", "--database-url", empty_url)
    assert (again.exit_code, again.output) == (0, f"The schema is up to date: {migrating.head()}.\n")


def test_an_older_fieldpost_says_that_the_database_is_too_new_for_it(line: typer.Typer, empty_url: str) -> None:
    run(line, "migrate", "--database-url", empty_url)
    db = Database(empty_url)
    with db.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'later'"))
    db.close()
    before = load_settings(database_url=empty_url)
    with pytest.raises(BadSetting, match="stands at later, which only a newer Fieldpost knows"), opened(before):
        pytest.fail("it was opened")
    asked = run(line, "migrate", "--check", "--database-url", empty_url)
    assert isinstance(asked.exception, BadSetting)


def test_token_makes_the_account_and_prints_a_token_that_works(line: typer.Typer, tmp_path: Path) -> None:
    tokens = [run(line, "token", name, "--data", str(tmp_path / "new")).output.strip() for name in ("Лев", "Лев", "Ann")]
    db = Database(f"sqlite:///{tmp_path / 'new' / 'fieldpost.db'}")
    viewers = [keys.viewer_by_key(db, one) for one in tokens]
    db.close()
    assert [viewer.name for viewer in viewers] == ["Лев", "Лев", "Ann"]
    assert viewers[0] == viewers[1]
    assert len(set(tokens)) == 3


def test_a_name_that_looks_like_anothers_is_refused_in_words(line: typer.Typer, tmp_path: Path) -> None:
    run(line, "token", "Anna", "--data", str(tmp_path))
    refused = run(line, "token", "ANNA", "--data", str(tmp_path))
    assert refused.exit_code == 2
    assert "looks the same" in refused.stderr


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 81])
def test_a_name_that_is_none_is_refused_in_words(line: typer.Typer, tmp_path: Path, name: str) -> None:
    refused = run(line, "token", name, "--data", str(tmp_path))
    assert refused.exit_code == 2
    assert "1 to 80 characters" in refused.stderr
