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
        lines = {
            "in time": "no" if seen.alarms else "yes",
            "alarms": ", ".join(f"{alarm.code} {alarm.count}" for alarm in seen.alarms),
            "last sweep": told["swept_at"],
            "overdue": ", ".join(told["overdue"]),
            "next": ", ".join(f"{battle} {at}" for battle, at in told["next"].items()),
            "held": seen.held,
            "outbox": ", ".join(f"{name} {count}" for name, count in seen.counts.items()),
        }
        for name, value in lines.items():
            typer.echo(f"{name:10}  {'-' if value in ('', None) else value}")
    if seen.alarms:
        raise typer.Exit(ALARM)


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds").replace("+00:00", "Z")
