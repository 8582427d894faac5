"""Russian sentences with a unit in them agree with whatever gender it has: by a context of each, or by the word «отряд»."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from app.language import AREAS
from app.rulesets.cohesion.types import unit_types

RU = Path(__file__).parents[2] / "app" / "language" / "ru"
UNIT = re.compile(r"(?<!\w)%\((?:unit|units|other|others|target|holder|by|winner|attacker)\)s")
MALE = re.compile(
    r"\b(?:\w*(?:битый|гнут|мещён|правлен|ерян|хвачен|йман)|разбит|погиб|ушёл|дошёл|отошёл|остался|неуправляемый|который|тот|его|него|"
    r"ним|сам|один|готов|занят)\b",
    re.IGNORECASE,
)
NOUN = re.compile(r"\b(?:отряд|враг|противник|командир|мастер)", re.IGNORECASE)


def sentences() -> list[tuple[str, str, str]]:
    """Area, context, and each Russian form of each sentence with a unit in it."""
    found = []
    for area in AREAS:
        with (RU / f"{area}.po").open("rb") as file:
            for message in read_po(file):
                forms = message.string if isinstance(message.string, tuple) else (message.string,)
                found += [(area, message.context or "", form) for form in forms if form and UNIT.search(form)]
    return found


@pytest.mark.parametrize("area", ["reports", "problems", "plan", "unit", "judgement", "field", "web"])
def test_what_is_said_of_a_unit_holds_for_each_gender(area: str) -> None:
    wrong = [
        form
        for where, context, form in sentences()
        if where == area and context not in ("m", "f", "n") and MALE.search(form) and not NOUN.search(form)
    ]
    assert wrong == []


def test_a_sentence_of_one_gender_has_the_other_two() -> None:
    for area in AREAS:
        with (RU / f"{area}.po").open("rb") as file:
            told: dict[str, set[str]] = {}
            for message in read_po(file):
                if message.context in ("m", "f", "n"):
                    told.setdefault(str(message.id), set()).add(message.context)
        assert all(genders == {"m", "f", "n"} for genders in told.values()), area


def test_each_shipped_type_is_of_the_gender_of_its_name() -> None:
    ends = {"m": r"(отряд|шагоход)", "f": r"\w+[ая]", "n": r"\w+[ое]"}
    for kind in unit_types().values():
        assert re.search(rf"\b{ends[kind.gender]}\b", kind.name["ru"]), kind.name["ru"]
