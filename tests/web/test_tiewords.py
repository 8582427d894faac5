"""Why something did not arrive, in words."""

from __future__ import annotations

import pytest

from app.language import translator
from app.web import tiewords


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        ({"code": "mail-login", "status": 535}, "does not take the host's password"),
        ({"code": "refused-address", "status": 550}, "there is no such address (answer 550)"),
        ({"code": "bad-certificate"}, "certificate"),
        ({"code": "no-tls"}, "offers no encryption"),
        ({"code": "status", "status": 503}, "in trouble itself (answer 503)"),
        ({"code": "status", "status": 401}, "key is not taken there"),
        ({"code": "status", "status": 418}, "refused it (answer 418)"),
        ({"code": "of-tomorrow"}, "Something broke here"),
        ({}, ""),
    ],
)
def test_each_failure_has_its_own_words(failure: dict[str, object], told: str) -> None:
    said = tiewords.error(failure, translator("en"))
    assert told in said if told else said == ""
