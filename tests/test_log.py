"""The log: one JSON line for each thing, whoever writes it; no key in it."""

from __future__ import annotations

import json
import logging
import logging.config
import subprocess
import sys
from collections.abc import Iterator

import pytest

from app import log


@pytest.fixture
def record() -> Iterator[logging.LogRecord]:
    try:
        raise ValueError("no such thing")
    except ValueError:
        yield logging.LogRecord("uvicorn.error", logging.ERROR, "server.py", 1, "broken %s", ("pipe",), sys.exc_info())


def test_what_libraries_write_comes_out_in_our_form(record: logging.LogRecord) -> None:
    line = json.loads(log.formatter().format(record))
    assert (line["event"], line["level"], line["logger"]) == ("broken pipe", "error", "uvicorn.error")
    assert "ValueError: no such thing" in line["exception"]
    assert line["timestamp"].endswith("Z")


def test_libraries_other_than_those_that_run_us_are_heard_when_they_warn() -> None:
    made = log.of_libraries("debug")
    assert (made["root"]["level"], made["loggers"]["uvicorn"]["level"]) == ("WARNING", "DEBUG")
    logging.config.DictConfigurator({**made, "root": {}, "loggers": {}}).configure()  # every name in it leads somewhere


@pytest.mark.parametrize(
    ("level", "heard"), [("debug", "DEBUG"), ("info", "WARNING"), ("warning", "WARNING"), ("error", "ERROR")]
)
def test_a_workers_jobs_are_told_one_by_one_to_nobody_but_who_looks_for_a_fault(level: str, heard: str) -> None:
    """Three lines for each job, and a job each second, would bury what matters."""
    assert log.of_libraries(level)["loggers"]["procrastinate"]["level"] == heard


SERVER = """
import logging, sys, uvicorn
from app import log
config = uvicorn.Config("app.web.app:from_environment", factory=True, log_config=log.of_libraries("info"), access_log=False)
steps = {"own": lambda: log.configure("info"), "server": config.configure_logging}
for step in sys.argv[1:]:
    steps[step]()
logging.getLogger("uvicorn.error").info("started")
logging.getLogger("uvicorn.access").info("GET /k/DNSqskfb-1led7Wqb2cw8yRwkFtSShv6Q3fbWNulqHo")
print(logging.getLogger("uvicorn.access").hasHandlers())
"""
"""The log as a process of the server sets it up: the command first, then the server itself and the app, in either order."""


@pytest.mark.parametrize("order", [("own",), ("server", "own"), ("own", "server")])
def test_the_server_writes_down_no_addresses_of_its_own(order: tuple[str, ...]) -> None:
    ran = subprocess.run([sys.executable, "-c", SERVER, *order], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
    assert [json.loads(line)["event"] for line in ran.stderr.splitlines()] == ["started"]


@pytest.mark.parametrize("path", ["/k/DNSqskfb-1led7Wqb2cw8yRwkFtSShv6Q3fbWNulqHo", "/x/DNSqskfb-1led7Wqb2cw8yRwkFtSShv6Q"])
def test_no_key_is_written_down(path: str) -> None:
    assert "DNSq" not in log.masked(path)


def test_addresses_without_a_key_are_written_as_they_are() -> None:
    assert log.masked("/b/pyp5n366tq/seat/north-centre/notices") == "/b/pyp5n366tq/seat/north-centre/notices"
