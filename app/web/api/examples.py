"""Bodies that the OpenAPI document shows: each is one that the server takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastapi.openapi.models import Example

SCENARIO_TEXT = """\
format: 1
ruleset: cohesion
key: two-lines
title: {en: Two lines, ru: Две линии}
goal: 1
board:
  layout: pointy
  map: |
    . . .
     . . .
    . . .
  legend: {".": open}
sides:
  north: {name: {en: North, ru: Север}, home: top, colour: "#d8d8d8"}
  south: {name: {en: South, ru: Юг}, home: bottom, colour: "#7a8"}
contingents:
  north: {side: north, name: {en: North, ru: Север}}
  south: {side: south, name: {en: South, ru: Юг}}
units:
  N1: {type: LM, contingent: north, at: B1}
  S1: {type: LM, contingent: south, at: B3}
"""


def _examples(given: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, Example]:
    return {name: Example(summary=summary, value=value) for name, (summary, value) in given.items()}


NEW_BATTLE = _examples(
    {
        "by-key": (
            "A scenario that the server knows",
            {
                "scenario": "visage-and-throne",
                "title": "A battle by post",
                "deadlines": {"hours": 72, "zone": "Europe/Moscow"},
                "review": True,
            },
        ),
        "own-file": (
            "A scenario of one's own, as the text of its file",
            {"scenario_file": SCENARIO_TEXT, "deadlines": {"hours": 72}, "seed": "00ff"},
        ),
    }
)
NEW_SHEET = _examples(
    {
        "orders": (
            "Orders by unit; an empty order, {}, means hold",
            {"turn": 1, "revision": 0, "orders": {"S1": {"move": ["B2"]}}, "ready": True},
        ),
        "text": ("The same as text", {"turn": 1, "revision": 0, "text": "S1 move B2"}),
    }
)
NEW_DRAWING = _examples(
    {
        "arrow": ("An arrow with words", {"turn": 1, "kind": "arrow", "cells": ["B3", "B2"], "text": "Together!"}),
        "note": ("A note at a cell", {"turn": 1, "kind": "note", "cells": ["B3"], "text": "Wait here."}),
    }
)
RULING = _examples(
    {
        "unit": (
            "A unit's cohesion set right",
            {
                "changes": [{"unit": "S1", "cohesion": 2}],
                "reason": "The report counted one die twice.",
                "rule": "ATTACK-2",
            },
        ),
        "reroll": (
            "A die of the turn under review, rolled again",
            {"reroll": "1/melee/S1/attack", "reason": "It fell off the table."},
        ),
        "set-aside": (
            "An event of the turn under review, taken back",
            {"set_aside": {"event": 7, "of": 24}, "reason": "The target was out of sight.", "rule": "SHOOT-2"},
        ),
    }
)
REWIND = _examples(
    {"rewind": ("Back to the start of turn 2", {"to": 2, "reason": "The map was wrong from there on.", "played": 1})}
)
TAKE_UP = _examples({"take-up": ("On from the line's end", {"reason": "The first result stands after all."})})
SCHEDULE = _examples(
    {
        "week": (
            "Tuesdays and Fridays at nine in the evening, not at New Year",
            {"times": ["tue 21:00", "fri 21:00"], "skip": ["2026-12-31/2027-01-08"], "zone": "Europe/Moscow"},
        ),
        "hours": ("Three days a turn, the open one too", {"hours": 72, "at_once": True}),
    }
)
DEADLINE = _examples(
    {
        "extend": ("A day more", {"by_hours": 24, "reason": "A holiday."}),
        "set": ("A moment", {"deadline": "2026-12-04T18:00:00Z"}),
    }
)
PAUSE = _examples({"until": ("For a week", {"until": "2026-12-10T18:00:00Z", "reason": "Two of us are away."})})
PAUSE_ANSWER = _examples({"agree": ("Agreed", {"agree": True})})

NEW_CAMPAIGN = _examples(
    {
        "war": ("A campaign without battles", {"title": "The river war", "description": {"en": "A war for a *river*."}}),
    }
)
NEW_JOINED = _examples(
    {"own": ("A battle that the caller leads as well", {"battle": "k3xw7yqzma", "label": "Battle 1: the ford"})}
)


ANSWERS: dict[str, Any] = json.loads((Path(__file__).parent / "answers.json").read_text(encoding="utf-8"))
"""By the name of its model, what the server answered when the second battle above was made and its first turn resolved."""
