"""HTTP to places that strangers name: public addresses only, no redirects, a limit on time and size."""

from __future__ import annotations

import ipaddress
import logging
import re
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
import msgspec

from app.posting.message import PostError

LARGEST_ANSWER = 2_000_000
"""Bytes: twenty posts of a forum are some hundred thousand."""
TOTAL_SECONDS = 30.0
"""Of one call, however slowly it drips."""
HOPELESS = {400, 401, 403, 404, 405, 410, 413, 415, 422}
"""Refusals that need a human hand; the others of the 400s are of the moment."""
MOST_WAIT = 6 * 3600
MOST_ADDRESSES = 3
"""Of one name: where one takes no call, the next is tried."""
LONGEST_SAID = 200
SHORTEST_KEY = 8
for _name in ("httpx2", "httpcore2"):  # what they log below a warning holds addresses and headers, which are keys
    logging.getLogger(_name).setLevel(logging.WARNING)
_TAG = re.compile(r"<[^<>]*>")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes

    def json(self) -> Any:
        """Raises `PostError("bad-answer")`."""
        try:
            return msgspec.json.decode(self.body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise PostError("bad-answer") from None


@dataclass(frozen=True)
class Wire:
    """`allow_private`: the host lets battles post within his own network, and without TLS."""

    allow_private: bool = False
    seconds: float = 10.0
    """To connect, and of silence."""
    until: float | None = None
    """No call is begun after this moment of `time.monotonic`."""

    def within(self, seconds: float) -> Wire:
        """The same for one delivery, however many calls it takes: none is begun later."""
        return replace(self, until=time.monotonic() + seconds)

    def get(self, url: str, *, headers: Mapping[str, str] | None = None, params: Sequence[tuple[str, str]] = ()) -> Answer:
        return self.call("GET", url, headers=headers, params=params)

    def post(
        self,
        url: str,
        value: Any,
        *,
        headers: Mapping[str, str] | None = None,
        params: Sequence[tuple[str, str]] = (),
    ) -> Answer:
        """`value` as JSON."""
        return self.call("POST", url, headers=headers, params=params, body=msgspec.json.encode(value))

    def call(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Sequence[tuple[str, str]] = (),
        body: bytes | None = None,
    ) -> Answer:
        """An answer of the 200s. Raises `PostError`."""
        if self.until is not None and time.monotonic() > self.until:
            raise PostError("timeout")
        try:
            asked = httpx2.URL(url).copy_merge_params(list(params)) if params else httpx2.URL(url)
        except (httpx2.InvalidURL, TypeError, ValueError):
            raise PostError("forbidden-address", hopeless=True) from None
        # The name is looked up once, and the very addresses that were examined are called: a name that changes in between
        # leads nowhere else.
        addresses = self._addresses(asked)
        sent = {"user-agent": "Fieldpost", "accept": "application/json", "accept-encoding": "identity", **(headers or {})}
        if body is not None:
            sent.setdefault("content-type", "application/json")
        sent["host"] = asked.netloc.decode("ascii")
        extensions = {"sni_hostname": asked.raw_host.decode("ascii")} if asked.scheme == "https" else {}
        request = {"headers": sent, "content": body, "extensions": extensions}
        answer, wait = self._first_answer(method, [asked.copy_with(host=address) for address in addresses], request)
        if 200 <= answer.status < 300:
            return answer
        is_moved = 300 <= answer.status < 400
        raise PostError(
            "status",
            status=answer.status,
            wait=wait,
            hopeless=is_moved or answer.status in HOPELESS,
            said=_said(answer, _keys(asked, headers or {})),
        )

    def _first_answer(self, method: str, urls: Sequence[httpx2.URL], request: Mapping[str, Any]) -> tuple[Answer, int]:
        """Of the first address that takes the call, and how long it asks to wait. Nothing is sent to two of them."""
        for left, url in enumerate(urls, 1 - len(urls)):
            try:
                with (
                    httpx2.Client(trust_env=False, follow_redirects=False, timeout=self.seconds) as client,
                    client.stream(method, url, **request) as got,
                ):
                    wait = _seconds(got.headers.get("retry-after", ""), got.headers.get("date", ""))
                    return Answer(got.status_code, self._read(got)), wait
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as failed:
                if not left:
                    raise PostError("timeout" if isinstance(failed, httpx2.TimeoutException) else "unreachable") from None
            except httpx2.TimeoutException:
                raise PostError("timeout") from None
            except (httpx2.HTTPError, httpx2.InvalidURL, OSError):
                raise PostError("unreachable") from None
        raise PostError("unreachable")

    def _addresses(self, url: httpx2.URL) -> list[str]:
        if url.scheme != "https" and not (self.allow_private and url.scheme == "http"):
            raise PostError("forbidden-address", hopeless=True)
        if not url.host or url.userinfo:
            raise PostError("forbidden-address", hopeless=True)
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            found = [entry[4][0] for entry in socket.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)]
        except (OSError, UnicodeError):
            raise PostError("unreachable") from None
        if not self.allow_private and not all(is_public(str(address)) for address in found):
            raise PostError("forbidden-address", hopeless=True)
        return [str(address) for address in dict.fromkeys(found)][:MOST_ADDRESSES]

    def _read(self, answer: httpx2.Response) -> bytes:
        until = time.monotonic() + TOTAL_SECONDS
        body = bytearray()
        for part in answer.iter_raw():
            body += part
            if len(body) > LARGEST_ANSWER:
                raise PostError("too-large")
            if time.monotonic() > until:
                raise PostError("timeout")
        return bytes(body)


def is_public(address: str) -> bool:
    """Whether an address is one of the whole internet: not of this machine, nor of a network at home, nor one that hides
    such an address in itself."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        hidden = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if hidden is None and ip in _NAT64:
            hidden = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if hidden is not None:
            return is_public(str(hidden))
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _seconds(text: str, now: str = "") -> int:
    """Of `Retry-After`: a number, or a moment, by the clock of the place itself (`now`: its `Date`)."""
    number = text.strip().partition(".")[0]
    if number.isascii() and number.isdigit():
        return min(int(number), MOST_WAIT) if len(number) < 9 else 0
    until, since = _moment(text), _moment(now) or datetime.now(UTC)
    return 0 if until is None else max(0, min(int((until - since).total_seconds()), MOST_WAIT))


def _moment(text: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def _keys(url: httpx2.URL, headers: Mapping[str, str]) -> list[str]:
    """What must not be repeated to anybody: of the headers and of the address."""
    words = " ".join([*headers.values(), *url.path.split("/"), *(value for _, value in url.params.multi_items())]).split()
    return [word for word in words if len(word) >= SHORTEST_KEY]


def _said(answer: Answer, keys: Sequence[str]) -> str:
    """Why it was refused, as forums and channels say it in their JSON: one line without markup; empty: nothing that can be
    repeated."""
    try:
        told = answer.json()
    except PostError:
        return ""
    if not isinstance(told, dict):
        return ""
    errors, status = told.get("errors"), told.get("status")
    ways = [
        " ".join(str(line) for line in errors) if isinstance(errors, list) else None,
        status.get("message") if isinstance(status, dict) else None,
        *(told.get(name) for name in ("description", "message", "error", "detail")),
    ]
    found = next((way for way in ways if isinstance(way, str) and way.strip()), "")
    shown = "".join(sign if sign.isprintable() else " " for sign in _TAG.sub(" ", found[: 10 * LONGEST_SAID]))
    line = " ".join(shown.split())
    if any(key in line for key in keys):
        return ""
    return line if len(line) <= LONGEST_SAID else line[: LONGEST_SAID - 1].rstrip() + "…"
