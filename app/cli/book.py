"""`fieldpost book`: the published record of a battle as a small site that stands by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.store import opened
from app.config import load_settings
from app.language import marked as _
from app.language import translator
from app.referee.errors import RefereeError

UNUSABLE = 2


def register(line: typer.Typer) -> None:
    line.command()(book)


def book(
    battle: Annotated[str, typer.Argument(help="The battle's id, as it stands in its address.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder of the book; a new or an empty one.")],
    language: Annotated[Literal["en", "ru"], typer.Option("--lang", "--language", help="Language of the book.")] = "en",
    film: Annotated[bool, typer.Option(help="Films of the turns and of the battle; without them it is done sooner.")] = True,
    again: Annotated[bool, typer.Option("--again", help="Write over the book that lies in the folder.")] = False,
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the database file.")] = None,
) -> None:
    """Write what was published of a battle as a static site: pages, pictures, films, rules, orders, proofs.

    It needs no server, no network and no scripts: open its index.html. Exit code 0: it is written; 2: there is no such
    battle, or the folder cannot be used.
    """
    from app.book.writing import files

    say = translator(language).gettext
    written = size = 0
    try:
        if out.exists() and any(out.iterdir()) and not (again and (out / "proofs.html").is_file()):
            raise _stop(
                say(_("%(folder)s is not empty: name a new folder, or --again for a book that lies there"), folder=out)
            )
        with opened(load_settings(database_url=database_url, data=data)) as db:
            for name, body in files(db, battle, language, datetime.now(UTC), with_films=film):
                target = out / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(body)
                written, size = written + 1, size + len(body)
    except RefereeError:
        raise _stop(say(_("there is no battle %(battle)s here"), battle=repr(battle))) from None
    except OSError as error:
        raise _stop(f"{error.filename or out}: {error.strerror}") from None
    told = translator(language).ngettext("%(num)s file", "%(num)s files", written)
    kilobytes = f"{size / 1000:.0f}"
    typer.echo(
        say(_("%(file)s is written: %(files)s, %(kilobytes)s kB."), file=out / "index.html", files=told, kilobytes=kilobytes)
    )


def _stop(sentence: str) -> typer.Exit:
    typer.echo(f"fieldpost book: {sentence}", err=True)
    return typer.Exit(UNUSABLE)
