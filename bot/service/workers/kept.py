"""What was made once of a position and is asked for again: the latest, up to so many bytes."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

MOST_BYTES = 32 * 1024 * 1024


class Kept:
    """Results by name; two who ask for the same one at the same time wait for one work."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._made: OrderedDict[bytes, bytes] = OrderedDict()
        self._under_way: dict[bytes, asyncio.Task[bytes]] = {}

    async def of(self, name: bytes, make: Callable[[], Coroutine[Any, Any, bytes]]) -> bytes:
        """Return what has a name, made now if it is not kept; what fails is not kept, and raises what making raised."""
        if name in self._made:
            self._made.move_to_end(name)
            return self._made[name]
        work = self._under_way.get(name)
        if work is None:
            work = self._under_way[name] = asyncio.create_task(make())
            work.add_done_callback(lambda done: self._over(name, done))
        return await asyncio.shield(work)

    def _over(self, name: bytes, work: asyncio.Task[bytes]) -> None:
        del self._under_way[name]
        if work.cancelled() or work.exception():  # whoever asked has heard of it
            return
        self._made[name] = work.result()
        while sum(map(len, self._made.values())) > self._most:
            self._made.popitem(last=False)
