"""`fieldpost export` and `fieldpost import`: from one database to another, in words that a host can act upon."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from typer.testing import CliRunner, Result

import app
from app.cli import export, import_, main, new
from app.referee import archive

ROOT = Path(app.__file__).parent
CORPUS = Path(__file__).parents[1] / "corpus" / "exports" / "1"


@pytest.fixture
def run(tmp_path: Path) -> Any:
    line = typer.Typer()
    line.callback()(lambda: None)
    for command in (new, export, import_):
        command.register(line)

    def called(*words: object, at: str = "here") -> Result:
        return CliRunner().invoke(line, [*map(str, words), "--data", str(tmp_path / at)])

    return called


def test_the_command_line_knows_both_by_their_names() -> None:
    assert main._wanted(["import", "x"]) == ("import_",)
    assert main._wanted(["export", "x"]) == ("export",)


def test_a_battle_goes_from_one_host_to_another(run: Any, tmp_path: Path) -> None:
    told = run("new", "first-skirmish").output
    battle, key = re.search(r"Battle (\w+)", told)[1], re.search(r"/k/(\S+)", told)[1]  # type: ignore[index]
    file = tmp_path / "moved.json.gz"
    result = run("export", battle, "--all", "--out", file, "--lang", "en")
    assert result.exit_code == 0, result.output
    assert "It holds secrets" in result.output
    assert file.stat().st_mode & 0o077 == 0
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["moved.json.gz"]
    assert key not in gzip.decompress(file.read_bytes()).decode()
    result = run("import", file, "--lang", "en", at="there")
    assert result.exit_code == 0, result.output
    assert f"Battle {battle} is made, 0 turns" in result.output
    assert "keys of its game master and its players work" in result.output
    result = run("import", file, "--lang", "en", at="there")
    assert (result.exit_code, f"here already, as {battle}" in result.output) == (1, True)
    result = run("import", file, "--again", "--lang", "en", at="there")
    assert result.exit_code == 0
    assert len(re.findall(r"/k/\S{43}", result.output)) == 3


def test_what_is_published_goes_to_standard_output(run: Any) -> None:
    battle = re.search(r"Battle (\w+)", run("new", "first-skirmish").output)[1]  # type: ignore[index]
    tree = json.loads(run("export", battle).stdout)
    assert (tree["format"], tree["battle"]["id"], tree["whole"]) == (archive.FORMAT, battle, None)


def test_a_published_battle_is_imported_to_be_read(run: Any) -> None:
    result = run("import", CORPUS / "finished.json", "--title", "Old friends", "--lang", "ru")
    assert result.exit_code == 0, result.output
    assert "продолжать её нельзя" in result.output


def test_refusals_are_sentences(run: Any, tmp_path: Path) -> None:
    good = json.loads((CORPUS / "finished.json").read_bytes())
    told = {key: value for key, value in good.items() if key != "digest"}
    turns = [dict(part) for part in told["turns"]]
    turns[0]["record"] = {**turns[0]["record"], "winner": "north"}
    bad = {
        "newer": (archive.packed({**good, "format": 9}), 2, "reads formats up to 1"),
        "changed": (archive.packed({**good, "turns": []}), 2, "was changed after it was exported"),
        "text": (b"hello", 2, "is not JSON: line 1, column 1"),
        "other": (b'{"a": 1}', 2, "tells no format"),
        "less": (archive.packed(archive.sealed({"format": 1})), 2, "a part of it is missing"),
        "gz": (archive.PACKED, 2, "cannot be unpacked"),
        "winner": (archive.packed(archive.sealed({**told, "turns": turns})), 1, "the result is wrong"),
        "gap": (archive.packed(archive.sealed({**told, "turns": turns[1:]})), 1, "do not follow one another: turn 1"),
    }
    for name, (body, code, words) in bad.items():
        file = tmp_path / name
        file.write_bytes(body)
        result = run("import", file, "--lang", "en")
        assert (result.exit_code, words in result.output) == (code, True), result.output
        assert "Traceback" not in result.output
    result = run("import", tmp_path / "nowhere", "--lang", "en")
    assert (result.exit_code, "No such file" in result.output) == (2, True)
    result = run("import", CORPUS / "finished.json", "--title", "a\nb", "--lang", "en")
    assert (result.exit_code, "one line of 1 to 200" in result.output) == (2, True)
    result = run("export", "nosuchone", "--lang", "en")
    assert (result.exit_code, "no battle 'nosuchone'" in result.output) == (2, True)
    battle = re.search(r"Battle (\w+)", run("new", "first-skirmish").output)[1]  # type: ignore[index]
    assert run("export", battle, "--out", tmp_path / "no" / "folder.json").exit_code == 2


def test_every_sentence_has_its_russian() -> None:
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2)}
    told = set()
    for name in ("export", "import_"):
        for found in extract_from_file("python", ROOT / "cli" / f"{name}.py", keywords=keywords):
            told.add(found[1] if isinstance(found[1], str) else found[1][0])
    with (ROOT / "language" / "ru" / "cli.po").open("rb") as file:
        catalogue = read_po(file, locale="ru")
    assert len(told) > 20
    for text in told:
        message = catalogue.get(text)
        assert message is not None, text
        assert message.string, text
        assert not list(message.check(catalogue))
