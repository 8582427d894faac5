"""The server's log: one JSON line for each thing that happened, to standard error. No key ever stands in it."""

from __future__ import annotations

import logging
import logging.config
import re
import sys
from typing import Any

import structlog

from app.config import LOG_LEVELS

_STAMPED: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)
_WRITTEN: tuple[structlog.typing.Processor, ...] = (
    structlog.processors.format_exc_info,
    structlog.processors.JSONRenderer(ensure_ascii=False),
)


def configure(level: str) -> None:
    """Once for each process, before the first line is written. `level` is one of `LOG_LEVELS`."""
    structlog.configure(
        processors=[*_STAMPED, *_WRITTEN],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(of_libraries(level))


def of_libraries(level: str) -> dict[str, Any]:
    """What libraries write by Python's own `logging` (uvicorn, Procrastinate) comes out in the same form; for `dictConfig`.
    Of all others warnings alone."""
    assert level in LOG_LEVELS
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "app.log.formatter"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "uvicorn": {"level": level.upper()},
            # Of each job it tells three times, and there is one every second: that is for whoever looks for a fault.
            "procrastinate": {"level": "WARNING" if level == "info" else level.upper()},
            # It writes down whole addresses, and a seat's link is a key. If it were not named here, this table would open it
            # again after the server has closed it, as the child of one that is named.
            "uvicorn.access": {"handlers": [], "propagate": False},
        },
    }


def formatter() -> logging.Formatter:
    """One JSON line for each record."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*_STAMPED, structlog.stdlib.add_logger_name],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_WRITTEN],
    )


KEY_LIKE = re.compile(r"[A-Za-z0-9_-]{24,}")
"""A key, or most of one: no other part of an address of ours is so long."""


def masked(path: str) -> str:
    """A path as it may be written down: a seat's link holds its key, also where the link was copied amiss."""
    return "/k/…" if path.startswith("/k/") else KEY_LIKE.sub("…", path)
