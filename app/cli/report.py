"""`fieldpost report`: a turn of a battle as a text for a forum."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.store import opened
from app.config import load_settings
from app.referee import publication
from app.referee.errors import RefereeError
from app.referee.turnviews import TurnView
from app.referee.views import PUBLIC
from app.reports import posts, report
from app.reports.forum import Around
from app.reports.orders import order_list
from app.reports.tree import LENGTHS

UNUSABLE = 2
LATEST = 0
MOST = 10**9 - 1
"""More than any battle has turns, and no more than a database can be asked for."""


def register(line: typer.Typer) -> None:
    line.command(name="report")(tell)


def tell(
    battle: Annotated[str, typer.Argument(help="A battle's id.")],
    named: Annotated[
        str | None, typer.Argument(metavar="TURN", help="A published turn; the latest, if none is named.")
    ] = None,
    turn: Annotated[int | None, typer.Option(help="The same as an option; 0: the latest.", min=0, max=MOST)] = None,
    form: Annotated[Literal["bbcode", "md", "html", "txt"], typer.Option("--format", help="The format.")] = "txt",
    dialect: Annotated[
        str | None, typer.Option(help="phpbb, ipb, vbulletin, xenforo (bbcode); discourse, nodebb, discord (md).")
    ] = None,
    length: Annotated[Literal["headline", "phases", "dice"], typer.Option(help="How much is told.")] = "phases",
    lang: Annotated[Literal["en", "ru"], typer.Option(help="The language.")] = "en",
    orders: Annotated[str | None, typer.Option(help="The orders that counted instead: `all`, or a side's key.")] = None,
    parts: Annotated[
        bool, typer.Option("--parts", help="In as many posts as the forum takes, a line `----` between.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of the screen.")] = None,
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of the database file.")] = None,
) -> None:
    """Tell a published turn of a battle, in the tags of a forum or as plain text.

    Exit code 0: told; 2: there is no such battle, turn, dialect or side, or the file cannot be written.
    """
    wanted = _wanted(named, turn)
    settings = load_settings(database_url=database_url, data=data)
    with opened(settings) as db:
        try:
            view = publication.turn(db, battle, wanted or "latest", PUBLIC)
        except RefereeError as refused:
            raise _stop(f"{battle}: there is no such battle or published turn ({refused.code})") from None
    page = f"{settings.url}/b/{view.battle_id}/t/{view.turn}"
    around = Around(page, None if orders else f"{page}.png?lang={lang}")
    try:
        told = report(view, lang) if orders is None else order_list(view, lang, side=None if orders == "all" else orders)
    except KeyError as unknown:
        raise _stop(_no_report(view, unknown)) from None
    try:
        chosen = LENGTHS["phases" if orders else length]
        write = posts.divide if parts else posts.write
        texts = write(told, around, form=form, dialect=dialect, length=chosen)
    except KeyError:
        known = ", ".join(posts.FORMS[form].dialects) or "none"
        raise _stop(f"{form} has no dialect {dialect!r}; it has: {known}") from None
    _put(texts if isinstance(texts, str) else "\n----\n\n".join(texts), out)


def _wanted(named: str | None, turn: int | None) -> int:
    """The turn that is asked for in either way; `LATEST`: the latest."""
    if named is None:
        return LATEST if turn is None else turn
    if named != "latest" and not (named.isascii() and named.isdecimal() and len(named) <= len(str(MOST))):
        raise _stop(f"the turn is {named[:20]!r}; it should be a whole number, or latest")
    number = LATEST if named == "latest" else int(named)
    if turn is not None and turn != number:
        raise _stop(f"two turns are named, {named} and --turn {turn}")
    return number


def _put(text: str, out: Path | None) -> None:
    if out is None:
        typer.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise _stop(f"{out}: {error.strerror}") from None


def _no_report(view: TurnView, unknown: KeyError) -> str:
    sides = ", ".join(view.scenario["sides"])
    return f"there are no words for {unknown}; sides of this battle are: {sides}"


def _stop(sentence: str) -> typer.Exit:
    typer.echo(f"fieldpost report: {sentence}", err=True)
    return typer.Exit(UNUSABLE)
