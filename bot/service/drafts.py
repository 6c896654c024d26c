"""What a person keeps at a table for themselves: a move in the making, begun on the phone or at the desk; a note."""

import msgspec
from sqlalchemy import delete
from sqlmodel import col

from bot.model.errors import BotError
from bot.store import people
from bot.store.database import Database
from bot.store.tables import DraftRow, upsert
from engine import Record

MAX_NOTE_CHARACTERS = 1500


class DeskPlace(Record, frozen=True):
    """Where somebody was at their desk; empty for its first screen.

    ``basket`` holds moves, as JSON, that are put aside to be made in one go with those after them.
    """

    path: str = ""
    typed: str = ""
    basket: tuple[str, ...] = ()


FIRST_SCREEN = DeskPlace()


class Drafts:
    """Keeps one draft for each person and table, for as long as nobody moves, and one note."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def save_draft(self, game: int, user: str, version: int, draft: DeskPlace) -> None:
        """Keep where somebody is at their desk; the first screen needs no memory."""
        async with self.database.writing(game, wakes=False) as session:
            if draft != FIRST_SCREEN:
                basket = msgspec.json.encode(draft.basket).decode()
                row = DraftRow(game=game, user=user, version=version, path=draft.path, typed=draft.typed, basket=basket)
                await upsert(session, row)
            else:
                await session.exec(delete(DraftRow).where(col(DraftRow.game) == game, col(DraftRow.user) == user))

    async def load_draft(self, game: int, user: str, version: int) -> DeskPlace:
        """Return where somebody was at their desk in this position."""
        async with self.database.reading() as session:
            row = await session.get(DraftRow, (game, user))
        if row is None or row.version != version:
            return FIRST_SCREEN
        return DeskPlace(row.path, row.typed, msgspec.json.decode(row.basket, type=tuple[str, ...]))

    async def get_note(self, game: int, user: str) -> str:
        """Return the note that a person keeps at a table."""
        async with self.database.reading() as session:
            return await people.read_own_note(session, game, user)

    async def set_note(self, game: int, user: str, words: str) -> None:
        """Keep a note at a table, for its writer's eyes only; an empty one takes it away.

        Raises:
            BotError: it is too long.
        """
        if len(words) > MAX_NOTE_CHARACTERS:
            raise BotError(f"Your note has {len(words)} characters; the limit is {MAX_NOTE_CHARACTERS}.")
        async with self.database.writing(game, wakes=False) as session:
            await people.set_own_note(session, game, user, words)
