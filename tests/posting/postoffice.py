"""A real SMTP server on loopback, which does what it is told to do to the next letters."""

from __future__ import annotations

import email
import email.policy
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from ssl import SSLContext
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from app.posting.mail import MailServer


@dataclass
class PostOffice:
    """`letters`: what was taken, with its envelope's address. `troubles`: for the next letters, `dead` (taken, and the line
    goes dead before it is said so) or an answer, at `RCPT` where it begins so: `RCPT 550 …`, `451 …`."""

    letters: list[tuple[str, EmailMessage]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    port: int = 0
    security: str = "none"
    account: tuple[str, str] = ("", "")
    """Who may send, if not everybody: his name and password."""
    secured: list[bool] = field(default_factory=list)
    """Of each letter, whether its line was under TLS."""
    victim: int = 0
    """A process that is killed when it has handed over its letter, and waits to be told that it was taken."""

    @property
    def server(self) -> MailServer:
        return MailServer("127.0.0.1", self.port, "post@battles.example", self.security, *self.account, seconds=5)

    def admits(self, server: Any, session: Any, envelope: Any, mechanism: str, said: Any) -> AuthResult:
        name, password = (part.decode() for part in (said.login, said.password))
        return AuthResult(success=(name, password) == self.account, handled=False)

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if self.troubles and self.troubles[0].startswith("RCPT "):
            return self.troubles.pop(0).removeprefix("RCPT ")
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        trouble = self.troubles.pop(0) if self.troubles else ""
        if trouble and trouble != "dead":
            return trouble
        letter = cast(EmailMessage, email.message_from_bytes(envelope.content, policy=email.policy.default))
        self.letters.append((envelope.rcpt_tos[0], letter))
        self.secured.append(session.ssl is not None or self.security == "tls")
        if self.victim:
            os.kill(self.victim, signal.SIGKILL)
            self.victim = 0
        if trouble == "dead":
            server.transport.abort()
        return "250 OK"


@contextmanager
def postoffice(
    security: str = "none", *, tls: SSLContext | None = None, account: tuple[str, str] = ("", "")
) -> Iterator[PostOffice]:
    """`security`: as the host sets it. `tls`: with the office's certificate."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    opened = PostOffice(port=port, security=security, account=account)
    told: dict[str, Any] = {"ssl_context": tls} if security == "tls" else {}
    if security == "starttls":
        told = {"tls_context": tls, "require_starttls": True}
    if any(account):
        told |= {"authenticator": opened.admits, "auth_required": True, "auth_require_tls": security == "starttls"}
    controller = Controller(opened, hostname="127.0.0.1", port=port, decode_data=False, **told)
    controller.start()
    try:
        yield opened
    finally:
        controller.stop()


def text_of(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    text: str = body.get_content().replace("\r\n", "\n")
    return text
