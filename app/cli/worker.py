"""`fieldpost worker`: a process beside the servers that resolves, delivers and looks over; on PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from app.config import BadSetting, load_settings


def register(app: typer.Typer) -> None:
    app.command()(worker)


def worker(
    concurrency: Annotated[int, typer.Option(help="Jobs that run at once.", min=1, max=64)] = 4,
    database_url: Annotated[str | None, typer.Option(help="postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    base_url: Annotated[str | None, typer.Option(help="The address that players see.")] = None,
) -> None:
    """Run the jobs of a house with several servers: set FIELDPOST_EMBEDDED=no for these, and start one or more workers.

    Needs PostgreSQL and the extra `scale` (pip install "fieldpost[scale]").
    """
    from app import log
    from app.cli.store import opened
    from app.posting.wire import Wire
    from app.referee.posting import Postman, mail_server

    settings = load_settings(database_url=database_url, base_url=base_url)
    try:
        from app.worker import running
        from app.worker.jobs import Workshop
    except ImportError as missing:
        raise BadSetting(f"a worker needs the extra `scale`: pip install 'fieldpost[scale]' ({missing})") from missing
    with opened(settings) as db:
        if db.is_sqlite:
            raise BadSetting("a worker needs PostgreSQL; with SQLite the server does its work itself")
        log.configure(settings.log_level)

        def clock() -> datetime:
            return datetime.now(UTC)

        wire = Wire(allow_private=settings.allow_private_targets)
        postman = Postman(db, settings.url, clock, wire, mail_server(settings))
        typer.echo(f"Fieldpost works for {settings.url} (Ctrl+C stops it)")
        running.run(Workshop(db, postman, clock, settings.outage, settings.late), concurrency=concurrency)
