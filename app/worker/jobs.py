"""The jobs of a worker, run by Procrastinate (the extra `scale`).

What is to be done stands in the house's own tables, and their guards decide: a battle's row who resolves it, the outbox's
lease who delivers. A job only says when to look; so it may be run twice, or be lost, and nothing is done twice or missed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued

from app.referee import auditing, deadlines, overview
from app.referee.posting import Postman
from app.store.db import Database

AT_A_TIME = 25
"""So many things a drain delivers before it lets other jobs in."""
KEPT = timedelta(days=7)
"""Jobs that are done are kept so long, for the host to look at."""


@dataclass(frozen=True)
class Pace:
    """How often a worker looks, as cron lines (a sixth field: seconds), and after how many silent seconds it has died."""

    sweep: str = "* * * * * *"
    drain: str = "* * * * * */5"
    rescue: str = "* * * * * */20"
    audit: str = "20 3 * * *"
    tidy: str = "40 3 * * *"
    alarm: str = "* * * * *"
    heartbeat: float = 10.0
    dead: float = 30.0


@dataclass(frozen=True)
class Workshop:
    """What the jobs stand on. `clock`: aware UTC."""

    db: Database
    postman: Postman
    clock: Callable[[], datetime]
    outage: timedelta
    late: timedelta
    pace: Pace = Pace()


def address(db: Database) -> str:
    """The database's address as its own library takes it."""
    return db.url.set(drivername="postgresql").render_as_string(hide_password=False)


def application(shop: Workshop) -> App:
    """All jobs, bound to one house."""
    app = App(connector=PsycopgConnector(conninfo=address(shop.db)))
    log = structlog.get_logger("fieldpost.worker")
    pace = shop.pace

    @app.periodic(cron=pace.sweep)
    @app.task(name="sweep", queueing_lock="sweep", priority=10)
    def sweep(timestamp: int) -> int:
        """Resolve what is due."""
        resolved = deadlines.sweep(shop.db, shop.clock(), outage=shop.outage)
        if resolved:
            log.info("swept", resolved=resolved)
        return resolved

    @app.periodic(cron=pace.drain)
    @app.task(name="look", queueing_lock="look")
    async def look(timestamp: int) -> None:
        """The poll that makes sure, where no bell was heard."""
        await ring(app)

    @app.task(name="drain", queueing_lock="drain", pass_context=True)
    def drain(context: JobContext) -> int:
        """Deliver what is due in the outbox. Several run at once; each thing is delivered by one."""
        delivered = 0
        while delivered < AT_A_TIME and not context.should_abort() and shop.postman.deliver_next():
            delivered += 1
        if delivered == AT_A_TIME:
            again(drain)
        return delivered

    @app.periodic(cron=pace.rescue)
    @app.task(name="rescue", queueing_lock="rescue", pass_context=True)
    async def rescue(context: JobContext, timestamp: int) -> int:
        """Jobs whose worker died are taken up again."""
        stalled = list(await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=pace.dead))
        for job in stalled:
            log.warning("taken up again", job=job.id, task=job.task_name)
            await app.job_manager.retry_job(job)
        return len(stalled)

    @app.periodic(cron=pace.audit)
    @app.task(name="audits", queueing_lock="audits")
    async def audits(timestamp: int) -> int:
        """Once a day, every battle in which something was published since is to be played over."""
        since = shop.clock() - timedelta(days=1, hours=1)
        found = auditing.published_since(shop.db, since)
        for battle_id in found:
            await verify.configure(queueing_lock=f"verify/{battle_id}").defer_async(battle_id=battle_id)
        return len(found)

    @app.task(name="verify", priority=-10)
    def verify(battle_id: str) -> None:
        """Play every published turn of a battle over from its record; what does not come out the same fails the job."""
        wrong = [f"{finding.code} {dict(finding.params)}" for finding in auditing.audit(shop.db, battle_id)]
        if wrong:
            log.error("a record does not hold", battle=battle_id, wrong=wrong)
            raise ValueError(f"battle {battle_id}: {'; '.join(wrong)}")

    @app.periodic(cron=pace.alarm)
    @app.task(name="alarm", queueing_lock="alarm")
    def alarm(timestamp: int) -> None:
        """What is overdue stands in the log as an error."""
        for found in overview.overview(shop.db, shop.clock(), late=shop.late).alarms:
            log.error("overdue", code=found.code, count=found.count)

    @app.periodic(cron=pace.tidy)
    @app.task(name="tidy", queueing_lock="tidy")
    async def tidy(timestamp: int) -> None:
        """Jobs that went well are forgotten."""
        await app.job_manager.delete_old_jobs(nb_hours=int(KEPT.total_seconds() // 3600))

    return app


def again(task: Any) -> None:
    """One more of its kind, unless one waits already."""
    try:
        task.defer()
    except AlreadyEnqueued:
        return


async def ring(app: App) -> None:
    """The outbox has something: one drain, unless one waits already."""
    try:
        await app.configure_task("drain", queueing_lock="drain").defer_async()
    except AlreadyEnqueued:
        return
