"""Mail by the host's own SMTP server: one letter to one person. A repeat carries the same Message-ID."""

from __future__ import annotations

import re
import smtplib
import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.message import Message
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.policy import compat32
from email.utils import format_datetime, formataddr

from app.posting.message import PostError

LONGEST = 254
LINES = compat32.clone(linesep="\r\n")
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])")


@dataclass(frozen=True, repr=False)
class MailServer:
    """`sender`: the address that letters come from. `security`: `starttls`, `tls`, `none`."""

    host: str
    port: int
    sender: str
    security: str = "starttls"
    user: str = ""
    password: str = ""
    seconds: float = 15.0
    """To connect, and of silence: a dialogue has about ten answers, and must end before the outbox's lease does."""


@dataclass(frozen=True)
class Letter:
    """`unsubscribe`: a link that ends these letters by one click (RFC 8058); empty: there is nothing to end yet."""

    subject: str
    text: str
    html: str
    mark: str
    at: datetime
    """When it was written: a repeat is the very same letter."""
    unsubscribe: str = ""


def address(text: str) -> str | None:
    """An address as it is written in an envelope: ASCII, the domain in its own coding. None: it is none."""
    local, _, domain = text.strip().rpartition("@")
    try:
        host = domain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None
    found = f"{local}@{host}"
    is_one = _LOCAL.fullmatch(local) and len(local) <= 64 and _HOST.fullmatch(host) and len(found) <= LONGEST
    return found if is_one else None


def masked(to: str) -> str:
    """An address that its owner knows again, and nobody learns: `a…@example.org`."""
    local, _, domain = to.rpartition("@")
    return f"{local[:1]}…@{domain}"


def write(server: MailServer, to: str, letter: Letter) -> Message:
    """The letter as it is sent. Nothing that is told can begin a header of its own.

    Made by the older half of Python's library: the newer one loses blanks where it folds a long subject in Cyrillic.
    """
    mail = MIMEMultipart("alternative", boundary=f"={letter.mark}=")
    mail["From"] = formataddr(("Fieldpost", server.sender))
    mail["To"] = to
    subject = Header(" ".join(letter.subject.split()), None if letter.subject.isascii() else "utf-8")
    mail["Subject"] = subject  # type: ignore[assignment]
    mail["Date"] = format_datetime(letter.at)
    mail["Message-ID"] = f"<{letter.mark}@{server.sender.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    if letter.unsubscribe:
        mail["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.attach(MIMEText(letter.text, "plain", "utf-8"))
    mail.attach(MIMEText(letter.html, "html", "utf-8"))
    return mail


def send(server: MailServer, to: str, letter: Letter) -> None:
    """Raises `PostError`: `refused-address` (hopeless), `status` (hopeless from 500 on), `mail-login`, `no-tls`,
    `bad-certificate`, `timeout`, `unreachable`."""
    mail = write(server, to, letter).as_bytes(policy=LINES)
    try:
        line = _open(server)
        try:
            if server.user:
                line.login(server.user, server.password)
            line.sendmail(server.sender, [to], mail)
        finally:
            with suppress(smtplib.SMTPException, OSError):  # a letter that was taken is taken, whatever is said after it
                line.quit()
            line.close()
    except smtplib.SMTPRecipientsRefused as refused:
        code = next(iter(refused.recipients.values()))[0]
        raise PostError("refused-address" if code >= 500 else "status", status=code, hopeless=code >= 500) from None
    except smtplib.SMTPDataError as refused:
        raise PostError("status", status=refused.smtp_code, hopeless=refused.smtp_code >= 500) from None
    except smtplib.SMTPAuthenticationError as refused:  # the host's to mend: the letter waits
        raise PostError("mail-login", status=refused.smtp_code) from None
    except ssl.SSLCertVerificationError:
        raise PostError("bad-certificate") from None
    except (smtplib.SMTPNotSupportedError, ssl.SSLError):
        raise PostError("no-tls") from None
    except smtplib.SMTPServerDisconnected:
        raise PostError("unreachable") from None
    except smtplib.SMTPResponseException as refused:  # greeting or sender refused: the host's to mend, too
        raise PostError("status", status=refused.smtp_code) from None
    except TimeoutError:
        raise PostError("timeout") from None
    except (smtplib.SMTPException, OSError):
        raise PostError("unreachable") from None


def _open(server: MailServer) -> smtplib.SMTP:
    """A line on which nothing secret goes in the clear, unless the host said so."""
    name = server.sender.rpartition("@")[2]
    if server.security == "tls":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(server.host, server.port, name, timeout=server.seconds, context=context)
    line = smtplib.SMTP(server.host, server.port, name, timeout=server.seconds)
    if server.security == "starttls":
        try:
            line.starttls(context=ssl.create_default_context())
        except BaseException:
            line.close()
            raise
    return line
