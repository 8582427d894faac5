"""Formulas of unit types in words: `half(strength) - 1` -> `half of strength − 1`, `половина силы − 1`."""

from __future__ import annotations

from app.language import Translator, translator
from app.rulesets.cohesion.formula import Node, parse


def words(formula: str, language: str) -> str:
    """A formula as it is read aloud. Raises `BadFormula` for what is not one."""
    return _whole(parse(formula), translator(language))


def _whole(tree: Node, say: Translator) -> str:
    kind = str(tree[0])
    if kind == "number":
        return str(tree[1])
    if kind == "name":
        return _name(str(tree[1]), say)
    if kind == "half":
        return say.gettext("half of %(what)s", what=_of(_node(tree[1]), say))
    if kind in ("min", "max"):
        one, other = (_of(_node(part), say) for part in tree[1:])
        if kind == "min":
            return say.gettext("the lower of %(one)s and %(other)s", one=one, other=other)
        return say.gettext("the higher of %(one)s and %(other)s", one=one, other=other)
    one, other = (_joined(_node(part), say, kind) for part in tree[1:])
    return f"{one} {({'-': '−', '*': '×'}).get(kind, kind)} {other}"


def _of(tree: Node, say: Translator) -> str:
    """What stands after "of": the genitive, where a language has one."""
    kind = tree[0]
    if kind == "name":
        return {
            "strength": say.pgettext("of", "strength"),
            "cohesion": say.pgettext("of", "cohesion"),
            "upper": say.pgettext("of", "upper"),
            "lower": say.pgettext("of", "lower"),
        }[str(tree[1])]
    if kind == "half":
        return say.pgettext("of", "half of %(what)s", what=_of(_node(tree[1]), say))
    if kind == "number":
        return str(tree[1])
    return f"({_whole(tree, say)})"


def _name(name: str, say: Translator) -> str:
    return {
        "strength": say.gettext("strength"),
        "cohesion": say.gettext("cohesion"),
        "upper": say.gettext("upper"),
        "lower": say.gettext("lower"),
    }[name]


def _joined(tree: Node, say: Translator, sign: str) -> str:
    """A part of a sum or product, in brackets where it would be read amiss without."""
    text = _whole(tree, say)
    loose = tree[0] in ("+", "-") if sign in ("*", "-") else False
    return f"({text})" if loose or (sign == "*" and tree[0] in ("min", "max", "half")) else text


def _node(part: str | int | Node) -> Node:
    if not isinstance(part, tuple):
        raise TypeError(f"{part!r} is no part of a formula")
    return part
