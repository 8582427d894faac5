"""An archive's parts as rows of the tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from app.engine.ruleset import Json
from app.referee.archiveparts import Archive, Whole, WholeBranch
from app.referee.exporting import AS_JSON
from app.referee.records import same
from app.referee.rows import dumps
from app.store.models import Events, Ruling, Sheet, State, Turn


def whole_rows(whole: Whole | WholeBranch) -> Mapping[Any, list[dict[str, Any]]]:
    """By table, the rows of a whole archive, or of a line that was left."""
    turns = [{**_row(turn), "secret": bytes.fromhex(turn.secret)} for turn in whole.turns]
    return {
        Turn: turns,
        Sheet: [_row(sheet) for sheet in whole.sheets],
        State: [_row(state) for state in whole.states],
        Events: [_row(events) for events in whole.events],
        Ruling: [_row(ruling) for ruling in whole.rulings],
    }


def pass_rows(whole: Whole, *, with_keys: bool) -> list[dict[str, Any]]:
    """Leaves and shared keys. A deputy whose key or account does not come along stands in no more."""
    rows = []
    for part in whole.passes:
        row = _row(part)
        if not with_keys:
            row["key_hash"] = None
        if row["key_hash"] is None and row["deputy_seat"] is None:
            if row["kind"] == "shared":
                continue
            row |= {"kind": "away", "name": None}
        rows.append(row)
    return rows


def _row(part: msgspec.Struct) -> dict[str, Any]:
    """A part as its table holds it: what is not a plain value is JSON text."""
    found = msgspec.structs.asdict(part)
    return {name: dumps(value) if name in AS_JSON and value is not None else value for name, value in found.items()}


def public_rows(archive: Archive) -> Mapping[Any, list[dict[str, Any]]]:
    """By table, the rows that a public archive's records make. Raises KeyError, TypeError or ValueError for a record that
    lacks something."""
    records = [(part.opened_at, part.record) for part in archive.turns]
    states = [archive.opening.position, *(record["after"] for _, record in records)]
    shown = [*(record["before"] for _, record in records), archive.now.position]
    return {
        Turn: [_turn(opened_at, record) for opened_at, record in records],
        Sheet: [_sheet(record["turn"], sheet) for _, record in records for sheet in record["sheets"]],
        State: [
            {
                "turn": turn,
                "body": dumps(body),
                "amended": None if same(body, as_shown) else dumps(as_shown),
            }
            for turn, (body, as_shown) in enumerate(zip(states, shown, strict=True), start=1)
        ],
        Events: [
            {"turn": 0, "body": dumps(archive.opening.events), "dice": "{}"},
            *(
                {"turn": record["turn"], "body": dumps(record["events"]), "dice": dumps(record["dice"])}
                for _, record in records
            ),
        ],
        Ruling: [
            *(_ruling(record["turn"], ruling) for _, record in records for ruling in record["rulings"]),
            *(_ruling(archive.now.turn, ruling) for ruling in archive.now.rulings),
        ],
    }


def _turn(opened_at: datetime, record: Json) -> dict[str, Any]:
    return {
        "turn": record["turn"],
        "secret": bytes.fromhex(record["seed"]["secret"]),
        "commitment": record["seed_commitment"],
        "opened_at": opened_at,
        "resolved_at": datetime.fromisoformat(record["resolved_at"]),
        "resolved_by": record["resolved_by"],
        "published_at": datetime.fromisoformat(record["published_at"]),
        "seed": record["seed"]["seed"],
        "counted": dumps([(sheet["seat"], sheet["request"], sheet["revision"]) for sheet in record["sheets"]]),
        "points": dumps(record["points"]),
        "winner": record["winner"],
        "version": record["version"],
        "doctrines": dumps(record["doctrines"]) if record.get("doctrines") else None,
    }


def _sheet(turn: int, sheet: Json) -> dict[str, Any]:
    told = ("seat", "request", "revision", "nonce", "digest", "entered_by")
    return {
        "turn": turn,
        **{name: sheet[name] for name in told},
        "orders": dumps(sheet["orders"]),
        "entered_at": datetime.fromisoformat(sheet["entered_at"]),
        "ordered": None,
        "entered_name": sheet.get("entered_name"),
    }


def _ruling(turn: int, ruling: Json) -> dict[str, Any]:
    return {
        "turn": turn,
        "changes": dumps(ruling["changes"]),
        "reason": ruling["reason"],
        "rule": ruling["rule"],
        "stage": ruling["stage"],
        "events": dumps(ruling["events"]),
        "made_at": datetime.fromisoformat(ruling["made_at"]),
        "kind": ruling.get("kind", "amend"),
        "facts": dumps(ruling.get("facts", {})),
    }
