"""Published turns in a row, for what tells a whole battle: its film, its feed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import select

from app.referee import sayings
from app.referee.access import seat_of
from app.referee.rows import battle_row, loads
from app.referee.turnviews import TurnView
from app.referee.views import PUBLIC
from app.store.db import Database
from app.store.models import Battle, Events, State, Turn


def in_a_row(db: Database, battle_id: str, numbers: Collection[int]) -> tuple[TurnView, ...]:
    """The published ones of these turns as everybody may read them, the first one first, without the orders and the rulings
    behind them: `publication.turn` has those. As many statements for sixty turns as for one.
    Raises `RefereeError("no-battle")`."""
    with db.read() as session:
        battle = battle_row(session, battle_id)
        scenario = loads(session.execute(select(Battle.scenario).where(Battle.id == battle_id)).scalar_one())
        rows = session.execute(
            select(Turn.turn, Turn.resolved_at, Turn.resolved_by, Turn.published_at, Turn.points, Turn.winner)
            .where(Turn.battle_id == battle_id, Turn.turn.in_(numbers), Turn.published_at.is_not(None))
            .order_by(Turn.turn)
        ).all()
        found = [row.turn for row in rows]
        edges = {*found, *(turn + 1 for turn in found)}
        states = {
            row.turn: row
            for row in session.execute(
                select(State.turn, State.body, State.amended).where(State.battle_id == battle_id, State.turn.in_(edges))
            )
        }
        bodies = dict(
            session.execute(
                select(Events.turn, Events.body).where(Events.battle_id == battle_id, Events.turn.in_(found))
            ).all()
        )
        said = sayings.of_published(session, battle, found)
    ruleset, reader = battle.ruleset, seat_of(battle, PUBLIC)

    def seen(body: str) -> Any:
        return ruleset.view(ruleset.load_state(loads(body)), reader)

    return tuple(
        TurnView(
            battle_id=battle_id,
            title=battle.title,
            ruleset=ruleset,
            scenario=scenario,
            turn=row.turn,
            published_at=row.published_at,
            resolved_at=row.resolved_at,
            resolved_by=row.resolved_by,
            before=seen(states[row.turn].amended or states[row.turn].body),
            after=seen(states[row.turn + 1].body),
            events=tuple(
                event
                for event in map(ruleset.load_event, loads(bodies[row.turn]))
                if (audience := ruleset.audience(event)) is None or reader in audience
            ),
            points=loads(row.points),
            winner=row.winner,
            last_published=found[-1],
            sayings=said.get(row.turn, ()),
        )
        for row in rows
    )
