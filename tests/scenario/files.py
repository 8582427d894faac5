"""A small scenario file that holds, line by line, to be spoilt by tests."""

from __future__ import annotations

GOOD = """\
format: 1
ruleset: cohesion
key: two-hills
title: {en: Two Hills, ru: Два холма}
notes:
  en: |
    First line.

    Second *line*.
  ru: Строка.
goal: 2
board:
  layout: pointy
  map: |
    . . . m .
     . B r . .
    . . . # .
  legend: {".": open, r: rough, B: building, "#": impassable, m: marsh}
terrain:
  marsh: {name: {en: marsh, ru: болото}, must_stop: yes, half_melee: yes, colour: "#7A8"}
types:
  SW:
    name: {en: swamp walkers, ru: болотники}
    code: {en: SW, ru: Б.Л}
    strength: 4
    cohesion: {max: 5, start: 2}
    toughness: {first: 3, second: 5}
    speed: half(strength)
    melee: {dice: strength}
sides:
  north: {name: {en: North, ru: Север}, home: top, colour: "#d8d8d8"}
  south: {name: {en: South, ru: Юг}, home: bottom}
contingents:
  north: {side: north, name: {en: the north, ru: север}}
  west: {side: south, name: {en: the west, ru: запад}}
units:
  N-SW1: {type: SW, contingent: north, at: A1}
  N-WS1: {type: WS, contingent: north, at: C1, upper: 4, lower: 0}
  W-LM1: {type: LM, contingent: west, at: A3, cohesion: 1}
  W-ET1: {type: ET, contingent: west, at: B3}
  W-CC1: {type: CC, contingent: west, at: c3}
rulings: {tie: on, uncontrolled-catch: no}
"""


def changed(old: str, new: str) -> str:
    """The good file with one piece changed."""
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)
