"""A process that plays without end and says so after each move, until it is killed.

Ann offers her lot to Bob, Bob declines, she asks another price, and so on. After each stored move its
version is printed. ``fork_server`` starts it.
"""

import asyncio
import sys

from bot.model.errors import BotError
from bot.model.records import NewTable, Person
from bot.service.services import Services
from bot.service.table import Delivery
from engine import TITLES
from tests.support.toy import Answer, Bid, Offer, Pass, toy

MAX_PRICE = 18
"""Pounds that Bob has, with room."""


async def play(address: str) -> None:
    """Open a table and play on it for ever."""
    services = await Services.open(address)
    table = await services.lobby.create(Person("1", "Ann"), NewTable("toy", 2, seed=1))
    await services.lobby.join(table.id, Person("2", "Bob"))
    await services.lobby.start(table.id, "1", "as joined")
    for user, action in (("1", Bid(1)), ("2", Pass())):
        await services.table.submit(table.id, user, action)
    version = 2
    while True:
        user = "1" if version % 2 == 0 else "2"
        next_one = Offer(1, 1, 1 + version // 2 % MAX_PRICE) if user == "1" else Answer("decline")
        try:
            outcome = await services.table.submit(table.id, user, next_one, Delivery(f"i{version}"))
        except BotError:  # all prices were turned down
            await asyncio.Event().wait()
        version = outcome.version
        sys.stdout.write(f"{version}\n")
        sys.stdout.flush()


def main(address: str) -> None:
    """Play with the toy on the shelf."""
    TITLES["toy"] = toy()
    asyncio.run(play(address))
