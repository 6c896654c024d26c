"""Sends the letters owed, each once: a letter that fails goes out later, one that nobody wants is dropped.

Between the server's word that it has a mail and our note of it lies a moment;
whoever dies in it sends that letter once more, under the same Message-ID, by
which mailboxes know that they have it.
"""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable
from email.message import EmailMessage

import aiosmtplib
import structlog

from bot.mail.address import OwnMailbox
from bot.mail.compose import Composed, Composer
from bot.mail.page import Envelope, mail_of
from bot.model.clock import DAY, HOUR
from bot.model.errors import BotError
from bot.model.letters import Contact, Letter, StoredLetter, letter_key
from bot.model.posts import PING_DELAY, REMIND_AFTER, turn_key
from bot.model.records import Table
from bot.service.services import Services
from bot.store.leases import seconds_run
from engine import Record

RETRY_SECONDS_MAX = 3600
REST = 20.0
DUTY = "letters"
DUTY_SECONDS = 180
ROUND_SECONDS_MAX = 60
"""Seconds of a round after which no further letter is begun: the last one must be out while the duty is still ours."""
DELIVERY_SECONDS_MAX = 90
MAX_ATTEMPTS = 12
_URGENT = ("answer", "code", "invitation", "end")
_log = structlog.get_logger(__name__)

Deliver = Callable[[EmailMessage, str, str], Awaitable[None]]
"""Hands a mail to the server: the mail, the envelope's sender, the recipient."""


class MailLimits(Record, frozen=True):
    """The most letters a day: to one person, and in all; answers, and the end of a game, are never held back."""

    person: int = 40
    day: int = 300


class Sender:
    """The loop that sends letters.

    Args:
        services: the letters. composer: what they say. post: our mailbox. deliver: hands them over.
    """

    def __init__(
        self,
        services: Services,
        composer: Composer,
        post: OwnMailbox,
        deliver: Deliver,
        limits: MailLimits | None = None,
    ) -> None:
        self.services = services
        self.composer = composer
        self.post = post
        self.deliver = deliver
        self.limits = limits or MailLimits()

    async def run(self) -> None:
        """Send until cancelled."""
        wake, own = self.services.database.wake, asyncio.current_task()
        while True:
            wake.clear()
            wait = REST
            try:
                if await self.services.duties.take(DUTY, DUTY_SECONDS):
                    try:
                        wait = await self.round()
                    finally:
                        await self.services.duties.give_back(DUTY)
            except Exception as error:  # noqa: BLE001  # the next round
                _log.error("letters", exc_info=error)
            if own is not None and own.cancelling():  # whoever hands mails over swallowed it
                raise asyncio.CancelledError
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await wake.wait()

    async def round(self) -> float:
        """Send what is due; return the seconds until more may be."""
        due, later = await self.services.contacts.hand_out()
        begun = seconds_run()
        for stored in due:
            if seconds_run() - begun > ROUND_SECONDS_MAX:
                break
            await self._send(stored)
        if due:
            return 0.01
        return REST if later is None else min(REST, max(0.05, later - self.services.clock()))

    async def _send(self, stored: StoredLetter) -> None:
        """Send a letter, put it off, or drop it."""
        contacts = self.services.contacts
        contact = await self._to(stored)
        if contact is None:
            await contacts.dropped(stored.id, "no address")
            return
        until = await self._put_off_until(stored)
        if until:
            await contacts.put_off(stored, until)
            return
        try:
            composed = await self.composer.compose(stored)
            if composed is None:
                await contacts.dropped(stored.id, "no longer wanted")
                return
            await self._note_choices(stored, composed)
            envelope = Envelope(self.post, contact, stored.letter.game, stored.id, stored.letter.follows)
            version = composed.offered.version if composed.offered is not None else None
            mail = mail_of(composed.page, envelope, composed.picture, version)
            async with asyncio.timeout(DELIVERY_SECONDS_MAX):
                await self.deliver(mail, self.post.bounces_to(stored.id), contact.address)
        except BotError as gone:
            await contacts.dropped(stored.id, gone.sentence)
        except aiosmtplib.SMTPRecipientsRefused as refused:
            await self._refused(stored, contact, refused.recipients[0])
        except aiosmtplib.SMTPResponseException as refused:
            await self._refused(stored, contact, refused)
        except Exception as error:  # noqa: BLE001  # the line, most likely; the letter waits
            await self._failed(stored, repr(error))
        else:
            await contacts.sent(stored.id)

    async def _note_choices(self, stored: StoredLetter, composed: Composed) -> None:
        """Note what the choices mean before they go out, those of other tables with the letters of their turns."""
        contacts = self.services.contacts
        if composed.offered is not None:
            await contacts.offers(stored.id, composed.offered)
        for key, offered in composed.others:
            turn = await contacts.found(key)
            if turn is not None:
                await contacts.offers(turn.id, offered)

    async def _to(self, stored: StoredLetter) -> Contact | None:
        """Return the address that a letter goes to, if it takes letters of this kind."""
        letter = stored.letter
        if letter.contact:
            known = await self.services.contacts.get(letter.contact)
            if known is None or (known.user != letter.user and letter.about != "code"):
                return None
            return known if known.state != "stopped" or letter.about == "answer" else None
        return await self.services.contacts.of_user(letter.user)

    async def _put_off_until(self, stored: StoredLetter) -> int:
        """Return the moment until which a letter waits, 0 if it goes out now: who sleeps is not called."""
        letter, now = stored.letter, self.services.clock()
        if letter.about in _URGENT:
            return 0
        if letter.about in ("turn", "reminder"):
            calls = (await self.services.preferences.calls(letter.user))[letter.user]
            if letter.about == "reminder" and not (calls.reminders and letter.number <= calls.most):
                return now + 365 * DAY  # dropped when the turn has passed
            if calls.digest >= 0 and letter.about == "turn":
                return now + 365 * DAY  # the digest tells
            asleep = await self.services.preferences.asleep([letter.user])
            if asleep:
                return asleep[letter.user]
            table = await self.services.lobby.info(letter.game)
            early = stored.created + max(60 * calls.delay, PING_DELAY if table.home.thread else 0)
            if letter.about == "turn" and early > now:  # who plays in the chat just now needs no mail
                return early
            if letter.about == "reminder" and (due := await self._due_after_call(letter, table)) > now:
                return due
        if await self.services.contacts.count(DAY, letter.user) >= self.limits.person:
            return now + HOUR
        return now + HOUR if await self.services.contacts.count(DAY) >= self.limits.day else 0

    async def _due_after_call(self, letter: Letter, table: Table) -> int:
        """Return when the first reminder of a turn is due whose own mail went out late; 0 if it did not."""
        call = await self.services.contacts.found(letter_key(turn_key(letter.game, letter.turn_from), letter.user))
        wait = REMIND_AFTER[table.pace]
        if letter.number > 1 or call is None or self.services.clock() >= call.sent + wait // 2:
            return 0
        return call.sent + wait

    async def _refused(self, stored: StoredLetter, contact: Contact, refused: aiosmtplib.SMTPResponseException) -> None:
        """Note what the server said: later, or never at this address."""
        said = f"{refused.code} {refused.message}"
        is_over = 500 <= refused.code < 600 and not re.search(r" 5\.(?:7\.\d|2\.[12])\b|^552 ", said)  # policy, full
        if is_over and isinstance(refused, aiosmtplib.SMTPRecipientRefused):
            await self.services.contacts.settle(contact.id, "failing")
            await self.services.contacts.dropped(stored.id, said)
            _log.warning("address refused", letter=stored.id, said=said[:200])
            return
        await self._failed(stored, said)

    async def _failed(self, stored: StoredLetter, error: str) -> None:
        """Let a letter wait, longer each time; in the end it is dropped."""
        tell = _log.error if stored.attempts + 1 >= MAX_ATTEMPTS else _log.warning
        tell("letter not sent", letter=stored.id, attempts=stored.attempts + 1, error=error[:300])
        if stored.attempts + 1 >= MAX_ATTEMPTS:
            await self.services.contacts.dropped(stored.id, error)
            return
        wait = min(RETRY_SECONDS_MAX, 5 * 2**stored.attempts)
        await self.services.contacts.put_off(stored, self.services.clock() + wait, error)
