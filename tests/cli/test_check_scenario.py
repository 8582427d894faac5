"""`fieldpost check-scenario`: mistakes with their places, warnings, exit codes, both languages."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
import typer
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from typer.testing import CliRunner, Result

from app import language
from app.cli import check_scenario
from app.config import shipped
from tests.scenario.files import GOOD


def run(*words: str) -> Result:
    line = typer.Typer()
    line.callback()(lambda: None)
    check_scenario.register(line)
    return CliRunner().invoke(line, ["check-scenario", *words])


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    file = tmp_path / "bad.yaml"
    file.write_text(GOOD.replace("goal: 2", "goal: 0").replace("at: A1", "at: C14"), encoding="utf-8")
    return file


def test_the_shipped_scenarios_may_be_played() -> None:
    files = [str(file) for file in shipped("scenarios").glob("*/*.yaml")]
    result = run("--lang", "en", *files)
    assert result.exit_code == 0
    assert result.output.count("it may be played") == len(files)


def test_every_mistake_is_printed_with_its_place(bad: Path) -> None:
    result = run("--lang", "en", str(bad))
    assert result.exit_code == 1
    assert f"{bad}: line 11, column 7, goal: " in result.output
    assert f"{bad}: line 37, column 44, units.N-SW1.at: C14 is not on the board" in result.output
    assert "2 mistakes" in result.output


def test_it_speaks_russian(bad: Path) -> None:
    result = run("--lang", "ru", str(bad))
    assert "строка 37" in result.output
    assert "2 ошибки" in result.output


def test_warnings_are_mistakes_only_if_asked(tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(GOOD.replace("goal: 2", "goal: 5"), encoding="utf-8")
    assert run("--lang", "en", str(file)).exit_code == 0
    assert "(a warning)" in run("--lang", "en", str(file)).output
    assert run("--strict", str(file)).exit_code == 1


def test_what_cannot_be_read_is_said(tmp_path: Path, bad: Path) -> None:
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    result = run("--lang", "en", str(tmp_path / "none.yaml"), str(binary), str(bad))
    assert result.exit_code == 2
    assert "not a text in UTF-8" in result.output
    assert "line 11" in result.output


def test_every_sentence_of_the_command_has_its_russian_and_its_three_plurals() -> None:
    source = Path(check_scenario.__file__).read_bytes()
    keywords = {"_": None, "ngettext": (1, 2)}
    found = [message for _, message, _, _ in extract("python", BytesIO(source), keywords=keywords)]
    messages = {message if isinstance(message, str) else message[0] for message in found}
    read = read_po(BytesIO((Path(language.__file__).parent / "ru" / "scenario.po").read_bytes()), locale="ru")
    assert messages == {message.id if isinstance(message.id, str) else message.id[0] for message in read if message.id}
    assert len(messages) == 4
    for message in read:
        if message.pluralizable:
            assert len(message.string) == 3
            assert all(message.string)
        else:
            assert message.string
