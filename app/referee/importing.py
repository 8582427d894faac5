"""An archive -> a battle of this database. Written in one transaction, read back, and checked before it is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import insert, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.referee import (
    archivechecks,
    keys,
    logbook,
    masters,
    names,
    proof,
    schedule,
    talkarchive,
)
from app.referee.archive import ArchiveError
from app.referee.archivechecks import bad_archive, refuse_false
from app.referee.archiveparts import About, Archive, Whole, WholeBranch, WholeSeat
from app.referee.archiverows import pass_rows, public_rows, whole_rows
from app.referee.exporting import MANNED
from app.referee.programs import PROGRAMS
from app.referee.publication import cut, record_of
from app.referee.records import same
from app.referee.rows import BattleRow, battle_row, dumps, kept_row, position_json, shown_turn
from app.referee.views import PUBLIC, NewBattle, Viewer
from app.store.db import Database
from app.store.models import LEFT, Battle, Branch, LogEntry, Master, Pass, Seat


@dataclass(frozen=True)
class Imported:
    """`unchecked`: turns that this program cannot play again. `new`: the keys, where they had to be made anew."""

    battle_id: str
    title: str
    turns: int
    is_whole: bool
    is_held: bool
    unchecked: tuple[int, ...]
    ties: tuple[str, ...] = ()
    new: NewBattle | None = field(default=None, repr=False)


def bring_in(db: Database, archive: Archive, *, now: datetime, title: str | None = None, again: bool = False) -> Imported:
    """Make the battle of an archive. A public one is over here: it can be looked at, and checked. A whole one goes on as it
    was, its keys work; if its deadline has passed meanwhile, it is held until the game master says go on.

    `again`: beside the one that is here already, under another id; a whole one then gets new keys.
    Raises `ArchiveError`: bad-archive (`why`: ruleset, scenario, parts, record, chain, told; `where`, or `findings` in
    `current`), here-already (`current`: the battle's id here). Raises
    `RefereeError("bad-title")`.
    """
    unchecked = archivechecks.check(archive)
    try:
        with db.write() as session:
            found = _here(session, archive.battle.id)
            if found is not None and not again:
                raise ArchiveError("here-already", current=found)
            battle_id = archive.battle.id if found is None else names.new_id()
            new = _new_keys(battle_id, archive) if archive.whole is None or found is not None else None
            held = _write(session, archive, battle_id, new, now, title)
            _told_again(session, battle_id, archive)
    except IntegrityError as clash:
        raise ArchiveError("bad-archive", params={"why": "parts", "where": "clash"}) from clash
    return Imported(
        battle_id=battle_id,
        title=title or archive.battle.title,
        turns=len(archive.turns),
        is_whole=archive.whole is not None,
        is_held=held,
        unchecked=unchecked,
        ties=tuple(f"{tie.kind} {tie.place}" for tie in archive.whole.ties) if archive.whole else (),
        new=new if archive.whole is not None else None,
    )


def _here(session: Session, battle_id: str) -> str | None:
    """The id under which a battle is here already, as itself or imported."""
    query = (
        select(Battle.id)
        .where(or_(Battle.id == battle_id, Battle.origin == battle_id), Battle.status != LEFT)
        .order_by(Battle.created_at)
    )
    return session.execute(query).scalars().first()


def _new_keys(battle_id: str, archive: Archive) -> NewBattle:
    master = keys.new_key()
    return NewBattle(
        battle_id, master, {seat.seat: keys.seat_key(master, battle_id, seat.seat, 1) for seat in archive.seats}
    )


def _write(
    session: Session, archive: Archive, battle_id: str, new: NewBattle | None, now: datetime, title: str | None
) -> bool:
    """All rows; whether the battle is held because its deadline has passed."""
    about, whole = archive.battle, archive.whole
    held = whole is not None and about.status == "open" and about.deadline is not None and about.deadline <= now
    status = "held" if held else about.status
    master_hash = keys.key_hash(new.master_key) if new else whole.master_hash if whole else ""
    row: dict[str, Any] = dict(
        id=battle_id,
        title=names.title(about.title if title is None else title),
        ruleset=about.ruleset,
        ruleset_version=about.ruleset_version,
        scenario_key=about.scenario_key,
        scenario=dumps(about.scenario),
        status=status if whole else "over",
        turn=about.turn if whole else len(archive.turns),
        version=(whole.version if whole else 0) + 1,
        deadline=about.deadline if whole else None,
        turn_hours=about.turn_hours,
        zone=about.zone,
        review=about.review,
        early=about.early,
        given_seed=about.given_seed,
        master_hash=master_hash,
        account_id=None,
        created_at=about.created_at,
        points=dumps(about.points),
        winner=about.winner,
        origin=about.id,
        options=dumps(about.options),
        line=about.line,
        **_time(about, now, is_held=held),
    )
    session.execute(insert(Battle).values(row))
    if master_hash:
        session.execute(insert(Master).values(masters.first_row(battle_id, master_hash, None, now)))
    session.execute(insert(Seat), _seats(archive, battle_id, new))
    try:
        rows = whole_rows(whole) if whole else public_rows(archive)
    except (KeyError, TypeError, ValueError) as bad:
        raise bad_archive("parts", f"{type(bad).__name__}: {bad}") from bad
    for table, values in rows.items():
        if values:
            session.execute(insert(table), [{"battle_id": battle_id, **one} for one in values])
    for one in pass_rows(whole, with_keys=new is None) if whole else ():
        session.execute(insert(Pass).values(battle_id=battle_id, **one))
    talkarchive.write(session, archive, battle_id)
    for branch in whole.branches if whole else ():
        _write_branch(session, row, branch)
    for line in archive.log:
        told = {"at": line.at, "turn": line.turn, "who": line.who, "what": line.what, "params": dumps(line.params)}
        told["name"] = line.name
        session.execute(insert(LogEntry).values(battle_id=battle_id, **told))
    if held:
        params = {"deadline": logbook.moment(about.deadline), "seen": logbook.moment(archive.exported_at)}
        logbook.note(session, battle_id, about.turn, "clock", "held", now, params)
    code = "imported-whole" if whole else "imported"
    params = {"origin": about.id, "exported": logbook.moment(archive.exported_at)}
    logbook.note(session, battle_id, about.turn, "master", code, now, params)
    return held


def _write_branch(session: Session, battle: dict[str, Any], branch: WholeBranch) -> None:
    """A line that was left, on a row of its own."""
    kept = names.new_id()
    own = {"id": kept, "status": LEFT, "deadline": None, "master_hash": keys.key_hash(keys.new_key())}
    session.execute(insert(Battle).values({**battle, **own}))
    told = {name: getattr(branch, name) for name in ("line", "back_to", "turn", "status", "reason", "left_at", "taken_as")}
    session.execute(insert(Branch).values(battle_id=battle["id"], kept_as=kept, **told))
    for table, values in whole_rows(branch).items():
        if values:
            session.execute(insert(table), [{"battle_id": kept, **one} for one in values])
    talkarchive.say_of_branch(session, branch, kept)


def _time(about: About, now: datetime, *, is_held: bool) -> dict[str, Any]:
    """The columns of the battle's time. A pause whose end passed meanwhile lasts until the game master says so."""
    time = about.time
    kept = schedule.made(None, time.times, time.skip)
    ends = time.resume_at is not None and time.resume_at > now
    return {
        "schedule": schedule.written(kept),
        "slot": time.slot,
        "slot_due": time.slot_due,
        "last_deadline": time.last_deadline,
        "paused_at": time.paused_at,
        "paused_deadline": time.paused_deadline,
        "resume_at": time.resume_at if ends else None,
        "held_at": now if is_held else time.held_at,
    }


def _seats(archive: Archive, battle_id: str, new: NewBattle | None) -> list[dict[str, Any]]:
    kept = {seat.seat: seat for seat in archive.whole.seats} if archive.whole else {}
    if archive.whole and set(kept) != {seat.seat for seat in archive.seats}:
        raise bad_archive("parts", "seats")
    return [
        {
            "battle_id": battle_id,
            "seat": seat.seat,
            "place": place,
            "side": seat.side,
            "holder": seat.holder,
            "key_hash": keys.key_hash(new.seat_keys[seat.seat]) if new else kept[seat.seat].key_hash,
            "key_generation": 1 if new else kept[seat.seat].key_generation,
            "key_salt": None if new else kept[seat.seat].key_salt,
            "ready_turn": kept[seat.seat].ready_turn if kept else 0,
            "ready_revision": kept[seat.seat].ready_revision if kept else 0,
            **({name: getattr(kept[seat.seat], name) for name in MANNED} if kept else {}),
        }
        for place, seat in enumerate(archive.seats, start=1)
    ]


def _told_again(session: Session, battle_id: str, archive: Archive) -> None:
    """What was written tells the same as the archive: every record, and the position that everybody sees."""
    battle = battle_row(session, battle_id)
    for part in archive.turns:
        try:
            told = record_of(session, battle, part.record["turn"], PUBLIC)
        except Exception as bad:  # rows that do not belong together
            raise bad_archive("told", f"turn {part.record['turn']}") from bad
        if not same(told, part.record):
            raise bad_archive("told", f"turn {part.record['turn']}")
    if archive.whole is not None:
        _whole_holds(session, battle, archive.whole)
    try:
        shown = position_json(session, battle_id, shown_turn(battle))
        battle.ruleset.load_state(shown)
        is_same = same(shown if battle.status == "over" else cut(battle, shown, PUBLIC), archive.now.position)
    except Exception as bad:  # as above
        raise bad_archive("told", f"turn {archive.now.turn}") from bad
    if not is_same:
        raise bad_archive("told", f"turn {archive.now.turn}")


def _whole_holds(session: Session, battle: BattleRow, whole: Whole) -> None:
    """What is not published yet: every sheet is sealed as its digest says, every secret as it was promised, the open turn
    is there to be played, and a draft is what its orders and seed give."""
    lines: tuple[Whole | WholeBranch, ...] = (whole, *whole.branches)
    for sheet in (sheet for line in lines for sheet in line.sheets):
        told = {"nonce": sheet.nonce, "orders": sheet.orders, "revision": sheet.revision, "seat": sheet.seat}
        if proof.digest(proof.canonical(battle=battle.sealed_as, turn=sheet.turn, **told)) != sheet.digest:
            raise bad_archive("told", f"sheet of {sheet.seat}, turn {sheet.turn}, revision {sheet.revision}")
    for seat in whole.seats:
        _seat_holds(battle, seat)
    for turn in (turn for line in lines for turn in line.turns):
        if proof.commitment(bytes.fromhex(turn.secret)) != turn.commitment:
            raise bad_archive("told", f"secret of turn {turn.turn}")
    if battle.status != "over" and battle.turn not in {turn.turn for turn in whole.turns}:
        raise bad_archive("told", f"turn {battle.turn}")
    for branch in whole.branches:
        _branch_holds(session, battle, branch)
    if battle.status == "review":
        try:
            draft = record_of(session, battle, battle.turn, Viewer("master", battle_id=battle.id))
        except Exception as bad:  # as above
            raise bad_archive("told", f"turn {battle.turn}") from bad
        refuse_false(draft)


def _seat_holds(battle: BattleRow, seat: WholeSeat) -> None:
    """Its doctrine is sealed as its digest says, its program is one that is known."""
    if seat.doctrine is not None:
        text = proof.doctrine(
            battle=battle.sealed_as, doctrine=seat.doctrine, nonce=seat.doctrine_nonce or "", seat=seat.seat
        )
        if seat.doctrine not in battle.ruleset.doctrines or proof.digest(text) != seat.doctrine_digest:
            raise bad_archive("told", f"doctrine of {seat.seat}")
    if seat.program is not None and (seat.program not in PROGRAMS or seat.program_seed is None):
        raise bad_archive("told", f"program of {seat.seat}")


def _branch_holds(session: Session, battle: BattleRow, branch: WholeBranch) -> None:
    """Every turn that was published of a line that was left is what its orders and seed give."""
    published = [turn.turn for turn in branch.turns if turn.published_at is not None]
    query = select(Branch.kept_as).where(Branch.battle_id == battle.id, Branch.line == branch.line)
    kept = kept_row(session, session.execute(query).scalar_one())
    for turn in published if branch.taken_as is None else ():
        try:
            told = record_of(session, kept, turn, PUBLIC)
        except Exception as bad:  # as above
            raise bad_archive("told", f"line {branch.line}, turn {turn}") from bad
        refuse_false(told)
