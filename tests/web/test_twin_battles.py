"""Nobody is told a byte of what he may not know: two battles that differ in nothing else answer alike, at every address."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import walking
from tests.web import twins
from tests.web.twins import Told

APART = ("page:north", "token:north", "page:public", "token:public", "page:account")
"""Who knows nothing of the side `south`, nor of a draft."""
AROUND = (
    *APART,
    *("page:left", "token:left", "page:master", "token:master", "page:gone", "token:gone"),
    *("page:leader", "page:host", "token:stranger", "token:strange master", "token:account"),
)
"""Who knows nothing of what a seat has sealed, while plans are not shared and the game master may not look."""
ASKED_TOO = (
    "/oembed?url=http://here.example/b/{battle}",
    "/b/{battle}/talk?part=1",
    "/b/{battle}/t/latest",
    "/b/{battle}/t/latest.png",
    "/b/{battle}/t/2.bbcode?orders=1",
)
SILENT = {
    "/b/{battle_id}/follow": "it never ends; what it tells is the pulse",
    "/notices/{what}/{token}": "a link that a letter brings to its reader",
    "/guide/pictures/{name}.jpg": "of no battle",
    "/scenarios/{key}.svg": "of no battle",
}
"""Where nobody here is given anything, and why nothing is missed by it. A page that is added is asked for, or named here."""


def test_who_may_not_know_it_is_told_the_same_whatever_is_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answered: set[str] = set()
    with twins.twins(tmp_path, monkeypatch) as pair:
        app, cast = pair[0].post.app, pair[0].cast
        more = tuple(address.format(battle=cast.battle) for address in ASKED_TOO)
        asked = (*walking.addresses(app, twins.values(cast)), *more)

        def differences(*who: str) -> list[str]:
            one, other = (twin.told(who, asked) for twin in pair)
            answered.update(_given(one))
            return [f"{name} {address}" for (name, address), told in one.items() if other[name, address] != told]

        twins.led(twins.sealed, pair, monkeypatch)
        assert differences(*AROUND) == []
        assert differences("token:right") != [], "there is something to be told"

        twins.led(twins.drafted, pair, monkeypatch)
        assert differences(*APART) == []
        assert differences("token:master") != [], "there is something to be told"

        twins.led(twins.rewound, pair, monkeypatch)
        assert differences(*APART[:4]) == []
        assert {pattern for pattern in walking.patterns(app) if not _is_answered(pattern, answered)} == set(SILENT)


def _given(told: Told) -> list[str]:
    return [address.partition("?")[0] for (_, address), (status, _, _) in told.items() if 200 <= status < 400]


def _is_answered(pattern: str, answered: set[str]) -> bool:
    form = re.compile("[^/]+".join(re.escape(part) for part in re.split(r"{[^}]+}", pattern)))
    return any(form.fullmatch(address) for address in answered)
