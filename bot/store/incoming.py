"""The ledger of what came in, each with what became of it; and the codes by which senders prove themselves.

Letters that go out need no second row: the outbox has one for each, with its attempts and its last error.
"""

from typing import Any, Literal

from sqlalchemy import delete
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.store.outbox import LETTERS, NOT_WANTED
from bot.store.rows import make_columns, make_insert, make_record, upsert
from bot.store.tables import ContactRow, IncomingRow, OutboxRow, ProofCodeRow
from engine import Record

Fate = Literal["played", "answered", "refused", "asked back", "waits", "noted", "ignored", "quarantined"]
"""What became of it: its order was played; it was answered otherwise; all of it was refused; it was asked what it
means, or who sent it; it is read later; a bounce or complaint; a robot or a stranger; the reader failed at it."""
MAX_WORDS = 300


class Received(Record, frozen=True):
    """What came in.

    Args:
        name: made of what its sender calls it. content: made of its date and text, "" if it has no date.
        at, until: when it came, and when its fate was last noted.
        contact, game: whose it is and at which table, 0 if unknown. proven: its sender is certain.
        words: why, for the operator.
    """

    name: str
    fate: Fate
    words: str = ""
    content: str = ""
    contact: int = 0
    game: int = 0
    proven: bool = False
    at: int = 0
    until: int = 0


class LedgerLine(Record, frozen=True):
    """What came in or went out, as the operator reads it."""

    at: int
    way: Literal["in", "out"]
    fate: str
    address: str
    game: int
    words: str


class ProofCode(Record, frozen=True):
    """A code: for one address, table and turn, taken once.

    Args:
        tries: wrong ones so far. used: name of what it proved, "" while it is good.
    """

    contact: int
    game: int
    turn: int
    code: str
    until: int
    tries: int = 0
    used: str = ""


async def note(session: AsyncSession, came: Received, now: int) -> None:
    """Note what became of what came in; it keeps the moment at which it came."""
    row = {**make_columns(came, IncomingRow), "at": came.at or now, "until": now, "words": came.words[:MAX_WORDS]}
    new = make_insert(session, IncomingRow).values(**row)
    kept = ("name", "at")
    changes = {name: value for name, value in row.items() if name not in kept}
    await session.exec(new.on_conflict_do_update(index_elements=["name"], set_=changes))


async def find(session: AsyncSession, name: str) -> Received | None:
    """Return what came in by its name."""
    row = (await session.exec(select(IncomingRow).where(IncomingRow.name == name))).first()
    return None if row is None else make_record(Received, row.model_dump())


async def find_same(session: AsyncSession, came: Received) -> Received | None:
    """Return what came from the same address with the same content; ``None`` if it has no date.

    Its sender was proven: what another wrote takes nothing from the true one.
    """
    same = (IncomingRow.contact == came.contact, IncomingRow.content == came.content, IncomingRow.name != came.name)
    found = select(IncomingRow).where(*same, col(IncomingRow.proven))
    row = (await session.exec(found)).first() if came.content else None
    return None if row is None else make_record(Received, row.model_dump())


async def list_of_contact(session: AsyncSession, contact: int, since: int, most: int = 200) -> list[Received]:
    """Return what came last from an address since a moment, the newest first."""
    mine = select(IncomingRow).where(IncomingRow.contact == contact, IncomingRow.until > since)
    newest = mine.order_by(col(IncomingRow.at).desc(), col(IncomingRow.id).desc()).limit(most)
    return [make_record(Received, row.model_dump()) for row in await session.exec(newest)]


async def list_ledger(session: AsyncSession, since: int, most: int) -> list[LedgerLine]:
    """Return what came in and went out last since a moment, the newest first."""
    of_contact = col(ContactRow.id) == IncomingRow.contact
    came: Any = select(IncomingRow, ContactRow.address).join(ContactRow, of_contact, isouter=True)
    came = (
        came.where(IncomingRow.at >= since).order_by(col(IncomingRow.at).desc(), col(IncomingRow.id).desc()).limit(most)
    )
    lines = [
        LedgerLine(row.at, "in", row.fate, address or "", row.game, row.words)
        for row, address in await session.exec(came)
    ]
    names = ("created", "state", "attempts", "error", "game", "sent", "message", "key")
    columns: tuple[Any, ...] = tuple(getattr(OutboxRow, name) for name in names)
    went: Any = select(*columns).where(OutboxRow.batch == LETTERS, OutboxRow.created >= since)
    newest = went.order_by(col(OutboxRow.created).desc(), col(OutboxRow.id).desc()).limit(most)
    for row in await session.exec(newest):
        fate = name_fate(row.state, row.sent, row.attempts, row.error)
        lines.append(LedgerLine(row.created, "out", fate, row.message, row.game or 0, row.error or row.key))
    return sorted(lines, key=lambda line: line.at, reverse=True)[:most]


def name_fate(state: str, sent: int | None, attempts: int, error: str) -> str:
    """Return what became of a letter, by its row in the outbox."""
    if sent is not None:
        return "delivered"
    if state == "dropped":
        return "given up" if error and error != NOT_WANTED else "not needed"
    if attempts:
        return "retried"
    return "waits"


async def prune(session: AsyncSession, before: int, only: Fate | None = None) -> None:
    """Forget what came before a moment; with ``only``, what had that fate."""
    old = delete(IncomingRow).where(col(IncomingRow.at) < before)
    await session.exec(old.where(col(IncomingRow.fate) == only) if only else old)


async def fetch_code(session: AsyncSession, contact: int, game: int, turn: int) -> ProofCode | None:
    """Return the code for an address, a table and a turn."""
    row = await session.get(ProofCodeRow, (contact, game, turn))
    return None if row is None else make_record(ProofCode, row.model_dump())


async def keep_code(session: AsyncSession, code: ProofCode) -> None:
    """Keep a code as it is now, instead of any other for its address, table and turn."""
    await upsert(session, ProofCodeRow(**make_columns(code, ProofCodeRow)))


async def drop_codes(session: AsyncSession, before: int) -> None:
    """Forget codes that ended before a moment."""
    await session.exec(delete(ProofCodeRow).where(col(ProofCodeRow.until) < before))
