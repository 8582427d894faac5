"""`fieldpost new`: a battle made, its links printed, mistakes told with code 2."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from app.cli import new
from app.referee import keys
from app.store.db import Database


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    line = typer.Typer()
    line.callback()(lambda: None)
    new.register(line)
    for name in ("FIELDPOST_DATABASE_URL", "FIELDPOST_BASE_URL", "FIELDPOST_DATA"):
        monkeypatch.delenv(name, raising=False)

    def called(*words: str) -> Any:
        return CliRunner().invoke(line, ["new", *words, "--data", str(tmp_path), "--base-url", "https://fieldpost.example/"])

    return called


def test_a_battle_of_a_known_scenario_is_made_and_every_link_opens_it(run: Any, tmp_path: Path) -> None:
    result = run("visage-and-throne", "--title", "Spring", "--hours", "48", "--zone", "Europe/Moscow", "--review")
    assert result.exit_code == 0, result.output
    battle = re.search(r"https://fieldpost.example/b/(\w+)", result.output)
    assert battle
    links = re.findall(r"^  (\S.*?)  +https://fieldpost.example/k/(\S+)$", result.output, re.MULTILINE)
    assert len(links) == 7
    db = Database(f"sqlite:///{tmp_path / 'fieldpost.db'}")
    viewers = [keys.viewer_by_key(db, key) for _, key in links]
    db.close()
    assert [v.kind for v in viewers] == ["master"] + ["seat"] * 6
    assert {v.battle_id for v in viewers} == {battle[1]}
    assert [v.seat for v in viewers[1:]] == [name for name, _ in links[1:]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("no-such",), "there is no scenario 'no-such'; known are: "),
        (("n" * 300,), "known are: "),
        (("none.yaml",), "No such file"),
        (("visage-and-throne", "--seed", "xyz"), "hexadecimal"),
        (("visage-and-throne", "--zone", "Atlantis/Centre"), "the zone a known one"),
        (("visage-and-throne", "--deadline", "2020-01-01T00:00"), "a moment to come"),
        (("visage-and-throne", "--title", ""), "one line of 1 to 200"),
        (("visage-and-throne", "--ruling", "tie"), "KEY=VALUE"),
        (("visage-and-throne", "--ruling", "gravity=off"), "no ruling 'gravity'; known are: missing-orders, "),
        (("visage-and-throne", "--ruling", "tie=never"), "the ruling tie cannot be 'never'; it is one of: draw, on"),
        (("visage-and-throne", "--hours", "0"), "hours"),
    ],
)
def test_a_mistake_is_told_with_code_2(run: Any, words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert said in result.output


def test_a_scenario_file_with_mistakes_tells_each(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("format: 1\nruleset: cohesion\nkey: own\nboard: 5\n", encoding="utf-8")
    result = run(str(file))
    assert result.exit_code == 2
    assert "has mistakes" in result.output
    assert result.output.count("\n  ") >= 2


def test_a_file_that_is_no_text_is_told_so(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_bytes(b"\xff\xfe\xfa")
    result = run(str(file))
    assert (result.exit_code, "UTF-8" in result.output) == (2, True)
