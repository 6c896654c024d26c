"""What a host does besides opening and starting: name the table, hand it over, send away, ask people by letter."""

from collections.abc import Sequence

import msgspec
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model import posts
from bot.model.errors import BotError
from bot.model.letters import Contact
from bot.model.plain import tidy_name
from bot.model.posts import Owed
from bot.model.records import EXPERIENCES, NewTable, Outcome, Person, Position, Proposal, Table
from bot.model.seating import join_names, make_outcome, refuse_guest
from bot.model.terms import ChangeHost
from bot.service.consent.asking import TYPED, Consent
from bot.service.contacts import Contacts, check_mailbox
from bot.service.game_clock import ClockWish, build_clock
from bot.service.lobby import Lobby
from bot.service.moving import draft_majority
from bot.service.table import Also, Delivery
from bot.store import games, outbox, people, posted
from engine import TITLES, Record
from engine.words import pluralise

_NOT_A_CHOOSER = (
    "Only the host and server managers can hand a table over at once; its players can by a majority, once it runs."
)


class Guest(Record, frozen=True):
    """A player to be asked: their address, and what they are called, if that is known."""

    address: str
    name: str = ""


class Hosting:
    """The host's hand on a table, and tables whose players are asked, one by one, at addresses of their own."""

    def __init__(self, lobby: Lobby, contacts: Contacts, consent: Consent) -> None:
        self.lobby = lobby
        self.contacts = contacts
        self.consent = consent
        consent.effects[ChangeHost] = self._change_host_as_agreed

    async def call_role(self, game: int, user: str, role: str) -> Table:
        """Mention a role of the server whose members the table looks for; a table does so once.

        Raises:
            BotError: not the host, play has begun, no one can join, or a role was mentioned before.
        """
        async with self.lobby.live.get_lock(game), self.lobby.database.writing(game) as session:
            table, now = await games.fetch(session, game), self.lobby.clock()
            refuse_guest(table, user, "invite players")
            free = table.places - len(table.seats)
            if table.state != "open" or free < 1:
                raise BotError(f"“{table.name}” has no free seats.")
            if table.privacy != "open":
                raise BotError(
                    f"“{table.name}” is by invitation, so the members of a role couldn't join. Invite people."
                )
            if await posted.find(session, posts.build_role_key(game)) is not None:
                raise BotError(f"“{table.name}” has already invited a role, which a table can do once.")
            whom = f", for {table.experience}" * (table.experience != EXPERIENCES[0])
            needs = f"“{table.name}” needs {pluralise(free, 'more player')}"
            text = f"{needs}: {TITLES[table.title].name}, {table.pace}{whom}."
            await outbox.owe(session, [Owed(posts.build_role_key(game), posts.Notice(game, text, role=role), now)], now)
        return table

    async def rename(self, game: int, user: str, name: str) -> Table:
        """Give a table another name.

        Raises:
            BotError: not the host, or nothing is left of the name.
        """
        name = tidy_name(name, "")
        if not name:
            raise BotError("This name has no visible characters; choose another.")
        return await self._change_table(game, user, "rename the table", "", name=name)

    async def hand_over(self, game: int, user: str, heir: str, manager: str = "") -> Table:
        """Make another player the host.

        Args:
            game: number of the table.
            user: who does it.
            heir: the new host.
            manager: what the user is called who does it as a manager of the server; empty for the host.

        Raises:
            BotError: not the host, or the heir does not sit there.
        """
        table = await self.lobby.get_table(game)
        if not manager:
            refuse_guest(table, user, "hand over the table")
        _refuse_heir(table, heir)
        why = f", as server manager {manager} decided" if manager else ""
        told = f"{table.find_name(heir)} is now the host of “{table.name}”{why}."
        return await self._change_table(game, table.host if manager else user, "hand over the table", told, host=heir)

    async def propose_host(self, game: int, user: str, heir: str, delivery: Delivery = TYPED) -> Outcome:
        """Ask the other players for another host, whom a majority can choose.

        Raises:
            BotError: the game does not run, the user has no seat, or the heir does not sit there.
        """

        async def propose() -> Outcome:
            table = await self.lobby.get_table(game)
            if table.state != "running" or not table.list_held(user):
                raise BotError(_NOT_A_CHOOSER)
            _refuse_heir(table, heir)
            here = await self.lobby.live.load_position(game)
            draft = draft_majority(table, user, ChangeHost(heir, table.find_name(heir)))
            return await self.consent.propose(here, user, draft, delivery)

        return await self.consent.run_once(game, user, delivery, propose)

    async def _change_host_as_agreed(self, here: Position, asked: Proposal, also: Also) -> Outcome:
        """Make the player the host on whom a majority agreed; the game's lock is held."""
        assert isinstance(asked.terms, ChangeHost)
        _refuse_heir(here.table, asked.terms.user)
        told = (
            f"{here.table.find_name(asked.terms.user)} is now the host of “{here.table.name}”, as the players agreed."
        )
        async with self.lobby.database.writing(here.table.id) as session:
            await also(session)
            await self._store_change(session, here.table, told, host=asked.terms.user)
        return make_outcome(await self.lobby.live.load_position(here.table.id), (told,))

    async def kick(self, game: int, user: str, guest: str) -> Table:
        """Take the seat of a player at a table that has not begun.

        Raises:
            BotError: not the host, the guest does not sit there, or play has begun.
        """
        table = await self.lobby.get_table(game)
        refuse_guest(table, user, "remove players")
        if guest == user and table.state == "open":
            raise BotError("To give up your own seat, use /game leave.")
        return await self.lobby.leave(game, guest)

    async def set_clock(self, game: int, user: str, wish: ClockWish) -> Table:
        """Set the clock of a table that has not begun, or take it away.

        Raises:
            BotError: not the host, no such clock, or play has begun.
        """
        table = await self.lobby.get_table(game)
        if table.state != "open":
            raise BotError(
                f"“{table.name}” is {table.state}; after the start, the clock changes only with everyone's consent."
            )
        refuse_guest(table, user, "set the clock")
        clock = games.encode_clock(build_clock(table, wish))
        return await self._change_table(game, user, "set the clock", "", clock=clock)

    async def _change_table(self, game: int, user: str, what: str, told: str, **values: str) -> Table:
        """Change a table, and let its messages show it."""
        async with self.lobby.live.get_lock(game), self.lobby.database.writing(game) as session:
            table = await games.fetch(session, game)
            refuse_guest(table, user, what)
            await self._store_change(session, table, told, **values)
        return await self.lobby.get_table(game)

    async def _store_change(self, session: AsyncSession, table: Table, told: str, **values: str) -> None:
        game, now = table.id, self.lobby.clock()
        await games.change(session, game, **values)
        shown = posts.Lobby(game) if table.started is None else posts.Card(game)
        kind = "lobby" if table.started is None else "card"
        owed = [Owed(f"{game}:{kind}", shown, now)]
        if told:
            owed.append(Owed(f"{game}:host:{now}", posts.Notice(game, told), now))
        await outbox.owe(session, owed, now)

    # --- by letter -----------------------------------------------------------------------

    async def open_table(self, wish: NewTable, guests: Sequence[Guest]) -> Table:
        """Open a table for people at these addresses, the first of whom is its host, and ask them all.

        It begins when all have said yes. The table and its invitations are stored together, or not at all.

        Raises:
            BotError: an address is none, is named twice, or wants no letters; see ``Lobby.create``.
            RuleError: the title refuses so many seats.
        """
        addresses = [check_mailbox(guest.address) for guest in guests]
        if len(set(addresses)) != len(addresses):
            raise BotError("The same address is listed twice; every player needs a different one.")
        known = [await self.contacts.find_or_add(guest.address, guest.name) for guest in guests]
        if stopped := [each.address for each in known if each.state == "stopped"]:
            raise BotError(f"{join_names(stopped)} {'has' if len(stopped) == 1 else 'have'} unsubscribed.")
        wish = msgspec.structs.replace(wish, seats=len(known), privacy="invite")

        async def invite_all(session: AsyncSession, game: int) -> None:
            for contact in known:
                await self.contacts.invite(session, game, contact)
                await games.invite(session, game, [contact.user], self.lobby.clock())

        return await self.lobby.create(Person(known[0].user, known[0].name), wish, also=invite_all)

    async def invite_by_letter(self, game: int, user: str, guest: Guest) -> Table:
        """Ask a player to an open table; it isn't told whether their address wants letters.

        Raises:
            BotError: the user is not the host, the table is not open or full, or ten addresses were asked today.
        """
        table = await self.lobby.get_table(game)
        refuse_guest(table, user, "invite players")
        if table.state != "open":
            raise BotError(f"“{table.name}” is {table.state}; players can be invited only before the start.")
        if len(table.seats) >= table.places:
            raise BotError(f"“{table.name}” has no free seat.")
        contact = await self.contacts.find_or_add(guest.address, guest.name)
        async with self.lobby.database.writing(game) as session:
            await self.contacts.introduce(session, game, contact)
            await games.invite(session, game, [contact.user], self.lobby.clock())
        return table

    async def find_acquaintance(self, game: int, user: str, address: str) -> Person | None:
        """Return the player of an address, if they and the user share a table, or they agreed to be asked here.

        Of anyone else it isn't told whether they are known.
        """
        known = await self.contacts.find_contact(address)
        if known is None or known.state != "confirmed":
            return None
        async with self.lobby.database.reading() as session:
            met = set(await games.list_shared(session, user, known.user))
            agreed = game and game in await people.list_invitations(session, known.user)
        return Person(known.user, known.name) if met or agreed or known.user == user else None

    async def introduce(self, game: int, user: str, address: str) -> None:
        """Ask an address whether its person wants to be offered a seat at a running table.

        Raises:
            BotError: it is no address, the user has no seat there, or ten addresses were asked today.
        """
        table = await self.lobby.get_table(game)
        if table.state != "running" or user not in table.people:
            raise BotError("Only a player of a running game can ask others to take a seat.")
        contact = await self.contacts.find_or_add(address)
        async with self.lobby.database.writing(game) as session:
            await self.contacts.introduce(session, game, contact)

    async def accept_invitation(self, contact: Contact, game: int) -> str:
        """Seat a player who said yes; begin if all are there now. Return words for it.

        Raises:
            BotError: the table is full, was closed, or they are not invited.
        """
        await self.contacts.set_state(contact.id, "confirmed")
        table = await self.lobby.get_table(game)
        if contact.user not in table.people and table.state == "running":
            async with self.lobby.database.writing(game) as session:
                await games.invite(session, game, [contact.user], self.lobby.clock())
            return f"“{table.name}” is running. Its players can now offer you a seat; you'll be asked first."
        if contact.user not in table.people and table.state != "open":
            raise BotError(f"“{table.name}” is already {table.state}; you can't join it now.")
        if contact.user not in (*table.invited, *table.people):
            raise BotError("You aren't invited to this table.")
        if table.state == "open":
            table = await self.lobby.join(game, Person(contact.user, contact.name))
        if table.state != "open":
            return f"You have a seat at “{table.name}”."
        if table.home.channel:  # whose host sits there, and starts it
            return f"You have a seat at “{table.name}”. It begins when the host starts it."
        waiting = [seat.name for seat in table.seats if await self.contacts.is_asked(seat.user)]
        free = table.places - len(table.seats)
        if free or waiting:
            more = free + len(waiting)
            players = "player has" if more == 1 else "players have"
            return f"You have a seat at “{table.name}”. It begins when {more} more {players} accepted."
        await self.lobby.start(game, table.host)
        return f"You have a seat at “{table.name}”. Everyone is here: the game begins."


def _refuse_heir(table: Table, heir: str) -> None:
    """Refuse a new host who does not sit at the table.

    Raises:
        BotError: they do not.
    """
    if heir not in table.people:
        raise BotError(f"The new host must have a seat at “{table.name}”.")
