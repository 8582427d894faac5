"""What the scripts of pages take of a browser: of a battle with 28 units, and of the orders of a whole side in it."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from app.engine.ruleset import Json
from app.referee import battles, scenarios
from app.store.db import Database
from bench.field import SCENARIO
from bench.measure import Figure, figure, in_turns, loop
from bench.page import server
from bench.storing import NOW

LOOPS = 35
"""100 ms on the machine for which that bar was set, where the fixed loop takes a little less than 3 ms."""
ROUNDS = 7
REST_MS = 1500
"""Until nothing more happens by itself."""
SCRIPT = frozenset(
    {"EvaluateScript", "FunctionCall", "RunMicrotasks", "TimerFire", "v8.compile", "v8.compileModule", "v8.evaluateModule"}
)
"""What a trace of the browser calls the running of scripts."""
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")


def script() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="fieldpost-bench-") as folder, sync_playwright() as play:
        database = f"sqlite:///{Path(folder) / 'fieldpost.db'}"
        battle, key = _begun(database)
        found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        browser = play.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        with server("app.cli.main", "serve", "--database-url", database, "--port") as ours:
            home = f"http://127.0.0.1:{ours.port}"
            taken = [_median(browser, f"{home}{path}") for path in (f"/b/{battle}", f"/k/{key}")]
        browser.close()
    (fixed,) = in_turns(loop(), rounds=9)
    names = ("scripts of the battle's page, 28 units", "scripts of the orders' page, 14 of 28 units")
    return [
        figure(name, times, "the fixed loop", [sorted(fixed)[len(fixed) // 2]] * len(times), LOOPS)
        for name, times in zip(names, taken, strict=True)
    ]


def _median(browser: Browser, address: str) -> list[float]:
    return [_seconds(browser, address) for _ in range(ROUNDS)]


def _seconds(browser: Browser, address: str) -> float:
    """Of a browser that has seen nothing yet: processor time of what ran scripts, or compiled them."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-v8.compile", "v8"])
    page.goto(address)
    page.wait_for_timeout(REST_MS)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    context.close()
    return sum(outermost([event for event in events if event.get("ph") == "X" and event["name"] in SCRIPT]))


def outermost(events: Sequence[Json]) -> list[float]:
    """Seconds of the events that lie in no other of their thread: a function that is called in a script is counted once."""
    told, until = [], dict[tuple[int, int], float]()
    for event in sorted(events, key=lambda one: (one["ts"], -one["dur"])):
        thread = event["pid"], event["tid"]
        if event["ts"] < until.get(thread, 0):
            continue
        until[thread] = event["ts"] + event["dur"]
        told.append(event.get("tdur", event["dur"]) / 1e6)
    return told


def _begun(database: str) -> tuple[str, str]:
    """A battle whose sides have one commander each, and the key of one."""
    db = Database(database)
    db.upgrade()
    made = battles.create(db, scenario=_one_seat_a_side(scenarios.frozen(SCENARIO)), now=NOW)
    db.close()
    return made.id, next(iter(made.seat_keys.values()))


def _one_seat_a_side(frozen: Json) -> Json:
    sides = {key: contingent["side"] for key, contingent in frozen["contingents"].items()}
    first: dict[str, str] = {}
    for key, side in sides.items():
        first.setdefault(side, key)
    kept = {key: frozen["contingents"][key] for key in first.values()}
    units = {key: {**unit, "contingent": first[sides[unit["contingent"]]]} for key, unit in frozen["units"].items()}
    return {**frozen, "contingents": kept, "units": units}
