"""What a side should see in its sheets, in words: each finding of a ruleset's `glance` as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.engine.glance import Finding
from app.language import marked as _
from app.language import translator

FINDINGS: Mapping[str, str] = {
    "no-order": _("%(unit)s has no order."),
    "same-cell": _("%(all)s enter %(cell)s in the same step: one of them gets in by lot, and who does not stops."),
    "friends-swap": _("%(unit)s and %(others)s want each other's cells: two units never change places."),
    "friend-later": _("%(unit)s cannot enter %(cell)s: %(others)s is in the way and moves later."),
    "friend-first": _("%(unit)s cannot enter %(cell)s: %(others)s goes sooner and is there by then."),
    "friend-stopped": _("%(unit)s cannot enter %(cell)s: %(others)s moves at the same time and does not get away."),
    "friend-stays": _("%(unit)s cannot enter %(cell)s: %(others)s stays there."),
    "friend-unknown": _("%(unit)s cannot enter %(cell)s if %(others)s stays there; its orders are not known here."),
    "enemy-there": _("%(unit)s cannot enter %(cell)s if the enemy %(others)s stays there."),
    "uncontrolled-there": _("%(unit)s cannot end its move in %(cell)s: the uncontrolled %(others)s is there."),
    "may-be-caught": _("If a faster enemy (%(others)s) comes beside %(unit)s before it goes, its move is lost."),
    "caught": _("%(others)s retreats to a cell beside %(unit)s and catches it: its move is lost."),
    "charge-held": _("%(unit)s goes only as far as %(cell)s, unless an enemy is beside the end of its path by then."),
    "move-cut": _("%(unit)s goes only as far as %(cell)s: the rest of its path is cut."),
    "move-lost": _("%(unit)s does not move: its withdrawal does not lead to where its path begins."),
    "no-speed": _("%(unit)s does not move: its speed is 0."),
    "path-shut": _("%(unit)s cannot enter %(cell)s: the cell is impassable."),
    "withdraws-elsewhere": _("%(unit)s withdraws to %(cell)s, and not to the cell that its order names."),
    "withdrawal-lost": _("%(unit)s does not withdraw: the way back is barred."),
}  # fmt: skip
PERHAPS = _("If the lots fall so: %(words)s")
UNKNOWN = _("%(unit)s: look at its order again (%(code)s).")


def words(finding: Finding, name: Callable[[str], str], language: str) -> str:
    """A finding as a sentence. `name`: how a unit is called. Plain text: each format escapes it."""
    say = translator(language)
    others = [name(unit) for unit in finding.others]
    unit = name(finding.unit)
    told = say.gettext(FINDINGS.get(finding.code, UNKNOWN)) % {
        "unit": unit,
        "others": say.list(others) if others else "",
        "all": say.list([unit, *others]),
        "cell": finding.cell or "",
        "code": finding.code,
    }
    return told if finding.sure else say.gettext(PERHAPS) % {"words": told}
