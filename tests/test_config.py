"""Settings: from the environment, and a sentence for each that cannot be used."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from app.config import PREFIX, BadSetting, Settings, as_environment, load_settings

HOSTING = Path(__file__).parents[1] / "docs"


def test_nothing_set_is_a_server_for_this_machine_alone() -> None:
    assert load_settings({}) == Settings()
    assert load_settings({"FIELDPOST_PORT": " ", "PATH": "/bin"}) == Settings()


def test_what_is_given_comes_before_the_environment() -> None:
    source = {"FIELDPOST_PORT": "8100", "FIELDPOST_HOST": "0.0.0.0"}
    assert (load_settings(source, port=8200, host=None).port, load_settings(source, port=8200, host=None).host) == (
        8200,
        "0.0.0.0",
    )


def test_settings_come_back_out_of_their_own_variables() -> None:
    given = {"FIELDPOST_BASE_URL": "https://battles.example.org/", "FIELDPOST_EMBEDDED": "No", "FIELDPOST_DATA": "elsewhere"}
    settings = load_settings(given)
    assert (settings.url, settings.embedded, settings.data) == ("https://battles.example.org", False, Path("elsewhere"))
    assert load_settings(as_environment(settings)) == settings


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("BASE_URL", "battles.example.org", "https://battles.example.org"),
        ("BASE_URL", "https://example.org/battles", "no path"),
        ("EMBEDDED", "perhaps", "yes or no"),
        ("FORWARDED_ALLOW_IPS", "*", "never *"),
        ("FORWARDED_ALLOW_IPS", "127.0.0.1,proxy.example.org", "'proxy.example.org'"),
        ("FORWARDED_ALLOW_IPS", "172.16.0.1/12", "172.16.0.0/12"),
        ("HOST_KEY", "short", "at least 16"),
        ("LOG_LEVEL", "loud", "debug, info, warning, error"),
        ("OUTAGE_MINUTES", "-1", "at least 0"),
        ("PORT", "eight", "whole number"),
        ("PORT", "0", "from 1 to 65535"),
        ("PORT", "65536", "from 1 to 65535"),
        ("SMTP_HOST", "mail.example.org", "FIELDPOST_SMTP_FROM"),
        ("SMTP_SECURITY", "ssl", "starttls, tls, none"),
        ("WORKERS", "0", "from 1 to 64"),
        ("WORKERS", "65", "from 1 to 64"),
    ],
)
def test_a_setting_that_cannot_be_used_says_what_it_should_be(name: str, value: str, told: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(told)):
        load_settings({PREFIX + name: value})


def test_proxies_are_addresses_and_networks() -> None:
    proxies = "127.0.0.1, ::1,172.16.0.0/12 , fd00::/8"
    assert load_settings({"FIELDPOST_FORWARDED_ALLOW_IPS": proxies}).forwarded_allow_ips == proxies


def test_a_misspelt_variable_is_refused_and_the_right_one_named() -> None:
    with pytest.raises(BadSetting, match="FIELDPOST_OPEN_BATTELS is no setting; is FIELDPOST_OPEN_BATTLES meant"):
        load_settings({"FIELDPOST_OPEN_BATTELS": "no"})
    with pytest.raises(BadSetting, match=r"FIELDPOST_QQQ is no setting$"):
        load_settings({"FIELDPOST_QQQ": "no"})


@pytest.mark.parametrize("page", ["hosting.md", "hosting.ru.md"])
def test_the_hosts_document_names_every_setting_with_its_default(page: str) -> None:
    rows = dict[str, str]()
    for line in (HOSTING / page).read_text(encoding="utf-8").splitlines():
        if line.startswith(f"| `{PREFIX}"):
            names, default = line.split("|")[1:3]
            rows |= dict.fromkeys(re.findall(r"`([A-Z_]+)`", names), default)
    assert sorted(rows) == sorted(PREFIX + known.name.upper() for known in fields(Settings))
    for known in fields(Settings):
        default = getattr(Settings(), known.name)
        if default not in ("", True, False):
            assert str(default) in rows[PREFIX + known.name.upper()], known.name


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://127.0.0.1:8000"),
        ("::1", "http://[::1]:8000"),
        ("battles.lan", "http://battles.lan:8000"),
    ],
)
def test_the_address_that_is_printed_is_one_that_a_browser_can_open(host: str, url: str) -> None:
    assert load_settings({"FIELDPOST_HOST": host}).url == url
