"""No code is without words: the sources are searched for every code that they can give."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from app.engine.ruleset import Fault, Problem, Refused, Request
from app.reports.problems import BARE, FAULTS, PROBLEMS, fault_words, located, words
from app.reports.rules import book
from app.reports.scenariowords import SCENARIO
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.codec import load_state
from app.rulesets.cohesion.orders import Sheet, UnitOrder
from app.rulesets.cohesion.reading import read
from app.scenario.reading import read_scenario
from tests.reports.turns import ROOT

LANGUAGES = ("en", "ru")
ROOMS = ("engine", "rulesets", "scenario", "referee")
_MAKERS = {"Problem", "wrong", "stop", "_wrong"}
"""Functions whose first or second argument is the code of a problem."""


def calls() -> Iterator[tuple[str, ast.Call | ast.Return]]:
    for room in ROOMS:
        for file in sorted((ROOT / "app" / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) or (isinstance(node, ast.Return) and file.name == "checking.py"):
                    yield file.name, node


def codes() -> set[str]:
    """Every code of a problem that stands in the sources."""
    found: set[str] = set()
    for file, node in calls():
        if isinstance(node, ast.Return):
            if isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
                found |= constants(node.value.elts[:1])
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _MAKERS and file != "logbook.py":
            found |= {code for code in constants(node.args[:2]) if re.fullmatch(r"[a-z]+(-[a-z]+)*", code)}
        elif name == "_problem":  # checking.py: a pair of code and parameters
            found |= {code for arg in node.args if isinstance(arg, ast.Tuple) for code in constants(arg.elts[:1])}
    return found


def constants(nodes: list[ast.expr]) -> set[str]:
    """Texts among the arguments, those on both branches of a choice included."""
    return {
        part.value
        for node in nodes
        for part in ([node.body, node.orelse] if isinstance(node, ast.IfExp) else [node])
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def test_the_search_finds_what_it_should() -> None:
    found = codes()
    assert len(found) > 70
    assert {"out-of-range", "same-cell", "cell-held-now", "not-a-cell", "tab", "duplicate-key", "no-dice"} <= found


def test_every_code_in_the_sources_has_words() -> None:
    known = {*PROBLEMS, *SCENARIO}
    assert codes() - known == set()


def test_no_words_for_codes_that_nobody_gives() -> None:
    assert {*PROBLEMS, *SCENARIO} - codes() == set()
    assert set(BARE) <= set(PROBLEMS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted({*PROBLEMS, *SCENARIO}))
def test_a_code_is_told_even_without_its_parameters(code: str, language: str) -> None:
    told = words(Problem(code), language)
    assert "%" not in told
    assert told[-1] in ".)"
    assert bool(re.search("[а-яё]", told)) == (language == "ru")
    if code in PROBLEMS:
        assert f"({code})" not in told, "no sentence fits a problem without parameters"


def test_the_codes_of_the_rules_have_words() -> None:
    source = book("en", "cohesion").source
    listed = source[source.index("Codes for what is refused") : source.index("A unit's order with a refused part")]
    named = set(re.findall(r"`([a-z-]+)`", listed))
    assert len(named) == 20
    assert named <= set(PROBLEMS)


STATE = load_state(
    {
        "board": {
            "size": "9x9",
            "home": {"north": "top", "south": "bottom"},
            "terrain": {"E6": "impassable", "C6": "rough"},
        },
        "units": {
            "S1": {"type": "LM", "side": "south", "at": "D5"},
            "S2": {"type": "HM", "side": "south", "at": "D6"},
            "S3": {"type": "XS", "side": "south", "at": "A9"},
            "S4": {"type": "HM", "side": "south", "at": "B9", "cohesion": 0},
            "S5": {"type": "LR", "side": "south", "at": "I9"},
            "N1": {"type": "HM", "side": "north", "at": "A5"},
            "N2": {"type": "HM", "side": "north", "at": "I8"},
        },
    }
)
SOUTH = Request(id="south", seat="south", kind="orders")
ORDERS = {
    "S1": (UnitOrder(melee="N1", move=("D4",)), "melee", "N1 is not adjacent (distance 3)", "расстояние 3"),
    "S2": (UnitOrder(shoot="N1"), "shoot", "This unit does not shoot.", "не стреляет"),
    "S3": (UnitOrder(shoot="N1"), "shoot", "distance 4, range 3", "расстояние 4, дальность 3"),
    "S4": (UnitOrder(move=("B8",)), "unit", "S4 is uncontrolled (cohesion 0)", "неуправляем"),
    "S5": (UnitOrder(withdraw="I7"), "withdraw", "no cell behind it is free", "позади нет свободной клетки"),
}


@pytest.mark.parametrize("unit", ORDERS)
def test_a_refusal_says_what_is_wrong_with_its_numbers(unit: str) -> None:
    order, part, english, russian = ORDERS[unit]
    (problem,) = (p for p in check(STATE, SOUTH, Sheet({unit: order})) if not p.warning)
    assert problem.field == (unit, part)
    assert english in words(problem, "en")
    assert russian in words(problem, "ru")


@pytest.mark.parametrize(
    ("order", "english"),
    [
        (UnitOrder(move=("D4", "D3", "D2")), "steps 3, speed 2"),
        (UnitOrder(move=("D4", "H1")), "between D4 and H1"),
        (UnitOrder(move=("Z9",)), "Z9 is not on the board"),
        (UnitOrder(move=("E5", "E6")), "E6 is impassable"),
        (UnitOrder(move=("C6", "B6")), "A move that enters C6 must end there"),
        (UnitOrder(withdraw="D4"), "It cannot withdraw to D4. It may withdraw to: "),
        (UnitOrder(move=("D6",)), "D6 is held by S2 now."),
    ],
)
def test_a_path_says_which_cell_is_wrong(order: UnitOrder, english: str) -> None:
    (problem,) = check(STATE, SOUTH, Sheet({"S1": order}))
    assert english in words(problem, "en")
    assert "%" not in words(problem, "ru")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "fields",
    [
        "no",
        {"S1": 3},
        {"S1": {"jump": "C3"}},
        {"S1": {"shoot": 5}},
        {"S1": {"move": "over there"}},
        {"S1": {"move": 7}},
        {"": {}},
    ],
)
def test_malformed_fields_are_told(fields: object, language: str) -> None:
    with pytest.raises(Refused) as refused:
        read(STATE, SOUTH, fields)
    for problem in refused.value.problems:
        told = words(problem, language)
        assert problem.code not in told
        assert "%" not in told


def test_a_mistake_in_a_scenario_file_is_told_with_its_place() -> None:
    text = (ROOT / "scenarios" / "cohesion" / "first-skirmish.yaml").read_text(encoding="utf-8")
    broken = text.replace("format: 1", "format: 7").replace("goal:", "gaol:")
    problems = read_scenario(broken).problems
    told = [located(problem, "en") for problem in problems]
    assert any(re.match(r"line \d+, column \d+, format: The format is 7; this program reads format 1\.", t) for t in told)
    assert any("gaol: This key is not known. Known here: format, ruleset" in line for line in told)
    assert any("goal: This is missing. Add it." in line for line in told)
    assert all(re.search("[а-яё]", located(problem, "ru")) for problem in problems)
    assert located(Problem("missing-key", (), {"key": "title"}), "en") == "title: This is missing. Add it."
    assert located(Problem("empty-file", (), {"key": "", "line": 1, "column": 1}), "en").startswith("line 1, column 1: The")


def test_the_same_code_is_told_otherwise_in_orders_and_in_a_scenario() -> None:
    order = Problem("off-board", ("S1", "move"), {"unit": "S1", "cell": "Z9"})
    scenario = Problem("off-board", (), {"key": "units.A.at", "cell": "Z9", "columns": 9, "rows": 9, "last": "I9"})
    assert words(order, "en") == "Z9 is not on the board. Name cells of the board."
    assert words(scenario, "en") == "Z9 is not on the board, which has 9 columns and 9 rows (last cell I9)."


def test_words_of_players_are_cleaned_and_never_read_as_holes() -> None:
    problem = Problem("not-a-cell", ("S1", "move"), {"unit": "S1", "value": "%(cell)s 100%\u202e\nx"})
    assert words(problem, "en") == "%(cell)s 100% x is not a cell. A cell is letters and a number, as C4."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_in_a_text_is_told_with_its_place_and_candidates(code: str, language: str) -> None:
    told = fault_words(Fault(code, 3, 5, "стрелет" * 20, ("стреляет", "стоит")), language)
    assert ("Line 3: " if language == "en" else "Строка 3: ") in told
    assert "стрелетстрелет" in told
    assert "…" in told
    assert told.endswith("стреляет, стоит.")
    assert "%" not in told


def test_only_what_nothing_is_suggested_for_is_taken_for_a_greeting() -> None:
    slip, word = (Fault("unknown-word", 3, 5, "mvoe", candidates) for candidates in (("move",), ()))
    assert fault_words(slip, "en") == "Line 3: “mvoe” is not understood. Perhaps: move."
    assert fault_words(slip, "en", alone=True) == "“mvoe” is not understood."
    assert "quote" in fault_words(word, "en", alone=True)


def test_every_fault_of_the_grammar_has_words() -> None:
    source = (ROOT / "docs" / "text-orders.md").read_text(encoding="utf-8")
    listed = source[source.index("- Refused, with line") : source.index("What is well formed")]
    assert set(re.findall(r"`([a-z-]+)`", listed)) == set(FAULTS)
    used = {
        code
        for file in (ROOT / "app" / "rulesets" / "cohesion").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "flaw"
        for code in constants(node.args[:1])
    }
    assert used <= set(FAULTS)
    assert len(used) > 3


@pytest.mark.parametrize(
    ("why", "en", "ru"),
    [
        ("each", "“C6 and D6”: who goes where?", "«C6 and D6» — кто куда идёт?"),
        ("last", "“C6 and D6”: which cell is the last?", "«C6 and D6» — какая клетка последняя?"),
    ],
)
def test_what_is_unclear_of_cells_is_not_said_of_units(why: str, en: str, ru: str) -> None:
    fault = Fault("ambiguous", 2, 1, "C6 and D6", why=why)
    assert fault_words(fault, "en", alone=True).startswith(en)
    assert fault_words(fault, "ru", alone=True).startswith(ru)
