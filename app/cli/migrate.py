"""`fieldpost migrate`: bring a database's schema up to date, or say where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.config import load_settings

OUT_OF_DATE = 1


def register(app: typer.Typer) -> None:
    app.command()(migrate)


def migrate(
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the database file.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit code 1 if the schema is not up to date.")
    ] = False,
) -> None:
    """Bring the schema up to date. `fieldpost serve` does so itself; this is for those who do it apart."""
    from app.cli.store import answering
    from app.store import migrating
    from app.store.db import Database

    db = Database(load_settings(database_url=database_url, data=data).database)
    try:
        before, head = db.revision(), migrating.head()
        if before == head:
            typer.echo(f"The schema is up to date: {head}.")
        elif check:
            typer.echo(f"The schema stands at {before or 'nothing'}; the newest is {head}. Run `fieldpost migrate`.")
            raise typer.Exit(OUT_OF_DATE)
        else:
            with answering():
                db.upgrade()
            typer.echo(f"The schema went from {before or 'nothing'} to {head}.")
    finally:
        db.close()
