"""Reads what comes in: who wrote it, whether they may, what they order; and answers each person once.

Nothing is answered that a machine sent or a stranger guessed. What a person
orders is played in order, until something is refused or someone else must
act; the answer is owed in the database before the mail counts as read.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from email.message import Message
from hashlib import sha256

import msgspec
import structlog

from bot.mail.address import OwnMailbox, ReplyToken
from bot.mail.body import UnreadableError, parse_mail
from bot.mail.compose import list_sent_lines
from bot.mail.inbox import MIN_FAILING_SECONDS, Quarantine
from bot.mail.orders import read_orders
from bot.mail.origin import ReplyOrigin, Sorted, find_origin, is_proven, sort_mail, subject_of
from bot.mail.player import Player, Response
from bot.mail.reply import OUR_NAME, ReadReply, read_message
from bot.model.clock import DAY, HOUR
from bot.model.letters import Contact, Letter
from bot.model.posts import Notice, Owed
from bot.service.contacts import build_answer_key
from bot.service.services import Services
from bot.store.database import StoreError
from bot.store.outbox import StoredPost
from engine import Record
from engine.words import pluralise

MAX_MAILS_AN_HOUR = 20
MAX_REFUSALS = 5
MIN_TRIES = 3
"""How often reading a mail fails, within ``MIN_FAILING_SECONDS`` at least, before the mail is set aside."""
MAX_PROCESS_ENDS = 4
"""How often the process may end while a mail is read before the mail is set aside; a kill may be bad luck."""
MAX_COUNTED_MAILS = 1000
_REFUSAL_START = "✗ Nothing was done: "
_LAST_ANSWER = f"I couldn't read {MAX_REFUSALS} e-mails in a row, so I won't reply again until I can read one."
_CODE = re.compile(r"\bcode\W{0,3}(\d{6})\b", re.IGNORECASE)
_log = structlog.get_logger(__name__)


class Trust(Record, frozen=True):
    """Whose word proves a sender: the results of our own server, our own look, or a code that was sent to the address.

    Args:
        server: what our server calls itself in its results. by_code: trust no one's results.
        look: where no server has looked: tells whether the bytes of a mail come from a domain; may ask the DNS.
    """

    server: str = ""
    by_code: bool = False
    look: Callable[[bytes, str], bool] | None = None


class AnswerRoom(Record, frozen=True):
    """How many more answers an address gets.

    Args:
        answers: it got within the last hour. minutes: until it gets more, if these are too many.
        told: whether the last of them said so.
        in_vain: how many of the last ones in a row, up to ``MAX_REFUSALS``, were to mails of which nothing was read.
    """

    answers: int
    minutes: int
    was_refused: bool
    in_vain: int

    @property
    def is_full(self) -> bool:
        """Whether these are as many as an hour allows."""
        return self.answers >= MAX_MAILS_AN_HOUR


class Clerk:
    """Reads mails, one at a time.

    Args:
        services: the tables. post: our mailbox. trust: who proves senders.
    """

    def __init__(self, services: Services, post: OwnMailbox, trust: Trust) -> None:
        self.services = services
        self.post = post
        self.trust = trust
        self.player = Player(services)
        self.quarantine = Quarantine(services.folder)
        self._tries: dict[bytes, tuple[int, int]] = {}

    async def receive(self, data: bytes, recipients: tuple[str, ...] = ()) -> str:
        """Read a mail and do what it says; return a word for what became of it.

        The same mail again does nothing again. A mail that cannot be read, or that fails each time though the database
        is well, is set aside.

        Raises:
            StoreError, OSError: the database or the disk is down; the mail must come again. Exception: it failed, and
                must come again.
        """
        try:
            if (begun := await self.quarantine.begin(data)) > MAX_PROCESS_ENDS:
                return await self._set_aside(
                    data, RuntimeError(f"the process crashed {begun - 1} times while reading it")
                )
            return await self._read_mail(data, recipients)
        finally:
            await self.quarantine.end(data)

    async def _read_mail(self, data: bytes, recipients: tuple[str, ...]) -> str:
        """Sort a mail, and have done what its kind asks for."""
        try:
            message = parse_mail(data)
            found, came = sort_mail(message, self.post, recipients), find_origin(message, self.post, recipients)
        except UnreadableError as why:
            return await self._guard(data, self._refuse_unreadable(data, recipients, str(why)))
        except Exception as error:  # noqa: BLE001  # whatever a mail does to its reader, the next one is read
            return await self._set_aside(data, error)
        if found.kind != "person":
            return await self._guard(data, self._note_machine_mail(found))
        return await self._guard(data, self._answer_person(message, came, data))

    async def _guard(self, data: bytes, work: Awaitable[str]) -> str:
        """Wait for what is done with a mail; set it aside if that fails for a minute though the database is well."""
        try:
            return await work
        except (StoreError, OSError):
            raise
        except Exception as error:
            key = sha256(data).digest()
            if len(self._tries) >= MAX_COUNTED_MAILS:
                self._tries.clear()
            now = self.services.clock()
            tries, since = self._tries.get(key, (0, now))
            self._tries[key] = tries + 1, since
            if tries + 1 < MIN_TRIES or now - since < MIN_FAILING_SECONDS:
                raise
            return await self._set_aside(data, error)

    async def _set_aside(self, data: bytes, error: Exception) -> str:
        await self.quarantine.add(data, repr(error))
        return "quarantined"

    async def _answer_person(self, message: Message, came: ReplyOrigin, data: bytes) -> str:
        contact = await self._find_contact(came)
        if contact is None or came.token is None:
            return "stranger"
        if came.name and f"@{self.post.domain}>" in came.name and self.post.find_letters(came.name):
            return "loop"
        key = _answer_key(contact, came, data)
        if await self.services.posted.find_post(key) is not None:
            return "known"
        if _is_stop(subject_of(message)):
            return await self._owe_answer(contact, came.token, key, came.name, await self.player.unsubscribe(contact))
        if (room := await self._find_room(contact)).is_full:
            return await self._refuse_more(contact, came, key, room)
        letter = await self._find_letter(came, contact)
        reply = await self._read_reply(message, letter, data)
        said = " ".join(reply.lines)
        if not _is_stop(said) and not await self._is_trusted(message, contact, data):
            answer = await self._challenge(contact, said)
            if answer is not None:
                return await self._answer_unless_robot(contact, came, key, answer, room)
            read = tuple(each for each in reply.paragraphs if not _CODE.search(" ".join(each)))
            reply = msgspec.structs.replace(reply, paragraphs=read)
        choices = len(letter.offered.offers) if letter is not None and letter.offered is not None else 9
        orders = read_orders(reply, choices, asks_maximum=letter is not None and letter.letter.about == "bid")
        answer = await self.player.answer(contact, came.token.game, letter, orders, key)
        return await self._answer_unless_robot(contact, came, key, answer, room)

    async def _read_reply(self, message: Message, letter: StoredPost | None, data: bytes) -> ReadReply:
        try:
            names = (OUR_NAME, self.post.address, f"{self.post.local}{self.post.plus}")
            return read_message(message, list_sent_lines(letter.offered if letter else None), names)
        except UnreadableError as why:
            return ReadReply(why=str(why))
        except Exception as error:  # noqa: BLE001  # whatever a stranger's mail does, the next one is read
            await self._set_aside(data, error)
            return ReadReply(why="I couldn't read your e-mail. Send it as plain text.")

    async def _owe_answer(self, contact: Contact, token: ReplyToken, key: str, follows: str, answer: Response) -> str:
        """Owe the answer; the mail counts as read from then on."""
        letter = Letter(
            token.game, contact.user, "answer", text=answer.text, contact=contact.id,
            follows=follows if re.fullmatch(r"<[!-;=?-~]{1,250}>", follows) else "", picture=answer.picture,
            in_vain=not answer.understood,
        )  # fmt: skip
        await self.services.outbox.owe(Owed(key, letter, self.services.clock()))
        return "answered"

    async def _find_contact(self, came: ReplyOrigin) -> Contact | None:
        """Return the address of the writer if the token, its epoch and the sender belong together."""
        if came.token is None:
            return None
        contact = await self.services.contacts.get_contact(came.token.contact)
        if contact is None or contact.epoch != came.token.epoch or contact.address != came.sender:
            return None
        return contact

    async def _find_letter(self, came: ReplyOrigin, contact: Contact) -> StoredPost | None:
        """Return the letter that a reply answers, if it went to the same person and table."""
        stored = await self.services.posted.get_letter(came.letter) if came.letter else None
        if stored is None or came.token is None or stored.letter.user != contact.user:
            return None
        return stored if stored.letter.game == came.token.game else None

    async def _is_trusted(self, message: Message, contact: Contact, data: bytes) -> bool:
        """Return whether the sender is proven."""
        domain = contact.address.rpartition("@")[2]
        if self.trust.by_code:
            return False
        if self.trust.look is not None and not self.trust.server:
            return await asyncio.to_thread(self.trust.look, data, domain)
        return is_proven(message, self.trust.server, domain)

    async def _challenge(self, contact: Contact, said: str) -> Response | None:
        """Return the answer that asks for a code; ``None`` if the right one came."""
        given = _CODE.search(said)
        code = await self.services.contacts.challenge(contact.id, given[1] if given else "")
        if not code:
            return None
        text = (
            f"✗ Nothing was done yet: I couldn't verify that this e-mail came from you.\n"
            f"If you sent it, send it again and add this line: code {code}\nIf you didn't, do nothing."
        )
        return Response(text, understood=False)

    # --- machines --------------------------------------------------------------------

    async def _note_machine_mail(self, found: Sorted) -> str:
        """Note that an address fails, or that a person complains; answer nothing."""
        stored = await self.services.posted.get_letter(found.letter) if found.letter else None
        if found.kind == "policy":
            _log.error("an e-mail was refused by policy: check the domain's SPF, DKIM and DMARC", letter=found.letter)
        if stored is None or found.kind in ("machine", "late", "policy"):
            return found.kind
        of_letter = stored.letter.contact
        contacts = self.services.contacts
        contact = await (contacts.get_contact(of_letter) if of_letter else contacts.find_confirmed(stored.letter.user))
        if contact is None:
            return found.kind
        await contacts.set_state(contact.id, "stopped" if found.kind == "complaint" else "failing")
        if found.kind == "bounce" and stored.letter.game:
            table = await self.services.lobby.get_table(stored.letter.game)
            text = f"E-mail to {table.find_name(contact.user)} is bouncing. Please contact them another way."
            others = tuple(user for user in table.people if user != contact.user)
            notice = Notice(table.id, text, others)
            now = self.services.clock()
            await self.services.outbox.owe(Owed(f"{table.id}:failing:{contact.id}:{contact.epoch}", notice, now))
        return found.kind

    async def _refuse_unreadable(self, data: bytes, recipients: tuple[str, ...], why: str) -> str:
        """Answer a mail that is too large or too deep, if its head says who sent it."""
        try:
            head = parse_mail(data[:20_000].partition(b"\r\n\r\n")[0].partition(b"\n\n")[0] + b"\n\n")
            found, came = sort_mail(head, self.post, recipients), find_origin(head, self.post, recipients)
        except UnreadableError:
            return "unreadable"
        except Exception as error:  # noqa: BLE001  # as above
            return await self._set_aside(data, error)
        contact = await self._find_contact(came)
        if contact is None or came.token is None or found.kind != "person":
            return "unreadable"
        key = _answer_key(contact, came, data)
        if (room := await self._find_room(contact)).is_full:
            return await self._refuse_more(contact, came, key, room)
        return await self._answer_unless_robot(contact, came, key, Response(f"✗ {why}", understood=False), room)

    async def _find_room(self, contact: Contact) -> AnswerRoom:
        """Return how many more answers an address gets, by those in the database: the limit survives a restart."""
        head = build_answer_key(contact, "")
        given = await self.services.posted.list_letters(contact.user, head, DAY, MAX_MAILS_AN_HOUR)
        now = self.services.clock()
        in_vain = [each.letter.in_vain for each in given[:MAX_REFUSALS]]
        lately = [each.created for each in given if each.created > now - HOUR]
        ends = (
            lately[MAX_MAILS_AN_HOUR - 2] + HOUR if len(lately) >= MAX_MAILS_AN_HOUR else now
        )  # one of them will be the refusal
        told = bool(lately) and given[0].letter.text.startswith(_REFUSAL_START)
        vain = in_vain.index(False) if False in in_vain else len(in_vain)
        return AnswerRoom(len(lately), -(-(ends - now) // 60), told, vain)

    async def _answer_unless_robot(
        self, contact: Contact, came: ReplyOrigin, key: str, answer: Response, room: AnswerRoom
    ) -> str:
        """Answer a mail, unless it is one more in a row of which none could be read: a robot may write them."""
        if not answer.understood and room.in_vain >= MAX_REFUSALS:
            return "silent"
        if not answer.understood and room.in_vain == MAX_REFUSALS - 1:
            answer = msgspec.structs.replace(answer, text=f"{answer.text}\n{_LAST_ANSWER}")
        assert came.token is not None  # without it there is no contact
        return await self._owe_answer(contact, came.token, key, came.name, answer)

    async def _refuse_more(self, contact: Contact, came: ReplyOrigin, key: str, room: AnswerRoom) -> str:
        """Answer the first mail above the limit; nothing of it is done, nor of those that follow it too soon."""
        if room.was_refused:
            return "too many"
        why = (
            f"{_REFUSAL_START}the limit is {MAX_MAILS_AN_HOUR} e-mails an hour. Send this one again "
            f"in {pluralise(room.minutes, 'minute')}; until then I won't read others."
        )
        assert came.token is not None  # as above
        return await self._owe_answer(contact, came.token, key, came.name, Response(why, understood=False))


def _answer_key(contact: Contact, came: ReplyOrigin, data: bytes) -> str:
    """Return the key of the one answer to a mail."""
    return build_answer_key(contact, sha256(came.name.encode() or data).hexdigest()[:40])


def _is_stop(said: str) -> bool:
    """Return whether words only ask to be left alone, which needs no proof of who says it."""
    return bool(re.fullmatch(r"\W*stop\W*", said, re.IGNORECASE))
