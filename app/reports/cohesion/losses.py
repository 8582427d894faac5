"""Losses and what follows from them in words (section 9 of the rules), and the recovery."""

from __future__ import annotations

from app.language import marked as _
from app.reports.cohesion.naming import MINUS, gender, glued, losses, remember, unit, units, values
from app.reports.cohesion.reasons import value
from app.reports.telling import Tale
from app.reports.tree import Roll, Sentence, Text, Why, begun
from app.rulesets.cohesion.events import Broke, Destroyed, Encouraged, Lost, Recovered


def lost(tale: Tale, event: Lost) -> None:
    say = tale.voice
    taken = losses(tale, event.cohesion, event.strength)
    if event.upper or event.lower:
        parts = [
            glued(say.say(template, change=f"{MINUS}{number}"))
            for template, number in ((_("upper %(change)s"), event.upper), (_("lower %(change)s"), event.lower))
            if number
        ]
        taken = say.say("%(losses)s (%(parts)s)", losses=taken, parts=say.chained(parts))
    if event.rule == "ROUT-3":
        template = _("%(unit)s: %(losses)s for the steps it did not make, now %(values)s.")
    else:
        template = _("%(unit)s: %(losses)s, now %(values)s.")
    sentence = say.say(template, unit=unit(tale, event.unit), losses=taken, values=values(tale, event.unit))
    why = []
    if event.by:
        by = say.count(
            "From the attack of %(units)s.",
            "From the attacks of %(units)s, all together.",
            len(event.by),
            units=units(tale, event.by),
        )
        why.append(Why(by, "LOSS-1"))
    blows = [tale.sums[what, event.phase, event.unit] for what in ("cohesion", "strength")]
    if event.by and (blows[0] > event.cohesion or blows[1] > event.strength):
        more = say.say("Taken in all: %(losses)s. A unit loses no more than it has.", losses=losses(tale, *blows))
        why.append(Why(more, "ATTACK-7"))
    key = ("section", event.unit, event.phase)
    rolls = tale.waiting(key)
    if rolls:
        why.append(Why(_sections(tale, rolls), "WS"))
    tale.entry("lost", sentence, severity="notable", rules=(event.rule,), dice=(key,), why=why)


def destroyed(tale: Tale, event: Destroyed) -> None:
    say = tale.voice
    gone = say.gendered(gender(tale, event.unit), "%(unit)s is destroyed.", unit=unit(tale, event.unit, at=event.cell))
    gain = say.count(
        "%(side)s scores %(num)s point.",
        "%(side)s scores %(num)s points.",
        event.value,
        side=tale.side(event.scorer),
    )
    why = value(tale, event.unit)
    remember(tale, event.unit)
    tale.entry(
        "destroyed",
        (*gone, Text(" "), *begun(gain)),
        severity="grave",
        rules=(event.rule, "POINTS-1"),
        why=why,
        cells=(event.cell,),
    )


def broke(tale: Tale, event: Broke) -> None:
    tale.entry(
        "broke",
        tale.voice.say("%(unit)s breaks: cohesion 0, what is left of its orders is lost.", unit=unit(tale, event.unit)),
        severity="notable",
        rules=(event.rule,),
    )


def encouraged(tale: Tale, event: Encouraged) -> None:
    say = tale.voice
    parts = {"unit": unit(tale, event.unit), "fallen": unit(tale, event.fallen)}
    if event.gain:
        sentence = say.say(
            "%(unit)s: cohesion %(change)s for the fall of %(fallen)s, now %(values)s.",
            change=f"+{event.gain}",
            values=values(tale, event.unit),
            **parts,
        )
    else:
        sentence = say.say("%(unit)s takes heart at the fall of %(fallen)s, but its cohesion is full.", **parts)
    if event.returned:
        sentence = (*sentence, Text(" "), *say.say("It is controlled again; its orders stay lost."))
    why = say.say("It took cohesion off the fallen.") if event.struck else say.say("It stood beside the fallen.")
    tale.entry(
        "encouraged",
        sentence,
        severity="notable" if event.returned else "quiet",
        rules=(event.rule, "LOSS-5" if event.returned else None),
        why=(Why(why, "LOSS-4"),),
    )


def recovered(tale: Tale, event: Recovered) -> None:
    say = tale.voice
    sentence = say.say(
        "%(unit)s recovers: cohesion %(change)s, now %(values)s.",
        unit=unit(tale, event.unit),
        change=f"+{event.gain}",
        values=values(tale, event.unit),
    )
    beside = say.count(
        "Beside it stands %(units)s.",
        "Beside it stand %(units)s.",
        len(event.by),
        units=units(tale, event.by),
    )
    tale.entry(
        "recovered", sentence, severity="notable", rules=(event.rule,), why=(Why(beside, event.rule),) if event.by else ()
    )


def _sections(tale: Tale, rolls: tuple[Roll, ...]) -> Sentence:
    faces = [die.face for roll in rolls for die in roll.dice]
    return tale.voice.say(
        "A die for each point of strength: 1-4 the lower loses it, 5-6 the upper; lower %(lower)s, upper %(upper)s.",
        lower=sum(face <= 4 for face in faces),
        upper=sum(face > 4 for face in faces),
    )
