"""Lines of a text that are no orders: told beside the faults, left out by one press, never anything of an order."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from app.engine.ruleset import Refused
from app.reports.problems import by_line, fault_words
from app.rulesets.cohesion.lexicon import SMALL, lexicon
from app.rulesets.cohesion.textcases import TextCase, read_items
from app.rulesets.cohesion.textorders import read_text
from app.web.ordertext import left_out

CASES = Path(__file__).parents[2] / "cases" / "text-orders"
SEVEN: list[TextCase] = list(
    read_items(YAML(typ="safe", pure=True).load((CASES / "seven.yaml").read_text(encoding="utf-8")))
)
STATE, REQUEST = SEVEN[0].state, SEVEN[0].request
MOST = 2
EN = (
    "LM1 shoot XS1, move B5\nLM2 move E6\nLM3 attack HM2\nLR1 withdraw C11\nCC1 shoot HM2\nPR hold\nHM hold",
    "Move LM1 to B5.\nMove LM2 to E6.\nLM3 fights HM2.\nLight riders withdraw to C11.\nCatapults fire at HM2.\nRest hold.",
)
RU = (
    "ЛМ1 стреляет в C3, идёт в B5\nЛМ2 идёт в E6\nЛМ3 бьёт G5\nЛ.Вс отходит на C11\nКП огонь по G5\nПР стоит\nТМ стоит",
    "Л.М C5 → B5\nЛ.М E5 → E6\nЛ.М G6 атакует G5\nВсадники отходят на C11\nКатапульты бьют по G5\nОстальные стоят",
)
LETTERS = (
    f"Hi all!\nTurn 1 orders\n\n{EN[0]}\n\nBest regards, Leo",
    f"Hello, master!\nHere are my orders for the first turn:\n{EN[1]}\nThanks!\nGeneral Oleg",
    f"Dear GM,\nmy orders for turn 1 (30.11.2026):\n{EN[0]}\nCheers,\nBob",
    f"Good evening\n\nSouth, turn 1\n{EN[1]}\n\nGood luck everyone!\nKind regards,\nAnna",
    f"Greetings from the south!\n{EN[0]}\nHave a nice evening :)",
    f"Привет!\nХод 1\n{RU[0]}\nС уважением, Лев",
    f"Всем привет!\nПриказы на 1-й ход:\n{RU[1]}\nУдачи всем!",
    f"Здравствуйте, мастер!\nВот мои приказы:\n{RU[0]}\nСпасибо!\nОлег",
    f"Доброго времени суток!\nЮг, ход №1\n\n{RU[1]}\n\nС наилучшими пожеланиями,\nАнна",
    f"Добрый вечер\nПервый ход\n{RU[0]}\nПривет сопернику :)\nВсего доброго, Пётр",
)


LISTS = (
    "Привет! Вот мои приказы:\n\nлм с5 стрелять кс.с с3, идти в5\nлм е5 идти е6\nлм g6 бой тм g5\n"
    "л.вс c9 отход c11\n"
    "к.п h9 стрелять тм g5\nпр f8 -\nт.м j7 -\n\nВсем удачи!",
    "Hi all!\nLM1: shoot XS1; move B5 :)\nLM2: move E6\nLM3: fight HM2\nLR1: withdraw C11\n"
    "CC1: shoot HM2\nPR1: -\nHM1: none\n"
    "Cheers, Bob",
    "Ход 1\nСтрельба: ЛМ1 в КсС1, КП в ТМ2\nБлижний бой: ЛМ3 с ТМ2\nДвижение: ЛМ1 в B5, ЛМ2 в E6\n"
    "Отход: ЛВс на C11\nСтоят: ПР, ТМ",
    "SHOOTING\nLM1 > XS1\nCC1 > HM2\nMELEE\nLM3 > HM2\nMOVEMENT\nLM1 > B5\nLM2 > E6\nWITHDRAWAL\nLR1 > C11\nHOLD\nPR1, HM1",
    "Turn 1\n\nUnit | Shooting | Melee | Movement\nLM1 | XS1 | - | B5\nLM2 | - | - | E6\nLM3 | - | HM2 | -\n"
    "LR1 | - | withdraw C11 | -\n"
    "CC1 | HM2 | - | -\nPR1 | - | - | -\nHM1 | - | - | -\n\nRegards, Leo",
    "Первый ЛМ — огонь по КсС1, дв. B5\nВторой ЛМ — дв. E6\nТретий ЛМ — рук. ТМ2\nЛВс отх. C11\nКП стр. ТМ2\nПР, ТМ — нет",
)


def _read(text: str) -> Refused | None:
    try:
        read_text(STATE, REQUEST, text)
    except Refused as refused:
        return refused
    return None


def _asides(text: str) -> tuple[int, ...]:
    refused = _read(text)
    return refused.asides if refused else ()


@pytest.mark.parametrize("text", [*LETTERS, *LISTS, *(case.text for case in SEVEN)])
def test_a_newcomer_s_letter_needs_two_presses_or_edits_at_most(text: str) -> None:
    refused, steps = _read(text), 0
    if refused and refused.asides:
        text, steps = left_out(text, refused.asides), 1
        refused = _read(text)
    assert refused is None or not refused.asides
    steps += len(refused.faults) if refused else 0
    assert steps <= MOST, refused and refused.faults


@pytest.mark.parametrize("text", LISTS)
def test_lists_by_phase_in_tables_and_in_words_mean_the_same(text: str) -> None:
    assert read_text(STATE, REQUEST, left_out(text, _asides(text))) == read_text(STATE, REQUEST, EN[0])


@pytest.mark.parametrize("text", LETTERS)
def test_leaving_out_takes_no_order_away(text: str) -> None:
    body = next(body for body in (*EN, *RU) if body in text)
    left, alone = _read(left_out(text, _asides(text))), _read(body)
    if left is None or alone is None:
        assert left is alone
        assert read_text(STATE, REQUEST, left_out(text, _asides(text))) == read_text(STATE, REQUEST, body)
    else:
        assert [(f.code, f.fragment) for f in left.faults] == [(f.code, f.fragment) for f in alone.faults]


@pytest.mark.parametrize("head", ["On Mon, Nov 30, 2026, the GM wrote:", "Мастер, 30 ноября, писал(а):"])
def test_who_is_quoted_is_told_where_the_quotation_follows(head: str) -> None:
    assert _asides(f"{head}\n> LM1 move B6\nLM1 hold") == (1,)
    assert _asides(f"{head}\nLM1 hold") == ()


@pytest.mark.parametrize(
    "line",
    [
        *("Привет!", "Всем привет!", "Ход 1", "Turn 3 orders", "3rd turn", "Приказы на 1-й ход", "С уважением, Лев"),
        *("Hi all!", "Regards", "Мастер, мои приказы:", "Best regards, Tom", "Turn 1 (30.11.2026)", "⚔⚔⚔"),
        *("Лев Петров, [30.11.2026 20:15]", "Lev, [Nov 30, 2026 at 8:15:03 PM]:", "[20:15, 30 нояб. 2026 г.] Лев:"),
        *("Переслано от Лев", "Forwarded from Lev", "В ответ на сообщение", "Привет) Мой ход:"),
    ],
)
def test_greetings_headings_and_signatures_are_told_and_stay_mistakes(line: str) -> None:
    assert _asides(f"S-LM1 hold\n{line}") == (2,)
    refused = _read(line)
    assert refused is not None
    assert refused.faults


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Ход",
            "ход в 1",
            "LM",
            "L M",
            "C 5",
            "C5",
            "стрелет",
            "Всем",
            "unless it rains",
            "кроме катапульт",
            "LN",
            "Raiders!",
        ),
        *("стойте", "and then home", "7", "[s]Привет[/s]", "[quote]Привет", "нет приказов", "> Привет", "", "the", "S-LM9"),
        *("Лев, [до 20:15]", "[20:15] Лев, если успею", "Ваня, [5:0]", "[3 hold 20:15]", "Лев, 20:15"),
    ],
)
def test_what_may_be_of_an_order_is_never_offered(line: str) -> None:
    assert _asides(f"{line}\nqwzx C5") == ()


def test_below_a_signature_s_line_nothing_is_offered() -> None:
    assert _asides("LM9 hold\n---\nПривет") == ()


TELLING = sorted(
    words[0]
    for phrases in lexicon().phrases.values()
    for words, kind in phrases
    if len(words) == 1 and len(words[0]) > 4 and kind not in SMALL
)
NAMED = [*STATE.units, *(code for kind in STATE.types.values() for code in kind.code.values()), "C5", "К7"]


@st.composite
def slips(draw: st.DrawFn) -> str:
    """A word of orders, a unit, a code or a cell; or one of five letters and more with one letter twice."""
    word = draw(st.sampled_from(TELLING + NAMED))
    if word in NAMED or not draw(st.booleans()):
        return word
    at = draw(st.integers(1, len(word) - 1))
    return word[:at] + word[at - 1] + word[at:]


@settings(max_examples=60, deadline=None)
@given(
    slip=slips(),
    before=st.lists(st.sampled_from(["qwzx", "Олег", "my", "и", "—", ":)"]), max_size=3),
    after=st.lists(st.sampled_from(["qwzx", "Анна", "the", "и", "!"]), max_size=3),
)
def test_no_line_with_anything_of_an_order_or_a_slip_of_it_is_offered(
    slip: str, before: list[str], after: list[str]
) -> None:
    assert 1 not in _asides(" ".join([*before, slip, *after]) + "\nqwzx C5")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_such_a_line_is_one_mistake_where_it_is_shown(language: str) -> None:
    text = "Добрый вечер, qwzx!\nS-LM1 шшшш; S-LM2 шшшш"
    refused = _read(text)
    assert refused is not None
    shown = by_line(refused.faults, refused.asides, text)
    assert [fault.line for fault in shown] == [1, 2, 2]
    assert shown[0].fragment == "Добрый вечер, qwzx!"
    assert ("is no order" if language == "en" else "не приказ") in fault_words(shown[0], language)


@pytest.mark.parametrize(
    ("text", "word"), [("Всем, кроме Л.М C5, стоять", "остальные"), ("All except LM C5 hold", "остальные")]
)
def test_except_is_answered_with_what_to_write_instead(text: str, word: str) -> None:
    refused = _read(text)
    assert refused is not None
    assert "остальные" in fault_words(refused.faults[0], "ru")
    assert refused.asides == ()
