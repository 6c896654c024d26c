"""Reading files in this process, where the toy is on the shelf; the real way has tests of its own."""

import asyncio

from bot.service.workers import reading
from bot.service.workers.reading import Brought, FileAsked


async def at_once(asked: FileAsked) -> Brought:
    return await asyncio.to_thread(reading.read, asked)
