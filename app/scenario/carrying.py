"""The section `carry` of a scenario file: units that take the place of others with what they lost in an earlier battle.

As an author writes it: `battle`, `units` (place: unit there), `rest`, `back` (place: strength of a unit that was destroyed).
Where it is settled, as in a battle's frozen scenario, it also says after which `turn` of that battle, called `title`, and
who was left out (`gone`); the units' values are then those that they brought.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, get_args

from app.engine.fields import Fields, shown
from app.engine.ruleset import Rest
from app.scenario.board import is_name

KEYS: Final = ("battle", "units", "rest", "back")
SETTLED: Final = ("turn", "title", "gone")
RESTS: Final = get_args(Rest)
MOST_TURNS: Final = 1_000_000
MOST_STRENGTH: Final = 999
TITLE_LENGTH: Final = 200
_BATTLE = re.compile(r"[A-Za-z0-9_-]{1,16}")


def carry_fields(fields: Fields, given: Any, units: Mapping[str, Any]) -> dict[str, Any]:
    """The section as it is frozen."""
    path = ("carry",)
    read = fields.mapping(given, path, known=(*KEYS, *SETTLED), needed=("battle", "units"))
    battle = read.get("battle")
    if "battle" in read and not (isinstance(battle, str) and _BATTLE.fullmatch(battle)):
        fields.wrong("carry-bad-battle", (*path, "battle"), value=shown(battle))
    gone = _pairs(fields, read.get("gone", {}), "gone")
    pairs = _pairs(fields, read.get("units", {}), "units")
    taken: dict[str, str] = {}
    for section, part in (("units", pairs), ("gone", gone)):
        for place, unit in part.items():
            if (place in units) != (section == "units"):
                fields.wrong("carry-no-place", (*path, section, place), value=shown(place))
            other = taken.setdefault(unit, place)
            if other != place:
                fields.wrong("carry-twice", (*path, section, place), value=shown(unit), other=shown(other))
    back = fields.mapping(read.get("back", {}), (*path, "back"), known=tuple(pairs) or ("",))
    frozen: dict[str, Any] = {
        "battle": battle,
        "rest": fields.word(read["rest"], (*path, "rest"), RESTS) if "rest" in read else RESTS[0],
        "units": pairs,
        "back": {place: fields.whole(part, (*path, "back", place), 1, MOST_STRENGTH) for place, part in back.items()},
    }
    if "turn" in read:
        frozen["turn"] = fields.whole(read["turn"], (*path, "turn"), 0, MOST_TURNS)
        title = fields.text(read["title"], (*path, "title"), longest=TITLE_LENGTH) if "title" in read else "?"
        frozen |= {"title": title, "gone": gone}
    return frozen


def _pairs(fields: Fields, given: Any, section: str) -> dict[str, str]:
    read = fields.mapping(given, ("carry", section))
    pairs = {}
    for place, unit in read.items():
        if isinstance(unit, str) and is_name(unit):
            pairs[place] = unit
        else:
            fields.wrong("bad-name", ("carry", section, place), value=shown(unit))
    return pairs
