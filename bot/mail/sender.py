"""Sends the letters owed, each once: a letter that fails goes out later, one that no one wants is dropped.

Between the server's word that it has a mail and our note of it lies a moment;
a process that dies in it sends that letter once more, under the same Message-ID, by
which mailboxes know that they have it.
"""

import re
from collections.abc import Awaitable, Callable
from email.message import EmailMessage

import aiosmtplib
import structlog

from bot.mail.address import OwnMailbox
from bot.mail.compose import Composed, Composer
from bot.mail.page import Envelope, make_mail
from bot.mail.trouble import suspend, tell_of_delay
from bot.model.clock import DAY, HOUR
from bot.model.errors import BotError
from bot.model.letters import Contact, Letter, build_letter_key
from bot.model.posts import PING_DELAY_SECONDS, Owed, build_turn_key
from bot.service.sending import Sender
from bot.service.services import Services
from bot.store.database import StoreError
from bot.store.outbox import LETTERS, Place, StoredPost
from engine import Record

RETRY_SECONDS_MAX = 3600
MAX_DOUBLINGS = 12
DELIVERY_SECONDS_MAX = 90.0
MAX_RETRY_SECONDS = 5 * DAY
"""For which a letter is tried again that the server does not take."""
SAID_SECONDS = HOUR
"""After which the table hears that the mail of a turn has not gone out."""
MIN_REMINDER_SECONDS = HOUR // 2
"""Seconds after the letter of a turn in which no reminder of it goes out."""
_URGENT = ("answer", "code", "invitation", "end")
_log = structlog.get_logger(__name__)

Deliver = Callable[[EmailMessage, str, str], Awaitable[None]]
"""Hands a mail to the server: the mail, the envelope's sender, the recipient."""


class MailLimits(Record, frozen=True):
    """The most letters a day: to one person besides answers to their own mails, and in all.

    Answers, and the end of a game, are never held back.
    """

    person: int = 40
    day: int = 300


class LetterSender(Sender):
    """Sends letters, and judges what servers refuse.

    Args:
        services: the letters. composer: what they say. post: our mailbox. deliver: hands them over.
    """

    head = LETTERS
    most_seconds = DELIVERY_SECONDS_MAX

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

    async def send(self, stored: StoredPost) -> Place | None:
        """Write a letter and hand it over; ``None`` if no one wants it any more."""
        contact = await self._find_address(stored.letter)
        if stored.letter.about == "reminder" and await self._was_asked_just_now(stored.letter):
            return None
        composed = await self.composer.compose(stored) if contact is not None else None
        if contact is None or composed is None:
            return None
        await self._note_choices(stored, composed)
        envelope = Envelope(self.post, contact, stored.game, stored.number, stored.letter.follows, composed.turn)
        version = composed.offered.version if composed.offered is not None else None
        mail = make_mail(composed.page, envelope, composed.picture, version, composed.file)
        await self.deliver(mail, self.post.make_bounce_address(stored.number), contact.address)
        return "", contact.address

    async def _was_asked_just_now(self, letter: Letter) -> bool:
        """Return whether the letter of the turn itself went out late, so that a reminder would follow it at once."""
        turn = await self.services.posted.find_post(
            build_letter_key(build_turn_key(letter.game, letter.turn_from), letter.user)
        )
        return turn is not None and turn.sent > self.services.clock() - MIN_REMINDER_SECONDS

    async def _note_choices(self, stored: StoredPost, composed: Composed) -> None:
        """Note what the choices mean before they go out, those of other tables with the letters of their turns."""
        posted = self.services.posted
        if composed.offered is not None:
            await posted.note_offer(stored, composed.offered)
        for key, offered in composed.others:
            turn = await posted.find_post(key)
            if turn is not None:
                await posted.note_offer(turn, offered)

    async def _find_address(self, letter: Letter) -> Contact | None:
        """Return the address that a letter goes to, if it takes letters of this kind."""
        if letter.contact:
            known = await self.services.contacts.get_contact(letter.contact)
            if known is None or (known.user != letter.user and letter.about != "code"):
                return None
            return known if known.state != "stopped" or letter.about == "answer" else None
        return await self.services.contacts.find_confirmed(letter.user)

    async def put_off(self, stored: StoredPost) -> int:
        """Return the moment until which a letter waits, 0 if it goes out now: who sleeps is not called."""
        letter, now = stored.letter, self.services.clock()
        if letter.about in _URGENT:
            return 0
        if asleep := await self.services.people.find_asleep([letter.user]):
            return asleep[letter.user]
        if letter.about == "turn":
            table = await self.services.lobby.get_table(letter.game)
            early = stored.created + (PING_DELAY_SECONDS if table.home.thread else 0)
            if early > now:  # who plays in the chat just now needs no mail
                return early
        return now + HOUR if await self._hold_back(stored) else 0

    async def _hold_back(self, stored: StoredPost) -> bool:
        """Return whether a letter is one too many today; its person, its table and the operator hear of it."""
        letter, posted, day = stored.letter, self.services.posted, self.services.clock() // DAY
        is_of_person = await posted.count_letters(DAY, letter.user) >= self.limits.person
        if not is_of_person and await posted.count_letters(DAY) < self.limits.day:
            return False
        limit = self.limits.person if is_of_person else self.limits.day
        _log.error("e-mails wait: the limit of a day is reached", limit=limit, letter=stored.number)
        whose = "you" if is_of_person else "all players together"
        text = (
            f"The limit is {limit} e-mails a day for {whose}, and it's reached. The next ones come later, within a "
            "day; nothing is lost. To get fewer, reply remind digest:18: one e-mail a day."
        )
        if is_of_person:
            word = Letter(letter.game, letter.user, "answer", text=text)
            await self.services.outbox.owe(Owed(f"limit:{letter.user}:{day}", word, self.services.clock()))
        if letter.game and letter.about in ("turn", "reminder", "bid"):
            await tell_of_delay(self.services, letter, f"the limit of {limit} e-mails a day is reached.")
        return True

    async def fail(self, stored: StoredPost, error: Exception) -> bool:
        """Let a letter wait, longer each time; in the end, or where the address is no good, it is dropped."""
        is_unwanted = isinstance(error, BotError) and not isinstance(error, StoreError)
        said, is_over = repr(error), is_unwanted or self.services.clock() >= stored.created + MAX_RETRY_SECONDS
        refused = error.recipients[0] if isinstance(error, aiosmtplib.SMTPRecipientsRefused) else error
        if isinstance(refused, aiosmtplib.SMTPResponseException):
            said = f"{refused.code} {refused.message}"
            # or the mailbox is full, or the server didn't understand
            is_policy = re.search(r" 5\.(?:7\.\d|2\.[12])\b|^552 |^50\d ", said)
            if isinstance(refused, aiosmtplib.SMTPRecipientRefused) and 500 <= refused.code < 600 and not is_policy:
                is_over = True
                contact = await self._find_address(stored.letter)
                if contact is not None:
                    await suspend(self.services, contact, stored.number)
        tell = _log.error if is_over else _log.warning
        tell("e-mail not sent", letter=stored.number, attempts=stored.attempts + 1, error=said[:300])
        is_late = stored.letter.game and self.services.clock() >= stored.created + SAID_SECONDS
        if is_late and stored.letter.about in ("turn", "reminder", "bid"):
            await tell_of_delay(self.services, stored.letter, "the mail server doesn't take it. I keep trying.")
        wait = min(RETRY_SECONDS_MAX, 5 * 2 ** min(stored.attempts, MAX_DOUBLINGS))
        again = None if is_over else self.services.clock() + wait
        await self.services.outbox.note_failed(stored, said, again)
        return False
