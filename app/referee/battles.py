"""A battle from outside its turns: made, listed, shown; its seats' keys and names; its deadline."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update

from app.engine.ruleset import AnyRuleset, Json
from app.referee import carrying, clock, keys, logbook, masters, names, notices, schedule
from app.referee.access import OWN, master_only, seat_or_master
from app.referee.errors import RefereeError
from app.referee.options import Options, written
from app.referee.pausing import go_on
from app.referee.rows import battle_row, change, dumps, locked, seat_row
from app.referee.schedule import BY_HAND, Due, Schedule, is_zone
from app.referee.showing import battle, listing
from app.referee.timing import first, set_deadline
from app.referee.turns import open_turn
from app.referee.views import NewBattle, Viewer
from app.rulesets.registry import RULESETS
from app.store.db import Database
from app.store.models import Battle, Events, Master, Seat, State

__all__ = [
    "battle",
    "create",
    "go_on",
    "is_zone",
    "listing",
    "name_holder",
    "renew_key",
    "seat_keys",
    "set_deadline",
    "set_options",
]

SEED_BYTES_MAX = 64


def create(
    db: Database,
    *,
    scenario: Json,
    now: datetime,
    title: str | None = None,
    rulings: Mapping[str, str] | None = None,
    deadline: datetime | None = None,
    turn_hours: int | None = None,
    planned: Schedule = BY_HAND,
    zone: str = "UTC",
    review: bool = False,
    early: bool = True,
    seed: str | None = None,
    account_id: int | None = None,
    options: Options | None = None,
) -> NewBattle:
    """Make a battle from a frozen scenario and open its first turn; the only time that all keys are told.

    `rulings` are laid over the scenario's own. `planned`: when turns are due; `turn_hours`: short for so many hours each.
    `deadline`: of the first turn; left out, it is the schedule's. `seed`: hex, from which all secrets are drawn, told to
    all. Raises `RefereeError`: bad-scenario (unknown ruleset), bad-title, bad-ruling, bad-deadline (not to come, out of
    reach, unknown zone, hours), bad-schedule (it never comes), bad-seed. What the scenario carries over from an earlier
    battle is settled here.
    """
    ruleset = RULESETS.get(scenario["ruleset"])
    if ruleset is None:
        raise RefereeError("bad-scenario", params={"ruleset": str(scenario["ruleset"])})
    scenario = carrying.settled(db, ruleset, scenario)
    frozen = {**scenario, "rulings": _rulings(ruleset, scenario.get("rulings", {}), rulings or {})}
    given_seed = None if seed is None else _seed(seed)
    if not is_zone(zone):
        raise RefereeError("bad-deadline", params={"zone": zone[:64]})
    planned = planned or _by_hours(turn_hours)
    due = first(planned, zone, now) if planned else None
    if deadline is not None:
        due = Due(clock.to_come(deadline, now), schedule.wall(deadline, zone) if planned.times else None)
    step = ruleset.setup(frozen)
    outcome = ruleset.outcome(step.state)
    is_over = not ruleset.requests(step.state)
    battle_id, master_key = names.new_id(), keys.new_key()
    seat_keys = {seat: keys.seat_key(master_key, battle_id, seat, 1) for seat in frozen["contingents"]}
    values = {
        "id": battle_id,
        "title": names.title(_first_text(frozen["title"]) if title is None else title),
        "ruleset": ruleset.key,
        "ruleset_version": ruleset.version,
        "scenario_key": frozen["key"],
        "scenario": dumps(frozen),
        "status": "over" if is_over else "open",
        "turn": 0 if is_over else 1,
        "version": 1,
        "deadline": None if is_over or due is None else due.deadline,
        "turn_hours": planned.hours,
        "schedule": schedule.written(planned),
        "slot": due.slot if due else None,
        "slot_due": due.deadline if due and due.slot and deadline is None else None,
        "zone": zone,
        "review": review,
        "early": early,
        "given_seed": given_seed,
        "master_hash": keys.key_hash(master_key),
        "account_id": account_id,
        "created_at": now,
        "points": dumps(dict(outcome.points)),
        "winner": outcome.winner,
        "options": written(options or Options()),
    }
    with db.write() as session:
        session.execute(insert(Battle).values(values))
        session.execute(insert(Master).values(masters.first_row(battle_id, values["master_hash"], account_id, now)))
        session.execute(insert(Seat), _seats(battle_id, frozen, seat_keys))
        session.execute(insert(State).values(battle_id=battle_id, turn=1, body=dumps(ruleset.dump_state(step.state))))
        events = dumps([ruleset.dump_event(event) for event in step.events])
        session.execute(insert(Events).values(battle_id=battle_id, turn=0, body=events, dice="{}"))
        if not is_over:
            open_turn(session, battle_id, 1, given_seed, now)
        logbook.note(session, battle_id, values["turn"], "master", "made", now)
    return NewBattle(battle_id, master_key, seat_keys)


def seat_keys(db: Database, battle_id: str, master_key: str) -> dict[str, str]:
    """Every seat's key as it is now, in order of place: derived from the master key, which is not stored. A seat whose
    holder has a key that only he knows is left out. Raises `RefereeError`: no-battle, no-key."""
    with db.read() as session:
        first = masters.first_key(session, battle_row(session, battle_id), master_key)
        columns = select(Seat.seat, Seat.key_generation, Seat.key_salt, Seat.key_hash)
        rows = session.execute(columns.where(Seat.battle_id == battle_id).order_by(Seat.place)).all()
    made = {row.seat: keys.seat_key(first, battle_id, row.seat, row.key_generation, row.key_salt) for row in rows}
    return {row.seat: made[row.seat] for row in rows if keys.key_hash(made[row.seat]) == row.key_hash}


def renew_key(db: Database, battle_id: str, seat: str, master_key: str, now: datetime, *, by: Viewer | None = None) -> str:
    """A new key for a seat; the old one stops working at once. Logged, by the name of the game master (`by`).
    Raises `RefereeError`: no-battle, no-seat, no-key."""
    with db.write() as session:
        battle = locked(session, battle_id)
        first = masters.first_key(session, battle, master_key)
        seat_row(session, battle_id, seat)
        here = (Seat.battle_id == battle_id, Seat.seat == seat)
        generation = session.execute(select(Seat.key_generation).where(*here)).scalar_one() + 1
        salt = secrets.token_hex(8)
        key = keys.seat_key(first, battle_id, seat, generation, salt)
        session.execute(
            update(Seat)
            .where(*here)
            .values(key_hash=keys.key_hash(key), key_generation=generation, key_salt=salt, account_id=None, vacant_at=None)
            .execution_options(synchronize_session=False)
        )
        notices.forget(session, battle_id, seat=seat)
        params = {"seat": seat, "generation": generation}
        logbook.note(session, battle_id, battle.turn, "master", "key-renewed", now, params, by=by)
    return key


def name_holder(db: Database, battle_id: str, seat: str, viewer: Viewer, holder: str, now: datetime) -> None:
    """Who commands a seat: said by himself, or by the game master, which is logged. Empty: nobody named.
    Raises `RefereeError`: no-battle, no-seat, not-yours, bad-name."""
    with db.write() as session:
        battle = locked(session, battle_id)
        seat_row(session, battle_id, seat)
        who = seat_or_master(session, battle, viewer, seat, now, through=OWN)
        name = names.holder(holder) if holder.strip() else None
        change(session, battle)
        session.execute(
            update(Seat)
            .where(Seat.battle_id == battle_id, Seat.seat == seat)
            .values(holder=name)
            .execution_options(synchronize_session=False)
        )
        if who == "master":
            params = {"seat": seat, "holder": name}
            logbook.note(session, battle_id, battle.turn, "master", "holder-named", now, params, by=viewer)


def set_options(db: Database, battle_id: str, viewer: Viewer, chosen: Options, now: datetime) -> None:
    """What the game master chooses for his battle; each change is logged for all.
    Raises `RefereeError`: no-battle, not-yours, closed (the battle is over)."""
    with db.write() as session:
        battle = locked(session, battle_id)
        master_only(battle, viewer)
        if battle.status == "over":
            raise RefereeError("closed", current={"turn": battle.turn})
        changed = [
            (name, getattr(battle.options, name), getattr(chosen, name))
            for name in Options.__struct_fields__
            if getattr(battle.options, name) != getattr(chosen, name)
        ]
        if not changed:
            return
        change(session, battle, options=written(chosen))
        for name, old, new in changed:
            params = {"option": name, "was": old, "is": new}
            logbook.note(session, battle_id, battle.turn, "master", "option-set", now, params, by=viewer)


def _seats(battle_id: str, frozen: Json, seat_keys: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "battle_id": battle_id,
            "seat": seat,
            "place": place,
            "side": frozen["contingents"][seat]["side"],
            "key_hash": keys.key_hash(key),
            "key_generation": 1,
            "ready_turn": 0,
            "ready_revision": 0,
        }
        for place, (seat, key) in enumerate(seat_keys.items(), start=1)
    ]


def _rulings(ruleset: AnyRuleset, own: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Every switch of the ruleset: its default, overlaid by the scenario's value, overlaid by what was given."""
    switches = {switch.key: switch for switch in ruleset.switches}
    found = {key: switch.default for key, switch in switches.items()}
    for key, value in (*own.items(), *given.items()):
        if key not in switches:
            raise RefereeError("bad-ruling", params={"key": key, "known": ", ".join(switches)})
        if value not in switches[key].values:
            raise RefereeError("bad-ruling", params={"key": key, "value": value, "known": ", ".join(switches[key].values)})
        found[key] = value
    return found


def _by_hours(hours: int | None) -> Schedule:
    if hours is not None and not 1 <= hours <= schedule.HOURS_MAX:
        raise RefereeError("bad-deadline", params={"hours": hours, "max": schedule.HOURS_MAX})
    return Schedule(hours)


def _first_text(texts: Mapping[str, str]) -> str:
    return texts.get("en") or next(iter(texts.values()))


def _seed(seed: str) -> str:
    try:
        given = bytes.fromhex(seed)
    except ValueError:
        raise RefereeError("bad-seed") from None
    if not 1 <= len(given) <= SEED_BYTES_MAX:
        raise RefereeError("bad-seed", params={"max": SEED_BYTES_MAX})
    return given.hex()
