"""A trial of the real mail servers (``doctor --mail``): what a game by mail needs, done once with a person's help.

The bot writes to itself first, which shows whether its own addresses arrive. Then it writes to the person, whose
answer shows how senders can be proven. Nothing is taken out of the mailbox, so a running bot isn't disturbed; it
ignores these mails, as they belong to no player.
"""

import asyncio
import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from email.message import Message
from functools import partial
from pathlib import Path

import aiosmtplib
import msgspec
from imap_tools import BaseMailBox
from imap_tools.query import AND

from bot.mail.address import OwnMailbox, ReplyToken, load_key
from bot.mail.body import MAX_BYTES
from bot.mail.inbox import listen_lmtp
from bot.mail.origin import Mail, look_at
from bot.mail.page import Envelope, Page, make_mail
from bot.mail.proof import (
    UNNAMED,
    AuthResult,
    Lookup,
    is_aligned,
    is_proven,
    is_signed,
    list_results,
    lookup_txt,
    name_servers,
)
from bot.mail.servers import Imap
from bot.model.errors import BotError
from bot.model.letters import Contact
from bot.operations import mailing
from bot.operations.doctor import Finding, run_check
from bot.operations.settings import Settings, add_to_file
from bot.service.contacts import check_mailbox, fold_address
from engine import Record
from engine.words import join_words, pluralise

MAX_MAILS = 500
"""Mails that came during a trial which are looked at; a mailbox for the bot alone gets few."""
FIRST_LETTER, LETTERS, TURNS = 2_000_000_000, 147_000_000, 9_999_999
"""Numbers of letters and turns that no table ever has, so that nothing a trial causes counts for one."""
SEPARATORS = ("+", "-", "")
"""What servers put between the name of a mailbox and what is added to it."""
_BY = re.compile(r"\bby\s+([a-z0-9.-]{1,253})", re.IGNORECASE)
_SERVER = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
"""A name that may be written among the settings; it comes out of a mail."""


class TrialTimes(Record, frozen=True):
    """How long the bot's own mail and a person are waited for, and how often it looks, in seconds."""

    own: float = 60.0
    person: float = 900.0
    look: float = 3.0


class TrialMailbox:
    """Shows what comes in from now on: out of the mailbox, or brought by a mail server on this machine."""

    def __init__(self, imap: Imap | None, lmtp: str, post: OwnMailbox) -> None:
        self._imap, self._lmtp, self.post = imap, lmtp, post
        self._box: BaseMailBox | None = None
        self._known: set[str] = set()
        self._brought: list[tuple[bytes, tuple[str, ...]]] = []
        self._listening: asyncio.Task[None] | None = None

    async def open(self) -> str:
        """Begin to watch; return a few words about it.

        Raises:
            BotError: there is nothing to watch, or a running bot takes the mails.
        """
        if self._imap is not None:
            await asyncio.to_thread(self._look_into_box, fetches=False)
            return f"{self._imap.host} opened {self._imap.folder} with {pluralise(len(self._known), 'e-mail')}"
        if not self._lmtp:
            raise BotError("The bot gets no replies: set STATIONMASTER_IMAP_HOST or STATIONMASTER_MAIL_LMTP.")
        host, _, port = self._lmtp.rpartition(":")
        is_path = self._lmtp.startswith("/") or not port.isdecimal()
        with suppress(OSError):
            _, line = await (
                asyncio.open_unix_connection(self._lmtp)
                if is_path
                else asyncio.open_connection(host or "127.0.0.1", int(port))
            )
            line.close()
            raise BotError(f"A running bot takes the e-mails at {self._lmtp}. Stop it during the trial.")
        self._listening = asyncio.create_task(listen_lmtp(self._lmtp, self.post, self._keep))
        return f"waiting for the mail server at {self._lmtp}"

    async def _keep(self, data: bytes, recipients: tuple[str, ...]) -> str:
        self._brought.append((data, recipients))
        return ""

    async def look(self) -> list[Mail]:
        """Return what came since the last look, as far as it can be read."""
        if self._imap is not None:
            try:
                await asyncio.to_thread(self._look_into_box, fetches=True)
            except Exception:  # noqa: BLE001  # whatever breaks the line: the next look opens another
                await self._hang_up()
        elif self._listening is not None and self._listening.done():
            self._listening.result()
        came, self._brought = self._brought, []
        found = list[Mail]()
        for data, recipients in came:
            with suppress(Exception):  # whatever a stranger's mail does to its reader
                found.append(await asyncio.to_thread(look_at, data, self.post, recipients))
        return found

    def _look_into_box(self, *, fetches: bool) -> None:
        """Note the mails that weren't there at the last look, and fetch them if wanted; they stay as they are."""
        assert self._imap is not None
        box = self._box = self._box or self._imap.open()
        box.client.noop()
        new = [uid for uid in box.uids(AND(all=True)) if uid not in self._known]
        for uid in new[:MAX_MAILS] if fetches else new:
            if fetches:
                _, found = box.client.uid("fetch", uid, f"(BODY.PEEK[]<0.{MAX_BYTES}>)")
                self._brought += [(bytes(part[1]), ()) for part in found if isinstance(part, tuple)]
            self._known.add(uid)

    async def _hang_up(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            with suppress(Exception):
                await asyncio.to_thread(box.logout)
            with suppress(Exception):  # it is shut already, if all went well
                box.client.shutdown()

    async def close(self) -> None:
        """End it."""
        await self._hang_up()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)


class MailTrial:
    """One trial with one person.

    Args:
        settings: as they are set. to: the person's address. report: is told each step as soon as it is done.
        times: how long it waits. lookup: asks the DNS. file: to which settings that were found are added.
    """

    def __init__(
        self,
        settings: Settings,
        to: str,
        report: Callable[[Finding], None],
        times: TrialTimes | None = None,
        lookup: Lookup = lookup_txt,
        file: Path | None = None,
    ) -> None:
        self.settings, self.report, self.lookup = settings, report, lookup
        self.times, self.file = times or TrialTimes(), file or Path(".env")
        self._to = to
        self._post: OwnMailbox
        self._incoming: TrialMailbox
        self._sent = (0, 0)  # the letter to the person and its turn
        self._answer: Mail
        self._domain, self._server = "", ""

    async def run_trial(self) -> bool:
        """Try everything and return whether all went well; a step that fails is the last."""
        steps = (
            ("mailbox", self._open),
            ("letter to itself", self._write_to_itself),
            ("letter to you", self._write_to_person),
            ("answer", self._await_answer),
            ("results of your server", self._read_results),
            ("signature", self._check_signature),
            ("trust", self._judge),
            ("settings", self._add_settings),
        )
        self._incoming = TrialMailbox(None, "", OwnMailbox("", b""))
        try:
            for what, step in steps:
                found = await run_check(what, step)
                self.report(found)
                if not found.well:
                    return False
            return True
        finally:
            await self._incoming.close()

    async def _open(self) -> str:
        settings = self.settings
        if not settings.mails:
            raise BotError("E-mail isn't set up: set STATIONMASTER_MAIL_ADDRESS and STATIONMASTER_SMTP_HOST first.")
        self._to = check_mailbox(self._to)
        self._domain = self._to.rpartition("@")[2]
        key = load_key(settings.mail_key.get_secret_value(), settings.home)
        self._post = OwnMailbox(check_mailbox(settings.mail_address), key, settings.mail_plus or SEPARATORS[0])
        self._incoming = TrialMailbox(mailing.make_imap(settings), settings.mail_lmtp, self._post)
        return await self._incoming.open()

    async def _write_to_itself(self) -> str:
        """Find out by what separator a mail to an address of a game comes into the mailbox."""
        page = Page("Stationmaster writes to itself", "A trial of this mailbox.", footer="Delete this e-mail.")
        for plus in dict.fromkeys((self._post.plus, *SEPARATORS)):
            self._post = self._incoming.post = msgspec.structs.replace(self._post, plus=plus)
            began, turn = time.monotonic(), secrets.randbelow(TURNS)
            token = ReplyToken(0, 0, 1, turn)
            address = self._post.make_reply_address(token)
            was_taken = await self._send(page, Contact(0, address, ""), turn)
            if was_taken and await self._await_mail(partial(_went_to, token), self.times.own):
                said = f"an e-mail to {address} came back after {time.monotonic() - began:.0f} s"
                return said if plus else f"{said}; there's no plus addressing, so bounces go unnoticed"
        raise BotError(
            f"No e-mail to itself came in within {self.times.own:.0f} seconds, neither to {self._post.address} nor to "
            f"{join_words([f'{self._post.local}{each}…' for each in SEPARATORS[:-1]], 'or')}. They may have gone into "
            "another folder, such as that for spam."
        )

    async def _send(self, page: Page, to: Contact, turn: int) -> bool:
        """Send a page as any letter is sent; return whether the server knows its receiver."""
        letter = FIRST_LETTER + secrets.randbelow(LETTERS)
        mail = make_mail(page, Envelope(self._post, to, 0, letter, turn=turn))
        self._sent = letter, turn
        sender, smtp = self._post.make_bounce_address(letter), mailing.make_smtp(self.settings)
        try:
            await smtp.deliver(mail, sender, to.address)
        except aiosmtplib.SMTPRecipientsRefused:
            return False
        except (aiosmtplib.SMTPException, OSError) as error:
            raise BotError(f"{smtp.host}:{smtp.port} didn't take an e-mail from {sender}: {error}") from error
        return True

    async def _write_to_person(self) -> str:
        page = Page(
            "Stationmaster: a trial of e-mail", "Please reply yes to this e-mail.",
            lines=(
                "Please reply yes to this e-mail, with the program in which you would play.",
                "It's a trial of the mailbox; your answer shows how players can be recognised.",
            ),
            footer="Nothing else happens.",
        )  # fmt: skip
        if not await self._send(page, Contact(0, self._to, ""), secrets.randbelow(TURNS)):
            raise BotError(f"{self.settings.smtp_host} refused the address {self._to}.")
        return f"sent to {self._to}; please reply to it within {self.times.person / 60:.0f} minutes"

    async def _await_answer(self) -> str:
        began, (letter, turn) = time.monotonic(), self._sent

        def is_about_letter(mail: Mail) -> bool:
            if mail.sorted.kind in ("bounce", "policy", "complaint"):
                return mail.sorted.letter == letter
            return mail.sorted.kind == "person" and mail.origin.token == ReplyToken(0, 0, 1, turn)

        came = await self._await_mail(is_about_letter, self.times.person)
        if came is None:
            raise BotError(
                f"No answer came within {self.times.person / 60:.0f} minutes. Look for the letter among spam: if it's "
                "there, set up SPF and DKIM for the bot's domain."
            )
        if came.sorted.kind != "person":
            raise BotError(f"The letter to {self._to} came back ({came.sorted.kind}): it couldn't be delivered.")
        if came.why:
            raise BotError(f"The answer can't be read: {came.why}")
        self._answer = came
        said = f"came from {came.origin.sender} after {time.monotonic() - began:.0f} s"
        if came.origin.sender == fold_address(self._to):
            return said
        self._domain = came.origin.sender.rpartition("@")[2]
        return f"{said}; a player has to reply from the address that the bot wrote to, or link the other one"

    async def _await_mail(self, is_wanted: Callable[[Mail], bool], seconds: float) -> Mail | None:
        """Return the first mail that is wanted; ``None`` if none comes in time."""
        until = time.monotonic() + seconds
        while True:
            found = next((mail for mail in await self._incoming.look() if is_wanted(mail)), None)
            if found is not None or time.monotonic() >= until:
                return found
            await asyncio.sleep(self.times.look)

    # --- what the answer shows -------------------------------------------------------

    async def _read_results(self) -> str:
        """Find out what the bot's own mail server calls itself, and what it found."""
        top = list_results(self._answer.message)
        if not top:
            return "it writes no Authentication-Results, so only signatures prove a sender"
        found = [each for field in top if field.server == top[0].server for each in field.found]
        told = join_words([each for each in map(_describe_result, found) if each]) or "no result"
        if top[0].server != UNNAMED and _SERVER.fullmatch(top[0].server) and is_own_server(self._answer.message):
            self._server = name_servers(top)
            return f"{top[0].server} found {told}"
        name = "an unnamed server" if top[0].server == UNNAMED else f"{top[0].server[:80]!r}"
        return f"{name} found {told}, but it may not be yours; set STATIONMASTER_MAIL_AUTHSERV yourself if it is"

    async def _check_signature(self) -> str:
        if await asyncio.to_thread(is_signed, self._answer.data, self._domain, self.lookup):
            return f"the answer has a valid signature (DKIM) of {self._domain}"
        return f"the answer has no valid signature (DKIM) of {self._domain}"

    async def _judge(self) -> str:
        """Say how replies like this one are proven.

        Raises:
            BotError: they aren't.
        """
        if self.settings.mail_trust == "code":
            return "the bot asks for a code with every reply (STATIONMASTER_MAIL_TRUST=code)"
        if await asyncio.to_thread(is_signed, self._answer.data, self._domain, self.lookup):
            return f"replies from {self._domain} are proven by their signature"
        if is_proven(self._answer.message, self._list_servers(), self._domain):
            return f"replies from {self._domain} are proven by the results of your server"
        raise BotError(
            f"Nothing proves replies from {self._domain}, so the bot will ask these players for a code or a yes. It "
            "needs a valid signature (DKIM) of that domain, or results of your server with dkim=pass or dmarc=pass."
        )

    def _list_servers(self) -> list[str]:
        named = [each.strip() for each in self.settings.mail_authserv.split(",")]
        return list(filter(None, dict.fromkeys((*named, self._server))))

    async def _add_settings(self) -> str:
        """Add what was found to the file of settings."""
        wanted = {"mail_plus": self._post.plus, "mail_authserv": ",".join(self._list_servers())}
        return add_to_file(self.settings, wanted, self.file)


def _went_to(token: ReplyToken, mail: Mail) -> bool:
    return mail.origin.token == token


def _describe_result(result: AuthResult) -> str:
    """Return a result as "dkim=pass for home.example"; "" for a method that proves no sender."""
    if result.method not in ("dkim", "dmarc", "spf"):
        return ""
    of = next(
        (result.of[each] for each in ("header.d", "header.i", "header.from", "smtp.mailfrom") if each in result.of), ""
    )
    return f"{result.method}={result.value[:20]}{f' for {of[:80]}' if of else ''}"


def is_own_server(message: Message) -> bool:
    """Return whether the topmost results are surely those of the server that took the mail in.

    They stand above every note of a server that it got the mail, or the note above them is of a server of that name's
    domain; else they may have come with the mail.
    """
    by = "" if message["Received"] else "?"
    for name, value in message.raw_items():
        if name.lower() == "received":
            named = _BY.search(str(value)[:2000])
            by = named[1].lower() if named else "?"
        elif name.lower() == "authentication-results":
            server = list_results(message)[0].server
            return not by or by == server or is_aligned(server, by)
    return False
