"""No password and no mail goes to a server that is not who it says: certificates and names are verified."""

import asyncio
import gc
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path

import aiosmtplib
import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from pydantic import SecretStr

from bot.mail.front import MailFront
from bot.mail.servers import Imap, Smtp, check_plain_text, is_loopback, make_tls_context
from bot.model.errors import BotError
from bot.operations import mailing
from bot.operations.doctor import examine
from bot.operations.settings import Settings
from tests.mail.conftest import Mails, tiny
from tests.mail.mailboxes import Mailbox, serve_mailbox
from tests.mail.test_servers import Taker

OPENSSL = shutil.which("openssl") or ""
pytestmark = pytest.mark.skipif(not OPENSSL, reason="openssl is not installed")
HERE, ELSEWHERE = "DNS:localhost,IP:127.0.0.1", "DNS:mail.elsewhere.example"


class Certificates:
    """An authority, and keys with certificates: "right" and "elsewhere" are signed by it, "own" by itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ca = str(folder / "ca.pem")
        self._make("ca", "CN=A test authority", "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign")
        for name, names, signer in (("right", HERE, "ca"), ("elsewhere", ELSEWHERE, "ca"), ("own", HERE, "")):
            self._make(name, f"CN={name}", f"subjectAltName={names}", "basicConstraints=CA:FALSE", signer=signer)

    def _make(self, name: str, subject: str, *extensions: str, signer: str = "") -> None:
        key, path = self.folder / f"{name}.key", self.folder / f"{name}.pem"
        by = ["-CA", f"{self.folder / signer}.pem", "-CAkey", f"{self.folder / signer}.key"] if signer else []
        asked = [part for each in extensions for part in ("-addext", each)]
        subprocess.run(
            [OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", f"/{subject}", "-keyout", key, "-out", path, *by, *asked],
            check=True, capture_output=True, timeout=30,
        )  # fmt: skip

    def server(self, name: str) -> ssl.SSLContext:
        """Return what a server shows."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        return context


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("certificates"))


@asynccontextmanager
async def mailbox(certificates: Certificates, name: str, tls: str) -> AsyncIterator[tuple[Mailbox, Imap]]:
    """Serve a mailbox that shows a certificate."""
    shown = certificates.server(name)
    box = Mailbox(tls=shown if tls == "starttls" else None)
    async with serve_mailbox(box, tls=shown if tls == "tls" else None) as imap:
        yield box, Imap("127.0.0.1", imap.port, "ann", "secret", tls=tls, ca_file=certificates.ca)


class Login:
    """A mail server's door: counts the passwords that came through it."""

    def __init__(self) -> None:
        self.passwords = 0

    def __call__(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object) -> AuthResult:
        """Take any password."""
        del server, session, envelope, mechanism, data
        self.passwords += 1
        return AuthResult(success=True)


@asynccontextmanager
async def post_office(certificates: Certificates, name: str, tls: str) -> AsyncIterator[tuple[Taker, Login, Smtp]]:
    """Serve SMTP with a certificate, after STARTTLS or from the start; with "none" without any."""
    taker, login, loop = Taker(), Login(), asyncio.get_running_loop()
    shown = certificates.server(name)

    def door() -> SMTP:
        return SMTP(
            taker, authenticator=login, tls_context=shown if tls == "starttls" else None, auth_require_tls=False,
            loop=loop,
        )  # fmt: skip

    server = await loop.create_server(door, "127.0.0.1", 0, ssl=shown if tls == "tls" else None)
    try:
        yield taker, login, Smtp("127.0.0.1", server.sockets[0].getsockname()[1], "ann", "secret", tls, certificates.ca)
    finally:
        server.close()


@pytest.mark.parametrize("tls", ["tls", "starttls"])
async def test_certificate_of_a_trusted_authority_is_believed(certificates: Certificates, tls: str) -> None:
    """By IMAP and SMTP, with the authority's file; without it the same server is not believed."""
    async with mailbox(certificates, "right", tls) as (box, imap):
        await asyncio.to_thread(lambda: imap.open().logout())
        assert box.logins == 1
        with pytest.raises(ssl.SSLCertVerificationError):
            await asyncio.to_thread(Imap("127.0.0.1", imap.port, "ann", "secret", tls=tls).open)
        assert box.logins == 1
    async with post_office(certificates, "right", tls) as (taker, login, smtp):
        await smtp.deliver(letter(), "a@b.example", "c@d.example")
        assert len(taker.mails) == 1
        assert login.passwords == 1
        with pytest.raises((aiosmtplib.SMTPException, OSError)):
            await Smtp(smtp.host, smtp.port, "ann", "secret", tls).deliver(letter(), "a@b.example", "c@d.example")
        assert login.passwords == 1


def letter() -> EmailMessage:
    """Return a mail."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@b.example", "c@d.example", "hi"
    mail.set_content("hello")
    return mail


@pytest.mark.parametrize("tls", ["tls", "starttls"])
@pytest.mark.parametrize("name", ["own", "elsewhere"])
async def test_no_password_is_sent_to_a_server_with_a_wrong_certificate(
    certificates: Certificates, name: str, tls: str
) -> None:
    """Signed by itself, or for another name: neither gets a login, and no mail."""
    async with mailbox(certificates, name, tls) as (box, imap):
        with pytest.raises(ssl.SSLCertVerificationError):
            await asyncio.to_thread(imap.open)
        assert box.logins == 0
    async with post_office(certificates, name, tls) as (taker, login, smtp):
        with pytest.raises((aiosmtplib.SMTPException, OSError)):
            await smtp.deliver(letter(), "a@b.example", "c@d.example")
        assert login.passwords == 0
        assert taker.mails == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # imap_tools leaves the line unclosed
async def test_server_without_starttls_gets_no_password(certificates: Certificates) -> None:
    """Whoever sits in between can strike the word out of what the server offers."""
    box = Mailbox()
    async with serve_mailbox(box) as imap:
        with pytest.raises(Exception, match=r"(?i)\btls\b"):
            await asyncio.to_thread(Imap("127.0.0.1", imap.port, "ann", "secret", tls="starttls").open)
    gc.collect(0)
    assert box.logins == 0
    async with post_office(certificates, "right", "none") as (_, login, smtp):
        with pytest.raises(aiosmtplib.SMTPException, match="STARTTLS"):
            await Smtp(smtp.host, smtp.port, "ann", "secret").deliver(letter(), "a@b.example", "c@d.example")
    assert login.passwords == 0


def of(folder: Path, **more: object) -> Settings:
    """Return settings with mail."""
    basic: dict[str, object] = {
        "database": str(folder / "s.sqlite"),
        "mail_address": "turns@games.example",
        "mail_key": SecretStr("k"),
        "smtp_host": "smtp.games.example",
        "imap_host": "imap.games.example",
        "imap_user": "turns",
    }
    return Settings(**{**basic, **more}, _env_file=None)  # type: ignore[arg-type, call-arg]


@pytest.mark.parametrize(
    ("more", "setting"),
    [
        ({"smtp_tls": "none"}, "STATIONMASTER_SMTP_TLS=none"),
        ({"imap_tls": "none"}, "STATIONMASTER_IMAP_TLS=none"),
        ({"imap_tls": "none", "mail_plain_hosts": "smtp.games.example"}, "STATIONMASTER_IMAP_TLS=none"),
        ({"mail_lmtp": "0.0.0.0:24", "imap_host": ""}, "STATIONMASTER_MAIL_LMTP=0.0.0.0:24"),
    ],
)
async def test_plain_text_across_a_network_stops_the_start(
    mails: Mails, tmp_path: Path, more: dict[str, object], setting: str
) -> None:
    with pytest.raises(BotError, match=setting):
        mailing.make_front(mails.services, of(tmp_path, **more), tiny)
    words = " ".join(each.words for each in await examine(of(tmp_path, **more)) if not each.well)
    assert setting in words
    assert "STATIONMASTER_MAIL_PLAIN_HOSTS=" in words


async def test_plain_text_to_this_machine_or_to_a_named_host_is_allowed(mails: Mails, tmp_path: Path) -> None:
    named = "smtp.games.example, IMAP.games.example"
    for more in (
        {"smtp_tls": "none", "imap_tls": "none", "mail_plain_hosts": named},
        {"smtp_tls": "none", "imap_tls": "none", "smtp_host": "localhost", "imap_host": "127.0.0.1"},
        *({"mail_lmtp": place, "imap_host": ""} for place in ("127.0.0.1:24", ":24", "/run/lmtp")),
    ):
        assert isinstance(mailing.make_front(mails.services, of(tmp_path, **more), tiny), MailFront)


def test_loopback_is_known_by_its_address_or_its_name() -> None:
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]", "LocalHost")))
    assert not any(
        map(is_loopback, ("localhost.games.example", "192.168.0.1", "10.0.0.1", "::", "", "127.0.0.1.example"))
    )
    with pytest.raises(BotError, match="plain text"):
        check_plain_text("STATIONMASTER_SMTP_TLS=none", "smtp.games.example", [])
    with pytest.raises(BotError, match="plain text"):
        check_plain_text("X", "", [])


async def test_ca_file_that_cannot_be_read_stops_the_start(mails: Mails, tmp_path: Path) -> None:
    odd = tmp_path / "odd.pem"
    odd.write_text("no certificate", "utf-8")
    for path in (tmp_path / "nowhere.pem", odd):
        with pytest.raises(BotError, match=f"STATIONMASTER_MAIL_CA_FILE={path} can't be read"):
            mailing.make_front(mails.services, of(tmp_path, mail_ca_file=str(path)), tiny)
    assert make_tls_context().verify_mode == ssl.CERT_REQUIRED


@pytest.mark.parametrize("tls", ["tls", "starttls"])
async def test_doctor_reports_how_safe_the_way_to_the_servers_is(
    certificates: Certificates, tmp_path: Path, tls: str
) -> None:
    """Which way it is where all is well; why the certificate is not believed, and what to set, where it is not."""
    for name, well in (("right", True), ("own", False), ("elsewhere", False)):
        async with mailbox(certificates, name, tls) as (_, imap), post_office(certificates, name, tls) as (_, _, smtp):
            settings = of(
                tmp_path, smtp_host="127.0.0.1", smtp_port=smtp.port, smtp_tls=tls, imap_host="127.0.0.1",
                imap_port=imap.port, imap_tls=tls, imap_user="ann", imap_password=SecretStr("secret"),
                mail_ca_file=certificates.ca,
            )  # fmt: skip
            found = {each.what: each for each in await examine(settings)}
            for what, port in (("mails out", smtp.port), ("mails in", imap.port)):
                assert found[what].well is well, found[what]
                expected = (
                    f"{tls}, certificate verified by the system's authorities and {certificates.ca}"
                    if well else f"The certificate of 127.0.0.1:{port} isn't trusted: "
                )  # fmt: skip
                assert expected in found[what].words
                assert well or "STATIONMASTER_MAIL_CA_FILE" in found[what].words
