"""`fieldpost export`: a battle as one file."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from app.cli.store import opened
from app.cli.verify import spoken_here
from app.config import load_settings
from app.language import LANGUAGES, translator
from app.language import marked as _
from app.referee import archive
from app.referee.errors import RefereeError
from app.referee.exporting import export as exported

UNUSABLE = 2


def register(line: typer.Typer) -> None:
    line.command()(export)


def export(
    battle: Annotated[str, typer.Argument(help="The battle's id, as it stands in its address.")],
    whole: Annotated[
        bool, typer.Option("--all", help="Everything, sealed sheets and secrets too: for the host alone, to move a battle.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file; one that ends in .gz is packed. Else standard output.")
    ] = None,
    language: Annotated[str | None, typer.Option("--lang", "--language", help="Language of the answer: en or ru.")] = None,
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the database file.")] = None,
) -> None:
    """Write everything published of a battle to one JSON file, which `fieldpost import` makes a battle of again.

    Exit code 0: it is written; 2: there is no such battle, or the file cannot be written.
    """
    say = translator(language if language in LANGUAGES else spoken_here()).gettext
    with opened(load_settings(database_url=database_url, data=data)) as db:
        try:
            tree = exported(db, battle, whole=whole, now=datetime.now(UTC))
        except RefereeError:
            typer.echo(say(_("fieldpost: there is no battle %(battle)s here"), battle=repr(battle)), err=True)
            raise typer.Exit(UNUSABLE) from None
    body = archive.packed(tree, compressed=out is not None and out.suffix == ".gz")
    if out is None:
        sys.stdout.buffer.write(body)
        return
    try:
        _write(out, body, is_secret=whole)
    except OSError as error:
        typer.echo(f"fieldpost: {out}: {error.strerror}", err=True)
        raise typer.Exit(UNUSABLE) from None
    typer.echo(say(_("%(file)s is written: %(kilobytes)s kB."), file=out, kilobytes=f"{len(body) / 1000:.1f}"))
    if whole:
        typer.echo(say(_("It holds secrets and sealed orders: keep it as you keep the database.")))


def _write(file: Path, body: bytes, *, is_secret: bool) -> None:
    """Beside it first, then in its place: a file that was there stays whole until the new one is. One with secrets can be
    read by its owner alone."""
    beside = file.with_name(f".{file.name}.part")
    try:
        with os.fdopen(
            os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600 if is_secret else 0o666), "wb"
        ) as target:
            target.write(body)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
