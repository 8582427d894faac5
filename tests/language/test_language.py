from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import app.language
from app.language import AREAS, chosen, pick, translated, translator

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FOLDER = Path(app.language.__file__).parent


@pytest.mark.parametrize(
    ("accepted", "kept", "language"),
    [
        ("", "", "en"),
        (None, "", "en"),
        ("ru", "", "ru"),
        ("ru-RU,ru;q=0.9,en;q=0.8", "", "ru"),
        ("de,en;q=0.5,ru;q=0.7", "", "ru"),
        ("en-US,en;q=0.9,ru;q=0.8", "", "en"),
        ("ru;q=0", "", "en"),
        ("ru;q=x", "", "en"),
        ("ru", "en", "en"),
        ("en", "ru", "ru"),
        ("ru", "klingon", "ru"),
        (";;;,,,q=", "", "en"),
    ],
)
def test_the_reader_is_served_in_his_language(accepted: str | None, kept: str, language: str) -> None:
    assert chosen(accepted, kept) == language


def test_moments_are_told_in_a_zone() -> None:
    assert translator("en").moment(NOON, "Europe/Moscow") == "30 November 2026, 15:00"
    assert translator("ru").moment(NOON, "Europe/Moscow") == "30 ноября 2026, 15:00"
    assert translator("ru").zone("Europe/Moscow", NOON) == "Москва, UTC+3"
    assert translator("en").zone("Asia/Kolkata", NOON) == "Kolkata, UTC+5:30"
    assert translator("en").zone("UTC", NOON) == "UTC"


def test_a_text_of_a_scenario_falls_back_to_another_language() -> None:
    assert pick({"en": "North", "ru": "Север"}, "ru") == "Север"
    assert pick({"en": "North"}, "ru") == "North"
    assert pick({"ru": "Север"}, "en") == "Север"
    assert pick({}, "en") == pick(None, "en") == ""


def test_a_sentence_that_nobody_translated_stays_as_it_is() -> None:
    assert translated("No such sentence 100%", "ru") == "No such sentence 100%"


def test_a_language_that_is_not_spoken_here_is_english() -> None:
    assert translator("tlh").language == "en"


@pytest.mark.parametrize("area", AREAS)
def test_every_message_of_a_catalogue_is_whole(area: str) -> None:
    """Translated, with three forms where a number stands, and with the parameters of its English sentence."""
    with (FOLDER / "ru" / f"{area}.po").open("rb") as source:
        catalogue = read_po(source, locale="ru", abort_invalid=True)
    for message in catalogue:
        if not message.id:
            continue
        originals = [message.id] if isinstance(message.id, str) else list(message.id)
        forms = [message.string] if isinstance(message.string, str) else list(message.string)
        assert not message.fuzzy, message.id
        assert len(forms) == (1 if isinstance(message.id, str) else 3), message.id
        wanted = _parameters(originals[-1])
        for form in forms:
            assert form, message.id
            assert _parameters(form) <= wanted | _parameters(originals[0]), form
            assert wanted - {"num"} <= _parameters(form), form


def test_no_two_areas_translate_one_sentence_differently() -> None:
    seen: dict[object, tuple[str, object]] = {}
    for area in AREAS:
        with (FOLDER / "ru" / f"{area}.po").open("rb") as source:
            for message in read_po(source, locale="ru"):
                if message.id:
                    key = (message.context, str(message.id))
                    kept = seen.setdefault(key, (area, message.string))
                    assert kept[1] == message.string, f"{message.id!r}: {kept[0]} and {area} differ"


def _parameters(text: str) -> set[str]:
    return set(re.findall(r"%\((\w+)\)", text))
