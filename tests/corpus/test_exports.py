"""Every archive that was ever written still loads: the corpus of each format, and the way from it to today's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.referee import archive, battles, publication, turns
from app.referee.archive import ArchiveError
from app.referee.exporting import export
from app.referee.importing import bring_in
from app.referee.verification import verify
from app.referee.views import PUBLIC
from app.store.db import Database
from tests.corpus.make_exports import HERE, LARGEST
from tests.times import NOW

FILES = sorted(HERE.glob("*/*.json"))


def test_every_format_has_a_corpus_and_a_way_to_the_next() -> None:
    formats = {int(folder.name) for folder in HERE.iterdir()}
    assert formats == set(range(1, archive.FORMAT + 1))
    assert set(archive.UPGRADES) == set(range(1, archive.FORMAT))
    assert len(FILES) >= 4


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_an_archive_of_any_format_still_loads(db: Database, file: Path) -> None:
    assert file.stat().st_size < LARGEST
    found = archive.read(file.read_bytes())
    done = bring_in(db, found, now=NOW)
    shown = battles.battle(db, done.battle_id, PUBLIC, NOW)
    assert shown.turn == (found.battle.turn if done.is_whole or found.battle.status == "over" else done.turns)
    for line in turns.history(db, done.battle_id, PUBLIC):
        record = publication.record(db, done.battle_id, line.turn, PUBLIC)
        assert [finding for finding in verify(record) if not finding.holds] == []
    again = export(db, done.battle_id, whole=done.is_whole, now=NOW)
    assert again["turns"] == json.loads(file.read_bytes())["turns"]


def test_an_older_format_goes_step_by_step_to_todays(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_log(tree: Any) -> Any:
        return {**tree, "format": 0, "log": None}

    def from_0(tree: Any) -> Any:
        assert tree["format"] == 0
        return {**tree, "format": 1, "log": []}

    today = json.loads(FILES[0].read_bytes())
    monkeypatch.setattr(archive, "UPGRADES", {0: from_0})
    upgraded = archive.upgraded(without_log(today))
    assert upgraded == archive.sealed({**{k: v for k, v in today.items() if k != "digest"}, "log": []})
    assert archive.read(archive.packed(upgraded)).log == []


def test_an_upgrade_that_does_not_understand_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "FORMAT", 2)
    monkeypatch.setattr(archive, "UPGRADES", {1: lambda tree: {**tree, "format": 2, "seats": tree["seat"]}})
    with pytest.raises(ArchiveError) as refused:
        archive.read(FILES[0].read_bytes())
    assert refused.value.params["why"] == "shape"
