"""`fieldpost parse`: cases of text orders, as `adjudicate` runs cases of turns."""

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
    files: Annotated[list[Path], typer.Argument(help="Files of text-order cases (YAML).")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line for each case.")] = False,
) -> None:
    """Read the texts of text-order cases and compare: the orders they mean, or the errors they get.

    Exit code 0: all as expected; 1: a case differs; 2: a file cannot be read.
    """
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
