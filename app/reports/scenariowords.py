"""Mistakes in scenario files and in corrections in words: what stands there, and what should."""

from __future__ import annotations

from collections.abc import Mapping

from app.language import marked as _

FILE = {
    "file-too-long": _("The file has %(length)s characters; at most %(longest)s are read."),
    "empty-file": _("The file is empty. A scenario is a YAML mapping that begins with “format: 1”."),
    "not-yaml": _("This is not YAML: %(why)s. Check the indents, colons and quotes around here."),
    "tab": _("A tab stands here. YAML is indented with spaces only."),
    "bad-character": _("The character %(value)s cannot stand in a YAML file. Take it out."),
    "too-many-parts": _("The file has too many parts; at most %(most)s are read."),
    "too-deep": _("Mappings stand too deep in one another; at most %(most)s levels are read."),
    "second-document": _("A second document begins here. A file holds one scenario."),
    "alias": _("Anchors and aliases are not read here. Write it out."),
    "tag": _("Tags are not read here. Take it out."),
    "bad-key": _("A key is plain text, not a list or a mapping."),
    "duplicate-key": _("This key stands twice; the first time in line %(first)s. Keep one."),
    "unknown-format": _("The format is %(value)s; this program reads format %(known)s."),
    "bad-scenario-key": _("“%(value)s” cannot be a scenario's key: small Latin letters, digits and hyphens, 60 at most."),
}  # fmt: skip
FIELDS = {
    "not-a-mapping": _("Here should stand a mapping (key: value), not “%(value)s”."),
    "key-not-a-text": _("The key “%(value)s” is not a text. Put it in quotes."),
    "unknown-key": _("This key is not known. Known here: %(known)s."),
    "missing-key": _("This is missing. Add it."),
    "not-a-number": _("“%(value)s” is not a whole number. It should lie between %(low)s and %(high)s."),
    "out-of-bounds": _("%(value)s is out of bounds: from %(low)s to %(high)s."),
    "not-yes-or-no": _("“%(value)s” should be yes or no."),
    "not-one-of": _("“%(value)s” is none of: %(choices)s."),
    "not-a-text": _("“%(value)s” is not a text. Put it in quotes."),
    "empty-text": _("The text is empty. Write something."),
    "text-too-long": _("The text has %(length)s characters; at most %(longest)s fit."),
    "bad-characters": _("“%(value)s” holds characters that cannot be shown. Write it anew."),
    "too-many": _("There are %(count)s of them; at most %(most)s."),
    "none-at-all": _("There is none; at least one is needed."),
    "bad-name": _(
        "“%(value)s” cannot be a name here: Latin letters, digits and hyphens, a letter first, 30 at most."
    ),
    "not-a-colour": _("“%(value)s” is not a colour. A colour is #rgb or #rrggbb, in quotes."),
}  # fmt: skip
BOARD = {
    "open-is-fixed": _("“open” is the ground where nothing else is said, and cannot be made anew. Choose another name."),
    "not-a-map": _("The map should be a block of lines, begun with “map: |”."),
    "bad-sign": _("“%(value)s” cannot be a sign of the map: one character, not a blank."),
    "board-size": _("The map has %(columns)s columns and %(rows)s rows; each should be from %(least)s to %(most)s."),
    "row-length": _("Row %(row)s of the map has %(count)s cells, the first row has %(columns)s. Make them alike."),
    "sign-not-in-legend": _("The sign “%(value)s” (cell %(cell)s) is not in the legend. Add it there, or change it."),
}  # fmt: skip
CARRY = {
    "carry-bad-battle": _("“%(value)s” is no battle's id: the ten signs at the end of its address, as in /b/abcdefghjk."),
    "carry-no-place": _("The scenario has no unit “%(value)s” whose place could be taken."),
    "carry-twice": _("%(value)s takes the place of %(other)s already. A unit takes one place."),
    "carry-no-battle": _("There is no battle %(battle)s here."),
    "carry-other-game": _("Units come over only from a battle of the same rules, and where those know how."),
    "carry-unknown-unit": _("There was no unit %(unit)s in that battle."),
    "carry-other-type": _("%(unit)s is of the type %(type)s, and this place is one for %(needed)s."),
    "carry-stands": _("%(unit)s was not destroyed: it comes as it is, without a stated strength."),
    "carry-back": _("%(unit)s can come back with a strength from 1 to %(most)s."),
    "carry-empty-side": _("Nobody would be left on the side %(side)s. Let some units come back, or bring other ones."),
}  # fmt: skip
TYPES = {
    "strength-or-sections": _("A type has either strength or sections. Give one of the two."),
    "bad-code": _("“%(value)s” cannot be a code: letters, digits, full stops and hyphens, a letter first."),
    "code-twice": _("The code “%(value)s” is that of %(other)s too. Each type needs a code of its own."),
    "second-below-first": _("The second threshold (%(value)s) lies below the first (%(first)s)."),
    "bad-formula": _(
        "The formula “%(value)s” cannot be read at character %(position)s. Known: strength, cohesion, upper, lower, whole "
        "numbers, + - *, half(x), min(x, y), max(x, y)."
    ),
    "formula-without-sections": _("The formula “%(value)s” names %(name)s, but the type has no sections."),
    "formula-too-large": _("The formula “%(value)s” may come to %(highest)s; at most %(high)s is allowed."),
}  # fmt: skip
FORCES = {
    "side-called-draw": _("“draw” means that nobody wins. Give the side another name."),
    "not-two-sides": _("This game has two sides, not %(count)s."),
    "id-is-a-cell": _("“%(value)s” would be read as a cell. Choose another id, such as N-LM1."),
    "id-twice": _("“%(value)s” and %(other)s differ in capital letters only. Choose another id."),
    "not-a-cell": _("“%(value)s” is not a cell. A cell is letters and a number, as C4."),
    "off-board": _("%(cell)s is not on the board, which has %(columns)s columns and %(rows)s rows (last cell %(last)s)."),
    "cell-impassable": _("%(cell)s is %(kind)s, which nobody can enter. Choose another cell."),
    "cell-taken": _("%(cell)s is taken by %(other)s already. Choose another cell."),
    "value-of-another-type": _("A unit of this type has no %(name)s. It has: %(known)s."),
}  # fmt: skip
LINT = {
    "cannot-leave": _("The unit starts in %(cell)s and could never leave it."),
    "board-in-pieces": _(
        "The board is in pieces (%(count)s): from %(cell)s no way leads to the rest (cells there: %(cells)s)."
    ),
    "unlike-value": _("The sides are of unlike value: %(rich)s %(most)s, %(poor)s %(least)s."),
    "goal-out-of-reach": _(
        "The goal is %(goal)s, but all units of %(side)s are worth only %(value)s, so their enemy cannot reach it."
    ),
    "type-never-used": _("No unit is of the type %(value)s."),
    "ground-never-used": _("No cell is %(value)s."),
    "side-without-seat": _("The side %(value)s has no contingent, so nobody can command it."),
    "seat-without-units": _("The contingent %(value)s has no units."),
    "same-home": _("Both sides have the same home edge: %(home)s."),
}  # fmt: skip
RULING = {
    "no-changes": _("Nothing is changed. Say what should be otherwise."),
    "not-one-change": _("Each change is exactly one of: %(choices)s."),
    "unknown-unit": _("There is no unit %(unit)s on the field."),
    "unit-there": _("The unit %(unit)s is on the field already. Choose another id."),
    "nothing-came-of-it": _(
        "Nothing on the field came of this line itself. Set aside the loss, the move or the fall instead."
    ),
    "unit-gone": _("%(unit)s has fallen since. Set aside its fall first."),
    "moved-on": _("%(unit)s has moved on since, to %(cell)s. Put it where it should stand by an amendment."),
    "no-such-die": _("No dice were rolled at %(address)s in this draft."),
    "no-such-event": _("There is no such line in this draft."),
    "dice-first": _(
        "The result of this draft has been amended, and no die beneath an amendment is rolled again. "
        "Amend the result once more."
    ),
    "not-in-this-game": _("The rules of this game have no such ruling."),
}  # fmt: skip
"""Of the game master's corrections, which are checked as scenario files are."""
SCENARIO: Mapping[str, str] = {**FILE, **FIELDS, **BOARD, **CARRY, **TYPES, **FORCES, **LINT, **RULING}
WHERE = _("line %(line)s, column %(column)s, %(key)s: %(words)s")
WHERE_LINE = _("line %(line)s, column %(column)s: %(words)s")
WHERE_KEY = _("%(key)s: %(words)s")
