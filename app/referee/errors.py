"""Refusals: a code, what fills its words, and what the caller should see beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.engine.ruleset import Fault, Problem


class RefereeError(Exception):
    """A thing that the referee will not do. `code` is stable; one table in `web` maps it to a status and words.

    Codes: `no-key` (401), `not-yours` (403), `no-battle`, `no-turn`, `no-seat`, `no-scenario` (404), `stale`,
    `closed`, `not-under-review`, `plays-himself`, `not-open`, `paused`, `no-pause`, `no-deadline` (409),
    `bad-scenario`, `bad-orders`, `long-text`, `bad-ruling`, `bad-deadline`, `bad-schedule`, `bad-reason`, `bad-seed`,
    `bad-title`, `bad-name`, `bad-drawing`, `many-drawings` (422), `unknown-game` (501: rules that this server lacks). Of
    campaigns: `no-campaign` (404), `in-campaign` (409), `bad-description`, `bad-sides`, `bad-standing` (422).
    """

    def __init__(
        self,
        code: str,
        *,
        params: Mapping[str, str | int] | None = None,
        problems: tuple[Problem, ...] = (),
        faults: tuple[Fault, ...] = (),
        asides: tuple[int, ...] = (),
        current: Any = None,
    ) -> None:
        self.code = code
        self.params = dict(params or {})
        self.problems = problems
        self.faults = faults
        self.asides = asides
        """With faults: the lines of the text that are certainly no orders."""
        self.current = current
        """With `stale`: what the caller should have seen (`turn`, `revision`)."""
        super().__init__(code)
