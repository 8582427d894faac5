"""`fieldpost play`: battles of programs."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from typer.testing import CliRunner, Result

from app.cli import play
from app.engine.dice import SeededDice
from app.rulesets.registry import RULESETS

RULES = RULESETS["cohesion"]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def run() -> Any:
    line = typer.Typer()
    play.register(line)
    return lambda *words: CliRunner().invoke(line, [*map(str, words)])


def objects(result: Result) -> list[Any]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_battle_is_told_turn_by_turn_to_its_end(run: Any) -> None:
    result = run("first-skirmish", "--seed", "01")
    assert result.exit_code == 0
    turns = [int(number) for number in re.findall(r"^Turn (\d+)$", result.stdout, re.MULTILINE)]
    assert turns == list(range(1, len(turns) + 1))
    assert "Movement\n--------" in result.stdout
    assert result.stdout.rstrip().splitlines()[-1].startswith("winner: ")


def test_the_same_seed_tells_the_same_battle(run: Any) -> None:
    one, other = run("first-skirmish", "--seed", "0A"), run("first-skirmish", "--seed", "0a")
    assert one.stdout == other.stdout
    assert one.stdout != run("first-skirmish", "--seed", "0b").stdout


def test_without_a_seed_a_new_one_is_told_and_gives_the_same_battle(run: Any) -> None:
    first = run("first-skirmish", "-q")
    seed = re.search(r"seed ([0-9a-f]{16})\n", first.stdout)
    assert seed is not None
    assert run("first-skirmish", "-q", "--seed", seed[1]).stdout == first.stdout
    assert run("first-skirmish", "-q").stdout != first.stdout


def test_a_report_is_told_in_russian(run: Any) -> None:
    result = run("first-skirmish", "--seed", "01", "--lang", "ru", "--quiet")
    assert "играют программы" in result.stdout
    assert "Ход 1\n=====" in result.stdout
    assert re.search(r"победитель: .+, сыграно: \d+ ход", result.stdout)


def test_json_tells_all_by_which_each_turn_plays_again(run: Any) -> None:
    *turns, battle = objects(run("first-skirmish", "--seed", "01", "--json"))
    assert battle == {
        "battle": 1,
        "seed": "01",
        "turns": len(turns),
        "winner": battle["winner"],
        "points": turns[-1]["after"]["points"],
    }
    assert battle["winner"] in {"north", "south", "draw"}
    for turn in turns:
        state = RULES.load_state(turn["before"])
        after = RULES.evolve(state, [RULES.load_event(event) for event in turn["events"]])
        assert RULES.dump_state(after) == turn["after"]
    assert all(one["after"] == other["before"] for one, other in pairwise(turns))


def test_of_many_battles_each_result_and_the_sum_are_told(run: Any) -> None:
    result = run("first-skirmish", "--seed", "01", "--battles", 12)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert [line.split(".")[0] for line in lines[:12]] == [str(n) for n in range(1, 13)]
    assert lines[13] == "12 battles:"
    counts = [int(line.split()[0]) for line in lines[14:-1]]
    assert sum(counts) == 12
    assert lines[-1].startswith("Turns: from ")


def test_of_many_battles_each_can_be_had_again_by_its_seed(run: Any) -> None:
    many = objects(run("first-skirmish", "--seed", "01", "--battles", 4, "--json"))
    assert [battle["battle"] for battle in many] == [1, 2, 3, 4]
    assert many[0]["seed"] == "01"
    assert len({battle["seed"] for battle in many}) == 4
    alone = objects(run("first-skirmish", "--seed", many[2]["seed"], "--json"))[-1]
    assert alone == {**many[2], "battle": 1}


def test_quiet_tells_of_many_battles_the_sum_alone(run: Any) -> None:
    result = run("first-skirmish", "--seed", "01", "--battles", 3, "--quiet", "--lang", "ru")
    assert result.stdout.splitlines()[1] == "3 битвы:"


def test_a_battle_that_is_broken_off_ends_with_code_1(run: Any) -> None:
    result = run("first-skirmish", "--seed", "01", "--turns", 2, "--quiet")
    assert result.exit_code == 1
    assert result.stdout.rstrip().splitlines()[-1].startswith("broken off after 2 turns; ")
    assert "broken off" in run("first-skirmish", "--seed", "01", "--turns", 1, "--battles", 2, "--quiet").stdout


def test_a_scenario_file_is_played_as_well(run: Any) -> None:
    file = ROOT / "scenarios/cohesion/first-skirmish.yaml"
    assert run(file, "--seed", "01").stdout == run("first-skirmish", "--seed", "01").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such"], "there is no scenario 'no-such'; known are: first-skirmish, visage-and-throne"),
        (["no-such.yaml"], "no-such.yaml: No such file"),
        (["first-skirmish", "--seed", "xyz"], "a seed is written in hexadecimal digits"),
        (["first-skirmish", "--seed", ""], "a seed is written in hexadecimal digits"),
        (["first-skirmish", "--seed", "00" * 65], "64 bytes at most"),
    ],
)
def test_what_cannot_be_used_is_told_with_code_2(run: Any, words: list[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_file_with_mistakes_is_told_them_all(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("format: 1\nruleset: cohesion\ngoal: none\n", encoding="utf-8")
    result = run(file)
    assert result.exit_code == 2
    assert f"{file} has mistakes:" in result.stderr.replace("\n", "")
    assert "line 3, column 7, goal: " in result.stderr
    assert "units: " in result.stderr


def test_the_first_dice_are_those_of_the_seed(run: Any) -> None:
    """The dice of a step are SeededDice of HMAC-SHA-256(seed, "step N")."""
    import hmac

    turns = objects(run("first-skirmish", "--seed", "01", "--json"))[:-1]
    rolled = next(turn for turn in turns if turn["dice"])
    dice = SeededDice(hmac.digest(b"\x01", f"step {rolled['turn']}".encode(), "sha256"))
    address, faces = next((address, faces) for address, faces in rolled["dice"].items() if address.endswith("attack"))
    assert dice.roll(address, len(faces)) == tuple(faces)


def test_every_sentence_has_its_russian_and_every_plural_its_three_forms() -> None:
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2)}
    told = {
        found[1] if isinstance(found[1], str) else found[1][0]
        for found in extract_from_file("python", ROOT / "app/cli/play.py", keywords=keywords)
    }
    with (ROOT / "app/language/ru/cli.po").open("rb") as file:
        catalogue = read_po(file, locale="ru")
    assert len(told) > 8
    for text in told:
        message = catalogue.get(text)
        assert message is not None, text
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(forms)
        assert len(forms) == (3 if message.pluralizable else 1)
        assert not list(message.check(catalogue))
