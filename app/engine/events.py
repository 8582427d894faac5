"""An event: a fact told about a battle. Holds no prose; its words are made when it is read aloud."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The root of every ruleset's events. A ruleset's own root sets `tag=<its naming>, tag_field="event"`."""


def event_key(event: Event) -> str:
    """The stable name of an event's kind, as it is stored: `rolled`, `moved`."""
    tag = type(event).__struct_config__.tag
    if not isinstance(tag, str):
        raise TypeError(f"{type(event).__name__} has no tag")
    return tag


def addresses(events: Iterable[Event]) -> frozenset[str]:
    """The addresses of the dice that events tell of. Every ruleset tells a roll in an event with `address` and `faces`."""
    return frozenset(address for event in events if isinstance(address := getattr(event, "address", None), str))
