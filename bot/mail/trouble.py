"""Trouble with addresses: who can't be reached gets no letters until they write, and their tables hear of it."""

import msgspec

from bot.model.clock import HOUR
from bot.model.letters import Contact, ContactState, Letter
from bot.model.posts import Notice, Owed
from bot.model.records import Table
from bot.service.services import Services
from bot.store import games, outbox


async def suspend(services: Services, contact: Contact, letter: int) -> None:
    """Send nothing more to an address to which a letter could not be delivered, and tell the tables of its person."""
    if contact.state == "confirmed":
        await _tell_tables(services, contact.user, f"failing:{contact.id}:{letter}", "E-mail to {} is bouncing. "
                           "Please contact them another way; I write again after their next e-mail.")  # fmt: skip
    await services.contacts.set_state(contact.id, "failing")


async def restore(services: Services, contact: Contact, cause: str) -> Contact:
    """Write to an address again from which a proven mail came, and tell the tables of its person."""
    await _tell_tables(services, contact.user, f"reached:{contact.id}:{cause}", "E-mail reaches {} again.")
    state: ContactState = "confirmed"
    await services.contacts.set_state(contact.id, state)
    return msgspec.structs.replace(contact, state=state)


async def tell_of_delay(services: Services, letter: Letter, why: str) -> None:
    """Tell the others at a table once a turn that the mail of it has not gone out, and why.

    In its thread, and by mail while that reaches anyone: otherwise it would come when it is no longer true.
    """
    table = await services.lobby.get_table(letter.game)
    if table.state == "running":
        text = f"The e-mail to {table.find_name(letter.user)} about their turn hasn't gone out yet: {why}"
        key = f"{letter.game}:maildelay:{letter.turn_from}:{letter.user}"
        if await services.posted.find_post(key) is None:
            others = _list_others(table, letter.user) if await services.posted.count_letters(2 * HOUR) else ()
            notice = Notice(table.id, text, others, letter.turn_from)
            await services.outbox.owe(Owed(key, notice, services.clock()))


async def _tell_tables(services: Services, user: str, key: str, text: str) -> None:
    """Tell all running tables of a person something about them, once for each key."""
    now = services.clock()
    async with services.database.reading() as session:
        tables: list[Table] = await games.list_newest(session, ("running",), user)
    for table in tables:
        notice = Notice(table.id, text.format(table.find_name(user)), _list_others(table, user))
        async with services.database.writing(table.id) as session:
            await outbox.owe(session, [Owed(f"{table.id}:{key}", notice, now)], now)


def _list_others(table: Table, user: str) -> tuple[str, ...]:
    """Return the other people of a table: by mail alone they hear of it only if they are named."""
    return tuple(each for each in table.people if each != user)
