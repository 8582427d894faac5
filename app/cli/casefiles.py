"""Files of adjudication cases: YAML with the line of every place, so that a mistake can be pointed at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from app.engine.ruleset import Unreadable

MOST_CHARACTERS: Final = 2_000_000
MOST_VALUES: Final = 100_000
_ITEM = re.compile(r"^-(?=\s)", re.MULTILINE)


@dataclass(frozen=True)
class Found:
    """One item of a file: its mapping, or what is wrong with it, and its line (from 1)."""

    line: int
    given: Any = None
    wrong: str | None = None

    def name(self) -> str | None:
        name = self.given.get("case") if isinstance(self.given, dict) else None
        return name if isinstance(name, str) else None

    def plain(self) -> Any:
        """The item as plain values. Raises `RecursionError` for one that is nested without end, `Unreadable` for one that
        its aliases make too large."""
        return _plain(self.given, count(1))

    def line_of(self, where: tuple[str, ...]) -> int:
        """The line of the last key on the way that is there."""
        line, here = self.line, self.given
        for key in where:
            if not isinstance(here, CommentedMap) or key not in here:
                break
            line = _line(here, key, line)
            here = here[key]
        return line


def read_file(file: Path) -> list[Found]:
    """The items of a file, in order. A mistake in one does not lose the others."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as bad:
        return [Found(1, wrong=f"the file cannot be read: {bad.strerror or bad}")]
    except UnicodeDecodeError as bad:
        return [Found(1, wrong=f"the file is not UTF-8: byte {bad.start + 1}")]
    if len(text) > MOST_CHARACTERS:
        return [Found(1, wrong=f"the file has {len(text)} characters, at most {MOST_CHARACTERS} are read; part it")]
    return list(_items(text))


def _items(text: str) -> Iterator[Found]:
    whole = _parse(text)
    if isinstance(whole, Found):
        pieces = _pieces(text)
        if len(pieces) < 2:
            yield whole
        for piece in pieces if len(pieces) > 1 else ():
            part = _parse(piece)
            yield from (part,) if isinstance(part, Found) else _listed(part)
    else:
        yield from _listed(whole)


def _listed(tree: Any) -> Iterator[Found]:
    if tree is None or tree == []:
        yield Found(1, wrong="there is no case in this file")
        return
    if not isinstance(tree, CommentedSeq):
        yield Found(1, wrong="a file of cases is a list: each case begins with “- case: NAME”")
        return
    for index, item in enumerate(tree):
        yield Found(_line(tree, index, tree.lc.line + 1), given=item)


def _line(tree: CommentedMap | CommentedSeq, key: str | int, otherwise: int) -> int:
    """The line of an item. Where a tag stands before a tree, or a key was merged into it, no place is kept: `otherwise`."""
    place = (tree.lc.data or {}).get(key)
    return otherwise if place is None else int(place[0]) + 1


def _parse(text: str) -> Any:
    try:
        return YAML(typ="rt", pure=True).load(text)
    except MarkedYAMLError as bad:
        mark = bad.problem_mark or bad.context_mark
        return Found((mark.line if mark is not None else 0) + 1, wrong=f"this is not YAML: {bad.problem or bad.context}")
    except RecursionError:
        return Found(1, wrong="this is nested too deep")
    except (YAMLError, ValueError, TypeError) as bad:
        return Found(1, wrong=f"this is not YAML: {str(bad).splitlines()[0] if str(bad) else type(bad).__name__}")


def _pieces(text: str) -> list[str]:
    """The items of a list as texts of their own, moved down to the lines in which they stand."""
    cuts = [*(found.start() for found in _ITEM.finditer(text)), len(text)]
    return ["\n" * text.count("\n", 0, start) + text[start:end] for start, end in pairwise(cuts)]


def _plain(tree: Any, values: Iterator[int]) -> Any:
    """`values` counts what was made so far."""
    if next(values) > MOST_VALUES:
        raise Unreadable(f"there is more in this case than can be read, at most {MOST_VALUES} values")
    if isinstance(tree, dict):
        return {_plain(key, values): _plain(value, values) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_plain(value, values) for value in tree]
    if isinstance(tree, bool) or tree is None:
        return tree
    if isinstance(tree, int):
        return int(tree)
    return str(tree) if isinstance(tree, str) else tree
