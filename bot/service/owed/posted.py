"""Where posts stand, once sent, and what a message or a letter told of; turns that stand nowhere are owed again."""

from collections.abc import Collection

from bot.model.letters import NumberedMoves
from bot.model.posts import MOST_REMINDERS, End, Pictures, Summary, deck_key, ping_key, recalled, reminder_key, turn_key
from bot.model.records import Position
from bot.service.owed.outbox import Outbox
from bot.store import outbox, posted
from bot.store.outbox import StoredPost
from bot.store.posted import TurnPost


def build_fallback_key(game: int, turn_from: int, user: str) -> str:
    """Return the key of the call at the table of a person whom private messages do not reach, one a turn."""
    return f"{ping_key(game, turn_from)}:{user}"


class Posted:
    """Looks up posts and letters, and sees to it that the turn of each running table stands where it can be seen."""

    def __init__(self, outbox: Outbox) -> None:
        self.database = outbox.database
        self.clock = outbox.clock
        self._known = outbox.add_known_place

    async def find_post(self, key: str) -> StoredPost | None:
        """Return a post by its key, sent or not; its ``message`` is where it was posted."""
        async with self.database.reading() as session:
            found = await posted.find(session, key)
        return None if found is None else self._known(found)

    async def find_unreachable(self, game: int, turn_from: int, users: Collection[str]) -> set[str]:
        """Return those of some users who are called to a turn at the table, as private messages do not reach them."""
        keys = {build_fallback_key(game, turn_from, user): user for user in users}
        async with self.database.reading() as session:
            return {keys[stored.key] for stored in await posted.find_all(session, keys)} if keys else set()

    async def list_turn_posts(self, game: int, turn_from: int, people: Collection[str] = ()) -> list[StoredPost]:
        """Return the message of a turn and the calls to it, of these people, sent or not, as they were first owed."""
        keys = [turn_key(game, turn_from), ping_key(game, turn_from), deck_key(game, turn_from)]
        keys += [build_fallback_key(game, turn_from, user) for user in people]
        keys += [reminder_key(game, turn_from, number) for number in range(1, MOST_REMINDERS + 1)]
        async with self.database.reading() as session:
            return [self._known(each) for each in await posted.find_all(session, keys)]

    async def find_moment(self, channel: str, message: str) -> Summary | Pictures | End | None:
        """Return the post of a message that tells how many moves were in force, if one does."""
        async with self.database.reading() as session:
            found = await posted.list_in_message(session, channel, message)
        return next((one.post for one in found if isinstance(one.post, Summary | Pictures | End)), None)

    # --- letters -----------------------------------------------------------------------

    async def get_letter(self, number: int) -> StoredPost | None:
        """Return a letter by its number."""
        async with self.database.reading() as session:
            return await posted.find_letter(session, number)

    async def find_offer(self, user: str, game: int, version: int) -> NumberedMoves | None:
        """Return the choices that a person was last offered in a position of a table."""
        async with self.database.reading() as session:
            recent = await posted.list_letters(session, user, game)
        return next((each.offered for each in recent if each.offered and each.offered.version == version), None)

    async def note_offer(self, letter: StoredPost, offered: NumberedMoves) -> None:
        """Note what the choices of a letter mean, before it goes out."""
        async with self.database.writing(wakes=False) as session:
            await posted.record_offer(session, letter.id, offered)

    async def list_letters(self, user: str, head: str, seconds: int) -> list[StoredPost]:
        """Return the letters to a person of the last seconds whose keys begin with ``head``, the newest first."""
        async with self.database.reading() as session:
            return await posted.list_answers(session, user, head, self.clock() - seconds)

    async def count_letters(self, seconds: int, user: str = "") -> int:
        """Return how many letters went out in the last seconds, to all or to one person."""
        async with self.database.reading() as session:
            return await posted.count_letters(session, self.clock() - seconds, user)

    # --- turns -------------------------------------------------------------------------

    async def list_turns(self) -> list[TurnPost]:
        """Return the turns of all running tables that live in a channel."""
        async with self.database.reading() as session:
            return await posted.list_turns(session)

    async def owe_turn(self, seen: TurnPost, *, is_gone: bool) -> bool:
        """Owe the message of a turn again, with its pictures; return whether nothing has changed since it was seen.

        Args:
            seen: the turn, whose post is not owed.
            is_gone: its message was deleted: it is sent again, and rings nobody. Otherwise it is edited where it
                stands, and sent if it stands nowhere.
        """
        key = turn_key(seen.game, seen.turn_from)
        async with self.database.writing(seen.game) as session:
            if await posted.list_turns(session, seen.game) != [seen]:
                return False
            keys = [key, *await posted.list_pictures(session, seen.game, key)]
            await posted.owe_again(session, keys, self.clock(), "" if is_gone else seen.channel or "nowhere")
        return True

    async def owe_first_turn(self, seen: TurnPost, here: Position) -> None:
        """Owe the message of a turn for which nothing was ever owed."""
        now = self.clock()
        async with self.database.writing(seen.game) as session:
            if here.table.turn_from == seen.turn_from and await posted.list_turns(session, seen.game) == [seen]:
                await outbox.owe(session, recalled(here, now), now)

    async def owe_given_up(self) -> None:
        """Owe again the results that were given up while the buttons of their turn are live, and table messages."""
        async with self.database.reading() as session:
            missed = await posted.list_given_up(session)
        for key, channel in missed:
            async with self.database.writing() as session:
                await posted.owe_again(session, [key], self.clock(), channel)
