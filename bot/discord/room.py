"""Room for so many at a time, without letting the slow hold up the quick."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


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
