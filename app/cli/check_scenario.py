"""`fieldpost check-scenario`: every mistake of a scenario file at once, by line, column and key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.verify import spoken_here
from app.engine.ruleset import Problem
from app.language import LANGUAGES, translator
from app.language import marked as _
from app.reports.problems import located
from app.scenario import Reading, read_scenario
from app.scenario.yamltree import MAX_CHARACTERS

UNREADABLE = 2


def register(line: typer.Typer) -> None:
    line.command("check-scenario")(check_scenario)


def check_scenario(
    files: Annotated[list[Path], typer.Argument(help="Scenario files, in YAML.")],
    strict: Annotated[bool, typer.Option("--strict", help="Count warnings as mistakes.")] = False,
    language: Annotated[str | None, typer.Option("--lang", "--language", help="Language of the answer: en or ru.")] = None,
) -> None:
    """Check scenario files: every mistake at once, and what looks odd.

    Exit code 0: all may be played; 1: there are mistakes; 2: a file cannot be read.
    """
    spoken = language if language in LANGUAGES else spoken_here()
    failed = unreadable = False
    for file in files:
        try:
            with file.open(encoding="utf-8-sig") as source:
                text = source.read(MAX_CHARACTERS + 1)
        except OSError as error:
            typer.echo(f"{file}: {error.strerror}", err=True)
            unreadable = True
            continue
        except UnicodeDecodeError:
            typer.echo(translator(spoken).gettext(_("%(file)s: this is not a text in UTF-8"), file=file), err=True)
            unreadable = True
            continue
        reading = read_scenario(text)
        _tell(file, reading, spoken)
        failed = failed or reading.frozen is None or (strict and bool(reading.warnings))
    raise typer.Exit(UNREADABLE if unreadable else int(failed))


def _tell(file: Path, reading: Reading, language: str) -> None:
    say = translator(language)
    for problem in reading.problems:
        typer.echo(_line(file, problem, language))
    for warning in reading.warnings:
        typer.echo(say.gettext(_("%(line)s (a warning)"), line=_line(file, warning, language)))
    if reading.problems:
        count = len(reading.problems)
        typer.echo(say.ngettext("%(file)s: %(num)s mistake", "%(file)s: %(num)s mistakes", count, file=file))
    else:
        typer.echo(say.gettext(_("%(file)s: it may be played"), file=file))


def _line(file: Path, problem: Problem, language: str) -> str:
    return f"{file}: {located(problem, language)}"
