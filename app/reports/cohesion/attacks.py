"""Attacks in words, with the reasons behind their dice (sections 6 to 8 of the rules)."""

from __future__ import annotations

from dataclasses import replace

from app.language import marked as _
from app.reports import formulas
from app.reports.cohesion.naming import losses, standing, type_of, unit, values
from app.reports.cohesion.reasons import range_and_sight
from app.reports.telling import Tale
from app.reports.tree import Die, Mark, Roll, Why
from app.reports.voice import Part
from app.rulesets.cohesion.events import AttackDropped, Attacked
from app.rulesets.cohesion.formula import evaluate
from app.rulesets.cohesion.state import Unit

ATTACKS = {
    "shooting": _("%(unit)s shoots at %(target)s: %(result)s."),
    "melee": _("%(unit)s strikes %(target)s: %(result)s."),
}
DROPPED = {
    ("shooting", "no-dice"): _("%(unit)s does not shoot at %(target)s: it has no dice."),
    ("shooting", "target-gone"): _("%(unit)s does not shoot at %(target)s: the target is no longer there."),
    ("shooting", "cannot-shoot"): _("%(unit)s does not shoot at %(target)s: it cannot shoot."),
    ("shooting", "shooting-on-the-move"): _("%(unit)s does not shoot at %(target)s: it cannot shoot with such a move."),
    ("shooting", "enemies-adjacent"): _("%(unit)s does not shoot at %(target)s: enemies stand beside it."),
    ("shooting", "out-of-range"): _("%(unit)s does not shoot at %(target)s: the target is out of range."),
    ("shooting", "no-line-of-sight"): _("%(unit)s does not shoot at %(target)s: there is no line of sight."),
    ("melee", "cannot-fight"): _("%(unit)s does not strike %(target)s: it does not fight in melee."),
    ("melee", "not-adjacent"): _("%(unit)s does not strike %(target)s: they are not adjacent."),
    ("melee", "no-dice"): _("%(unit)s does not strike %(target)s: it has no dice."),
    ("melee", "target-gone"): _("%(unit)s does not strike %(target)s: the target is no longer there."),
    ("melee", "attacker-gone"): _("%(unit)s does not strike %(target)s: it is no longer on the field."),
    ("melee", "attacker-uncontrolled"): _("%(unit)s does not strike %(target)s: it is uncontrolled."),
    ("melee", "orders-lost"): _("%(unit)s does not strike %(target)s: its orders were lost in the shooting."),
}
TOUGHNESS = {
    ("ordinary", False): _("ordinary power on ordinary toughness %(first)s+/%(second)s+"),
    ("ordinary", True): _("ordinary power on special toughness %(first)s+/%(second)s+"),
    ("terrifying", False): _("terrifying power on ordinary toughness %(first)s+/%(second)s+"),
    ("terrifying", True): _("terrifying power on special toughness %(first)s+/%(second)s+"),
}
MODES = {
    ("equal", "both"): _("each die at %(first)s or more takes one cohesion, at %(second)s or more one strength as well"),
    ("equal", "second"): _("power and toughness are equal"),
    ("terrifying", "both"): _("cohesion falls by the highest die, strength by the next highest"),
    ("reroll", "both"): _(
        "dice that reached a threshold are rolled again, and only that counts: at %(first)s or more one cohesion, at "
        "%(second)s or more one strength as well"
    ),
    ("reroll", "second"): _("dice that reached a threshold are rolled again, and only that counts"),
}
MODIFIERS = {
    "ORDER-5": _("on the move"),
    "SHOOT-5": _("the target is adjacent"),
    "WITHDRAW-1": _("the target withdraws"),
    "TERRAIN-1": _("the target stands in a building: special toughness"),
    "TERRAIN-2": _("rough ground: half the dice"),
    "ATTACK-3": _("a single die: three are rolled, the highest is put aside"),
    "WS": _("ordinary power counts only the second threshold here"),
}
"""What a rule did to an attack; ATTACK-5 and ATTACK-6 are told by what became of it."""
WEAKER = {
    "second": _("loss of power: only the second threshold counts"),
    "both": _("loss of power: the terrifying attack becomes an ordinary one"),
}
TAKES = {
    "strength": _("each die at %(second)s or more takes one strength alone"),
    "both": _("each die at %(second)s or more takes one strength and one cohesion"),
}


def attacked(tale: Tale, event: Attacked) -> None:
    say = tale.voice
    tale.sums["cohesion", event.phase, event.target] += event.cohesion
    tale.sums["strength", event.phase, event.target] += event.strength
    if event.cohesion or event.strength:
        result = losses(tale, event.cohesion, event.strength)
    else:
        result = say.say("no effect")
    tale.entry(
        "attacked",
        say.say(ATTACKS[event.phase], unit=unit(tale, event.attacker), target=unit(tale, event.target), result=result),
        severity="plain" if event.cohesion or event.strength else "quiet",
        rules=(event.rule, *event.modifiers),
        dice=(("attack", event.attacker, event.phase),),
        marked=lambda roll: _marked(roll, event),
        why=_reasons(tale, event),
    )


def attack_dropped(tale: Tale, event: AttackDropped) -> None:
    tale.entry(
        "attack-dropped",
        tale.voice.say(DROPPED[event.phase, event.reason], unit=unit(tale, event.attacker), target=unit(tale, event.target)),
        severity="quiet",
        rules=(event.rule,),
        why=(_no_dice(tale, event),) if event.reason == "no-dice" else (),
    )


def _marked(roll: Roll, event: Attacked) -> Roll:
    """Dice with what they did."""
    if event.mode == "terrifying":
        return _by_height(roll, "ATTACK-3" in event.modifiers)
    if event.mode == "reroll" and roll.address.endswith("/attack"):
        again = (bool(read) for read in event.faces)
        return replace(roll, dice=tuple(Die(die.face, "again" if next(again, False) else "miss") for die in roll.dice))
    return replace(roll, dice=tuple(Die(die.face, _mark(die.face, event)) for die in roll.dice))


def _by_height(roll: Roll, single: bool) -> Roll:
    """ATTACK-3: the highest die, of three for a single one the two below it."""
    marks: tuple[Mark, ...] = ("aside", "cohesion", "strength") if single else ("cohesion", "strength")
    highest = sorted(range(len(roll.dice)), key=lambda place: -roll.dice[place].face)
    did = dict(zip(highest, marks, strict=False))
    return replace(roll, dice=tuple(Die(die.face, did.get(place, "miss")) for place, die in enumerate(roll.dice)))


def _mark(face: int, event: Attacked) -> Mark:
    if face >= event.second:
        return "second"
    return "first" if face >= event.first and event.counts == "both" else "miss"


def _reasons(tale: Tale, event: Attacked) -> list[Why]:
    """The dice, what they meet, how they are read, and every rule that changed one of the three."""
    say = tale.voice
    special = "TERRAIN-1" in event.modifiers or _is_special(tale, event.target)
    numbers = {"first": event.first, "second": event.second}
    reasons = [
        _dice(tale, event),
        Why(say.say(TOUGHNESS[event.power, special], **numbers), "UNIT-3"),
        Why(say.say(MODES[event.mode, event.counts], **numbers), event.rule),
    ]
    for rule in event.modifiers:
        if rule == "ATTACK-5":
            reasons.append(Why(say.say(WEAKER[event.counts]), rule))
        elif rule == "ATTACK-6":
            reasons.append(Why(say.say(TAKES[tale.state.rulings.second_only], **numbers), rule))
        elif rule in MODIFIERS:
            reasons.append(Why(say.say(MODIFIERS[rule]), rule))
    if event.phase == "shooting":
        reasons.extend(range_and_sight(tale, event.attacker, event.target))
    return reasons


def _dice(tale: Tale, event: Attacked) -> Why:
    """`3 dice: half of strength, at 6/3`, with the formula that was used."""
    attacker = standing(tale, event.attacker)
    if attacker is None:
        return _counted(tale, event.dice)
    formula = _formula(tale, attacker, event.phase, moving="ORDER-5" in event.modifiers)
    return _counted(tale, event.dice, attacker, formula, halved="TERRAIN-2" in event.modifiers)


def _no_dice(tale: Tale, event: AttackDropped) -> Why:
    """The formula that came to nothing: that of the move, if standing still would have given dice."""
    attacker = standing(tale, event.attacker)
    if attacker is None:
        return _counted(tale, 0)
    still = _formula(tale, attacker, event.phase, moving=False)
    moving = still is not None and evaluate(still, attacker) > 0
    return _counted(tale, 0, attacker, _formula(tale, attacker, event.phase, moving=moving))


def _formula(tale: Tale, attacker: Unit, phase: str, *, moving: bool) -> str | None:
    kind = type_of(tale, attacker)
    if phase == "melee":
        return kind.melee.dice if kind.melee else None
    if kind.shooting is None:
        return None
    return kind.shooting.moving if moving else kind.shooting.dice


def _counted(
    tale: Tale, dice: int, attacker: Unit | None = None, formula: str | None = None, *, halved: bool = False
) -> Why:
    say = tale.voice
    number = say.count("%(num)s die", "%(num)s dice", dice)
    if attacker is None or formula is None:
        return Why(number, "ATTACK-1")
    parts: dict[str, Part] = {
        "dice": number,
        "formula": formulas.words(formula, say.language),
        "values": values(tale, attacker.id),
    }
    if halved:
        return Why(say.say("%(dice)s: %(formula)s, at %(values)s, and half of that", **parts), "ATTACK-1")
    return Why(say.say("%(dice)s: %(formula)s, at %(values)s", **parts), "ATTACK-1")


def _is_special(tale: Tale, unit_id: str) -> bool:
    found = standing(tale, unit_id)
    return found is not None and type_of(tale, found).toughness.special
