"""`fieldpost status`: what is due, running, late and failed; ends with 1 when something is overdue."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from app.config import load_settings

ALARM = 1


def register(app: typer.Typer) -> None:
    app.command()(status)


def status(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of lines.")] = False,
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the database file.")] = None,
) -> None:
    """Tell what is due, running, late and failed on this server. Exit code 1: something is overdue."""
    from app.cli.store import opened
    from app.referee.overview import overview

    settings = load_settings(database_url=database_url, data=data)
    with opened(settings) as db:
        seen = overview(db, datetime.now(UTC), late=settings.late)
    told: dict[str, Any] = {
        "ok": not seen.alarms,
        "alarms": [{"code": alarm.code, "count": alarm.count} for alarm in seen.alarms],
        "swept_at": _moment(seen.swept_at),
        "overdue": [line.id for line in seen.overdue],
        "next": {line.id: _moment(line.deadline) for line in seen.coming},
        "held": seen.held,
        "outbox": seen.counts,
    }
    if as_json:
        typer.echo(json.dumps(told, sort_keys=True))
    else:
        for name, value in told.items():
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            if isinstance(value, dict):
                shown = ", ".join(f"{key} {one}" for key, one in value.items())
            typer.echo(f"{name:10} {shown if shown not in ('', None) else '-'}")
    if seen.alarms:
        raise typer.Exit(ALARM)


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds").replace("+00:00", "Z")
