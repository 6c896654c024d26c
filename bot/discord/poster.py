"""Sends the posts owed: in order at each table, side by side for different tables.

What Discord refuses is tried again, later and later; a table with trouble
holds up no other. A post that may have been sent before a crash is looked for
first, so nothing stands there twice.
"""

import asyncio
import contextlib
import time
from itertools import groupby

import aiohttp
import discord
import structlog

from bot.discord.letters import Letters
from bot.service import posts
from bot.service.services import House
from bot.store.outbox import Letter

log = structlog.get_logger(__name__)
MOST_SIDE_BY_SIDE = 8
MOST_ATTEMPTS = 6
UNKNOWN_CHANNEL = 10003
MOST_WAIT = 600
REST = 30.0


class Poster:
    """The loop that sends.

    Args:
        house: the posts owed.
        letters: writes them.
        card_gap: seconds between two edits of one table message, at least.
    """

    def __init__(self, house: House, letters: Letters, card_gap: float = 2.0) -> None:
        self.house = house
        self.letters = letters
        self.card_gap = card_gap
        self._room = asyncio.Semaphore(MOST_SIDE_BY_SIDE)
        self._busy: dict[int, asyncio.Task[None]] = {}
        self._card_free: dict[int, float] = {}
        self._held_up: dict[int, float] = {}
        self._unsure_to: int | None = None

    async def run(self) -> None:
        """Send until cancelled."""
        wake = self.house.database.wake
        while True:
            wake.clear()
            try:
                wait = await self._round()
            except Exception as error:
                log.error("outbox", exc_info=error)
                wait = REST
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):  # wait_for would swallow a cancellation that meets the wake
                    await wake.wait()

    @property
    def busy(self) -> bool:
        """Tell whether something is being sent."""
        return bool(self._busy)

    async def stop(self) -> None:
        """Let the posts that are being sent arrive."""
        if self._busy:
            await asyncio.wait(list(self._busy.values()), timeout=5)

    async def _round(self) -> float:
        """Set every table that owes something to work; return the seconds until something may be due."""
        due = [letter for letter in await self.house.post.due() if not isinstance(letter.post, posts.Expire)]
        if self._unsure_to is None:
            self._unsure_to = max((letter.id for letter in due), default=0)
        now, waits = time.monotonic(), [REST]
        due.sort(key=lambda letter: (letter.game, letter.id))  # as they were first owed: a turn before its pictures
        for game, batch in groupby(due, key=lambda letter: letter.game):
            if game in self._busy:
                continue
            free = self._held_up.get(game, 0.0)
            ready = [letter for letter in batch if not self._too_early(letter, now)]
            if free > now or not ready:
                waits.append(max(free, self._card_free.get(game, 0.0)) - now)
                continue
            task = asyncio.create_task(self._serve(game, ready))
            self._busy[game] = task
            task.add_done_callback(lambda _, game=game: self._served(game))  # type: ignore[misc]  # bound early
        next_due = await self.house.post.next_due()
        if next_due is not None and next_due > self.house.clock():
            waits.append(next_due - self.house.clock())
        return max(0.01, min(waits))

    def _too_early(self, letter: Letter, now: float) -> bool:
        return isinstance(letter.post, posts.Card) and self._card_free.get(letter.game, 0.0) > now

    def _served(self, game: int) -> None:
        self._busy.pop(game, None)
        self.house.database.wake.set()

    async def _serve(self, game: int, batch: list[Letter]) -> None:
        """Send the posts of one table in order; stop at the first that fails."""
        async with self._room:
            try:
                for letter in batch:
                    if not await self._send(letter):
                        return
            except Exception as error:  # the store, most likely; the other tables go on
                log.error("posts of a table", game=game, exc_info=error)
                self._held_up[game] = time.monotonic() + REST
                return
        self._held_up.pop(game, None)

    async def _send(self, owed: Letter) -> bool:
        """Send one post; tell whether the next may follow."""
        letter = await self.house.post.find(owed.key) or owed
        if letter.revision != owed.revision and letter.due > self.house.clock():
            return True
        if isinstance(letter.post, posts.Ping | posts.Reminder):
            asleep = await self.house.post.asleep(letter.post.mention)
            if asleep:
                await self.house.post.put_off(letter, max(asleep.values()))
                return True
        if isinstance(letter.post, posts.Card):
            self._card_free[letter.game] = time.monotonic() + self.card_gap
        unsure = letter.attempts > 0 or letter.id <= (self._unsure_to or 0)
        try:
            place = await self.letters.write(letter, unsure=unsure)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
            await self._failed(letter, error)
            return False
        if place is None:
            await self.house.post.failed(letter, "no longer wanted")
        else:
            await self.house.post.sent(letter, *place)
        return True

    async def _failed(self, letter: Letter, error: Exception) -> None:
        """Try again later: for ever what Discord or the line refuses, a few times what is a defect of ours."""
        attempts = letter.attempts + 1
        wait = min(MOST_WAIT, 2**letter.attempts)
        gone = isinstance(error, discord.NotFound) and error.code == UNKNOWN_CHANNEL
        outside = isinstance(error, discord.HTTPException | aiohttp.ClientError | OSError | TimeoutError)
        for_good = gone or (not outside and attempts >= MOST_ATTEMPTS)
        log.warning("post not sent", key=letter.key, attempts=attempts, error=repr(error)[:300], dropped=for_good)
        await self.house.post.failed(letter, repr(error), None if for_good else self.house.clock() + wait)
        self._held_up[letter.game] = time.monotonic() + (0 if for_good else wait)
