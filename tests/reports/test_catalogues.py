from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import app.language
from tests.reports.messages import Message, messages

RU = Path(app.language.__file__).parent / "ru"
AREAS = ("reports", "problems")
HOLE = re.compile(r"%\(\w+\)s")


def catalogue(area: str) -> Catalog:
    with (RU / f"{area}.po").open("rb") as source:
        return read_po(source, locale="ru", abort_invalid=True)


@pytest.mark.parametrize("area", AREAS)
def test_every_sentence_of_the_sources_has_its_russian(area: str) -> None:
    """In its own catalogue, or in that of the part of the house which says it first."""
    said = list(messages(area))
    assert len(said) > 100
    known = [catalogue(area), *(catalogue(file.stem) for file in sorted(RU.glob("*.po")) if file.stem != area)]
    for message in said:
        found = next((there for one in known if (there := one.get(message.text, context=message.context))), None)
        assert found is not None, message
        assert not found.fuzzy, message
        forms = found.string if isinstance(found.string, tuple) else (found.string,)
        assert len(forms) == (1 if message.many is None else 3), message
        for form in forms:
            assert form, message
            assert wanted(message) <= set(HOLE.findall(form)) <= wanted(message) | {"%(num)s"}, message


@pytest.mark.parametrize("area", AREAS)
def test_nothing_is_translated_that_nobody_says(area: str) -> None:
    said = {(message.context, message.text) for message in messages(area)}
    for found in catalogue(area):
        if found.id:
            text = found.id if isinstance(found.id, str) else found.id[0]
            assert (found.context, text) in said, found.id


def test_sources_say_sentences_that_can_be_read_from_them() -> None:
    texts = {message.text for area in AREAS for message in messages(area)}
    assert "%(unit)s is destroyed." in texts
    assert "upper %(change)s" in texts
    assert {m.context for m in messages("reports") if m.text == "%(unit)s is destroyed."} == {"m", "f", "n"}
    assert {m.context for m in messages("reports") if m.text == "strength"} == {None, "of"}


def wanted(message: Message) -> set[str]:
    """The holes that every form must have; the number itself may be told by the form."""
    return set(HOLE.findall(message.text)) - ({"%(num)s"} if message.many is not None else set())
