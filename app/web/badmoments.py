"""A clock ticks every second, and so does whatever is wrong with its database: told once, and once when it is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from structlog.typing import FilteringBoundLogger

from app.store.away import Away


class BadMoments:
    """Of one clock. `what` it does stands in the log's line."""

    def __init__(self, log: FilteringBoundLogger, what: str) -> None:
        self._log = log
        self._what = what
        self._is_away = False

    @contextmanager
    def told(self) -> Iterator[None]:
        """One tick. Nothing is raised: the next one tries again. A bug is told each time, with its traceback."""
        try:
            yield
        except Away as away:
            if not self._is_away:
                self._log.error("database away", during=self._what, why=str(away))
            self._is_away = True
        except Exception:  # noqa: BLE001  (logged; the next tick tries again)
            self._log.exception(f"{self._what} failed")
        else:
            if self._is_away:
                self._log.warning("database back", during=self._what)
            self._is_away = False
