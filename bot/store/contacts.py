"""The addresses at which people are written to."""

from typing import Any, cast

from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.model.letters import Contact, ContactState
from bot.store.tables import ContactRow


async def fetch(session: AsyncSession, number: int) -> Contact | None:
    """Return an address by its number."""
    row = await session.get(ContactRow, number)
    return None if row is None else _contact(row)


async def find(session: AsyncSession, address: str) -> Contact | None:
    """Return an address by its letters, folded."""
    row = (await session.exec(select(ContactRow).where(ContactRow.address == address))).first()
    return None if row is None else _contact(row)


async def of_user(session: AsyncSession, user: str) -> list[Contact]:
    """Return the addresses of a person, the newest first."""
    rows = await session.exec(select(ContactRow).where(ContactRow.user == user).order_by(col(ContactRow.id).desc()))
    return [_contact(row) for row in rows]


async def add(session: AsyncSession, contact: Contact) -> Contact:
    """Keep a new address; with an empty user its person is new too, and named after it."""
    row = ContactRow(**_values(contact))
    session.add(row)
    await session.flush()
    if not row.user:
        row.user = f"p{row.id}"
        session.add(row)
        await session.flush()
    return _contact(row)


async def change(session: AsyncSession, contact: Contact) -> None:
    """Keep an address as it is now."""
    row = await session.get(ContactRow, contact.id)
    if row is not None:
        row.sqlmodel_update(_values(contact))
        session.add(row)
        await session.flush()


async def asked_since(session: AsyncSession, moment: int) -> int:
    """Return how many addresses were asked since a moment."""
    found: int = (
        await session.exec(select(func.count()).select_from(ContactRow).where(col(ContactRow.asked) > moment))
    ).one()
    return found


def _values(contact: Contact) -> dict[str, Any]:
    return {
        "address": contact.address, "user": contact.user, "name": contact.name, "state": contact.state,
        "epoch": contact.epoch, "code": contact.code, "tries": contact.tries, "until": contact.until,
        "asked": contact.asked,
    }  # fmt: skip


def _contact(row: ContactRow) -> Contact:
    state = cast("ContactState", row.state)
    state = cast("ContactState", row.state)
    known = (row.address, row.user, row.name, state, row.epoch, row.code, row.tries, row.until, row.asked)
    return Contact(row.id or 0, *known)
