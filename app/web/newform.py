"""The form of a new battle: what was typed, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.engine.ruleset import Json, Problem
from app.language import Translator
from app.referee import carrying, names, scenarios
from app.referee.errors import RefereeError
from app.referee.schedule import Schedule, ahead, wall
from app.reports import problems as spoken
from app.web import carryform, optionform, refusals, schedules, zones
from app.web.deps import Fields, House
from app.web.parts import Trouble
from app.web.schedules import ScheduleForm

OWN = "own"
RULING = "ruling:"


FIELD_OF = {
    "bad-words": "sought",
    "bad-title": "title",
    "bad-name": "label",
    "bad-deadline": "deadline",
    "bad-scenario": "scenario-text",
    "no-scenario": "scenario",
}


@dataclass(frozen=True)
class Typed:
    """The form as it stands: what was typed, or what is offered at first."""

    scenario: str
    scenario_text: str = ""
    title: str = ""
    rulings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By game, as they were typed; under an empty key those of whatever game is chosen."""
    deadline: str = ""
    zone: str = "UTC"
    review: bool = False
    early: bool = True
    look: bool = False
    sought: str = ""
    """What the game master looks for, if he does."""
    options: dict[str, str] | None = None
    """As they were typed; None: the usual ones."""
    label: str = ""
    """In its campaign."""
    carry: carryform.Typed = field(default_factory=carryform.Typed)

    def rulings_of(self, game: str) -> dict[str, str]:
        """Those for a battle of this game; what is left as the scenario has it is left out."""
        typed = {**self.rulings.get("", {}), **self.rulings.get(game, {})}
        return {key: value for key, value in typed.items() if value}


@dataclass(frozen=True)
class Mistake:
    """A place in a scenario's text: line and column count from 1, 0 where there is none."""

    line: int
    column: int
    key: str
    text: str


def typed_battle(fields: Fields) -> Typed:
    return Typed(
        scenario=fields.line("scenario"),
        scenario_text=fields["scenario_text"],
        title=fields.line("title"),
        rulings=_rulings(fields),
        deadline=fields.line("deadline"),
        zone=fields.line("zone") or "UTC",
        review=fields.is_on("review"),
        early=fields.is_on("early"),
        look=fields.is_on("look"),
        sought=fields["sought"],
        options={name: fields[name] for name in fields if name.startswith(optionform.PREFIX)} or None,
        label=fields.line("label")[: names.HOLDER_MAX],
        carry=carryform.typed(fields),
    )


def _rulings(fields: Fields) -> dict[str, dict[str, str]]:
    """`ruling:GAME:SWITCH`, or `ruling:SWITCH`."""
    typed: dict[str, dict[str, str]] = {}
    for name in fields:
        if name.startswith(RULING):
            game, _, switch = name.removeprefix(RULING).rpartition(":")
            typed.setdefault(game, {})[switch] = fields[name]
    return typed


def carried(here: House, form: carryform.Typed, frozen: Json, words: Translator) -> tuple[Json, list[Trouble]]:
    """The scenario with what is brought over, or why not yet."""
    try:
        before = carrying.earlier(here.db, form.battle)
    except RefereeError as refused:
        return frozen, [Trouble(refusals.words(refused.code, words.language), "carry-battle")]
    if not carryform.is_same_game(before, frozen):
        return frozen, [Trouble(spoken.words(Problem("carry-other-game"), words.language), "carry-battle")]
    if form.shown_for != carryform.mark(form.battle, frozen):
        text = words.gettext("Look at the units that come over: they stand below now, with the places that are suggested.")
        return frozen, [Trouble(text, "carry-battle")]
    chosen = carryform.choice(form, before)
    unknown = [place for place in chosen.units if place not in frozen.get("units", {})]
    if unknown or len(set(chosen.units.values())) < len(chosen.units):
        text = words.gettext(
            "Each unit takes one place of the scenario. One is chosen twice, or for a place that is not there."
        )
        return frozen, [Trouble(text, "carry-battle")]
    return ({**frozen, "carry": chosen.as_json()} if chosen.units else frozen), []


def misplaced(problem: Problem, language: str) -> Trouble:
    """What stands in the way of a unit that comes over."""
    place = problem.field[-1] if len(problem.field) > 2 else ""
    return Trouble(
        f"{place}: {spoken.words(problem, language)}" if place else spoken.words(problem, language), "carry-battle"
    )


def when_of(
    form: Typed, schedule: ScheduleForm, now: datetime, words: Translator
) -> tuple[list[Trouble], datetime | None, Schedule, tuple[datetime, ...]]:
    """What is wrong with it; the first deadline, if it was given; the schedule, and the next deadlines by it."""
    troubles: list[Trouble] = []
    deadline: datetime | None = None
    if form.zone not in zones.known():
        troubles.append(Trouble(words.gettext("This time zone is not known. Choose one of the list."), "zone"))
    elif form.deadline:
        deadline = zones.parse_local(form.deadline, form.zone)
        if deadline is None:
            troubles.append(Trouble(words.gettext("The deadline is not a date and time, as 2026-12-01T20:00."), "deadline"))
        elif deadline <= now:
            troubles.append(Trouble(words.gettext("The deadline has passed already."), "deadline"))
    planned, wrong = schedules.parse(schedule, words)
    troubles += wrong
    shown: tuple[datetime, ...] = ()
    if planned and not troubles:
        shown, wrong = schedules.preview(planned, form.zone, words, now)
        troubles += wrong
    if deadline is not None and not troubles:
        slot = wall(deadline, form.zone)
        later = ahead(planned, form.zone, last=deadline, slot=slot, opened=deadline, number=4)
        shown = (deadline, *(due.deadline for due in later))
    return troubles, deadline, planned, shown


def scenario_of(form: Typed, words: Translator) -> tuple[Json, tuple[Mistake, ...]]:
    """The frozen scenario, or its mistakes."""
    try:
        if form.scenario != OWN:
            return scenarios.frozen(form.scenario), ()
        return scenarios.read_file(form.scenario_text), ()
    except RefereeError as refused:
        if not refused.problems:
            return None, (Mistake(0, 0, "", refusals.told(refused, words.language)),)
        return None, tuple(mistake(p, words.language) for p in refused.problems if not p.warning)


def mistake(problem: Problem, language: str) -> Mistake:
    return Mistake(
        line=int(problem.params.get("line", 0)),
        column=int(problem.params.get("column", 0)),
        key=str(problem.params.get("key", ".".join(problem.field))),
        text=spoken.words(problem, language),
    )
