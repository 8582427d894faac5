"""Formulas of unit types: `half(strength) - 1`. Read by a parser of our own, and compiled once for each text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, Protocol

MAX_LENGTH: Final = 200
MAX_DEPTH: Final = 16
MAX_NUMBER: Final = 999
NAMES: Final = ("strength", "cohesion", "upper", "lower")
_FUNCTIONS: Final = {"half": 1, "min": 2, "max": 2}

Node = tuple["str | int | Node", ...]
"""`("number", 3)`, `("name", "strength")`, `("half", node)`, `("+", node, node)` …"""
Bounds = tuple[int, int]


class Values(Protocol):
    """What a formula reads: a unit as it stands, or a type's own values."""

    @property
    def strength(self) -> int: ...
    @property
    def cohesion(self) -> int: ...
    @property
    def upper(self) -> int: ...
    @property
    def lower(self) -> int: ...


class BadFormula(ValueError):
    """A formula that cannot be read. `code`: `empty`, `too-long`, `too-deep`, `unknown-word`, `unknown-sign`,
    `number-too-large`, `expected`; `position` counts characters from 1; `found` is the piece at it."""

    def __init__(self, code: str, position: int, found: str = "") -> None:
        self.code = code
        self.position = position
        self.found = found
        super().__init__(f"{code} at {position}: {found!r}")


def evaluate(text: str, unit: Values) -> int:
    """The formula's value for a unit as it stands, never below 0 and never above `MAX_NUMBER`. Raises `BadFormula`."""
    value = compiled(text)(unit)
    return 0 if value < 0 else value if value < MAX_NUMBER else MAX_NUMBER  # noqa: FURB136  (asked for each thing a unit may choose)


@lru_cache(maxsize=4096)
def compiled(text: str) -> Callable[[Values], int]:
    """The formula as a function, not yet held to 0 .. `MAX_NUMBER`. Raises `BadFormula`."""
    return _function(parse(text))


def parse(text: str) -> Node:
    """Text -> tree. Raises `BadFormula`."""
    return _Parser(text).whole()


def bounds(text: str, highest: Mapping[str, int]) -> Bounds:
    """Between what values the formula can lie while each name lies between 0 and its highest value (0 if not given).
    The bounds are safe, not always tight. Raises `BadFormula`."""
    low, high = _bounds(parse(text), highest)
    return max(low, 0), max(high, 0)


def names(text: str) -> frozenset[str]:
    """The names that a formula reads. Raises `BadFormula`."""
    return frozenset(_names(parse(text)))


class _Parser:
    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise BadFormula("too-long", MAX_LENGTH + 1)
        self.tokens = _tokens(text)
        self.at = 0
        self.end = len(text) + 1

    def whole(self) -> Node:
        if not self.tokens:
            raise BadFormula("empty", 1)
        tree = self.sum(0)
        if self.at < len(self.tokens):
            raise self.unexpected()
        return tree

    def sum(self, depth: int) -> Node:
        tree = self.product(depth)
        while self.sign() in ("+", "-"):
            tree = (self.take(), tree, self.product(depth))
        return tree

    def product(self, depth: int) -> Node:
        tree = self.factor(depth)
        while self.sign() == "*":
            tree = (self.take(), tree, self.factor(depth))
        return tree

    def factor(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise BadFormula("too-deep", self.tokens[self.at - 1][0])
        word = self.sign()
        if word.isdigit():
            return self.number()
        if word in NAMES:
            return ("name", self.take())
        if word in _FUNCTIONS:
            return self.call(depth)
        if word == "-":
            self.take()
            return ("-", ("number", 0), self.factor(depth + 1))
        if word == "(":
            self.take()
            tree = self.sum(depth + 1)
            self.expect(")")
            return tree
        if word[:1].isalpha() or word[:1] == "_":
            raise BadFormula("unknown-word", self.tokens[self.at][0], word)
        raise self.unexpected()

    def number(self) -> Node:
        position, digits = self.tokens[self.at]
        if len(digits) > 6 or int(digits) > MAX_NUMBER:
            raise BadFormula("number-too-large", position, digits[:12])
        self.at += 1
        return ("number", int(digits))

    def call(self, depth: int) -> Node:
        name = self.take()
        self.expect("(")
        tree: Node = (name, self.sum(depth + 1))
        for _ in range(_FUNCTIONS[name] - 1):
            self.expect(",")
            tree = (*tree, self.sum(depth + 1))
        self.expect(")")
        return tree

    def sign(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1][1]

    def expect(self, sign: str) -> None:
        if self.sign() != sign:
            raise self.unexpected()
        self.at += 1

    def unexpected(self) -> BadFormula:
        if self.at < len(self.tokens):
            position, found = self.tokens[self.at]
            return BadFormula("expected", position, found)
        return BadFormula("expected", self.end)


def _tokens(text: str) -> list[tuple[int, str]]:
    """Pieces with their positions, which count from 1."""
    found: list[tuple[int, str]] = []
    at = 0
    while at < len(text):
        sign = text[at]
        end = at + 1
        if sign in " \t\n":
            at = end
            continue
        if sign.isascii() and sign.isdigit():
            while end < len(text) and text[end].isascii() and text[end].isdigit():
                end += 1
        elif sign.isalpha() or sign == "_":
            while end < len(text) and (text[end].isalnum() or text[end] == "_"):
                end += 1
        elif sign not in "+-*(),":
            raise BadFormula("unknown-sign", at + 1, sign)
        found.append((at + 1, text[at:end]))
        at = end
    return found


def _function(tree: Node) -> Callable[[Values], int]:
    kind = tree[0]
    if kind == "number":
        number = int(tree[1])  # type: ignore[arg-type]
        return lambda _: number
    if kind == "name":
        return {
            "strength": lambda unit: unit.strength,
            "cohesion": lambda unit: unit.cohesion,
            "upper": lambda unit: unit.upper,
            "lower": lambda unit: unit.lower,
        }[str(tree[1])]
    one, *rest = (_function(part) for part in tree[1:] if isinstance(part, tuple))
    if kind == "half":
        return lambda unit: -(-one(unit) // 2)
    (other,) = rest
    if kind == "+":
        return lambda unit: one(unit) + other(unit)
    if kind == "-":
        return lambda unit: one(unit) - other(unit)
    if kind == "*":
        return lambda unit: one(unit) * other(unit)
    if kind == "min":
        return lambda unit: min(one(unit), other(unit))
    return lambda unit: max(one(unit), other(unit))


def _bounds(tree: Node, highest: Mapping[str, int]) -> Bounds:
    kind = tree[0]
    if kind == "number":
        return int(tree[1]), int(tree[1])  # type: ignore[arg-type]
    if kind == "name":
        return 0, highest.get(str(tree[1]), 0)
    (a, b), *rest = (_bounds(part, highest) for part in tree[1:] if isinstance(part, tuple))
    if kind == "half":
        return -(-a // 2), -(-b // 2)
    ((c, d),) = rest
    if kind == "+":
        return a + c, b + d
    if kind == "-":
        return a - d, b - c
    if kind == "*":
        corners = (a * c, a * d, b * c, b * d)
        return min(corners), max(corners)
    if kind == "min":
        return min(a, c), min(b, d)
    return max(a, c), max(b, d)


def _names(tree: Node) -> list[str]:
    if tree[0] == "name":
        return [str(tree[1])]
    return [name for part in tree[1:] if isinstance(part, tuple) for name in _names(part)]
