"""`fieldpost parse`: cases of text orders, as `adjudicate` runs cases of turns; or a message of a seat (`message`)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from app.engine.ruleset import Unreadable
from app.rulesets.cohesion.textcases import TextCase, TextResult, read_items, run

UNREADABLE = 2


def register(line: typer.Typer) -> None:
    line.command()(parse)


def parse(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Files of text-order cases (YAML). With --battle: one message; none or -: read it."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line for each case; or for the message.")
    ] = False,
    battle: Annotated[str | None, typer.Option(help="A battle of this host: read a message against its open turn.")] = None,
    seat: Annotated[str | None, typer.Option(help="The seat that the message is from.")] = None,
    language: Annotated[str | None, typer.Option("--lang", "--language", help="Language of the answer: en or ru.")] = None,
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the database file.")] = None,
) -> None:
    """Read texts of orders: those of case files, compared with what is expected of them; or, with --battle and --seat, a
    message as it would be entered. Of a message nothing is kept.

    Exit code 0: all as expected, or the message can be entered; 1: it differs, or cannot; 2: something cannot be read.
    """
    if battle is not None or seat is not None:
        if battle is None or seat is None or len(files or ()) > 1:
            raise typer.BadParameter("a message needs --battle, --seat, and one file at most")
        from app.cli import message

        source = files[0] if files else None
        raise typer.Exit(message.read(source, battle, seat, language, as_json=as_json, database_url=database_url, data=data))
    if not files:
        raise typer.BadParameter("name files of cases, or a message's --battle and --seat")
    unreadable = differing = total = 0
    for file in files:
        try:
            cases = list(read_items(_loaded(file)))
        except (OSError, UnicodeDecodeError, YAMLError, Unreadable) as bad:
            typer.echo(f"{file}: {bad}", err=True)
            unreadable += 1
            continue
        for index, case in enumerate(cases):
            result = run(case)
            total += 1
            differing += not result.ok
            if as_json:
                typer.echo(json.dumps({"file": str(file), "index": index, **_told(result)}, ensure_ascii=False))
            elif not result.ok:
                _explain(file, index, case, result)
    if not as_json:
        Console(file=sys.stdout, highlight=False).print(f"{total - differing} of {total} texts are read as expected.")
    raise typer.Exit(UNREADABLE if unreadable else bool(differing))


def _loaded(file: Path) -> Any:
    return YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8"))


def _told(result: TextResult) -> dict[str, Any]:
    if result.errors is not None:
        return {"ok": result.ok, "errors": list(result.errors)}
    return {"ok": result.ok, "orders": result.orders}


def _explain(file: Path, index: int, case: TextCase, result: TextResult) -> None:
    expected = next(e for e in (case.orders, case.errors, case.refused) if e is not None)
    came = result.orders if result.errors is None else list(result.errors)
    typer.echo(f"{file}, case {index}: {json.dumps(case.text, ensure_ascii=False)}")
    typer.echo(f"  expected: {json.dumps(expected, ensure_ascii=False)}")
    typer.echo(f"  came out: {json.dumps(came, ensure_ascii=False)}")
