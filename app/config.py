"""Settings from the environment, read once, and where the things lie that are shipped beside the code."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any

PREFIX = "FIELDPOST_"
HOST_KEY_MIN = 16
SECURITIES = ("starttls", "tls", "none")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, never bound
"""To listen on every address of the machine; no browser finds anything at such an address."""
LOG_LEVELS = ("debug", "info", "warning", "error")
LEAST = {"port": 1, "workers": 1, "smtp_port": 1}
MOST = {"port": 65535, "smtp_port": 65535, "workers": 64}
"""Bounds of whole numbers; the least of the others is 0."""


class BadSetting(ValueError):
    """A setting that cannot be used; says which, and what it should be."""


@dataclass(frozen=True)
class Settings:
    """What a host may set: `FIELDPOST_` and the name in capitals, or the command's option of the same name."""

    data: Path = Path("data")
    """Folder for the database file and all that the server keeps on disk."""
    database_url: str = ""
    """`sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/NAME`; empty: `fieldpost.db` in the data folder."""
    base_url: str = ""
    """The address that players see, without a slash at its end; empty: from host and port."""
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    embedded: bool = True
    """The server itself resolves what is due and delivers; no: workers do (`fieldpost worker`)."""
    outage_minutes: int = 15
    """A longer silence of the server is an outage: what fell due in it waits for the game master."""
    open_battles: bool = True
    """Anybody may start a battle; no: only accounts by the API, and the host by the command line."""
    forwarded_allow_ips: str = "127.0.0.1"
    """Proxies whose word on the caller's address is believed."""
    allow_private_targets: bool = False
    """Battles may be tied to addresses within the host's own network, and without TLS: for a forum beside this server."""
    smtp_host: str = ""
    """The server that takes mail; empty: mail is not offered."""
    smtp_port: int = 587
    smtp_user: str = ""
    smtp_password: str = field(default="", repr=False)
    smtp_from: str = ""
    """The address that mail comes from; has to be set with the server."""
    smtp_security: str = "starttls"
    """`starttls`, `tls` (from the first byte on, mostly port 465) or `none` (a server on this machine)."""
    log_level: str = "info"
    host_key: str = ""
    """Opens the host's page, `/host`; at least 16 signs. Empty: there is no such page."""
    alarm_minutes: int = 10
    """What is overdue by more than this is an alarm: `/canary`, the host's page, the log."""

    @property
    def late(self) -> timedelta:
        return timedelta(minutes=self.alarm_minutes)

    @property
    def outage(self) -> timedelta:
        return timedelta(minutes=self.outage_minutes)

    @property
    def url(self) -> str:
        """The public address, without a slash at its end."""
        here = "127.0.0.1" if self.host in EVERYWHERE else f"[{self.host}]" if ":" in self.host else self.host
        return self.base_url or f"http://{here}:{self.port}"

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.data / 'fieldpost.db'}"


def load_settings(environment: Mapping[str, str] | None = None, /, **given: Any) -> Settings:
    """The environment's settings, overlaid by what was given (None: not given). Raises `BadSetting`, also for a variable of
    our prefix that is no setting: a misspelt one would leave open what its host has closed."""
    source = os.environ if environment is None else environment
    _check_names(source)
    read: dict[str, Any] = {}
    for known in fields(Settings):
        text = source.get(PREFIX + known.name.upper())
        if text is not None and text.strip():
            read[known.name] = _value(known.name, text.strip())
    read.update({name: value for name, value in given.items() if value is not None})
    if "data" in read:
        read["data"] = Path(read["data"])
    if 0 < len(read.get("host_key", "")) < HOST_KEY_MIN:
        raise BadSetting(f"{PREFIX}HOST_KEY is too short; it should have at least {HOST_KEY_MIN} signs")
    settings = replace(Settings(), **read)
    _check_address(settings.base_url)
    _one_of("log_level", settings.log_level, LOG_LEVELS)
    _check_mail(settings)
    _check_proxies(settings.forwarded_allow_ips)
    return replace(settings, base_url=settings.base_url.rstrip("/"))


def _check_names(source: Mapping[str, str]) -> None:
    known = [known.name.upper() for known in fields(Settings)]
    for variable in source:
        name = variable.removeprefix(PREFIX)
        if name != variable and name not in known:
            near = get_close_matches(name, known, n=1)
            raise BadSetting(f"{variable} is no setting" + (f"; is {PREFIX}{near[0]} meant?" if near else ""))


def _check_address(url: str) -> None:
    """Links are made by putting a path behind it, and the browser's `Origin` is compared with it."""
    if url and not re.fullmatch(r"https?://[^/?#@\s]+/*", url):
        raise BadSetting(f"{PREFIX}BASE_URL is {url!r}; it should be like https://battles.example.org, with no path")


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BadSetting(f"{PREFIX}{name.upper()} is {value!r}; it should be one of {', '.join(known)}")


def _check_mail(settings: Settings) -> None:
    _one_of("smtp_security", settings.smtp_security, SECURITIES)
    if settings.smtp_host and not re.fullmatch(r"[!-?A-~]+@[!-?A-~]+", settings.smtp_from):
        raise BadSetting(f"{PREFIX}SMTP_FROM is {settings.smtp_from!r}; it should be the address that mail comes from")


def _check_proxies(text: str) -> None:
    """A name, or a network that is none, would never match, and everybody would seem to be the proxy."""
    for word in filter(None, map(str.strip, text.split(","))):
        try:
            network = ipaddress.ip_network(word, strict=False)
        except ValueError:
            network = None
        if network is None or network.prefixlen == 0:
            raise BadSetting(
                f"{PREFIX}FORWARDED_ALLOW_IPS names {word!r}; it should be addresses and networks of proxies with commas "
                "between, such as 127.0.0.1,172.16.0.0/12, and never *, which lets every caller choose his own address"
            )
        if "/" in word and ipaddress.ip_interface(word).ip != network.network_address:
            raise BadSetting(f"{PREFIX}FORWARDED_ALLOW_IPS names {word!r}; is the network {network} meant?")


def as_environment(settings: Settings) -> dict[str, str]:
    """The settings as variables, for processes that are started with them."""
    return {PREFIX + f.name.upper(): str(getattr(settings, f.name)) for f in fields(Settings)}


def shipped(name: str) -> Path:
    """A folder that is shipped with the code: `templates`, `migrations`, `scenarios`, `rules`, `guide`."""
    here = Path(__file__).resolve().parent
    installed = here / "_shipped" / name
    if installed.is_dir():
        return installed
    return here.parent / {"rules": "docs/rules", "guide": "docs"}.get(name, name)


def _value(name: str, text: str) -> Any:
    kind = type(getattr(Settings(), name))
    if kind is bool:
        if text.lower() in {"1", "yes", "true", "on"}:
            return True
        if text.lower() in {"0", "no", "false", "off"}:
            return False
        raise BadSetting(f"{PREFIX}{name.upper()} is {text!r}; it should be yes or no")
    if kind is int:
        try:
            number = int(text)
        except ValueError:
            raise BadSetting(f"{PREFIX}{name.upper()} is {text!r}; it should be a whole number") from None
        least, most = LEAST.get(name, 0), MOST.get(name, number)
        if not least <= number <= most:
            bounds = f"from {least} to {most}" if name in MOST else f"at least {least}"
            raise BadSetting(f"{PREFIX}{name.upper()} is {number}; it should be {bounds}")
        return number
    return text
