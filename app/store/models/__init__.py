"""The tables. Facts only: no prose, no state that could be worked out, UTC without exception."""

from __future__ import annotations

from app.store.models.base import Table, Utc, core
from app.store.models.battle import (
    BATTLES,
    EVENTS,
    LOG,
    OUTBOX,
    SEATS,
    SHEETS,
    STATES,
    TIES,
    TURNS,
    Account,
    Battle,
    Events,
    Heartbeat,
    LogEntry,
    Outgoing,
    Ruling,
    Seat,
    Sheet,
    State,
    Tie,
    Token,
    Turn,
)
from app.store.models.judgement import BRANCHES, LEFT, Branch
from app.store.models.notices import SUBSCRIPTIONS, Subscription
from app.store.models.people import ENTRIES, MASTERS, SIGNED_IN, Entry, Master, SignedIn
from app.store.models.plan import DRAWINGS, Drawing
from app.store.models.time import REMINDERS, Reminder

__all__ = [
    "BATTLES",
    "BRANCHES",
    "DRAWINGS",
    "ENTRIES",
    "EVENTS",
    "LEFT",
    "LOG",
    "MASTERS",
    "OUTBOX",
    "REMINDERS",
    "SEATS",
    "SHEETS",
    "SIGNED_IN",
    "STATES",
    "SUBSCRIPTIONS",
    "TIES",
    "TURNS",
    "Account",
    "Battle",
    "Branch",
    "Drawing",
    "Entry",
    "Events",
    "Heartbeat",
    "LogEntry",
    "Master",
    "Outgoing",
    "Reminder",
    "Ruling",
    "Seat",
    "Sheet",
    "SignedIn",
    "State",
    "Subscription",
    "Table",
    "Tie",
    "Token",
    "Turn",
    "Utc",
    "core",
]
