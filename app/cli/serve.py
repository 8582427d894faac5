"""`fieldpost serve`: the server, with the schema brought up to date first."""

from __future__ import annotations

import errno
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from app import log
from app.config import MOST, BadSetting, Settings, as_environment, load_settings

GRACE_SECONDS = 5
"""How long a stopping server waits for answers under way; open streams would keep it up for ever."""


def register(line: typer.Typer) -> None:
    line.command()(serve)


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. 0.0.0.0: all of this machine.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.", min=1, max=65535)] = None,
    database_url: Annotated[str | None, typer.Option(help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder for the database file.")] = None,
    base_url: Annotated[str | None, typer.Option(help="The address that players see, https://… behind a proxy.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes that answer.", min=1, max=64)] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Make a battle to try, and print its links.")] = False,
) -> None:
    """Serve Fieldpost. Settings may also come from the environment (FIELDPOST_PORT, FIELDPOST_DATABASE_URL, …)."""
    settings = load_settings(host=host, port=port, database_url=database_url, data=data, base_url=base_url, workers=workers)
    _can_listen(settings)
    _prepare(settings, demo=demo)
    import uvicorn

    os.environ.update(as_environment(settings))
    typer.echo(f"Fieldpost is at {settings.url} (Ctrl+C stops it)")
    uvicorn.run(
        "app.web.app:from_environment",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_config=log.of_libraries(settings.log_level),
        log_level=settings.log_level,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.forwarded_allow_ips,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _can_listen(settings: Settings) -> None:
    """Asked before anything is made or printed: links to a port that another program holds would lead to that one."""
    host, port = settings.host, settings.port
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, socket.SOCK_STREAM) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server itself does
            tried.bind(address)
    except OSError as failure:
        raise BadSetting(
            f"cannot listen on port {port} of {host} ({failure.strerror}); {_instead(failure, port)}"
        ) from failure


def _instead(failure: OSError, port: int) -> str:
    """What the host can do about it."""
    if isinstance(failure, socket.gaierror) or failure.errno == errno.EADDRNOTAVAIL:
        return "--host should be an address of this machine: 127.0.0.1, or 0.0.0.0 for all that it has"
    if isinstance(failure, PermissionError):
        return "ports below 1024 are root's: leave it at 8000 and put a proxy in front (docs/hosting.md)"
    return f"another port: --port {_next(port)}, or make run PORT={_next(port)}"


def _next(port: int) -> int:
    return port + 1 if port < MOST["port"] else port - 1


def _prepare(settings: Settings, *, demo: bool) -> None:
    """Here and not in the server's own start: with several workers that would run several times."""
    from app.cli.demo import links
    from app.cli.store import opened

    try:
        settings.data.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise BadSetting(f"the folder {settings.data} cannot be made: {failure.strerror}") from failure
    with opened(settings) as db:
        if demo:
            typer.echo(links(db, settings, datetime.now(UTC)))
