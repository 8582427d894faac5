"""Withdrawals, movement and retreats in words (sections 8, 10 and 11 of the rules)."""

from __future__ import annotations

from app.language import marked as _
from app.reports.cohesion.naming import gender, something, unit, units, way
from app.reports.cohesion.reasons import lot, slower, towards_home
from app.reports.telling import Key, Tale
from app.reports.tree import CellName, Sentence, Text, Why
from app.rulesets.cohesion.events import (
    Caught,
    Contested,
    Moved,
    MoveDropped,
    Retreated,
    WithdrawalDropped,
    Withdrew,
)

NO_WITHDRAWAL = {
    "gone": _("%(unit)s does not withdraw: it is no longer on the field."),
    "orders-lost": _("%(unit)s does not withdraw: its orders were lost."),
    "blocked": _("%(unit)s does not withdraw: the way back is closed."),
    "cannot": _("%(unit)s does not withdraw: it cannot withdraw."),
}
STOPPED = {
    "blocked": _("It stops there: %(by)s is in the way."),
    "contest": _("It stops there: another got into %(by)s."),
    "cut": _("It stops there: its speed is not enough for the rest of the way."),
    "held-back": _("It makes the first step only: no enemy stands beside the end of its way."),
    "room": _("It stops there: further on there is no room to stand."),
}
STOPPED_BY = {"cut": "MOVE-1", "held-back": "PR", "room": "MOVE-3", "blocked": "MOVE-3", "contest": "MOVE-5"}
BLOCKED = _("It stops there: the way is closed.")
CONTESTED = _("It stops there: another got in.")
NO_MOVE = {
    "orders-lost": _("%(unit)s does not move: its orders were lost."),
    "not-adjacent": _("%(unit)s does not move: its way does not begin beside the cell it stands in."),
    "no-speed": _("%(unit)s does not move: its speed is 0."),
    "blocked": _("%(unit)s does not move: the way is closed."),
    "contest": _("%(unit)s does not move: another got into the cell."),
}
NO_MOVE_BY = {
    "blocked": _("%(unit)s does not move: %(by)s is in the way."),
    "contest": _("%(unit)s does not move: another got into %(by)s."),
}
RETREAT = {
    "edge": _("Its home edge leaves no further way."),
    "blocked": _("Its way is closed."),
    "contest": _("Another got into the cell."),
    "caught": _("It was caught."),
}


def withdrew(tale: Tale, event: Withdrew) -> None:
    say = tale.voice
    told = say.say(
        "%(unit)s withdraws: %(way)s.", unit=unit(tale, event.unit, at=event.start), way=way(event.start, event.path)
    )
    if event.named is not None:
        told = (*told, Text(" "), *say.say("The order named %(cell)s.", cell=CellName(event.named)))
    dice: tuple[Key, ...] = (("withdraw", event.unit, "withdrawal"),)
    tale.entry(
        "withdrew",
        told,
        rules=(event.rule,),
        dice=dice,
        why=(*towards_home(tale, event.unit, event.start, event.path, "WITHDRAW-2"), *lot(tale, dice)),
        cells=event.path,
    )


def withdrawal_dropped(tale: Tale, event: WithdrawalDropped) -> None:
    tale.entry(
        "withdrawal-dropped",
        tale.voice.say(NO_WITHDRAWAL[event.reason], unit=unit(tale, event.unit)),
        rules=(event.rule,),
        severity="quiet",
        dice=(("withdraw", event.unit, "withdrawal"),),
    )


def contested(tale: Tale, event: Contested) -> None:
    dice = tuple(("contest", event.cell, phase) for phase in ("withdrawal", "movement"))
    tale.entry(
        "contested",
        tale.voice.say(
            "%(units)s come for %(cell)s at once: %(winner)s gets in, by lot.",
            units=units(tale, event.units),
            cell=CellName(event.cell),
            winner=unit(tale, event.winner),
        ),
        rules=(event.rule,),
        dice=dice,
        why=lot(tale, dice, [(unit(tale, name),) for name in event.units]),
        cells=(event.cell,),
    )


def moved(tale: Tale, event: Moved) -> None:
    say = tale.voice
    told = say.say("%(unit)s moves: %(way)s.", unit=unit(tale, event.unit, at=event.start), way=way(event.start, event.path))
    if event.stopped is not None:
        told = (*told, Text(" "), *_stopped(tale, event.stopped, event.by))
    why = []
    if event.ordered:
        ordered = say.say("The order was %(way)s.", way=way(event.start, event.ordered))
        why.append(Why(ordered, STOPPED_BY.get(event.stopped or "")))
    tale.entry(
        "moved",
        told,
        rules=(event.rule, STOPPED_BY.get(event.stopped or "")),
        severity="plain" if event.stopped else "quiet",
        why=why,
        cells=event.path,
    )


def move_dropped(tale: Tale, event: MoveDropped) -> None:
    say = tale.voice
    name = unit(tale, event.unit)
    if event.by is not None and event.reason in NO_MOVE_BY:
        sentence = say.say(NO_MOVE_BY[event.reason], unit=name, by=something(tale, event.by))
    else:
        sentence = say.say(NO_MOVE[event.reason], unit=name)
    why = []
    if event.ordered:
        why.append(Why(say.say("The order was %(way)s.", way=way("", event.ordered)), None))
    tale.entry("move-dropped", sentence, rules=(event.rule,), why=why)


def caught(tale: Tale, event: Caught) -> None:
    say, agrees = tale.voice, gender(tale, event.unit)
    names = {"unit": unit(tale, event.unit), "by": unit(tale, event.by)}
    if event.retreating:
        sentence = say.gendered(agrees, "%(unit)s is caught on its retreat: %(by)s came to stand beside it.", **names)
    else:
        sentence = say.gendered(agrees, "%(unit)s is caught: %(by)s came to stand beside it. Its move is lost.", **names)
    why = slower(tale, event)
    if event.ordered:
        why = (*why, Why(say.say("The order was %(way)s.", way=way("", event.ordered)), None))
    tale.entry("caught", sentence, severity="notable", rules=(event.rule, "MOVE-7"), why=why)


def retreated(tale: Tale, event: Retreated) -> None:
    say = tale.voice
    name = unit(tale, event.unit, at=event.start)
    made, owed = len(event.path), event.speed
    if made:
        told = say.say("%(unit)s retreats uncontrolled: %(way)s.", unit=name, way=way(event.start, event.path))
    else:
        told = say.say("%(unit)s is uncontrolled, but cannot retreat.", unit=name)
    if event.reason is not None:
        told = (*told, Text(" "), *say.say(RETREAT[event.reason]))
    dice: tuple[Key, ...] = (("retreat", event.unit, "movement"), ("retreat", event.unit, "withdrawal"))
    steps = say.count(
        "%(made)s of %(num)s step made.",
        "%(made)s of %(num)s steps made.",
        owed,
        made=made,
    )
    tale.entry(
        "retreated",
        told,
        severity="notable",
        rules=(event.rule, "ROUT-3" if made < owed else None),
        dice=dice,
        why=(
            Why(steps, "ROUT-1"),
            *towards_home(tale, event.unit, event.start, event.path, "ROUT-2"),
            *lot(tale, dice),
        ),
        cells=event.path,
    )


def _stopped(tale: Tale, reason: str, by: str | None) -> Sentence:
    if by is None:
        closed = {"blocked": BLOCKED, "contest": CONTESTED}
        return tale.voice.say(closed.get(reason) or STOPPED[reason])
    return tale.voice.say(STOPPED[reason], by=something(tale, by))
