"""The first page shows the newest battles, and leads to all others."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from app.config import Settings
from app.referee import battles, scenarios
from app.web.app import create_app
from app.web.pages.home import SHOWN
from tests.web.conftest import SKIRMISH, Post


def _post(folder: Path, number: int) -> tuple[Post, set[str]]:
    app = create_app(Settings(data=folder, embedded=False), upgrade=True)
    post = Post(app)
    made = (
        battles.create(post.house.db, scenario=scenarios.read_file(SKIRMISH), now=datetime.now(UTC)) for _ in range(number)
    )
    return post, {battle.id for battle in made}


def _listed(page: str) -> list[str]:
    return re.findall(r'<h3><a href="/b/(\w+)"', page)


def test_every_battle_is_found_by_following_the_older_ones(tmp_path: Path) -> None:
    post, made = _post(tmp_path, 2 * SHOWN + 3)
    reader, way, seen = post.visitor(), "/", list[str]()
    for shown in (SHOWN, SHOWN, 3):
        page = reader.get(way).text
        assert len(_listed(page)) == shown
        seen += _listed(page)
        further = re.search(r'href="(/[^"#]*)#battles" rel="next"', page)
        assert ('<a class="button quiet" href="/#battles" rel="prev">' in page) == (len(seen) > SHOWN)
        way = further[1] if further else ""
    assert way == ""
    assert len(seen) == len(set(seen))
    assert set(seen) == made
    newest = _listed(reader.get("/").text)
    for nowhere in ("?older=9000", "?older=-3", "?older=x", f"?older={'9' * 40}"):
        assert _listed(reader.get(f"/{nowhere}").text) == newest, nowhere


def test_few_battles_lead_nowhere(tmp_path: Path) -> None:
    post, made = _post(tmp_path, SHOWN)
    page = post.visitor().get("/").text
    assert set(_listed(page)) == made
    assert "#battles" not in page
