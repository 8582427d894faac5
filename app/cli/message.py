"""A message of a seat, read against the open turn of a battle of this host: its canonical text, or all that is wrong."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import typer

from app.cli.findings import plain
from app.cli.store import opened
from app.cli.verify import spoken_here
from app.config import load_settings
from app.engine.ruleset import Fault, Problem
from app.language import LANGUAGES, translator
from app.language import marked as _
from app.referee import orders
from app.referee.errors import RefereeError
from app.referee.turnviews import Understood
from app.referee.views import Viewer
from app.reports import problems as spoken

ENTERABLE, WRONG, UNREADABLE = 0, 1, 2
LARGEST = 4 * orders.LONGEST_TEXT
"""Bytes: of a longer message no more is read than shows that it is too long."""

REFUSED = {
    "no-battle": _("There is no such battle here."),
    "no-seat": _("There is no such seat in this battle."),
    "closed": _("This turn is closed: orders are no longer taken."),
    "not-open": _("The battle awaits no orders of this seat now."),
    "long-text": _("The message is too long: at most %(most)s characters are read."),
}


def read(
    source: Path | None,
    battle: str,
    seat: str,
    language: str | None,
    *,
    as_json: bool,
    database_url: str | None,
    data: Path | None,
) -> int:
    """Prints the answer; the exit code. `source`: None or `-` is what comes in."""
    speech = language if language in LANGUAGES else spoken_here()
    words = translator(speech)
    try:
        text = _text(source)
    except UnicodeDecodeError:
        return _stop(words.gettext("The message is not UTF-8 text."))
    except OSError as error:
        return _stop(f"{source}: {error.strerror}")
    viewer = Viewer("seat", battle_id=battle, seat=seat)
    with opened(load_settings(database_url=database_url, data=data)) as db:
        try:
            meant = orders.understand(db, battle, seat, viewer, turn=None, text=text, language=speech, now=datetime.now(UTC))
        except RefereeError as refused:
            return _stop(words.gettext(REFUSED.get(refused.code, refused.code), **refused.params))
    wrong = [problem for problem in meant.problems if not problem.warning]
    if as_json:
        typer.echo(json.dumps(_object(battle, seat, meant, speech), ensure_ascii=False))
    else:
        _print(meant, wrong, text, speech)
    return WRONG if meant.faults or wrong else ENTERABLE


def _text(source: Path | None) -> str:
    if source is None or str(source) == "-":
        found = sys.stdin.buffer.read(LARGEST + 1)
    else:
        with source.open("rb") as file:
            found = file.read(LARGEST + 1)
    if len(found) > LARGEST:  # too long in any case; a sign may be cut in two
        return found.decode("utf-8", "replace")
    return found.decode("utf-8-sig").replace("\r\n", "\n")


def _print(meant: Understood, wrong: list[Problem], text: str, language: str) -> None:
    """The canonical text goes out, what is wrong with it or may not come off goes to the errors."""
    if meant.orders is not None:
        typer.echo(meant.text)
    lines = text.split("\n")
    if meant.asides:
        listed = ", ".join(map(str, meant.asides))
        told = translator(language).gettext("No orders, and left out with > before them: lines %(lines)s.", lines=listed)
        typer.echo(told, err=True)
    for fault in spoken.by_line(meant.faults, meant.asides, text):
        if 0 < fault.line <= len(lines):
            typer.echo(f"{fault.line}:{fault.column}: {plain(lines[fault.line - 1])}", err=True)
        typer.echo(f"  {spoken.fault_words(fault, language)}", err=True)
    for problem in (*wrong, *(problem for problem in meant.problems if problem.warning)):
        typer.echo(_told(problem, language), err=True)


def _told(problem: Problem, language: str) -> str:
    unit = f"{plain(problem.field[0])}: " if problem.field else ""
    mark = translator(language).gettext("warning: ") if problem.warning else ""
    return f"{mark}{unit}{plain(spoken.words(problem, language))}"


def _object(battle: str, seat: str, meant: Understood, language: str) -> dict[str, Any]:
    wrong = bool(meant.faults) or any(not problem.warning for problem in meant.problems)
    told: dict[str, Any] = {"battle": battle, "seat": seat, "turn": meant.turn, "ok": not wrong}
    if meant.orders is not None:
        told |= {"orders": meant.orders, "text": meant.text}
    return told | {
        "errors": [_fault(fault, language) for fault in meant.faults],
        "asides": list(meant.asides),
        "problems": [_problem(problem, language) for problem in meant.problems if not problem.warning],
        "warnings": [_problem(problem, language) for problem in meant.problems if problem.warning],
    }


def _fault(fault: Fault, language: str) -> dict[str, Any]:
    return {
        "line": fault.line,
        "column": fault.column,
        "code": fault.code,
        "fragment": fault.fragment,
        "candidates": list(fault.candidates),
        "text": spoken.fault_words(fault, language),
    }


def _problem(problem: Problem, language: str) -> dict[str, Any]:
    return {"field": list(problem.field), "code": problem.code, "text": spoken.words(problem, language)}


def _stop(sentence: str) -> int:
    typer.echo(f"fieldpost parse: {sentence}", err=True)
    return UNREADABLE
