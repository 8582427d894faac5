"""`fieldpost adjudicate`: cases run and compared with what they expect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.casefiles import Found, read_file
from app.engine.ruleset import Unreadable
from app.reports import problems
from app.rulesets.cohesion import cases
from app.rulesets.cohesion.unreadable import UnreadableAt

DIFFERS = 1
UNREADABLE = 2


def register(line: typer.Typer) -> None:
    line.command()(adjudicate)


@dataclass(frozen=True)
class Verdict:
    """What became of one case. `result` None: it could not be run, and `differences` say why."""

    case: str | None
    ok: bool
    differences: tuple[str, ...] = ()
    result: Any = None
    title: str = ""
    compared: bool = True
    place: str = field(default="", compare=False)

    def as_json(self) -> dict[str, Any]:
        return {"case": self.case, "ok": self.ok, "differences": list(self.differences), "result": self.result}


def adjudicate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of adjudication cases, in YAML.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line for each case.")] = False,
) -> None:
    """Run adjudication cases: a position, orders and dice, and what must come out of them.

    A case that expects nothing is run and printed. Exit code 0: all hold; 1: a case differs; 2: a file or a case cannot
    be read.
    """
    verdicts: list[Verdict] = []
    for file in files:
        for verdict in judge_file(file):
            verdicts.append(verdict)
            if as_json:
                typer.echo(json.dumps(verdict.as_json(), ensure_ascii=False))
                if verdict.result is None:
                    typer.echo("\n".join(verdict.differences), err=True)
            else:
                _tell(verdict)
    unread = sum(verdict.result is None for verdict in verdicts)
    differing = sum(not verdict.ok for verdict in verdicts) - unread
    if not as_json:
        ran = sum(verdict.ok and not verdict.compared for verdict in verdicts)
        hold = len(verdicts) - unread - differing - ran
        of = "1 case" if len(verdicts) == 1 else f"{len(verdicts)} cases"
        only_ran = f"{ran} ran, " if ran else ""
        typer.echo(f"{of}: {hold} hold, {only_ran}{differing} differ, {unread} cannot be read")
    raise typer.Exit(DIFFERS if differing else UNREADABLE if unread else 0)


def judge_file(file: Path) -> Iterator[Verdict]:
    """The cases of a file, one by one; what cannot be read is told and passed over."""
    seen: dict[str, int] = {}
    for found in read_file(file):
        name = found.name()
        if name is not None and seen.setdefault(name, found.line) != found.line:
            typer.echo(f"{file}:{found.line}: the name {name} is that of the case in line {seen[name]}, too", err=True)
        yield judge(found, file)


def judge(found: Found, file: Path) -> Verdict:
    place = f"{file}:{found.line}"
    if found.wrong is not None:
        return Verdict(found.name(), False, (f"{place}: {found.wrong}",), place=place)
    try:
        case = cases.read_case(found.plain())
    except UnreadableAt as bad:
        return Verdict(found.name(), False, _mistakes(bad, found, file), place=place)
    except Unreadable as bad:
        return Verdict(found.name(), False, (f"{place}: {bad}",), place=place)
    except RecursionError:
        return Verdict(found.name(), False, (f"{place}: this is nested too deep",), place=place)
    result = cases.run(case)
    differing = cases.differences(case, result)
    return Verdict(
        case.name,
        not differing,
        differing,
        cases.result_json(result),
        title=case.title,
        compared=case.expect is not None,
        place=place,
    )


def _mistakes(bad: UnreadableAt, found: Found, file: Path) -> tuple[str, ...]:
    """Each by its line and its key, in the order of the file."""
    placed = sorted(((found.line_of(one.where), one) for one in bad.each), key=lambda pair: pair[0])
    return tuple(dict.fromkeys(f"{file}:{line}: {_why(one)}" for line, one in placed))


def _why(bad: UnreadableAt) -> str:
    return str(bad) if bad.problem is None else f"{'.'.join(bad.where)}: {problems.words(bad.problem, 'en')}"


def _tell(verdict: Verdict) -> None:
    title = f": {verdict.title}" if verdict.title else ""
    if verdict.result is None:
        for wrong in verdict.differences:
            typer.echo(f"cannot be read  {wrong}", err=True)
        return
    word = "holds  " if verdict.ok else "DIFFERS"
    typer.echo(f"{word if verdict.compared or not verdict.ok else 'ran    '}  {verdict.case}{title}")
    for difference in verdict.differences:
        typer.echo(f"           {difference}")
    if not verdict.ok:
        typer.echo(f"           ({verdict.place})")
    if not verdict.compared:
        for part, value in verdict.result.items():
            typer.echo(f"           {part}: {json.dumps(value, ensure_ascii=False)}")
