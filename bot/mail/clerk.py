"""Reads what comes in: who wrote it, whether they may, what they order; and answers each person once.

Each mail comes to one fate, which the ledger keeps. Nothing is answered that a machine sent or a stranger guessed.
What a person orders is played in order, until something is refused or someone else must act; the answer is owed in the
database, with the mail's fate, before the mail counts as read. What is too much at once is read later.
"""

import asyncio
import re
from collections.abc import Callable
from hashlib import sha256

import msgspec
import structlog

from bot.mail.address import REFERENCE, OwnMailbox
from bot.mail.body import UnreadableError, find_attached_file
from bot.mail.commands import brings_file, only_tells
from bot.mail.compose import list_sent_lines
from bot.mail.ledger import CODE_SECONDS, MAX_MAILS_AN_HOUR, MAX_REFUSALS, MAX_UNPROVEN_AN_HOUR, Allowance, Ledger
from bot.mail.orders import MailOrders, read_orders
from bot.mail.origin import Mail, ReplyOrigin, look_at, subject_of
from bot.mail.player import Player, Response
from bot.mail.proof import is_proven
from bot.mail.quarantine import MIN_FAILING_SECONDS, Quarantine
from bot.mail.replays import MailReply, decode_pending, encode_pending, find_late_order
from bot.mail.reply import OUR_NAME, ReadReply, read_message
from bot.mail.trouble import restore, suspend
from bot.model.letters import Contact, Letter
from bot.model.posts import Owed
from bot.service.contacts import build_answer_key
from bot.service.press import Message
from bot.service.services import Services
from bot.store.database import StoreError
from bot.store.incoming import Fate, ProofCode, Received
from bot.store.outbox import StoredPost
from engine import Record
from engine.words import pluralise

MIN_TRIES = 3
"""How often reading a mail fails, within ``MIN_FAILING_SECONDS`` at least, before the mail is set aside."""
MAX_PROCESS_ENDS = 4
"""How often the process may end while a mail is read before the mail is set aside; a kill may be bad luck."""
MAX_COUNTED_MAILS = 1000
_LAST_ANSWER = f"I couldn't read {MAX_REFUSALS} e-mails in a row, so I won't reply again until I can read one."
_LAST_CODE = (
    f"That's the last time within the hour that I ask: I ignore further e-mails without proof until then. "
    f"If these {MAX_UNPROVEN_AN_HOUR} aren't yours, someone pretends to be you; nothing of theirs was played."
)
_CODE = re.compile(r"\bcode\W{0,3}(\d{6})\b\W*", re.IGNORECASE)
_log = structlog.get_logger(__name__)


class Trust(Record, frozen=True):
    """Whose word proves a sender: the results of our own servers, our own look, or a code that was sent to the address.

    Args:
        servers: what our servers call themselves in their results. by_code: trust nothing else.
        look: tells whether the bytes of a mail come from a domain by its signature; may ask the DNS.
    """

    servers: tuple[str, ...] = ()
    by_code: bool = False
    look: Callable[[bytes, str], bool] | None = None


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
        self.ledger = Ledger(services.database, services.clock)
        self._tries: dict[bytes, tuple[int, int]] = {}

    async def receive(self, data: bytes, recipients: tuple[str, ...] = (), size: int = 0) -> str:
        """Read a mail and do what it says; return a word for what became of it, "later" if it is to come again.

        ``size`` is that of a mail which is too large, so that only its head came. The same mail again does nothing
        again. A mail that cannot be read, or that fails each time though the database is well, is set aside.

        Raises:
            StoreError, OSError: the database or the disk is down; the mail must come again. Exception: it failed, and
                must come again.
        """
        try:
            if (begun := await self.quarantine.begin(data)) > MAX_PROCESS_ENDS:
                return await self.set_aside(data, f"the process crashed {begun - 1} times while reading it")
            return await self._read_mail(data, recipients, size)
        finally:
            await self.quarantine.end(data)

    async def set_aside(self, data: bytes, why: str) -> str:
        """Keep a mail that the reader failed at for the operator; its fate is noted."""
        await self.quarantine.add(data, why)
        await self.ledger.note(Received(_name_data(data), "quarantined", why))
        return "quarantined"

    async def _read_mail(self, data: bytes, recipients: tuple[str, ...], size: int) -> str:
        """Sort a mail, and have done what its kind asks for; nothing that takes long is done on the event loop."""
        try:
            mail = await asyncio.to_thread(look_at, data, self.post, recipients, size)
        except UnreadableError as why:
            return await self._ignore(_name_data(data), "unreadable", str(why))
        except Exception as error:  # noqa: BLE001  # whatever a mail does to its reader, the next one is read
            return await self.set_aside(data, repr(error))
        try:
            return await (self._answer_person(mail) if mail.sorted.kind == "person" else self._note_machine(mail))
        except (StoreError, OSError):
            raise
        except Exception as error:
            if not self._fails_each_time(data):
                raise
            return await self.set_aside(data, repr(error))

    def _fails_each_time(self, data: bytes) -> bool:
        """Return whether a mail failed for a minute though the database is well."""
        if len(self._tries) >= MAX_COUNTED_MAILS:
            self._tries.clear()
        key, now = sha256(data).digest(), self.services.clock()
        tries, since = self._tries.get(key, (0, now))
        self._tries[key] = tries + 1, since
        return tries + 1 >= MIN_TRIES and now - since >= MIN_FAILING_SECONDS

    async def _ignore(self, name: str, word: str, why: str, contact: int = 0, game: int = 0) -> str:
        await self.ledger.note(Received(name, "ignored", why, contact=contact, game=game))
        return word

    # --- people ----------------------------------------------------------------------

    async def _answer_person(self, mail: Mail) -> str:
        """Do what a person's mail says, if it went to an address that we signed for them."""
        came, contacts = mail.origin, self.services.contacts
        owner = await contacts.get_contact(came.token.contact) if came.token is not None else None
        if owner is None or came.token is None or not came.sender or came.token.epoch > owner.epoch:
            return await self._ignore(
                _name_data(mail.data), "stranger", "It isn't addressed to a player's own address."
            )
        if came.name and f"@{self.post.domain}>" in came.name and self.post.find_letters(came.name):
            return await self._ignore(_name_data(mail.data), "loop", "It's a letter of ours that came back.")
        known = owner if owner.address == came.sender else await contacts.find_contact(came.sender)
        is_linked = known is not None and known.user == owner.user and (known is owner or known.state == "confirmed")
        contact = known if known is not None and is_linked else owner
        key = build_answer_key(contact, sha256(came.name.encode() or mail.data).hexdigest()[:40])
        if await self.services.posted.find_post(key) is not None:
            return "known"
        seen = Received(key, "answered", content=mail.content, contact=contact.id, game=came.token.game)
        if await self.ledger.find_same(seen) is not None:
            return await self._ignore(key, "known", "It came before, with another Message-ID.", contact.id, seen.game)
        if is_linked and _is_stop(subject_of(mail.message)):
            return await self._owe_answer(mail, contact, seen, await self.player.unsubscribe(contact))
        is_certain = await asyncio.to_thread(self._prove, mail, came.sender.rpartition("@")[2])
        seen = msgspec.structs.replace(seen, proven=is_certain and is_linked)
        room = await self.ledger.find_room(contact.id, key)
        if seen.proven and room.minutes:
            return await self._read_later(mail, contact, seen, room)
        if not seen.proven and room.unproven >= MAX_UNPROVEN_AN_HOUR:
            return await self._ignore(
                key, "silent", "Too many e-mails without proof of their sender.", contact.id, seen.game
            )
        if not is_linked:
            return await self._answer_elsewhere(mail, contact, seen)
        if mail.why:
            return await self._answer_unless_robot(mail, contact, seen, Response(f"✗ {mail.why}", "asked back"), room)
        return await self._do_orders(mail, contact, seen, room)

    async def _do_orders(self, mail: Mail, contact: Contact, seen: Received, room: Allowance) -> str:
        """Do what a mail orders, once it is certain who wrote it."""
        token = mail.origin.token
        assert token is not None  # without it there is no contact
        letter = await self._find_letter(mail.origin, contact)
        read = await self._read_reply(mail, letter)
        said = " ".join(read.lines)
        if _is_stop(said):
            return await self._owe_answer(mail, contact, seen, await self.player.unsubscribe(contact))
        code = _CODE.search(said)
        offered = letter.offered if letter is not None else None
        choices = len(offered.offers) if offered is not None else 9
        asks_maximum = letter is not None and letter.letter.about == "bid"
        asks_consent = letter is not None and letter.letter.about in ("question", "invitation")
        orders = await asyncio.to_thread(
            read_orders,
            _drop_code(read),
            choices,
            asks_maximum=asks_maximum,
            asks_consent=asks_consent,
            offered=offered,
            players=await self.player.list_others(token.game, contact.user),
        )
        is_old = token.epoch != contact.epoch and token.contact == contact.id
        reply = MailReply(contact, token.game, -1 if is_old else token.turn, letter, orders, seen.name, read.lines)
        if any(map(brings_file, orders.orders)):
            attached = await asyncio.to_thread(find_attached_file, mail.message)
            reply = msgspec.structs.replace(reply, attached=attached)
        asks = _asks_for_proof(orders)
        is_held = asks and await self.services.contacts.is_confirming(contact.user)
        confirmed = await self._take_yes(reply, said)
        if isinstance(confirmed, Response):
            return await self._answer_unless_robot(mail, contact, seen, confirmed, room)
        if confirmed is not None:
            seen, reply, is_held = msgspec.structs.replace(seen, name=confirmed.key, proven=True), confirmed, False
        elif not seen.proven and not is_held and code is not None:
            seen = msgspec.structs.replace(seen, proven=await self._take_code(reply, code[1]))
        is_start = orders.orders[:1] == ("start",)
        if not seen.proven and not is_start and (is_old or contact.state == "stopped"):
            return await self._ignore(seen.name, "stranger", "An old address, without proof of the sender.", contact.id)
        if (is_held or (not seen.proven and asks)) and not await find_late_order(self.services, reply):
            answer = await self._challenge(reply, room, is_wrong=code is not None, is_held=is_held)
            return await self._owe_answer(mail, contact, seen, answer)
        if seen.proven and contact.state == "failing":
            reply = msgspec.structs.replace(reply, contact=await restore(self.services, contact, seen.name))
        answer = await self.player.answer(reply)
        if answer.offered:
            words = MailOrders(messages=(Message("all", answer.offered),))
            held = await asyncio.to_thread(encode_pending, reply, words)
            answer = msgspec.structs.replace(answer, pending=held)
        return await self._answer_unless_robot(mail, contact, seen, answer, room)

    async def _read_reply(self, mail: Mail, letter: StoredPost | None) -> ReadReply:
        try:
            names = (OUR_NAME, self.post.address, f"{self.post.local}{self.post.plus or '@'}")
            sent = list_sent_lines(letter.offered if letter else None)
            return await asyncio.to_thread(read_message, mail.message, sent, names)
        except UnreadableError as why:
            return ReadReply(why=str(why))
        except Exception as error:  # noqa: BLE001  # whatever a stranger's mail does, the next one is read
            await self.quarantine.add(mail.data, repr(error))
            return ReadReply(why="I couldn't read your e-mail. Send it as plain text.")

    async def _find_letter(self, came: ReplyOrigin, contact: Contact) -> StoredPost | None:
        """Return the letter that a reply answers, if it went to the same person and table."""
        stored = await self.services.posted.get_letter(came.letter) if came.letter else None
        if stored is None or came.token is None or stored.letter.user != contact.user:
            return None
        return stored if stored.letter.game == came.token.game else None

    async def _owe_answer(self, mail: Mail, contact: Contact, seen: Received, answer: Response, key: str = "") -> str:
        """Owe the answer; the mail counts as read from then on. ``key`` is that of a word besides the answer.

        A person who was forgotten gets none: their address is.
        """
        if await self.services.contacts.get_contact(contact.id) is None:
            await self.ledger.note(Received(_name_data(mail.data), answer.fate, "A person was forgotten."))
            return "answered"
        follows = mail.origin.name
        letter = Letter(
            answer.game or seen.game, contact.user, "answer", text=answer.text, contact=contact.id,
            follows=follows if re.fullmatch(r"<[!-;=?-~]{1,250}>", follows) else "", picture=answer.picture,
            file=answer.file, pending=answer.pending,
        )  # fmt: skip
        words = seen.words or answer.text.partition("\n")[0]
        noted = msgspec.structs.replace(seen, fate=answer.fate, words=words)
        await self.ledger.note(noted, Owed(key or seen.name, letter, self.services.clock()), *answer.owed)
        return "later" if answer.fate == "waits" else "answered"

    async def _answer_unless_robot(
        self, mail: Mail, contact: Contact, seen: Received, answer: Response, room: Allowance
    ) -> str:
        """Answer a mail, unless it is one more in a row of which none could be read: a robot may write them."""
        if answer.fate == "asked back" and room.in_vain >= MAX_REFUSALS:
            return await self._ignore(
                seen.name, "silent", "One more that can't be read, as announced.", contact.id, seen.game
            )
        if answer.fate == "asked back" and room.in_vain == MAX_REFUSALS - 1:
            answer = msgspec.structs.replace(answer, text=f"{answer.text}\n{_LAST_ANSWER}")
        return await self._owe_answer(mail, contact, seen, answer)

    async def _read_later(self, mail: Mail, contact: Contact, seen: Received, room: Allowance) -> str:
        """Leave a mail above the limit for later; the first of them is answered with when."""
        waits = msgspec.structs.replace(seen, fate="waits", words=f"Read in {pluralise(room.minutes, 'minute')}.")
        if room.was_told:
            await self.ledger.note(waits)
            return "later"
        text = (
            f"The limit is {MAX_MAILS_AN_HOUR} e-mails an hour. Nothing is lost: I'll read this one in about "
            f"{pluralise(room.minutes, 'minute')}, and any others after it. Don't send it again."
        )
        return await self._owe_answer(mail, contact, waits, Response(text, "waits"), f"{seen.name}:later")

    async def _answer_elsewhere(self, mail: Mail, owner: Contact, seen: Received) -> str:
        """Answer a reply from an address that isn't its player's at the address that is: it may be a stranger's."""
        sender = mail.origin.sender
        text = (
            f"✗ Nothing was done: a reply to this table came from {sender}, and I know you by this address only.\n"
            f"If that's yours too, link it: reply “link {sender}” to this e-mail."
        )
        return await self._owe_answer(mail, owner, seen, Response(text, "refused"))

    # --- proof -----------------------------------------------------------------------

    def _prove(self, mail: Mail, domain: str) -> bool:
        """Return whether a mail comes from a domain, by our servers' word or by its signature; takes its time."""
        if self.trust.by_code:
            return False
        if is_proven(mail.message, self.trust.servers, domain):
            return True
        return self.trust.look is not None and not mail.why and self.trust.look(mail.data, domain)

    async def _find_turn(self, game: int) -> int:
        table = await self.services.lobby.get_table(game)
        return table.turn_from if table.started is not None else 0

    async def _take_code(self, reply: MailReply, code: str) -> bool:
        turn = await self._find_turn(reply.game)
        return await self.ledger.take_code(ProofCode(reply.contact.id, reply.game, turn, code, 0, used=reply.key))

    async def _challenge(self, reply: MailReply, room: Allowance, *, is_wrong: bool, is_held: bool) -> Response:
        """Return the answer that asks for a code, or a yes to this very answer; for that alone if it ``is_held``."""
        turn = await self._find_turn(reply.game)
        code = "" if is_held else await self.ledger.make_code(reply.contact.id, reply.game, turn)
        said = (f"to {each.to}: {each.text}" for each in reply.orders.messages)
        orders = ", ".join((*reply.orders.orders, *said))[:200]
        why = "that code is wrong" if is_wrong else "nothing proves that this e-mail came from you"
        why = "you confirm each of your e-mails" if is_held else why
        how = f", or send yours again with this line added: code {code}" if code else "."
        lines = [
            f"✗ Nothing was done yet: {why}. Its orders: {orders}.",
            f"If you sent it, reply yes to this e-mail{how}",
            "If you didn't, do nothing.",
        ]
        lines += [_LAST_CODE] * (room.unproven == MAX_UNPROVEN_AN_HOUR - 1)
        held = await asyncio.to_thread(encode_pending, reply, reply.orders)  # it packs a file
        return Response("\n".join(lines), "asked back", pending=held)

    async def _take_yes(self, reply: MailReply, said: str) -> MailReply | Response | None:
        """Return the reply that a yes confirms, once and within a week; ``None`` if it confirms none.

        A yes answers a letter by its name, which is known only in that person's mailbox.
        """
        letter = reply.letter
        if letter is None or not letter.letter.pending or not re.fullmatch(r"\W*yes\W*", said, re.IGNORECASE):
            return None
        key = build_answer_key(reply.contact, f"yes-{letter.number}")
        if await self.services.posted.find_post(key) is not None:
            return None
        if self.services.clock() - letter.sent > CODE_SECONDS:
            return Response("✗ Nothing was done: the e-mail you confirm is more than a week old.", "refused")
        pending = decode_pending(letter.letter.pending)
        answered = await self.services.posted.get_letter(pending.letter) if pending.letter else None
        if (held := await self.ledger.find(pending.mail)) is not None:  # it was theirs
            await self.ledger.note(msgspec.structs.replace(held, proven=True))
        return msgspec.structs.replace(
            reply, turn=pending.turn, letter=answered, orders=pending.orders, key=key, attached=pending.file
        )

    # --- machines --------------------------------------------------------------------

    async def _note_machine(self, mail: Mail) -> str:
        """Note that an address fails, or that a person complains; answer nothing.

        Only what comes to the sender's address of one of our letters counts: no one else knows that address.
        """
        kind, letter = mail.sorted.kind, mail.sorted.letter
        name = _name_data(mail.data)
        if kind == "machine":
            return await self._ignore(name, kind, "A machine wrote it.")
        if kind == "policy":
            _log.error("an e-mail was refused by policy: check the domain's SPF, DKIM and DMARC", letter=letter)
        stored = await self.services.posted.get_letter(letter) if letter else None
        if stored is None:
            _log.warning("a report about an e-mail went to the wrong address, so it doesn't count", kind=kind)
            return await self._ignore(name, kind, f"A report ({kind}) that didn't come to the address it belongs to.")
        of_letter, contacts = stored.letter.contact, self.services.contacts
        contact = await (contacts.get_contact(of_letter) if of_letter else contacts.find_confirmed(stored.letter.user))
        if contact is not None and kind == "complaint":
            await contacts.set_state(contact.id, "stopped")
        if contact is not None and kind == "bounce":
            await suspend(self.services, contact, letter)
        fate: Fate = "noted"
        about = 0 if contact is None else contact.id
        words = f"A report ({kind}) about letter {letter}."
        await self.ledger.note(Received(name, fate, words, contact=about, game=stored.letter.game))
        return kind


def _name_data(data: bytes) -> str:
    return f"data:{sha256(data).hexdigest()[:40]}"


def _is_stop(said: str) -> bool:
    """Return whether words only ask to be left alone, which needs no proof of who says it."""
    return bool(re.fullmatch(r"\W*stop\W*", REFERENCE.sub("", said), re.IGNORECASE))


def _drop_code(read: ReadReply) -> ReadReply:
    """Return a reply without the code in it."""
    kept = [[line for each in lines if (line := _CODE.sub("", each).strip())] for lines in read.paragraphs]
    return msgspec.structs.replace(read, paragraphs=tuple(tuple(lines) for lines in kept if lines))


def _asks_for_proof(orders: MailOrders) -> bool:
    """Return whether something is ordered that not anyone may order."""
    return not orders.why and (bool(orders.messages) or not all(only_tells(each) for each in orders.orders))
