"""Whole servers as processes, as `fieldpost serve` starts them, and one who listens to them as a browser does."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 60
"""Nothing waits so long unless it is broken."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def until(came: Any, what: str) -> None:
    """Looks again and again."""
    last = time.monotonic() + PATIENCE_SECONDS
    while not came():
        assert time.monotonic() < last, what
        time.sleep(0.03)


class Instance:
    """A server over a database that others use too. `settings`: more of its environment; `program`: what is run in place of
    the command `serve`, with its first line of output as a sign that it stands where the test wants it."""

    def __init__(
        self,
        database_url: str,
        data: Path,
        *,
        port: int | None = None,
        workers: int = 1,
        settings: Mapping[str, str] | None = None,
        program: str = "",
    ) -> None:
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._environment = {
            **os.environ,
            "FIELDPOST_DATABASE_URL": database_url,
            "FIELDPOST_DATA": str(data),
            "FIELDPOST_PORT": str(self.port),
            "FIELDPOST_WORKERS": str(workers),
            "FIELDPOST_LOG_LEVEL": "warning",
            **(settings or {}),
        }
        self._program = program
        self.process: subprocess.Popen[bytes] | None = None

    def start_and_stand(self) -> Instance:
        """Run the program until it says where it stands."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", self._program],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        lines = iter(self.process.stdout.readline, b"")
        assert any(b"in the middle" in line for line in lines), "it ended before it came there"
        return self

    def stop(self) -> None:
        """It stands still, as a machine that is too busy does."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGCONT)

    def start(self) -> Instance:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.cli.main", "serve"],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        until(self._answers, "the server does not answer")
        return self

    def kill(self) -> None:
        """At once, workers and all, as when the power fails."""
        if self.process is not None:
            with suppress(ProcessLookupError):  # somebody was quicker
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None

    def api(self, method: str, path: str, key: str, body: object) -> Any:
        asked = urllib.request.Request(
            f"{self.address}/api/v1{path}",
            data=json.dumps(body).encode(),
            method=method,
            headers={"authorization": f"Bearer {key}", "content-type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=PATIENCE_SECONDS) as answer:
            return json.loads(answer.read())

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, "the server has ended"
        try:
            with urllib.request.urlopen(f"{self.address}/rules/cohesion", timeout=5):
                return True
        except (urllib.error.URLError, OSError):
            return False


@contextmanager
def running(*instances: Instance) -> Iterator[None]:
    """Started one after the other: the first brings the schema up to date."""
    try:
        for instance in instances:
            instance.start()
        yield
    finally:
        for instance in instances:
            instance.kill()


class Listener:
    """Follows a battle at one server. Like a browser it comes again when the stream has broken off."""

    def __init__(self, instance: Instance, battle: str) -> None:
        self.hints: list[str] = []
        self.opened = 0
        self._url = f"{instance.address}/b/{battle}/follow"
        self._ends = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()
        until(lambda: self.hints, "the stream does not begin")

    def until(self, pulse: str) -> None:
        until(lambda: self.hints[-1] == pulse, f"not told of {pulse}: {self.hints}")

    def close(self) -> None:
        self._ends.set()

    def _listen(self) -> None:
        while not self._ends.is_set():
            try:
                with urllib.request.urlopen(self._url, timeout=PATIENCE_SECONDS) as stream:
                    self.opened += 1
                    for line in stream:
                        if line.startswith(b"data: "):
                            self.hints.append(json.loads(line[6:])["version"])
                        if self._ends.is_set():
                            return
            except OSError:
                pass
            time.sleep(0.1)
