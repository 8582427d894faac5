"""The server's log: one JSON line for each thing that happened, to standard error. No key ever stands in it."""

from __future__ import annotations

import logging
import re
import sys

import structlog

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def configure(level: str) -> None:
    """Once for each process, before the first line is written. An unknown level is `info`."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS.get(level, logging.INFO)),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )


KEY_LIKE = re.compile(r"[A-Za-z0-9_-]{24,}")
"""A key, or most of one: no other part of an address of ours is so long."""


def masked(path: str) -> str:
    """A path as it may be written down: a seat's link holds its key, also where the link was copied amiss."""
    return "/k/…" if path.startswith("/k/") else KEY_LIKE.sub("…", path)
