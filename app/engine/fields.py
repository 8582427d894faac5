"""Reading a tree of JSON whose writer may have made any mistake: every one of them is gathered, none is raised."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, TypeVar

from app.engine.ruleset import Problem

Path = tuple[str, ...]
W = TypeVar("W", bound=str)
"""A word of several, to the letter."""
LANGUAGES: Final = ("en", "ru")
MAX_SHOWN: Final = 60
_FLAGS: Final = {"yes": True, "no": False, "true": True, "false": False}


class Fields:
    """The mistakes found so far, and one method for each kind of value. A method gives a value that can be worked with
    even where it found a mistake. `path` is the way to the value; in a problem it is `field`, and `key` in its params."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def wrong(self, code: str, path: Path, *, warning: bool = False, **params: str | int) -> None:
        self.problems.append(Problem(code, path, {"key": ".".join(path), **params}, warning))

    def mapping(
        self, value: Any, path: Path, *, known: Collection[str] | None = None, needed: Iterable[str] = ()
    ) -> Mapping[str, Any]:
        """A mapping; `known` None: any keys. Says which are unknown and which are missing."""
        if not isinstance(value, Mapping):
            self.wrong("not-a-mapping", path, value=shown(value))
            return {}
        read: dict[str, Any] = {}
        for key, part in value.items():
            if not isinstance(key, str):
                self.wrong("key-not-a-text", path, value=shown(key))
            elif known is not None and key not in known:
                self.wrong("unknown-key", (*path, shown(key)), known=", ".join(known))
            else:
                read[key] = part
        for key in needed:
            if key not in read:
                self.wrong("missing-key", (*path, key))
        return read

    def whole(self, value: Any, path: Path, low: int, high: int) -> int:
        """A whole number, low .. high."""
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong("not-a-number", path, value=shown(value), low=low, high=high)
            return low
        if not low <= value <= high:
            self.wrong("out-of-bounds", path, value=shown(value), low=low, high=high)
            return low
        return value

    def flag(self, value: Any, path: Path) -> bool:
        """`yes` or `no`, also `true` or `false`."""
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value in _FLAGS:
            return _FLAGS[value]
        self.wrong("not-yes-or-no", path, value=shown(value))
        return False

    def word(self, value: Any, path: Path, choices: Collection[W]) -> W:
        """One of several words; the first of them where it is none."""
        if isinstance(value, bool):  # `yes` and `no` are words where they are choices
            value = "yes" if value else "no"
        for choice in choices:
            if value == choice:
                return choice
        self.wrong("not-one-of", path, value=shown(value), choices=", ".join(choices))
        return next(iter(choices))

    def text(self, value: Any, path: Path, *, longest: int, lines: bool = False) -> str:
        """A text that is not empty; line breaks only where `lines` says so, other control characters nowhere."""
        if not isinstance(value, str):
            self.wrong("not-a-text", path, value=shown(value))
            return "?"
        text = value.strip()
        if not text:
            self.wrong("empty-text", path)
            return "?"
        if len(text) > longest:
            self.wrong("text-too-long", path, length=len(text), longest=longest)
            return "?"
        if any(not sign.isprintable() and not (lines and sign in "\n\t") and sign != "\u00a0" for sign in text):
            self.wrong("bad-characters", path, value=shown(value))
            return "?"
        return text

    def texts(self, value: Any, path: Path, *, longest: int, lines: bool = False) -> dict[str, str]:
        """A text in each language. One text alone stands for all of them."""
        if isinstance(value, str):
            return dict.fromkeys(LANGUAGES, self.text(value, path, longest=longest, lines=lines))
        read = self.mapping(value, path, known=LANGUAGES, needed=LANGUAGES if isinstance(value, Mapping) else ())
        return {key: self.text(read[key], (*path, key), longest=longest, lines=lines) for key in LANGUAGES if key in read}


def shown(value: Any) -> str:
    """A value as it may be quoted in a message: short, on one line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "{…}"
    if isinstance(value, (list, tuple)):
        return "[…]"
    if value is None:
        return ""
    if isinstance(value, int) and value.bit_length() > 64:
        return "…"
    text = "".join(sign if sign.isprintable() else "·" for sign in str(value)[: MAX_SHOWN + 1])
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "…"
