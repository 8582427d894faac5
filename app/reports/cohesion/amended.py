"""A correction by the game master in words."""

from __future__ import annotations

from app.engine.ruleset import Json
from app.language import marked as _
from app.language import pick
from app.reports.cohesion.naming import standing, unit
from app.reports.telling import Tale
from app.reports.tree import CellName, Fragment, Name, Sentence, Text, UnitName, Why, clean
from app.rulesets.cohesion.events import Amended

FIELDS = {
    "at": _("cell"),
    "strength": _("strength"),
    "cohesion": _("cohesion"),
    "upper": _("upper"),
    "lower": _("lower"),
    "type": _("type"),
    "side": _("side"),
    "seat": _("seat"),
}


def amended(tale: Tale, event: Amended) -> None:
    told = TARGETS[event.target](tale, event)
    if event.reason:
        told = (*told, Text(" "), *tale.voice.say("Reason: %(reason)s", reason=Name(clean(event.reason))))
    tale.entry(
        "amended",
        (*tale.voice.say("Ruling of the game master."), Text(" "), *told),
        severity="notable",
        rules=(event.rule,),
        why=(Why(tale.voice.say("The game master has the last word. The log of the battle keeps what he changed."), None),),
        cells=(event.key,) if event.target == "terrain" else (),
    )


def _unit(tale: Tale, event: Amended) -> Sentence:
    say = tale.voice
    before, after = event.before, event.after
    name = _name(tale, event)
    if after is None:
        return say.say("%(unit)s is taken off the field.", unit=name)
    if before is None:
        return say.say("%(unit)s is put on the field: %(values)s.", unit=name, values=_values(after))
    changes = [
        say.say(
            "%(what)s %(before)s → %(after)s",
            what=say.word(FIELDS[key]) if key in FIELDS else Name(clean(key)),
            before=_value(before.get(key)),
            after=_value(after.get(key)),
        )
        for key in dict.fromkeys((*before, *after))
        if before.get(key) != after.get(key)
    ]
    if not changes:
        return say.say("%(unit)s stays as it is.", unit=name)
    return say.say("%(unit)s: %(changes)s.", unit=name, changes=say.chained(changes))


def _name(tale: Tale, event: Amended) -> UnitName:
    """The unit as it stood, or as it is put on the field."""
    if standing(tale, event.key) is not None:
        found = unit(tale, event.key)
        if event.after is None:
            tale.remembered[event.key] = found
        return found
    given = event.before or event.after or {}
    kind = tale.state.types.get(given.get("type"))
    code = clean(pick(kind.code, tale.voice.language)) if kind else ""
    return UnitName(clean(event.key), code, clean(str(given.get("at", ""))), 0, "")


def _points(tale: Tale, event: Amended) -> Sentence:
    return tale.voice.say(
        "Score of %(side)s: %(before)s → %(after)s.",
        side=tale.side(event.key),
        before=_value(event.before),
        after=_value(event.after),
    )


def _winner(tale: Tale, event: Amended) -> Sentence:
    if event.after is None:
        return tale.voice.say("The battle goes on.")
    if event.after == "draw":
        return tale.voice.say("The battle is declared a draw.")
    return tale.voice.say("The battle is awarded to %(side)s.", side=tale.side(str(event.after)))


def _terrain(tale: Tale, event: Amended) -> Sentence:
    return tale.voice.say(
        "%(cell)s: the ground was “%(before)s”, now it is “%(after)s”.",
        cell=CellName(clean(event.key)),
        before=_ground(tale, event.before),
        after=_ground(tale, event.after),
    )


def _ground(tale: Tale, kind: Json) -> Fragment:
    board = tale.following.board
    found = board.kinds.get(kind or "open")
    if found is None:
        return Text(tale.voice.word("open ground")) if kind is None else Name(clean(str(kind)))
    return Name(clean(pick(found.name, tale.voice.language)))


def _value(value: Json) -> Fragment:
    return Text("—") if value is None else Name(clean(str(value)))


def _values(given: Json) -> Sentence:
    strength = given.get("strength", f"{given.get('upper', 0)}+{given.get('lower', 0)}")
    return (Text(f"{strength}/{given.get('cohesion', 0)}"),)


def _dice(tale: Tale, event: Amended) -> Sentence:
    return tale.voice.say(
        "Dice rolled again at %(address)s: %(before)s → %(after)s.",
        address=Name(clean(event.key)),
        before=_faces(event.before),
        after=_faces(event.after),
    )


def _faces(given: Json) -> Fragment:
    return Text(", ".join(str(face) for face in given)) if given else Text("—")


TARGETS = {"dice": _dice, "unit": _unit, "points": _points, "winner": _winner, "terrain": _terrain}
