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

from bot.discord.post_writer import PostWriter
from bot.service import posts
from bot.service.services import Services
from bot.store.outbox import StoredPost

log = structlog.get_logger(__name__)
MOST_SIDE_BY_SIDE = 8
MOST_ATTEMPTS = 6
UNKNOWN_CHANNEL = 10003
MOST_WAIT = 600
REST = 30.0


class Poster:
    """The loop that sends.

    Args:
        services: the posts owed.
        writer: writes them.
        card_gap: seconds between two edits of one table message, at least.
    """

    def __init__(self, services: Services, writer: PostWriter, card_gap: float = 2.0) -> None:
        self.services = services
        self.writer = writer
        self.card_gap = card_gap
        self._room = asyncio.Semaphore(MOST_SIDE_BY_SIDE)
        self._busy: dict[int, asyncio.Task[None]] = {}
        self._card_free: dict[int, float] = {}
        self._held_up: dict[int, float] = {}
        self._unsure_to: int | None = None

    async def run(self) -> None:
        """Send until cancelled."""
        wake = self.services.database.wake
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
        due = [stored for stored in await self.services.outbox.due() if not isinstance(stored.post, posts.Expire)]
        if self._unsure_to is None:
            self._unsure_to = max((stored.id for stored in due), default=0)
        now, waits = time.monotonic(), [REST]
        due.sort(key=lambda stored: (stored.game, stored.id))  # as they were first owed: a turn before its pictures
        for game, batch in groupby(due, key=lambda stored: stored.game):
            if game in self._busy:
                continue
            free = self._held_up.get(game, 0.0)
            ready = [stored for stored in batch if not self._too_early(stored, now)]
            if free > now or not ready:
                waits.append(max(free, self._card_free.get(game, 0.0)) - now)
                continue
            task = asyncio.create_task(self._serve(game, ready))
            self._busy[game] = task
            task.add_done_callback(lambda _, game=game: self._served(game))  # type: ignore[misc]  # bound early
        next_due = await self.services.outbox.next_due()
        if next_due is not None and next_due > self.services.clock():
            waits.append(next_due - self.services.clock())
        return max(0.01, min(waits))

    def _too_early(self, stored: StoredPost, now: float) -> bool:
        return isinstance(stored.post, posts.Card) and self._card_free.get(stored.game, 0.0) > now

    def _served(self, game: int) -> None:
        self._busy.pop(game, None)
        self.services.database.wake.set()

    async def _serve(self, game: int, batch: list[StoredPost]) -> None:
        """Send the posts of one table in order; stop at the first that fails."""
        async with self._room:
            try:
                for stored in batch:
                    if not await self._send(stored):
                        return
            except Exception as error:  # the store, most likely; the other tables go on
                log.error("posts of a table", game=game, exc_info=error)
                self._held_up[game] = time.monotonic() + REST
                return
        self._held_up.pop(game, None)

    async def _send(self, owed: StoredPost) -> bool:
        """Send one post; tell whether the next may follow."""
        stored = await self.services.posted.find(owed.key) or owed
        if stored.revision != owed.revision and stored.due > self.services.clock():
            return True
        if isinstance(stored.post, posts.Ping | posts.Reminder):
            asleep = await self.services.preferences.asleep(stored.post.mention)
            if asleep:
                await self.services.outbox.put_off(stored, max(asleep.values()))
                return True
        if isinstance(stored.post, posts.Card):
            self._card_free[stored.game] = time.monotonic() + self.card_gap
        unsure = stored.attempts > 0 or stored.id <= (self._unsure_to or 0)
        try:
            place = await self.writer.write(stored, unsure=unsure)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
            await self._failed(stored, error)
            return False
        if place is None:
            await self.services.outbox.failed(stored, "no longer wanted")
        else:
            await self.services.outbox.sent(stored, *place)
        return True

    async def _failed(self, stored: StoredPost, error: Exception) -> None:
        """Try again later: for ever what Discord or the line refuses, a few times what is a defect of ours."""
        attempts = stored.attempts + 1
        wait = min(MOST_WAIT, 2**stored.attempts)
        gone = isinstance(error, discord.NotFound) and error.code == UNKNOWN_CHANNEL
        outside = isinstance(error, discord.HTTPException | aiohttp.ClientError | OSError | TimeoutError)
        for_good = gone or (not outside and attempts >= MOST_ATTEMPTS)
        log.warning("post not sent", key=stored.key, attempts=attempts, error=repr(error)[:300], dropped=for_good)
        await self.services.outbox.failed(stored, repr(error), None if for_good else self.services.clock() + wait)
        self._held_up[stored.game] = time.monotonic() + (0 if for_good else wait)
