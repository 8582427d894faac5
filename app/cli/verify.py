"""`fieldpost verify`: published records checked offline, against nothing but themselves and the rules."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli import records
from app.cli.findings import plain, words
from app.language import LANGUAGES, translated
from app.language import marked as _
from app.referee import verification
from app.referee.records import Finding

UNREADABLE = 2


def register(line: typer.Typer) -> None:
    line.command()(verify)


def verify(
    files: Annotated[list[Path], typer.Argument(help="Records of turns, as a battle's pages offer them, or its archive.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what does not hold.")] = False,
    language: Annotated[str | None, typer.Option("--lang", "--language", help="Language of the answer: en or ru.")] = None,
) -> None:
    """Check published records: sealed orders, dice, play. Several records of one battle are checked as a chain, too.

    Needs no network and no database. Exit code 0: all holds; 1: something does not; 2: a file cannot be read.
    """
    spoken = language if language in LANGUAGES else spoken_here()
    read: list[Any] = []
    unreadable = failed = 0
    for file in files:
        try:
            found = records.read(file)
        except records.BadFile as bad:
            typer.echo(f"{file}: {bad}", err=True)
            unreadable += 1
            continue
        read += found
        for record in found:
            findings = verification.verify(record)
            unreadable += _tell(f"{file}{_which(record, spoken)}", findings, spoken, quiet=quiet) == UNREADABLE
            failed += sum(not f.holds for f in findings)
    if len(read) > 1:
        chain = verification.verify_chain(read)
        if chain:
            _tell(translated(_("the records together"), spoken), chain, spoken, quiet=quiet)
        failed += sum(not f.holds for f in chain)
    if not failed and not unreadable:
        typer.echo(translated(_("Everything holds."), spoken))
    raise typer.Exit(UNREADABLE if unreadable else bool(failed))


def spoken_here() -> str:
    """The language that the terminal is set to, of those that are spoken here."""
    named = next((os.environ[n] for n in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(n)), "")
    return next((known for known in LANGUAGES if named.lower().startswith(known)), LANGUAGES[0])


def _tell(title: str, findings: Sequence[Finding], language: str, *, quiet: bool) -> int:
    """Prints the findings under a title; the exit code that they ask for."""
    shown = [f for f in findings if not (quiet and f.holds)]
    if shown:
        typer.echo(title)
    for finding in shown:
        mark = translated(_("holds"), language) if finding.holds else translated(_("DOES NOT HOLD"), language)
        typer.echo(f"  {mark}: {words(finding, language)}")
    if any(f.code == "not-a-record" for f in findings):
        return UNREADABLE
    return 0 if all(f.holds for f in findings) else 1


def _which(record: Any, language: str) -> str:
    if not isinstance(record, dict) or not isinstance(record.get("turn"), int):
        return ""
    return translated(_(": battle %(battle)s, turn %(turn)s"), language) % {
        "battle": plain(record.get("battle", "-")),
        "turn": plain(record["turn"]),
    }
