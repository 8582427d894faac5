"""Battles and what belongs to them: seats, sheets, turns, states, events, rulings, the log; accounts; the outbox."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.store.models.absence import Manned
from app.store.models.base import Table, Utc, core
from app.store.models.time import Timed


class Account(Table):
    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    created_at: Mapped[datetime] = mapped_column(Utc)
    password: Mapped[str | None] = mapped_column(String(200))
    """Its argon2 hash; None: signs in by a link, or is a program's."""
    mail: Mapped[str | None] = mapped_column(String(254))
    """An address that was shown to be its owner's."""
    zone: Mapped[str] = mapped_column(String(64), default="UTC", server_default="UTC")
    language: Mapped[str] = mapped_column(String(8), default="en", server_default="en")
    looks: Mapped[str | None] = mapped_column(String(64), unique=True)
    """A digest of what a reader sees of the name: no two look the same. None: of an old name that another's looked like."""

    __table_args__ = (Index("uq_accounts_mail", "mail", unique=True),)


class Token(Table):
    """A bearer token of an account: only its SHA-256 is kept."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), index=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(Utc)


class Battle(Timed, Table):
    """`version` is what compare-and-swap decides on: every change of the row adds one."""

    __tablename__ = "battles"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    ruleset: Mapped[str] = mapped_column(String(40))
    ruleset_version: Mapped[str] = mapped_column(String(20))
    scenario_key: Mapped[str] = mapped_column(String(80))
    scenario: Mapped[str] = mapped_column(Text)
    """The scenario as it was frozen, JSON."""
    status: Mapped[str] = mapped_column(String(12))
    """`open` (orders are awaited), `review` (a resolved turn waits to be published), `held` (after an outage),
    `paused` (orders are taken, and nothing falls due), `over`."""
    turn: Mapped[int]
    """The open turn; while `review`, the turn under review; when over, the last one."""
    version: Mapped[int] = mapped_column(default=1)
    deadline: Mapped[datetime | None] = mapped_column(Utc)
    """Of the open turn; None: until the game master says so, or all are ready."""
    turn_hours: Mapped[int | None]
    """So many hours from the opening of a turn to its deadline; None: set by hand."""
    zone: Mapped[str] = mapped_column(String(64), default="UTC")
    review: Mapped[bool] = mapped_column(default=False)
    early: Mapped[bool] = mapped_column(default=True)
    """Resolve as soon as all seats are ready."""
    given_seed: Mapped[str | None] = mapped_column(String(128))
    """Hex, where the maker gave the seed that all secrets are drawn from; told to all."""
    master_hash: Mapped[str] = mapped_column(String(64), unique=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="SET NULL"), index=True)
    created_at: Mapped[datetime] = mapped_column(Utc)
    points: Mapped[str] = mapped_column(Text)
    """JSON by side, as all know them: so that a list of battles reads no states."""
    winner: Mapped[str | None] = mapped_column(String(80))
    origin: Mapped[str | None] = mapped_column(String(16), index=True)
    """Of an imported battle: the id under which its sheets are sealed, there and here."""
    options: Mapped[str] = mapped_column(Text, default="{}", server_default="{}")
    """JSON: what the game master chose, where it differs from the defaults (`referee.options`)."""
    line: Mapped[int] = mapped_column(default=1, server_default="1")
    """Which of the battle's lines is played: each rewind begins another (`models.judgement`)."""

    __table_args__ = (
        Index("ix_battles_status_deadline", "status", "deadline"),
        Index("ix_battles_created_at", "created_at"),
    )


class Seat(Manned, Table):
    __tablename__ = "seats"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(80), primary_key=True)
    place: Mapped[int]
    """Order of the seats."""
    side: Mapped[str] = mapped_column(String(80))
    holder: Mapped[str | None] = mapped_column(String(80))
    """The commander's name as he gave it."""
    key_hash: Mapped[str] = mapped_column(String(64), unique=True)
    key_generation: Mapped[int] = mapped_column(default=1)
    """Counts the keys that this seat has had; only the newest works."""
    key_salt: Mapped[str | None] = mapped_column(String(32))
    """Chance that goes into a renewed key: who once knew the master key cannot make it himself."""
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id", ondelete="SET NULL"), index=True)
    """Who has taken the seat up into his account."""
    ready_turn: Mapped[int] = mapped_column(default=0)
    ready_revision: Mapped[int] = mapped_column(default=0)
    """Ready if these two are the open turn and the last revision (0: nothing entered)."""


class Sheet(Table):
    """A sealed sheet: every revision is kept. Read by one function alone, `referee.orders.sealed`."""

    __tablename__ = "sheets"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[str] = mapped_column(String(80), primary_key=True)
    request: Mapped[str] = mapped_column(String(80), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    orders: Mapped[str] = mapped_column(Text)
    nonce: Mapped[str] = mapped_column(String(64))
    digest: Mapped[str] = mapped_column(String(64))
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(12))
    """`seat`, `master` (on its behalf), `deputy`, `program`, `emptied` (a new holder starts with nothing)."""
    entered_name: Mapped[str | None] = mapped_column(String(80))
    """Of a deputy, or of one of several who share the seat."""
    ordered: Mapped[int | None]
    """How many things have an order, where the ruleset counts them: told without reading the orders."""


class Turn(Table):
    """One step of a battle from its opening to its publication; small, read by every list."""

    __tablename__ = "turns"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    secret: Mapped[bytes] = mapped_column(LargeBinary(32))
    commitment: Mapped[str] = mapped_column(String(64))
    opened_at: Mapped[datetime] = mapped_column(Utc)
    resolved_at: Mapped[datetime | None] = mapped_column(Utc)
    resolved_by: Mapped[str | None] = mapped_column(String(12))
    """`deadline`, `ready`, `master`, `prompt`."""
    published_at: Mapped[datetime | None] = mapped_column(Utc)
    seed: Mapped[str | None] = mapped_column(String(64))
    counted: Mapped[str | None] = mapped_column(Text)
    """JSON: the (seat, request, revision) that counted, in order of seat."""
    points: Mapped[str | None] = mapped_column(Text)
    """JSON by side, after the turn."""
    winner: Mapped[str | None] = mapped_column(String(80))
    version: Mapped[str | None] = mapped_column(String(20))
    """The ruleset's version by which it was resolved: a battle may outlive several."""
    doctrines: Mapped[str | None] = mapped_column(Text)
    """JSON: the standing doctrines that were followed, with their seals, in order of seat; None: none."""


class State(Table):
    """The state at the opening of a turn, JSON with the ruleset's version in it. `body`: as set up (number 1), or as the
    turn before left it, rulings on its draft included; `amended`: as rulings of the open turn left it, if there were any."""

    __tablename__ = "states"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    body: Mapped[str] = mapped_column(Text)
    amended: Mapped[str | None] = mapped_column(Text)


class Events(Table):
    """All events of one step, as one JSON list: they are written together and read together. Turn 0: as set up."""

    __tablename__ = "events"

    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    body: Mapped[str] = mapped_column(Text)
    dice: Mapped[str] = mapped_column(Text)
    """JSON: address -> faces."""


class Ruling(Table):
    """A ruling of the game master, shown with its turn to all."""

    __tablename__ = "rulings"

    id: Mapped[int] = mapped_column(primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"))
    turn: Mapped[int]
    reason: Mapped[str] = mapped_column(Text)
    rule: Mapped[str | None] = mapped_column(String(40))
    changes: Mapped[str] = mapped_column(Text)
    stage: Mapped[str] = mapped_column(String(12))
    """`open`: before the turn was resolved; `review`: on its draft."""
    events: Mapped[str] = mapped_column(Text)
    """JSON: what the ruling did."""
    made_at: Mapped[datetime] = mapped_column(Utc)
    kind: Mapped[str] = mapped_column(String(12), default="amend", server_default="amend")
    """`amend`, `reroll` (dice of the draft were rolled again), `set-aside` (an event of the draft was undone)."""
    facts: Mapped[str] = mapped_column(Text, default="{}", server_default="{}")
    """JSON: of a re-roll its address and both results, of an event set aside its number and itself."""

    __table_args__ = (Index("ix_rulings_battle_id_turn", "battle_id", "turn"),)


class LogEntry(Table):
    """Everything done by anyone with power: who, when, what; shown to all."""

    __tablename__ = "log"

    id: Mapped[int] = mapped_column(primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"))
    turn: Mapped[int]
    at: Mapped[datetime] = mapped_column(Utc)
    who: Mapped[str] = mapped_column(String(12))
    """`master`, `clock`, `seat`."""
    name: Mapped[str | None] = mapped_column(String(80))
    """Of the game master, as he was called then, where he gave a name."""
    what: Mapped[str] = mapped_column(String(40))
    """A code; its words are made when it is read: `deadline-set`, `orders-on-behalf`, `resolved-early` …"""
    params: Mapped[str] = mapped_column(Text)

    __table_args__ = (Index("ix_log_battle_id_id", "battle_id", "id"),)


class Heartbeat(Table):
    """When a sweep last ran, by any server: how an outage is known."""

    __tablename__ = "heartbeats"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(Utc)


class Tie(Table):
    """Where a battle's turns are posted by themselves: a forum's topic, a channel, a program's address."""

    __tablename__ = "ties"

    id: Mapped[int] = mapped_column(primary_key=True)
    battle_id: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(12))
    """`discourse`, `nodebb`, `discord`, `webhook`, `apprise`."""
    place: Mapped[str] = mapped_column(String(400))
    """As it may be shown: of an address that is itself a key, the host alone."""
    target: Mapped[str] = mapped_column(Text)
    """JSON: addresses and keys. Secret: read to deliver, never shown, logged or exported."""
    language: Mapped[str] = mapped_column(String(8))
    length: Mapped[str] = mapped_column(String(12))
    """`headline`, `phases`, `dice`."""
    active: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(Utc)


class Outgoing(Table):
    """What is to leave the server: written in the transaction of what it tells, delivered after it, at least once."""

    __tablename__ = "outbox"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(120), unique=True)
    """What it is, to whom: nothing is told twice."""
    mark: Mapped[str] = mapped_column(String(32), unique=True)
    """Chance; goes out with it, so that a repeat is known: Idempotency-Key, a marker in a post, a Message-ID."""
    what: Mapped[str] = mapped_column(String(24))
    """`turn` (published), `trial` (of a tie), `notice` (to a subscription; its facts name the code)."""
    battle_id: Mapped[str | None] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"))
    turn: Mapped[int | None]
    tie_id: Mapped[int | None] = mapped_column(ForeignKey("ties.id", ondelete="SET NULL"), index=True)
    """None: its tie was taken away after it had gone out."""
    subscription_id: Mapped[int | None] = mapped_column(ForeignKey("subscriptions.id", ondelete="SET NULL"), index=True)
    batch: Mapped[int | None] = mapped_column(index=True)
    """Of notices that go out together: the id of the first of them. The others are done as soon as they go with it: it
    alone is tried again or given up."""
    facts: Mapped[str] = mapped_column(Text)
    """JSON: what else it needs; no prose."""
    created_at: Mapped[datetime] = mapped_column(Utc)
    due_at: Mapped[datetime | None] = mapped_column(Utc, index=True)
    """When it is tried (again); while it is being tried, the end of the lease. None: done, or given up."""
    claim: Mapped[str | None] = mapped_column(String(32))
    """Who has it in hand: only he may say how it went."""
    attempts: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None] = mapped_column(Text)
    """JSON: code and parameters of the last failure."""
    done_at: Mapped[datetime | None] = mapped_column(Utc)
    link: Mapped[str | None] = mapped_column(Text)
    """Where it can be read."""

    __table_args__ = (Index("ix_outbox_battle_id_turn", "battle_id", "turn"),)


BATTLES, SEATS, SHEETS, TURNS, STATES, EVENTS, LOG = map(core, (Battle, Seat, Sheet, Turn, State, Events, LogEntry))
TIES, OUTBOX, ACCOUNTS = core(Tie), core(Outgoing), core(Account)
