"""The first response to an interaction: what was answered in a blink, or that the bot is at work.

Discord waits three seconds for it, and shows the press as failed after that. Work doesn't delay it: an answer that
takes longer than a blink, or has pictures to upload, follows it.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator

import aiohttp
import discord

from bot.discord.errors import classify_error
from bot.model.measures import Measures

ALREADY_ACKNOWLEDGED_CODE = 40060
ACKNOWLEDGE_RETRY_SECONDS = (0.1, 0.3, 0.8)
"""Between two tries to acknowledge; all of them lie within the three seconds that Discord gives."""
BLINK_SECONDS = 0.05
"""For which the answer may keep the acknowledgement waiting."""
RUSH, MAX_RUSH_SECONDS = 4, 0.5
"""How many wait for a first response when there is a rush, and how long the work of the others waits for them."""
MAX_AGE_SECONDS = 1.0
"""Of an interaction that may be answered without being acknowledged first: a late one plays nothing."""


class TooLateError(Exception):
    """Discord no longer takes an answer: do nothing, the person will press again."""


class Rush:
    """Who waits for a first response: when many do, all of them get theirs before the work of any goes on."""

    def __init__(self) -> None:
        self._waiting = 0
        self._calm = asyncio.Event()

    @property
    def is_on(self) -> bool:
        """Whether many wait."""
        return self._waiting >= RUSH

    @contextlib.contextmanager
    def wait_in(self) -> Iterator[None]:
        """Be one of those who wait."""
        self._waiting += 1
        self._calm.clear()
        try:
            yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._calm.set()

    async def wait_for_others(self) -> None:
        """Wait until no one waits any more, but not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(MAX_RUSH_SECONDS):
                await self._calm.wait()


class FirstResponse:
    """What an interaction is answered at first, once.

    Args:
        interaction: as Discord delivered it. rush: who else waits.
        measures: where the time is noted. on_desk: the clicked message is private, and will change.
    """

    def __init__(self, interaction: discord.Interaction, rush: Rush, measures: Measures, *, on_desk: bool) -> None:
        self.is_private = True
        self._interaction = interaction
        self._rush = rush
        self._measures = measures
        self._on_desk = on_desk
        self._thinking: asyncio.Task[None] | None = None
        self._is_begun = False
        self._acknowledged_before = False
        self._arrived = time.perf_counter()

    async def acknowledge(self, *, private: bool = True) -> None:
        """Show "thinking", or nothing where the clicked message will change, unless the answer is there in a blink.

        Raises:
            TooLateError: Discord does not know the interaction any more.
        """
        if self._is_acknowledged or self._thinking is not None:
            return
        self.is_private = private
        age = (discord.utils.utcnow() - self._interaction.created_at).total_seconds()
        if self._rush.is_on or abs(age) > MAX_AGE_SECONDS:  # or the clocks differ
            await self._show_thinking()
            await self._rush.wait_for_others()
        else:
            self._thinking = asyncio.create_task(self._show_thinking(BLINK_SECONDS))

    async def _show_thinking(self, seconds: float = 0) -> None:
        with self._rush.wait_in():
            await asyncio.sleep(seconds)
            self._is_begun = True
            thinking = {} if self._on_desk else {"ephemeral": self.is_private, "thinking": True}
            try:
                await self.respond(lambda: self._interaction.response.defer(**thinking))
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                raise TooLateError from error

    async def respond(self, respond: Callable[[], Awaitable[object]]) -> bool:
        """Respond for the first time; return whether it was: the same may have come twice, or its receipt was lost.

        Raises:
            TooLateError: Discord does not know the interaction any more.
        """
        for wait in (*ACKNOWLEDGE_RETRY_SECONDS, None):
            try:
                await respond()
            except discord.NotFound as error:
                raise TooLateError from error
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                if isinstance(error, discord.HTTPException) and error.code == ALREADY_ACKNOWLEDGED_CODE:
                    self._acknowledged_before = True
                    return False
                if wait is None or classify_error(error) not in ("line", "token"):
                    raise
                await asyncio.sleep(wait)
            else:
                self._measures.acknowledged.add(time.perf_counter() - self._arrived)
                return True
        return False

    async def claim(self) -> bool:
        """Return whether nothing was shown yet, so that the answer is the first to be; no "thinking" comes then.

        Raises:
            TooLateError: Discord does not know the interaction any more.
        """
        thinking, self._thinking = self._thinking, None
        if thinking is not None:
            if not self._is_begun:
                thinking.cancel()
                return True
            await thinking
        return not self._is_acknowledged

    async def settle(self) -> None:
        """Acknowledge now what was acknowledged by nothing yet: no answer comes, or one that takes a while.

        Raises:
            TooLateError: Discord does not know the interaction any more.
        """
        if self._thinking is not None and await self.claim():
            await self._show_thinking()

    @property
    def _is_acknowledged(self) -> bool:
        return self._acknowledged_before or self._interaction.response.is_done()
