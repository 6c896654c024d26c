"""Sends the posts owed: in order at each table, side by side for different tables.

What Discord refuses is tried again, later and later; a table or a server with trouble holds up no other. A post that
may have been sent before is looked for first, so nothing stands there twice.
"""

import asyncio
import contextlib
import math
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import discord
import structlog

from bot.discord.healing import Healing
from bot.discord.placing import Place
from bot.discord.post_writer import PostWriter
from bot.discord.troubles import Refusals, Trouble, trouble_of
from bot.model import posts
from bot.service.owed.outbox import Batch
from bot.service.services import Services
from bot.store.leases import seconds_run
from bot.store.outbox import CLOCKS_DIFFER, LONGEST_RETRY, StoredPost

log = structlog.get_logger(__name__)
AT_ONCE = 16
PATIENCE = 0.5
MOST_TABLES = 256
MOST_CLAIMS = 100
MOST_SECONDS = 60.0
MOST_ATTEMPTS = 6
MOST_EARLY = 500
MOST_REFUSALS = 3
NEVER_GIVEN_UP = (posts.Turn, posts.Summary, posts.End)
"""What a table is silent without; it is tried later and later for as long as it is wanted."""
MOST_REST = 60.0
MOST_WAIT = 60
REST = 30.0
GRACE = 5.0
SHORT = 0.25
A_WHILE = 1.0


class Admission:
    """At most ``places`` begin side by side; who needs longer than ``patience`` seconds goes on without a place.

    Discord's library sleeps inside a request for as long as a limit lasts, and
    a sick channel may answer after minutes: such a one must not keep a place
    from the others. ``most`` bounds all of them together, the slow ones too.
    """

    def __init__(self, places: int, patience: float, most: int) -> None:
        self._places = asyncio.Semaphore(places)
        self._all = asyncio.Semaphore(most)
        self._patience = patience

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for a place and hold it, but not for longer than the patience lasts."""
        async with self._all:
            await self._places.acquire()
            held = [True]

            def give_up() -> None:
                if held:
                    held.clear()
                    self._places.release()

            impatient = asyncio.get_running_loop().call_later(self._patience, give_up)
            try:
                yield
            finally:
                impatient.cancel()
                give_up()


class PostSender:
    """The loop that sends.

    Args:
        services: the posts owed.
        writer: writes them.
        healing: finds a place for a table that has lost its own.
        card_gap: seconds between two edits of one table message, at least.
    """

    def __init__(self, services: Services, writer: PostWriter, healing: Healing, card_gap: float = 2.0) -> None:
        self.services = services
        self.writer = writer
        self.healing = healing
        self.card_gap = card_gap
        self._refusals = Refusals()
        self._room = Admission(AT_ONCE, PATIENCE, MOST_TABLES)
        self._busy: dict[int, asyncio.Task[None]] = {}
        self._card_free: dict[int, float] = {}
        self._fails: Counter[int] = Counter()
        self._kept: dict[int, float] = {}
        self._clock_is_right = False
        self._latest = 0
        self._token_refused = 0.0
        self._is_ending = False
        self._idle = asyncio.Event()
        self._over = asyncio.Event()
        self._over.set()

    async def run(self) -> None:
        """Send until cancelled."""
        keeping = asyncio.create_task(self._keep())
        self._over.clear()
        try:
            await self._rounds()
        finally:
            keeping.cancel()
            self._over.set()

    async def _rounds(self) -> None:
        wake = self.services.database.wake
        while not self._is_ending:
            wake.clear()
            self._idle.clear()
            try:
                wait = await self._round()
            except Exception as error:
                log.error("outbox", exc_info=error)
                wait = REST / 10
            if not self._busy and not wake.is_set():
                self._idle.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):  # wait_for would swallow a cancellation that meets the wake
                    await wake.wait()

    async def idle(self) -> None:
        """Wait until nothing is being sent and nothing waits to be; what failed may be due again later."""
        while self._busy or self.services.database.wake.is_set() or not self._idle.is_set():
            await asyncio.sleep(0)  # it was idle and has just been woken
            await self._idle.wait()

    async def stop(self) -> None:
        """Claim nothing more, and let the posts that are being sent arrive; what takes too long is given up."""
        self._is_ending = True
        self.services.database.wake.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await self._over.wait()
        tasks = list(self._busy.values())
        if tasks:
            await asyncio.wait(tasks, timeout=GRACE)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _round(self) -> float:
        """Set every table that owes something to work; return the seconds until something may be due."""
        if self.services.clock() < self._latest - CLOCKS_DIFFER:  # that of a server may be put back while we run
            self._clock_is_right = False
        self._latest = self.services.clock()
        if not self._clock_is_right:
            ahead = await self.services.outbox.set_clock_back()
            self._clock_is_right = True
            if ahead:
                log.warning("the clock was put back; what is owed waits for it no longer", seconds=ahead)
        if (wait := self._token_refused - time.monotonic()) > 0:
            return wait
        asked = min(MOST_CLAIMS, MOST_TABLES - len(self._busy))
        for game in self._kept.keys() - self._busy.keys():
            if not await self._give_back(game):
                return REST / 10
        waiting = await self.services.outbox.waiting(asked)
        free = [game for game in waiting.tables if game not in self._busy]  # a clock put forward ends a lease too early
        until = seconds_run() + self.services.outbox.lease
        claims = await self.services.outbox.claim(free) if free else []
        for claim in claims:
            self.writer.leased.have((claim.game,), until)
            task = asyncio.create_task(self._serve(claim), name=f"posts of table {claim.game}")
            self._busy[claim.game] = task
            task.add_done_callback(partial(self._served, claim.game))
        if claims:  # there may be more at once, or only when these are served
            return 0.01 if len(claims) == asked else A_WHILE
        next_due = waiting.next_due
        return REST if next_due is None else min(REST, max(0.05, next_due - self.services.clock()))

    def _served(self, game: int, done: asyncio.Task[None]) -> None:
        if self._busy.get(game) is done:  # it may have been handed out again already
            del self._busy[game]
            self.writer.forget(game)
        self.services.database.wake.set()

    async def _keep(self) -> None:
        """Keep the tables that are being served; one that another sender has by now is left to it."""
        while True:
            await asyncio.sleep(self.services.outbox.lease / 3)
            mine, until = dict(self._busy), seconds_run() + self.services.outbox.lease
            try:
                kept = await self.services.outbox.renew(mine) if mine else set()
            except Exception as error:  # noqa: BLE001 - the next time, or the lease ends
                log.warning("leases not renewed", error=repr(error)[:300])
                continue
            self.writer.leased.have(kept & mine.keys(), until)
            for game in set(mine) - kept:
                mine[game].cancel()

    async def _serve(self, claim: Batch) -> None:
        """Send the posts of one table in order, and give the table back."""
        async with self._room.place():
            try:
                rest = await self._send_all(claim)
            except Exception as error:  # the store, most likely; the other tables go on
                rest = self._patience(claim.game)
                log.error("posts of a table", game=claim.game, exc_info=error)
        if rest is not None:
            self._kept[claim.game] = rest
            await self._give_back(claim.game)

    async def _give_back(self, game: int) -> bool:
        """Give a table back; where the store takes no note of it, it is kept for the next round."""
        try:
            await self.services.outbox.release(game, math.ceil(self._kept[game]))
        except Exception as error:  # noqa: BLE001 - the next time, or the lease ends by itself
            log.warning("table not given back", game=game, error=repr(error)[:300])
            return False
        del self._kept[game]
        return True

    async def _send_all(self, claim: Batch) -> float | None:
        """Send posts until the line is in trouble; return how long the table is to rest, ``None`` if it is given back.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: the store takes no note; where a post stands is remembered until it does.
        """
        outbox = self.services.outbox
        left = await outbox.still_owed(sorted(claim.posts, key=_turn_comes))
        await self.writer.read(claim.game, left)
        is_given_back = False
        while left:
            if not self.writer.leased.has(claim.game):  # this process stood still: another has the table by now
                return 0.0
            stored, *rest = left
            place = self.writer.attempts.place(stored) or await self._sent(stored)
            if isinstance(place, str) and place in ("line", "token", "gone"):
                await outbox.not_sent(rest)
                return self._patience(claim.game)
            if isinstance(place, tuple):
                left = await outbox.sent(stored, *place, rest)
                self.writer.attempts.noted(stored)
                is_given_back = not left
            else:
                left = await outbox.still_owed(rest)
                is_given_back = False
        self._fails.pop(claim.game, None)
        return None if is_given_back else 0.0

    def _patience(self, game: int) -> float:
        """Return how long a table rests after one more failure in a row."""
        self._fails[game] += 1
        return min(MOST_REST, 2.0 ** (self._fails[game] - 1))

    async def _sent(self, stored: StoredPost) -> Place | Trouble | None:
        """Send a post and return where it stands; or the trouble, or ``None`` if it is not to be sent (now)."""
        if await self._is_put_off(stored):
            return None
        try:
            async with asyncio.timeout(MOST_SECONDS):
                place = await self.writer.write(stored)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
            return await self._failed(stored, error)
        if place is None:
            await self.services.outbox.failed(stored, "no longer wanted", is_refused=True)
            return None
        self.writer.attempts.stands(stored, place)
        return place

    async def _is_put_off(self, stored: StoredPost) -> bool:
        """Put off a call to somebody who sleeps, and a table message that was edited only just now."""
        if isinstance(stored.post, posts.Ping | posts.Reminder):
            asleep = await self.services.preferences.asleep(stored.post.mention)
            if asleep:
                await self.services.outbox.put_off(stored, max(asleep.values()) + await self._after_the_call(stored))
                return True
        if isinstance(stored.post, posts.Card):
            early = min(
                self.card_gap, self._card_free.get(stored.game, 0.0) - self.services.clock()
            )  # or it was put back
            if early > SHORT:
                await self.services.outbox.put_off(stored, self.services.clock() + math.ceil(early))
                return True
            await asyncio.sleep(max(0.0, early))
            self._card_free[stored.game] = self.services.clock() + self.card_gap
        return False

    async def _after_the_call(self, stored: StoredPost) -> int:
        """Return for how long a reminder waits after the end of somebody's sleep: the first call comes then."""
        if not isinstance(stored.post, posts.Reminder):
            return 0
        first = await self.services.posted.find(posts.ping_key(stored.game, stored.post.turn_from))
        return stored.post.wait if first is not None and not first.message else 0

    async def _failed(self, stored: StoredPost, error: Exception) -> Trouble:
        """Note a failure: tried again for ever where the line or Discord is at fault, a few times where we are.

        The message of a turn, a result or an end is never given up as long as none of it stands.
        """
        trouble = trouble_of(error)
        is_vital = isinstance(stored.post, NEVER_GIVEN_UP) and not stored.message
        wait = min(LONGEST_RETRY if is_vital and trouble in ("form", "ours") else MOST_WAIT, 2**stored.attempts)
        if trouble in ("gone", "forbidden", "token"):
            self._refusals.note()
            wait = LONGEST_RETRY if self._refusals.are_many else min(MOST_WAIT, 4 * wait)
        if isinstance(error, discord.RateLimited):
            wait = max(wait, math.ceil(error.retry_after))
        dropped = stored.attempts + 1 >= {"ours": MOST_ATTEMPTS, "early": MOST_EARLY}.get(trouble, math.inf)
        dropped = dropped or (trouble == "form" and self.writer.attempts.refuse(stored) >= MOST_REFUSALS)
        dropped = dropped and not is_vital
        tell = log.error if dropped else log.warning
        tell(
            "post dropped" if dropped else "post not sent",
            key=stored.key, trouble=trouble, attempts=stored.attempts + 1, error=repr(error)[:500],
            post=repr(stored.post)[:1000] if dropped else "",
        )  # fmt: skip
        again = None if dropped else self.services.clock() + wait
        is_refused = trouble not in ("line", "ours")
        await self.services.outbox.failed(stored, repr(error), again, is_refused=is_refused)
        if trouble == "token":
            self._token_refused = time.monotonic() + REST
        if trouble in ("gone", "forbidden"):
            await self.healing.heal(stored.game, gone=trouble == "gone")
        return trouble


def _turn_comes(stored: StoredPost) -> int:
    """Return how long a post lets the others of its table go first.

    A reminder comes after the call, which may put it off; a table message that stands is drawn when all has been told.
    """
    is_card = isinstance(stored.post, posts.Card) and bool(stored.message)
    return 2 * is_card + isinstance(stored.post, posts.Reminder)
