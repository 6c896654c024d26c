"""The addresses of people: linked by a code, invited and confirmed, stopped."""

import hmac
import secrets

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.clock import DAY, MINUTE, Clock
from bot.model.errors import BotError
from bot.model.letters import Contact, ContactState, Letter
from bot.model.plain import tidy_name, tidy_person
from bot.model.posts import Owed
from bot.store import leases, outbox, people, posted
from bot.store.database import Database
from engine import Record

CODE_SECONDS = 10 * MINUTE
MAX_CODE_TRIES = 5
MAX_INVITED_PER_DAY = 10
MAX_ADDRESS_CHARACTERS = 200
INVITE_AGAIN_SECONDS = 7 * DAY
MAX_NAME_CHARACTERS = 32


class Linked(Record, frozen=True):
    """An address that is a player's now, and whose it was before: the same person's, or that of one known by it."""

    address: str
    before: str


class Contacts:
    """Addresses at which people are written to; ``served`` while some front sends letters."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.database = database
        self.clock = clock
        self.served = False

    async def find_confirmed(self, user: str) -> Contact | None:
        """Return the address at which a person is written to, ``None`` if there is none."""
        async with self.database.reading() as session:
            known = await people.list_contacts(session, user)
        return next((each for each in known if each.state == "confirmed"), None)

    async def get_contact(self, number: int) -> Contact | None:
        """Return an address by its number."""
        async with self.database.reading() as session:
            return await people.fetch_contact(session, number)

    async def find_contact(self, address: str) -> Contact | None:
        """Return an address by its letters."""
        async with self.database.reading() as session:
            return await people.find_contact(session, fold_address(address))

    async def find_or_add(self, address: str, name: str = "") -> Contact:
        """Return an address with its person; one that was not known gets a new person, and is not asked anything yet.

        Raises:
            BotError: it is no address.
        """
        address = check_mailbox(address)
        async with self.database.writing(wakes=False) as session:
            found = await people.find_contact(session, address)
            fresh = Contact(0, address, "", _shorten_name(name or address.partition("@")[0]))
            return found if found is not None else await people.add_contact(session, fresh)

    async def is_asked(self, user: str) -> bool:
        """Return whether a person was asked and has not said yes yet, at any address."""
        async with self.database.reading() as session:
            found = await people.list_contacts(session, user)
        return bool(found) and all(each.state == "asked" for each in found)

    # --- linking and inviting --------------------------------------------------------

    async def link(self, user: str, name: str, address: str) -> None:
        """Send a code to an address that a player says is theirs; ``confirm`` takes it.

        If it is another player's, that one is told, and the writer learns nothing of it.

        Raises:
            BotError: it is no address, or too many were asked today.
        """
        address, now = check_mailbox(address), self.clock()
        async with self.database.writing() as session:
            known = await people.find_contact(session, address)
            await self._refuse_too_many(session, now)
            if known is not None and known.user not in (user, build_person_id(known)):
                await self._warn_owner(session, known, name)
                return
            code = f"{secrets.randbelow(1_000_000):06}"
            fresh = known or Contact(
                0, address, user, _shorten_name(name)
            )  # who is known by it alone stays so until then
            fresh = msgspec.structs.replace(fresh, code=code, tries=0, until=now + CODE_SECONDS, asked=now)
            if known is None:
                fresh = await people.add_contact(session, fresh)
            else:
                await people.change_contact(session, fresh)
            text = (
                f"Your code is {code}. Type /me mail code:{code} within ten minutes. If you didn't ask for it, "
                "ignore this message."
            )
            letter = Letter(0, user, "code", text=text, contact=fresh.id)
            await outbox.owe(session, [Owed(f"code:{fresh.id}:{now}:{code}", letter, now)], now)

    async def link_by_letter(self, known: Contact, address: str, game: int) -> str:
        """Ask an address whether it belongs to the person of another one; return it. A yes by letter links it.

        If it is another player's, that one is told, and the writer learns nothing of it.

        Raises:
            BotError: it is no address, it is linked already, or too many were asked today.
        """
        address, now = check_mailbox(address), self.clock()
        async with self.database.writing() as session:
            found = await people.find_contact(session, address)
            if found is not None and found.user == known.user and found.state == "confirmed":
                raise BotError("That address is linked already.")
            await self._refuse_too_many(session, now)
            if found is not None and (found.user != known.user or found.state == "stopped"):
                await self._warn_owner(session, found, known.name)
                return address
            fresh = found or await people.add_contact(session, Contact(0, address, known.user, known.name))
            await people.change_contact(session, msgspec.structs.replace(fresh, asked=now))
            text = (
                f"{known.name} wants to play from this address. If that's you, reply yes: e-mail about your turns then "
                "comes here. If it isn't, do nothing."
            )
            letter = Letter(game, known.user, "answer", text=text, contact=fresh.id)
            await outbox.owe(session, [Owed(f"link:{fresh.id}:{now}", letter, now)], now)
        return address

    async def _warn_owner(self, session: AsyncSession, owner: Contact, name: str) -> None:
        """Tell the owner of an address, once a day, that another player asked to play from it."""
        now = self.clock()
        if owner.state == "stopped" or now - owner.asked < DAY:
            return
        await people.change_contact(session, msgspec.structs.replace(owner, asked=now))
        text = f"{tidy_name(name, 'A player')} asked to play from your address. It stays yours; nothing was changed."
        letter = Letter(0, owner.user, "notice", text=text, contact=owner.id)
        await outbox.owe(session, [Owed(f"claimed:{owner.id}:{now}", letter, now)], now)

    async def confirm(self, user: str, code: str) -> Linked:
        """Take the code that came to an address; return the address, and whose it was.

        Raises:
            BotError: it is wrong or too late, or was tried too often.
        """
        now, taken = self.clock(), None
        async with self.database.writing() as session:
            asked = await self._find_asked(session, user, now)
            if asked is not None:
                is_open = asked.tries < MAX_CODE_TRIES
                if is_open and hmac.compare_digest(asked.code.encode(), code.strip().encode()):
                    done = msgspec.structs.replace(asked, user=user, code="", state="confirmed", epoch=asked.epoch + 1)
                    await people.change_contact(session, done)
                    taken = Linked(asked.address, asked.user)
                elif is_open:
                    await people.change_contact(session, msgspec.structs.replace(asked, tries=asked.tries + 1))
        if taken is None:  # for whatever reason: it would tell whether the address is another player's
            raise BotError(
                f"That code is wrong or too old. After {MAX_CODE_TRIES} wrong ones, or ten minutes, ask for a new one "
                "with /me mail address."
            )
        return taken

    async def _find_asked(self, session: AsyncSession, user: str, now: int) -> Contact | None:
        """Return the address to which the last code went that a person asked for, while it is good."""
        codes = await posted.list_answers(session, user, "code:", now - CODE_SECONDS - 1, 1)
        known = await people.fetch_contact(session, codes[0].letter.contact) if codes else None
        return known if known is not None and known.code and known.until >= now else None

    async def introduce(self, session: AsyncSession, game: int, contact: Contact) -> None:
        """Ask the person of an address, known or not, whether they want a seat; whoever asks learns no more than that.

        Someone who has unsubscribed gets no letter, a stranger one a week, a player one a week about each table.

        Raises:
            BotError: ten addresses were asked today.
        """
        now, known = self.clock(), await people.fetch_contact(session, contact.id) or contact
        await self._refuse_too_many(session, now)
        if known.state == "asked" and now - known.asked < INVITE_AGAIN_SECONDS:
            return
        await people.change_contact(session, msgspec.structs.replace(known, asked=now))
        if known.state != "stopped":
            when = now if known.state == "asked" else now // INVITE_AGAIN_SECONDS
            letter = Letter(game, known.user, "invitation", contact=known.id)
            await outbox.owe(session, [Owed(f"{game}:invitation:{known.id}:{when}", letter, now)], now)

    async def invite(self, session: AsyncSession, game: int, contact: Contact) -> None:
        """Ask the person of an address whether they sit down at a table, for the operator, who learns why not.

        Raises:
            BotError: the address wants no letters, it was asked in the last week, or ten were today.
        """
        now, known = self.clock(), await people.fetch_contact(session, contact.id)
        if known is None or known.state == "stopped":
            raise BotError(f"{contact.address} has unsubscribed.")
        if known.state == "asked" and known.asked and now - known.asked < INVITE_AGAIN_SECONDS:
            raise BotError(f"{known.address} was invited less than a week ago; try again later.")
        await self._refuse_too_many(session, now)
        await people.change_contact(session, msgspec.structs.replace(known, asked=now))
        letter = Letter(game, known.user, "invitation", contact=known.id)
        await outbox.owe(session, [Owed(f"{game}:invitation:{known.id}:{now}", letter, now)], now)

    async def _refuse_too_many(self, session: AsyncSession, now: int) -> None:
        """Refuse to ask too many addresses a day: they are strangers' mailboxes.

        Raises:
            BotError: ten were asked within a day.
        """
        if await people.count_contacts_asked(session, now - DAY) >= MAX_INVITED_PER_DAY:
            raise BotError(
                f"The bot wrote to {MAX_INVITED_PER_DAY} new addresses today, which is the limit; try again tomorrow."
            )

    async def set_confirming(self, user: str, *, on: bool) -> None:
        """Note that a person confirms each mail of theirs by answering a letter, or does so no longer."""
        async with self.database.writing(wakes=False) as session:
            await leases.write_note(session, leases.name_confirming(user), "each" if on else "")

    async def is_confirming(self, user: str) -> bool:
        """Return whether a person confirms each mail of theirs by answering a letter."""
        async with self.database.reading() as session:
            return bool(await leases.read_note(session, leases.name_confirming(user)))

    async def set_state(self, number: int, state: ContactState) -> Contact | None:
        """Note that an address is confirmed, fails, or wants no letters, which voids what was written there."""
        async with self.database.writing() as session:
            known = await people.fetch_contact(session, number)
            if known is None or known.state == state:
                return known
            changed = msgspec.structs.replace(known, state=state, epoch=known.epoch + (state == "stopped"))
            await people.change_contact(session, changed)
            return changed


def build_answer_key(contact: Contact, name: str) -> str:
    """Return the key of the one answer to what came from an address, by its name."""
    return f"answer:{contact.id}:{name}"


def build_person_id(contact: Contact) -> str:
    """Return the person who is known by an address alone, as one is made for each invited address."""
    return f"p{contact.id}"


def fold_address(address: str) -> str:
    """Return an address as it is compared; only ASCII is folded, for "straße" is another domain than "strasse"."""
    bare = address.strip().strip("<>")
    return bare.lower() if bare.isascii() else bare


def check_mailbox(address: str) -> str:
    """Return an address, folded, that can be written to.

    Raises:
        BotError: it is none.
    """
    found = fold_address(address)
    local, at, domain = found.rpartition("@")
    plain = found.isprintable() and not any(letter in found for letter in ' ,;<>"\\()[]:\n\r')
    if not (
        local and at and "." in domain.strip(".") and plain and found.isascii() and len(found) <= MAX_ADDRESS_CHARACTERS
    ):
        raise BotError(f"“{tidy_name(address, '')[:60]}” isn't an e-mail address that the bot can write to.")
    return found


def _shorten_name(name: str) -> str:
    return tidy_person(name)[:MAX_NAME_CHARACTERS]
