"""The turn's frame in words: its beginning and end, phases, orders filled in, dice, the end of the battle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from app.language import marked as _
from app.reports.cohesion.naming import plain_roll, unit
from app.reports.cohesion.reasons import goal
from app.reports.telling import Key, Tale
from app.reports.tree import Fragment, Sentence, Why, flat
from app.rulesets.cohesion.events import (
    BattleBegan,
    BattleEnded,
    OrdersFilled,
    PhaseBegan,
    Rolled,
    TurnBegan,
    TurnEnded,
)

PHASES = {
    "shooting": (_("Shooting"), _("Nobody shoots.")),
    "melee": (_("Melee"), _("Nobody fights.")),
    "withdrawal": (_("Withdrawals"), _("Nobody withdraws.")),
    "movement": (_("Movement"), _("Nobody moves.")),
    "recovery": (_("Recovery"), _("Nobody recovers.")),
}
CAPTIONS = {
    "attack": _("attack"),
    "reroll": _("roll again"),
    "section": _("upper or lower"),
    "contest": _("lot for the cell"),
    "retreat": _("lot among the ways"),
    "withdraw": _("lot among the cells"),
}
AFTER = {
    "shooting": _("after the shooting"),
    "melee": _("after the melee"),
    "withdrawal": _("after the withdrawals"),
    "movement": _("in the movement"),
    "recovery": _("after the recovery"),
}


def battle_began(tale: Tale, event: BattleBegan) -> None:
    number = len(event.units)
    tale.entry(
        "battle-began",
        tale.voice.count(
            "The battle begins with %(num)s unit on the field.",
            "The battle begins with %(num)s units on the field.",
            number,
        ),
        rules=("WIN-1",),
        why=goal(tale),
    )


def turn_began(tale: Tale, _: TurnBegan) -> None:
    """The title of the report says it."""
    tale.entitled.append(tale.place)


def orders_filled(tale: Tale, event: OrdersFilled) -> None:
    """Who holds is told in one line for each side: a seat that forgot its sheet would fill a page."""
    silent = unit(tale, event.unit)
    if event.melee is None:
        holds = partial(_hold, tale)
        tale.together(("orders-filled", str(silent.side)), silent, holds, rules=(event.rule,), severity="quiet")
        return
    sentence = tale.voice.say(
        "%(unit)s was given no orders: it fights %(target)s.", unit=silent, target=unit(tale, event.melee)
    )
    tale.entry("orders-filled", sentence, rules=(event.rule,), severity="quiet")


def _hold(tale: Tale, units: Sequence[Fragment]) -> Sentence:
    if len(units) == 1:
        return tale.voice.say("%(unit)s was given no orders: it holds.", unit=units[0])
    return tale.voice.say("%(units)s were given no orders: they hold.", units=tale.voice.listed(units))


def phase_began(tale: Tale, event: PhaseBegan) -> None:
    title, empty = PHASES[event.phase]
    say = tale.voice
    tale.section(event.phase, say.word(title), say.word(empty))
    if event.speed is None:
        return
    if event.length is None:
        tale.group(flat(say.say("Speed %(speed)s", speed=event.speed)), ("WITHDRAW-5",))
        return
    tale.group(
        flat(
            say.count(
                "Speed %(speed)s, paths of %(num)s step",
                "Speed %(speed)s, paths of %(num)s steps",
                event.length,
                speed=event.speed,
            )
        ),
        ("MOVE-2",),
    )


def rolled(tale: Tale, event: Rolled) -> None:
    caption = tale.voice.word(CAPTIONS[event.purpose])
    phase = event.address.split("/")[1]
    key: Key = ("attack" if event.purpose == "reroll" else event.purpose, event.subject, phase)
    if event.purpose in {"contest", "retreat", "withdraw"}:
        caption = flat(tale.voice.say("%(caption)s, 1 of %(sides)s", caption=caption, sides=event.sides))
    tale.keep(key, plain_roll(event.address, caption, event.faces, event.sides))


def leftover(tale: Tale, key: Key) -> Sentence:
    return tale.voice.say("Dice for %(subject)s.", subject=unit(tale, key[1]))


def turn_ended(tale: Tale, event: TurnEnded) -> None:
    _close(tale)
    tale.entry(
        "turn-ended",
        tale.voice.say("Turn %(turn)s ends: %(score)s.", turn=event.turn, score=score(tale, tale.following.points)),
        rules=("POINTS-1",),
        why=goal(tale),
    )


def battle_ended(tale: Tale, event: BattleEnded) -> None:
    _close(tale)
    where = tale.voice.word(AFTER[event.phase])
    told = score(tale, event.points)
    if event.winner == "draw":
        sentence = tale.voice.say("The battle ends %(where)s: a draw, %(score)s.", where=where, score=told)
    else:
        sentence = tale.voice.say(
            "The battle ends %(where)s: victory for %(side)s, %(score)s.",
            where=where,
            side=tale.side(event.winner),
            score=told,
        )
    why = Why(tale.voice.say("The goal was %(goal)s.", goal=tale.before.goal), "WIN-1")
    tale.entry("battle-ended", sentence, severity="grave", rules=(event.rule, "POINTS-1"), why=(why,))


def score(tale: Tale, points: dict[str, int]) -> Sentence:
    """`North 1, South 2`."""
    return tale.voice.chained(
        [tale.voice.say("%(side)s %(points)s", side=tale.side(side), points=points.get(side, 0)) for side in tale.sides]
    )


def _close(tale: Tale) -> None:
    tale.section("end", tale.voice.word("End of the turn"))
