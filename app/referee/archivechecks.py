"""What an archive claims, looked at before a row of it is written: whether it could have been played, and was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from app.engine.ruleset import AnyRuleset, Json
from app.referee import battles, names, options, schedule, setting, talkarchive, verification
from app.referee.archive import ArchiveError
from app.referee.archiveparts import About, Archive
from app.referee.errors import RefereeError
from app.referee.records import Finding, MadeRuling, same
from app.referee.rows import dumps
from app.rulesets.registry import RULESETS

UNPLAYABLE = frozenset({"version", "withheld"})
"""Findings about a record that say that it cannot be played again here, not that it is wrong."""


def check(archive: Archive) -> tuple[int, ...]:
    """All of it; the turns that this program cannot play again. Raises `ArchiveError("bad-archive")`."""
    ruleset = _ruleset(archive.battle)
    _sound(ruleset, archive)
    unchecked = _proved([part.record for part in archive.turns])
    _goes_on(ruleset, archive)
    return unchecked


def _ruleset(about: About) -> AnyRuleset:
    ruleset = RULESETS.get(about.ruleset)
    if ruleset is None or about.scenario.get("ruleset") != about.ruleset:
        raise bad_archive("ruleset", about.ruleset)
    return ruleset


def _sound(ruleset: AnyRuleset, archive: Archive) -> None:
    """The scenario is one that could have been played, and all parts of the archive are about it."""
    about = archive.battle
    setting.check_frozen(about.scenario)
    seats = [seat.seat for seat in archive.seats]
    sides = {seat.seat: seat.side for seat in archive.seats}
    try:
        names.title(about.title)
        for seat in archive.seats:
            names.holder(seat.holder) if seat.holder else None
        if seats != list(about.scenario["contingents"]) or any(
            about.scenario["contingents"][seat]["side"] != side for seat, side in sides.items()
        ):
            raise bad_archive("parts", "seats")
        opening = ruleset.setup(about.scenario)
        ways = (opening.state, ruleset.view(opening.state, None))
        told = any(same(ruleset.dump_state(way), archive.opening.position) for way in ways)
        ruleset.load_state(archive.now.position)
    except RefereeError as refused:
        raise bad_archive("parts", refused.code) from refused
    except ArchiveError:
        raise
    except Exception as bad:  # a stranger's scenario may break the rules in ways that no list can foresee
        raise bad_archive("scenario", str(bad)) from bad
    if not told and about.ruleset_version == ruleset.version:
        raise bad_archive("scenario", "opening")
    if not battles.is_zone(about.zone):
        raise bad_archive("parts", "zone")
    try:
        options.read(dumps(about.options))
    except msgspec.ValidationError as bad:
        raise bad_archive("parts", f"options: {bad}") from bad
    _timed(about)
    fault = talkarchive.fault(archive)
    if fault is not None:
        raise bad_archive("parts", fault)


def _proved(records: Sequence[Json]) -> tuple[int, ...]:
    """Every record verified, and all of them as a chain from the first turn on; the turns that could not be played again."""
    unchecked = []
    for number, record in enumerate(records, start=1):
        findings = verification.verify(record)
        if record.get("turn") != number:
            raise bad_archive("chain", f"turn {number}")
        wrong = [finding for finding in findings if not finding.holds]
        if any(finding.code not in UNPLAYABLE for finding in wrong):
            raise _false(wrong)
        if wrong:
            unchecked.append(number)
    wrong = [finding for finding in verification.verify_chain(records) if not finding.holds]
    if wrong:
        raise _false(wrong)
    return tuple(unchecked)


def _goes_on(ruleset: AnyRuleset, archive: Archive) -> None:
    """The board that everybody saw last is where the last turn ended, or where the rulings told beside it put it."""
    ended = archive.turns[-1].record["after"] if archive.turns else archive.opening.position
    if archive.now.turn != len(archive.turns) + 1:
        raise bad_archive("chain", f"turn {archive.now.turn}")
    try:
        for ruling in archive.now.rulings:
            made = msgspec.convert(ruling, MadeRuling).ruling()
            ended = ruleset.dump_state(ruleset.amend(ruleset.load_state(ended), made).state)
    except Exception as bad:  # as above
        raise bad_archive("chain", f"turn {archive.now.turn}") from bad
    played_here = archive.battle.ruleset_version == ruleset.version or not archive.now.rulings
    if played_here and not same(ended, archive.now.position):
        raise bad_archive("chain", f"turn {archive.now.turn}")
    if archive.battle.ruleset_version == ruleset.version:
        outcome = ruleset.outcome(ruleset.load_state(archive.now.position))
        score, winner = dict(outcome.points), outcome.winner
    else:  # scored by rules that are not here: what the last record says, unless a ruling came after it
        last: dict[str, Any] = {"points": archive.battle.points, "winner": archive.battle.winner}
        if archive.turns and not archive.now.rulings:
            last = archive.turns[-1].record
        score, winner = last["points"], last["winner"]
    if (archive.battle.points, archive.battle.winner) != (score, winner):
        raise bad_archive("parts", "score")


def _timed(about: About) -> None:
    """The schedule is one, and a paused battle knows since when."""
    try:
        schedule.made(None if about.time.times else about.turn_hours, about.time.times, about.time.skip)
        datetime.fromisoformat(about.time.slot or "2026-01-01T00:00")
    except (RefereeError, ValueError) as bad:
        raise bad_archive("parts", "schedule") from bad
    if about.status == "paused" and about.time.paused_at is None:
        raise bad_archive("parts", "pause")


def bad_archive(why: str, where: str) -> ArchiveError:
    return ArchiveError("bad-archive", params={"why": why, "where": where[:300]})


def _false(findings: Sequence[Finding]) -> ArchiveError:
    return ArchiveError("bad-archive", params={"why": "record", "where": ""}, current=tuple(findings))


def refuse_false(record: Json) -> None:
    """Raises `ArchiveError` for a record that does not hold; one that cannot be played again here is let pass."""
    wrong = [finding for finding in verification.verify(record) if not finding.holds]
    if any(finding.code not in UNPLAYABLE for finding in wrong):
        raise _false(wrong)
