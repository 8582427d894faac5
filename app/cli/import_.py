"""`fieldpost import`: a battle made again from an exported file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from app.cli.findings import plain, words
from app.cli.store import opened
from app.cli.verify import spoken_here
from app.config import load_settings
from app.language import LANGUAGES, Translator, translator
from app.language import marked as _
from app.referee import archive
from app.referee.archive import ArchiveError
from app.referee.errors import RefereeError
from app.referee.importing import Imported, bring_in

REFUSED = 1
UNUSABLE = 2
SHOWN = 10
"""So many findings are told."""

WORDS: dict[str, str] = {
    "newer-archive": _(
        "the file has the format %(format)s; this program reads formats up to %(known)s: a newer Fieldpost will read it"
    ),
    "changed-archive": _(
        "the file was changed after it was exported, or is not whole: its digest is not that of what it holds"
    ),
    "here-already": _("this battle is here already, as %(battle)s; with --again a second one is made of it"),
    "large": _("the file is too large: more than %(where)s MB"),
    "packed": _("the file cannot be unpacked: %(where)s"),
    "json": _("the file is not JSON: %(where)s"),
    "format": _("the file is no exported battle: it tells no format"),
    "shape": _("the file is no exported battle, or a part of it is missing: %(where)s"),
    "ruleset": _("the battle was played by rules that are not known here: %(where)s"),
    "scenario": _("the scenario in the file is not one that could be played: %(where)s"),
    "parts": _("the parts of the file do not belong together: %(where)s"),
    "chain": _("the turns do not follow one another: %(where)s"),
    "told": _("what the file holds does not agree with itself: %(where)s"),
    "record": _("the records do not hold:"),
}


def register(line: typer.Typer) -> None:
    line.command("import")(import_)


def import_(
    file: Annotated[Path, typer.Argument(help="A file that `fieldpost export` wrote, packed or not.")],
    title: Annotated[str | None, typer.Option(help="Title of the battle here; else its own.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Make it even if it is here already, under a new id.")] = False,
    language: Annotated[str | None, typer.Option("--lang", "--language", help="Language of the answer: en or ru.")] = None,
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the database file.")] = None,
    base_url: Annotated[str | None, typer.Option(help="The address that players see, https://… behind a proxy.")] = None,
) -> None:
    """Make a battle of an exported file. Every record in it is verified first, and nothing is kept if one does not hold.

    What was published becomes a battle that can be read and checked; a file of `export --all` goes on as it was, with the
    keys that its players have. Exit code 0: it is made; 1: it is refused; 2: the file cannot be read.
    """
    say = translator(language if language in LANGUAGES else spoken_here())
    settings = load_settings(database_url=database_url, data=data, base_url=base_url)
    try:
        if file.stat().st_size > archive.LARGEST:
            raise ArchiveError("bad-archive", params={"why": "large", "where": archive.LARGEST // 1024 // 1024})
        found = archive.read(file.read_bytes())
    except OSError as error:
        raise _stop(f"{file}: {error.strerror}", UNUSABLE) from None
    except ArchiveError as bad:
        raise _stop(f"{file}: {_told(bad, say)}", UNUSABLE) from None
    with opened(settings) as db:
        try:
            done = bring_in(db, found, now=datetime.now(UTC), title=title, again=again)
        except ArchiveError as bad:
            raise _stop(f"{file}: {_told(bad, say)}", REFUSED) from None
        except RefereeError:
            raise _stop(say.gettext(_("a title is one line of 1 to 200 characters")), UNUSABLE) from None
    _tell(done, settings.url, say, typer.echo)


def _told(bad: ArchiveError, say: Translator) -> str:
    code = str(bad.params.get("why") or bad.code)
    params = {name: plain(value) for name, value in bad.params.items()} | {"battle": plain(bad.current)}
    told = say.catalogue.ugettext(WORDS[code]) % params
    if code == "record":
        told += "".join(f"\n  {words(finding, say.language)}" for finding in bad.current[:SHOWN])
    return str(told)


def _tell(done: Imported, url: str, say: Translator, echo: Callable[[str], None]) -> None:
    turns = say.ngettext("%(num)s turn", "%(num)s turns", done.turns)
    echo(
        say.gettext(
            _("Battle %(battle)s is made, %(turns)s: %(url)s"),
            battle=done.battle_id,
            turns=turns,
            url=f"{url}/b/{done.battle_id}",
        )
    )
    if not done.is_whole:
        echo(say.gettext(_("It can be read and checked; nobody can play on in it.")))
    elif done.new is None:
        echo(
            say.gettext(_("The keys of its game master and its players work here as they did; only the address is another."))
        )
    else:
        echo(say.gettext(_("It has keys of its own; they are not shown again:")) + "\n")
        desk = say.gettext(_("game master's desk"))
        echo(f"  {desk}: {url}/k/{done.new.master_key}")
        for seat, key in done.new.seat_keys.items():
            echo(f"  {plain(seat)}: {url}/k/{key}")
    if done.is_held:
        echo(say.gettext(_("Its deadline has passed meanwhile: it waits for the game master's word.")))
    if done.unchecked:
        numbers = ", ".join(map(str, done.unchecked))
        echo(say.gettext(_("These turns could not be played again by this program: %(turns)s."), turns=numbers))
    if done.ties:
        echo(
            say.gettext(
                _("What it was tied to holds keys, and has to be tied anew: %(ties)s."),
                ties=", ".join(map(plain, done.ties)),
            )
        )


def _stop(sentence: str, code: int) -> typer.Exit:
    typer.echo(f"fieldpost import: {sentence}", err=True)
    return typer.Exit(code)
