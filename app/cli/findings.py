"""What a check of records found, in plain words: for each finding a sentence if it holds, and one if it does not."""

from __future__ import annotations

from app.language import marked as _
from app.language import translated
from app.referee.records import Finding

MOST = 300
"""So many signs of a value are shown."""

WORDS: dict[str, tuple[str, str]] = {
    "not-a-record": ("", _("this is not a record of a turn: %(where)s")),
    "format": ("", _("the record has the format %(format)s; this program reads the format %(known)s")),
    "withheld": ("", _("a part of this turn is not known to all yet: the record can be checked when the battle is over")),
    "ruleset": ("", _("the ruleset %(ruleset)s is not known here, so the turn cannot be played again")),
    "version": (
        "",
        _("the turn was played by version %(version)s of %(ruleset)s; this program has %(known)s and cannot play it again"),
    ),
    "position": ("", _("the position “%(which)s” cannot be read: %(why)s")),
    "digest": (
        _("%(seat)s: the digest is that of its orders (revision %(revision)s)"),
        _("%(seat)s: the digest is not that of the orders shown (revision %(revision)s)"),
    ),
    "doctrine": (
        _("%(seat)s: the digest is that of its doctrine"),
        _("%(seat)s: the digest is not that of the doctrine shown"),
    ),
    "followed": (
        _("%(seat)s: its doctrine (%(doctrine)s) fills in what it left open"),
        _("%(seat)s: this doctrine (%(doctrine)s) fills in nothing here"),
    ),
    "commitment": (
        _("the secret is the one that was promised before any orders"),
        _("the secret is not the one that was promised before any orders"),
    ),
    "seed": (
        _("the seed of the dice follows from the secret and the digests"),
        _("the seed of the dice does not follow from the secret and the digests"),
    ),
    "before": (
        _("the position before the turn is whole, and of this turn"),
        _("the position before the turn is not as the rules write it, or is of another turn"),
    ),
    "asked": ("", _("%(seat)s: nobody asked this seat for orders, or it has two sheets")),
    "orders": (_("%(seat)s: the orders are legal"), _("%(seat)s: these orders could not have been taken: %(codes)s")),
    "replay": ("", _("the turn cannot be played again: %(why)s")),
    "ruling": (
        _("ruling %(number)s on the result (%(kind)s) did what the record says"),
        _("ruling %(number)s on the result (%(kind)s) did something else than the record says"),
    ),
    "dice": (
        _("every die is the one that the seed gives"),
        _("dice are not those that the seed gives: at %(address)s it gives %(faces)s, the record says %(told)s"),
    ),
    "events": (
        _("played again, the turn tells the same events"),
        _("played again, the turn tells other events, from event %(event)s on"),
    ),
    "after": (
        _("played again, the turn ends in the same position"),
        _("played again, the turn ends in another position"),
    ),
    "points": (_("the points are right"), _("the points are wrong")),
    "winner": (_("the result is right"), _("the result is wrong: played again, it is %(winner)s")),
    "chain": (
        _("turn %(turn)s begins where turn %(earlier)s ended"),
        _("turn %(turn)s does not begin where turn %(earlier)s ended, and no ruling explains it"),
    ),
    "chain-gap": ("", _("between turn %(earlier)s and turn %(turn)s records are missing")),
    "chain-twice": (_("turn %(turn)s was given twice, the same"), _("turn %(turn)s was given twice, and not the same")),
    "chain-battle": ("", _("these are records of several battles: %(battle)s and %(other)s")),
}


def words(finding: Finding, language: str) -> str:
    """A finding as a sentence without its full stop. A stranger's record may name things with signs that move a terminal's
    cursor: they are shown as such."""
    text = WORDS[finding.code][0 if finding.holds else 1]
    return translated(text, language) % {name: plain(value) for name, value in finding.params.items()}


def plain(value: object) -> str:
    """A value on one line, fit to be printed."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(value)[:MOST])
