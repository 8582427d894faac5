"""The orders that counted, in every format: each canonical line is there, and can be read back as orders."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from app.engine.play import pick_from
from app.reports import posts
from app.reports.forum import Around
from app.reports.orders import order_list
from app.reports.tree import Verbatim
from app.rulesets.registry import RULESETS
from app.scenario.reading import read_scenario

ROOT = Path(__file__).parents[2]
RULESET = RULESETS["cohesion"]
both = pytest.mark.parametrize("language", ["en", "ru"])


@dataclass
class Ordered:
    before: Any
    scenario: Any
    orders: dict[str, Any] = field(default_factory=dict)
    turn: int = 3
    ruleset: Any = RULESET


@pytest.fixture(scope="module")
def turn() -> Ordered:
    text = (ROOT / "scenarios" / "cohesion" / "visage-and-throne.yaml").read_text(encoding="utf-8")
    scenario = read_scenario(text).frozen
    state = RULESET.setup(scenario).state
    pick = pick_from(b"orders", "reports")
    given = {asked.seat: RULESET.dump_order(RULESET.choose(state, asked, pick)) for asked in RULESET.requests(state)}
    given.pop("south-left")
    return Ordered(state, scenario, given)


@both
def test_each_seat_reads_its_orders_back(turn: Ordered, language: str) -> None:
    told = order_list(turn, language)
    assert len(told.sections) == 2
    groups = [group for section in told.sections for group in section.groups]
    assert len(groups) == 6
    asked = {request.seat: request for request in RULESET.requests(turn.before)}
    for seat, group in zip(turn.scenario["contingents"], groups, strict=True):
        lines = [piece.text for entry in group.entries for piece in entry.sentence if isinstance(piece, Verbatim)]
        if seat == "south-left":
            assert lines == []
            assert len(group.entries) == 1
        else:
            read = RULESET.read_text(turn.before, asked[seat], "\n".join(lines))
            assert RULESET.dump_order(read) == turn.orders[seat]


@both
@pytest.mark.parametrize("form", list(posts.FORMS))
def test_every_line_stands_in_every_format(turn: Ordered, language: str, form: str) -> None:
    told = order_list(turn, language)
    for dialect in posts.FORMS[form].dialects or {"": ""}:
        parts = posts.divide(told, Around("https://post.example/b/x/t/3"), form=form, dialect=dialect)
        text = " ".join("\n".join(parts).replace("\u200b", "").split())
        for entry in told.entries:
            assert " ".join("".join(piece.text for piece in entry.sentence).split()) in text.replace("\\", "")


def test_a_side_may_be_asked_for_alone(turn: Ordered) -> None:
    told = order_list(turn, "en", side="north")
    assert [section.title for section in told.sections] == ["The North-Eastern Realm of the White-and-Red Visage"]
    with pytest.raises(KeyError):
        order_list(turn, "en", side="east")


@pytest.mark.parametrize(("form", "dialect"), [("pdf", None), ("md", "phpbb"), ("txt", "phpbb"), ("bbcode", "")])
def test_unknown_forms_and_dialects_are_refused(turn: Ordered, form: str, dialect: str | None) -> None:
    with pytest.raises(KeyError):
        posts.write(order_list(turn, "en"), Around(), form=form, dialect=dialect)


def test_the_first_dialect_is_meant_where_none_is_named(turn: Ordered) -> None:
    told = order_list(turn, "en")
    assert posts.write(told, Around(), form="bbcode") == posts.write(told, Around(), form="bbcode", dialect="phpbb")
    assert posts.write(told, Around(), form="md") == posts.write(told, Around(), form="md", dialect="discourse")
