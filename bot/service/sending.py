"""The loop that sends what is owed: batches side by side, the posts of each in order, each once.

What fails is tried again, later and later; a batch with trouble holds up no other. A sender says what is particular to
posts in a chat, to letters, or to tables that live in no chat.
"""

import asyncio
import contextlib
import math
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Protocol

import structlog

from bot.model.clock import Intervals
from bot.service.outbox import Batch, Outbox
from bot.store.database import work_in_background
from bot.store.leases import read_steady_seconds
from bot.store.outbox import NOT_WANTED, Place, StoredPost

log = structlog.get_logger(__name__)
PLACES, MAX_PLACE_SECONDS = 16, 0.5
"""Batches that begin side by side, and seconds after which one of them gives its place to another."""
MAX_BATCHES, MAX_CLAIMS = 256, 100
"""Batches that are sent in all, and those of one claim."""
MAX_REST_SECONDS = 60.0
"""Seconds that a batch rests at most, however often in a row there was trouble with it."""
BUSY_SECONDS, RETRY_SECONDS = 1.0, 3.0
"""Seconds until the next look where something is sent, and where the database failed."""
GRACE_SECONDS = 5.0
"""Seconds that posts have to arrive when the program ends."""


class Sender(Protocol):
    """What sends the posts of one kind of batch.

    Args:
        head: what the names of its batches begin with.
        most_seconds: that sending one post may take.
        note_after: seconds for which what was sent need not be noted, as it is found again if this process dies.
        rests_until: second of this process's run before which nothing can be sent at all.
    """

    head: str
    most_seconds: float
    note_after: float = 0.0
    rests_until: float = 0.0

    async def begin(self, owed: Sequence[StoredPost]) -> list[StoredPost]:
        """Read what the posts of a batch need; return them in the order in which they go."""
        return list(owed)

    def end(self, batch: str) -> None:
        """Forget what was read for a batch."""
        del batch

    async def put_off(self, stored: StoredPost) -> int:
        """Return the moment until which a post waits, 0 if it goes out now."""

    async def send(self, stored: StoredPost) -> Place | None:
        """Send a post and return where it stands; ``None`` if it is no longer wanted."""

    async def fail(self, stored: StoredPost, error: Exception) -> bool:
        """Note that a post could not be sent; return whether the rest of its batch waits too."""

    async def recover(self, stored: StoredPost, error: Exception) -> None:
        """Do what a failure calls for, once the rest of the batch is noted as not sent."""
        del stored, error


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
    async def hold_place(self) -> AsyncIterator[None]:
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


class Sending:
    """The loop of one sender.

    Args:
        outbox: what is owed. sender: sends it. idle_seconds: until the next look where nothing is due.
    """

    def __init__(self, outbox: Outbox, sender: Sender, idle_seconds: float = Intervals().outbox) -> None:
        self.outbox = outbox
        self.sender = sender
        self._idle_seconds = idle_seconds
        self._keeping: asyncio.Task[None] | None = None
        self._wake = outbox.database.wake.add_listener()
        self._room = Admission(PLACES, MAX_PLACE_SECONDS, MAX_BATCHES)
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._rounds = 0
        self._fails: Counter[str] = Counter()
        self._kept: dict[str, float] = {}
        self._is_ending = False
        self._idle = asyncio.Event()
        self._over = asyncio.Event()
        self._over.set()

    async def run(self) -> None:
        """Send until cancelled."""
        self._over.clear()
        try:
            await self._run_rounds()
        except asyncio.CancelledError:
            await self._cancel()
            raise
        finally:
            if self._keeping is not None:
                self._keeping.cancel()
            self._over.set()

    async def _run_rounds(self) -> None:
        while not self._is_ending:
            self._wake.clear()
            self._idle.clear()
            try:
                wait = await self.run_round()
            except Exception as error:
                log.error("outbox", exc_info=error)
                wait = RETRY_SECONDS
            if not self._busy and not self._wake.is_set():
                self._idle.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):  # wait_for would swallow a cancellation that meets the wake
                    await self._wake.wait()

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being sent and nothing waits to be; what failed may be due again later."""
        while self._busy or self._wake.is_set() or not self._idle.is_set():
            await asyncio.sleep(0)  # it was idle and has just been woken
            await self._idle.wait()

    async def stop(self) -> None:
        """Claim nothing more, and let the posts that are being sent arrive; what takes too long is given up."""
        self._is_ending = True
        self._wake.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_SECONDS):
                await self._over.wait()
        if self._busy:
            await asyncio.wait(self._busy.values(), timeout=GRACE_SECONDS)
        await self._cancel()

    async def _cancel(self) -> None:
        tasks = list(self._busy.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def run_round(self) -> float:
        """Set every batch that owes something to work; return the seconds until something may be due."""
        self._rounds += 1
        await self.outbox.check_clock()
        if (wait := self.sender.rests_until - read_steady_seconds()) > 0:
            return wait
        for name in self._kept.keys() - self._busy.keys():
            if not await self._give_back(name):
                return RETRY_SECONDS
        asked = min(MAX_CLAIMS, MAX_BATCHES - len(self._busy))
        waiting = await self.outbox.list_waiting(asked, self.sender.head)
        # a clock that is put forward ends a lease too early
        free = [each for each in waiting.batches if each not in self._busy]
        claims = await self.outbox.claim(free) if free else []
        for batch in claims:
            with work_in_background():
                task = asyncio.create_task(self._serve(batch), name=batch.name)
            self._busy[batch.name] = task
            task.add_done_callback(partial(self._drop_served, batch.name, self._rounds))
        if claims and (self._keeping is None or self._keeping.done()):
            self._keeping = asyncio.create_task(self._renew_leases())
        if claims:  # there may be more at once, or only when these are served
            return 0.01 if len(claims) == asked else BUSY_SECONDS
        wait = self._idle_seconds if waiting.next_due is None else waiting.next_due - self.outbox.clock()
        return min(self._idle_seconds, max(0.05, wait))

    def _drop_served(self, name: str, since: int, done: asyncio.Task[None]) -> None:
        """Note that a batch was served; what came meanwhile was looked for in vain, as it was busy: look again."""
        if self._busy.get(name) is done:  # it may have been handed out again already
            del self._busy[name]
            self.sender.end(name)
        if self._rounds > since or name in self._kept:
            self._wake.set()
        elif not self._busy and not self._wake.is_set():
            self._idle.set()

    async def _renew_leases(self) -> None:
        """Keep the batches while they are being served; one that another sender has by now is left to it."""
        while self._busy:
            await asyncio.sleep(self.outbox.lease / 3)
            mine = dict(self._busy)
            try:
                kept = await self.outbox.renew(mine) if mine else set()
            except Exception as error:  # noqa: BLE001 - the next time, or the lease ends
                log.warning("leases not renewed", error=repr(error)[:300])
                continue
            for name in mine.keys() - kept:
                mine[name].cancel()

    async def _serve(self, batch: Batch) -> None:
        """Send the posts of one batch in order, and give it back."""
        claimed = read_steady_seconds()
        async with self._room.hold_place():
            try:
                rest = await self._send_all(batch, claimed)
            except Exception as error:  # the database, most likely; the other batches go on
                rest = self._lengthen_rest(batch.name)
                log.error("posts of a batch", batch=batch.name, exc_info=error)
        if rest is not None:
            self._kept[batch.name] = rest
            await self._give_back(batch.name)

    async def _give_back(self, name: str) -> bool:
        """Give a batch back; where the database takes no note of it, it is kept for the next round."""
        try:
            await self.outbox.release(name, math.ceil(self._kept[name]))
        except Exception as error:  # noqa: BLE001 - the next time, or the lease expires
            log.warning("batch not given back", batch=name, error=repr(error)[:300])
            return False
        del self._kept[name]
        return True

    async def _send_all(self, batch: Batch, looked: float) -> float | None:
        """Send posts until there is trouble; return how long the batch is to rest, ``None`` if it is given back.

        What was sent is noted together, once ``note_after`` seconds have gone by since we ``looked``, and then what is
        left is looked at again.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: the database takes no note; where a post stands is remembered until it does.
        """
        outbox, sender, sent = self.outbox, self.sender, list[tuple[StoredPost, Place]]()

        def is_old() -> bool:
            return read_steady_seconds() - looked >= sender.note_after

        left = await sender.begin(await outbox.recheck(batch.posts) if is_old() else batch.posts)
        is_given_back, place = False, None
        try:
            while left and outbox.holds(batch.name) and not _is_cancelled():
                stored, *left = left
                place = outbox.get_place(stored) or await self._send_one(stored)
                if isinstance(place, tuple):
                    sent.append((stored, place))
                if isinstance(place, Exception):
                    break
                if not left or is_old():
                    left = await (outbox.note_sent(sent, left) if sent else outbox.recheck(left))
                    is_given_back = bool(sent) and not left
                    sent, looked = [], read_steady_seconds()
        finally:  # told to end while a post takes long, too
            if sent:
                await outbox.note_sent(sent)
        if isinstance(place, Exception):
            await outbox.note_unsent(left)
            await sender.recover(stored, place)
            return self._lengthen_rest(batch.name)
        self._fails.pop(batch.name, None)
        return None if is_given_back else 0.0

    def _lengthen_rest(self, name: str) -> float:
        """Return how long a batch rests after one more failure in a row."""
        self._fails[name] += 1
        return min(MAX_REST_SECONDS, 2.0 ** (self._fails[name] - 1))

    async def _send_one(self, stored: StoredPost) -> Place | Exception | None:
        """Send a post and return where it stands; ``None`` if it is not to be sent (now), or is tried again later.

        Return an error for which the rest of the batch waits too.
        """
        try:
            async with asyncio.timeout(self.sender.most_seconds):
                until = await self.sender.put_off(stored)
                place = None if until else await self.sender.send(stored)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
            return error if await self.sender.fail(stored, error) else None
        if until:
            await self.outbox.put_off(stored, until)
        elif place is None:
            await self.outbox.note_failed(stored, NOT_WANTED, is_refused=True)
        else:
            self.outbox.remember_place(stored, place)
        return place


def _is_cancelled() -> bool:
    """Return whether this task was told to end: what sends may have swallowed that."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
