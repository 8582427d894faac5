"""`duel` told in the barest words: what happened, and its dice."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.events import Event, event_key
from app.reports.telling import Key, Tale, Teller
from app.reports.tree import Sentence
from tests.contracts.duel.state import DuelEvent, evolve


def told(tale: Tale, event: Event) -> None:
    tale.entry(event_key(event), tale.voice.say("%(what)s", what=event_key(event)))


def headline(tale: Tale, events: Sequence[Event]) -> Sentence:
    return tale.voice.say("%(what)s", what=event_key(events[-1]))


def leftover(tale: Tale, key: Key) -> Sentence:
    return tale.voice.say("%(what)s", what=" ".join(key))


TELLER = Teller(
    ruleset="duel",
    words=dict.fromkeys(DuelEvent.__subclasses__(), told),
    evolve=evolve,
    headline=headline,
    leftover=leftover,
)
