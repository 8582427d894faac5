"""What a game master chooses for his battle beside the ruleset's own rulings: kept as JSON in the battle's row."""

from __future__ import annotations

from typing import Literal

import msgspec

REMIND_MAX = 24 * 14
"""Nobody is reminded earlier than so many hours before a deadline."""
Looks = Literal["never", "after-deadline", "always"]


class Options(msgspec.Struct, frozen=True, omit_defaults=True):
    """Every option has a default, which is what a battle has that was made before the option was thought of."""

    shared_plan: bool = True
    """Commanders of one side see each other's entered orders of the open turn."""
    looks: Looks = "never"
    """Whether the game master may read sealed orders before they are published; every look is logged for all."""
    open_thread: bool = False
    """Accounts that hold no seat may write in the public thread."""
    hand_over: bool = False
    """A commander may hand his seat over to another himself."""
    extend_hours: int = 0
    """So many hours are added, once for each seat and battle, where a seat is silent at the deadline; 0: none."""
    doctrine: bool = False
    """A seat that is silent does what its standing doctrine says, if it has one."""
    offer_after: int = 0
    """After so many silent turns in a row a seat is offered to others; 0: never."""
    remind_hours: int = 24
    """So many hours before the deadline, seats that are silent or incomplete are reminded; 0: never."""
    grace_minutes: int = 0
    """After an outage of the server a held battle goes on by itself when so much time has passed; 0: when the game
    master says so."""


def read(text: str) -> Options:
    """Options as they are stored."""
    return msgspec.json.decode(text, type=Options)


def written(options: Options) -> str:
    """As they are stored: what differs from the defaults."""
    return msgspec.json.encode(options).decode()
