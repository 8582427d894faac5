"""`fieldpost replay`: turns played again from what was stored, and compared to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from app.cli import records
from app.cli.findings import words
from app.cli.scenario import is_file
from app.cli.store import opened
from app.config import Settings, load_settings
from app.referee import publication, turns, verification
from app.referee.errors import RefereeError
from app.referee.views import Viewer

MANY = 20
"""From so many turns on a bar shows how far it is."""


def register(line: typer.Typer) -> None:
    line.command()(replay)


def replay(
    what: Annotated[list[str], typer.Argument(metavar="BATTLE|RECORD.json…", help="A battle's id, or records of turns.")],
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of the database file.")] = None,
) -> None:
    """Play stored turns again, from the database or from record files, and say whether each gives the same bytes.

    Exit code 0: all do; 1: some do not; 2: there is nothing to read.
    """
    settings = load_settings(database_url=database_url, data=data)
    told = list(_told(what, settings))
    shown = track(told, "Playing again", console=Console(stderr=True), transient=True) if len(told) > MANY else told
    differing = 0
    for name, record in shown:
        wrong = [f for f in verification.replayed(record) if not f.holds]
        differing += bool(wrong)
        typer.echo(f"{name}: " + ("; ".join(words(f, "en") for f in wrong) if wrong else "the same bytes"))
    raise typer.Exit(1 if differing else 0)


def _told(what: list[str], settings: Settings) -> Iterator[tuple[str, Any]]:
    for named in what:
        if is_file(Path(named)) or named.endswith(".json"):
            yield from _from_file(Path(named))
        else:
            yield from _from_database(named, settings)


def _from_file(file: Path) -> Iterator[tuple[str, Any]]:
    try:
        found = records.read(file)
    except records.BadFile as bad:
        raise _stop(f"{file}: {bad}") from None
    for record in found:
        turn = record.get("turn", "?") if isinstance(record, dict) else "?"
        yield f"{file}, turn {turn}", record


def _from_database(battle_id: str, settings: Settings) -> Iterator[tuple[str, Any]]:
    """Every resolved turn, a turn under review as well: whoever runs this has the database anyway."""
    host = Viewer("master", battle_id=battle_id)
    with opened(settings) as db:
        try:
            resolved = [line.turn for line in turns.history(db, battle_id, host)]
            for turn in resolved:
                yield f"turn {turn}", publication.record(db, battle_id, turn, host)
        except RefereeError as refused:
            raise _stop(f"{battle_id}: there is no such battle or turn ({refused.code})") from None
    if not resolved:
        raise _stop(f"{battle_id}: no turn is resolved yet")


def _stop(sentence: str) -> typer.Exit:
    typer.echo(f"fieldpost replay: {sentence}", err=True)
    return typer.Exit(2)
