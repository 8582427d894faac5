"""`fieldpost token NAME`: a bearer token for programs that make battles by the API."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from app.config import load_settings

BAD_NAME = 2
WHY = {
    "bad-name": "a name is one line of 1 to 80 characters, none of them a control character",
    "name-taken": "another account's name looks the same",
}


def register(app: typer.Typer) -> None:
    app.command()(token)


def token(
    name: Annotated[str, typer.Argument(help="The account's name: 1 to 80 characters. It is made if there is none.")],
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the database file.")] = None,
) -> None:
    """Print a new token of an account. It is shown this once: only its hash is kept."""
    from app.cli.store import opened
    from app.referee import accounts
    from app.referee.errors import RefereeError

    with opened(load_settings(database_url=database_url, data=data)) as db:
        try:
            typer.echo(accounts.make_token(db, name, datetime.now(UTC)))
        except RefereeError as refused:
            typer.echo(f"fieldpost: {WHY.get(refused.code, WHY['bad-name'])}", err=True)
            raise typer.Exit(BAD_NAME) from refused
