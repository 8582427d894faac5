"""Mail: letters as they leave, and what each refusal means."""

from __future__ import annotations

import socket
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext

import pytest
import trustme

from app.posting.mail import Letter, MailServer, address, masked, send, write
from app.posting.message import PostError
from tests.posting.postoffice import postoffice, text_of

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
LETTER = Letter("Ход 3 открыт", "Приказы до завтра.\n", "<p>Приказы</p>", "abc123", AT, "https://here.example/notices/end/T")


def test_a_letter_arrives_as_it_was_written() -> None:
    with postoffice() as office:
        send(office.server, "anna@example.org", LETTER)
        ((to, letter),) = office.letters
    assert to == "anna@example.org"
    assert letter["To"] == "anna@example.org"
    assert letter["From"] == "Fieldpost <post@battles.example>"
    assert letter["Subject"] == "Ход 3 открыт"
    assert letter["Message-ID"] == "<abc123@battles.example>"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["List-Unsubscribe"] == "<https://here.example/notices/end/T>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert text_of(letter) == "Приказы до завтра.\n"
    html = letter.get_body(("html",))
    assert html is not None
    assert html.get_content().strip() == "<p>Приказы</p>"


def test_a_repeat_is_the_very_same_letter() -> None:
    server = MailServer("h", 25, "post@battles.example")
    assert write(server, "a@b.example", LETTER).as_bytes() == write(server, "a@b.example", LETTER).as_bytes()


@pytest.mark.parametrize(
    "subject", ["Ход 3: " + "приказы ещё не все, " * 8 + "конец", "Turn 3: " + "orders are missing, " * 8 + "end"]
)
def test_a_long_subject_arrives_word_for_word(subject: str) -> None:
    with postoffice() as office:
        send(office.server, "anna@example.org", replace(LETTER, subject=subject))
        ((_, letter),) = office.letters
    assert letter["Subject"] == subject


def test_no_header_comes_out_of_what_is_told() -> None:
    server = MailServer("h", 25, "post@battles.example")
    letter = Letter("Hello\r\nBcc: all@example.org\u2028X: y", "t", "h", "m", AT)
    mail = write(server, "a@b.example", letter)
    assert mail["Bcc"] is None
    assert "\nBcc" not in mail.as_string()
    assert "\nX:" not in mail.as_string()
    assert "List-Unsubscribe" not in mail


@pytest.mark.parametrize(
    ("trouble", "code", "status", "hopeless"),
    [
        ("451 try later", "status", 451, False),
        ("552 too big", "status", 552, True),
        ("RCPT 450 grey", "status", 450, False),
        ("RCPT 550 nobody here", "refused-address", 550, True),
        ("dead", "unreachable", None, False),
    ],
)
def test_each_refusal_is_known(trouble: str, code: str, status: int | None, hopeless: bool) -> None:
    with postoffice() as office:
        office.troubles.append(trouble)
        with pytest.raises(PostError) as refused:
            send(office.server, "anna@example.org", LETTER)
        assert (refused.value.code, refused.value.status, refused.value.hopeless) == (code, status, hopeless)
        send(office.server, "anna@example.org", LETTER)
        assert office.letters[-1][0] == "anna@example.org"


def test_nothing_goes_in_the_clear_unless_the_host_said_so() -> None:
    with postoffice() as office:
        for security, code in (("starttls", "no-tls"), ("tls", "no-tls")):
            server = MailServer("127.0.0.1", office.port, "post@battles.example", security, "user", "word", 5)
            with pytest.raises(PostError) as refused:
                send(server, "anna@example.org", LETTER)
            assert refused.value.code == code
        assert office.letters == []


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.CA:
    """An authority that this machine trusts while the test lasts."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    return authority


def office_tls(authority: trustme.CA, *names: str) -> SSLContext:
    context = SSLContext(PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")  # of a line under TLS from its first byte
@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_letter_goes_under_tls_with_the_hosts_name_and_password(security: str, known: trustme.CA) -> None:
    with postoffice(security, tls=office_tls(known, "127.0.0.1"), account=("herald", "a word")) as office:
        send(office.server, "anna@example.org", LETTER)
        assert office.secured == [True]
        with pytest.raises(PostError) as refused:
            send(replace(office.server, password="another"), "anna@example.org", LETTER)
        assert (refused.value.code, refused.value.hopeless) == ("mail-login", False)
        assert [to for to, _ in office.letters] == ["anna@example.org"]


@pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
@pytest.mark.parametrize("security", ["starttls", "tls"])
@pytest.mark.parametrize("case", ["stranger", "another name"])
def test_neither_letter_nor_password_goes_to_a_server_that_cannot_show_who_it_is(
    security: str, case: str, known: trustme.CA
) -> None:
    authority = trustme.CA() if case == "stranger" else known
    shown = office_tls(authority, "127.0.0.1" if case == "stranger" else "mail.example.org")
    with postoffice(security, tls=shown, account=("herald", "a word")) as office:
        with pytest.raises(PostError) as refused:
            send(office.server, "anna@example.org", LETTER)
        assert (refused.value.code, refused.value.hopeless) == ("bad-certificate", False)
        assert office.letters == []


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        server = MailServer("127.0.0.1", taken.getsockname()[1], "post@battles.example", "none", seconds=2)
        with pytest.raises(PostError, match="unreachable"):
            send(server, "anna@example.org", LETTER)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (" Anna.B+war@Example.ORG ", "Anna.B+war@example.org"),
        ("anna@почта.рф", "anna@xn--80a1acny.xn--p1ai"),
        ("анна@example.org", None),
        ("anna@localhost", None),
        ("anna", None),
        ("@example.org", None),
        ("a b@example.org", None),
        ("a@b.example\nBcc: c@d.example", None),
        ("a,b@example.org", None),
        ("<a@example.org>", None),
        ("a@[127.0.0.1]", None),
        (".a@example.org", None),
        ("a" * 65 + "@example.org", None),
        ("a@" + "b" * 64 + ".example", None),
        ("a@b..example", None),
    ],
)
def test_an_address_is_one_or_is_none(text: str, found: str | None) -> None:
    assert address(text) == found


def test_a_masked_address_gives_nobody_away() -> None:
    assert masked("anna@example.org") == "a…@example.org"
