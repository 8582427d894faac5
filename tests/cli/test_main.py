"""The command line as a whole: every command has its help, whole; the README knows them all."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli.main import COMMANDS, command_line

README = Path(__file__).parents[2] / "README.md"


def _said(monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    monkeypatch.setattr(sys, "argv", ["fieldpost", *words])
    result = CliRunner().invoke(command_line(), list(words), env={"COLUMNS": "300", "TERMINAL_WIDTH": "300"})
    assert result.exit_code == 0, result.output
    return result.output


def _plain(text: str) -> str:
    return " ".join(text.replace("`", "").split())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_commands_help_says_all_that_its_docstring_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = name.strip("_").replace("_", "-")
    said = _said(monkeypatch, asked, "--help")
    (command,) = command_line().registered_commands
    assert command.callback is not None
    assert _plain(command.callback.__doc__ or "nothing") in _plain(said)


def test_the_first_help_lists_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = re.findall(r"^│ ([a-z][a-z-]*) ", _said(monkeypatch, "--help"), re.MULTILINE)
    assert sorted(listed) == sorted(name.strip("_").replace("_", "-") for name in COMMANDS)


def test_the_readme_has_a_line_for_every_command() -> None:
    table = README.read_text(encoding="utf-8").partition("## Commands")[2].partition("\n## ")[0]
    for name in COMMANDS:
        assert re.search(rf"`(fieldpost )?{name.strip('_').replace('_', '-')}\b", table), name


def test_the_version_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.fullmatch(r"fieldpost \d+\.\d+\.\d+\n", _said(monkeypatch, "--version"))
