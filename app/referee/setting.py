"""What a battle is set in, where it comes from a stranger: a frozen scenario."""

from __future__ import annotations

from app.engine.ruleset import Json
from app.referee.archive import ArchiveError
from app.scenario.reading import read_scenario
from app.scenario.writing import write_scenario

WRITTEN = frozenset({"cohesion"})
"""Rulesets whose frozen scenarios can be written as a file, and so read and checked like one."""


def check_frozen(scenario: Json) -> None:
    """A frozen scenario has to be what reading its own file gives. Raises `ArchiveError("bad-archive")`."""
    if scenario.get("ruleset") not in WRITTEN:
        return
    try:
        reading = read_scenario(write_scenario(scenario))
    except Exception as bad:  # a stranger's tree: what cannot be written is no scenario
        raise ArchiveError("bad-archive", params={"why": "scenario", "where": str(bad)[:300]}) from bad
    if reading.frozen is None or reading.frozen != scenario:
        raise ArchiveError("bad-archive", params={"why": "scenario", "where": ""})
