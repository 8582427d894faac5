"""`fieldpost serve`: what it looks at before it serves."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from app.cli import serve
from app.config import BadSetting


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Calls the command with these words, in a folder of its own; a server that would start says so instead."""
    line = typer.Typer()
    line.callback()(lambda: None)
    serve.register(line)
    monkeypatch.setattr("uvicorn.run", lambda *_, **given: typer.echo(f"serves on {given['port']}"))
    # What the command hands on to its server's processes is taken back after the test.
    monkeypatch.setattr("os.environ", {})

    def called(*words: str) -> Any:
        given = words if "--data" in words else (*words, "--data", str(tmp_path / "data"))
        return CliRunner().invoke(line, ["serve", *given])

    return called


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        yield held.getsockname()[1]


def test_a_free_port_is_served(run: Any, taken: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        free = other.getsockname()[1]
    result = run("--port", str(free))
    assert (result.exit_code, result.exception) == (0, None)
    assert f"Fieldpost is at http://127.0.0.1:{free}" in result.output
    assert f"serves on {free}" in result.output


def test_a_port_that_is_taken_is_told_before_anything_is_made(run: Any, taken: int, tmp_path: Path) -> None:
    result = run("--port", str(taken), "--demo")
    assert isinstance(result.exception, BadSetting)
    assert f"cannot listen on port {taken} of 127.0.0.1" in str(result.exception)
    assert f"PORT={taken + 1 if taken < 65535 else taken - 1}" in str(result.exception)
    assert result.output == ""
    assert not (tmp_path / "data").exists()


def test_an_address_of_no_machine_is_told(run: Any) -> None:
    result = run("--host", "no-such-host.invalid")
    assert isinstance(result.exception, BadSetting)
    assert "no-such-host.invalid" in str(result.exception)
    assert "an address of this machine" in str(result.exception)
    assert "another port" not in str(result.exception)


def test_a_port_of_roots_is_told_with_the_way_round_it(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("socket.socket.bind", refused)
    result = run("--port", "80")
    assert isinstance(result.exception, BadSetting)
    assert "below 1024" in str(result.exception)
    assert "proxy" in str(result.exception)
    assert "another port" not in str(result.exception)


def test_a_folder_that_cannot_be_made_is_told(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as other:
        free = other.getsockname()[1]
    result = run("--port", str(free), "--data", str(file))
    assert isinstance(result.exception, BadSetting)
    assert f"the folder {file} cannot be made" in str(result.exception)
