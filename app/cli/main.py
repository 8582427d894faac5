"""`fieldpost`: the host's and the game master's commands. Each lives in a file of its own."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer

from app.config import BadSetting

COMMANDS = (
    "serve",
    "worker",
    "new",
    "play",
    "adjudicate",
    "parse",
    "report",
    "replay",
    "verify",
    "check_scenario",
    "status",
    "token",
    "migrate",
    "export",
    "import_",
    "book",
)


def command_line() -> typer.Typer:
    """All commands. Modules are imported when their turn comes, so that one command does not pay for the others."""
    line = typer.Typer(
        no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown"
    )
    line.callback()(_no_command)  # keeps the commands' names when only one of them is imported
    for name in _wanted(sys.argv[1:]):
        import_module(f"app.cli.{name}").register(line)
    return line


def run() -> None:
    """The entry point. A bad setting ends with a sentence and exit code 2, not with a traceback."""
    try:
        command_line()()
    except BadSetting as bad:
        typer.echo(f"fieldpost: {bad}", err=True)
        sys.exit(2)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"fieldpost {version('fieldpost')}")
        raise typer.Exit


def _no_command(
    tell_version: Annotated[
        bool, typer.Option("--version", help="Tell the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """The referee for wargames played by post: sealed orders, open dice, a game master with the last word."""


def _wanted(words: list[str]) -> tuple[str, ...]:
    asked = words[0].replace("-", "_") if words else ""
    asked = "import_" if asked == "import" else asked
    return (asked,) if asked in COMMANDS else COMMANDS


if __name__ == "__main__":
    run()
