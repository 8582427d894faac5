"""What a battle is set in, where it comes from a stranger: a frozen scenario."""

from __future__ import annotations

from app.engine.ruleset import Json
from app.referee.archive import ArchiveError
from app.scenario.forms import FORMS
from app.scenario.reading import read_scenario


def check_frozen(scenario: Json) -> None:
    """A frozen scenario of a game that writes its files has to be what reading its own file gives.
    Raises `ArchiveError("bad-archive")`."""
    form = FORMS.get(scenario.get("ruleset", ""))
    if form is None or form.write is None:
        return
    try:
        reading = read_scenario(form.write(scenario))
    except Exception as bad:  # a stranger's tree: what cannot be written is no scenario
        raise ArchiveError("bad-archive", params={"why": "scenario", "where": str(bad)[:300]}) from bad
    if reading.frozen is None or reading.frozen != scenario:
        raise ArchiveError("bad-archive", params={"why": "scenario", "where": ""})
