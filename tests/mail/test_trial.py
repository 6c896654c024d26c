"""``doctor --mail``: the mail servers tried out over the loopback, with a person who answers."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path

import dkim
import pytest
from pydantic import SecretStr

from bot.mail.servers import Smtp
from bot.operations.doctor import Finding
from bot.operations.mail_trial import MailTrial, TrialTimes
from bot.operations.settings import Settings
from tests.mail.conftest import POST, Mails
from tests.mail.letters import text_part
from tests.mail.mailboxes import Mailbox, serve_mailbox
from tests.mail.test_servers import Taker, taker
from tests.mail.test_signatures import Names, keys
from tests.support.settings import BareSettings

__all__ = ["keys", "taker"]
STEPS = (
    "mailbox", "letter to itself", "letter to you", "answer", "results of your server", "signature", "trust",
    "settings",
)  # fmt: skip
ANN = "ann@home.example"
OURS = "Received: from a.example by mx.games.example with ESMTPS; x\n"
Answer = Callable[[EmailMessage], bytes]


def answer(mail: EmailMessage, head: str = "", sender: str = ANN) -> bytes:
    """Return what Ann's program sends, with what our server wrote above it."""
    fields = (
        f"From: <{sender}>\nTo: {mail['Reply-To']}\nSubject: Re: x\nDate: Sat, 28 Nov 2026 12:00:00 +0000\n"
        f"Message-ID: <1@home.example>\nIn-Reply-To: {mail['Message-ID']}\n"
    )
    return f"{head}{fields}\nyes\n".encode()


def sign_answer(mail: EmailMessage, key: bytes) -> bytes:
    """Return Ann's answer with the signature of her domain."""
    data = answer(mail).replace(b"\n", b"\r\n")
    signature: bytes = dkim.sign(data, b"s", b"home.example", key, include_headers=[b"from", b"to", b"date"])
    return signature + data


class World:
    """A mail server with the bot's mailbox, and Ann.

    Args:
        box: the mailbox. took: what the server was given. plus: what it takes for a separator, "" for none, "one" for
            a mailbox with its one address only.
    """

    def __init__(self, box: Mailbox, took: Taker, settings: Settings, plus: str, answers: Answer | None) -> None:
        self.box, self.took, self.settings, self.plus, self.answers = box, took, settings, plus, answers
        took.deliver = self.deliver

    def deliver(self, to: str, mail: EmailMessage) -> None:
        """Bring a mail to the bot's mailbox, or let Ann answer it."""
        if to.startswith(f"turns{self.plus or '!'}") or (self.plus == "one" and to == POST.address):
            self.put(mail.as_bytes())
        elif to == ANN and self.answers is not None:
            self.put(self.answers(mail))

    def put(self, data: bytes) -> None:
        """Lay a mail into the mailbox."""
        self.box.put(len(self.box.mails) + 1, data)

    async def run_trial(self, lookup: Names | None = None, file: Path | None = None) -> dict[str, Finding]:
        """Try the servers out; return the steps."""
        steps = list[Finding]()
        times = TrialTimes(0.3, 0.3 if self.answers is None else 20, 0.01)
        trial = MailTrial(self.settings, ANN, steps.append, times, lookup or Names({}), file)
        assert await trial.run_trial() is all(step.well for step in steps)
        assert [step.what for step in steps] == list(STEPS[: len(steps)])
        return {step.what: step for step in steps}


@asynccontextmanager
async def open_world(
    taker: tuple[Taker, Smtp], folder: Path, answers: Answer | None, plus: str = "+"
) -> AsyncIterator[World]:
    """Serve the mailbox and the server that mails go out by."""
    box = Mailbox()
    async with serve_mailbox(box) as imap:
        settings = BareSettings(
            database=str(folder / "store.sqlite"), folder=folder, mail_address=POST.address, mail_key=SecretStr("k"),
            smtp_host="127.0.0.1", smtp_port=taker[1].port, smtp_tls="none", imap_host=imap.host, imap_port=imap.port,
            imap_tls="none", imap_user="ann", imap_password=SecretStr("x"),
        )  # fmt: skip
        yield World(box, taker[0], settings, plus, answers)


async def test_the_answer_teaches_the_name_of_our_server_which_is_added_to_the_settings(
    taker: tuple[Taker, Smtp], tmp_path: Path
) -> None:
    """Other lines of the file stay as they are; what came in stays unread, for a bot that runs."""
    results = "Authentication-Results: mx.games.example; dkim=none; dmarc=pass header.from=home.example\n"
    file = tmp_path / ".env"
    file.write_text("STATIONMASTER_MAIL_ADDRESS=turns@games.example", encoding="utf-8")
    async with open_world(taker, tmp_path, lambda mail: answer(mail, OURS + results)) as world:
        world.put(b"Subject: an old one\n\nhello\n")
        found = await world.run_trial(file=file)
    assert all(step.well for step in found.values()), found
    assert found["mailbox"].words.endswith("opened INBOX with 1 e-mail")
    assert "came back after 0 s" in found["letter to itself"].words
    assert found["results of your server"].words == "mx.games.example found dkim=none and dmarc=pass for home.example"
    assert found["signature"].words == "the answer has no valid signature (DKIM) of home.example"
    assert found["trust"].words == "replies from home.example are proven by the results of your server"
    assert found["settings"].words == f"added STATIONMASTER_MAIL_AUTHSERV=mx.games.example to {file}"
    assert file.read_text(encoding="utf-8") == (
        "STATIONMASTER_MAIL_ADDRESS=turns@games.example\nSTATIONMASTER_MAIL_AUTHSERV=mx.games.example\n"
    )
    assert world.box.seen == set()
    letter = next(mail for to, mail in taker[0].mails if to == ANN)
    assert "Please reply yes to this e-mail" in text_part(letter)


async def test_a_signature_is_enough_without_any_setting(
    taker: tuple[Taker, Smtp], tmp_path: Path, keys: tuple[bytes, str]
) -> None:
    private, public = keys
    async with open_world(taker, tmp_path, lambda mail: sign_answer(mail, private)) as world:
        found = await world.run_trial(Names({"s._domainkey.home.example": public}), tmp_path / ".env")
    assert found["results of your server"].words.startswith("it writes no Authentication-Results")
    assert found["trust"].words == "replies from home.example are proven by their signature"
    assert found["settings"].words == "nothing needs to be changed"


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (f"{OURS}Authentication-Results: mx.evil.test; dmarc=pass header.from=home.example\n", "it may not be yours"),
        (f"{OURS}Authentication-Results: spf=pass; dmarc=pass header.from=home.example\n", "an unnamed server"),
        ("Authentication-Results: ${X}; dmarc=pass header.from=home.example\n", "'${x}' found dmarc=pass"),
        ("Authentication-Results: mx.games.example; dmarc=fail header.from=home.example\n", "dmarc=fail"),
    ],
)
async def test_results_that_may_have_come_with_the_mail_prove_nothing(
    taker: tuple[Taker, Smtp], tmp_path: Path, head: str, said: str
) -> None:
    async with open_world(taker, tmp_path, lambda mail: answer(mail, head)) as world:
        found = await world.run_trial(file=tmp_path / ".env")
    assert said in found["results of your server"].words
    assert not found["trust"].well
    assert "settings" not in found


async def test_another_separator_is_found_and_a_setting_that_is_there_stays(
    taker: tuple[Taker, Smtp], tmp_path: Path, keys: tuple[bytes, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    private, public = keys
    names = Names({"s._domainkey.home.example": public})
    async with open_world(taker, tmp_path, lambda mail: sign_answer(mail, private), "-") as world:
        told = (await world.run_trial(names, tmp_path / ".env"))["settings"].words
        assert told == "set STATIONMASTER_MAIL_PLUS to -"
        assert not (tmp_path / ".env").exists()
        monkeypatch.setenv("STATIONMASTER_MAIL_PLUS", "+")
        told = (await world.run_trial(names, tmp_path / ".env"))["settings"].words
        assert told == "change STATIONMASTER_MAIL_PLUS to - (environment)"


async def test_a_mailbox_with_one_address_is_found_to_be_one(
    taker: tuple[Taker, Smtp], tmp_path: Path, keys: tuple[bytes, str]
) -> None:
    private, public = keys
    names = Names({"s._domainkey.home.example": public})
    async with open_world(taker, tmp_path, lambda mail: sign_answer(mail, private), "one") as world:
        found = await world.run_trial(names, tmp_path / ".env")
        assert found["letter to itself"].words.endswith("there's no plus addressing, so bounces go unnoticed")
        assert found["answer"].well
        assert found["settings"].words == "set STATIONMASTER_MAIL_PLUS to nothing"


async def test_what_is_missing_is_named(taker: tuple[Taker, Smtp], tmp_path: Path) -> None:
    async with open_world(taker, tmp_path, None, plus="") as world:
        found = await world.run_trial()
        assert (
            "within 0 seconds, neither to turns@games.example nor to turns+… or turns-…"
            in found["letter to itself"].words
        )
        world.plus = "+"
        found = await world.run_trial()
        assert found["answer"].words.startswith("No answer came within 0 minutes. Look for the letter among spam")
        taker[0].answers = ["550 5.7.1 not from this address"]
        found = await world.run_trial()
        assert "didn't take an e-mail from turns+bounce-" in found["letter to itself"].words
        taker[0].unknown = ANN
        found = await world.run_trial()
        assert found["letter to you"].words == f"127.0.0.1 refused the address {ANN}."
        world.settings = world.settings.model_copy(update={"imap_host": ""})
        found = await world.run_trial()
        assert found["mailbox"].words.startswith("The bot gets no replies")


async def test_replies_may_be_brought_by_a_server_on_this_machine(taker: tuple[Taker, Smtp], tmp_path: Path) -> None:
    """While a bot takes them there, the trial has to wait; it doesn't take its place."""
    place = tmp_path / "lmtp.sock"
    bringing: set[asyncio.Task[None]] = set()

    def bring(data: bytes) -> None:
        async def hand_over() -> None:
            reader, line = await asyncio.open_unix_connection(place)
            to = message_from_bytes(data)["To"]
            for said in ("LHLO x", "MAIL FROM:<>", f"RCPT TO:<{parseaddr(to)[1]}>", "DATA"):
                line.write(f"{said}\r\n".encode())
            line.write(data.replace(b"\n", b"\r\n") + b"\r\n.\r\nQUIT\r\n")
            await reader.read()
            line.close()

        bringing.add(asyncio.create_task(hand_over()))

    async with open_world(taker, tmp_path, answer) as world:
        world.settings = world.settings.model_copy(update={"imap_host": "", "mail_lmtp": str(place)})
        world.put = bring  # type: ignore[method-assign]
        found = await world.run_trial()
        assert found["answer"].well, found
        await asyncio.gather(*bringing)
        place.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as bot:
            bot.bind(str(place))
            bot.listen()
            found = await world.run_trial()
    assert found["mailbox"].words == f"A running bot takes the e-mails at {place}. Stop it during the trial."


async def test_an_answer_that_cannot_be_read_ends_the_trial(taker: tuple[Taker, Smtp], tmp_path: Path) -> None:
    async with open_world(taker, tmp_path, lambda mail: answer(mail, "Subject: twice\n")) as world:
        found = await world.run_trial()
    assert found["answer"].words.startswith("The answer can't be read: It has two lines")


async def test_a_letter_that_comes_back_ends_the_trial(taker: tuple[Taker, Smtp], tmp_path: Path) -> None:
    def bounce(mail: EmailMessage) -> bytes:
        to = parseaddr(str(taker[0].senders[-1]))[1]
        return (
            f"From: MAILER-DAEMON@mx.games.example\nTo: {to}\nSubject: failed\nMIME-Version: 1.0\n"
            "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
            "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n"
            f"Final-Recipient: rfc822; {ANN}\nAction: failed\nStatus: 5.1.1\n\n--b--\n"
        ).encode()

    async with open_world(taker, tmp_path, bounce) as world:
        found = await world.run_trial()
    assert found["answer"].words == f"The letter to {ANN} came back (bounce): it couldn't be delivered."


async def test_a_bot_that_runs_ignores_what_belongs_to_a_trial(
    mails: Mails, taker: tuple[Taker, Smtp], tmp_path: Path
) -> None:
    async with open_world(taker, tmp_path, answer) as world:
        await world.run_trial()
        for data in world.box.mails.values():
            assert await mails.front.receive(data) in ("machine", "stranger")
    assert await mails.send_all() == []


async def test_a_line_that_breaks_is_opened_again(taker: tuple[Taker, Smtp], tmp_path: Path) -> None:
    """What came meanwhile is still found, and nothing of before."""
    async with open_world(taker, tmp_path, answer) as world:
        world.put(b"Subject: an old one\n\nhello\n")
        deliver = world.deliver

        def deliver_and_cut(to: str, mail: EmailMessage) -> None:
            deliver(to, mail)
            world.box.cuts ^= {len(world.box.mails)}
            asyncio.get_running_loop().call_later(0.05, world.box.cuts.clear)

        taker[0].deliver = deliver_and_cut
        found = await world.run_trial(file=tmp_path / ".env")
    assert found["answer"].well, found
    assert world.box.logins > 1
