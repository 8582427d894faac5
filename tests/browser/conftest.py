"""A real Chromium against a real server on the loopback."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from starlette.types import ASGIApp, Receive, Scope, Send

from app import log
from app.config import Settings
from app.web.app import create_app

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LOCALES = {"en": "en-GB", "ru": "ru-RU"}


class Site:
    """A running server."""

    def __init__(self, app: FastAPI, address: str) -> None:
        self.app = app
        self.address = address


def _on_a_slow_line(app: ASGIApp) -> ASGIApp:
    """With `SLOW=400` in the environment every answer is late by up to 400 ms, each by another time:
    finds a test that holds only as long as things arrive in their usual order."""
    most = int(os.environ.get("SLOW") or 0)
    chance = Random(os.environ.get("CHANCE", ""))

    async def late(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await asyncio.sleep(chance.random() * most / 1000)
        await app(scope, receive, send)

    return late if most else app


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("browser")
    log.configure("error")
    app = create_app(Settings(data=folder), upgrade=True)
    server = uvicorn.Server(
        uvicorn.Config(_on_a_slow_line(app), host="127.0.0.1", port=0, log_level="error", access_log=False)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < until, "the server did not start"
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    object.__setattr__(app.state.house, "settings", Settings(data=folder, base_url=address))
    yield Site(app, address)
    server.should_exit = True
    thread.join(timeout=20)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    found = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
    if found is None:
        pytest.fail("no Chromium: `make browser` installs it")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


Opened = Callable[..., Page]


@pytest.fixture
def opened(chromium: Browser, site: Site) -> Iterator[Opened]:
    """`opened(language="ru", width=390, script=False)`: a page in a browser of its own, that has seen nothing yet.
    Whatever the page complains about in its console fails the test."""
    with ExitStack() as stack:
        complaints: list[str] = []

        def open_page(
            *, language: str = "en", width: int = 1280, script: bool = True, scheme: str = "light", touch: bool = False
        ) -> Page:
            context: BrowserContext = chromium.new_context(
                base_url=site.address,
                locale=LOCALES[language],
                viewport={"width": width, "height": 844 if width < 600 else 900},
                java_script_enabled=script,
                has_touch=touch,
                color_scheme="dark" if scheme == "dark" else "light",
                reduced_motion="reduce",
            )
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(15_000)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda told: complaints.append(told.text) if "Content Security Policy" in told.text else None)
            return page

        yield open_page
        assert complaints == []
