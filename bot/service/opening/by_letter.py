"""Tables whose players are asked, one by one, at addresses of their own."""

from collections.abc import Sequence

import msgspec

from bot.model.errors import BotError
from bot.model.letters import Contact
from bot.model.records import NewTable, Person, Table
from bot.model.seating import refuse_guest
from bot.service.opening.lobby import Lobby
from bot.service.people.contacts import Contacts, checked
from bot.store import games
from engine import Record


class Guest(Record, frozen=True):
    """Somebody to be asked: their address, and what they are called, if that is known."""

    address: str
    name: str = ""


class ByLetter:
    """Opens tables by invitation, and seats those who say yes."""

    def __init__(self, lobby: Lobby, contacts: Contacts) -> None:
        self.lobby = lobby
        self.contacts = contacts

    async def open_table(self, wish: NewTable, guests: Sequence[Guest]) -> Table:
        """Open a table for people at these addresses, the first of whom is its host, and ask them all.

        It begins when all have said yes.

        Raises:
            BotError: an address is none, is named twice, or wants no letters; see ``Lobby.create``.
            RuleError: the title refuses so many seats.
        """
        addresses = [checked(guest.address) for guest in guests]
        if len(set(addresses)) != len(addresses):
            raise BotError("An address is named twice; every player needs one of their own.")
        known = [await self.contacts.known(guest.address, guest.name) for guest in guests]
        if stopped := [each.address for each in known if each.state == "stopped"]:
            raise BotError(f"{', '.join(stopped)} wants no more mails.")
        wish = msgspec.structs.replace(wish, seats=len(known), privacy="invite")
        table = await self.lobby.create(Person(known[0].user, known[0].name), wish)
        for contact in known:
            await self._ask(table, contact)
        return table

    async def invite(self, game: int, user: str, guest: Guest) -> Table:
        """Ask somebody to an open table.

        Raises:
            BotError: the user is not the host, the table is not open or full, or the address is not to be asked.
        """
        table = await self.lobby.info(game)
        refuse_guest(table, user, "invite people")
        if table.state != "open" or len(table.seats) >= table.places:
            raise BotError(f"“{table.name}” has no free seat.")
        await self._ask(table, await self.contacts.known(guest.address, guest.name))
        return table

    async def _ask(self, table: Table, contact: Contact) -> None:
        asked = await self.contacts.invite(table, contact.address, contact.name)
        async with self.lobby.database.writing(table.id) as session:
            await games.invite(session, table.id, [asked.user], self.lobby.clock())

    async def accept(self, contact: Contact, game: int) -> str:
        """Seat somebody who said yes; begin if all are there now. Return words for it.

        Raises:
            BotError: the table is full, was closed, or they are not invited.
        """
        await self.contacts.settle(contact.id, "confirmed")
        table = await self.lobby.info(game)
        if contact.user not in (*table.invited, *table.people):
            raise BotError("You are not invited to this table.")
        if table.state == "open":
            table = await self.lobby.join(game, Person(contact.user, contact.name))
        if table.state != "open":
            return f"You sit at “{table.name}”."
        if table.home.channel:  # whose host sits there, and starts it
            return f"You sit at “{table.name}”. It begins when its host says so."
        waiting = [seat.name for seat in table.seats if not await self._is_there(seat.user)]
        free = table.places - len(table.seats)
        if free or waiting:
            more = free + len(waiting)
            return f"You sit at “{table.name}”. It begins when {more} more {'has' if more == 1 else 'have'} said yes."
        await self.lobby.start(game, table.host)
        return f"You sit at “{table.name}”. All are there: the game begins."

    async def _is_there(self, user: str) -> bool:
        """Tell whether somebody who sits there knows it: all but those who have not said yes yet."""
        return not await self.contacts.is_asked(user)
