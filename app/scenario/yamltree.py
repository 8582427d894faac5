"""YAML -> a plain tree and the place of each part of it. Written against hostile files: no aliases, no tags, no depth.

The tree is built from the parser's events, so nothing in a file can grow (an alias), run (a tag) or turn into what was not
written (`0412`, `1E5` and `no` stay texts; plain whole numbers, `true`, `false` and `null` are what they look like).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.reader import ReaderError

from app.engine.fields import shown
from app.engine.ruleset import Problem

MAX_CHARACTERS: Final = 300_000
MAX_DEPTH: Final = 10
MAX_PARTS: Final = 60_000
MAX_PROBLEMS: Final = 100

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})")
_WORDS: Final = {"true": True, "false": False, "null": None, "~": None, "": None}


class Place(NamedTuple):
    """Where something is written; both count from 1."""

    line: int
    column: int


@dataclass
class Tree:
    """What was read. `value` holds dicts, lists, texts, whole numbers, booleans and None; `places` has each part by its
    path, `keys` the key of each part of a mapping."""

    value: Any = None
    places: dict[tuple[str, ...], Place] = field(default_factory=dict)
    keys: dict[tuple[str, ...], Place] = field(default_factory=dict)
    blocks: set[tuple[str, ...]] = field(default_factory=set)
    """Texts written as a block of lines, with `|`."""
    problems: list[Problem] = field(default_factory=list)

    def place(self, path: tuple[str, ...], *, of_key: bool = False) -> Place | None:
        """The place of a part (or of its key), or of the nearest key around it; None if it came as JSON."""
        at = self.keys.get(path) if of_key else None
        at = at or self.places.get(path)
        while at is None and path:
            path = path[:-1]
            at = self.keys.get(path) or self.places.get(path)
        return at


def read_tree(text: str) -> Tree:
    """A text as YAML 1.2. What is wrong is in `problems`; where YAML itself breaks off, the rest is not read."""
    tree = Tree()
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_CHARACTERS:
        tree.problems.append(Problem("file-too-long", (), {"length": len(text), "longest": MAX_CHARACTERS}))
        return tree
    try:
        _Builder(tree, YAML(typ="safe", pure=True).parse(text)).document()
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)
        _wrong(
            tree, "tab" if _is_tab(text, place) else "not-yaml", (), place, why=shown(error.problem or error.context or "")
        )
    except ReaderError as error:
        before = text[: error.position]
        place = Place(before.count("\n") + 1, len(before) - before.rfind("\n"))
        _wrong(tree, "bad-character", (), place, value=f"U+{ord(text[error.position]):04X}")
    except (YAMLError, ValueError, RecursionError):
        _wrong(tree, "not-yaml", (), Place(1, 1), why="")
    except _Stop:
        pass
    return tree


def tree_of(value: Any) -> Tree:
    """A tree that came as JSON: it has no places."""
    return Tree(value)


class _Stop(Exception):
    """Nothing more is read."""


class _Builder:
    def __init__(self, tree: Tree, events: Any) -> None:
        self.tree = tree
        self.events = iter(events)
        self.parts = 0

    def document(self) -> None:
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                self.tree.value = self.node(next(self.events), (), 0)
                break
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                self.stop("second-document", (), event)

    def node(self, event: Any, path: tuple[str, ...], depth: int) -> Any:
        self.parts += 1
        if self.parts > MAX_PARTS:
            self.stop("too-many-parts", path, event, most=MAX_PARTS)
        if depth > MAX_DEPTH:
            self.stop("too-deep", path, event, most=MAX_DEPTH)
        self.tree.places[path] = Place(event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, AliasEvent):
            self.wrong("alias", path, event, value=shown(event.anchor))
            return None
        if event.tag is not None and not (isinstance(event, ScalarEvent) and event.tag == "!"):
            self.wrong("tag", path, event, value=shown(event.tag))
        if isinstance(event, MappingStartEvent):
            return self.mapping(path, depth)
        if isinstance(event, SequenceStartEvent):
            return self.sequence(path, depth)
        if event.style == "|":
            self.tree.blocks.add(path)
        return _scalar(event)

    def mapping(self, path: tuple[str, ...], depth: int) -> dict[str, Any]:
        read: dict[str, Any] = {}
        while not isinstance(event := next(self.events), MappingEndEvent):
            if not isinstance(event, ScalarEvent):
                self.wrong("bad-key", path, event)
                self.node(event, (*path, "?"), depth + 1)
                self.node(next(self.events), (*path, "?"), depth + 1)
                continue
            key = event.value
            at = (*path, key)
            if key in read:
                self.wrong("duplicate-key", at, event, first=self.tree.keys[at].line)
                self.node(next(self.events), (*at, "?"), depth + 1)
                continue
            self.tree.keys[at] = Place(event.start_mark.line + 1, event.start_mark.column + 1)
            read[key] = None
            read[key] = self.node(next(self.events), at, depth + 1)
        return read

    def sequence(self, path: tuple[str, ...], depth: int) -> list[Any]:
        read: list[Any] = []
        while not isinstance(event := next(self.events), SequenceEndEvent):
            read.append(self.node(event, (*path, str(len(read))), depth + 1))
        return read

    def wrong(self, code: str, path: tuple[str, ...], event: Any, **params: str | int) -> None:
        _wrong(self.tree, code, path, Place(event.start_mark.line + 1, event.start_mark.column + 1), **params)
        if len(self.tree.problems) >= MAX_PROBLEMS:
            raise _Stop

    def stop(self, code: str, path: tuple[str, ...], event: Any, **params: str | int) -> None:
        self.wrong(code, path, event, **params)
        raise _Stop


def _scalar(event: ScalarEvent) -> Any:
    text: str = event.value
    if event.style not in (None, ""):
        return text
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if _NUMBER.fullmatch(text) else text


def _wrong(tree: Tree, code: str, path: tuple[str, ...], place: Place, **params: str | int) -> None:
    told: Mapping[str, str | int] = {"key": key_name(path), "line": place.line, "column": place.column, **params}
    tree.problems.append(Problem(code, path, told))


def key_name(path: tuple[str, ...]) -> str:
    """A path as it is shown: `units.N-LM1.at`."""
    return ".".join(shown(part) for part in path)


def _is_tab(text: str, place: Place) -> bool:
    lines = text.split("\n")
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    return "\t" in line[: place.column]
