"""A published record checked from outside: every claim it makes, one by one. Pure: a record is all that it needs.

A record holds `before` as it stood when the turn was resolved, with the rulings of the open turn already in it. Rulings on
a turn under review (`stage` "review") come after the turn's own events, and `after`, `points` and `winner` hold them; of
those, dice that were rolled again (`kind` "reroll") stand in the turn's own events and in `dice` with their second faces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from app.engine.ruleset import AnyRuleset, Json, Refused
from app.referee import proof
from app.referee.records import Finding, Followed, Record, Sealed, bytes_of, json_text, read, same
from app.referee.working import follow, work
from app.rulesets.registry import RULESETS


class _NotAlike(Exception):
    """The replay cannot go on; `finding` says why."""

    def __init__(self, code: str, params: Mapping[str, str | int]) -> None:
        self.finding = Finding(code, False, params)
        super().__init__(code)


def verify(record: Json) -> tuple[Finding, ...]:
    """Everything that a published record claims; each claim is a finding that holds or does not.

    Digests from the sheets, the commitment from the secret, the seed from both; then each sheet is checked by the
    ruleset, and the turn is played again from `before` with dice from the seed. Whatever stands in the record, the answer
    is findings and never an exception.
    """
    told = read(record)
    if isinstance(told, Finding):
        return (told,)
    return (*_seals(told), *_replayed(told))


def replayed(record: Json) -> tuple[Finding, ...]:
    """The replay alone: whether `before`, the orders and the seed give the same dice, events and position, to the byte."""
    told = read(record)
    return (told,) if isinstance(told, Finding) else tuple(_replayed(told))


def verify_chain(records: Sequence[Json]) -> tuple[Finding, ...]:
    """What several records of one battle claim together: each turn begins where the one before it ended, or where the game
    master's rulings of that turn put it. Records that cannot be read are left to `verify`."""
    told = sorted((r for r in map(read, records) if isinstance(r, Record)), key=lambda r: r.turn)
    found = []
    for earlier, later in pairwise(told):
        params: dict[str, str | int] = {"turn": later.turn, "earlier": earlier.turn}
        if earlier.battle != later.battle:
            found.append(Finding("chain-battle", False, {"battle": later.battle, "other": earlier.battle}))
        elif earlier.turn == later.turn:
            found.append(Finding("chain-twice", json_text(earlier) == json_text(later), params))
        elif earlier.turn + 1 != later.turn:
            found.append(Finding("chain-gap", False, params))
        else:
            found.append(Finding("chain", _follows(earlier, later), params))
    return tuple(found)


def _seals(record: Record) -> Iterator[Finding]:
    secret, digests = bytes_of(record.seed.secret), []
    for sheet in record.sheets:
        params: dict[str, str | int] = {"seat": sheet.seat, "revision": sheet.revision}
        yield Finding("digest", _digest(record, sheet) == sheet.digest, params)
        digests.append(sheet.digest)
    for one in record.doctrines:
        yield Finding("doctrine", _doctrine_digest(record, one) == one.digest, {"seat": one.seat})
    yield Finding("commitment", len(secret) == 32 and proof.commitment(secret) == record.seed_commitment)
    ascii_only = all(d.isascii() for d in digests)
    yield Finding("seed", ascii_only and proof.dice_seed(secret, digests).hex() == record.seed.seed)


def _digest(record: Record, sheet: Sealed) -> str | None:
    try:
        return proof.digest(
            proof.canonical(
                battle=record.battle,
                nonce=sheet.nonce,
                orders=sheet.orders,
                revision=sheet.revision,
                seat=sheet.seat,
                turn=record.turn,
            )
        )
    except (ValueError, RecursionError):  # half of a surrogate pair, NaN, a tree without end
        return None


def _doctrine_digest(record: Record, one: Followed) -> str | None:
    try:
        return proof.digest(proof.doctrine(battle=record.battle, doctrine=one.doctrine, nonce=one.nonce, seat=one.seat))
    except ValueError:  # half of a surrogate pair
        return None


def _replayed(record: Record) -> list[Finding]:
    found: list[Finding] = []
    try:
        found.extend(_played_again(record))
    except _NotAlike as stopped:
        found.append(stopped.finding)
    return found


def _played_again(record: Record) -> Iterator[Finding]:
    ruleset = _ruleset(record)
    before = _load(ruleset, record.before, "before")
    yield Finding("before", same(ruleset.dump_state(before), record.before) and record.before.get("turn") == record.turn)
    orders, found = _orders(ruleset, record, before)
    yield from found
    orders, followed = _followed(ruleset, record, before, orders)
    yield from followed
    on_draft = [made for made in record.rulings if made.stage == "review"]
    try:
        made = [one.made(record.turn) for one in on_draft]
        worked = work(ruleset, before, orders, bytes_of(record.seed.seed), made)
        outcome = ruleset.outcome(worked.state)
        after, told = ruleset.dump_state(worked.state), [ruleset.dump_event(e) for e in worked.events]
        of_rulings = [[ruleset.dump_event(e) for e in events] for events in worked.told]
    except Exception as broken:  # a stranger's state may break the rules in ways that no list can foresee
        raise _NotAlike("replay", {"why": f"{type(broken).__name__}: {broken}"}) from broken
    for number, (one, events) in enumerate(zip(on_draft, of_rulings, strict=True), start=1):
        if one.kind == "amend" and not one.events:  # a record by another hand, which tells its changes alone
            continue
        yield Finding("ruling", same(events, one.events), {"number": number, "kind": one.kind})
    yield Finding("dice", same(worked.dice, record.dice), _first_die(worked.dice, record.dice))
    yield Finding("events", same(told, record.events), {"event": _first_difference(told, record.events)})
    yield Finding("after", same(after, record.after))
    yield Finding("points", same(dict(outcome.points), record.points))
    yield Finding("winner", outcome.winner == record.winner, {"winner": outcome.winner or "-"})


def _ruleset(record: Record) -> AnyRuleset:
    ruleset = RULESETS.get(record.ruleset)
    if ruleset is None:
        raise _NotAlike("ruleset", {"ruleset": record.ruleset})
    if ruleset.version != record.version:
        raise _NotAlike("version", {"ruleset": record.ruleset, "version": record.version, "known": ruleset.version})
    return ruleset


def _load(ruleset: AnyRuleset, position: Json, which: str) -> Any:
    try:
        return ruleset.load_state(position)
    except Exception as bad:  # as above: the position is a stranger's
        raise _NotAlike("position", {"which": which, "why": str(bad)}) from bad


def _orders(ruleset: AnyRuleset, record: Record, before: Any) -> tuple[dict[str, Any], list[Finding]]:
    """The answers by request, and whether each is one that the ruleset takes. Where a ruling of the open turn changed the
    board after the orders were sealed, an order that has become illegal is no fault of the record."""
    orders: dict[str, Any] = {}
    found = []
    try:
        asked = ruleset.requests(before)
    except Exception as broken:  # as above
        raise _NotAlike("position", {"which": "before", "why": str(broken)}) from broken
    moved = any(made.stage == "open" for made in record.rulings)
    for sheet in record.sheets:
        fitting = [r for r in asked if r.seat == sheet.seat and sheet.request in (None, r.id) and r.id not in orders]
        params: dict[str, str | int] = {"seat": sheet.seat}
        if not fitting:
            found.append(Finding("asked", False, params))
            continue
        try:
            order = ruleset.load_order(sheet.orders)
            refused = [p.code for p in ruleset.check(before, fitting[0], order) if not p.warning]
            whole = same(ruleset.dump_order(order), sheet.orders)
        except Exception as bad:  # noqa: BLE001  (whatever a false record breaks, it is a finding)
            codes = [p.code for p in bad.problems] if isinstance(bad, Refused) else [str(bad)]
            found.append(Finding("orders", False, params | {"codes": ", ".join(codes)}))
            continue
        orders[fitting[0].id] = order
        found.append(Finding("orders", whole and (moved or not refused), params | {"codes": ", ".join(refused)}))
    return orders, found


def _followed(
    ruleset: AnyRuleset, record: Record, before: Any, orders: dict[str, Any]
) -> tuple[dict[str, Any], list[Finding]]:
    """The orders with what the doctrines of the silent fill in. A doctrine that changes nothing was none to be told."""
    found = []
    try:
        for one in record.doctrines:
            request = next((r.id for r in ruleset.requests(before) if r.seat == one.seat), None)
            is_known = request is not None and one.doctrine in ruleset.doctrines
            filled = follow(ruleset, before, orders, {one.seat: one.doctrine}) if is_known else orders
            is_used = is_known and filled.get(request or "") != orders.get(request or "")
            found.append(Finding("followed", is_used, {"seat": one.seat, "doctrine": one.doctrine[:40]}))
            orders = dict(filled)
    except Exception as broken:  # as above
        raise _NotAlike("replay", {"why": f"{type(broken).__name__}: {broken}"}) from broken
    return orders, found


def _follows(earlier: Record, later: Record) -> bool:
    if same(earlier.after, later.before):
        return True
    ruleset = RULESETS.get(later.ruleset)
    made = [m for m in later.rulings if m.stage == "open"]
    if ruleset is None or not made:
        return False
    try:
        state = ruleset.load_state(earlier.after)
        for ruling in made:
            state = ruleset.amend(state, ruling.ruling()).state
        return same(ruleset.dump_state(state), later.before)
    except Exception:  # noqa: BLE001  (what cannot be played does not follow)
        return False


def _first_difference(told: Sequence[Json], recorded: Sequence[Json]) -> int:
    """The number, from 1, of the first event that differs; 0: none."""
    for number, (one, other) in enumerate(zip(told, recorded, strict=False), start=1):
        if not same(one, other):
            return number
    return 0 if len(told) == len(recorded) else min(len(told), len(recorded)) + 1


def _first_die(rolled: Mapping[str, Sequence[int]], recorded: Mapping[str, Sequence[int]]) -> dict[str, str | int]:
    for address in sorted({*rolled, *recorded}):
        gives, says = rolled.get(address), recorded.get(address)
        if gives != says:
            return {"address": address, "faces": _faces(gives), "told": _faces(says)}
    return {}


def _faces(faces: Sequence[int] | None) -> str:
    return "-" if not faces else " ".join(str(face) for face in faces[:20])
