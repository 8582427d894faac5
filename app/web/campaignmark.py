"""What a battle's own page tells of its campaign, and of units that came from an earlier battle."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.ruleset import Json
from app.language import Translator
from app.referee import campaignviews, freshness
from app.referee.errors import RefereeError
from app.web.carryform import RESTS
from app.web.house import House


@dataclass(frozen=True)
class Belongs:
    """`label`: the battle's in its campaign."""

    id: str
    title: str
    label: str


@dataclass(frozen=True)
class Brought:
    """`url`: of the battle that they come from; empty: it is not here."""

    title: str
    url: str
    turn: int
    rest: str
    lines: tuple[str, ...]


def belongs(here: House, battle_id: str) -> Belongs | None:
    found = campaignviews.of_battle(here.db, battle_id)
    return None if found is None else Belongs(*found)


def brought(here: House, scenario: Json, words: Translator) -> Brought | None:
    """Told by the battle's frozen scenario alone."""
    told = scenario.get("carry")
    if not told:
        return None
    try:
        freshness.version(here.db, told["battle"])
        url = f"/b/{told['battle']}"
    except RefereeError:
        url = ""
    lines = [_line(place, unit, told["back"].get(place), words) for place, unit in told["units"].items()]
    lines += [
        words.gettext("%(place)s is left out: %(unit)s was destroyed", place=place, unit=unit)
        for place, unit in told["gone"].items()
    ]
    return Brought(told["title"], url, told["turn"], words.gettext(RESTS[told["rest"]]), tuple(lines))


def _line(place: str, unit: str, back: int | None, words: Translator) -> str:
    if back is not None:
        return words.gettext(
            "%(place)s is %(unit)s, which was destroyed and comes back: %(strength)s", place=place, unit=unit, strength=back
        )
    if place == unit:
        return words.gettext("%(unit)s, with its losses", unit=unit)
    return words.gettext("%(place)s is %(unit)s, with its losses", place=place, unit=unit)
