"""A published turn's page from kept bytes, against the bare framework that serves the same bytes.

Servers on the loopback, each a process of its own, one client after the other; measured is the servers' processor time.
"""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean

from app.referee import battles, keys, scenarios, turns
from app.store.db import Database
from bench.field import SCENARIO
from bench.measure import Figure
from bench.storing import NOW, ordered

ROUNDS, REQUESTS = 12, 1500
PATIENCE_SECONDS = 120
TURNS = 3


def page() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="fieldpost-bench-") as folder:
        database = f"sqlite:///{Path(folder) / 'fieldpost.db'}"
        path = _published(database)
        with server("app.cli.main", "serve", "--database-url", database, "--port") as ours:
            body = _get(ours.port, path)
            file = Path(folder) / "page.html"
            file.write_bytes(body)
            with server("bench.bare", str(file), "quiet") as quiet, server("bench.bare", str(file), "logging") as logging:
                if {_get(quiet.port, "/"), _get(logging.port, "/")} != {body}:
                    raise ValueError("the bare framework serves other bytes")
                mine, silent, told = _in_turns((ours, path), (quiet, "/"), (logging, "/"))
    name = f"a kept page of {len(body) // 1000} kB, with our access log"
    return [
        _figure(name, mine, "the bare framework, no access log", silent, 0.8),
        _figure(name, mine, "with its access log", told),
    ]


def _figure(name: str, ours: list[float], against: str, theirs: list[float], bar: float | None = None) -> Figure:
    """The bar speaks of pages a second: how many of ours are served for one of theirs. All rounds are taken as one, for the
    system counts processor time in hundredths of a second."""
    return Figure(name, mean(ours), against, mean(theirs), sum(theirs) / sum(ours), bar, at_most=False)


class _Served:
    """A server under way."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.pid = process.pid
        self.port = port

    def seconds(self) -> float:
        """Processor time so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _in_turns(*sides: tuple[_Served, str]) -> list[list[float]]:
    found: list[list[float]] = [[] for _ in sides]
    for round_ in range(ROUNDS + 1):
        for (served, path), costs in zip(sides, found, strict=True):
            cost = _cost(served, path)
            if round_:
                costs.append(cost)
    return found


def _cost(served: _Served, path: str) -> float:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE_SECONDS)
    before = served.seconds()
    for _ in range(REQUESTS):
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise ValueError(f"{path}: {answer.status}")
    passed = served.seconds() - before
    connection.close()
    return passed / REQUESTS


def _published(database: str) -> str:
    """A battle some turns old. The address of its last page."""
    db = Database(database)
    db.upgrade()
    new = battles.create(db, scenario=scenarios.frozen(SCENARIO), now=NOW, early=False)
    master = keys.viewer_by_key(db, new.master_key)
    for _ in range(TURNS):
        turns.resolve_now(db, new.id, master, turn=ordered(db, new), now=NOW)
    db.close()
    return f"/b/{new.id}/t/{TURNS}"


@contextmanager
def server(module: str, *words: str) -> Iterator[_Served]:
    port = _free_port()
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, "-m", module, *words, str(port)]
        process = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603
        try:
            _wait(process, port)
            yield _Served(process, port)
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("a server did not start")


def _get(port: int, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status != 200:
        raise ValueError(f"{path}: {answer.status}")
    return body


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
