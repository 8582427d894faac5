"""Orders as text: the cases, the way there and back for any legal order, hostile texts, the words themselves."""

import ast
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from app.engine.ruleset import Refused, Request
from app.rulesets.cohesion import checking, grammar, partreader, phases, tables, textorders, unitfinder, unitnames
from app.rulesets.cohesion.canonical import write_text
from app.rulesets.cohesion.checking import check
from app.rulesets.cohesion.codec import load_state
from app.rulesets.cohesion.lexicon import KINDS, LANGUAGES, PARTS, Lexicon, fold, lexicon, plain
from app.rulesets.cohesion.orderform import choose, moves_after_withdrawal, options
from app.rulesets.cohesion.orders import HOLD, Sheet, UnitOrder
from app.rulesets.cohesion.textcases import read_items, run
from app.rulesets.cohesion.textorders import read_text
from tests.rulesets.cohesion.random_battles import SEATS, random_state

CASES = Path(__file__).parents[2] / "cases" / "text-orders"
CODES = {"unknown-word", "unknown-unit", "ambiguous", "mismatch", "not-a-cell", "unit-twice", "part-twice", "no-unit"}
SOUTH = Request(id="south", seat="south", kind="orders")


def cases():
    for file in sorted(CASES.glob("*.yaml")):
        for index, case in enumerate(read_items(YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8")))):
            yield pytest.param(case, id=f"{file.stem}-{index}")


def battle(**units):
    """Units of the south by `C5="LM"` and of the north by `c3="XS"`, on 12x12."""
    placed = {}
    for cell, kind in units.items():
        side = "south" if cell[0].isupper() else "north"
        placed[f"{side[0].upper()}-{kind}{len(placed) + 1}"] = {"type": kind, "side": side, "at": cell.upper()}
    return load_state({"board": {"size": "12x12"}, "units": placed})


BATTLE = battle(C5="LM", E5="LM", C9="LR", H9="CC", c3="XS", c4="HM")


def faults(text, state=BATTLE):
    with pytest.raises(Refused) as refused:
        read_text(state, SOUTH, text)
    return refused.value.faults


@pytest.mark.parametrize("case", list(cases()))
def test_each_case_comes_out_as_its_file_says(case):
    result = run(case)
    assert result.ok, f"{case.text!r}: {result.orders if result.errors is None else result.errors}"


def codes_in(module, *, calls):
    """The codes that a module names: first texts of these calls, and of what it returns as `(code, parameters)`."""
    found = set()
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        values = node.args[:1] if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in calls else ()
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            values = node.value.elts[:1]
        texts = [piece for value in values for piece in ast.walk(value)]
        found |= {p.value for p in texts if isinstance(p, ast.Constant) and isinstance(p.value, str) and len(p.value) > 5}
    return found


def test_each_code_of_the_reading_has_cases():
    told = [error["code"] for case in (p.values[0] for p in cases()) for error in case.errors or ()]
    assert len(list(cases())) >= 150 + 14
    assert set(told) == CODES
    assert min(told.count(code) for code in CODES) >= 4
    assert (
        codes_in(grammar, calls={"flaw"})
        | codes_in(partreader, calls={"flaw"})
        | codes_in(phases, calls={"flaw"})
        | codes_in(tables, calls={"flaw"})
        | codes_in(unitnames, calls={"flaw"})
        | codes_in(textorders, calls={"flaw", "_told"})
        | codes_in(unitfinder, calls={"flaw", "_told"})
        <= CODES
    )


def test_each_code_of_the_check_is_met_by_a_text():
    refused = {code for p in cases() for parts in (p.values[0].refused or {}).values() for code in parts.values()}
    told_by_the_reading = {"unknown-unit", "target-gone", "off-board"}  # cases of these are marked so in refused.yaml
    given = (CASES / "refused.yaml").read_text(encoding="utf-8")
    marked = {case["note"] for item in YAML(typ="safe", pure=True).load(given) for case in item["cases"] if "note" in case}
    assert marked == told_by_the_reading
    assert refused | marked == {code for code in codes_in(checking, calls={"Problem"}) if code != "same-cell"}


def test_orders_for_seven_units_written_by_heart_need_two_corrections_at_most():
    item = YAML(typ="safe", pure=True).load((CASES / "seven.yaml").read_text(encoding="utf-8"))[0]
    assert len(item["seat_units"]) == 7
    assert len(item["cases"]) >= 10
    for case in item["cases"]:
        assert len(case.get("errors", ())) <= 2, case["text"]
        named = case.get("orders", {unit: {} for unit in item["seat_units"]})
        assert set(named) == set(item["seat_units"]), case["text"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_canonical_text_is_the_one_of_the_examples(language):
    sheet = Sheet(
        {
            "S-LM1": UnitOrder(shoot="N-XS5", melee="N-HM6", move=("B5",)),
            "S-LM2": HOLD,
            "S-LR3": UnitOrder(withdraw="C11", move=("C10", "D10")),
        }
    )
    assert (
        write_text(BATTLE, SOUTH, sheet, language)
        == {
            "en": "LM C5: shoot XS C3; melee HM C4; move B5\nLM E5: hold\nLR C9: withdraw C11; move C10-D10",
            "ru": "Л.М C5: стреляет в Кс.С C3; бьётся с Т.М C4; движется в B5\n"
            "Л.М E5: стоит\nЛ.Вс C9: отходит на C11; движется C10-D10",
        }[language]
    )


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    layout=st.sampled_from(["pointy", "flat"]),
    columns=st.integers(3, 24),
    rows=st.integers(3, 24),
)
def test_any_sheet_of_random_play_is_read_back_from_its_text(seed, layout, columns, rows):
    # the ids of these battles (S12, N3) look like cells, which the canonical text must survive
    chance = Random(seed)
    state = random_state(chance, columns=columns, rows=rows, units=40, layout=layout)
    for seat in SEATS:
        request = Request(id=seat, seat=seat, kind="orders")
        sheet = choose(state, request, chance.randrange)
        for language in LANGUAGES:
            assert read_text(state, request, write_text(state, request, sheet, language)) == sheet


@settings(max_examples=40, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_any_legal_order_of_a_unit_is_read_back_from_its_text(data, seed):
    state = random_state(Random(seed), columns=11, rows=11, units=30, wild=0.3)
    seat = data.draw(st.sampled_from(sorted(SEATS)))
    request = Request(id=seat, seat=seat, kind="orders")
    orders = {}
    for may in options(state, request):
        if state.units[may.id].cohesion == 0:
            continue
        withdraw = data.draw(st.sampled_from([None, *may.withdraw]))
        moves = moves_after_withdrawal(state, may.id, withdraw) if withdraw else may.move
        order = UnitOrder(
            shoot=data.draw(st.sampled_from([None, *may.shoot])),
            melee=None if withdraw else data.draw(st.sampled_from([None, *may.melee])),
            withdraw=withdraw,
            move=data.draw(st.sampled_from([(), *moves])),
        )
        if not any(not p.warning for p in check(state, request, Sheet({may.id: order}))):
            orders[may.id] = order
    for language in LANGUAGES:
        text = write_text(state, request, Sheet(orders), language)
        assert read_text(state, request, text) == Sheet(orders), text


def test_a_longer_way_than_the_shortest_is_read_back_as_it_was_drawn():
    sheet = Sheet({"S-LR3": UnitOrder(move=("D9", "D8", "C8"))})
    for language in LANGUAGES:
        assert read_text(BATTLE, SOUTH, write_text(BATTLE, SOUTH, sheet, language)) == sheet


def test_what_is_not_there_is_written_by_its_id():
    assert write_text(BATTLE, SOUTH, Sheet({"S-XX9": UnitOrder(shoot="N-YY9")}), "de") == "S-XX9: shoot N-YY9"


def test_a_code_that_would_be_misread_is_left_out_of_the_canonical_text():
    odd = msgspec.structs.replace(BATTLE.types["LM"], code={"en": "move", "ru": "C4"})
    state = msgspec.structs.replace(BATTLE, types={**BATTLE.types, "LM": odd})
    for language in LANGUAGES:
        text = write_text(state, SOUTH, Sheet({"S-LM1": HOLD}), language)
        assert text.startswith("C5: ")
        assert read_text(state, SOUTH, text) == Sheet({"S-LM1": HOLD})


def test_own_types_are_known_by_their_own_codes():
    own = msgspec.structs.replace(BATTLE.types["LM"], code={"en": "T-34", "ru": "Ы.Ы"}, name={"en": "own", "ru": "своё"})
    units = {**BATTLE.units, "S-LM1": msgspec.structs.replace(BATTLE.units["S-LM1"], type="own-type")}
    state = msgspec.structs.replace(BATTLE, types={**BATTLE.types, "own-type": own}, units=units)
    for text in ("T-34 C5: hold", "ыы c5 стоит", "Ы.Ы стоит"):
        assert read_text(state, SOUTH, text) == Sheet({"S-LM1": HOLD})


def test_nothing_that_an_accepted_text_names_is_lost():
    pieces = ("S-LM1", "LM C5", "LM E5", "LR", "C5", "XS C3", "HM", "B5", "E6", "C11", "C8", "light riders")
    pieces += (
        "shoot",
        "melee",
        "withdraw",
        "move",
        "hold",
        "to",
        "->",
        "-",
        ",",
        ";",
        ":",
        "and",
        "then",
        "the",
        "\n",
        "at",
        "в",
        "на",
        "shooting:",
        "moves:\n",
        "first",
        "|",
        "Unit | Shoot | Move\n",
    )
    places = {"XS C3": "C3", "HM": "C4", "B5": "B5", "E6": "E6", "C11": "C11", "C8": "C8"}
    chance, accepted = Random(5), 0
    for _ in range(2500):
        said = [chance.choice(pieces) for _ in range(chance.randint(3, 7))]
        try:
            sheet = read_text(BATTLE, SOUTH, " ".join(said))
        except Refused:
            continue
        accepted += 1
        told = write_text(BATTLE, SOUTH, sheet, "en")
        assert all(place in told for piece, place in places.items() if piece in said), (said, told)
    assert accepted > 40


def test_a_text_with_any_fault_keeps_nothing_and_tells_all_in_order():
    told = faults("LM C5: hold\nfoo\nLM E5: move Z9; bar")
    assert [(f.line, f.column, f.fragment) for f in told] == [(2, 1, "foo"), (3, 13, "Z9"), (3, 17, "bar")]


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("Л.М C5 стрелет", ("стреляет",)),
        ("Л.М C5 бьеться с C4", ("бьётся",)),
        ("LM C5 shooot C3", ("shoot",)),
        ("LM C5 xyzzy", ()),
        ("LM C5 plese hold", ()),
        ("LM C5 mustt hold", ()),
        ("ДЬ1 hold", ("LM1",)),
        ("KV1 стоит", ("ЛМ1",)),
        ("LM C5 ыещз", ("stop",)),
        ("Л.М C5 cnjbn", ("стоит",)),
        ("LM hold", ("S-LM1", "S-LM2")),
        ("S-LM8 hold", ("S-LM2", "S-LM1")),
        ("LM Б5 hold", ("B5",)),
        ("LM C 5 hold", ("S-LM1", "S-LM2")),
        ("S-LM-1 hold", ("S-LM1",)),
        ("S-HM6 hold", ()),
        ("N-LM1 C5", ("S-LM1",)),
        ("S-LM1 shoot S-XS5", ("N-XS5",)),
        ("Ю-ЛМ1 стоит", ("S-LM1",)),
        ("ML C5 hold", ("LM",)),
        ("LM C5: charge C4", ("melee", "move")),
        ("Л.Вс отступает на C11", ("отходит", "движется")),
        ("LM C5", ("shoot", "melee", "withdraw", "move", "hold")),
        ("Л.М C5", ("стреляет", "бьётся", "отходит", "движется", "стоит")),
    ],
)
def test_candidates_are_named_and_never_taken(text, candidates):
    assert faults(text)[0].candidates == candidates


def test_no_word_means_two_things():
    words = lexicon()
    meanings = {}
    for told in words.phrases.values():
        for phrase, kind in told:
            assert meanings.setdefault(phrase, kind) == kind, phrase


def test_words_of_both_alphabets_that_look_alike_do_not_clash_when_mixed():
    words = lexicon()
    looks = {}
    for first in words.phrases:
        if set(first) - set(fold(first)) and set(first) & set(fold(first)):
            assert looks.setdefault(fold(first), first) == first


def test_words_are_written_lower_case_without_yo_and_canonical_ones_are_known():
    words = lexicon()
    for told in words.phrases.values():
        for phrase, _ in told:
            assert all(word == plain(word) for word in phrase)
    for language in LANGUAGES:
        assert set(words.write[language]) == {"shoot", "melee", "withdraw", "step", "path", "hold"}


def test_another_language_is_data():
    data = {language: {kind: [] for kind in KINDS} | {"write": {}, "hints": {}, "endings": []} for language in LANGUAGES}
    for language in LANGUAGES:
        for part in PARTS:
            data[language][part] = [f"{part}-{language}"]
    words = Lexicon({**data, "spelling": {}, "fleeting": {}})
    assert words.phrases["shoot-en"] == [(("shoot-en",), "shoot")]


@pytest.mark.parametrize(
    ("text", "why"), [("C5 and E5 move to C6 and D6", "each"), ("C5 moves to D6 D7 via C6", "last"), ("LM holds", "")]
)
def test_what_is_ambiguous_of_cells_says_so(text: str, why: str) -> None:
    assert [(fault.code, fault.why) for fault in faults(text)] == [("ambiguous", why)]
